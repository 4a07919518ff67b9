"""The difference of a fleet as text for a terminal, as JSON, and as Markdown for a comment on a pull request.

The comment has the number of hosts first, then each change with its hosts, as a table. A long list of hosts is folded, and what does
not fit into a comment is counted.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from setpoint.compiler.fleet.difference import Change, ChangedHosts, ChangedSetting, FleetDifference
from setpoint.compiler.fleet.summary import MOST_NAMED, named_hosts, number_of_hosts, some
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.render.difference_json import hazard_json, made_with_json, waiver_json
from setpoint.compiler.render.difference_markdown import MOST, hazard_item, waiver_item
from setpoint.compiler.render.difference_words import hazard, upgrade, waiver, waiver_reason
from setpoint.compiler.render.escape import code, escape, head, prose, row
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.visible import json_text, visible, visible_lines

SCHEMA = "setpoint.fleet-diff/1"

NOT_WRITTEN = "not written"

NO_GROUP = "no group"

MOST_LISTED = 500
"""How many hosts of one change a comment lists; a terminal has the first of them, and JSON all."""


@distinct
class Unplanned(NamedTuple):
    """The numbers of hosts without a plan before and after a change, and half a sentence about what says why."""

    before: int
    number: int
    says_why: str


def difference_text(found: FleetDifference, left_out: Unplanned, width: int) -> str:
    """The difference for a terminal; `left_out` are the hosts without a plan after it."""
    made = upgrade(*found.made_with)
    lines = [f"{made}\n" if made else "", f"{_headline(found)}\n"]
    lines += [f"{visible(named_hosts(list(hosts)))}: {what}\n" for what, hosts in _gained_and_lost(found)]
    lines += [f"{visible(each)}\n" for each in _sides(found, left_out)]
    for change, its in found.changes.items():
        lines.append(f"\n{visible(named_hosts(list(its.hosts)))}\n")
        of = "; ".join(f"{what}: {' to '.join(names)}" for what, names in _whose(found, change))
        lines.append(f"  {of}; {_when(change)}\n")
        rows = [
            (each.setting, each.old or NOT_WRITTEN, "->", each.new or NOT_WRITTEN, _why(its, each))
            for each in change.settings
        ]
        lines.append(table(rows, width, indent=4))
        lines += [f"  not undone: {each}\n" for each in change.stays]
        for risk in change.hazards:
            reason = f"; reason: {waiver_reason(risk)}" if waiver_reason(risk) else ""
            lines.append(paragraph(f"hazard {risk.hazard} {hazard(risk)}: {risk.what}{reason}", width))
        lines += [paragraph(f"waiver for {each.name} {waiver(each)}", width) for each in change.waivers]
    return visible_lines("".join(lines))


def _headline(found: FleetDifference) -> str:
    risks = f"hazards or waivers change on {number_of_hosts(found.reviewed)}" if found.reviewed else ""
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
        yield f"{number_of_hosts(left_out.number)} without a plan{before}: {left_out.says_why}"


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


def _gained_and_lost(found: FleetDifference) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What became of hosts that get a plan or lose theirs, in words, and these hosts."""
    for its, verb, verb_of_many, end in (
        (found.gained, "gets a", "get a", ""),
        (found.lost, "has no", "have no", " any more"),
    ):
        for policy, hosts in its.items():
            of = f" of policy {policy}" if found.has_several else ""
            yield f"{verb if len(hosts) == 1 else verb_of_many} plan{of}{end}", hosts


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
        "lost": _hosts(found.lost.values()),
        "changes": [_change_json(change, its) for change, its in found.changes.items()],
        "made_with": made_with_json(*found.made_with),
    }
    return json_text(json.loads(json.dumps(data)))


def _hosts(lists: Iterable[tuple[str, ...]]) -> list[str]:
    return sorted({host for hosts in lists for host in hosts})


def _change_json(change: Change, its: ChangedHosts) -> dict[str, Any]:
    settings = {
        each.setting: {
            "old": each.old or None,
            "new": each.new or None,
            "restart": each.restart,
            "because": its.reasons[each.setting],
        }
        for each in change.settings
    }
    return {
        "policies": change.policies,
        "groups": change.groups,
        "restart": change.restart,
        "settings": settings,
        "not_undone": change.stays,
        "hazards": [hazard_json(each) for each in change.hazards],
        "waivers": [waiver_json(each) for each in change.waivers],
        "hosts": its.hosts,
    }


# ---------------------------------------------------------------------------------------- Markdown


def difference_markdown(found: FleetDifference, left_out: Unplanned, width: int) -> str:
    """The difference as a comment, short enough for a forge."""
    text = f"**Setpoint:** {escape(_headline(found))}\n"
    if made := upgrade(*found.made_with):
        text += f"\nChanged as well: {prose(made)}.\n"
    items = [f"{_named(hosts)}: {escape(what)}" for what, hosts in _gained_and_lost(found)]
    items += map(prose, _sides(found, left_out))
    if items:
        text += "\n" + "".join(f"- {item}\n" for item in items)
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
    return text


def _change_markdown(found: FleetDifference, change: Change, its: ChangedHosts) -> str:
    hosts = its.hosts
    whose = [f"{what} {' to '.join(map(code, names))}" for what, names in _whose(found, change)]
    when = f"**{_when(change)}**" if change.restart else _when(change)
    text = f"### {_named(hosts)}\n\n{'; '.join(whose)}; {when}\n"
    if change.settings:
        text += "\n" + head("Setting", "Before", "After", "Takes effect", "Why")
        text += "".join(_row(each, _why(its, each)) for each in change.settings)
    items = [f"- **Not undone:** {prose(each)}\n" for each in change.stays]
    items += [*map(hazard_item, change.hazards), *map(waiver_item, change.waivers)]
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
        "after a restart" if each.restart else "immediately",
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
