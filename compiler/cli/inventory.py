"""Shared by the verbs that take an inventory: its classes, and the plan of one of its hosts."""

from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from setpoint.compiler.binding.levels import Candidate, candidates
from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, SetpointError
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import Program
from setpoint.compiler.language.syntax import Policy
from setpoint.compiler.pipeline import Planned, Selection, knowledge_for
from setpoint.compiler.policies.knowledge import KnowledgeOfRun
from setpoint.compiler.record import NamedTuple

if TYPE_CHECKING:
    from setpoint.compiler.fleet.classes import Classes, HostClass
    from setpoint.compiler.fleet.outcomes import KnownPlans, PlannedFleet
    from setpoint.compiler.fleet.registries import Registries
    from setpoint.compiler.fleet.since import WroteToHosts
    from setpoint.compiler.inventory.hosts import Census

MOST_NAMED = 3
"""How many hosts a message names as examples."""


class HostsRead(NamedTuple):
    """The registries and hosts that the arguments name, for a knowledge base, and the facts in names of classes."""

    knowledge: Knowledge
    registries: "Registries"
    census: "Census"
    title: tuple[str, ...]

    def classes(self, candidate: Candidate) -> "Classes":
        """The hosts in classes for a policy."""
        from setpoint.compiler.fleet.classes import classes

        return classes(self.census, candidate, self.knowledge, self.title, self.registries)


def hosts_read(options: Options, knowledge: Knowledge, registry: str | Sequence[str]) -> HostsRead:
    """The named inventory, and registries by a path or several, none for "". Raises SetpointError as reading does."""
    from setpoint.compiler.fleet.registries import NO_REGISTRIES, read_registries
    from setpoint.compiler.inventory.hosts import census
    from setpoint.compiler.inventory.read import read_inventory
    from setpoint.compiler.inventory.table import table

    paths = (registry,) if isinstance(registry, str) else tuple(registry)
    registries = read_registries(paths, knowledge) if registry else NO_REGISTRIES
    places = table(knowledge, options.facts, bool(registries))
    rows = read_inventory(options.inventory, places, options.run_inventory)
    return HostsRead(knowledge, registries, census(rows, places, knowledge), places.title)


class DividedHosts(NamedTuple):
    """The hosts of an inventory, divided into classes for a policy of a program."""

    program: Program
    candidate: Candidate
    read: HostsRead
    classes: "Classes"

    def planned(self, class_: "HostClass", selection: Selection) -> Planned:
        """The plan of a class, as far as it can be made."""
        from setpoint.compiler.fleet.outcomes import plan_class

        return plan_class(self.read.knowledge, self.candidate, class_, selection, self.read.registries)

    def fleet(
        self,
        selection: Selection,
        wrote: "WroteToHosts" = MappingProxyType({}),
        known: "KnownPlans | None" = None,
    ) -> "PlannedFleet":
        """The plans of all classes, as `plan_fleet` makes them."""
        from setpoint.compiler.fleet.outcomes import plan_fleet

        knowledge, registries, _, _ = self.read
        return plan_fleet(
            self.program,
            knowledge,
            self.candidate,
            self.classes,
            selection,
            registries=registries,
            wrote=wrote,
            known=known,
        )


