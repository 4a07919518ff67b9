"""The effect of a change to policies on the hosts of an inventory: which change and how, which need a restart, and what cannot be undone.

Hosts that change alike are one entry, whatever their classes are called before and after, in whatever groups they are, and whatever reason
each has: the reasons are listed beside the values. What distinguishes these hosts from others of the fleet is beside them. Compared is what reaches servers, as for one policy. A hazard or a waiver that comes, goes or has other terms is
a change that no server notices, and that a reviewer has to see; on hosts where a waiver has no effect, it is none, if it has one on others.

"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from setpoint.compiler.comparison.earlier import not_set_back
from setpoint.compiler.comparison.hazards import hazard_changes, waiver_changes
from setpoint.compiler.comparison.settings import setting_changes
from setpoint.compiler.comparison.triggers import with_knowledge, with_sets
from setpoint.compiler.fleet.classes import HostKinds
from setpoint.compiler.fleet.outcomes import PlannedFleet
from setpoint.compiler.fleet.reasons import EACH_ITS_OWN, ReasonOfHost, reasons_about, told
from setpoint.compiler.fleet.side import FleetSide, HostPlace, Places, Rewaived, pairs
from setpoint.compiler.fleet.tables import restarts
from setpoint.compiler.plan.difference import FactChange, HazardChange, SettingChange, WaiverChange
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
    warnings that it covers, as sentences. `own` has the reason of each host for a setting or a waiver of which each has its own.
    """

    hosts: tuple[str, ...]
    groups: tuple[str, ...]
    reasons: Mapping[str, tuple[str, ...]]
    unwritten: Mapping[str, tuple[str, ...]]
    covered: Mapping[str, tuple[str, ...]]
    own: Mapping[str, ReasonOfHost]


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


class _HostsOfChange:
    """The hosts of a change so far, and what differs between them."""

    def __init__(self) -> None:
        self.hosts: list[str] = []
        self._groups: set[str] = set()
        self._reasons: dict[str, set[str]] = defaultdict(set)
        self._unwritten: dict[str, set[str]] = defaultdict(set)
        self._covered: dict[str, set[str]] = defaultdict(set)
        self._own: dict[str, dict[str, str]] = defaultdict(dict)

    def add(self, hosts: Iterable[str], group: str) -> None:
        """Add hosts of a group."""
        self.hosts.extend(hosts)
        self._groups.add(group)

    def add_details(self, changes: Iterable[SettingChange], waivers: Iterable[WaiverChange]) -> None:
        """Add the reasons of the settings of hosts, what these have where nothing is written, and what their waivers cover."""
        for each in changes:
            self._reasons[each.setting].add(because(each))
            self._unwritten[each.setting].add(_left(each.new if _written(each.old) else each.old))
        for waiver in waivers:
            terms = waiver.new or waiver.old
            self._covered[waiver.name].update(filter(None, [terms.what if terms else ""]))

    def add_own(self, names: Iterable[str], plan: Plan, hosts: Collection[str]) -> None:
        """Add the own reasons of hosts for settings, hazards and waivers."""
        for name in names if plan.own_reasons else ():
            self._own[name].update(reasons_about(plan, name, set(hosts)))

    def changed(self) -> ChangedHosts:
        """All of it, sorted."""
        reasons = {
            name: {told(reason, self._own.get(name, {})) for reason in its}
            for name, its in self._reasons.items()
        }
        return ChangedHosts(
            tuple(sorted(self.hosts)),
            tuple(sorted(self._groups)),
            _each_sorted(reasons),
            _each_sorted(self._unwritten),
            _each_sorted(self._covered),
            {name: its for name, its in self._own.items() if its},
        )


def _each_sorted(texts: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(sorted(its)) for name, its in texts.items()}


