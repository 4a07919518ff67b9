"""The combinations of linked facts that policies can state, and what a knowledge base derives from each.

They are enumerated as policies would state them, one value for each class of equivalent ones, and completed by the function that
completes the facts of a policy. Statements that contradict each other are never combined.

No assumption rests on another one. So where an assumption about other facts has a condition on a fact that can be assumed
itself, it matters what is known of that fact before anything is assumed: a combination has this as a column of its own.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from math import prod

from setpoint.compiler.binding.facts import Completion, lineage, related
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.model import FactEntry
from setpoint.compiler.proof.bounds import MOST_COMBINATIONS, TooManyCombinationsError
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.resolution.sets.space import FactPairs

Bases = tuple[Knowledge, ...]
"""One knowledge base, or the two that are compared."""


BEFORE = " before assumptions"
"""What the column of a fact that shows what is known before anything is assumed has behind its name. No fact has a blank in its name."""

EquivalenceClasses = dict[str, tuple[tuple[str, ...], ...]]
"""For each fact, its values in classes that nothing distinguishes."""


@distinct
class Combination(NamedTuple):
    """Facts that are possible together: what a policy states, what each knowledge base derives, and how many combinations this
    one represents (any value of a class can take the place of its first).
    """

    stated: FactPairs
    known: tuple[FactPairs, ...]
    weight: int


def reachable_combinations(
    bases: Bases, group: tuple[str, ...], before: tuple[str, ...], classes: EquivalenceClasses
) -> tuple[tuple[Combination, ...], frozenset[Span]]:
    """The reachable combinations of a group, each with the fewest statements that lead to it; and the assumptions in use.

    They have a column more for each of the facts in `before`.
    """
    number = {(fact, names[0]): len(names) for fact in group for names in classes[fact]}
    found: dict[tuple[FactPairs, ...], Combination] = {}
    assumed: set[Span] = set()
    completions = _completions(bases)
    for stated in fact_statements(bases, classes):
        completed = _completed(completions, stated)
        if completed is None:
            continue
        known = tuple(
            tuple((fact, facts[fact].value) for fact in group if fact in facts) for facts in completed
        )
        weight = prod(number[each] for each in known[0])
        if before:
            known = tuple(
                (*own, *first) for own, first in zip(known, _before(completions, stated, before), strict=True)
            )
        assumed.update(
            entry.span for facts in completed for entry in facts.values() if entry.origin == "assumed"
        )
        if known not in found or len(stated) < len(found[known].stated):
            found[known] = Combination(stated, known, weight)
    return tuple(found.values()), frozenset(assumed)


def _before(completions: Iterable[Completion], stated: FactPairs, facts: tuple[str, ...]) -> list[FactPairs]:
    """What is known of these facts in each knowledge base before anything is assumed."""
    entries = fact_entries(stated)
    known = [completion.implied(entries) for completion in completions]
    return [tuple((fact + BEFORE, own[fact].value) for fact in facts if fact in own) for own in known]


def fact_statements(bases: Bases, by_fact: EquivalenceClasses) -> Iterator[FactPairs]:
    """What policies can state of these facts, one value for each class.

    Contradictory pairs are skipped, and pairs of which one implies the other: without it, the facts are the same.

    Raises TooManyCombinationsError beyond MOST_COMBINATIONS.
    """
    words = [(fact, names[0]) for fact, classes in by_fact.items() for names in classes]
    clashes = {
        (a, b)
        for a in words
        for b in words
        if a[0] < b[0]
        and (
            any(_contradict(base, a, b) for base in bases) or all(_is_needless(base, a, b) for base in bases)
        )
    }

    def from_here(facts: list[str], stated: FactPairs) -> Iterator[FactPairs]:
        if not facts:
            yield stated
            return
        fact, rest = facts[0], facts[1:]
        if not bases[0].kinds[fact].required:
            yield from from_here(rest, stated)
        for names in by_fact[fact]:
            if all((other, (fact, names[0])) not in clashes for other in stated):
                yield from from_here(rest, (*stated, (fact, names[0])))

    for number, stated in enumerate(from_here(sorted(by_fact), ())):
        if number == MOST_COMBINATIONS:
            raise TooManyCombinationsError(tuple(sorted(by_fact)))
        yield stated


def _contradict(knowledge: Knowledge, a: tuple[str, str], b: tuple[str, str]) -> bool:
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


def _completions(bases: Bases) -> list[Completion]:
    """What completes the facts of each knowledge base; one and the same for those with equal facts."""
    made: list[tuple[Knowledge, Completion]] = []
    for base in bases:
        same = (completion for other, completion in made if _have_equal_facts(base, other))
        made.append((base, next(same, None) or Completion(base)))
    return [completion for _, completion in made]


def _have_equal_facts(a: Knowledge, b: Knowledge) -> bool:
    return (a.kinds, a.values, a.assumptions) == (b.kinds, b.values, b.assumptions)


def _completed(completions: Iterable[Completion], stated: FactPairs) -> list[dict[str, FactEntry]] | None:
    """What each knowledge base derives from these statements; None if they contradict each other in one of them."""
    entries = fact_entries(stated)
    found: dict[Completion, dict[str, FactEntry]] = {}
    for completion in dict.fromkeys(completions):
        completed = completion.of(entries)
        if completed.errors:
            return None
        found[completion] = completed.facts
    return [found[completion] for completion in completions]


def fact_entries(stated: FactPairs) -> dict[str, FactEntry]:
    """Facts in the form in which a policy states them."""
    return {fact: _fact_entry(fact, value) for fact, value in stated}


@cache
def _fact_entry(fact: str, value: str) -> FactEntry:
    return FactEntry(fact, value, value, "stated", "", NOWHERE)
