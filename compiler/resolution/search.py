"""The search behind narrowing: does any choice of values satisfy every clause?

It tries the values of one setting after another, and narrows after each. Three things keep it short. What is
left falls apart into components, clauses that have no open setting in common, each of which is decided by itself. Of
a component the setting with the fewest values is tried first. And each component is decided once: what comes of it
depends only on its clauses and on the values that are left in them, so that a dead end is known when it is reached by
another way. To put nine things into eight places is a few hundred components, though there are 300,000 ways to try it.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from setpoint.compiler.knowledge.model import several
from setpoint.compiler.record import distinct
from setpoint.compiler.resolution.ground import Clause
from setpoint.compiler.resolution.narrow import ClauseIndex, DeadEndError, Domains, TooHardError

DEEPEST = 300
"""How many settings are tried within each other: beyond, Python's own stack would be the limit."""


@distinct
class Component(NamedTuple):
    """Clauses that are still open, and their open settings in the order of their names."""

    clauses: tuple[Clause, ...]
    settings: tuple[str, ...]


def can_hold(index: ClauseIndex, domains: Domains) -> bool:
    """Whether the clauses can hold, of domains that are narrowed. Raises TooHardError when the effort is spent."""
    return _all_hold(index, domains, index.clauses, 0)


def _all_hold(index: ClauseIndex, domains: Domains, clauses: Iterable[Clause], depth: int) -> bool:
    for component in components(clauses, domains):
        index.effort.taken += len(component.clauses)
        key = tuple(map(id, component.clauses)), tuple((n, domains[n]) for n in component.settings)
        if key not in index.known:
            if index.effort.is_spent or depth > DEEPEST:
                raise TooHardError(component.settings)
            index.known[key] = _holds(index, domains, component, depth)
        if not index.known[key]:
            return False
    return True


def _holds(index: ClauseIndex, domains: Domains, component: Component, depth: int) -> bool:
    """Whether a component can hold: with some value of one of its settings all that is then left of it does."""

    def first(name: str) -> tuple[int, int, str]:
        return domains[name].bit_count(), -len(index.of[name]), name

    chosen = min(component.settings, key=first)
    left = domains[chosen]
    while left:
        bit = left & -left
        left ^= bit
        trial = {**domains, chosen: bit}
        try:
            index.narrow(trial, (chosen,))
        except DeadEndError:
            continue
        if _all_hold(index, trial, component.clauses, depth + 1):
            return True
    return False


def components(clauses: Iterable[Clause], domains: Domains) -> Iterator[Component]:
    """The clauses that are still open, those together that share an open setting.

    A clause is open if it is not satisfied whatever becomes of its settings. The domains are narrowed, so that it has
    open settings.
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
    found: dict[int, tuple[list[str], list[Clause]]] = {}
    for clause, name in open_:
        found.setdefault(id(at[name]), (at[name], []))[1].append(clause)
    for settings, members in found.values():
        yield Component(tuple(members), tuple(sorted(settings)))
