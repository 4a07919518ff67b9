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
from typing import Generic, TypeVar

from setpoint.compiler.knowledge.model import Box, Knowledge
from setpoint.compiler.proof.bounds import MOST_SITUATIONS, TooManySituationsError
from setpoint.compiler.proof.combinations import BEFORE, Bases, Combination
from setpoint.compiler.proof.reachable import Group, GroupVariant
from setpoint.compiler.resolution.sets.space import FactPairs, Situation, Space, numbers

Signature = tuple[int, int, int]
"""The conditions that hold so far, and the outside conditions that must hold and must not hold in the end."""

Key = TypeVar("Key", bound=Hashable)

NOTHING = Situation((), 1)
"""The situation before any fact is looked at."""


def spaces(bases: Bases, groups: tuple[Group, ...], boxes: tuple[Iterable[Box], ...]) -> tuple[Space, ...]:
    """The situations that these conditions distinguish, numbered identically for each knowledge base.

    `boxes` has the conditions of each base, on facts only. Raises TooManySituationsError.
    """
    own = [tuple(dict.fromkeys(each)) for each in boxes]
    outside_conditions = [condition for group in groups for condition in group.outside_conditions]
    asked = [
        tuple(dict.fromkeys((*each, *(box for base, box in outside_conditions if base == number))))
        for number, each in enumerate(own)
    ]
    pairs = [(number, box) for number, each in enumerate(asked) for box in each]
    bits = {pair: 1 << i for i, pair in enumerate(reversed(pairs))}  # the first condition has the highest bit
    shown = _set_of(bits[number, box] for number, each in enumerate(own) for box in each)
    merged: dict[Signature, Situation] = {((1 << len(bits)) - 1, 0, 0): NOTHING}
    looked_at = [(group, _compatible_conditions(bases, asked, bits, group)) for group in groups]
    # Groups without conditions come first, where they take no time, and groups that others depend on.
    for group, compatible in sorted(
        looked_at, key=lambda each: (any(each[1]), len(each[0].outside_conditions))
    ):
        found: _MergedSituations[Signature] = _MergedSituations()
        for holds, variant in group.variants.items():
            true = _set_of(
                bits[pair] for pair, is_true in zip(group.outside_conditions, holds, strict=True) if is_true
            )
            false = _set_of(
                bits[pair]
                for pair, is_true in zip(group.outside_conditions, holds, strict=True)
                if not is_true
            )
            joined = _Joining(_situations_of(group, variant, compatible))
            for (before, must, must_not), situation in merged.items():
                if true & ~before:
                    continue
                for both, other in joined.with_those(before):
                    if not (must | true) & ~both:
                        found.add((both, must | true, must_not | false), situation, other)
                if len(found) > MOST_SITUATIONS:
                    raise TooManySituationsError
        merged = found.situations()
    whole: _MergedSituations[int] = _MergedSituations()
    for (signature, _, must_not), situation in merged.items():
        if not must_not & signature:
            whole.add(signature & shown, situation, NOTHING)
    in_order = sorted(whole.situations().items(), reverse=True)
    situations = tuple(Situation(tuple(sorted(s.stated)), s.contexts) for _, s in in_order)
    columns = dict(zip(bits, _columns([signature for signature, _ in in_order], len(bits)), strict=True))
    return tuple(
        Space(situations, {box: columns[number, box] for box in each}) for number, each in enumerate(own)
    )


class _Joining:
    """The situations of one group of facts, merged further where others already rule out what distinguishes them."""

    def __init__(self, here: dict[int, Situation]) -> None:
        self._here = here
        self._asked = ~reduce(and_, here, -1)  # the conditions that some of them rule out
        self._merged: dict[int, list[tuple[int, Situation]]] = {}

    def with_those(self, before: int) -> list[tuple[int, Situation]]:
        """The signatures of these together with one of other groups, each with the situation of this group."""
        open_ = before & self._asked
        merged = self._merged.get(open_)
        if merged is None:
            found: _MergedSituations[int] = _MergedSituations()
            for signature, situation in self._here.items():
                found.add(signature & open_, situation, NOTHING)
            merged = self._merged[open_] = list(found.situations().items())
        rest = before & ~self._asked
        return [(signature | rest, situation) for signature, situation in merged]


