"""What statements mean, apart from where they stand and why.

A statement is a record of names, tuples and plain values. Its *meaning* is the same without the places in it (`Span`),
and of a reason that a policy gives (`Reason`) it has only whether there is one. Both are known by their kinds, so no
statement has to say what its meaning is, and a new one has it. To say the same is to have equal meanings.

Places and reasons stand beside the meaning. They are listed in the order of the fields, so those of statements that say
the same correspond to each other, one by one.
"""

from collections.abc import Iterator
from operator import eq

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.language.syntax import Name, Reason

Meaning = tuple[object, ...]
"""The meaning of a statement, or of several. It is hashable, and those of statements can be sorted: what is not there
is (), like no names."""


def meaning(value: tuple[object, ...]) -> Meaning:
    """The meaning of a record, or of a tuple of records. It begins with the kind of a record."""
    kind = type(value)
    if kind is Reason:
        return (bool(value.text.strip()),)  # type: ignore[attr-defined]  # the check of the kind is by identity, for speed
    inner = [
        () if part is None else meaning(part) if isinstance(part, tuple) else part
        for part in value
        if part.__class__ is not Span
    ]
    return tuple(inner) if kind is tuple else (kind.__name__, *inner)


def places_in(value: tuple[object, ...]) -> Iterator[Span]:
    """All places in a record, or in a tuple of records, in the order of the fields."""
    for part in value:
        if isinstance(part, Span):
            yield part
        elif isinstance(part, tuple):
            yield from places_in(part)


def is_unmoved(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    """Whether records, or tuples of them, say the same at the same places."""
    return before == now and all(map(eq, places_in(before), places_in(now)))


def reasons_in(value: tuple[object, ...]) -> Iterator[str]:
    """The texts of all reasons in a record, or in a tuple of records, in the order of the fields."""
    for part in value:
        kind = part.__class__
        if kind is Reason:
            yield part.text  # type: ignore[attr-defined]  # by identity, for speed, as the names and places that are passed over
        elif kind is not Name and kind is not Span and isinstance(part, tuple):
            yield from reasons_in(part)
