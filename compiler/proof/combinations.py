"""The combinations of linked facts that policies can state, and what a knowledge base derives from each.

They are enumerated as policies would state them, one value for each class of equivalent ones, and completed by the
function that completes the facts of a policy. Statements that contradict each other are never combined.

No assumption rests on another one. So where an assumption about other facts has a condition on a fact that can be
assumed itself, it matters what is known of that fact before anything is assumed: a combination has this as a column of
its own.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from math import prod

from setpoint.compiler.binding.facts import Completion, related
from setpoint.compiler.knowledge.model import Knowledge, lineage
from setpoint.compiler.plan.model import FactEntry
from setpoint.compiler.proof.bounds import MOST_COMBINATIONS, TooManyCombinationsError
from setpoint.compiler.proof.sets.space import FactPairs
from setpoint.compiler.record import NamedTuple

Bases = tuple[Knowledge, ...]
"""One knowledge base, or the two that are compared."""


BEFORE = " before assumptions"
"""What the column of a fact that shows what is known before anything is assumed has behind its name. No fact has a
blank in its name."""

EquivalenceClasses = dict[str, tuple[tuple[str, ...], ...]]
"""For each fact, its values in classes that nothing distinguishes."""


class Derived(NamedTuple):
    """The values of facts that follow from statements, `before` anything is assumed and with assumptions, and the
    numbers of the assumptions in use.
    """

    before: dict[str, str]
    values: dict[str, str]
    used: frozenset[int]


class Combination(NamedTuple):
    """Facts that are possible together: what a policy states, and how many combinations this one represents (any value
    of a class can take the place of its first).
    """

    stated: FactPairs
    weight: int


Values = tuple[tuple[str, ...], ...]
"""The values of some facts in each knowledge base; "" for none."""

CombinationsByValues = dict[Values, Combination]
"""Combinations by the values that some facts have."""


def reachable_combinations(
    bases: Bases, group: tuple[str, ...], before: tuple[str, ...], classes: EquivalenceClasses
) -> Iterator[tuple[Values, Combination, frozenset[int]]]:
    """The reachable combinations of a group, each with the fewest statements that lead to it; and the assumptions of
    the first knowledge base in use, by number.

    After the facts they have a column for each of those in `before`.
    """
    numbers = [{names[0]: len(names) for names in classes[fact]} for fact in group]
    reached: CombinationsByValues = {}
    assumed: dict[Values, frozenset[int]] = {}
    prefixes = _prefixes(bases)
    for stated in fact_statements(bases, classes):
        completed = _completed(prefixes, stated)
        if completed is None:
            continue
        values = tuple(
            [  # lists, for the many
                (
                    *[derived.values.get(fact, "") for fact in group],
                    *[derived.before.get(fact, "") for fact in before],
                )
                for derived in completed
            ]
        )
        assumed[values] = assumed.get(values, frozenset()) | completed[0].used
        earlier = reached.get(values)
        if earlier is None or len(stated) < len(earlier.stated):
            weight = prod([alike.get(value, 1) for alike, value in zip(numbers, values[0], strict=False)])
            reached[values] = Combination(stated, weight)
    for values, combination in reached.items():
        yield values, combination, assumed[values]


def fact_statements(bases: Bases, by_fact: EquivalenceClasses) -> Iterator[FactPairs]:
    """What policies can state of these facts, one value for each class.

    Contradictory pairs are skipped, and pairs of which one implies the other: without it, the facts are the same.

    Raises TooManyCombinationsError beyond MOST_COMBINATIONS.
    """
    words = {fact: [(fact, names[0]) for names in classes] for fact, classes in by_fact.items()}
    clashes: dict[tuple[str, str], set[tuple[str, str]]] = {
        word: set() for own in words.values() for word in own
    }
    for a, b in combinations(clashes, 2):
        if a[0] != b[0] and (
            any(contradict(base, a, b) for base in bases) or all(_is_needless(base, a, b) for base in bases)
        ):
            clashes[a].add(b)
            clashes[b].add(a)

    def from_here(facts: list[str], stated: FactPairs) -> Iterator[FactPairs]:
        if not facts:
            yield stated
            return
        fact, rest = facts[0], facts[1:]
        if not bases[0].kinds[fact].required:
            yield from from_here(rest, stated)
        for word in words[fact]:
            if clashes[word].isdisjoint(stated):
                yield from from_here(rest, (*stated, word))

    for number, stated in enumerate(from_here(sorted(by_fact), ())):
        if number == MOST_COMBINATIONS:
            raise TooManyCombinationsError(tuple(sorted(by_fact)))
        yield stated


def contradict(knowledge: Knowledge, a: tuple[str, str], b: tuple[str, str]) -> bool:
    """Whether two stated facts contradict each other, whatever else is stated."""
    return _excludes(knowledge, a, b) or _excludes(knowledge, b, a)


def _is_needless(knowledge: Knowledge, a: tuple[str, str], b: tuple[str, str]) -> bool:
    """Whether one of two facts need not be stated beside the other, which implies it."""
    return any(
        not knowledge.kinds[implied[0]].required
        and any(implied in value.implies for value in lineage(knowledge, *stated))
        for stated, implied in ((a, b), (b, a))
    )


def _excludes(knowledge: Knowledge, a: tuple[str, str], b: tuple[str, str]) -> bool:
    below = knowledge.variables[b[0]].below(b[1])
    return any(
        any(fact == b[0] and not related(knowledge, fact, b[1], word) for fact, word in value.implies)
        or any(fact == b[0] and not below & mask for fact, mask in value.allows)
        for value in lineage(knowledge, *a)
    )


class Prefixes:
    """Derives the values of statements, fact by fact. Each statement shares those of its first facts with the last."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._completion = Completion(knowledge)
        self._stated: FactPairs = ()
        self._derived: list[dict[str, str] | None] = [{}]

    def of(self, stated: FactPairs) -> Derived | None:
        """The completed values and the assumptions in use; None if the statements contradict each other."""
        same = 0
        for before, now in zip(self._stated, stated, strict=False):
            if before != now:
                break
            same += 1
        del self._derived[same + 1 :]
        for fact, value in stated[same:]:
            known = self._derived[-1]
            self._derived.append(None if known is None else self._completion.derived(known, fact, value))
        self._stated = stated
        values = self._derived[-1]
        return None if values is None else Derived(values, *self._completion.assumed(values))