class _MergedSituations(Generic[Key]):
    """Situations by key: those with the same key are merged, and shown by the fewest statements."""

    def __init__(self) -> None:
        self._contexts: dict[Key, int] = {}
        self._shortest: dict[Key, tuple[int, FactPairs, FactPairs]] = {}

    def __len__(self) -> int:
        return len(self._contexts)

    def add(self, key: Key, a: Situation, b: Situation) -> None:
        """Add the combination of two situations."""
        length = len(a.stated) + len(b.stated)
        if key in self._contexts:
            self._contexts[key] += a.contexts * b.contexts
            if self._shortest[key][0] <= length:
                return
        else:
            self._contexts[key] = a.contexts * b.contexts
        self._shortest[key] = length, a.stated, b.stated

    def situations(self) -> dict[Key, Situation]:
        """The merged situations by key."""
        return {
            key: Situation(self._shortest[key][1] + self._shortest[key][2], contexts)
            for key, contexts in self._contexts.items()
        }


def _set_of(bits: Iterable[int]) -> int:
    """The set of these conditions, which may repeat."""
    found = 0
    for bit in bits:
        found |= bit
    return found


def count_contexts(bases: Bases, groups: tuple[Group, ...]) -> int:
    """The number of contexts."""
    first, *_ = spaces(bases, groups, ((),) * len(bases))
    return first.contexts(first.everywhere)


def reachable_variants(bases: Bases, groups: tuple[Group, ...]) -> Iterator[tuple[Group, GroupVariant]]:
    """The variants of each group that some policy reaches."""
    outside_conditions = tuple(
        [box for group in groups for base, box in group.outside_conditions if base == number]
        for number in range(len(bases))
    )
    found = spaces(bases, groups, outside_conditions)
    for group in groups:
        for holds, variant in group.variants.items():
            where = found[0].everywhere
            for (base, box), is_true in zip(group.outside_conditions, holds, strict=True):
                there = found[base].where(box)
                where &= there if is_true else ~there
            if where:
                yield group, variant


CompatibleConditions = list[dict[str, dict[str, int]]]
"""For each knowledge base, fact and value ("" for none): the conditions that it does not rule out, one bit each."""


def _compatible_conditions(
    bases: Bases, asked: list[tuple[Box, ...]], bits: dict[tuple[int, Box], int], group: Group
) -> CompatibleConditions:
    everything = (1 << len(bits)) - 1
    compatible: CompatibleConditions = []
    for number, (base, own) in enumerate(zip(bases, asked, strict=True)):
        by_mask: dict[tuple[str, int], int] = {}
        for box in own:
            for condition in box:
                if condition[0] in group.columns:
                    by_mask[condition] = by_mask.get(condition, 0) | bits[number, box]
        facts = dict.fromkeys(name for name, _ in by_mask)
        conditions_on = {
            fact: _set_of(c for (name, _), c in by_mask.items() if name == fact) for fact in facts
        }
        by_value = {
            fact: dict.fromkeys(("", *_values(base, fact)), everything & ~conditions_on[fact])
            for fact in facts
        }
        for (fact, mask), conditions in by_mask.items():
            for place in numbers(mask):
                by_value[fact][_values(base, fact)[place - 1] if place else ""] |= conditions
        compatible.append(by_value)
    return compatible


def _values(knowledge: Knowledge, column: str) -> tuple[str, ...]:
    """The values of a fact, which may be that of a column for what is known before anything is assumed."""
    return knowledge.variables[column.removesuffix(BEFORE)].values


