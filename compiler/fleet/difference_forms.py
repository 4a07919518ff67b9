"""The difference of a fleet as text for a terminal, as JSON, and as Markdown for a comment on a pull request.

The comment has the number of hosts first, then each change with its hosts, as a table. A long list of hosts is folded, and what does
not fit into a comment is counted.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from setpoint.compiler.comparison.entries import is_elsewhere
from setpoint.compiler.fleet.difference import (
    Change,
    ChangedHosts,
    ChangedSetting,
    FleetDifference,
    GainedPlan,
    WhyLeftOut,
)
from setpoint.compiler.fleet.summary import MOST_NAMED, named_hosts, number_of_hosts, some
from setpoint.compiler.plan.difference import WaiverChange
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.render.difference_json import hazard_json, made_with_json, waiver_json
from setpoint.compiler.render.difference_markdown import (
    FOOTER,
    MOST,
    fact_changes,
    folded,
    hazard_item,
    waiver_item,
)
from setpoint.compiler.render.difference_words import hazard, upgrade, value_text, waiver, waiver_reason
from setpoint.compiler.render.escape import code, escape, head, prose, row
from setpoint.compiler.render.markdown import source_line
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.visible import json_text, visible, visible_lines
from setpoint.compiler.render.words import count

SCHEMA = "setpoint.fleet-diff/1"

NOT_WRITTEN = "not written"

NO_GROUP = "no group"

ALL_REASONS = "`setpoint check --inventory` has all reasons"

MOST_REASONS = 10
"""How many of the reasons why hosts have no plan are shown."""

MOST_COVERED = 3
"""How many of the warnings that a waiver covers are shown."""

MOST_LISTED = 500
"""How many hosts of one change a comment lists; a terminal has the first of them, and JSON all."""


@distinct
class Unplanned(NamedTuple):
    """The numbers of hosts without a plan before and after a change, where all reasons are, and the reasons."""

    before: int
    number: int
    says_why: str
    reasons: tuple[WhyLeftOut, ...]


def difference_text(found: FleetDifference, left_out: Unplanned, width: int) -> str:
    """The difference for a terminal; `left_out` are the hosts without a plan after it."""
    made = upgrade(*found.made_with)
    lines = [f"{made}\n" if made else "", paragraph(_headline(found), width, 0)]
    for what, hosts, plan in _gained_and_lost(found):
        lines.append(paragraph(f"{visible(named_hosts(list(hosts)))}: {what}", width, 0))
        if plan:
            lines += _risks(plan, {}, width)
    lines += [paragraph(visible(each), width, 0) for each in _sides(found, left_out)]
    lines += [paragraph(f"{how}: {why}", width) for how, why in _reasons(left_out)]
    for change, its in found.changes.items():
        lines.append("\n" + paragraph(visible(named_hosts(list(its.hosts))), width, 0))
        of = "; ".join(f"{what}: {' to '.join(names)}" for what, names in _whose(found, change))
        lines.append(f"  {of}; {_when(change)}\n")
        lines += [paragraph(f"{fact.name}: {value_text(fact)}", width) for fact in change.facts]
        rows = [
            (each.setting, each.old or NOT_WRITTEN, "->", each.new or NOT_WRITTEN, _why(its, each))
            for each in change.settings
        ]
        lines.append(table(rows, width, indent=4))
        lines += [f"  not undone: {each}\n" for each in change.stays]
        lines += _risks(change, its.covered, width)
    return visible_lines("".join(lines))


def _risks(of: Change | GainedPlan, covered: Mapping[str, tuple[str, ...]], width: int) -> Iterator[str]:
    """The hazards and waivers that change, or that come with a plan."""
    for risk in of.hazards:
        reason = f"; reason: {waiver_reason(risk)}" if waiver_reason(risk) else ""
        yield paragraph(f"hazard {risk.hazard} {hazard(risk)}: {risk.what}{reason}", width)
    for each in of.waivers:
        yield paragraph(f"waiver for {each.name} {waiver(_with_covered(each, covered))}", width)


def _with_covered(change: WaiverChange, covered: Mapping[str, tuple[str, ...]]) -> WaiverChange:
    """A change of a waiver with what it covers on all of its hosts."""
    its = covered.get(change.name, ())
    if not its:
        return change
    more = f"; and {len(its) - MOST_COVERED:,} more" if len(its) > MOST_COVERED else ""
    what = "; ".join(its[:MOST_COVERED]) + more
    old, new = (terms and terms._replace(what=what) for terms in (change.old, change.new))
    return change._replace(old=old, new=new)


def _headline(found: FleetDifference) -> str:
    parts = [
        f"{number_of_hosts(found.without)} lose{'s' * (found.without == 1)} {'its' if found.without == 1 else 'their'} plan"
    ] * bool(found.without)
    if found.reviewed:
        parts.append(f"hazards or waivers change on {number_of_hosts(found.reviewed)}")
    risks = "; ".join(parts)
    if risks and not (found.changed or found.gained or found.lost):
        return f"No value changes; {risks} of {found.hosts:,}"
    if not found.is_empty:
        one, waiting = found.changed == 1, found.restarts
        return (
            f"{number_of_hosts(found.changed)} of {found.hosts:,} change{'s' * one}; "
            f"{waiting:,} need{'s' * (waiting == 1)} a restart" + (f"; {risks}" if risks else "")
        )
    if not found.same:
        return "No change: no host has a plan."
    if found.same == 1:
        return "No change: the one host has the same plan."
    return f"No change: all {number_of_hosts(found.same)} have the same plan."


def _sides(found: FleetDifference, left_out: Unplanned) -> Iterator[str]:
    """How many hosts each side has, if it is not the same number, and how many of them have no plan."""
    old, new = found.planned[0] + left_out.before, found.planned[1] + left_out.number
    if old != new:
        yield f"{number_of_hosts(new)} in all, {old:,} before"
    if left_out.number or left_out.before:
        before = f" ({left_out.before:,} before)" if left_out.before != left_out.number else ""
        more = f"; {left_out.says_why}" if len(left_out.reasons) > MOST_REASONS else ""
        yield f"{number_of_hosts(left_out.number)} without a plan{before}{more}{':' * bool(left_out.number)}"


def _reasons(left_out: Unplanned) -> Iterator[tuple[str, str]]:
    """Why hosts have no plan: which hosts, and the error with its place."""
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
            how = named_hosts(list(each.hosts)) + (f", {had}" if each.had_one else "")
        yield how, f"{each.error.code}: {each.error.message}{where}"


def _when(change: Change) -> str:
    """When a change takes effect."""
    if not change.settings:
        return "no value changes"
    return "needs a restart" if change.restart else "takes effect immediately"


def _why(its: ChangedHosts, changed: ChangedSetting) -> str:
    """Why a setting is as it is after the change; if the hosts have several reasons, the first of them, and their number."""
    first, *others = its.reasons[changed.setting]
    more = f"; and {len(others):,} other reason{'s' * (len(others) > 1)}" if others else ""
    return first + more


def _gained_and_lost(found: FleetDifference) -> Iterator[tuple[str, tuple[str, ...], GainedPlan | None]]:
    """What became of hosts that get a plan or lose theirs, in words, these hosts, and the plan that they get."""
    for plan, hosts in found.gained.items():
        one = len(hosts) == 1
        of = f" of policy {plan.policy}" if found.has_several else ""
        new = f"{'is' if one else 'are'} new and " if plan.is_new else ""
        restart = f"need{'s' * one} a restart" if plan.restart else "without a restart"
        says = (
            f"{f'group {plan.group}' if plan.group else NO_GROUP}, {count(plan.values, 'value')}, {restart}"
        )
        yield f"{new}get{'s' * one} a plan{of}: {says}", hosts, plan
    for lost, hosts in found.lost.items():
        one = len(hosts) == 1
        of = f" of policy {lost.policy}" if found.has_several else ""
        if lost.is_gone:
            yield (
                f"{'is' if one else 'are'} no longer in the inventory; servers keep what the plan{of} set",
                hosts,
                None,
            )
        else:
            yield f"{'has' if one else 'have'} no plan{of} any more", hosts, None


def _whose(found: FleetDifference, change: Change) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The policy, if there are several, and the group that hosts of a change have, before and after."""
    if found.has_several:
        yield "policy", change.policies
    yield "group", tuple(each or NO_GROUP for each in change.groups)


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
        "changes": [_change_json(change, its) for change, its in found.changes.items()],
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


