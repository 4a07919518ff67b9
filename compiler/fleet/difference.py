"""The effect of a change to policies on the hosts of an inventory: which change and how, which need a restart, and what cannot be undone.

Hosts that change alike are one entry, whatever their classes are called before and after, and whatever reason each has: the reasons are
listed beside the values. Compared is what is written, or set by a profile that is: any other setting keeps its value on a server, unless
a profile of the running system had it. A hazard or a waiver that comes, goes or has other terms is a change that no server notices, and
that a reviewer has to see.

A host can have plans of several policies. Plans of policies with the same name are compared; of what is left, a plan before with a
plan after, since the host has then passed from one policy to another.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest

from setpoint.compiler.comparison.earlier import not_set_back
from setpoint.compiler.comparison.hazards import hazard_changes, waiver_changes
from setpoint.compiler.fleet.classes import HostClass
from setpoint.compiler.fleet.outcomes import FleetOutcome, PlannedFleet
from setpoint.compiler.plan.difference import HazardChange, WaiverChange
from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.render.difference_settings import why


@distinct
class ChangedSetting(NamedTuple):
    """A setting of which another value is written than before; "" if none is."""

    setting: str
    old: str
    new: str
    restart: bool


@distinct
class Change(NamedTuple):
    """What changes on some hosts. `stays` has the sentences about what cannot be set back.

    `policies` and `groups` are those of the hosts before and after; one if they are the same. Without `settings`, only hazards or
    waivers change.
    """

    policies: tuple[str, ...]
    groups: tuple[str, ...]
    settings: tuple[ChangedSetting, ...]
    stays: tuple[str, ...]
    hazards: tuple[HazardChange, ...]
    waivers: tuple[WaiverChange, ...]

    @property
    def restart(self) -> bool:
        """Whether it takes a restart."""
        return any(each.restart for each in self.settings)


@distinct
class ChangedHosts(NamedTuple):
    """The hosts of a change, sorted by name, and for each of its settings the different reasons for the value after it, as sentences."""

    hosts: tuple[str, ...]
    reasons: Mapping[str, tuple[str, ...]]


@distinct
class FleetDifference(NamedTuple):
    """The hosts of each change, those that get a plan or lose theirs, by policy, and the number of those that stay the same.

    `planned` are the numbers of hosts with a plan on each side. `has_several` says whether hosts are planned by several policies on a
    side, `made_with` what the plans of both sides are made with.
    """

    changes: Mapping[Change, ChangedHosts]
    gained: Mapping[str, tuple[str, ...]]
    lost: Mapping[str, tuple[str, ...]]
    same: int
    planned: tuple[int, int]
    has_several: bool
    made_with: tuple[MadeWith | None, MadeWith | None] = (None, None)

    @property
    def is_empty(self) -> bool:
        """Whether nothing changes, neither a value on a host nor a hazard or a waiver."""
        return not (self.changes or self.gained or self.lost)

    @property
    def changed(self) -> int:
        """The number of hosts on which a value changes."""
        return _number(its.hosts for change, its in self.changes.items() if change.settings)

    @property
    def reviewed(self) -> int:
        """The number of hosts with a hazard or a waiver that changes."""
        return _number(its.hosts for change, its in self.changes.items() if change.hazards or change.waivers)

    @property
    def restarts(self) -> int:
        """The number of hosts that need a restart."""
        return _number(its.hosts for change, its in self.changes.items() if change.restart)

    @property
    def hosts(self) -> int:
        """The number of hosts that have a plan on both sides."""
        return self.same + _number(its.hosts for its in self.changes.values())


def _number(lists: Iterable[tuple[str, ...]]) -> int:
    """The number of hosts in lists, which can have hosts in common."""
    each = list(lists)
    return len(each[0]) if len(each) == 1 else len({host for hosts in each for host in hosts})


@distinct
class HostPlace(NamedTuple):
    """Where a host is on one side: its policy, and its class there."""

    policy: str
    of: HostClass


Places = tuple[HostPlace, ...]


def difference(
    old: Mapping[str, PlannedFleet], new: Mapping[str, PlannedFleet], is_rolled_out: bool = True
) -> FleetDifference:
    """Compare the plans of each host. Both sides have the fleet of each policy, by the policy's name. If the old one is not rolled out,
    nothing of it is left on a server.
    """
    before, after = _places(old), _places(new)
    planned = len(before), len(after)
    outcomes = _outcomes(old), _outcomes(new)
    alike: dict[tuple[Places, Places], list[str]] = {}
    for host, places in after.items():
        alike.setdefault((before.pop(host, ()), places), []).append(host)
    for host, places in before.items():
        alike.setdefault((places, ()), []).append(host)
    changes = _FleetChanges()
    gained: dict[str, list[str]] = {}
    lost: dict[str, list[str]] = {}
    same = 0
    for sides, hosts in alike.items():
        is_same = True
        for first, second in _pairs(*sides):
            if first is None:
                assert second is not None
                gained.setdefault(second.policy, []).extend(hosts)
            elif second is None:
                lost.setdefault(first.policy, []).extend(hosts)
            elif found := _change((first, second), outcomes, is_rolled_out):
                changes.add(hosts, *found)
            else:
                continue
            is_same = False
        same += is_same * len(hosts)
    return FleetDifference(
        changes.ordered(),
        _sorted(gained),
        _sorted(lost),
        same,
        planned,
        max(len(old), len(new)) > 1,
    )


class _FleetChanges:
    """The changes so far: the hosts of each, and the different reasons for each of its settings."""

    def __init__(self) -> None:
        self._hosts: dict[Change, list[str]] = {}
        self._reasons: dict[Change, dict[str, set[str]]] = {}

    def add(self, hosts: Iterable[str], change: Change, decided: Mapping[str, Decision | None]) -> None:
        """Add hosts of a change, with what is decided for its settings after it."""
        self._hosts.setdefault(change, []).extend(hosts)
        reasons = self._reasons.setdefault(change, {})
        for name, decision in decided.items():
            reasons.setdefault(name, set()).add(why(decision))

    def ordered(self) -> dict[Change, ChangedHosts]:
        """The changes: those of values first, each with most hosts first."""
        names = sorted(self._hosts, key=lambda each: (not each.settings, -len(self._hosts[each]), each))
        return {
            change: ChangedHosts(
                tuple(sorted(self._hosts[change])),
                {name: tuple(sorted(its)) for name, its in self._reasons[change].items()},
            )
            for change in names
        }


def _sorted(hosts: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {policy: tuple(sorted(its)) for policy, its in sorted(hosts.items())}


def _places(fleets: Mapping[str, PlannedFleet]) -> dict[str, Places]:
    """Where each host is. Hosts of one class share the places, since they can be many."""
    found: dict[str, Places] = {}
    for place in _outcomes(fleets):
        shared: dict[Places, Places] = {}
        for host in fleets[place.policy].members[place.of]:
            had = found.get(host, ())
            found[host] = shared.setdefault(had, (*had, place))
    return found


def _outcomes(fleets: Mapping[str, PlannedFleet]) -> dict[HostPlace, FleetOutcome]:
    return {
        HostPlace(policy, each): outcome
        for policy, fleet in fleets.items()
        for outcome in fleet.outcomes
        for each in outcome.classes
    }


def _pairs(old: Places, new: Places) -> Iterator[tuple[HostPlace | None, HostPlace | None]]:
    """The places that are compared with each other."""
    before, after = ({place.policy: place for place in places} for places in (old, new))
    for policy in sorted(before.keys() & after.keys()):
        yield before.pop(policy), after.pop(policy)
    yield from zip_longest(before.values(), after.values())


def _change(
    places: tuple[HostPlace, HostPlace],
    outcomes: tuple[dict[HostPlace, FleetOutcome], dict[HostPlace, FleetOutcome]],
    is_rolled_out: bool,
) -> tuple[Change, dict[str, Decision | None]] | None:
    """What is written otherwise, what becomes of hazards and waivers, and the decisions after it; None if nothing changes."""
    old, new = (its[place].judged for place, its in zip(places, outcomes, strict=True))
    before, after = (
        {d.setting: d for d in judged.plan.settings if d.written or d.is_performed or d.is_set_by_profile}
        for judged in (old, new)
    )
    changed = []
    for name in sorted(before.keys() | after.keys()):
        first, second = before.get(name), after.get(name)
        was, will_be = (each.value if each else "" for each in (first, second))
        if was != will_be:
            decision = second or before[name]
            restart = decision.reboot and (second is not None or decision.layer == "boot")
            changed.append(ChangedSetting(name, was, will_be, restart))
    hazards, waivers = hazard_changes(old.hazards, new.hazards), waiver_changes(old, new)
    if not (changed or hazards or waivers):
        return None
    wrote = {name: d.layer for name, d in before.items() if is_rolled_out and d.written and name not in after}
    stays = tuple(each.message for each in not_set_back(new.plan, wrote))
    policies = tuple(dict.fromkeys(place.policy for place in places))
    groups = tuple(dict.fromkeys(place.of.group for place in places))
    decided = {decision.setting: decision for decision in new.plan.settings}
    return (
        Change(policies, groups, tuple(changed), stays, hazards, waivers),
        {each.setting: decided.get(each.setting) for each in changed},
    )
