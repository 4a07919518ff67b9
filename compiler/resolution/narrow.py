"""Narrowing: remove impossible values until nothing more can be removed.

If all literals of a clause but one are impossible, the last one must be true. Repeating this has one outcome, whatever
the order, since it only removes values. It is sound but not complete, so `possible` adds a search for a choice of
values that satisfies every clause. A plan asks once, before anything is decided, and real knowledge has an answer
within a few hundred steps.

Some questions are too hard for any search. A step is one look at a clause, so that the number of steps is the same on
every machine; beyond `MOST_STEPS` the search gives up.
"""

from collections.abc import Hashable, Iterable

from setpoint.compiler.budget import begin
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.ground import Clause

Domains = dict[str, int]


class Removal(NamedTuple):
    """A clause reduced the set of values of the setting from `before` to `after`."""

    setting: str
    before: int
    after: int
    clause: Clause


class DeadEndError(Exception):
    """No value is left. `clause` removed the last one; `steps` are all removals until then."""

    def __init__(self, clause: Clause, steps: list[Removal]) -> None:
        super().__init__(clause.name)
        self.clause = clause
        self.steps = steps


MOST_STEPS = 5_000_000
"""How many clauses a search may look at, which takes a few seconds. Real knowledge needs thousands."""


class TooHardError(Exception):
    """The search gave up. `settings` were still undecided."""

    def __init__(self, settings: tuple[str, ...]) -> None:
        super().__init__(", ".join(settings))
        self.settings = settings


class Effort:
    """The steps that searches have taken, and their limit; related searches share one.

    They are a part of the request's budget, and no more than what is left of it.
    """

    def __init__(self, most: int = MOST_STEPS) -> None:
        self.spent = 0
        self.most = begin(self, most)

    @property
    def is_spent(self) -> bool:
        """Whether no step is left."""
        return self.spent >= self.most


Known = dict[Hashable, bool]
"""Which subproblems can be satisfied, so that none is searched twice."""


class ClauseIndex:
    """The clauses of a problem, indexed by their settings."""

    def __init__(self, clauses: Iterable[Clause], effort: Effort | None = None) -> None:
        self.clauses = tuple(clauses)
        self.effort = effort or Effort()
        self.known: Known = {}
        self.of: dict[str, list[Clause]] = {}
        for clause in self.clauses:
            for name, _ in clause.literals:
                self.of.setdefault(name, []).append(clause)

    def narrow(
        self, domains: Domains, changed: Iterable[str] | None = None, steps: list[Removal] | None = None
    ) -> None:
        """Narrow `domains` in place to the fixpoint; start with the clauses of `changed`, else with all.

        Appends every removal to `steps`. Raises DeadEndError when a clause cannot be satisfied.
        """
        trail = steps if steps is not None else []
        waiting = (
            list(self.clauses) if changed is None else [c for name in changed for c in self.of.get(name, ())]
        )
        while waiting:
            clause = waiting.pop()
            self.effort.spent += 1
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
                    trail.append(Removal(name, domains[name], after, clause))
                    domains[name] = after
                    waiting.extend(self.of[name])
