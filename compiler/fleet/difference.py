"""The effect of a policy change on the hosts of an inventory: which change and how, which need a restart, and what cannot be undone.

Hosts that change alike are one entry, whatever their classes are called before and after. Compared is what is written, or set by a
profile that is: any other setting keeps its value on a server, unless a profile of the running system had it.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from setpoint.compiler.comparison.earlier import not_set_back
from setpoint.compiler.fleet.classes import HostClass
from setpoint.compiler.fleet.outcomes import Outcome, PlannedFleet
from setpoint.compiler.fleet.summary import named_hosts, number_of_hosts
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.render.table import table
from setpoint.compiler.render.visible import json_text, visible, visible_lines

SCHEMA = "setpoint.fleet-diff/1"

NOT_WRITTEN = "not written"

LOCKED = "locked"
"""Why a setting is not written that a written profile sets."""


@distinct
class ChangedSetting(NamedTuple):
    """A setting of which another value is written than before; "" if none is."""

    setting: str
    old: str
    new: str
    restart: bool


@distinct
class Change(NamedTuple):
    """What changes on some hosts. `stays` has the sentences about what cannot be set back."""

    groups: tuple[str, ...]
    settings: tuple[ChangedSetting, ...]
    stays: tuple[str, ...]

    @property
    def restart(self) -> bool:
        """Whether it takes a restart."""
        return any(each.restart for each in self.settings)


@distinct
class FleetDifference(NamedTuple):
    """The hosts of each change, those that get a plan or lose theirs, and the number of those that stay the same."""

    changes: Mapping[Change, tuple[str, ...]]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    same: int

    @property
    def is_empty(self) -> bool:
        """Whether no host changes."""
        return not (self.changes or self.gained or self.lost)

    @property
    def changed(self) -> int:
        """The number of hosts that change."""
        return sum(map(len, self.changes.values()))

    @property
    def restarts(self) -> int:
        """The number of hosts that need a restart."""
        return sum(len(hosts) for change, hosts in self.changes.items() if change.restart)


def difference(old: PlannedFleet, new: PlannedFleet) -> FleetDifference:
    """Compare the plans of each host."""
    before, after = _outcomes(old), _outcomes(new)
    class_of = {host: each for each in before for host in old.members[each]}
    pairs: dict[tuple[HostClass | None, HostClass], list[str]] = {}
    for each in after:
        for host in new.members[each]:
            pairs.setdefault((class_of.pop(host, None), each), []).append(host)
    changes: dict[Change, list[str]] = {}
    gained: list[str] = []
    same = 0
    for (first, second), hosts in pairs.items():
        if first is None:
            gained += hosts
        elif (change := _change(before[first], after[second])) is None:
            same += len(hosts)
        else:
            changes.setdefault(change, []).extend(hosts)
    ordered = sorted(changes.items(), key=lambda each: (-len(each[1]), each[0]))
    return FleetDifference(
        {change: tuple(sorted(hosts)) for change, hosts in ordered},
        tuple(sorted(gained)),
        tuple(sorted(class_of)),
        same,
    )


def _outcomes(fleet: PlannedFleet) -> dict[HostClass, Outcome]:
    return {each: outcome for outcome in fleet.outcomes for each in outcome.classes}


def _change(old: Outcome, new: Outcome) -> Change | None:
    """What is written otherwise; None if nothing is."""
    before, after = (
        {d.setting: d for d in each.plan.settings if d.written or d.is_performed or d.unwritten == LOCKED}
        for each in (old, new)
    )
    changed = []
    for name in sorted(before.keys() | after.keys()):
        first, second = before.get(name), after.get(name)
        was, will_be = (each.value if each else "" for each in (first, second))
        if was != will_be:
            decision = second or before[name]
            restart = decision.reboot and (second is not None or decision.layer == "boot")
            changed.append(ChangedSetting(name, was, will_be, restart))
    if not changed:
        return None
    wrote = {name: decision.layer for name, decision in before.items() if name not in after}
    stays = tuple(each.message for each in not_set_back(new.plan, wrote))
    return Change(tuple(dict.fromkeys((old.group, new.group))), tuple(changed), stays)


# -------------------------------------------------------------------------------------------- text


def difference_text(found: FleetDifference, left_out: int, width: int) -> str:
    """The difference for a terminal."""
    if found.is_empty:
        return f"No change: all {number_of_hosts(found.same)} have the same plan.\n{_left_out(left_out)}"
    lines = [
        f"{number_of_hosts(found.changed)} of {found.changed + found.same:,} change; {found.restarts:,} need a restart\n"
    ]
    for text, hosts in (("get a plan", found.gained), ("have no plan any more", found.lost)):
        if hosts:
            lines.append(f"{visible(named_hosts(list(hosts)))}: {text}\n")
    lines.append(_left_out(left_out))
    for change, hosts in found.changes.items():
        groups = " to ".join(each or "no group" for each in change.groups)
        lines.append(f"\n{visible(named_hosts(list(hosts)))}\n")
        lines.append(
            f"  group: {groups}; {'needs a restart' if change.restart else 'takes effect immediately'}\n"
        )
        rows = [
            (each.setting, each.old or NOT_WRITTEN, "->", each.new or NOT_WRITTEN) for each in change.settings
        ]
        lines.append(table(rows, width, indent=4))
        lines += [f"  not undone: {each}\n" for each in change.stays]
    return visible_lines("".join(lines))


def _left_out(number: int) -> str:
    return (
        f"{number_of_hosts(number)} without a plan: `setpoint check --inventory` says why\n" if number else ""
    )


def difference_json(found: FleetDifference, left_out: int) -> str:
    """The difference for programs."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "hosts": {
            "changed": found.changed,
            "same": found.same,
            "restart": found.restarts,
            "without_plan": left_out,
        },
        "gained": found.gained,
        "lost": found.lost,
        "changes": [_change_json(change, hosts) for change, hosts in found.changes.items()],
    }
    return json_text(json.loads(json.dumps(data)))


def _change_json(change: Change, hosts: Iterable[str]) -> dict[str, Any]:
    settings = {
        each.setting: {"old": each.old or None, "new": each.new or None, "restart": each.restart}
        for each in change.settings
    }
    return {
        "groups": change.groups,
        "restart": change.restart,
        "settings": settings,
        "not_undone": change.stays,
        "hosts": tuple(hosts),
    }