def _prefixes(bases: Bases) -> list[Prefixes]:
    """What completes the facts of each knowledge base; one and the same for those with equal facts."""
    pairs: list[tuple[Knowledge, Prefixes]] = []
    for base in bases:
        same = (prefixes for other, prefixes in pairs if _have_equal_facts(base, other))
        pairs.append((base, next(same, None) or Prefixes(base)))
    return [prefixes for _, prefixes in pairs]


def _have_equal_facts(a: Knowledge, b: Knowledge) -> bool:
    return (a.kinds, a.values, a.assumptions) == (b.kinds, b.values, b.assumptions)


def _completed(prefixes: Iterable[Prefixes], stated: FactPairs) -> list[Derived] | None:
    """What each knowledge base derives from these statements; None if they contradict each other in one of them."""
    derived: dict[Prefixes, Derived] = {}
    for completion in prefixes:
        if completion in derived:
            continue
        completed = completion.of(stated)
        if completed is None:
            return None
        derived[completion] = completed
    return [derived[completion] for completion in prefixes]


def fact_entries(stated: FactPairs) -> dict[str, FactEntry]:
    """Facts in the form in which a policy states them."""
    return {fact: _fact_entry(fact, value) for fact, value in stated}


@cache
def _fact_entry(fact: str, value: str) -> FactEntry:
    return FactEntry(fact, value, value, "stated", "")
