"""Narrowing: remove the values that cannot be, until nothing more can be removed.

If all literals of a clause but one have become impossible, the last must hold. Repeated to the end
this has one outcome, in whatever order it is done, since it only ever removes. It is sound but not
complete, so `possible` adds a small search: it says whether any choice of values at all satisfies
every clause. On real knowledge the search is never entered; it makes the promise whole.
"""

from collections.abc import Iterable
from typing import NamedTuple

from setpoint.compiler.knowledge.model import several
from setpoint.compiler.resolution.ground import Clause

Domains = dict[str, int]


class Step(NamedTuple):
    """A removal: which clause took the setting's set of values from `before` to `after`."""

    setting: str
    before: int
    after: int
    clause: Clause


class DeadEndError(Exception):
    """No value is left. `clause` took the last; `steps` are all removals up to then."""

    def __init__(self, clause: Clause, steps: list[Step]) -> None:
        super().__init__(clause.name)
        self.clause = clause
        self.steps = steps


class Watch:
    """The clauses of a problem, found by the settings that they speak of."""

    def __init__(self, clauses: Iterable[Clause]) -> None:
        self.clauses = tuple(clauses)
        self.of: dict[str, list[Clause]] = {}
        for clause in self.clauses:
            for name, _ in clause.literals:
                self.of.setdefault(name, []).append(clause)

    def narrow(
        self, domains: Domains, changed: Iterable[str] | None = None, steps: list[Step] | None = None
    ) -> None:
        """Narrow `domains` in place to the fixpoint; looks first at the clauses of `changed`, else at all.

        Appends every removal to `steps`. Raises DeadEndError when a clause cannot hold.
        """
        trail = steps if steps is not None else []
        waiting = (
            list(self.clauses) if changed is None else [c for name in changed for c in self.of.get(name, ())]
        )
        while waiting:
            clause = waiting.pop()
            open_literal: tuple[str, int] | None = None
            for name, mask in clause.literals:
                if domains[name] & mask:
                    if open_literal is not None:
                        break  # two literals are open: nothing follows yet
                    open_literal = (name, mask)
            else:
                if open_literal is None:
                    raise DeadEndError(clause, trail)
                name, mask = open_literal
                after = domains[name] & mask
                if after != domains[name]:
                    trail.append(Step(name, domains[name], after, clause))
                    domains[name] = after
                    waiting.extend(self.of[name])

    def possible(self, domains: Domains, changed: Iterable[str] | None = None) -> bool:
        """Whether some choice of values within `domains` satisfies every clause."""
        trial = dict(domains)
        try:
            self.narrow(trial, changed)
        except DeadEndError:
            return False
        undecided = self._undecided(trial)
        if undecided is None:
            return True
        mask = trial[undecided]
        while mask:
            bit = mask & -mask
            mask ^= bit
            if self.possible({**trial, undecided: bit}, (undecided,)):
                return True
        return False

    def _undecided(self, domains: Domains) -> str | None:
        """A setting to branch on: one of a clause that is not yet satisfied whatever its settings become."""
        for clause in self.clauses:
            if not any(domains[name] & ~mask == 0 for name, mask in clause.literals):
                return next(name for name, mask in clause.literals if several(domains[name]))
        return None
