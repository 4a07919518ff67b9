"""The decisions of the cascade, before they are written down as a plan."""

from typing import NamedTuple

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, Label, SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.record import distinct
from setpoint.compiler.resolution.cascade import Choice, cascade
from setpoint.compiler.resolution.ground import Problem
from setpoint.compiler.resolution.narrow import (
    ClauseIndex,
    DeadEndError,
    Domains,
    Effort,
    Removal,
    TooHardError,
)

MOST_SHOWN = 3
"""How many of the constraints that make a search hard are shown."""


@distinct
class Solution(NamedTuple):
    """The choices in the order of decision, with the problem and the removals that led to them."""

    problem: Problem
    choices: dict[str, Choice]
    steps: tuple[Removal, ...]

    def bits(self, knowledge: Knowledge, context: Context) -> dict[str, int]:
        """Every fact and setting with its value, as sets of one."""
        return {**context.bits(knowledge), **{name: choice.bit for name, choice in self.choices.items()}}

    def values(self, knowledge: Knowledge) -> dict[str, str]:
        """Every setting with its value."""
        return {name: knowledge.variables[name].name_of(choice.bit) for name, choice in self.choices.items()}


def attempt(
    knowledge: Knowledge, context: Context, problem: Problem, effort: Effort | None = None
) -> Solution | None:
    """Narrow and cascade; None if no choice of values satisfies every clause and every `set`.

    The problem must have every setting that a `set` names. Raises SetpointError on a tie (E0303), and when the search
    for a choice of values gives up (E0305).
    """
    index = ClauseIndex(problem.clauses, effort)
    try:
        return _attempt(knowledge, context, problem, index)
    except TooHardError as error:
        raise SetpointError(_too_hard(knowledge, context, index, error.settings)) from None


def _attempt(knowledge: Knowledge, context: Context, problem: Problem, index: ClauseIndex) -> Solution | None:
    domains = with_sets(knowledge, problem, context.sets)
    steps: list[Removal] = []
    try:
        index.narrow(domains, None, steps)
    except DeadEndError:
        return None
    if not all(domains.values()) or not index.possible(domains):
        return None
    choices = cascade(knowledge, problem, index, domains, context.intent(knowledge), steps)
    return Solution(problem, choices, tuple(steps))


def with_sets(knowledge: Knowledge, problem: Problem, sets: tuple[Set, ...]) -> Domains:
    """The domains of a problem with each `set` reduced to its value."""
    domains = dict(problem.domains)
    for statement in sets:
        name = statement.setting.text
        domains[name] &= knowledge.variables[name].bit(statement.value.text)
    return domains


def _too_hard(
    knowledge: Knowledge, context: Context, index: ClauseIndex, settings: tuple[str, ...]
) -> Diagnostic:
    tying = [c for c in index.clauses if len({name for name, _ in c.literals} & set(settings)) > 1]
    named = ", ".join(f"`{name}`" for name in settings)
    return Diagnostic(
        "E0305",
        f"the search for values of {named} was given up after {index.effort.most:,} steps",
        context.intent(knowledge),
        "neither a plan nor a conflict was found",
        tuple(Label(span, "ties some of them") for span in sorted({c.span for c in tying})[:MOST_SHOWN]),
        (f"{len(tying):,} clauses of constraints and profiles tie these settings together",),
        (
            "set some of them in the policy, so that less is left to try",
            "or state the combined effect of these constraints in the knowledge base, as for K08",
        ),
    )
