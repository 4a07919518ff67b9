"""Sets of situations as integers.

A situation stands for contexts that no condition in question distinguishes: a host of a fleet, or everything that a
policy could state to the same effect. Situations are numbered, and a set of them is an integer with bit i for situation
i, so that "and", "or" and "not" of conditions are single operations on all situations.
"""

from collections.abc import Iterable

from setpoint.compiler.knowledge.model import Box, Knowledge
from setpoint.compiler.record import NamedTuple

FactPairs = tuple[tuple[str, str], ...]
"""Facts with their values, sorted by fact; unknown facts are left out."""


class Situation(NamedTuple):
    """Contexts that no condition in question distinguishes: their number, and statements that lead to one of them."""

    stated: FactPairs
    contexts: int


class Space(NamedTuple):
    """The situations of a question. `situations_by_condition[box]` is the set of those in which the condition holds.

    If the situations of some settings are apart from those of others, `scopes` has those of each setting, and `total`
    the number of contexts that all situations of one setting stand for.
    """

    situations: tuple[Situation, ...]
    situations_by_condition: dict[Box, int]
    scopes: dict[str, int] | None = None
    total: int = 0

    @property
    def everywhere(self) -> int:
        """The set of all situations."""
        return (1 << len(self.situations)) - 1

    def where(self, box: Box) -> int:
        """The situations in which a condition on facts holds. Raises KeyError for one not in question."""
        return self.situations_by_condition[box]

    def scope(self, settings: Iterable[str]) -> int:
        """The situations that are about all of these settings."""
        where = self.everywhere
        if self.scopes is not None:
            for name in settings:
                where &= self.scopes.get(name, where)
        return where

    def all_contexts(self) -> int:
        """The number of contexts that all situations stand for, each counted once."""
        return self.total or self.contexts(self.everywhere)

    def contexts(self, where: int) -> int:
        """The number of contexts that a set of situations stands for."""
        return sum(self.situations[i].contexts for i in numbers(where))

    def block(self, first: int, size: int) -> "Space":
        """A block of neighbouring situations on its own, numbered from 0."""
        within = (1 << size) - 1
        return Space(
            self.situations[first : first + size],
            {box: where >> first & within for box, where in self.situations_by_condition.items()},
            None if self.scopes is None else {n: where >> first & within for n, where in self.scopes.items()},
            self.total,
        )

    def simplest(self, where: int) -> Situation:
        """The situation of a set with the fewest statements. Raises ValueError for the empty set."""
        return min((self.situations[i] for i in numbers(where)), key=lambda s: (len(s.stated), s.stated))


def numbers(where: int) -> Iterable[int]:
    """The numbers of the situations in a set."""
    while where:
        bit = where & -where
        yield bit.bit_length() - 1
        where ^= bit


def facts_of(knowledge: Knowledge, box: Box) -> Box:
    """The part of a condition that is about facts."""
    kinds = knowledge.kinds
    return tuple([condition for condition in box if condition[0] in kinds])  # a list, for the many
