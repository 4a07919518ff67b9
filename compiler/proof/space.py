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
from setpoint.compiler.proof.reachable import Bases, Combination, Group, Values


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
        seen = _seen(group, _looks(bases, asked, group))
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


def _seen(group: Group, looks: Looks) -> dict[int, Situation]:
    """The situations that the facts of a group make by themselves.

    A combination stands for any value of a class in the place of its first; here those that the conditions tell
    apart part again.
    """
    told = _Told(group, looks)
    asked = list(dict.fromkeys(fact for look in looks for fact in look))
    contexts: dict[int, int] = {}
    simplest: dict[int, tuple[Combination, dict[str, str]]] = {}
    for known, combination in group.seen(tuple(tuple(look) for look in looks)).items():
        valued = [dict(zip(look, values, strict=True)) for look, values in zip(looks, known, strict=True)]
        weight = combination.weight
        apart: list[tuple[int, int, dict[str, str]]] = [(-1, 1, {})]
        for fact in asked:
            classes = told.apart(fact, tuple(each.get(fact) for each in valued))
            weight //= sum(number for _, number, _ in classes)
            apart = [
                (before & here, times * number, {**chosen, fact: value} if len(classes) > 1 else chosen)
                for before, times, chosen in apart
                for here, number, value in classes
            ]
        for signature, times, chosen in apart:
            contexts[signature] = contexts.get(signature, 0) + weight * times
            before_ = simplest.get(signature)
            if before_ is None or len(combination.stated) < len(before_[0].stated):
                simplest[signature] = combination, chosen
    return {
        signature: Situation(_stating(*simplest[signature]), number) for signature, number in contexts.items()
    }


def _stating(combination: Combination, chosen: dict[str, str]) -> Values:
    """The statements of a combination with other values of the same classes."""
    return tuple((fact, chosen.get(fact, value)) for fact, value in combination.stated)


class _Told:
    """What the conditions tell apart of the values that are alike to facts."""

    def __init__(self, group: Group, looks: Looks) -> None:
        self.looks = looks
        self.alike = {(fact, names[0]): names for fact in group.facts for names in group.alike[fact]}
        self._apart: dict[tuple[str, tuple[str | None, ...]], list[tuple[int, int, str]]] = {}

    def apart(self, fact: str, values: tuple[str | None, ...]) -> list[tuple[int, int, str]]:
        """Of the values that one stands for: the conditions that they leave standing, how many do, and one of them.

        `values` has the one in each knowledge base that asks of the fact, None in one that does not.
        """
        key = fact, values
        if key not in self._apart:
            one = next(value for value in values if value is not None)
            names = self.alike.get((fact, one), (one,))
            found: dict[int, tuple[int, str]] = {}
            for name in names:
                signature = -1
                for look, value in zip(self.looks, values, strict=True):
                    if value is not None:
                        signature &= look[fact][name if len(names) > 1 else value]
                number, first = found.get(signature, (0, name))
                found[signature] = number + 1, first
            self._apart[key] = [(signature, number, name) for signature, (number, name) in found.items()]
        return self._apart[key]


def _columns(signatures: list[int], width: int) -> list[int]:
    """The signatures turned by a quarter: for each condition the set of situations in which it holds."""
    if not width:
        return []
    text = "".join(format(signature, f"0{width}b") for signature in reversed(signatures))
    return [int(text[width - 1 - i :: width], 2) for i in range(width)]
