"""All situations of a knowledge base: which contexts its conditions distinguish.

A question about the knowledge base involves some of its conditions. Contexts in which exactly the same conditions hold
are one situation, since they give the same answer. Situations are enumerated one group of facts at a time, and those
that no condition distinguishes are merged at once, so that billions of contexts become thousands of situations. Each
situation knows how many contexts it stands for, and the fewest statements with which a policy reaches it.
"""

from collections.abc import Hashable, Iterable, Iterator
from functools import reduce
from itertools import chain
from operator import and_, itemgetter
from typing import TypeVar

from setpoint.compiler.knowledge.model import Box, Knowledge
from setpoint.compiler.proof.bounds import MOST_SITUATIONS, TooManySituationsError
from setpoint.compiler.proof.combinations import BEFORE, Bases, Combination
from setpoint.compiler.proof.reachable import Group, GroupVariant
from setpoint.compiler.proof.sets.masks import include, union
from setpoint.compiler.proof.sets.space import FactPairs, Situation, Space, numbers

Signature = tuple[int, int, int]
"""The conditions that hold so far, and the outside conditions that must hold and must not hold in the end."""

Key = TypeVar("Key", bound=Hashable)

Growing = tuple[int, FactPairs]
"""A situation while facts are looked at: its number of contexts, and statements that lead to one of them."""

Merged = dict[Key, Growing]
"""Situations by what distinguishes them."""

NOTHING: Growing = (1, ())
"""The situation before any fact is looked at."""


def spaces(bases: Bases, groups: tuple[Group, ...], boxes: tuple[Iterable[Box], ...]) -> tuple[Space, ...]:
    """The situations that these conditions distinguish, numbered identically for each knowledge base.

    `boxes` has the conditions of each base, on facts only. Raises TooManySituationsError.
    """
    own = [tuple(dict.fromkeys(conditions)) for conditions in boxes]
    outside_conditions = [condition for group in groups for condition in group.outside_conditions]
    asked = [
        tuple(dict.fromkeys((*conditions, *(box for base, box in outside_conditions if base == number))))
        for number, conditions in enumerate(own)
    ]
    pairs = [(number, box) for number, conditions in enumerate(asked) for box in conditions]
    bits = {pair: 1 << i for i, pair in enumerate(reversed(pairs))}  # the first condition has the highest bit
    shown = _set_of(bits[number, box] for number, conditions in enumerate(own) for box in conditions)
    merged: Merged[Signature] = {((1 << len(bits)) - 1, 0, 0): NOTHING}
    by_fact = [_by_fact(number, conditions, bits) for number, conditions in enumerate(asked)]
    looked_at = [(group, _compatible_conditions(bases, by_fact, bits, group)) for group in groups]
    # Groups without conditions come first, where they take no time, and groups that others depend on.
    looked_at.sort(key=lambda pair: (any(pair[1]), -max(map(len, pair[0].classes.values()))))
    about = [_union_of_conditions(by_fact, group) for group, _ in looked_at]
    outside = [_set_of(bits[pair] for pair in group.outside_conditions) for group, _ in looked_at]
    for number, (group, compatible) in enumerate(looked_at, 1):
        merged = _joined_with(merged, group, compatible, bits)
        if about[number - 1] or outside[number - 1]:
            open_ = union(about[number:])
            merged = _settled(merged, open_, shown | open_ | union(outside[number:]))
    whole = {signature: situation for (signature, _, _), situation in merged.items()}
    in_order = sorted(whole.items(), reverse=True)
    situations = tuple(Situation(tuple(sorted(stated)), contexts) for _, (contexts, stated) in in_order)
    columns = dict(zip(bits, _columns([signature for signature, _ in in_order], len(bits)), strict=True))
    return tuple(
        Space(situations, {box: columns[number, box] for box in conditions})
        for number, conditions in enumerate(own)
    )


def _joined_with(
    merged: Merged[Signature],
    group: Group,
    compatible: "CompatibleConditions",
    bits: dict[tuple[int, Box], int],
) -> Merged[Signature]:
    """The situations so far, each with those of one more group of facts. Raises TooManySituationsError."""
    situations: Merged[Signature] = {}
    for holds, variant in group.variants.items():
        outside = list(zip((bits[pair] for pair in group.outside_conditions), holds, strict=True))
        true = _set_of(bit for bit, is_true in outside if is_true)
        false = _set_of(bit for bit, is_true in outside if is_true is False)
        joined = _Joining(_situations_of(group, variant, compatible))
        for (before, must, must_not), (contexts, stated) in merged.items():
            if true & ~before:
                continue
            needed, excluded, rest = must | true, must_not | false, before & ~joined.asked
            for signature, (times, further) in joined.with_those(before):
                both = signature | rest
                if needed & ~both:
                    continue
                key = both, needed, excluded
                earlier = situations.get(key)  # as `_add`, for the many
                if earlier is None:
                    situations[key] = contexts * times, stated + further
                elif len(earlier[1]) <= len(stated) + len(further):
                    situations[key] = earlier[0] + contexts * times, earlier[1]
                else:
                    situations[key] = earlier[0] + contexts * times, stated + further
            if len(situations) > MOST_SITUATIONS:
                raise TooManySituationsError
    return situations


