"""All situations of a knowledge base: which contexts its conditions tell apart.

A question about the knowledge base involves some of its conditions. Contexts in which exactly the same conditions hold
are one situation, since they give the same answer. Situations are enumerated one group of facts at a time, and those
that no condition tells apart are merged at once, so that billions of contexts become thousands of situations. Each
situation knows how many contexts it stands for, and the fewest statements with which a policy reaches it.
"""

from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from setpoint.compiler.knowledge.model import Box
from setpoint.compiler.proof.bounds import MOST_SITUATIONS, TooManySituationsError
from setpoint.compiler.proof.reachable import Bases, Combination, Group, Variant
from setpoint.compiler.resolution.sets.space import Situation, Space, Values, numbers

Supposing = tuple[int, int, int]
"""The conditions that hold so far, and those that in the end must hold and must not: what was assumed hangs on them."""

Key = TypeVar("Key", bound=Hashable)


def spaces(bases: Bases, groups: tuple[Group, ...], boxes: tuple[Iterable[Box], ...]) -> tuple[Space, ...]:
    """The situations that these conditions tell apart, numbered alike for each knowledge base.

    `boxes` has the conditions of each base, on facts alone. Raises TooManySituationsError.
    """
    own = [tuple(dict.fromkeys(each)) for each in boxes]
    elsewhere = [condition for group in groups for condition in group.elsewhere]
    asked = [
        tuple(dict.fromkeys((*each, *(box for base, box in elsewhere if base == number))))
        for number, each in enumerate(own)
    ]
    pairs = [(number, box) for number, each in enumerate(asked) for box in each]
    bits = {pair: 1 << i for i, pair in enumerate(reversed(pairs))}  # the first condition has the highest bit
    shown = _set_of(bits[number, box] for number, each in enumerate(own) for box in each)
    merged: dict[Supposing, Situation] = {((1 << len(bits)) - 1, 0, 0): Situation((), 1)}
    looked_at = [(group, _looks(bases, asked, bits, group)) for group in groups]
    # What nothing asks about comes first: it takes no time there. So does what others hang on.
    for group, looks in sorted(looked_at, key=lambda each: (any(each[1]), len(each[0].elsewhere))):
        found: _Merged[Supposing] = _Merged()
        for holds, variant in group.variants.items():
            true = _set_of(bits[pair] for pair, held in zip(group.elsewhere, holds, strict=True) if held)
            false = _set_of(bits[pair] for pair, held in zip(group.elsewhere, holds, strict=True) if not held)
            seen = _seen(group, variant, looks).items()
            for (before, must, must_not), situation in merged.items():
                if true & ~before:
                    continue
                for here, other in seen:
                    both = before & here
                    if not (must | true) & ~both:
                        found.add((both, must | true, must_not | false), situation, other)
                if len(found) > MOST_SITUATIONS:
                    raise TooManySituationsError
        merged = found.situations()
    whole: _Merged[int] = _Merged()
    nothing = Situation((), 1)
    for (signature, _, must_not), situation in merged.items():
        if not must_not & signature:
            whole.add(signature & shown, situation, nothing)
    in_order = sorted(whole.situations().items(), reverse=True)
    situations = tuple(Situation(tuple(sorted(s.stated)), s.contexts) for _, s in in_order)
    columns = dict(zip(bits, _columns([signature for signature, _ in in_order], len(bits)), strict=True))
    return tuple(
        Space(situations, {box: columns[number, box] for box in each}) for number, each in enumerate(own)
    )


class _Merged(Generic[Key]):
    """Situations by what is to be seen of them: those that look the same are one, shown by the fewest statements."""

    def __init__(self) -> None:
        self._contexts: dict[Key, int] = {}
        self._shortest: dict[Key, tuple[int, Values, Values]] = {}

    def __len__(self) -> int:
        return len(self._contexts)

    def add(self, key: Key, a: Situation, b: Situation) -> None:
        """Add a situation in which two others come together."""
        length = len(a.stated) + len(b.stated)
        if key in self._contexts:
            self._contexts[key] += a.contexts * b.contexts
            if self._shortest[key][0] <= length:
                return
        else:
            self._contexts[key] = a.contexts * b.contexts
        self._shortest[key] = length, a.stated, b.stated

    def situations(self) -> dict[Key, Situation]:
        """All that were added, each once."""
        return {
            key: Situation(self._shortest[key][1] + self._shortest[key][2], contexts)
            for key, contexts in self._contexts.items()
        }


def _set_of(bits: Iterable[int]) -> int:
    """A set of conditions, of which some may be named twice."""
    found = 0
    for bit in bits:
        found |= bit
    return found


def counted(bases: Bases, groups: tuple[Group, ...]) -> int:
    """How many contexts there are."""
    first, *_ = spaces(bases, groups, ((),) * len(bases))
    return first.contexts(first.everywhere)


def variants(bases: Bases, groups: tuple[Group, ...]) -> Iterator[tuple[Group, Variant]]:
    """The variants of each group that some policy comes to."""
    elsewhere = tuple(
        [box for group in groups for base, box in group.elsewhere if base == number]
        for number in range(len(bases))
    )
    found = spaces(bases, groups, elsewhere)
    for group in groups:
        for holds, variant in group.variants.items():
            where = found[0].everywhere
            for (base, box), held in zip(group.elsewhere, holds, strict=True):
                there = found[base].where(box)
                where &= there if held else ~there
            if where:
                yield group, variant


Looks = list[dict[str, dict[str, int]]]
"""For each knowledge base, fact and value ("" for none): the conditions that it leaves standing, one bit each."""


def _looks(
    bases: Bases, asked: list[tuple[Box, ...]], bits: dict[tuple[int, Box], int], group: Group
) -> Looks:
    everything = (1 << len(bits)) - 1
    looks: Looks = []
    for number, (base, own) in enumerate(zip(bases, asked, strict=True)):
        by_mask: dict[tuple[str, int], int] = {}
        for box in own:
            for condition in box:
                if condition[0] in group.facts:
                    by_mask[condition] = by_mask.get(condition, 0) | bits[number, box]
        facts = dict.fromkeys(name for name, _ in by_mask)
        asked_of = {fact: _set_of(c for (name, _), c in by_mask.items() if name == fact) for fact in facts}
        by_fact = {
            fact: dict.fromkeys(("", *base.variables[fact].values), everything & ~asked_of[fact])
            for fact in facts
        }
        for (fact, mask), conditions in by_mask.items():
            for place in numbers(mask):
                by_fact[fact][base.variables[fact].values[place - 1] if place else ""] |= conditions
        looks.append(by_fact)
    return looks


def _seen(group: Group, variant: Variant, looks: Looks) -> dict[int, Situation]:
    """The situations that the facts of a group make by themselves.

    A combination stands for any value of a class in the place of its first; here those that the conditions tell
    apart part again.
    """
    told = _Told(group, looks)
    asked = list(dict.fromkeys(fact for look in looks for fact in look))
    contexts: dict[int, int] = {}
    simplest: dict[int, tuple[Combination, dict[str, str]]] = {}
    for known, combination in variant.seen(tuple(tuple(look) for look in looks)).items():
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
