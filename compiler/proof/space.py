"""Contexts as numbered situations, and conditions as the set of situations in which they hold.

A question about the knowledge base involves some of its conditions. Contexts in which the very same of
these hold are one situation: whatever is asked, they answer alike. Situations are found group by group
of facts, merging what cannot be told apart as soon as it cannot, so that billions of contexts come
down to thousands of situations; each knows how many contexts it stands for, and the fewest statements
by which a policy gets into it.

A set of situations is an integer, bit i for situation i.
"""

from collections.abc import Iterable
from typing import NamedTuple

from setpoint.compiler.knowledge.model import UNSTATED, Box, Knowledge
from setpoint.compiler.proof.reachable import Bases, Group, Values


class Situation(NamedTuple):
    """Contexts that no condition in question tells apart: how many, and statements that lead to one of them."""

    stated: Values
    contexts: int


class Space(NamedTuple):
    """The situations of a question. `held[box]` is the set of those in which the condition holds."""

    situations: tuple[Situation, ...]
    held: dict[Box, int]

    @property
    def everywhere(self) -> int:
        """The set of all situations."""
        return (1 << len(self.situations)) - 1

    def where(self, box: Box) -> int:
        """The situations in which a condition on facts holds. Raises KeyError for one not in question."""
        return self.held[box]

    def contexts(self, where: int) -> int:
        """How many contexts a set of situations stands for."""
        return sum(self.situations[i].contexts for i in numbers(where))

    def simplest(self, where: int) -> Situation:
        """Of a set of situations the one that takes the fewest statements. Raises ValueError for the empty set."""
        return min((self.situations[i] for i in numbers(where)), key=lambda s: (len(s.stated), s.stated))


def numbers(where: int) -> Iterable[int]:
    """The numbers of the situations in a set."""
    while where:
        bit = where & -where
        yield bit.bit_length() - 1
        where ^= bit


def facts_of(knowledge: Knowledge, box: Box) -> Box:
    """The part of a condition that speaks of facts."""
    return tuple((name, mask) for name, mask in box if name in knowledge.kinds)


def spaces(bases: Bases, groups: tuple[Group, ...], boxes: tuple[Iterable[Box], ...]) -> tuple[Space, ...]:
    """The situations that these conditions tell apart, numbered alike for each knowledge base.

    `boxes` has the conditions of each base, on facts alone.
    """
    asked = [tuple(dict.fromkeys(own)) for own in boxes]
    width = sum(len(own) for own in asked)
    merged: dict[int, Situation] = {(1 << width) - 1: Situation((), 1)}
    for group in groups:
        looks = _looks(bases, asked, group)
        seen: dict[int, Situation] = {}
        for known, combination in group.seen(tuple(tuple(look) for look in looks)).items():
            _merge(seen, _signature(looks, known), combination.stated, combination.weight)
        found: dict[int, Situation] = {}
        for before, situation in merged.items():
            for here, other in seen.items():
                stated = situation.stated + other.stated
                _merge(found, before & here, stated, situation.contexts * other.contexts)
        merged = found
    situations = tuple(Situation(tuple(sorted(s.stated)), s.contexts) for s in merged.values())
    columns = _columns(list(merged), width)
    found_spaces, first = [], 0
    for own in asked:
        held = {box: columns[first + i] for i, box in enumerate(own)}
        found_spaces.append(Space(situations, held))
        first += len(own)
    return tuple(found_spaces)


def _merge(into: dict[int, Situation], signature: int, stated: Values, contexts: int) -> None:
    before = into.get(signature)
    if before is None:
        into[signature] = Situation(stated, contexts)
    else:
        shortest = before.stated if len(before.stated) <= len(stated) else stated
        into[signature] = Situation(shortest, before.contexts + contexts)


Looks = list[dict[str, dict[str, int]]]
"""For each knowledge base, fact and value ("" for none): the conditions that it leaves standing, one bit each."""


def _looks(bases: Bases, asked: list[tuple[Box, ...]], group: Group) -> Looks:
    width = sum(len(own) for own in asked)
    looks: Looks = []
    first = 0
    for base, own in zip(bases, asked, strict=True):
        by_fact: dict[str, dict[str, int]] = {}
        for i, box in enumerate(own):
            for name, mask in box:
                if name not in group.facts:
                    continue
                variable = base.variables[name]
                everything = (1 << width) - 1
                by_value = by_fact.setdefault(name, dict.fromkeys(("", *variable.values), everything))
                for value in by_value:
                    bit = variable.bit(value) if value else UNSTATED
                    if not bit & mask:
                        by_value[value] &= ~(1 << (first + i))
        looks.append(by_fact)
        first += len(own)
    return looks


def _signature(looks: Looks, known: tuple[tuple[str, ...], ...]) -> int:
    """The conditions that hold where the facts that they speak of have these values."""
    signature = -1
    for look, values in zip(looks, known, strict=True):
        for by_value, value in zip(look.values(), values, strict=True):
            signature &= by_value[value]
    return signature


def _columns(signatures: list[int], width: int) -> list[int]:
    """The signatures turned by a quarter: for each condition the set of situations in which it holds."""
    if not width:
        return []
    text = "".join(format(signature, f"0{width}b") for signature in reversed(signatures))
    return [int(text[width - 1 - i :: width], 2) for i in range(width)]
