"""The fleets of a side: policies planned for the hosts of an inventory, or a fleet's folder, which has hosts and plans
already."""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from types import MappingProxyType

from setpoint.compiler.binding.levels import Candidate
from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.cli.common import together
from setpoint.compiler.cli.inventory import HostsOfRun, final_policies
from setpoint.compiler.cli.sides import renamed, renamed_findings
from setpoint.compiler.comparison.earlier import matched
from setpoint.compiler.comparison.revisions import ReadablePath, at
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.fleet.classes import Excluded
from setpoint.compiler.fleet.folder import FleetFolder, read_fleet
from setpoint.compiler.fleet.outcomes import KnownPlans, PlannedFleet
from setpoint.compiler.fleet.since import WroteToHosts
from setpoint.compiler.inventory.names import LeftOut
from setpoint.compiler.knowledge.library import library_at
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import Program
from setpoint.compiler.lowering.bundle import MANIFEST, is_fleet
from setpoint.compiler.pipeline import Selection
from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.policies.check import gather
from setpoint.compiler.policies.knowledge import KnowledgeOfRun
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.record import NamedTuple


class Policies(NamedTuple):
    """The policies of a side with their programs, by file and name, and the errors of unreadable files.

    A side that is a fleet's folder has `folder` and no policies. Files were read at `path`, which the reader knows as
    `called`.
    """

    candidates: Mapping[tuple[str, str], tuple[Program, Candidate]]
    failed: tuple[SetpointError, ...] = ()
    folder: FleetFolder | None = None
    path: str = ""
    called: str = ""


class FleetsOfSide(NamedTuple):
    """The fleets of a side by policy.

    `unfitted` has the reasons for which no registry fits hosts, with the number of hosts. `left_out` is the number of
    hosts without a plan, `hosts` has the names of all hosts, and `rows` the rows of the inventory that are no hosts.
    """

    fleets: Mapping[str, PlannedFleet]
    unfitted: Mapping[str, int]
    left_out: int
    hosts: Collection[str]
    rows: tuple[LeftOut, ...] = ()

    @property
    def made_with(self) -> MadeWith | None:
        """What all its plans are made with, but for the sites' own knowledge; None without plans."""
        plans = (outcome.plan for fleet in self.fleets.values() for outcome in fleet.outcomes)
        first = next(plans, None)
        return first.made_with._replace(site="") if first and first.made_with else None


def policies_at(
    side: AbstractContextManager[ReadablePath | None], options: Options, today: str
) -> Policies | None:
    """The policies of a side, without those that others extend, or its fleet; None for a path that does not exist."""
    with side as there:
        if there is None:
            return None
        if is_fleet(there.path):
            try:
                return Policies({}, (), read_fleet(there.path, today))
            except SetpointError as error:
                raise renamed(error, there.path, there.called) from None
        if there.path.endswith(".json") or os.path.lexists(os.path.join(there.path, MANIFEST)):
            options.error(
                f"--inventory: {there.called} is a bundle, which has its plans already; name policies, or a fleet's folder"
            )
        if not options.inventory:
            options.error(f"{there.called} is no fleet's folder: name its hosts with --inventory")
        return _read(there)


def _read(there: ReadablePath) -> Policies:
    gathered = gather(rooted_files([there.path], there.root))
    folder = there.path if os.path.isdir(there.path) else os.path.dirname(there.path)
    failed = [renamed(error, there.path, there.called) for error in gathered.failed.values()]
    policies = {}
    for file, program in gathered.policies.items():
        try:
            for candidate in final_policies(program, ""):
                policies[os.path.relpath(file, folder or "."), candidate.name] = program, candidate
        except SetpointError as error:
            error.sources = dict(program.sources)
            failed.append(renamed(error, there.path, there.called))
    return Policies(policies, tuple(failed), path=there.path, called=there.called)


def in_several_files(*sides: Policies) -> set[str]:
    """The names of policies that several files of a side have."""
    return {
        name
        for side in sides
        for name, number in Counter(name for _, name in side.candidates).items()
        if number > 1
    }


