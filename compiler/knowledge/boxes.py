"""Conditions as boxes, and their algebra.

Everything that a condition can name is a *variable* with a finite domain: a fact (`cpu`), a setting (`turbo`), an
effect (the combined result of several layers). A set of values of a variable is an integer, one bit per value. Bit 0 is
special: for a fact it means *not stated*, for a setting *absent* (the platform does not have it). Values of a tree
(`x5670` within `westmere`) have a bit each, and the set for `westmere` contains the bits of all values below it.

A condition is a *box*: the set of allowed values for some of the variables. With boxes, "both can apply" and "is
narrower" are exact, and take one loop each.
"""

from collections.abc import Iterable, Mapping, Sequence

from setpoint.compiler.budget import spend
from setpoint.compiler.hints import Protocol, TypeVar

Box = tuple[tuple[str, int], ...]
"""Conditions, sorted by variable: the variable must lie in the set of values."""

UNSTATED = 1
"""The bit of a fact that is not stated, and of a setting that the platform does not have."""


ANY = "any"
"""In place of a value: in a condition any value, which requires nothing; in a spelling those that are not listed."""


def several(values: int) -> bool:
    """Whether a set has more than one value."""
    return bool(values & (values - 1))


class Conditional(Protocol):
    """A record with a condition: `when` as written, `closed` with everything that follows from it."""

    @property
    def when(self) -> Box: ...

    @property
    def closed(self) -> Box: ...


PAIR = 2
"""What it costs to compare two conditions, in steps of a budget."""


def narrower(a: Conditional, b: Conditional) -> bool:
    """Whether the condition of `a` is strictly inside that of `b`, in all possible contexts."""
    return covers(b.when, a.closed) and not covers(a.when, b.closed)


Statement = TypeVar("Statement", bound=Conditional)


def narrowest(statements: Sequence[Statement]) -> list[Statement]:
    """The statements for which none of the others has a narrower condition.

    Each condition is compared once, however many statements have it.
    """
    if len(statements) < 2:  # nearly always; each plan asks some hundred times
        return list(statements)
    conditions = one_of_each_condition(statements)
    spend("comparisons of conditions", len(conditions) ** 2 * PAIR)
    closed = {condition: dict(condition[1]) for condition in conditions}
    narrow_conditions = {
        condition
        for condition, follows in closed.items()
        if not any(
            _covers(condition[0], others) and not _covers(other[0], follows)
            for other, others in closed.items()
        )
    }
    return [statement for statement in statements if (statement.when, statement.closed) in narrow_conditions]


def one_of_each_condition(statements: Iterable[Statement]) -> dict[tuple[Box, Box], Statement]:
    """The first statement with each condition."""
    firsts: dict[tuple[Box, Box], Statement] = {}
    for statement in statements:
        firsts.setdefault((statement.when, statement.closed), statement)
    return firsts


def covers(outer: Box, inner: Box) -> bool:
    """Whether every context in box `inner` is in box `outer`."""
    return _covers(outer, dict(inner))


def _covers(outer: Box, within: dict[str, int]) -> bool:
    return all(name in within and not within[name] & ~mask for name, mask in outer)


def holds(box: Box, bits: Mapping[str, int]) -> bool:
    """Whether the facts of a context, or the values of a plan, lie in a box."""
    of = bits.get
    for name, mask in box:  # noqa: SIM110  # a generator takes twice the time, and a plan asks some hundred times
        if not of(name, UNSTATED) & mask:
            return False
    return True


def meet(a: Box, b: Box) -> Box | None:
    """The intersection of two boxes; None if it is empty."""
    both = dict(a)
    for name, mask in b:
        both[name] = both.get(name, mask) & mask
        if not both[name]:
            return None
    return tuple(sorted(both.items()))
