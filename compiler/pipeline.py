"""The pipeline: six stages, each a function from one form to the next.

    path --read--> Program --bind--> Context --resolve--> Plan --judge--> Judged --lower--> Bundle --write--> files

`planned` runs the stages up to judging for all subjects of a program; errors of one policy do not hide those of
another. `plan`, `check` and `diff` never load the later stages.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from setpoint.compiler.binding.context import Context, bind
from setpoint.compiler.binding.levels import Subject, subjects
from setpoint.compiler.binding.stated import NOTHING_FOUND, HostFacts
from setpoint.compiler.budget import PLAN, BudgetSpentError, limited
from setpoint.compiler.diagnostics import Diagnostics, SetpointError
from setpoint.compiler.hints import TYPE_CHECKING
from setpoint.compiler.knowledge.library import texts_digest
from setpoint.compiler.knowledge.load import standard, with_site
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import (
    NOTHING_OPENED,
    Opened,
    Program,
    program_of_file,
    program_of_text,
)
from setpoint.compiler.plan.judge import Judged, judge
from setpoint.compiler.plan.model import FactEntry, Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.resolve import resolve

if TYPE_CHECKING:
    from setpoint.compiler.fitting.server import Server
    from setpoint.compiler.lowering.bundle import Bundle
    from setpoint.compiler.lowering.target import Artifact, Fleet, Target


class Selection(NamedTuple):
    """Which of a program's policies to plan, for which group or host, and the date to compare waivers with (ISO).

    `before` has for each policy the settings that an earlier bundle of it wrote: they are set back to their defaults if
    the policy now leaves them at these. `server` is the one server to plan for, None for all servers with the facts,
    and `shown` what a capture shows of it. `library` is the folder of the library to plan with, "" for the installed
    one.
    """

    policy: str = ""
    group: str = ""
    host: str = ""
    today: str = ""
    before: Mapping[str, Iterable[str]] = MappingProxyType({})
    server: "Server | None" = None
    library: str = ""
    shown: HostFacts = NOTHING_FOUND


ALL_POLICIES = Selection()
"""Select all policies, without group or host; ignore waiver expiry."""


class Planned(NamedTuple):
    """One subject, as far as it could be planned: its context and its judged plan, or None after errors.

    `knowledge` is what it was planned with, which for a given server is limited to that. `findings` is complete. With
    errors among them nothing can be compiled, even if there is a plan.
    """

    subject: Subject
    context: Context | None
    judged: Judged | None
    findings: Diagnostics
    knowledge: Knowledge

    @property
    def is_stopped(self) -> bool:
        """Whether nothing can be compiled from it."""
        return bool(self.findings.errors)

    @property
    def plan(self) -> Plan | None:
        """The plan, even if a hazard stops it."""
        return self.judged.plan if self.judged else None

    @property
    def facts(self) -> tuple[FactEntry, ...]:
        """The known facts."""
        return tuple(self.context.facts.values()) if self.context else ()


# ------------------------------------------------------------------------------------------- stages


def read(path: str, root: str = "", opened: Opened = NOTHING_OPENED) -> Program:
    """A policy file with everything that it includes.

    `root` is the folder that includes must stay inside, "" for the file's own; files that an editor has `opened` are as
    they are there. Raises SetpointError (E01xx, E06xx).
    """
    return program_of_file(path, root, opened)


def read_text(text: str, root: str = "") -> Program:
    """A policy given as a text; "" means that includes must stay inside the current folder."""
    return program_of_text(text, root or ".")


def fit(knowledge: Knowledge, context: Context, server: "Server") -> tuple[Knowledge, Context]:
    """The knowledge base and the context as they are on one server; see `fitting.fit`. Raises SetpointError (E0506)."""
    from setpoint.compiler.fitting.fit import fitted  # only needed for a given server

    return fitted(knowledge, context, server)


def in_place(knowledge: Knowledge, plan: Plan, server: "Server") -> Plan:
    """The plan with what the server has already; see `fitting.in_place`."""
    from setpoint.compiler.fitting import in_place  # only needed for a given server

    return in_place.in_place(knowledge, plan, server)


def lower(
    knowledge: Knowledge,
    plan: Plan,
    chosen: Mapping[str, "Target"],
    asked: bool,
    files: Mapping[str, str] = MappingProxyType({}),
    in_fleet: bool = False,
) -> "Bundle":
    """The bundle of a plan; see `lowering.bundle.bundle`. The knowledge base has the measurements that pages show;
    pages are made for targets that the user named.

    Raises SetpointError (E0503).
    """
    from setpoint.compiler.lowering.bundle import bundle  # only needed to write artifacts
    from setpoint.compiler.lowering.target import PageTarget

    page = None
    if asked and any(isinstance(target, PageTarget) for target in chosen.values()):
        from setpoint.compiler.render.html import page_of  # it loads jinja2

        page = page_of(knowledge, judge(plan))
    return bundle(plan, chosen, asked, files, in_fleet, page)


def lower_fleet(fleet: "Fleet", chosen: Mapping[str, "Target"]) -> tuple["Artifact", ...]:
    """The files that the plans of a policy's groups and hosts have in common; see `lowering.bundle.shared`."""
    from setpoint.compiler.lowering.bundle import shared  # only needed to write artifacts

    return shared(fleet, chosen)


