"""`setpoint diff --inventory`: what a change does to the hosts that there are, for all policies of both sides."""

import os
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import AbstractContextManager

from setpoint.compiler.binding.levels import Candidate
from setpoint.compiler.cli import DIFFERENCE, IN_ERROR, OK
from setpoint.compiler.cli.arguments import Options, Parser
from setpoint.compiler.cli.common import page_width, show, together
from setpoint.compiler.cli.inventory import HostsOfRun, final_policies
from setpoint.compiler.cli.sides import missing_on_both, renamed, revisions_named
from setpoint.compiler.comparison.revisions import Placed, ReadablePath, at, opened
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.fleet.classes import classes
from setpoint.compiler.fleet.difference import difference
from setpoint.compiler.fleet.difference_forms import FORMATS
from setpoint.compiler.fleet.outcomes import PlannedFleet, plan_fleet
from setpoint.compiler.fleet.registries import without_registry
from setpoint.compiler.language.program import Program
from setpoint.compiler.lowering.bundle import MANIFEST
from setpoint.compiler.pipeline import Selection
from setpoint.compiler.policies.check import gather, states_anything
from setpoint.compiler.policies.knowledge import KnowledgeOfRun
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.record import NamedTuple, distinct


@distinct
class Policies(NamedTuple):
    """The policies of a side, each with its program, by file and name; and the errors of files that cannot be read."""

    found: Mapping[tuple[str, str], tuple[Program, Candidate]]
    failed: tuple[SetpointError, ...] = ()


@distinct
class FleetsOfSide(NamedTuple):
    """The fleet of each policy of a side; and why no registry fits some hosts, with their number."""

    fleets: Mapping[str, PlannedFleet]
    unfitted: Mapping[str, int]


def on_inventory(options: Options, options_parser: Parser, today: str) -> int:
    """Compare what two versions of policies do to the hosts of an inventory; exit 3 if a host changes, 1 if a policy is in error."""
    if options.current or options.new_registry:
        options_parser.error(
            "--inventory: not together with --current or --new-registry, which are about one server"
        )
    placed = revisions_named(options.old, options.new)
    old, new = (_policies(side, options_parser) for side in _sides(options, options_parser, placed))
    if placed and old is None and new is None:
        raise missing_on_both(*placed)
    old, new = old or Policies({}), new or Policies({})
    for side in (new, *(() if placed else (old,))):
        if side.failed and not side.found:
            raise together(side.failed)
    several = _in_several_files(old, new)
    planner = _FleetPlanner(options, Selection(today=today))
    before, after = (planner.plan(side, several) for side in (old, new))
    failed = together(new.failed)
    show((*failed.diagnostics, *without_registry(after.unfitted)), failed.sources)
    found = difference(before.fleets, after.fleets)
    left_out = planner.rows - _number_planned(after.fleets)
    sys.stdout.write(FORMATS[options.format](found, left_out, page_width()))
    if not found.is_empty:
        return DIFFERENCE
    return IN_ERROR if new.failed else OK


def _sides(
    options: Options, options_parser: Parser, placed: tuple[Placed, Placed] | None
) -> tuple[AbstractContextManager[ReadablePath | None], ...]:
    """Both sides, to be opened one after the other."""
    if placed:
        return tuple(opened(each, options.root) for each in placed)
    if options.new is None:
        options_parser.error("name two sides, or two revisions as OLD..NEW")
    return at(options.old, options.root), at(options.new, options.root)


def _policies(side: AbstractContextManager[ReadablePath | None], options_parser: Parser) -> Policies | None:
    """The policies of a side, without those that others extend; None for a path that does not exist."""
    with side as there:
        if there is None:
            return None
        if there.path.endswith(".json") or os.path.lexists(os.path.join(there.path, MANIFEST)):
            options_parser.error(
                f"--inventory: {there.called} is a bundle, which has its plans already; name policies"
            )
        gathered = gather(rooted_files([there.path], there.root))
        folder = there.path if os.path.isdir(there.path) else os.path.dirname(there.path)
        failed = [renamed(error, there.path, there.called) for error in gathered.failed.values()]
        found = {}
        for file, program in gathered.programs.items():
            if not states_anything(program.body):
                continue
            try:
                for candidate in final_policies(program, ""):
                    found[os.path.relpath(file, folder or "."), candidate.name] = program, candidate
            except SetpointError as error:
                error.sources = dict(program.sources)
                failed.append(renamed(error, there.path, there.called))
    return Policies(found, tuple(failed))


def _in_several_files(*sides: Policies) -> set[str]:
    """The names of policies that several files of a side have."""
    return {
        name
        for side in sides
        for name, number in Counter(name for _, name in side.found).items()
        if number > 1
    }


class _FleetPlanner:
    """Plans the policies of both sides."""

    def __init__(self, options: Options, selection: Selection) -> None:
        self._selection = selection
        self._knowledge = KnowledgeOfRun()
        self._hosts = HostsOfRun(options)
        self.rows = 0
        """The number of rows of the inventory."""

    def plan(self, side: Policies, several: set[str]) -> FleetsOfSide:
        """The fleets of a side. Policies that several files have are called by file and name."""
        fleets: dict[str, PlannedFleet] = {}
        unfitted: dict[str, int] = {}
        for (file, name), (program, candidate) in side.found.items():
            knowledge, registries, census, title = self._hosts.of(self._knowledge.of(program))
            self.rows = len(census.hosts) + len(census.left_out)
            its = classes(census, candidate, knowledge, title, registries)
            called = f"{os.path.splitext(file)[0]}/{name}" if name in several else name
            fleets[called] = plan_fleet(
                program, knowledge, candidate, its, self._selection, registries=registries
            )
            for why, number in its.unfitted.items():
                unfitted[why] = max(unfitted.get(why, 0), number)
        return FleetsOfSide(fleets, unfitted)


def _number_planned(fleets: Mapping[str, PlannedFleet]) -> int:
    """The number of hosts with a plan."""
    if len(fleets) == 1:
        (fleet,) = fleets.values()
        return fleet.hosts
    return len({host for fleet in fleets.values() for host in fleet.planned_hosts()})
