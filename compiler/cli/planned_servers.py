"""Which plan a captured server is compared with: that of a policy, of a bundle, or of its host in a fleet's folder."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from setpoint.compiler.binding.levels import Subject, all_subjects
from setpoint.compiler.binding.stated import HostFacts
from setpoint.compiler.captures.carriers import NO_CAPTURE, NoCaptureError, captures_in
from setpoint.compiler.captures.join import joined
from setpoint.compiler.captures.model import Capture
from setpoint.compiler.captures.wanted import wanted
from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.cli.chosen import Chosen, ProgramKnowledge, chosen, sources_of, with_knowledge
from setpoint.compiler.cli.common import together
from setpoint.compiler.cli.inventory import final_policies
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.inventory.captures import host_data
from setpoint.compiler.inventory.hosts import FactsOfHosts
from setpoint.compiler.inventory.table import table
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.lowering.bundle import MANIFEST, is_fleet
from setpoint.compiler.pipeline import Selection, chosen_subjects, plan_subject
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.verification.identity import contradictions, reports
from setpoint.compiler.verification.questions import PlanQuestions, questions

if TYPE_CHECKING:
    from setpoint.compiler.fitting.server import Server

OTHER_SERVER = "E0624"
NO_PLAN = "E0627"
SEVERAL = "E0628"


class RefusedCapture(NamedTuple):
    """Why a capture is compared with no plan: a code, a sentence without the server's name, and the details."""

    code: str
    message: str
    notes: tuple[str, ...] = ()
    help: tuple[str, ...] = ()


class PlannedServers(NamedTuple):
    """The plans to compare captures with.

    `of_host` returns the plans of a host by its name in lower case. Other hosts have the plan of the one candidate that
    fits. `recognized` returns the facts of a capture, and `sources` has the texts of policies by name.
    """

    knowledge: Knowledge
    recognized: Callable[[Capture], HostFacts]
    candidates: tuple["PlansOfServers", ...]
    of_host: Callable[[str], "PlansOfServers | None"]
    is_fleet: bool = False
    sources: Mapping[str, str] = MappingProxyType({})

    def of(self, capture: Capture) -> PlanQuestions | RefusedCapture:
        """The plan for a captured server. Raises SetpointError if a policy has no plan, whatever the server is."""
        name = capture.name.casefold()
        own = self.of_host(name) or self.of_host(name.partition(".")[0])
        if own is None and self.is_fleet:
            help_ = ("plan the fleet again with an inventory that has it",)
            return RefusedCapture(NO_PLAN, "not a host of this fleet", help=help_)
        reported, facts = reports(capture), self.recognized(capture)
        plans = [candidate.of(capture, reported, facts) for candidate in ((own,) if own else self.candidates)]
        fitting = [plan for plan in plans if isinstance(plan, PlanQuestions)]
        if len(fitting) == 1:
            return fitting[0]
        if not fitting:
            refused = [plan for plan in plans if isinstance(plan, RefusedCapture)]
            # That it is another server says more of one policy than why another has no plan for it.
            return min(refused, key=lambda refusal: refusal.code == OTHER_SERVER and len(refused) > 1)
        names = ", ".join(plan.plan.policy for plan in fitting)
        help_ = ("name one of them with `--policy`, `--group` or `--host`",)
        return RefusedCapture(NO_PLAN, "several plans are for such a server", (names,), help_)


class PlansOfServers(Protocol):
    """What has a plan for a captured server, if it is one that it is for."""

    def of(
        self, capture: Capture, reported: Mapping[str, str], facts: HostFacts
    ) -> PlanQuestions | RefusedCapture:
        """The plan for a server that reports this and has these facts."""


class _MadePlan:
    """A plan that is there already."""

    def __init__(self, asked: PlanQuestions, knowledge: Knowledge) -> None:
        self._asked, self._knowledge = asked, knowledge

    def of(
        self, capture: Capture, reported: Mapping[str, str], facts: HostFacts
    ) -> PlanQuestions | RefusedCapture:
        """The plan, if the capture is of a server that it is for."""
        why = contradictions(self._asked.plan, reported, facts.facts, self._knowledge)
        return _other_server(why) if why else self._asked