def write(bundles: tuple["Bundle", ...], folder: str, common: tuple["Artifact", ...] = ()) -> None:
    """Write bundles into a folder, completely or not at all. Raises SetpointError (E0605) and OSError."""
    from setpoint.compiler.lowering import bundle  # only needed to write artifacts

    bundle.write(bundles, folder, common)


# -------------------------------------------------------------------------------- several at a time


def knowledge_for(program: Program) -> Knowledge:
    """The standard library, with the program's own knowledge if it declares any."""
    with reading(program):
        if not program.site:
            return standard()
        knowledge = with_site(program.site)
    site = texts_digest(program.sources[file.name] for file in program.site)
    return knowledge._replace(digests=knowledge.digests._replace(site=site))


def planned(
    program: Program, knowledge: Knowledge, selection: Selection = ALL_POLICIES
) -> tuple[Planned, ...]:
    """Bind, resolve and judge every selected subject, as far as possible.

    Raises SetpointError (E0206 to E0208) if it is unclear what to plan.
    """
    chosen = chosen_subjects(program, knowledge, selection)
    return tuple(plan_subject(subject, knowledge, selection, selection.shown) for subject in chosen)


def chosen_subjects(
    program: Program, knowledge: Knowledge, selection: Selection = ALL_POLICIES
) -> tuple[Subject, ...]:
    """What a selection says to plan. Raises SetpointError (E0206 to E0208) if that is unclear."""
    with reading(program):
        return subjects(
            program.body, program.stem, knowledge.required, selection.policy, selection.group, selection.host
        )


def plan_subject(
    subject: Subject,
    knowledge: Knowledge,
    selection: Selection = ALL_POLICIES,
    stated: HostFacts = NOTHING_FOUND,
    called: str = "",
) -> Planned:
    """Bind, resolve and judge one subject, as far as possible, with the facts that an inventory has `stated`.

    The plan is called as the subject unless it has a name of its own. Once the work of the request is spent, the
    findings say so.
    """
    with limited() as budget:
        done = Planned(subject, None, None, Diagnostics(), knowledge)
        try:
            budget.spend("plans", PLAN)
            done = _plan_subject(subject, knowledge, selection, stated, called)
            budget.settle()
        except BudgetSpentError:
            spent = budget.finding(f"`{subject.name}`", subject.span)
            return done._replace(judged=None, findings=Diagnostics.of((*done.findings, spent)))
    return done


def _plan_subject(
    subject: Subject, knowledge: Knowledge, selection: Selection, facts: HostFacts, called: str
) -> Planned:
    context = None
    try:
        context = bind(subject, knowledge, facts)._replace(
            policy=called or subject.name, before=frozenset(selection.before.get(subject.name, ()))
        )
        if selection.server is not None:
            knowledge, context = fit(knowledge, context, selection.server)
        plan = resolve(knowledge, context)
        if selection.server is not None:
            plan = in_place(knowledge, plan, selection.server)
        judged = judge(plan, selection.today)
    except SetpointError as error:
        return Planned(subject, context, None, error.diagnostics, knowledge)
    if judged.is_stopped:
        from setpoint.compiler.resolution.repair import hazard_repairs  # only needed on the error path

        judged = hazard_repairs(knowledge, context, judged)
    return Planned(subject, context, judged, judged.diagnostics, knowledge)


@contextmanager
def reading(*programs: Program) -> Iterator[None]:
    """Adds the texts of programs to errors raised within."""
    try:
        yield
    except SetpointError as error:
        for program in programs:
            error.sources = {**program.sources, **error.sources}
        raise
