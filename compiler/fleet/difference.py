"""The effect of a change to policies on the hosts of an inventory: what changes on which hosts, and what cannot be
undone there.

Both sides have plans, and each plan has hosts. Hosts that pass from one plan to another are compared at once, as two
versions of one policy are (`comparison.differences`), so a difference of a fleet is one of policies, with hosts.
Compared is what reaches servers. A hazard or a waiver that comes, goes or has other terms is a change that no server
notices, and that a reviewer has to see; on hosts where a waiver has no effect, it is none, if it has one on others. A
host can have plans of several policies: those of policies with one name are compared, and of what is left, a plan
before with a plan after, since the host has then passed from one policy to another. Which differences say the same is
decided where they are shown (`render.difference_groups`).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import zip_longest

from setpoint.compiler.comparison.differences import plans_compared
from setpoint.compiler.comparison.earlier import not_set_back
from setpoint.compiler.comparison.entries import PlannedPolicy
from setpoint.compiler.comparison.settings import setting_changes
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.fleet.classes import HostClass, is_for_others
from setpoint.compiler.fleet.outcomes import FleetOutcome, PlannedFleet
from setpoint.compiler.fleet.reasons import reasons_about
from setpoint.compiler.inventory.names import LeftOut
from setpoint.compiler.plan.difference import (
    ChangedHosts,
    ComparedHosts,
    Comparison,
    FactChange,
    HostKinds,
    PolicyDifference,
    SettingChange,
    WhyLeftOut,
)
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import Plan, Reference
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.difference_settings import written_value
from setpoint.compiler.render.hosts import EACH_ITS_OWN, ReasonOfHost, told

ALL_REASONS = "`setpoint check --inventory` has all reasons"


def difference(
    old: Mapping[str, PlannedFleet],
    new: Mapping[str, PlannedFleet],
    is_rolled_out: bool = True,
    hosts: tuple[Collection[str], Collection[str]] = ((), ()),
) -> Comparison:
    """Compare the plans of each host. Both sides have the fleet of each policy, by the policy's name, and the `hosts`
    of their inventories, with a plan or without. If the old side is not rolled out, nothing of it is left on a server.
    """
    sides = tuple(_FleetSide.of(*side) for side in zip((old, new), hosts, strict=True))
    return _FleetComparison(sides[0], sides[1], is_rolled_out).comparison()


def with_unplanned(
    comparison: Comparison,
    without: tuple[int, int],
    new: Mapping[str, PlannedFleet],
    rows: Iterable[LeftOut],
    failed: Iterable[Diagnostic] = (),
    says_why: str = ALL_REASONS,
) -> Comparison:
    """A comparison with the numbers of hosts `without` a plan on each side, why the new side has some, and where all
    reasons are: of its fleets, of the rows of its inventory that are no hosts, and of files that cannot be read.
    """
    assert comparison.hosts is not None
    reasons = _why_left_out(comparison, new, rows, failed)
    return comparison._replace(
        hosts=comparison.hosts._replace(without=without, reasons=reasons, says_why=says_why)
    )


class _HostPlace(NamedTuple):
    """Where a host is on one side: its policy, and its class there."""

    policy: str
    of: HostClass


Places = tuple[_HostPlace, ...]

Rewaived = tuple[tuple[str, str, str], ...]
"""The waivers of a host that have reasons of hosts, each with the reason before and after, or with the sentence that
stands for them if it is the same."""


class _FleetSide(NamedTuple):
    """One side: the fleet of each policy, by its name, the hosts of its inventory, with a plan or without, and of each
    policy the waivers that have an effect on some of its hosts.
    """

    fleets: Mapping[str, PlannedFleet]
    outcomes: Mapping[_HostPlace, FleetOutcome]
    hosts: Collection[str]
    standing: Mapping[str, frozenset[str]]
    own: dict[tuple[_HostPlace, str], ReasonOfHost]

    @classmethod
    def of(cls, fleets: Mapping[str, PlannedFleet], hosts: Collection[str]) -> "_FleetSide":
        """The side of these fleets."""
        outcomes = {
            _HostPlace(policy, class_): outcome
            for policy, fleet in fleets.items()
            for outcome in fleet.outcomes
            for class_ in outcome.classes
        }
        standing = {
            policy: frozenset(
                waiver.name for outcome in fleet.outcomes for waiver in outcome.plan.waivers if waiver.stands
            )
            for policy, fleet in fleets.items()
        }
        return cls(fleets, outcomes, hosts, standing, {})

    def judged(self, place: _HostPlace, reasons: Mapping[str, str]) -> Judged:
        """The plan of a place, without waivers that have no effect there but have one on other hosts of the policy, and
        with the `reasons` that hosts have for waivers.
        """
        judged = self.outcomes[place].judged
        elsewhere = self.standing[place.policy]
        waivers = tuple(
            w._replace(because=reasons.get(w.name, w.because))
            for w in judged.plan.waivers
            if w.stands or w.name not in elsewhere
        )
        if waivers == judged.plan.waivers:
            return judged
        return judged._replace(plan=judged.plan._replace(waivers=waivers))

    def waived(self, place: _HostPlace, host: str) -> dict[str, tuple[str, bool]]:
        """The reasons of a host for the waivers of its plan, and whether they are its own."""
        reasons = {}
        for waiver in self.outcomes[place].plan.waivers:
            own = self._own(place, waiver.name).get(host)
            reasons[waiver.name] = own or waiver.because, own is not None
        return reasons

    def _own(self, place: _HostPlace, waiver: str) -> ReasonOfHost:
        key = place, waiver
        if key not in self.own:
            self.own[key] = reasons_about(self.outcomes[place].plan, waiver)
        return self.own[key]

    def places(self) -> dict[str, Places]:
        """Where each host with a plan is. Hosts of one class share the places, since they can be many."""
        places: dict[str, Places] = {}
        for place in self.outcomes:
            shared: dict[Places, Places] = {}
            for host in self.fleets[place.policy].members[place.of]:
                had = places.get(host, ())
                places[host] = shared.setdefault(had, (*had, place))
        return places

    def planned(self, place: _HostPlace, reasons: Mapping[str, str], with_origin: bool) -> PlannedPolicy:
        """The plan of a place for a comparison, judged as by `judged`; `with_origin` adds its inputs, if known."""
        origin = self.fleets[place.policy].origin
        inputs = origin.inputs(place.of) if origin and with_origin else None
        return PlannedPolicy(place.policy, self.judged(place, reasons), origin=inputs)


def _pairs(old: Places, new: Places) -> Iterator[tuple[_HostPlace | None, _HostPlace | None]]:
    """The places that are compared with each other."""
    before, after = ({place.policy: place for place in places} for places in (old, new))
    for policy in sorted(before.keys() & after.keys()):
        yield before.pop(policy), after.pop(policy)
    yield from zip_longest(before.values(), after.values())


# ------------------------------------------------------------------------------------ the comparison


class _FleetComparison:
    """Compares two sides, class by class."""

    def __init__(self, old: _FleetSide, new: _FleetSide, is_rolled_out: bool) -> None:
        self._old, self._new, self._is_rolled_out = old, new, is_rolled_out
        self._has_own = any(
            outcome.plan.own_reasons for side in (old, new) for outcome in side.outcomes.values()
        )
        self._sources: dict[str, Reference] = {}

    def comparison(self) -> Comparison:
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
        differences: list[PolicyDifference] = []
        same = 0
        for (old, new, anew), hosts in alike.items():
            changes = [*self._differences((old, new), anew, tuple(sorted(hosts)))]
            differences += changes
            same += 0 if changes else len(hosts)
        policies = len({*self._old.fleets, *self._new.fleets})
        has_several = max(len(self._old.fleets), len(self._new.fleets)) > 1
        compared = ComparedHosts(same, planned, kinds, has_several, not self._is_rolled_out)
        sources = tuple(source for _, source in sorted(self._sources.items()))
        return Comparison(policies, tuple(differences), sources, hosts=compared)

    def _rewaived(self, host: str, old: Places, new: Places) -> Rewaived:
        """The waivers of which hosts have own reasons: that of this one before and after, if it changes."""
        waivers = []
        for first, second in _pairs(old, new):
            was = self._old.waived(first, host) if first and second else {}
            is_ = self._new.waived(second, host) if first and second else {}
            for name in sorted(was.keys() & is_.keys()):
                (before, is_own), (after, is_own_now) = was[name], is_[name]
                if is_own or is_own_now:
                    alike = EACH_ITS_OWN, EACH_ITS_OWN
                    waivers.append((name, *(alike if before == after else (before, after))))
        return tuple(waivers)

    def _differences(
        self, sides: tuple[Places, Places], anew: Rewaived, hosts: tuple[str, ...]
    ) -> Iterator[PolicyDifference]:
        """What changes on hosts that pass from some places to others."""
        for first, second in _pairs(*sides):
            if first and second:
                yield from self._changed((first, second), anew, hosts)
            elif second:
                yield from self._gained(second, hosts)
            elif first:
                for of_inventory, part in _divided(hosts, self._new.hosts):
                    changed = ChangedHosts(part, (first.of.group, ""), of_inventory)
                    yield PolicyDifference(first.policy, "removed", hosts=changed)

    def _gained(self, place: _HostPlace, hosts: tuple[str, ...]) -> Iterator[PolicyDifference]:
        """A plan of hosts that had none."""
        new = self._new.planned(place, {}, with_origin=False)
        settings = setting_changes({}, new.settings)
        of_policy = plans_compared(place.policy, "", None, new, (), settings)
        own = self._new.outcomes[place].plan.own_reasons
        for of_inventory, part in _divided(hosts, self._old.hosts):
            yield of_policy._replace(hosts=ChangedHosts(part, ("", place.of.group), of_inventory, own=own))

    def _changed(
        self, places: tuple[_HostPlace, _HostPlace], anew: Rewaived, hosts: tuple[str, ...]
    ) -> Iterator[PolicyDifference]:
        """What is written otherwise, and what becomes of hazards and waivers; nothing if these are the same."""
        first, second = places
        plans = self._old.outcomes[first].plan, self._new.outcomes[second].plan
        changes = _settings(*plans)
        stays = self._stays(changes, plans[1])
        with_origin = self._is_rolled_out and bool(changes)
        old = self._old.planned(first, {name: was for name, was, _ in anew}, with_origin)
        new = self._new.planned(second, {name: is_ for name, _, is_ in anew}, with_origin)
        settings = (_on_hosts(change, change.setting in stays) for change in changes)
        facts = _facts(places, *plans)
        former = first.policy if first.policy != second.policy else ""
        of_policy = plans_compared(second.policy, former, old, new, facts, tuple(settings))
        if not (of_policy.settings or of_policy.hazards or of_policy.waivers):
            return
        if not self._is_rolled_out:  # neither is a change of the other
            of_policy = of_policy._replace(
                settings=tuple(c._replace(triggers=()) for c in of_policy.settings)
            )
        if plans[0].own_reasons:
            of_policy = of_policy._replace(
                settings=tuple(_told(c, plans[0], hosts) for c in of_policy.settings)
            )
        self._sources |= {source.name: source for plan in plans for source in plan.sources}
        groups = first.of.group, second.of.group
        own = plans[1].own_reasons
        yield of_policy._replace(hosts=ChangedHosts(hosts, groups, False, tuple(stays.items()), own))

    def _stays(self, changes: Iterable[SettingChange], plan: Plan) -> dict[str, str]:
        """What of a change servers keep, and why."""
        wrote = {
            change.setting: change.old.layer for change in changes if change.old and change.kind == "stops"
        }
        if not self._is_rolled_out:
            return {}
        return {
            name: finding.message
            for name, layer in wrote.items()
            for finding in not_set_back(plan, {name: layer})
        }


def _divided(hosts: tuple[str, ...], others: Collection[str]) -> Iterator[tuple[bool, tuple[str, ...]]]:
    """The hosts that the other side's inventory does not have, and those that it has."""
    lacks = tuple(host for host in hosts if others and host not in others)
    has = hosts if not lacks else tuple(host for host in hosts if host in others)
    yield from ((of_inventory, part) for of_inventory, part in ((True, lacks), (False, has)) if part)