class _FleetComparison:
    """The changes so far, with their hosts."""

    def __init__(self, old: FleetSide, new: FleetSide, is_rolled_out: bool) -> None:
        self._old, self._new, self._is_rolled_out = old, new, is_rolled_out
        self._found: dict[Change, _HostsOfChange] = defaultdict(_HostsOfChange)
        self._has_own = any(each.plan.own_reasons for side in (old, new) for each in side.outcomes.values())
        self._sources: dict[str, Reference] = {}
        self._gained: dict[GainedPlan, list[str]] = {}
        self._lost: dict[LostPlan, list[str]] = {}

    def difference(self) -> FleetDifference:
        before, after = self._old.places(), self._new.places()
        planned = len(before), len(after)
        kinds = HostKinds.among({host: places[0].of.facts for host, places in {**before, **after}.items()})
        alike: dict[tuple[Places, Places, Rewaived], list[str]] = {}
        for host, places in after.items():
            was = before.pop(host, ())
            anew = self._rewaived(host, was, places) if self._has_own else ()
            alike.setdefault((was, places, anew), []).append(host)
        for host, places in before.items():
            alike.setdefault((places, (), ()), []).append(host)
        same = sum(
            len(hosts) for (was, is_, anew), hosts in alike.items() if not self._add((was, is_), anew, hosts)
        )
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

    def _rewaived(self, host: str, old: Places, new: Places) -> Rewaived:
        """The waivers of which hosts have own reasons: that of this one before and after, if it changes."""
        found = []
        for first, second in pairs(old, new):
            was = self._old.waived(first, host) if first and second else {}
            is_ = self._new.waived(second, host) if first and second else {}
            for name in sorted(was.keys() & is_.keys()):
                (before, is_own), (after, is_own_now) = was[name], is_[name]
                if is_own or is_own_now:
                    alike = EACH_ITS_OWN, EACH_ITS_OWN
                    found.append((name, *(alike if before == after else (before, after))))
        return tuple(found)

    def _add(self, sides: tuple[Places, Places], anew: Rewaived, hosts: list[str]) -> bool:
        """Add hosts that pass from some places to others; whether anything of that is a change."""
        is_changed = False
        for first, second in pairs(*sides):
            if first is None:
                assert second is not None
                self._gain(second, hosts)
            elif second is None:
                for host in hosts:
                    is_gone = bool(self._new.hosts) and host not in self._new.hosts
                    self._lost.setdefault(LostPlan(first.policy, is_gone), []).append(host)
            elif not self._change((first, second), anew, hosts):
                continue
            is_changed = True
        return is_changed

    def _gain(self, place: HostPlace, hosts: Iterable[str]) -> None:
        outcome = self._new.outcomes[place]
        its = set(hosts)
        reasons = {
            w.name: told(w.because, reasons_about(outcome.plan, w.name, its)) for w in outcome.plan.waivers
        }
        judged = self._new.judged(place, reasons)
        hazards, waivers = hazard_changes({}, judged.hazards), waiver_changes(None, judged)
        values, restart = len(outcome.plan.written), restarts(outcome)
        for host in hosts:
            is_new = bool(self._old.hosts) and host not in self._old.hosts
            gained = GainedPlan(place.policy, place.of.group, is_new, values, restart, hazards, waivers)
            self._gained.setdefault(gained, []).append(host)

    def _change(self, places: tuple[HostPlace, HostPlace], anew: Rewaived, hosts: Collection[str]) -> bool:
        """Add what is written otherwise, and what becomes of hazards and waivers; False if nothing changes."""
        old = self._old.judged(places[0], {name: was for name, was, _ in anew})
        new = self._new.judged(places[1], {name: is_ for name, _, is_ in anew})
        facts = _facts(places, old.plan, new.plan)
        settings = (_with_reasons_told(each, old.plan, hosts) for each in _settings(old.plan, new.plan))
        changes = self._with_causes(settings, places, facts)
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
        its = self._found[change]
        its.add(hosts, groups[1])
        its.add_details(changes, waivers)
        of_waivers = (*(each.hazard for each in hazards), *(each.name for each in waivers))
        its.add_own((*(each.setting for each in changes), *of_waivers), new.plan, hosts)
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
        ordered = sorted(
            self._found, key=lambda each: (not each.settings, -len(self._found[each].hosts), each)
        )
        return {change: self._found[change].changed() for change in ordered}


def _settings(old: Plan, new: Plan) -> tuple[SettingChange, ...]:
    """The settings of which servers notice a change, by name."""
    before, after = ({decision.setting: decision for decision in plan.settings} for plan in (old, new))
    return tuple(
        sorted((c for c in setting_changes(before, after) if c.acts), key=lambda change: change.setting)
    )


def _with_reasons_told(change: SettingChange, plan: Plan, hosts: Collection[str]) -> SettingChange:
    """A change with the own reasons of hosts for the earlier value in words."""
    if change.old is None or not plan.own_reasons:
        return change
    cause = change.old.cause
    because = told(cause.because, reasons_about(plan, change.setting, set(hosts)))
    return change._replace(
        old=change.old._replace(because=(cause._replace(because=because), *change.old.because[1:]))
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
