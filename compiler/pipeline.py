"""The pipeline, as one can see it.

    Program --subjects--> Subject --bind--> Context --resolve--> Plan

`plans` runs it for everything that a program asks to plan. Errors of one policy do not hide those of
another: all are collected, and raised together.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple

from setpoint.compiler.binding.context import Context, bind
from setpoint.compiler.binding.levels import Subject, subjects
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.load import standard, with_site
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import Program, program_of_text
from setpoint.compiler.language.syntax import Accept, Name
from setpoint.compiler.plan.model import FactEntry, Plan
from setpoint.compiler.resolution.resolve import resolve


class Choice(NamedTuple):
    """Which of a program's policies to plan, for whom, and the date that waivers are compared with (ISO).

    `before` has for each policy the settings that an earlier bundle of it wrote: they are set back to their defaults where
    the policy leaves them there now.
    """

    policy: str = ""
    group: str = ""
    host: str = ""
    today: str = ""
    before: Mapping[str, Iterable[str]] = MappingProxyType({})


EVERYTHING = Choice()
"""Every policy of the program, for no group or host in particular; no waiver expires."""


class Planned(NamedTuple):
    """One subject with its context and its plan; `plan` is None where `findings` has errors."""

    subject: Subject
    context: Context | None
    plan: Plan | None
    findings: Diagnostics

    @property
    def facts(self) -> tuple[FactEntry, ...]:
        """The facts as far as they are known."""
        return tuple(self.context.facts.values()) if self.context else ()


def knowledge_for(program: Program) -> Knowledge:
    """The standard library, and the program's own knowledge if it declares any."""
    with _reading(program):
        return with_site(program.site) if program.site else standard()


@contextmanager
def _reading(program: Program) -> Iterator[None]:
    """Errors raised within speak of the program's texts."""
    try:
        yield
    except SetpointError as error:
        error.sources = program.sources
        raise


def planned(program: Program, knowledge: Knowledge, choice: Choice = EVERYTHING) -> tuple[Planned, ...]:
    """Every subject that the choice leaves, planned as far as it goes.

    Raises SetpointError (E0206 to E0208) where it is unclear what to plan.
    """
    with _reading(program):
        chosen = subjects(
            program.body, program.stem, knowledge.required, choice.policy, choice.group, choice.host
        )
    return tuple(_one(subject, knowledge, choice) for subject in chosen)


def _one(subject: Subject, knowledge: Knowledge, choice: Choice) -> Planned:
    context = None
    try:
        context = bind(subject, knowledge)._replace(before=frozenset(choice.before.get(subject.name, ())))
        plan = resolve(knowledge, context, choice.today)
        return Planned(subject, context, plan, Diagnostics.of(plan.diagnostics))
    except SetpointError as error:
        return Planned(subject, context, None, error.diagnostics)


def despite_hazards(each: Planned, knowledge: Knowledge, today: str = "") -> Plan | None:
    """The plan as it were if the hazards that stop it were accepted, so that one can look at it all the same.

    None where something else is in error.
    """
    if each.context is None or {d.code for d in each.findings.errors} != {"E0401"}:
        return None
    standing = [d.subject for d in each.findings.errors]
    kept = tuple(a for a in each.context.accepts if a.hazard.text not in standing)
    assumed = tuple(Accept(Name(name, NOWHERE), Name("", NOWHERE), None, NOWHERE) for name in standing)
    try:
        return resolve(knowledge, each.context._replace(accepts=(*kept, *assumed)), today)
    except SetpointError:
        return None


def plans(program: Program, choice: Choice = EVERYTHING) -> tuple[Plan, ...]:
    """The plans of a program. Raises SetpointError with the errors of all its policies."""
    done = planned(program, knowledge_for(program), choice)
    errors: list[Diagnostic] = [d for each in done for d in each.findings if d.severity == "error"]
    if errors:
        with _reading(program):
            raise SetpointError(*errors)
    return tuple(each.plan for each in done if each.plan is not None)


def lasting(program: Program, choice: Choice, dated: tuple[Plan, ...]) -> tuple[Plan, ...]:
    """These plans as they are on any day, which is what artifacts are made of.

    That an acceptance has expired is news of the day. It is told wherever the policy is planned or checked, and
    makes no bundle of an unchanged policy another.
    """
    if not any(waiver.expired for plan in dated for waiver in plan.waivers):
        return dated
    return plans(program, choice._replace(today=""))


def plan_text(text: str, choice: Choice = EVERYTHING) -> Plan:
    """The one plan of a policy text. Raises SetpointError with its errors."""
    (plan,) = plans(program_of_text(text), choice)
    return plan