class HostsOfRun:
    """The hosts of a run that plans several policies. They are read once for each knowledge base."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._read: list[HostsRead] = []

    def of(self, knowledge: Knowledge) -> HostsRead:
        """The hosts for a knowledge base; those for the last two are kept. Raises SetpointError, as reading does."""
        for hosts in self._read:
            if hosts.knowledge is knowledge:
                return hosts
        hosts = hosts_read(self._options, knowledge, self._options.registry)
        self._read = [*self._read[-1:], hosts]
        return hosts

    @property
    def census(self) -> "Census":
        """The hosts as the last policies had them. Raises SetpointError if they have to be read for that."""
        return (self._read[-1] if self._read else self.of(standard())).census

    @property
    def rows(self) -> int:
        """The number of rows of the inventory, with those that are no hosts. Raises SetpointError, as `census` does."""
        return len(self.census.hosts) + len(self.census.left_out)

    def divided(
        self, policies: Iterable[tuple[Program, Candidate]], of_run: KnowledgeOfRun
    ) -> Iterator[DividedHosts]:
        """The hosts for each of these policies. Raises SetpointError, as reading does."""
        for program, candidate in policies:
            read = self.of(of_run.of(program))
            yield DividedHosts(program, candidate, read, read.classes(candidate))


class PlansOfHosts:
    """The plans of the hosts of an inventory, for several programs."""

    def __init__(self, options: Options, selection: Selection) -> None:
        self._selection = selection
        self._knowledge = KnowledgeOfRun()
        self._hosts = HostsOfRun(options)

    def divided(self, program: Program) -> Iterator[DividedHosts]:
        """The hosts for the selected policy, or for all that no other extends. Raises SetpointError."""
        policies = ((program, candidate) for candidate in final_policies(program, self._selection.policy))
        return self._hosts.divided(policies, self._knowledge)

    def of(self, program: Program) -> "tuple[Knowledge, dict[HostClass, tuple[Planned, Sequence[str]]]]":
        """The knowledge of a program, and the classes of its policies, each with its plan, if any, and its hosts.

        Raises SetpointError, as reading does.
        """
        planned = {
            host_class: (division.planned(host_class, self._selection), hosts)
            for division in self.divided(program)
            for host_class, hosts in division.classes.members.items()
        }
        return self._knowledge.of(program), planned

    def fleets(self, program: Program) -> "list[tuple[DividedHosts, PlannedFleet]]":
        """The fleet of each of these policies. Raises SetpointError, as reading does."""
        return [(division, division.fleet(self._selection)) for division in self.divided(program)]


def final_policies(program: Program, only: str) -> list[Candidate]:
    """The policies of a program that no other one extends, or the one of this name. Raises SetpointError (E0206)."""
    policies = candidates(program.body, program.stem, only)
    bases = {s.extends.text for s in program.body if isinstance(s, Policy) and s.extends is not None}
    return policies if only else [policy for policy in policies if policy.name not in bases]


def one_policy(program: Program, options: Options) -> Candidate:
    """The policy of a program, which is chosen by name if there are several."""
    final = final_policies(program, options.only)
    if len(final) != 1:
        options.error(f"choose a policy by --policy: {', '.join(policy.name for policy in final)}")
    return final[0]


def host_planned(program: Program, options: Options, selection: Selection) -> Planned:
    """The plan of the class of a host, for the server that is selected, or with its registry, if one is named.

    Raises SetpointError (E0206 for an unknown host, or why it has no plan).
    """
    from setpoint.compiler.fleet.registries import without_registry

    knowledge = knowledge_for(program)
    candidate = one_policy(program, options)
    read = hosts_read(options, knowledge, "" if selection.server else options.registry)
    host = _host(read.census, options.host)
    alone = read._replace(census=read.census._replace(hosts=read.census.hosts.only(host)))
    classes = alone.classes(candidate)
    if classes.excluded:
        raise SetpointError(*classes.excluded[0].why)
    (only,) = classes.members
    planned = DividedHosts(program, candidate, alone, classes).planned(only, selection)
    findings = Diagnostics.of((*planned.findings, *without_registry(classes.unfitted)))
    judged = planned.judged and planned.judged._replace(diagnostics=findings)
    return planned._replace(judged=judged, findings=findings)


def _host(census: "Census", name: str) -> str:
    """The host of an inventory with this name, in full or up to the first dot; in any case of letters."""
    if name in census.hosts:
        return name
    wanted = name.casefold()
    same = [host for host in census.hosts if wanted in (host.casefold(), host.casefold().partition(".")[0])]
    if len(same) == 1:
        return same[0]
    known = ", ".join(f"`{host}`" for host in (same or sorted(census.hosts))[:MOST_NAMED])
    why = "several hosts of the inventory are called" if same else "the inventory has no host"
    raise SetpointError.of("E0206", f"{why} `{name}`", help=(f"{'they are' if same else 'it has'} {known}",))


def of_their_hosts(
    planned: "Iterable[tuple[DividedHosts, PlannedFleet]]",
) -> "list[tuple[DividedHosts, PlannedFleet]]":
    """The fleets of a run, each without the hosts that only another policy is for, by its groups or facts."""
    pairs = list(planned)
    everywhere = {host for _, fleet in pairs for host in fleet.planned_hosts()} if len(pairs) > 1 else set()
    return [(hosts, fleet.without_foreign(everywhere)) for hosts, fleet in pairs]


def fleet_findings(
    planned: "Sequence[tuple[DividedHosts, PlannedFleet]]", options: Options
) -> Iterator[Diagnostic]:
    """The findings of the fleets of a run, each with the number of hosts that it is about."""
    from setpoint.compiler.fleet.classes import unused_blocks
    from setpoint.compiler.fleet.outcomes import needed_waivers, without_needed
    from setpoint.compiler.fleet.registries import without_registry
    from setpoint.compiler.fleet.summary import left_out_findings
    from setpoint.compiler.inventory.places import HostPlaces
    from setpoint.compiler.policies.findings import with_inventory
    from setpoint.compiler.render.hosts import number_of_hosts

    places = HostPlaces(options.inventory)
    needed = {
        span for _, fleet in planned for outcome in fleet.outcomes for span in needed_waivers(outcome.judged)
    }
    for division, fleet in planned:
        yield from without_registry(division.classes.unfitted)
        yield from left_out_findings(fleet.excluded, division.read.census.left_out, places)
        yield from unused_blocks(division.classes.unused)
        for finding, hosts in without_needed(fleet.warnings, needed).items():
            on_hosts = with_inventory(finding, options.inventory)
            yield on_hosts._replace(notes=(*finding.notes, number_of_hosts(hosts)))
