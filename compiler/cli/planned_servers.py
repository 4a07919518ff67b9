"""Which plan a captured server is compared with: that of a policy, of a bundle, or of its host in a fleet's folder."""

import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from setpoint.compiler.binding.levels import Subject, all_subjects
from setpoint.compiler.captures.model import Capture
from setpoint.compiler.cli.arguments import Options, Parser
from setpoint.compiler.cli.chosen import Chosen, chosen, with_knowledge
from setpoint.compiler.cli.common import together
from setpoint.compiler.cli.inventory import final_policies
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.inventory.captures import host_data
from setpoint.compiler.inventory.hosts import FactsOfHosts
from setpoint.compiler.inventory.table import table
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import Program
from setpoint.compiler.lowering.bundle import MANIFEST, is_fleet
from setpoint.compiler.pipeline import Selection, chosen_subjects, plan_subject
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.verification.identity import contradictions, reports
from setpoint.compiler.verification.questions import PlanQuestions, questions

OTHER_SERVER = "E0624"
NO_PLAN = "E0627"


@distinct
class RefusedCapture(NamedTuple):
    """Why a capture is compared with no plan: a code, a sentence without the server's name, and the details."""

    code: str
    message: str
    notes: tuple[str, ...] = ()
    help: tuple[str, ...] = ()


@distinct
class PlannedServers(NamedTuple):
    """The plans to compare with. `of_host` has that of a host by its name in lower case; for others it is the one that fits.

    `recognized` has the facts that are recognized of a capture, each with its value, `sources` the texts of policies by name.
    """

    knowledge: Knowledge
    recognized: Callable[[Capture], Mapping[str, str]]
    plans: tuple[PlanQuestions, ...]
    of_host: Callable[[str], PlanQuestions | None]
    is_fleet: bool
    sources: dict[str, str]

    def of(self, capture: Capture) -> PlanQuestions | RefusedCapture:
        """The plan for a captured server."""
        name = capture.name.casefold()
        own = self.of_host(name) or self.of_host(name.partition(".")[0])
        if own is None and self.is_fleet:
            return RefusedCapture(
                NO_PLAN,
                "not a host of this fleet",
                (),
                ("plan the fleet again with an inventory that has it",),
            )
        candidates = (own,) if own else self.plans
        reported, facts = reports(capture), self.recognized(capture)
        against = [contradictions(each.plan, reported, facts, self.knowledge) for each in candidates]
        fitting = [each for each, why in zip(candidates, against, strict=True) if not why]
        if len(fitting) == 1:
            return fitting[0]
        if not fitting:
            help_ = ("compare it with the plan of its own policy, or state what the server is",)
            return RefusedCapture(OTHER_SERVER, "a capture of another server", against[0], help_)
        names = ", ".join(each.plan.policy for each in fitting)
        help_ = ("name one of them with `--policy`, `--group` or `--host`",)
        return RefusedCapture(NO_PLAN, "several plans are for such a server", (names,), help_)


def planned_servers(
    options: Options, options_parser: Parser, selection: Selection, everything: bool = False
) -> PlannedServers:
    """The plans that the arguments name; `everything` as for `questions`. Raises SetpointError with the errors of policies that have no plan."""
    path = options.policy or ""
    if path and os.path.isdir(path) and is_fleet(path):
        return _of_fleet(path, selection.today, everything)
    if path.endswith(".json") or (path and os.path.lexists(os.path.join(path, MANIFEST))):
        return _of_bundle(path, selection.today, everything)
    return _of_policies(chosen(options, options_parser), selection, everything)


def _of_fleet(folder: str, today: str, everything: bool) -> PlannedServers:
    from setpoint.compiler.fleet.folder import read_fleet  # only needed for a fleet

    knowledge, fleet = standard(), read_fleet(folder, today).fleet
    by_host = {}
    plans = []
    for outcome in fleet.outcomes:
        asked = questions(outcome.plan, knowledge, everything)
        plans.append(asked)
        by_host.update({host.casefold(): asked for each in outcome.classes for host in fleet.members[each]})
    return PlannedServers(
        knowledge, _recognized(knowledge), tuple(plans), by_host.get, is_fleet=True, sources={}
    )


def _recognized(knowledge: Knowledge) -> Callable[[Capture], Mapping[str, str]]:
    """What finds the facts of a capture as an inventory of captures has them."""
    facts = FactsOfHosts(table(knowledge), knowledge)
    return lambda capture: facts.of(host_data(capture))


def _no_host(name: str) -> None:
    """The plan of a host, where plans are not for single hosts."""


def _of_bundle(path: str, today: str, everything: bool) -> PlannedServers:
    from setpoint.compiler.comparison.sides import side  # only needed for a bundle

    knowledge = standard()
    plans = [each.planned().judged for each in side(path, "", today).entries.values()]
    return PlannedServers(
        knowledge,
        _recognized(knowledge),
        tuple(questions(each.plan, knowledge, everything) for each in plans if each),
        _no_host,
        is_fleet=False,
        sources={},
    )


def _of_policies(asked: Chosen, selection: Selection, everything: bool) -> PlannedServers:
    if asked.failed:
        raise together(asked.failed.values())
    programs = with_knowledge(asked.programs)
    plans: list[PlanQuestions] = []
    blocks: dict[str, Callable[[], PlanQuestions]] = {}
    for program, knowledge in programs:
        is_narrowed = bool(selection.group or selection.host)
        final = final_policies(program, selection.policy)
        subjects = (
            chosen_subjects(program, knowledge, selection)
            if is_narrowed
            else all_subjects(final, knowledge.required)
        )
        plans += [_asked(program, knowledge, each, selection, everything) for each in subjects]
        for candidate in () if is_narrowed else final:
            for host in candidate.scopes["host"]:
                subject = candidate.narrowed("", host)
                blocks[host.casefold()] = partial(_asked, program, knowledge, subject, selection, everything)
    made: dict[str, PlanQuestions] = {}

    def of_host(name: str) -> PlanQuestions | None:
        if name in blocks and name not in made:
            made[name] = blocks[name]()
        return made.get(name)

    knowledge = programs[0].knowledge
    sources = {name: text for program, _ in programs for name, text in program.sources.items()}
    return PlannedServers(
        knowledge, _recognized(knowledge), tuple(plans), of_host, is_fleet=False, sources=sources
    )


def _asked(
    program: Program, knowledge: Knowledge, subject: Subject, selection: Selection, everything: bool
) -> PlanQuestions:
    """What the plan of a subject asks. Raises SetpointError with why it has no plan."""
    done = plan_subject(subject, knowledge, selection)
    if done.plan is None:
        error = SetpointError(*done.findings.errors)
        error.sources = dict(program.sources)
        raise error
    return questions(done.plan, knowledge, everything)


def refusals(refused: Mapping[RefusedCapture, Iterable[str]], most: int = 4) -> list[Diagnostic]:
    """The captures that were compared with no plan, those with the same reason together."""
    found = []
    for why, names in refused.items():
        names = list(names)
        more = f" and {len(names) - most:,} more" if len(names) > most else ""
        message = f"{', '.join(f'`{name}`' for name in names[:most])}{more}: {why.message}"
        found.append(Diagnostic(why.code, message, NOWHERE, notes=why.notes, help=why.help))
    return found