class _PlannedSubject:
    """A policy, group or host, planned once for each class of servers, with the facts of captures.

    If it is `to_change`, a class is one server, whose registry and current values limit its plan as `--registry` and
    `--current` do.
    """

    def __init__(
        self, pair: ProgramKnowledge, selection: Selection, to_change: bool, subject: Subject
    ) -> None:
        self._program, self._knowledge = pair
        self._subject, self._selection, self._to_change = subject, selection, to_change
        self._made: dict[object, PlanQuestions | RefusedCapture] = {}

    def of(
        self, capture: Capture, reported: Mapping[str, str], facts: HostFacts
    ) -> PlanQuestions | RefusedCapture:
        """The plan for the class of a server. Raises SetpointError if the policy alone has none."""
        server = self._server(capture)
        key = *sorted(facts.facts.items()), *facts.members, *facts.products.items()
        asked = self._made.get(key) if server is None else None
        if asked is None:
            asked = self._planned(reported, facts, server)
            if server is None:
                self._made[key] = asked
        if isinstance(asked, RefusedCapture):
            return asked
        why = contradictions(asked.plan, reported, facts.facts, self._knowledge)
        return _other_server(why) if why else asked

    def _server(self, capture: Capture) -> "Server | None":
        if not self._to_change or capture.controller is None:
            return None
        from setpoint.compiler.fitting.server import captured_server  # only needed for a controller

        return captured_server(capture)

    def _planned(
        self, reported: Mapping[str, str], facts: HostFacts, server: "Server | None"
    ) -> PlanQuestions | RefusedCapture:
        selection = self._selection._replace(server=server)
        done = plan_subject(self._subject, self._knowledge, selection, facts)
        if done.plan is not None:
            return questions(done.plan, self._knowledge, self._to_change)
        stated = plan_subject(self._subject, self._knowledge, self._selection)
        if stated.plan is None and stated.findings.errors == done.findings.errors:
            error = SetpointError(*done.findings.errors)
            error.sources = dict(self._program.sources)
            raise error
        why = stated.plan and contradictions(stated.plan, reported, facts.facts, self._knowledge)
        if why:
            return _other_server(why)
        first = done.findings.errors[0]
        return RefusedCapture(first.code, first.message, first.notes, first.help)


def _other_server(why: tuple[str, ...]) -> RefusedCapture:
    help_ = ("compare it with the plan of its own policy, or state what the server is",)
    return RefusedCapture(OTHER_SERVER, "a capture of another server", why, help_)


def planned_servers(options: Options, selection: Selection, to_change: bool = False) -> PlannedServers:
    """The plans that the arguments name.

    If servers are `to_change`, everything is asked of them, and a policy is planned for each server with the registry
    and values of its controller. Raises SetpointError with the errors of policies that cannot be read.
    """
    path = options.policy or ""
    if path and os.path.isdir(path) and is_fleet(path):
        return _of_fleet(path, selection.today, to_change)
    if path.endswith(".json") or (path and os.path.lexists(os.path.join(path, MANIFEST))):
        return _of_bundle(path, selection.today, to_change)
    asked = chosen(options)
    if asked.failed:
        raise together(asked.failed.values())
    return _of_policies(asked, selection, to_change)


def _of_fleet(folder: str, today: str, to_change: bool) -> PlannedServers:
    from setpoint.compiler.fleet.folder import read_fleet  # only needed for a fleet

    knowledge, fleet = standard(), read_fleet(folder, today).fleet
    by_host: dict[str, PlansOfServers] = {}
    for outcome in fleet.outcomes:
        plan = _MadePlan(questions(outcome.plan, knowledge, to_change), knowledge)
        by_host.update(
            {host.casefold(): plan for host_class in outcome.classes for host in fleet.members[host_class]}
        )
    return PlannedServers(knowledge, recognized(knowledge), (), by_host.get, is_fleet=True)


def recognized(knowledge: Knowledge) -> Callable[[Capture], HostFacts]:
    """What finds the facts of a capture as an inventory of captures has them."""
    facts = FactsOfHosts(table(knowledge), knowledge)
    return lambda capture: facts.of(host_data(capture))


def _no_host(name: str) -> None:
    """The plan of a host, where plans are not for single hosts."""


