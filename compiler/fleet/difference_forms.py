"""The difference of a fleet as text for a terminal, as JSON, and as Markdown for a comment on a pull request.

The comment has the number of hosts first, then each change with its hosts, as a table. A long list of hosts is folded, and what does
not fit into a comment is counted.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from setpoint.compiler.comparison.entries import is_elsewhere
from setpoint.compiler.fleet.difference import (
    Change,
    ChangedHosts,
    ChangedSetting,
    FleetDifference,
    GainedPlan,
)
from setpoint.compiler.fleet.reasons import told
from setpoint.compiler.fleet.summary import MOST_NAMED, named_hosts, number_of_hosts, some
from setpoint.compiler.fleet.unplanned import Unplanned, WhyLeftOut
from setpoint.compiler.plan.difference import HazardChange, WaiverChange
from setpoint.compiler.render.difference_json import hazard_json, made_with_json, waiver_json
from setpoint.compiler.render.difference_markdown import (
    FOOTER,
    MOST,
    fact_changes,
    folded,
    hazard_item,
    waiver_item,
)
from setpoint.compiler.render.difference_words import hazard, upgrade, waiver, waiver_reason
from setpoint.compiler.render.escape import code, escape, head, prose, row
from setpoint.compiler.render.markdown import source_line
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.visible import json_text, visible, visible_lines
from setpoint.compiler.render.words import count

SCHEMA = "setpoint.fleet-diff/1"

NOT_WRITTEN = "not written"

NO_GROUP = "no group"

MOST_GROUPS = 4
"""How many groups of the hosts of a change are named."""

OF_INTENTS = {
    "appears": "occurs with B only",
    "accepted": "is waived by B only",
    "expired": "has an expired waiver in B only",
    "resolved": "occurs with A only",
    "reopened": "is waived by A only",
    "unused": "is waived by B, where it does not occur",
    "reworded": "has other terms in B",
}
"""A hazard of which two intents differ, by the kind of the change from A to B: neither of them was there before the other."""

MOST_REASONS = 10
"""How many of the reasons why hosts have no plan are shown."""

LONGEST_HELP = 200
"""Characters. A longer help is a list of all that is known, which `setpoint check` shows."""

MOST_COVERED = 3
"""How many of the warnings that a waiver covers are shown."""

MOST_LISTED = 500
"""How many hosts of one change a comment lists; a terminal has the first of them, and JSON all."""


def difference_text(found: FleetDifference, left_out: Unplanned, width: int) -> str:
    """The difference for a terminal; `left_out` are the hosts without a plan after it."""
    made = upgrade(*found.made_with)
    lines = [f"{made}\n" if made else "", paragraph(_headline(found), width, 0)]
    for what, hosts, plan in _gained_and_lost(found, left_out):
        lines.append(paragraph(f"{visible(named_hosts(list(hosts)))}: {what}", width, 0))
        if plan:
            lines += _risks(found, plan, None, width)
    lines += [paragraph(visible(each), width, 0) for each in _sides(found, left_out)]
    lines += [paragraph(f"{how}: {why}", width) for how, why in _reasons(found, left_out)]
    for change, its in found.changes.items():
        lines.append("\n" + paragraph(visible(named_hosts(list(its.hosts))), width, 0))
        lines.append(paragraph("; ".join((*_about(found, change, its), *_when(found, change))), width))
        sign = "|" if found.is_of_intents else "->"
        lines += [
            paragraph(f"{fact.name}: {fact.old or '-'} {sign} {fact.new or '-'}", width)
            for fact in change.facts
        ]
        rows = [
            (each.setting, before, sign, after, _why(its, each))
            for each, before, after in _values(change, its)
        ]
        lines.append(table(rows, width, indent=4))
        lines += [paragraph(f"not undone: {each}", width) for each in change.stays]
        lines += _risks(found, change, its, width)
    return visible_lines("".join(lines))


def _risks(
    found: FleetDifference, of: Change | GainedPlan, its: ChangedHosts | None, width: int
) -> Iterator[str]:
    """The hazards and waivers that change, or that come with a plan."""
    for risk in _hazards(of, its):
        reason = f"; reason: {waiver_reason(risk)}" if waiver_reason(risk) else ""
        yield paragraph(f"hazard {risk.hazard} {_status(found, risk)}: {risk.what}{reason}", width)
    for each in _waivers(of, its):
        yield paragraph(f"waiver for {each.name} {waiver(each)}", width)


def _status(found: FleetDifference, risk: HazardChange) -> str:
    """What becomes of a hazard, after its name."""
    return OF_INTENTS[risk.kind] if found.is_of_intents else hazard(risk)


def _waivers(of: Change | GainedPlan, its: ChangedHosts | None) -> Iterator[WaiverChange]:
    """The changes of waivers, with what they cover on all of their hosts, and the reasons of these."""
    for change in of.waivers:
        covered = its.covered.get(change.name, ()) if its else ()
        more = f"; and {len(covered) - MOST_COVERED:,} more" if len(covered) > MOST_COVERED else ""
        what = "; ".join(covered[:MOST_COVERED]) + more
        own = its.own.get(change.name, {}) if its else {}
        old, new = (
            terms and terms._replace(what=what or terms.what, because=told(terms.because, own))
            for terms in (change.old, change.new)
        )
        yield change._replace(old=old, new=new)


def _hazards(of: Change | GainedPlan, its: ChangedHosts | None) -> Iterator[HazardChange]:
    """The changes of hazards, with the reasons that hosts have for waiving them."""
    for change in of.hazards:
        own = its.own.get(change.hazard, {}) if its else {}
        old, new = (state._replace(because=told(state.because, own)) for state in (change.old, change.new))
        yield change._replace(old=old, new=new)


def _headline(found: FleetDifference) -> str:
    """How many hosts change, of those with a plan on either side."""
    if not found.is_empty:
        return "; ".join(_counted(found))
    nothing = "No difference" if found.is_of_intents else "No change"
    if not found.same:
        return f"{nothing}: no host has a plan."
    if found.same == 1:
        return f"{nothing}: the one host has the same plan."
    return f"{nothing}: all {number_of_hosts(found.same)} have the same plan."


def _counted(found: FleetDifference) -> Iterator[str]:
    """The parts of a headline. Hosts with a plan on one side only change, too, and count among those that need a restart."""
    number, waiting = found.changed, found.restarts
    verb, of = "differ" if found.is_of_intents else "change", f" of {found.hosts:,}"
    if number:
        yield f"{number_of_hosts(number)}{of} {verb}{'s' * (number == 1)}"
    elif found.gained or found.lost:
        yield (
            f"No value {verb}s on the other {number_of_hosts(found.same)}"
            if found.same
            else f"No value {verb}s"
        )
    else:
        yield f"No value {verb}s"
    for others, one, several in (
        (found.new, "is new", "are new"),
        (found.gone, "is no longer in the inventory", "are no longer in the inventory"),
        (found.gets, "gets a plan", "get a plan"),
        (found.without, "loses its plan", "lose their plan"),
    ):
        if others:
            yield f"{number_of_hosts(others)} {one if others == 1 else several}"
    if (number or found.gained) and not found.is_of_intents:
        yield f"{waiting:,} need{'s' * (waiting == 1)} a restart" if waiting else "none needs a restart"
    if found.reviewed:
        yield f"hazards or waivers {verb} on {number_of_hosts(found.reviewed)}{'' if number else of}"


def _sides(found: FleetDifference, left_out: Unplanned) -> Iterator[str]:
    """How many hosts each side has, if it is not the same number, and how many of them have no plan."""
    old, new = found.planned[0] + left_out.before, found.planned[1] + left_out.number
    if old != new:
        yield f"{number_of_hosts(new)} in all, {old:,} before"
    if left_out.number or left_out.before:
        before = f" ({left_out.before:,} before)" if left_out.before != left_out.number else ""
        more = f"; {left_out.says_why}" if len(left_out.reasons) > MOST_REASONS else ""
        yield f"{number_of_hosts(left_out.number)} without a plan{before}{more}{':' * bool(left_out.number)}"


def _reasons(found: FleetDifference, left_out: Unplanned) -> Iterator[tuple[str, str]]:
    """Why hosts have no plan: which hosts, and the error with its place, what it is due to, and what helps."""
    for each in left_out.reasons[:MOST_REASONS]:
        at = each.error.at
        where = f" ({at.file}:{at.line})" if at.line and not is_elsewhere(at.file) else ""
        how = "files of policies"
        if each.hosts:
            had = (
                "had one before"
                if each.had_one == len(each.hosts)
                else f"{each.had_one:,} of them had one before"
            )
            kinds = f" ({kinds})" if (kinds := _kinds(found, each.hosts)) else ""
            how = named_hosts(list(each.hosts)) + kinds + (f", {had}" if each.had_one else "")
        due, helps = "", ""
        if each.had_one or not left_out.before:  # else it was so before
            due = "".join(f"; {note}" for note in each.error.notes[:1])
            short = [text for text in each.error.help if len(text) <= LONGEST_HELP]
            helps = f". What helps: {'; '.join(short)}" if short else ""
        yield how, f"{each.error.code}: {each.error.message}{where}{due}{helps}"


def _kinds(found: FleetDifference, hosts: tuple[str, ...]) -> str:
    """What distinguishes hosts from others of the fleet: `platform r650, r750`; "" for nothing."""
    return "; ".join(f"{fact} {', '.join(values)}" for fact, values in found.kinds.of(hosts).items())


def _about(found: FleetDifference, change: Change, its: ChangedHosts) -> Iterator[str]:
    """Which hosts a change is about: their policy, if there are several, their groups, their kinds."""
    if found.has_several:
        yield f"policy {' to '.join(change.policies)}"
    names = [each or NO_GROUP for each in change.groups or its.groups]
    if change.groups:
        yield (
            f"group {names[0]} in A, {names[1]} in B"
            if found.is_of_intents
            else f"group {' to '.join(names)}"
        )
    elif names != [NO_GROUP]:
        more = f" and {len(names) - MOST_GROUPS:,} more" if len(names) > MOST_GROUPS else ""
        yield f"group{'s' * (len(names) > 1)} {', '.join(names[:MOST_GROUPS])}{more}"
    if kinds := _kinds(found, its.hosts):
        yield kinds


def _values(change: Change, its: ChangedHosts) -> Iterator[tuple[ChangedSetting, str, str]]:
    """The settings that change, each with its values in words: one that is not written with what servers have, if that is the same on all
    and known: what an earlier plan has set stays.
    """
    for each in change.settings:
        has = its.unwritten[each.setting]
        left = has[0] if len(has) == 1 and has[0] else NOT_WRITTEN
        yield each, each.old or left, each.new or (NOT_WRITTEN if each.stays else left)


def _when(found: FleetDifference, change: Change) -> Iterator[str]:
    """When a change takes effect."""
    if not change.settings:
        yield "no value changes"
    elif not found.is_of_intents:
        yield "needs a restart" if change.restart else "takes effect immediately"


def _why(its: ChangedHosts, changed: ChangedSetting) -> str:
    """Why a setting is as it is after the change; if the hosts have several reasons, the first of them, and their number."""
    first, *others = its.reasons[changed.setting]
    more = f"; and {len(others):,} other reason{'s' * (len(others) > 1)}" if others else ""
    return first + more


def _gained_and_lost(
    found: FleetDifference, left_out: Unplanned
) -> Iterator[tuple[str, tuple[str, ...], GainedPlan | None]]:
    """What became of hosts that get a plan or lose theirs, in words, these hosts, and the plan that they get. What the reasons say of hosts
    without a plan is not said here as well.
    """
    explained = {host for each in left_out.reasons[:MOST_REASONS] for host in each.hosts}
    for plan, hosts in found.gained.items():
        one = len(hosts) == 1
        of = f" of policy {plan.policy}" if found.has_several else ""
        new = f"{'is' if one else 'are'} new and " if plan.is_new else ""
        restart = f"need{'s' * one} a restart" if plan.restart else "without a restart"
        says = (
            *([f"group {plan.group}"] if plan.group else ()),
            *filter(None, [_kinds(found, hosts)]),
            count(plan.values, "value"),
            *(() if found.is_of_intents else (restart,)),
        )
        yield f"{new}get{'s' * one} a plan{of}: {'; '.join(says)}", hosts, plan
    for lost, hosts in found.lost.items():
        one = len(hosts) == 1
        of = f" of policy {lost.policy}" if found.has_several else ""
        if lost.is_gone:
            yield (
                f"{'is' if one else 'are'} no longer in the inventory; servers keep what the plan{of} set",
                hosts,
                None,
            )
        elif found.has_several or not explained.issuperset(hosts):
            yield f"{'has' if one else 'have'} no plan{of} any more", hosts, None


# -------------------------------------------------------------------------------------------- JSON


def difference_json(found: FleetDifference, left_out: Unplanned, width: int) -> str:
    """The difference for programs."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "hosts": {
            "changed": found.changed,
            "same": found.same,
            "restart": found.restarts,
            "hazards_or_waivers": found.reviewed,
            "without_plan": left_out.number,
        },
        "sides": {
            "old": {"planned": found.planned[0], "without_plan": left_out.before},
            "new": {"planned": found.planned[1], "without_plan": left_out.number},
        },
        "gained": _hosts(found.gained.values()),
        "gained_plans": [_gained_json(plan, hosts) for plan, hosts in found.gained.items()],
        "lost": _hosts(found.lost.values()),
        "gone": _hosts(hosts for plan, hosts in found.lost.items() if plan.is_gone),
        "left_out": [_left_out_json(each) for each in left_out.reasons],
        "changes": [_change_json(found, change, its) for change, its in found.changes.items()],
        "made_with": made_with_json(*found.made_with),
    }
    return json_text(json.loads(json.dumps(data)))