def _change_json(change: Change, its: ChangedHosts) -> dict[str, Any]:
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
        "groups": change.groups,
        "facts": {fact.name: {"old": fact.old or None, "new": fact.new or None} for fact in change.facts},
        "restart": change.restart,
        "settings": settings,
        "not_undone": change.stays,
        "hazards": [hazard_json(each) for each in change.hazards],
        "waivers": [waiver_json(_with_covered(each, its.covered)) for each in change.waivers],
        "hosts": its.hosts,
    }


# ---------------------------------------------------------------------------------------- Markdown


def difference_markdown(found: FleetDifference, left_out: Unplanned, width: int) -> str:
    """The difference as a comment, short enough for a forge."""
    text = f"**Setpoint:** {escape(_headline(found))}\n"
    if made := upgrade(*found.made_with):
        text += f"\nChanged as well: {prose(made)}.\n"
    items = []
    for what, hosts, plan in _gained_and_lost(found):
        items.append(f"- {_named(hosts)}: {escape(what)}\n")
        if plan:
            items += [
                f"  {item}" for item in (*map(hazard_item, plan.hazards), *map(waiver_item, plan.waivers))
            ]
    items += [f"- {prose(each)}\n" for each in _sides(found, left_out)]
    items += [f"  - {prose(how)}: {prose(why)}\n" for how, why in _reasons(left_out)]
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
    return f"{text}\n{FOOTER}" if found.changes else text


