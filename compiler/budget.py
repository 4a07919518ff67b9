"""The work that one request may cost: counted, so that every machine stops at the same point.

A policy of a pull request can ask for more work than anybody waits for. So what dominates the work is counted in
*steps*, each about a microsecond: a plan, a look of a search at a clause (`resolution/narrow.py`), and a comparison of
two conditions (`knowledge/boxes.py`). A request opens a budget (`limited`), and each subject that it plans adds the
steps of its own plan (`grant`), since a fleet of many hosts is a larger request and no harder one. When it is spent,
`BudgetSpentError` ends what is under way, and whoever began that says what was not examined (E0806). It is no
SetpointError, so that nobody takes it for a finding of the policy.

Work that others wait for *looks up* now and then, where it spends, and at each line and each declaration that it reads.
What is to happen then is up to whoever began it (`looking_up`): the language server ends there what nobody waits for
any more.

Without a request around it, a plan has a budget of its own. The limits of a single search (decision 0012) remain: a
search has what is left, and at most that.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.hints import Protocol

MOST = 10_000_000
"""The steps of a check on the command line: some ten seconds."""

MOST_AT_ONCE = 3_000_000
"""The steps of an answer that somebody waits for while typing: one to three seconds."""

PLAN = 20_000
"""What a plan costs before any search, in steps."""

SPENT = "E0806"
"""The code of what was not examined."""


class BudgetSpentError(Exception):
    """No work is left for this request."""


class Search(Protocol):
    """Something that counts its own steps while it works, since each step is short."""

    spent: int


class Budget:
    """The steps that are left, and what the others were spent on."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.spent: Counter[str] = Counter()
        self.searches: list[Search] = []

    @property
    def left(self) -> int:
        """The steps that are left; 0 or less if there are none."""
        return self.most - self.spent.total() - sum(search.spent for search in self.searches)

    def settle(self) -> None:
        """Count the steps of searches that have ended. Raises BudgetSpentError if none is left."""
        searched = sum(search.spent for search in self.searches)
        self.searches.clear()
        self.spend("searches", searched)

    def spend(self, on: str, steps: int) -> None:
        """Count steps. Raises BudgetSpentError if none is left afterwards."""
        look_up()
        self.spent[on] += steps
        if self.left <= 0:
            raise BudgetSpentError

    def finding(self, what: str, at: Span) -> Diagnostic:
        """What was not examined, since the budget is spent (E0806)."""
        return Diagnostic(
            SPENT,
            f"cannot examine {what}: the budget of this request, {self.most:,} steps, is spent",
            at,
            "not examined",
            notes=("spent on " + ", ".join(f"{on}: {n:,} steps" for on, n in sorted(self.spent.items())),),
            help=("ask for fewer plans: expect less under other facts, or divide the file",),
        )


_CURRENT: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def limited(most: int = MOST) -> Iterator[Budget]:
    """The budget of a request; the one that is open already, if there is one."""
    opened = _CURRENT.get()
    if opened is not None:
        yield opened
        return
    budget = Budget(most)
    token = _CURRENT.set(budget)
    try:
        yield budget
    finally:
        _CURRENT.reset(token)


@contextmanager
def counted() -> Iterator[Budget]:
    """Count what is spent meanwhile, apart from the request: each use of a remembered result spends as much."""
    budget = Budget(sys.maxsize)
    token = _CURRENT.set(budget)
    try:
        yield budget
    finally:
        _CURRENT.reset(token)
    budget.settle()


def grant() -> None:
    """Add to the budget of the request what a further subject of it costs by itself."""
    if (budget := _CURRENT.get()) is not None:
        budget.most += PLAN


def spend(on: str, steps: int) -> None:
    """Count steps of the request that is under way, if any. Raises BudgetSpentError if none is left afterwards."""
    if (budget := _CURRENT.get()) is not None:
        budget.spend(on, steps)


def begin(search: Search, most: int) -> int:
    """How many of `most` steps a search may take that begins now; those that it takes are counted."""
    budget = _CURRENT.get()
    if budget is None:
        return most
    left = max(0, min(most, budget.left))
    budget.searches.append(search)
    return left


_LOOK: ContextVar[Callable[[], None] | None] = ContextVar("look", default=None)


@contextmanager
def looking_up(look: Callable[[], None]) -> Iterator[None]:
    """Call something whenever work looks up; the work ends by whatever that raises."""
    token = _LOOK.set(look)
    try:
        yield
    finally:
        _LOOK.reset(token)


def look_up() -> None:
    """Called by work between two steps, each of some milliseconds at most."""
    if (look := _LOOK.get()) is not None:
        look()
