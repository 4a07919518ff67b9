"""The difference of a fleet as text for a terminal, as JSON, and as Markdown for a comment on a pull request.

The comment has the number of hosts first, then each change with its hosts, as a table. A long list of hosts is folded, and what does
not fit into a comment is counted.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from setpoint.compiler.fleet.difference import Change, ChangedSetting, FleetDifference
from setpoint.compiler.fleet.summary import MOST_NAMED, named_hosts, number_of_hosts, some
from setpoint.compiler.render.difference_markdown import MOST
from setpoint.compiler.render.escape import code, escape, head, prose, row
from setpoint.compiler.render.table import table
from setpoint.compiler.render.visible import json_text, visible, visible_lines

SCHEMA = "setpoint.fleet-diff/1"

NOT_WRITTEN = "not written"

NO_GROUP = "no group"

MOST_LISTED = 500
"""How many hosts of one change a comment lists; a terminal has the first of them, and JSON all."""

WHY_NOT = "`setpoint check --inventory` says why"


def difference_text(found: FleetDifference, left_out: int, width: int) -> str:
    """The difference for a terminal; `left_out` is the number of hosts without a plan after it."""
    lines = [f"{_headline(found)}\n"]
    lines += [f"{visible(named_hosts(list(hosts)))}: {what}\n" for what, hosts in _gained_and_lost(found)]
    if left_out:
        lines.append(f"{number_of_hosts(left_out)} without a plan: {WHY_NOT}\n")
    for change, hosts in found.changes.items():
        lines.append(f"\n{visible(named_hosts(list(hosts)))}\n")
        of = "; ".join(f"{what}: {' to '.join(names)}" for what, names in _whose(found, change))
        lines.append(f"  {of}; {'needs a restart' if change.restart else 'takes effect immediately'}\n")
        rows = [
            (each.setting, each.old or NOT_WRITTEN, "->", each.new or NOT_WRITTEN) for each in change.settings
        ]
        lines.append(table(rows, width, indent=4))
        lines += [f"  not undone: {each}\n" for each in change.stays]
    return visible_lines("".join(lines))


def _headline(found: FleetDifference) -> str:
    if not found.is_empty:
        one, waiting = found.changed == 1, found.restarts
        return (
            f"{number_of_hosts(found.changed)} of {found.changed + found.same:,} change{'s' * one}; "
            f"{waiting:,} need{'s' * (waiting == 1)} a restart"
        )
    if not found.same:
        return "No change: no host has a plan."
    return f"No change: all {number_of_hosts(found.same)} have the same plan."


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


def difference_json(found: FleetDifference, left_out: int, width: int) -> str:
    """The difference for programs."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "hosts": {
            "changed": found.changed,
            "same": found.same,
            "restart": found.restarts,
            "without_plan": left_out,
        },
        "gained": _hosts(found.gained.values()),
        "lost": _hosts(found.lost.values()),
        "changes": [_change_json(change, hosts) for change, hosts in found.changes.items()],
    }
    return json_text(json.loads(json.dumps(data)))


def _hosts(lists: Iterable[tuple[str, ...]]) -> list[str]:
    return sorted({host for hosts in lists for host in hosts})


def _change_json(change: Change, hosts: Iterable[str]) -> dict[str, Any]:
    settings = {
        each.setting: {"old": each.old or None, "new": each.new or None, "restart": each.restart}
        for each in change.settings
    }
    return {
        "policies": change.policies,
        "groups": change.groups,
        "restart": change.restart,
        "settings": settings,
        "not_undone": change.stays,
        "hosts": tuple(hosts),
    }


# ---------------------------------------------------------------------------------------- Markdown


def difference_markdown(found: FleetDifference, left_out: int, width: int) -> str:
    """The difference as a comment, short enough for a forge."""
    text = f"**Setpoint:** {escape(_headline(found))}\n"
    items = [f"{_named(hosts)}: {escape(what)}" for what, hosts in _gained_and_lost(found)]
    if left_out:
        items.append(f"{escape(number_of_hosts(left_out))} without a plan: {prose(WHY_NOT)}")
    if items:
        text += "\n" + "".join(f"- {item}\n" for item in items)
    left: list[tuple[str, ...]] = []
    for change, hosts in found.changes.items():
        part = f"\n{_change_markdown(found, change, hosts)}"
        if len(text) + len(part) > MOST:
            left.append(hosts)
        else:
            text += part
    if left:
        number = number_of_hosts(len(_hosts(left)))
        text += f"\nToo long to show here: the changes of {escape(number)}. `setpoint diff` shows them.\n"
    return text


def _change_markdown(found: FleetDifference, change: Change, hosts: tuple[str, ...]) -> str:
    whose = [f"{what} {' to '.join(map(code, names))}" for what, names in _whose(found, change)]
    text = f"### {_named(hosts)}\n\n{'; '.join(whose)}; {'**needs a restart**' if change.restart else 'takes effect immediately'}\n\n"
    text += head("Setting", "Before", "After", "Takes effect") + "".join(map(_row, change.settings))
    if change.stays:
        text += "\n" + "".join(f"- **Not undone:** {prose(each)}\n" for each in change.stays)
    if len(hosts) > MOST_NAMED:
        listed = ", ".join(map(code, hosts[:MOST_LISTED]))
        more = len(hosts) - MOST_LISTED
        text += f"\n<details><summary>All {escape(number_of_hosts(len(hosts)))}</summary>\n\n{listed}"
        text += f" and {more:,} more.\n\n</details>\n" if more > 0 else "\n\n</details>\n"
    return text


def _row(each: ChangedSetting) -> str:
    return row(
        code(each.setting),
        escape(each.old or NOT_WRITTEN),
        f"**{escape(each.new or NOT_WRITTEN)}**",
        "after a restart" if each.restart else "immediately",
    )


def _named(hosts: tuple[str, ...]) -> str:
    """How many hosts, and the first of them, as Markdown."""
    return f"{escape(number_of_hosts(len(hosts)))}: {some(hosts, code)}"


FORMATS: dict[str, Callable[[FleetDifference, int, int], str]] = {
    "json": difference_json,
    "markdown": difference_markdown,
    "text": difference_text,
}
"""The forms of a difference, by name: each takes it, the number of hosts without a plan, and the width of a page."""
