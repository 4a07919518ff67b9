"""Distinct equality for the compiler's records.

The records are named tuples (docs/decisions/0006), and a tuple equals every other tuple of the same content: a citation
would equal a note with the same two texts, and a set or a dictionary would keep only one of them. `distinct` compares
the classes as well. Hashing and ordering stay those of the tuple: equal records still have equal hashes, and records of
one kind can still be sorted.
"""

from typing import TypeVar

Class = TypeVar("Class", bound=type)


def distinct(cls: Class) -> Class:
    """Make the records of a named tuple equal only to records of the same class."""
    cls.__eq__ = _equal  # type: ignore[assignment]
    cls.__ne__ = _unequal  # type: ignore[assignment]
    return cls


def _equal(self: tuple[object, ...], other: object) -> bool:
    return type(self) is type(other) and tuple.__eq__(self, other)


def _unequal(self: tuple[object, ...], other: object) -> bool:
    return type(self) is not type(other) or tuple.__ne__(self, other)