class FleetPlanner:
    """Plans the policies of sides for the hosts of one inventory."""

    def __init__(self, options: Options, selection: Selection) -> None:
        self._selection = selection
        self._knowledge: dict[str, KnowledgeOfRun] = {}
        self._hosts = HostsOfRun(options)
        self._known: list[tuple[Knowledge, KnownPlans]] = []

    def plan(
        self,
        side: Policies,
        several: set[str],
        wrote: Mapping[str, WroteToHosts] = MappingProxyType({}),
        library: str = "",
        hosts: HostsOfRun | None = None,
    ) -> FleetsOfSide:
        """The fleets of a side with a library ("" for the installed one), for other hosts if any are given.

        Policies that `several` files have are called by file and name. What an earlier fleet of a policy `wrote` is set
        back.
        """
        if side.folder is not None:
            fleet = side.folder.fleet
            without = (host for excluded in fleet.excluded for host in excluded.hosts)
            hosts_of_folder = {*fleet.planned_hosts(), *without}
            return FleetsOfSide({fleet.policy: fleet}, {}, side.folder.left_out, hosts_of_folder)
        with library_at(library):
            of_run = self._knowledge.setdefault(library, KnowledgeOfRun(library))
            return self._plan(side, several, wrote, of_run, hosts or self._hosts)

    def _plan(
        self,
        side: Policies,
        several: set[str],
        wrote: Mapping[str, WroteToHosts],
        of_run: KnowledgeOfRun,
        hosts: HostsOfRun,
    ) -> FleetsOfSide:
        fleets: dict[str, PlannedFleet] = {}
        unfitted: dict[str, int] = {}
        divided = hosts.divided(side.candidates.values(), of_run)
        for (file, name), division in zip(side.candidates, divided, strict=True):
            called = f"{os.path.splitext(file)[0]}/{name}" if name in several else name
            fleet = division.fleet(
                self._selection, wrote.get(called, {}), self._known_with(division.read.knowledge)
            )
            fleets[called] = fleet._replace(
                excluded=tuple(_renamed(excluded, side) for excluded in fleet.excluded)
            )
            for why, number in division.classes.unfitted.items():
                unfitted[why] = max(unfitted.get(why, 0), number)
        left_out = hosts.rows - _number_planned(fleets.values())
        return FleetsOfSide(fleets, unfitted, left_out, hosts.census.hosts, hosts.census.left_out)

    def _known_with(self, knowledge: Knowledge) -> KnownPlans:
        """The plans that were made with a knowledge base; those with the last two are kept."""
        for base, known in self._known:
            if base is knowledge:
                return known
        plans: KnownPlans = {}
        self._known = [*self._known[-1:], (knowledge, plans)]
        return plans


def earlier(options: Options, policies: tuple[str, ...], today: str) -> Mapping[str, WroteToHosts]:
    """The settings that the side of `--since` wrote to hosts, by policy that existed; empty without the option."""
    if not options.since:
        return {}
    side = policies_at(at(options.since, options.root), options, today)
    assert side is not None  # a path that does not exist is an error
    if side.failed:
        raise together(side.failed)
    before = FleetPlanner(options, Selection(today=today)).plan(side, in_several_files(side))
    wrote = {name: fleet.wrote() for name, fleet in before.fleets.items()}
    settings = matched(policies, wrote)
    if not settings:
        known = ", ".join(sorted(before.fleets)) or "no policy"
        options.error(f"--since {options.since}: it has none of these policies, but {known}")
    return settings


def _renamed(excluded: Excluded, side: Policies) -> Excluded:
    """Hosts without a plan, with the reader's names for the files that say why."""
    return excluded._replace(why=renamed_findings(excluded.why, side.path, side.called))


def _number_planned(fleets: Iterable[PlannedFleet]) -> int:
    """The number of hosts with a plan."""
    counted = list(fleets)
    if len(counted) == 1:
        return counted[0].hosts
    return len({host for fleet in counted for host in fleet.planned_hosts()})
