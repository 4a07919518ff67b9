"""Values that nobody asked for, although no other one is possible: they are not written.

A setting may have only one possible value because of the values of others. If one of these was asked for, by a `set` or
a recommendation, then so is what it leads to. If the policy's facts alone leave one value, the policy asks for it: work
that needs virtualization has it on. But where only defaults, or values of which no default is known, exclude the
others, nothing is to be changed on the server: its settings go together as they are.

A profile is derived from its members: what leads to one of them leads to the profile.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.ground import Clause
from setpoint.compiler.resolution.profiles import members_of
from setpoint.compiler.resolution.solution import Solution


class SatisfiedAlone(NamedTuple):
    """A clause that holds because of one setting alone, which could have a value with which it would not hold."""

    clause: Clause
    setting: str

    @property
    def others(self) -> set[str]:
        """The other settings of the clause; none if facts alone leave the setting no other value."""
        return {name for name, _ in self.clause.literals if name != self.setting}


def satisfied_alone(solution: Solution) -> Iterator[SatisfiedAlone]:
    """The clauses of a solution that one setting alone satisfies."""
    for clause in solution.problem.clauses:
        satisfied = [pair for pair in clause.literals if solution.choices[pair[0]].bit & pair[1]]
        if len(satisfied) == 1:
            ((name, allowed),) = satisfied
            if solution.problem.domains[name] & ~allowed:
                yield SatisfiedAlone(clause, name)


def unasked(
    solution: Solution, alone: Iterable[SatisfiedAlone], without_advice: Iterable[str], asked: Iterable[str]
) -> set[str]:
    """The settings `without_advice` to which nothing leads that is `asked` for.

    What departs from a known default because that is impossible is led to: the server has to change. What a profile
    that the policy sets gives to its members at first is asked for with it.
    """
    choices = solution.choices
    ways: dict[str, list[set[str]]] = {name: [] for name in without_advice}
    for satisfied in alone:
        if satisfied.setting in ways:
            ways[satisfied.setting].append(satisfied.others)
    for name, leading in ways.items():
        if choices[name].how == "derived":
            leading += [{member} for member in members_of(solution.problem.presets, name)]
    reached = {*asked}
    reached |= {name for name in ways if choices[name].how != "only" and name in solution.problem.defaults}
    reached |= {name for name in solution.problem.starting.keys() & choices if choices[name].how == "default"}
    while more := {
        name
        for name, leading in ways.items()
        if name not in reached and any(not others or others & reached for others in leading)
    }:
        reached |= more
    return {*ways} - reached
