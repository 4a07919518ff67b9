"""The decisions of the cascade, before they are written down as a plan."""

from collections.abc import Callable

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, Label, SetpointError
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.quantity import is_cell
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.record import NamedTuple
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
from setpoint.compiler.resolution.search import is_possible

MOST_SHOWN = 3
"""How many of the constraints that make a search hard are shown."""


class Solution(NamedTuple):
    """The choices in the order of decision, with the problem and the removals that led to them."""

    problem: Problem
    choices: dict[str, Choice]
    steps: tuple[Removal, ...]

    def bits(self, knowledge: Knowledge, context: Context) -> dict[str, int]:
        """Every fact and setting with its value, as sets of one."""
        return {**context.bits(knowledge), **{name: choice.bit for name, choice in self.choices.items()}}

    def values(self, knowledge: Knowledge, context: Context) -> dict[str, str]:
        """Every setting with its value: of a cell the number that the policy sets, else the lowest on offer."""
        sets = {s.setting.text: s.value.text for s in context.sets}
        values = {}
        for name, choice in self.choices.items():
            variable = knowledge.variables[name]
            value = variable.name_of(choice.bit)
            if name in sets:
                value = sets[name]
            elif is_cell(value):
                value = variable.lowest(self.problem.offers[name].values, value)
            values[name] = value
        return values


def attempt(
    knowledge: Knowledge,
    context: Context,
    problem: Problem,
    effort: Effort | None = None,
    decide: Callable[..., dict[str, Choice]] = cascade,
) -> Solution | None:
    """Narrow and cascade; None if no choice of values satisfies every clause and every `set`.

    The problem must have every setting that a `set` names. Raises SetpointError on a tie (E0303), and when the search
    for a choice of values gives up (E0305); and what `decide` raises.
    """
    index = ClauseIndex(problem.clauses, effort)
    try:
        return _attempt(knowledge, context, problem, index, decide)
    except TooHardError as error:
        raise SetpointError(_too_hard(knowledge, context, index, error.settings)) from None


def _attempt(
    knowledge: Knowledge,
    context: Context,
    problem: Problem,
    index: ClauseIndex,
    decide: Callable[..., dict[str, Choice]],
) -> Solution | None:
    problem = problem.requesting(context.sets)
    domains = with_sets(knowledge, problem, context.sets)
    steps: list[Removal] = []
    try:
        index.narrow(domains, None, steps)
    except DeadEndError:
        return None
    if not all(domains.values()) or not is_possible(index, domains):
        return None
    choices = decide(knowledge, problem, index, domains, context.intent(knowledge), steps)
    solution = Solution(problem, choices, tuple(steps))
    if unstated := [name for name, value in solution.values(knowledge, context).items() if not value]:
        raise SetpointError(*(_unstated(name, solution, context.intent(knowledge)) for name in unstated))
    return solution


def with_sets(knowledge: Knowledge, problem: Problem, sets: tuple[Set, ...]) -> Domains:
    """The domains of a problem with each `set` reduced to its value."""
    domains = {**problem.given, **problem.domains}
    for statement in sets:
        name = statement.setting.text
        domains[name] &= knowledge.variables[name].bit(statement.value.text)
    return domains


def _unstated(name: str, solution: Solution, at: Span) -> Diagnostic:
    excluding = [step.clause for step in solution.steps if step.setting == name]
    return Diagnostic(
        "E0306",
        f"`{name}` needs a list of CPUs, and the policy states none",
        at,
        "nothing else is possible here",
        tuple(Label(span, "excludes the rest") for span in sorted({clause.span for clause in excluding})),
        tuple(dict.fromkeys(clause.because for clause in excluding)),
        (f'state one: `set {name} 2-15 because "…";`',),
    )


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
