"""Hosts without a plan after a change: how many there were before, and why, what takes the plan of most hosts first."""

from collections.abc import Iterable, Mapping

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.fleet.classes import is_for_others
from setpoint.compiler.fleet.difference import FleetDifference
from setpoint.compiler.fleet.outcomes import PlannedFleet
from setpoint.compiler.inventory.names import LeftOut
from setpoint.compiler.record import NamedTuple, distinct

ALL_REASONS = "`setpoint check --inventory` has all reasons"


@distinct
class WhyLeftOut(NamedTuple):
    """Why hosts have no plan: an error, and how many of them had a plan before. Without hosts it is about a whole file of policies.
    The notes and the help of the error are those of the first hosts; others can have others.
    """

    error: Diagnostic
    hosts: tuple[str, ...]
    had_one: int


@distinct
class Unplanned(NamedTuple):
    """The numbers of hosts without a plan before and after a change, where all reasons are, and the reasons."""

    before: int
    number: int
    says_why: str
    reasons: tuple[WhyLeftOut, ...]


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