def _hosts(lists: Iterable[tuple[str, ...]]) -> list[str]:
    return sorted({host for hosts in lists for host in hosts})


def _gained_json(plan: GainedPlan, hosts: tuple[str, ...]) -> dict[str, Any]:
    return {
        "policy": plan.policy,
        "group": plan.group,
        "new": plan.is_new,
        "values": plan.values,
        "restart": plan.restart,
        "hazards": [hazard_json(each) for each in plan.hazards],
        "waivers": [waiver_json(each) for each in plan.waivers],
        "hosts": hosts,
    }


def _left_out_json(why: WhyLeftOut) -> dict[str, Any]:
    at = why.error.at
    return {
        "code": why.error.code,
        "message": why.error.message,
        "file": at.file or None,
        "line": at.line or None,
        "hosts": why.hosts,
        "had_a_plan": why.had_one,
    }


def _change_json(found: FleetDifference, change: Change, its: ChangedHosts) -> dict[str, Any]:
    settings = {
        each.setting: {
            "old": each.old or None,
            "new": each.new or None,
            "restart": each.restart,
            "stays": each.stays,
            "because": its.reasons[each.setting],
        }
        for each in change.settings
    }
    return {
        "policies": change.policies,
        "groups": its.groups,
        "former_group": change.groups[0] if change.groups else None,
        "only": found.kinds.of(its.hosts),
        "facts": {fact.name: {"old": fact.old or None, "new": fact.new or None} for fact in change.facts},
        "restart": change.restart,
        "settings": settings,
        **({"own_reasons": its.own} if its.own else {}),
        "not_undone": change.stays,
        "hazards": [hazard_json(each) for each in _hazards(change, its)],
        "waivers": [waiver_json(each) for each in _waivers(change, its)],
        "hosts": its.hosts,
    }