def _settled(merged: Merged[Signature], open_: int, kept: int) -> Merged[Signature]:
    """The situations so far, by the conditions that are `kept` apart, which are also those that are still open. What
    must hold, and what must not, is decided for all others.
    """
    settled: Merged[Signature] = {}
    for (signature, must, must_not), situation in merged.items():
        if not must_not & signature & ~open_:
            _add(settled, (signature & kept, must & open_, must_not & open_), situation)
    return settled


class _Joining:
    """The situations of one group of facts, merged further where others already rule out what distinguishes them."""

    def __init__(self, here: Merged[int]) -> None:
        self._here = here
        self.asked = ~reduce(and_, here, -1)
        """The conditions that some of them rule out."""
        self._merged: dict[int, list[tuple[int, Growing]]] = {}

    def with_those(self, before: int) -> list[tuple[int, Growing]]:
        """Which of the conditions that are asked here hold together with a signature of other groups, each with the
        situation of this group."""
        open_ = before & self.asked
        merged = self._merged.get(open_)
        if merged is None:
            situations: Merged[int] = {}
            for signature, situation in self._here.items():
                _add(situations, signature & open_, situation)
            merged = self._merged[open_] = list(situations.items())
        return merged


def _add(merged: Merged[Key], key: Key, situation: Growing) -> None:
    """Add a situation. Those with the same key are merged, and shown by the fewest statements."""
    earlier = merged.get(key)
    if earlier is not None:
        shown = earlier[1] if len(earlier[1]) <= len(situation[1]) else situation[1]
        situation = earlier[0] + situation[0], shown
    merged[key] = situation


def _set_of(bits: Iterable[int]) -> int:
    """The set of these conditions, which may repeat."""
    conditions = 0
    for bit in bits:
        conditions |= bit
    return conditions


def count_contexts(bases: Bases, groups: tuple[Group, ...]) -> int:
    """The number of contexts."""
    first, *_ = spaces(bases, groups, ((),) * len(bases))
    return first.contexts(first.everywhere)


def reachable_variants(bases: Bases, groups: tuple[Group, ...]) -> Iterator[GroupVariant]:
    """The variants of each group that some policy reaches."""
    for number, group in enumerate(groups):
        for holds, variant in group.variants.items():
            alone = (*groups[:number], group.of_variant(holds), *groups[number + 1 :])
            if not group.outside_conditions or count_contexts(bases, alone):
                yield variant


CompatibleConditions = list[dict[str, dict[str, int]]]
"""For each knowledge base, fact and value ("" for none): the conditions that it does not rule out, one bit each."""


def _by_fact(
    number: int, asked: tuple[Box, ...], bits: dict[tuple[int, Box], int]
) -> dict[str, dict[int, int]]:
    """The conditions of a knowledge base by the facts that they name, and the values of these that fulfil them."""
    by_fact: dict[str, dict[int, int]] = {}
    for box in asked:
        bit = bits[number, box]
        for fact, mask in box:
            include(by_fact.setdefault(fact, {}), mask, bit)
    return by_fact


def _union_of_conditions(by_fact: list[dict[str, dict[int, int]]], group: Group) -> int:
    """The conditions that name a fact of a group."""
    return union(
        bit for own in by_fact for fact in own.keys() & set(group.columns) for bit in own[fact].values()
    )


def _compatible_conditions(
    bases: Bases, by_fact: list[dict[str, dict[int, int]]], bits: dict[tuple[int, Box], int], group: Group
) -> CompatibleConditions:
    everything = (1 << len(bits)) - 1
    compatible: CompatibleConditions = []
    for base, own in zip(bases, by_fact, strict=True):
        by_value: dict[str, dict[str, int]] = {}
        for fact in sorted(own.keys() & set(group.columns)):
            values = ("", *_values(base, fact))
            fulfilled = dict.fromkeys(values, everything & ~union(own[fact].values()))
            for mask, conditions in own[fact].items():
                for place in numbers(mask):
                    fulfilled[values[place]] |= conditions
            by_value[fact] = fulfilled
        compatible.append(by_value)
    return compatible