def _settings(old: Plan, new: Plan) -> tuple[SettingChange, ...]:
    """The settings of which servers notice a change, by name."""
    before, after = ({decision.setting: decision for decision in plan.settings} for plan in (old, new))
    return tuple(
        sorted((c for c in setting_changes(before, after) if c.acts), key=lambda change: change.setting)
    )


def _on_hosts(change: SettingChange, stays: bool) -> SettingChange:
    """A change on hosts: an unwritten boot argument is gone after a restart, and what `stays` needs none."""
    is_of_start = bool(written_value(change.new)) or change.either.layer == "boot"
    return change._replace(reboot=change.either.reboot and is_of_start and not stays)


def _told(change: SettingChange, before: Plan, hosts: Collection[str]) -> SettingChange:
    """A change with the own reasons that hosts had for the earlier value."""
    names = set(hosts)
    triggers = tuple(
        t._replace(because=told(t.because, reasons_about(before, t.name, names))) for t in change.triggers
    )
    old = change.old
    if old is not None:
        cause = old.cause
        because = told(cause.because, reasons_about(before, change.setting, names))
        old = old._replace(because=(cause._replace(because=because), *old.because[1:]))
    return change._replace(old=old, triggers=triggers)


def _facts(places: tuple[_HostPlace, _HostPlace], old: Plan, new: Plan) -> tuple[FactChange, ...]:
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