def _situations_of(
    group: Group, variant: GroupVariant, compatible: CompatibleConditions
) -> dict[int, Situation]:
    """The situations that the facts of one group distinguish. Different questions ask the same of many groups."""
    asked = tuple(
        tuple((fact, *by_value.items()) for fact, by_value in by_fact.items()) for by_fact in compatible
    )
    if asked not in variant.situations:
        variant.situations[asked] = _distinguished(group, variant, compatible)
    return variant.situations[asked]


def _distinguished(
    group: Group, variant: GroupVariant, compatible: CompatibleConditions
) -> dict[int, Situation]:
    """The same, found out.

    A combination represents all values of a class by its first; values that the conditions distinguish are separated here.
    """
    splitter = _Splitter(group, compatible)
    columns = [fact for by_fact in compatible for fact in by_fact]
    asked = [
        (fact, itemgetter(*(place for place, other in enumerate(columns) if other == fact)))
        for fact in dict.fromkeys(columns)
    ]
    contexts: dict[int, int] = {}
    simplest: dict[int, tuple[Combination, dict[str, str]]] = {}
    for known, combination in variant.projected(tuple(tuple(by_fact) for by_fact in compatible)).items():
        row = tuple(chain.from_iterable(known))
        signature, weight = -1, combination.weight
        divided: list[tuple[str, list[tuple[int, int, str]]]] = []
        for fact, value_in in asked:
            classes = splitter.split(fact, value_in(row))
            if len(classes) == 1:
                signature &= classes[0][0]
            else:
                divided.append((fact, classes))
        parts: list[tuple[int, int, dict[str, str]]] = [(signature, 1, {})]
        for fact, classes in divided:
            weight //= sum(number for _, number, _ in classes)
            parts = [
                (before & here, times * number, {**chosen, fact: value})
                for before, times, chosen in parts
                for here, number, value in classes
            ]
        for signature, times, chosen in parts:
            contexts[signature] = contexts.get(signature, 0) + weight * times
            before_ = simplest.get(signature)
            if before_ is None or len(combination.stated) < len(before_[0].stated):
                simplest[signature] = combination, chosen
    return {
        signature: Situation(_stating(*simplest[signature]), number) for signature, number in contexts.items()
    }


def _stating(combination: Combination, chosen: dict[str, str]) -> FactPairs:
    """The statements of a combination with other values of the same classes."""
    return tuple((fact, chosen.get(fact, value)) for fact, value in combination.stated)


class _Splitter:
    """Separates the values of an equivalence class that the conditions distinguish."""

    def __init__(self, group: Group, compatible: CompatibleConditions) -> None:
        self.compatible = compatible
        self.classes = {(fact, names[0]): names for fact in group.facts for names in group.classes[fact]}
        self._splits: dict[tuple[str, str | tuple[str, ...]], list[tuple[int, int, str]]] = {}

    def split(self, fact: str, value: str | tuple[str, ...]) -> list[tuple[int, int, str]]:
        """For the values of a class: the conditions that they do not rule out, how many values do so, and one of these values.

        `value` is the representative; where several knowledge bases have conditions on the fact, that in each of them.
        """
        key = fact, value
        if key not in self._splits:
            values = (value,) if isinstance(value, str) else value
            names = self.classes.get((fact, values[0]), (values[0],))
            conditions = [by_fact[fact] for by_fact in self.compatible if fact in by_fact]
            found: dict[int, tuple[int, str]] = {}
            for name in names:
                signature = -1
                for by_value, own in zip(conditions, values, strict=True):
                    signature &= by_value[name if len(names) > 1 else own]
                number, first = found.get(signature, (0, name))
                found[signature] = number + 1, first
            self._splits[key] = [(signature, number, name) for signature, (number, name) in found.items()]
        return self._splits[key]


def _columns(signatures: list[int], width: int) -> list[int]:
    """Transpose the signatures: for each condition, the set of situations in which it holds."""
    if not signatures:
        return [0] * width
    text = "".join(format(signature, f"0{width}b") for signature in reversed(signatures))
    return [int(text[width - 1 - i :: width], 2) for i in range(width)]