def _values(knowledge: Knowledge, column: str) -> tuple[str, ...]:
    """The values of a fact, which may be that of a column for what is known before anything is assumed."""
    return knowledge.variables[column.removesuffix(BEFORE)].values


def _situations_of(group: Group, variant: GroupVariant, compatible: CompatibleConditions) -> Merged[int]:
    """The situations that the facts of one group distinguish. Different questions ask the same of many groups."""
    asked = tuple(
        tuple((fact, *by_value.items()) for fact, by_value in by_fact.items()) for by_fact in compatible
    )
    if asked not in variant.situations:
        variant.situations[asked] = _distinguished(group, variant, compatible)
    return variant.situations[asked]


def _distinguished(group: Group, variant: GroupVariant, compatible: CompatibleConditions) -> Merged[int]:
    """The same, found out.

    A combination represents all values of a class by its first; values that the conditions distinguish are separated
    here.
    """
    columns = [fact for by_fact in compatible for fact in by_fact]
    facts = tuple(dict.fromkeys(columns))
    splits = [_Splits(group, compatible, fact) for fact in facts]
    asked = [itemgetter(*(place for place, other in enumerate(columns) if other == fact)) for fact in facts]
    contexts: dict[int, int] = {}
    simplest: dict[int, tuple[Combination, dict[str, str]]] = {}
    for known, combination in variant.projected(tuple(tuple(by_fact) for by_fact in compatible)).items():
        row = tuple(chain.from_iterable(known))
        signature = -1
        divided: list[tuple[str, list[tuple[int, int, str]]]] = []
        values = row if len(facts) == len(columns) else [value_in(row) for value_in in asked]
        for fact, split, value in zip(facts, splits, values, strict=True):
            classes = split[value]
            if len(classes) == 1:
                signature &= classes[0][0]
            else:
                divided.append((fact, classes))
        for part, number, chosen in _parts(signature, combination.weight, divided):
            contexts[part] = contexts.get(part, 0) + number
            before_ = simplest.get(part)
            if before_ is None or len(combination.stated) < len(before_[0].stated):
                simplest[part] = combination, chosen
    return {signature: (number, _stating(*simplest[signature])) for signature, number in contexts.items()}


def _parts(
    signature: int, weight: int, divided: list[tuple[str, list[tuple[int, int, str]]]]
) -> list[tuple[int, int, dict[str, str]]]:
    """A combination in parts, by the values of its classes that the conditions distinguish.

    Each part has its signature, the number of its contexts, and a value for each of those facts.
    """
    parts: list[tuple[int, int, dict[str, str]]] = [(signature, 1, {})]
    for fact, classes in divided:
        weight //= sum(number for _, number, _ in classes)
        parts = [
            (before & here, times * number, {**chosen, fact: value})
            for before, times, chosen in parts
            for here, number, value in classes
        ]
    return [(signature, weight * times, chosen) for signature, times, chosen in parts]


def _stating(combination: Combination, chosen: dict[str, str]) -> FactPairs:
    """The statements of a combination with other values of the same classes."""
    return tuple((fact, chosen.get(fact, value)) for fact, value in combination.stated)


class _Splits(dict[str | tuple[str, ...], list[tuple[int, int, str]]]):
    """For values of a fact that each represent a class: the values of the class, as the conditions distinguish them.

    Where several knowledge bases have conditions on the fact, the representative in each of them. A part of a class has
    the conditions that its values do not rule out, their number, and one of them.
    """

    def __init__(self, group: Group, compatible: CompatibleConditions, fact: str) -> None:
        super().__init__()
        self._conditions = [by_fact[fact] for by_fact in compatible if fact in by_fact]
        self._classes = {names[0]: names for names in group.classes.get(fact, ())}

    def __missing__(self, value: str | tuple[str, ...]) -> list[tuple[int, int, str]]:
        values = (value,) if isinstance(value, str) else value
        names = self._classes.get(values[0], (values[0],))
        counts: dict[int, tuple[int, str]] = {}
        for name in names:
            signature = -1
            for by_value, own in zip(self._conditions, values, strict=True):
                signature &= by_value[name if len(names) > 1 else own]
            number, first = counts.get(signature, (0, name))
            counts[signature] = number + 1, first
        self[value] = [(signature, number, name) for signature, (number, name) in counts.items()]
        return self[value]


def _columns(signatures: list[int], width: int) -> list[int]:
    """Transpose the signatures: for each condition, the set of situations in which it holds."""
    if not signatures:
        return [0] * width
    text = "".join(format(signature, f"0{width}b") for signature in reversed(signatures))
    return [int(text[width - 1 - i :: width], 2) for i in range(width)]