def _change_markdown(found: FleetDifference, change: Change, its: ChangedHosts) -> str:
    hosts = its.hosts
    whose = [f"{what} {' to '.join(map(code, names))}" for what, names in _whose(found, change)]
    when = f"**{_when(change)}**" if change.restart else _when(change)
    text = f"### {_named(hosts)}\n\n{'; '.join(whose)}; {when}\n"
    if change.facts:
        text += f"\n{fact_changes(change.facts)}"
    if change.settings:
        text += "\n" + head("Setting", "Before", "After", "Takes effect", "Why")
        text += "".join(_row(each, _why(its, each)) for each in change.settings)
    items = [f"- **Not undone:** {prose(each)}\n" for each in change.stays]
    items += map(hazard_item, change.hazards)
    items += [waiver_item(_with_covered(each, its.covered)) for each in change.waivers]
    if items:
        text += "\n" + "".join(items)
    if len(hosts) > MOST_NAMED:
        listed = ", ".join(map(code, hosts[:MOST_LISTED]))
        more = len(hosts) - MOST_LISTED
        text += f"\n<details><summary>All {escape(number_of_hosts(len(hosts)))}</summary>\n\n{listed}"
        text += f" and {more:,} more.\n\n</details>\n" if more > 0 else "\n\n</details>\n"
    return text


def _row(each: ChangedSetting, why: str) -> str:
    return row(
        code(each.setting),
        escape(each.old or NOT_WRITTEN),
        f"**{escape(each.new or NOT_WRITTEN)}**",
        "never: servers keep it" if each.stays else "after a restart" if each.restart else "immediately",
        escape(why),
    )


def _named(hosts: tuple[str, ...]) -> str:
    """How many hosts, and the first of them, as Markdown."""
    return f"{escape(number_of_hosts(len(hosts)))}: {some(hosts, code)}"


FORMATS: dict[str, Callable[[FleetDifference, Unplanned, int], str]] = {
    "json": difference_json,
    "markdown": difference_markdown,
    "text": difference_text,
}
"""The forms of a difference, by name: each takes it, the hosts without a plan, and the width of a page."""
