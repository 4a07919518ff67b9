"""What the cascade decided, before it is written down as a plan."""

from typing import NamedTuple

from setpoint.compiler.binding.context import Context
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.resolution.cascade import Choice, cascade
from setpoint.compiler.resolution.ground import Problem
from setpoint.compiler.resolution.narrow import DeadEndError, Domains, Step, Watch


class Solution(NamedTuple):
    """The choices, in the order of decision, with the problem and the removals on the way."""

    problem: Problem
    choices: dict[str, Choice]
    steps: tuple[Step, ...]

    def bits(self, knowledge: Knowledge, context: Context) -> dict[str, int]:
        """Every fact and setting with its value, as sets of one."""
        return {**context.bits(knowledge), **{name: choice.bit for name, choice in self.choices.items()}}

    def values(self, knowledge: Knowledge) -> dict[str, str]:
        """Every setting with its value."""
        return {name: knowledge.variables[name].name_of(choice.bit) for name, choice in self.choices.items()}


def attempt(knowledge: Knowledge, context: Context, problem: Problem) -> Solution | None:
    """Narrow and cascade; None where no choice of values satisfies every clause and every `set`.

    Each `set` must be of a setting that the problem has. Raises SetpointError (E0303) on a tie.
    """
    watch = Watch(problem.clauses)
    domains = with_sets(knowledge, problem, context.sets)
    steps: list[Step] = []
    try:
        watch.narrow(domains, None, steps)
    except DeadEndError:
        return None
    if not all(domains.values()) or not watch.possible(domains):
        return None
    choices = cascade(knowledge, problem, watch, domains, context.intent(knowledge), steps)
    return Solution(problem, choices, tuple(steps))


def with_sets(knowledge: Knowledge, problem: Problem, sets: tuple[Set, ...]) -> Domains:
    """The domains of a problem with each `set` reduced to its value."""
    domains = dict(problem.domains)
    for statement in sets:
        name = statement.setting.text
        domains[name] &= knowledge.variables[name].bit(statement.value.text)
    return domains
