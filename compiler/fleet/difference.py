"""The effect of a change to policies on the hosts of an inventory: which change and how, which need a restart, and what cannot be undone.

Hosts that change alike are one entry, whatever their classes are called before and after, in whatever groups they are, and whatever reason
each has: the reasons are listed beside the values. What distinguishes these hosts from others of the fleet is beside them. Compared is what reaches servers, as for one policy. A hazard or a waiver that comes, goes or has other terms is
a change that no server notices, and that a reviewer has to see; on hosts where a waiver has no effect, it is none, if it has one on others.

A host can have plans of several policies. Plans of policies with the same name are compared; of what is left, a plan before with a
plan after, since the host has then passed from one policy to another.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import TypeVar

from setpoint.compiler.comparison.earlier import not_set_back
from setpoint.compiler.comparison.hazards import hazard_changes, waiver_changes
from setpoint.compiler.comparison.settings import setting_changes
from setpoint.compiler.comparison.triggers import with_knowledge, with_sets
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.fleet.classes import HostClass, HostKinds, is_for_others
from setpoint.compiler.fleet.outcomes import FleetOrigin, FleetOutcome, PlannedFleet
from setpoint.compiler.fleet.tables import restarts
from setpoint.compiler.inventory.hosts import LeftOut
from setpoint.compiler.plan.difference import FactChange, HazardChange, SettingChange, WaiverChange
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.plan.model import Decision, Plan, Reference
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.render.difference_settings import because, cited, setting_value


@distinct
class ChangedSetting(NamedTuple):
    """A setting of which another value is written than before; "" if none is. `stays` says whether servers keep the earlier value."""

    setting: str
    old: str
    new: str
    restart: bool
    stays: bool


@distinct
class Change(NamedTuple):
    """What changes on some hosts. `stays` has the sentences about what cannot be set back.

    `policies` are those of the hosts before and after, one if they are the same; `groups` the group before and after, if it changes. `facts` are those that the policy or the
    inventory states otherwise. Without `settings`, only hazards or waivers change. What waivers cover is not here, but in `ChangedHosts`.
    """

    policies: tuple[str, ...]
    groups: tuple[str, ...]
    facts: tuple[FactChange, ...]
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
    """The hosts of a change, sorted by name, and their groups after it; for each of its settings the different reasons for the value after it,
    and where nothing is written on a side, the different values that servers have there, in words; for each of its waivers the different
    warnings that it covers, as sentences.
    """

    hosts: tuple[str, ...]
    groups: tuple[str, ...]
    reasons: Mapping[str, tuple[str, ...]]
    unwritten: Mapping[str, tuple[str, ...]]
    covered: Mapping[str, tuple[str, ...]]


@distinct
class GainedPlan(NamedTuple):
    """A plan of hosts that had none: how many values it writes, and which hazards and waivers come with it. `is_new` says whether the
    hosts were not in the inventory before.
    """

    policy: str
    group: str
    is_new: bool
    values: int
    restart: bool
    hazards: tuple[HazardChange, ...]
    waivers: tuple[WaiverChange, ...]


@distinct
class LostPlan(NamedTuple):
    """The policy of a plan that hosts have no more; `is_gone` says whether the inventory does not have them any more."""

    policy: str
    is_gone: bool


@distinct
class FleetDifference(NamedTuple):
    """The hosts of each change, of each plan that some get or lose, and the number of those that stay the same.

    `planned` are the numbers of hosts with a plan on each side, `kinds` what distinguishes hosts. `has_several` says whether hosts are planned by several policies on a
    side, `sources` are what the changed values cite, `made_with` what the plans of both sides are made with. `is_of_intents` says whether the
    sides are two intents, of which neither is rolled out.
    """

    changes: Mapping[Change, ChangedHosts]
    gained: Mapping[GainedPlan, tuple[str, ...]]
    lost: Mapping[LostPlan, tuple[str, ...]]
    same: int
    planned: tuple[int, int]
    has_several: bool
    sources: tuple[Reference, ...] = ()
    made_with: tuple[MadeWith | None, MadeWith | None] = (None, None)
    kinds: HostKinds = HostKinds({}, {})
    is_of_intents: bool = False

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
        changed = (its.hosts for change, its in self.changes.items() if change.restart)
        return _number([*changed, *(hosts for plan, hosts in self.gained.items() if plan.restart)])

    @property
    def without(self) -> int:
        """The number of hosts of the inventory that have a plan no more."""
        return _number(hosts for plan, hosts in self.lost.items() if not plan.is_gone)

    @property
    def new(self) -> int:
        """The number of hosts that the inventory did not have, and that have a plan now."""
        return _number(hosts for plan, hosts in self.gained.items() if plan.is_new)

    @property
    def gets(self) -> int:
        """The number of hosts that were in the inventory already, and get a plan."""
        return _number(hosts for plan, hosts in self.gained.items() if not plan.is_new)

    @property
    def gone(self) -> int:
        """The number of hosts with a plan that the inventory does not have any more."""
        return _number(hosts for plan, hosts in self.lost.items() if plan.is_gone)

    @property
    def hosts(self) -> int:
        """The number of hosts that have a plan on one side or on both."""
        lists = (*(its.hosts for its in self.changes.values()), *self.gained.values(), *self.lost.values())
        return self.same + _number(lists)


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


@distinct
class FleetSide(NamedTuple):
    """One side: the fleet of each policy, by its name, the hosts of its inventory, with a plan or without, and of each policy the waivers
    that have an effect on some of its hosts.
    """

    fleets: Mapping[str, PlannedFleet]
    outcomes: Mapping[HostPlace, FleetOutcome]
    hosts: Collection[str]
    standing: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, fleets: Mapping[str, PlannedFleet], hosts: Collection[str]) -> "FleetSide":
        """The side of these fleets."""
        outcomes = {
            HostPlace(policy, each): outcome
            for policy, fleet in fleets.items()
            for outcome in fleet.outcomes
            for each in outcome.classes
        }
        standing = {
            policy: frozenset(
                waiver.name for outcome in fleet.outcomes for waiver in outcome.plan.waivers if waiver.stands
            )
            for policy, fleet in fleets.items()
        }
        return cls(fleets, outcomes, hosts, standing)

    def judged(self, place: HostPlace) -> Judged:
        """The plan of a place, without waivers that have no effect there but have one on other hosts of the policy."""
        judged = self.outcomes[place].judged
        elsewhere = self.standing[place.policy]
        waivers = tuple(w for w in judged.plan.waivers if w.stands or w.name not in elsewhere)
        if len(waivers) == len(judged.plan.waivers):
            return judged
        return judged._replace(plan=judged.plan._replace(waivers=waivers))

    def places(self) -> dict[str, Places]:
        """Where each host with a plan is. Hosts of one class share the places, since they can be many."""
        found: dict[str, Places] = {}
        for place in self.outcomes:
            shared: dict[Places, Places] = {}
            for host in self.fleets[place.policy].members[place.of]:
                had = found.get(host, ())
                found[host] = shared.setdefault(had, (*had, place))
        return found

    def origin(self, place: HostPlace) -> FleetOrigin | None:
        """What the plan of a place was made from; None for one that was made earlier."""
        return self.fleets[place.policy].origin


def difference(
    old: Mapping[str, PlannedFleet],
    new: Mapping[str, PlannedFleet],
    is_rolled_out: bool = True,
    hosts: tuple[Collection[str], Collection[str]] = ((), ()),
) -> FleetDifference:
    """Compare the plans of each host. Both sides have the fleet of each policy, by the policy's name, and the `hosts` of their
    inventories, with a plan or without. If the old side is not rolled out, nothing of it is left on a server.
    """
    sides = tuple(FleetSide.of(*its) for its in zip((old, new), hosts, strict=True))
    return _FleetComparison(sides[0], sides[1], is_rolled_out).difference()


class _FleetComparison:
    """The changes so far: the hosts of each, and the different reasons for each of its settings."""

    def __init__(self, old: FleetSide, new: FleetSide, is_rolled_out: bool) -> None:
        self._old, self._new, self._is_rolled_out = old, new, is_rolled_out
        self._hosts: dict[Change, list[str]] = {}
        self._reasons: dict[Change, dict[str, set[str]]] = {}
        self._covered: dict[Change, dict[str, set[str]]] = {}
        self._unwritten: dict[Change, dict[str, set[str]]] = {}
        self._groups: dict[Change, set[str]] = {}
        self._sources: dict[str, Reference] = {}
        self._gained: dict[GainedPlan, list[str]] = {}
        self._lost: dict[LostPlan, list[str]] = {}

    def difference(self) -> FleetDifference:
        before, after = self._old.places(), self._new.places()
        planned = len(before), len(after)
        kinds = HostKinds.among({host: places[0].of.facts for host, places in {**before, **after}.items()})
        alike: dict[tuple[Places, Places], list[str]] = {}
        for host, places in after.items():
            alike.setdefault((before.pop(host, ()), places), []).append(host)
        for host, places in before.items():
            alike.setdefault((places, ()), []).append(host)
        same = sum(len(hosts) for sides, hosts in alike.items() if not self._add(sides, hosts))
        return FleetDifference(
            self._changes(),
            _sorted(self._gained),
            _sorted(self._lost),
            same,
            planned,
            max(len(self._old.fleets), len(self._new.fleets)) > 1,
            tuple(source for _, source in sorted(self._sources.items())),
            kinds=kinds,
            is_of_intents=not self._is_rolled_out,
        )

    def _add(self, sides: tuple[Places, Places], hosts: list[str]) -> bool:
        """Add hosts that pass from some places to others; whether anything of that is a change."""
        is_changed = False
        for first, second in _pairs(*sides):
            if first is None:
                assert second is not None
                self._gain(second, hosts)
            elif second is None:
                for host in hosts:
                    is_gone = bool(self._new.hosts) and host not in self._new.hosts
                    self._lost.setdefault(LostPlan(first.policy, is_gone), []).append(host)
            elif not self._change((first, second), hosts):
                continue
            is_changed = True
        return is_changed

    def _gain(self, place: HostPlace, hosts: Iterable[str]) -> None:
        outcome, judged = self._new.outcomes[place], self._new.judged(place)
        hazards, waivers = hazard_changes({}, judged.hazards), waiver_changes(None, judged)
        values, restart = len(outcome.plan.written), restarts(outcome)
        for host in hosts:
            is_new = bool(self._old.hosts) and host not in self._old.hosts
            gained = GainedPlan(place.policy, place.of.group, is_new, values, restart, hazards, waivers)
            self._gained.setdefault(gained, []).append(host)

    def _change(self, places: tuple[HostPlace, HostPlace], hosts: Iterable[str]) -> bool:
        """Add what is written otherwise, and what becomes of hazards and waivers; False if nothing changes."""
        old, new = (side.judged(place) for side, place in zip((self._old, self._new), places, strict=True))
        facts = _facts(places, old.plan, new.plan)
        changes = self._with_causes(_settings(old.plan, new.plan), places, facts)
        hazards, waivers = hazard_changes(old.hazards, new.hazards), waiver_changes(old, new)
        if not (changes or hazards or waivers):
            return False
        stays = self._stays(changes, new.plan)
        groups = places[0].of.group, places[1].of.group
        change = Change(
            tuple(dict.fromkeys(place.policy for place in places)),
            groups if groups[0] != groups[1] else (),
            facts,
            tuple(_changed(each, each.setting in stays) for each in changes),
            tuple(stays.values()),
            hazards,
            tuple(_without_what(each) for each in waivers),
        )
        self._hosts.setdefault(change, []).extend(hosts)
        self._groups.setdefault(change, set()).add(groups[1])
        reasons, unwritten, covered = (
            its.setdefault(change, {}) for its in (self._reasons, self._unwritten, self._covered)
        )
        for each in changes:
            reasons.setdefault(each.setting, set()).add(because(each))
            side = each.new if _written(each.old) else each.old
            unwritten.setdefault(each.setting, set()).add(_left(side))
        for waiver in waivers:
            terms = waiver.new or waiver.old
            covered.setdefault(waiver.name, set()).update(filter(None, [terms.what if terms else ""]))
        named = {name for each in changes for name in cited(each)}
        self._sources |= {
            each.name: each for plan in (old.plan, new.plan) for each in plan.sources if each.name in named
        }
        return True

    def _with_causes(
        self,
        changes: Iterable[SettingChange],
        places: tuple[HostPlace, HostPlace],
        facts: tuple[FactChange, ...],
    ) -> list[SettingChange]:
        """The changes with their causes: the knowledge, if the same is stated of a host; else its `set`s."""
        first, second = places
        old, new = self._old.origin(first), self._new.origin(second)
        is_stated_alike = not facts and old and new and old.statements(first.of) == new.statements(second.of)
        if is_stated_alike and old and new and old.knowledge is not new.knowledge:
            return [with_knowledge(each, old.knowledge, new.knowledge) for each in changes]
        return [with_sets(each) for each in changes]

    def _stays(self, changes: Iterable[SettingChange], plan: Plan) -> dict[str, str]:
        """What of a change servers keep, and why."""
        wrote = {each.setting: each.old.layer for each in changes if each.old and each.kind == "stops"}
        if not self._is_rolled_out:
            return {}
        return {
            name: finding.message
            for name, layer in wrote.items()
            for finding in not_set_back(plan, {name: layer})
        }

    def _changes(self) -> dict[Change, ChangedHosts]:
        """The changes: those of values first, each with most hosts first."""
        names = sorted(self._hosts, key=lambda each: (not each.settings, -len(self._hosts[each]), each))
        return {
            change: ChangedHosts(
                tuple(sorted(self._hosts[change])),
                tuple(sorted(self._groups[change])),
                {name: tuple(sorted(its)) for name, its in self._reasons[change].items()},
                {name: tuple(sorted(its)) for name, its in self._unwritten[change].items()},
                {name: tuple(sorted(its)) for name, its in self._covered[change].items()},
            )
            for change in names
        }


def _settings(old: Plan, new: Plan) -> tuple[SettingChange, ...]:
    """The settings of which servers notice a change, by name."""
    before, after = ({decision.setting: decision for decision in plan.settings} for plan in (old, new))
    return tuple(
        sorted((c for c in setting_changes(before, after) if c.acts), key=lambda change: change.setting)
    )


def _changed(change: SettingChange, stays: bool) -> ChangedSetting:
    """A change as values that are written, or that a profile has."""
    old, new = (_written(side) for side in (change.old, change.new))
    restart = change.either.reboot and (bool(new) or change.either.layer == "boot") and not stays
    return ChangedSetting(change.setting, old, new, restart, stays)


def _written(decision: Decision | None) -> str:
    """The value that is written, or that a profile has; "" for none."""
    if decision and (decision.written or decision.is_performed or decision.is_set_by_profile):
        return decision.value
    return ""


def _left(decision: Decision | None) -> str:
    """What servers have where nothing is written, in words; "" if no source says so."""
    if decision is None or (decision.unwritten == "default" and not decision.default):
        return ""
    return setting_value(decision)


def _without_what(change: WaiverChange) -> WaiverChange:
    """A change of a waiver without what it covers, which is another thing on other hosts."""
    old, new = (terms and terms._replace(what="") for terms in (change.old, change.new))
    return change._replace(old=old, new=new)


def _facts(places: tuple[HostPlace, HostPlace], old: Plan, new: Plan) -> tuple[FactChange, ...]:
    """The facts that a policy or the inventory states otherwise."""
    before, after = (
        {fact.name: fact.text for fact in plan.facts if fact.role == "intent" and fact.origin == "stated"}
        | dict(place.of.facts)
        for plan, place in zip((old, new), places, strict=True)
    )
    return tuple(
        FactChange(name, before.get(name, ""), after.get(name, ""), "stated" if name in after else "", "")
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    )


PlanOfHosts = TypeVar("PlanOfHosts", GainedPlan, LostPlan)
"""A plan that hosts get or lose."""


def _sorted(hosts: dict[PlanOfHosts, list[str]]) -> dict[PlanOfHosts, tuple[str, ...]]:
    return {each: tuple(sorted(its)) for each, its in sorted(hosts.items())}


def _pairs(old: Places, new: Places) -> Iterator[tuple[HostPlace | None, HostPlace | None]]:
    """The places that are compared with each other."""
    before, after = ({place.policy: place for place in places} for places in (old, new))
    for policy in sorted(before.keys() & after.keys()):
        yield before.pop(policy), after.pop(policy)
    yield from zip_longest(before.values(), after.values())


@distinct
class WhyLeftOut(NamedTuple):
    """Why hosts have no plan: an error, and how many of them had a plan before. Without hosts it is about a whole file of policies.
    The notes and the help of the error are those of the first hosts; others can have others.
    """

    error: Diagnostic
    hosts: tuple[str, ...]
    had_one: int


def why_left_out(
    found: FleetDifference,
    new: Mapping[str, PlannedFleet],
    rows: Iterable[LeftOut],
    failed: Iterable[Diagnostic],
) -> tuple[WhyLeftOut, ...]:
    """Why hosts of the new side have no plan: files that cannot be read first, then what takes the plan of most. Hosts that another
    policy plans have one. That a policy is for other hosts is no reason beside the error of one that is for them.
    """
    lost = {host for plan, hosts in found.lost.items() if not plan.is_gone for host in hosts}
    planned = {host for fleet in new.values() for host in fleet.planned_hosts()} - lost
    excluded = [each for fleet in new.values() for each in fleet.excluded]
    in_error = {host for each in excluded if not is_for_others(each.why) for host in each.hosts}
    hosts: dict[Diagnostic, set[str]] = {}
    in_full: dict[Diagnostic, Diagnostic] = {}
    for each in excluded:
        explained = planned | in_error if is_for_others(each.why) else planned
        for error in each.why:
            short = error._replace(notes=(), help=(), fixes=())
            in_full.setdefault(short, error)
            its = hosts.setdefault(short, set())
            its.update(host for host in each.hosts if host not in explained)
    for row in rows:
        hosts.setdefault(Diagnostic("E0704", row.why, NOWHERE), set()).add(row.name or f"line {row.line}")
    of_hosts = [
        WhyLeftOut(in_full.get(error, error), tuple(sorted(its)), len(its & lost))
        for error, its in hosts.items()
        if its
    ]
    return (
        *(WhyLeftOut(error, (), 0) for error in failed),
        *sorted(of_hosts, key=lambda each: (-each.had_one, -len(each.hosts), each.error.message)),
    )
