"""The search behind narrowing: does any choice of values satisfy every clause?

It tries the values of one setting after another, and narrows after each. Three things keep it short. The open clauses
fall apart into subproblems that share no open setting, and each is solved separately. Within a subproblem, the setting
with the fewest values is tried first. And each subproblem is solved once: its outcome depends only on its clauses and
on the values left in them, so a dead end is recognised when it is reached another way. To put nine things into eight
places takes a few hundred subproblems, although there are 300,000 ways to try it.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.budget import look_up
from setpoint.compiler.knowledge.model import several
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.ground import Clause
from setpoint.compiler.resolution.narrow import ClauseIndex, DeadEndError, Domains, TooHardError

DEEPEST = 300
"""How deeply the search may recurse: beyond this, Python's own stack would be the limit."""


class Subproblem(NamedTuple):
    """Clauses that are still open, and their open settings sorted by name."""

    clauses: tuple[Clause, ...]
    settings: tuple[str, ...]


def is_possible(index: ClauseIndex, domains: Domains, changed: Iterable[str] | None = None) -> bool:
    """Whether some choice of values within `domains` satisfies every clause.

    Narrowing starts with the clauses of the settings that have `changed`, if these are given. Raises TooHardError when
    the effort is spent.
    """
    look_up()
    trial = dict(domains)
    try:
        index.narrow(trial, changed)
    except DeadEndError:
        return False
    if all(any(not trial[n] & ~mask for n, mask in clause.literals) for clause in index.clauses):
        return True
    return _all_satisfiable(index, trial, index.clauses, 0)


def _all_satisfiable(index: ClauseIndex, domains: Domains, clauses: Iterable[Clause], depth: int) -> bool:
    for subproblem in subproblems(clauses, domains):
        look_up()
        index.effort.spent += len(subproblem.clauses)
        key = tuple(map(id, subproblem.clauses)), tuple((n, domains[n]) for n in subproblem.settings)
        if key not in index.known:
            if index.effort.is_spent or depth > DEEPEST:
                raise TooHardError(subproblem.settings)
            index.known[key] = _is_satisfiable(index, domains, subproblem, depth)
        if not index.known[key]:
            return False
    return True


def _is_satisfiable(index: ClauseIndex, domains: Domains, subproblem: Subproblem, depth: int) -> bool:
    """Whether a subproblem can be satisfied: some value of one of its settings leaves a remainder that can be."""

    def first(name: str) -> tuple[int, int, str]:
        return domains[name].bit_count(), -len(index.of[name]), name

    chosen = min(subproblem.settings, key=first)
    left = domains[chosen]
    while left:
        bit = left & -left
        left ^= bit
        trial = {**domains, chosen: bit}
        try:
            index.narrow(trial, (chosen,))
        except DeadEndError:
            continue
        if _all_satisfiable(index, trial, subproblem.clauses, depth + 1):
            return True
    return False


def subproblems(clauses: Iterable[Clause], domains: Domains) -> Iterator[Subproblem]:
    """The open clauses, grouped so that no two groups share an open setting.

    A clause is open if some choice of values would violate it. The domains are narrowed, so every open clause has an
    open setting.
    """
    at: dict[str, list[str]] = {}
    open_: list[tuple[Clause, str]] = []
    for clause in clauses:
        if any(not domains[name] & ~mask for name, mask in clause.literals):
            continue
        first, *others = (n for n, mask in clause.literals if domains[n] & mask and several(domains[n]))
        open_.append((clause, first))
        together = at.setdefault(first, [first])
        for name in others:
            other = at.setdefault(name, [name])
            if other is not together:
                together.extend(other)
                at.update(dict.fromkeys(other, together))
    groups: dict[int, tuple[list[str], list[Clause]]] = {}
    for clause, name in open_:
        groups.setdefault(id(at[name]), (at[name], []))[1].append(clause)
    for settings, members in groups.values():
        yield Subproblem(tuple(members), tuple(sorted(settings)))