# ---------------------------------------------------------------------------------------- Markdown


def difference_markdown(found: FleetDifference, left_out: Unplanned, width: int) -> str:
    """The difference as a comment, short enough for a forge."""
    text = f"**Setpoint:** {escape(_headline(found))}\n"
    if made := upgrade(*found.made_with):
        text += f"\nChanged as well: {prose(made)}.\n"
    items = []
    for what, hosts, plan in _gained_and_lost(found, left_out):
        items.append(f"- {_named(hosts)}: {escape(what)}\n")
        if plan:
            items += [
                *(f"  {hazard_item(each, _status(found, each))}" for each in plan.hazards),
                *(f"  {waiver_item(each)}" for each in plan.waivers),
            ]
    items += [f"- {prose(each)}\n" for each in _sides(found, left_out)]
    items += [f"  - {prose(how)}: {prose(why)}\n" for how, why in _reasons(found, left_out)]
    if items:
        text += "\n" + "".join(items)
    left: list[tuple[str, ...]] = []
    for change, its in found.changes.items():
        part = f"\n{_change_markdown(found, change, its)}"
        if len(text) + len(part) > MOST:
            left.append(its.hosts)
        else:
            text += part
    if left:
        number = number_of_hosts(len(_hosts(left)))
        text += f"\nToo long to show here: the changes of {escape(number)}. `setpoint diff` shows them.\n"
    if found.sources:
        text += "\n" + folded("".join(map(source_line, found.sources)), "Sources")
    return f"{text}\n{FOOTER}" if any(change.settings for change in found.changes) else text


