"""One side of a comparison of fleets: where each host is, and its plan there; and which places of two sides are compared.

A host can have plans of several policies. Plans of policies with the same name are compared; of what is left, a plan before with a
plan after, since the host has then passed from one policy to another.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import zip_longest

from setpoint.compiler.fleet.classes import HostClass
from setpoint.compiler.fleet.outcomes import FleetOrigin, FleetOutcome, PlannedFleet
from setpoint.compiler.fleet.reasons import ReasonOfHost, reasons_about
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.record import NamedTuple, distinct


@distinct
class HostPlace(NamedTuple):
    """Where a host is on one side: its policy, and its class there."""

    policy: str
    of: HostClass


Places = tuple[HostPlace, ...]

Rewaived = tuple[tuple[str, str, str], ...]
"""The waivers of a host that have reasons of hosts, each with the reason before and after, or with the sentence that stands for them if it is the same."""


@distinct
class FleetSide(NamedTuple):
    """One side: the fleet of each policy, by its name, the hosts of its inventory, with a plan or without, and of each policy the waivers
    that have an effect on some of its hosts.
    """

    fleets: Mapping[str, PlannedFleet]
    outcomes: Mapping[HostPlace, FleetOutcome]
    hosts: Collection[str]
    standing: Mapping[str, frozenset[str]]
    own: dict[tuple[HostPlace, str], ReasonOfHost]

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
        return cls(fleets, outcomes, hosts, standing, {})

    def judged(self, place: HostPlace, reasons: Mapping[str, str]) -> Judged:
        """The plan of a place, without waivers that have no effect there but have one on other hosts of the policy, and with the `reasons`
        that hosts have for waivers.
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

    def waived(self, place: HostPlace, host: str) -> dict[str, tuple[str, bool]]:
        """The reasons of a host for the waivers of its plan, and whether they are its own."""
        found = {}
        for each in self.outcomes[place].plan.waivers:
            own = self._own(place, each.name).get(host)
            found[each.name] = own or each.because, own is not None
        return found

    def _own(self, place: HostPlace, waiver: str) -> ReasonOfHost:
        key = place, waiver
        if key not in self.own:
            self.own[key] = reasons_about(self.outcomes[place].plan, waiver)
        return self.own[key]

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


def pairs(old: Places, new: Places) -> Iterator[tuple[HostPlace | None, HostPlace | None]]:
    """The places that are compared with each other."""
    before, after = ({place.policy: place for place in places} for places in (old, new))
    for policy in sorted(before.keys() & after.keys()):
        yield before.pop(policy), after.pop(policy)
    yield from zip_longest(before.values(), after.values())