# ------------------------------------------------------------------------------ hosts without a plan


def _why_left_out(
    comparison: Comparison,
    new: Mapping[str, PlannedFleet],
    rows: Iterable[LeftOut],
    failed: Iterable[Diagnostic],
) -> tuple[WhyLeftOut, ...]:
    """Why hosts of the new side have no plan: files that cannot be read first, then what takes the plan of most. Hosts
    that another policy plans have one. That a policy is for other hosts is no reason beside the error of one that is
    for them.
    """
    removed = (of_policy.hosts for of_policy in comparison.differences if of_policy.status == "removed")
    lost = {host for changed in removed if changed and not changed.of_inventory for host in changed.names}
    planned = {host for fleet in new.values() for host in fleet.planned_hosts()} - lost
    excluded = [entry for fleet in new.values() for entry in fleet.excluded]
    in_error = {host for entry in excluded if not is_for_others(entry.why) for host in entry.hosts}
    hosts: dict[Diagnostic, set[str]] = {}
    in_full: dict[Diagnostic, Diagnostic] = {}
    for entry in excluded:
        explained = planned | in_error if is_for_others(entry.why) else planned
        for error in entry.why:
            short = error._replace(notes=(), help=(), fixes=())
            in_full.setdefault(short, error)
            names = hosts.setdefault(short, set())
            names.update(host for host in entry.hosts if host not in explained)
    for row in rows:
        hosts.setdefault(Diagnostic("E0704", row.why, NOWHERE), set()).add(row.name or f"line {row.line}")
    of_hosts = [
        WhyLeftOut(in_full.get(error, error), tuple(sorted(names)), len(names & lost))
        for error, names in hosts.items()
        if names
    ]
    return (
        *(WhyLeftOut(error, (), 0) for error in failed),
        *sorted(of_hosts, key=lambda reason: (-reason.had_one, -len(reason.hosts), reason.error.message)),
    )