def _of_bundle(path: str, today: str, to_change: bool) -> PlannedServers:
    from setpoint.compiler.comparison.sides import side  # only needed for a bundle

    knowledge = standard()
    plans = [entry.planned().judged for entry in side(path, "", today).entries.values()]
    candidates = (
        _MadePlan(questions(judged.plan, knowledge, to_change), knowledge) for judged in plans if judged
    )
    return PlannedServers(knowledge, recognized(knowledge), tuple(candidates), _no_host)


def _of_policies(asked: Chosen, selection: Selection, to_change: bool) -> PlannedServers:
    programs = with_knowledge(asked.programs)
    candidates: list[PlansOfServers] = []
    blocks: dict[str, PlansOfServers] = {}
    is_narrowed = bool(selection.group or selection.host)
    for pair in programs:
        program, knowledge = pair
        final = final_policies(program, selection.policy)
        subjects = (
            chosen_subjects(program, knowledge, selection)
            if is_narrowed
            else all_subjects(final, knowledge.required)
        )
        planned = partial(_PlannedSubject, pair, selection, to_change)
        candidates += map(planned, subjects)
        for candidate in () if is_narrowed else final:
            for host in candidate.scopes["host"]:
                blocks[host.casefold()] = planned(candidate.narrowed("", host))
    knowledge = programs[0].knowledge
    sources = sources_of(*asked.programs)
    return PlannedServers(knowledge, recognized(knowledge), tuple(candidates), blocks.get, sources=sources)


def captures_named(
    paths: Iterable[str], places: tuple[str, ...], unread: list[Diagnostic]
) -> Iterator[Capture]:
    """The captures that arguments name, host and controller joined; errors about servers are added to `unread`."""

    def keep(name: str, error: SetpointError) -> None:
        unread.extend(error.diagnostics)

    return joined(captures_in(paths, places=places, on_error=keep), keep)


def compared(
    servers: PlannedServers,
    paths: Iterable[str],
    refused: dict[RefusedCapture, list[str]],
    unread: list[Diagnostic],
) -> Iterator[tuple[Capture, PlanQuestions]]:
    """The captures that arguments name, with their plans. Names of those without a plan are added to `refused`."""
    for capture in captures_named(paths, wanted(servers.knowledge), unread):
        asked = servers.of(capture)
        if isinstance(asked, RefusedCapture):
            refused.setdefault(asked, []).append(capture.name)
        else:
            yield capture, asked


def one_captured(options: Options, knowledge: Knowledge) -> Capture:
    """The one server that `--against` names. Raises SetpointError (E0628) if it names several."""
    if options.registry or options.current:
        options.error("--against: without --registry and --current, since a capture shows both")
    captures: list[Capture] = []
    for capture in joined(captures_in([options.against], places=wanted(knowledge))):
        captures.append(capture)
        if len(captures) > 1:
            names = ", ".join(f"`{capture.name}`" for capture in captures)
            message = f"`{options.against}` has several servers, and this is about one: {names}, …"
            help_ = ("name the capture of one of them", "or host and controller in a folder of their own")
            raise SetpointError.of(SEVERAL, message, help=help_, subject=options.against)
    if not captures:
        raise NoCaptureError(options.against, NO_CAPTURE)
    return captures[0]


def check_is_of(plan: Plan, capture: Capture, facts: HostFacts, knowledge: Knowledge) -> None:
    """Raises SetpointError (E0624) if a capture contradicts what a plan is for."""
    if why := contradictions(plan, reports(capture), facts.facts, knowledge):
        (finding,) = refusals({_other_server(why): [capture.name]})
        raise SetpointError(finding._replace(subject=capture.name))


def shows_nothing(capture: Capture, what: str, *help_: str) -> SetpointError:
    """The error about a capture without what a command needs of it (E0622)."""
    message = f"`{capture.name}` shows {what}"
    return SetpointError.of("E0622", message, help=help_, subject=capture.name)


def refusals(refused: Mapping[RefusedCapture, Iterable[str]], most: int = 4) -> list[Diagnostic]:
    """The captures that were compared with no plan, those with the same reason together."""
    findings = []
    for why, names in refused.items():
        names = list(names)
        more = f" and {len(names) - most:,} more" if len(names) > most else ""
        message = f"{', '.join(f'`{name}`' for name in names[:most])}{more}: {why.message}"
        findings.append(Diagnostic(why.code, message, NOWHERE, notes=why.notes, help=why.help))
    return findings