def _change_markdown(found: FleetDifference, change: Change, its: ChangedHosts) -> str:
    hosts = its.hosts
    when = (f"**{each}**" if change.restart else each for each in _when(found, change))
    about = "; ".join((*map(escape, _about(found, change, its)), *when))
    text = f"### {_named(hosts)}\n\n{about}\n"
    if change.facts and found.is_of_intents:
        facts = (f"{f.name} {f.old or '-'} in A, {f.new or '-'} in B" for f in change.facts)
        text += f"\nFacts: {'; '.join(map(escape, facts))}.\n"
    elif change.facts:
        text += f"\n{fact_changes(change.facts)}"
    if change.settings:
        columns = ("A", "B") if found.is_of_intents else ("Before", "After", "Takes effect")
        text += "\n" + head("Setting", *columns, "Why")
        text += "".join(_row(found, values, _why(its, values[0])) for values in _values(change, its))
    items = [f"- **Not undone:** {prose(each)}\n" for each in change.stays]
    items += [hazard_item(each, _status(found, each)) for each in _hazards(change, its)]
    items += [waiver_item(each) for each in _waivers(change, its)]
    if items:
        text += "\n" + "".join(items)
    if len(hosts) > MOST_NAMED:
        listed = ", ".join(map(code, hosts[:MOST_LISTED]))
        more = len(hosts) - MOST_LISTED
        text += f"\n<details><summary>All {escape(number_of_hosts(len(hosts)))}</summary>\n\n{listed}"
        text += f" and {more:,} more.\n\n</details>\n" if more > 0 else "\n\n</details>\n"
    return text


def _row(found: FleetDifference, values: tuple[ChangedSetting, str, str], why: str) -> str:
    each, before, after = values
    when = "never: servers keep it" if each.stays else "after a restart" if each.restart else "immediately"
    effect = () if found.is_of_intents else (when,)
    return row(code(each.setting), escape(before), f"**{escape(after)}**", *effect, escape(why))


def _named(hosts: tuple[str, ...]) -> str:
    """How many hosts, and the first of them, as Markdown."""
    return f"{escape(number_of_hosts(len(hosts)))}: {some(hosts, code)}"


FORMATS: dict[str, Callable[[FleetDifference, Unplanned, int], str]] = {
    "json": difference_json,
    "markdown": difference_markdown,
    "text": difference_text,
}
"""The forms of a difference, by name: each takes it, the hosts without a plan, and the width of a page."""
