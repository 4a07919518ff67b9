"""Assumptions that are never used (K04), and those that conflict (K01): both apply, and neither condition is narrower.

The spelling would then decide between two conflicting assumptions. Both checks enumerate everything that policies can
state of the linked facts. Each set of statements is completed with all assumptions, and again without the winning one.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, product

from setpoint.compiler.binding.facts import complete
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import UNSTATED, Assumption, Box, Knowledge, meet, narrower
from setpoint.compiler.proof.combinations import (
    BEFORE,
    EquivalenceClasses,
    Prefixes,
    fact_entries,
    fact_statements,
)
from setpoint.compiler.proof.example import note, policy
from setpoint.compiler.proof.reachable import Group, equivalence_classes
from setpoint.compiler.proof.sets.space import FactPairs
from setpoint.compiler.proof.situations import reachable_variants


def unused_assumptions(knowledge: Knowledge, groups: tuple[Group, ...]) -> Iterator[Diagnostic]:
    """The assumptions that are never used for any policy (K04)."""
    counted = {number for variant in reachable_variants((knowledge,), groups) for number in variant.assumed}
    for number, assumption in enumerate(knowledge.assumptions):
        if number not in counted and not knowledge.is_from_library(assumption.span):
            yield _never_used(knowledge, assumption)


def _never_used(knowledge: Knowledge, assumption: Assumption) -> Diagnostic:
    """The finding for an unused assumption, with what it contradicts if that is the reason."""
    why = tuple(dict.fromkeys(_contradictions(knowledge, assumption)))
    return Diagnostic(
        "K04",
        f"`{assumption.fact} {assumption.value}` is never assumed",
        assumption.span,
        "contradicts what it is assumed for"
        if why
        else "no policy meets its condition, or another assumption always takes precedence",
        notes=(*((f"condition: {knowledge.box_text(assumption.when)}",) if assumption.when else ()), *why),
        help=(
            "correct the value or the condition, or drop it" if why else "correct its condition, or drop it",
        ),
    )


def _contradictions(knowledge: Knowledge, assumption: Assumption) -> Iterator[str]:
    """Why the value contradicts its condition, for each of the condition's widest values; nothing if one can be."""
    bare = knowledge._replace(assumptions=())
    facts = [(name, mask) for name, mask in assumption.when if not mask & UNSTATED]
    choices = [knowledge.variables[name].widest(mask) for name, mask in facts]
    notes: list[str] = []
    for values in product(*choices):
        stated = tuple(zip((name for name, _ in facts), values, strict=True))
        errors = complete(bare, fact_entries((*stated, (assumption.fact, assumption.value)))).errors
        if not errors:
            return
        notes.extend(note for error in errors for note in error.notes)
    yield from notes


def conflicting_assumptions(knowledge: Knowledge, groups: tuple[Group, ...]) -> Iterator[Diagnostic]:
    """The pairs of assumptions of one fact that apply together without an order between them."""
    for (first, a), (second, b) in combinations(enumerate(knowledge.assumptions), 2):
        if _could_disagree(a, b):
            bearing = _bearing_on(knowledge, groups, a.fact)
            stated = fact_statements((knowledge,), _fitting(knowledge, bearing, (*a.when, *b.when)))
            tied = list(_ties(knowledge, stated, first, second))
            if tied:
                yield _conflict(knowledge, a, b, min(tied, key=lambda pairs: (len(pairs), pairs)))


def _bearing_on(knowledge: Knowledge, groups: tuple[Group, ...], fact: str) -> EquivalenceClasses:
    """The equivalence classes of the facts that affect what is assumed of this one, and of the required facts.

    Of a fact that these only have conditions on, those that the conditions tell apart.
    """
    named = {fact, *(name for name, kind in knowledge.kinds.items() if kind.required)}
    named |= {
        name for assumption in knowledge.assumptions if assumption.fact == fact for name, _ in assumption.when
    }
    bearing = [group for group in groups if named & set(group.facts)]
    facts = [name for group in bearing for name in group.facts]
    asked: dict[str, set[int]] = {}
    for group in bearing:
        for column, mask in (pair for _, box in group.outside_conditions for pair in box):
            if (name := column.removesuffix(BEFORE)) not in facts:
                asked.setdefault(name, set()).add(mask)
    classes = equivalence_classes((knowledge,), (*facts, *asked))
    return classes | {
        name: _told_apart(knowledge, name, classes[name], masks) for name, masks in asked.items()
    }


def _told_apart(
    knowledge: Knowledge, fact: str, partition: tuple[tuple[str, ...], ...], masks: set[int]
) -> tuple[tuple[str, ...], ...]:
    """Of the classes of a fact's values, one for each set of these conditions that its values fulfil."""
    bit = knowledge.variables[fact].bit
    first = {
        tuple(bool(bit(names[0]) & mask) for mask in masks): names
        for names in sorted(partition, reverse=True)
    }
    return tuple(first.values())


def _fitting(knowledge: Knowledge, classes: EquivalenceClasses, conditions: Box) -> EquivalenceClasses:
    """The classes without those whose statement already excludes a condition: what is stated is only narrowed."""
    limits: dict[str, int] = {}
    for fact, mask in conditions:
        limits[fact] = limits.get(fact, mask) & mask
    return {
        fact: tuple(
            names
            for names in partition
            if fact not in limits or knowledge.variables[fact].below(names[0]) & limits[fact]
        )
        for fact, partition in classes.items()
    }


def _could_disagree(a: Assumption, b: Assumption) -> bool:
    same = a.fact == b.fact and a.layer == b.layer and a.value != b.value
    ordered = narrower(a, b) or narrower(b, a)
    return same and not ordered and meet(a.when, b.when) is not None


def _ties(knowledge: Knowledge, every: Iterable[FactPairs], first: int, second: int) -> Iterator[FactPairs]:
    """The statements with which one of two assumptions is used, and the other without it, by their numbers."""
    derived = Prefixes(knowledge)
    number_without = {first: second - 1, second: first}
    every_other = {n: knowledge.assumptions[:n] + knowledge.assumptions[n + 1 :] for n in number_without}
    without = {n: Prefixes(knowledge._replace(assumptions=others)) for n, others in every_other.items()}
    for stated in every:
        with_both = derived.of(stated)
        for winner in number_without.keys() & with_both.used if with_both else ():
            other = without[winner].of(stated)
            if other and number_without[winner] in other.used:
                yield stated


def _conflict(knowledge: Knowledge, a: Assumption, b: Assumption, stated: FactPairs) -> Diagnostic:
    return Diagnostic(
        "K01",
        f"two assumptions disagree about `{a.fact}`, and neither condition is narrower",
        a.span,
        f"assumes {a.fact} {a.value}",
        (Label(b.span, f"assumes {b.fact} {b.value}"),),
        (note(policy(knowledge, stated)),),
        ("narrow the condition of one, or assume a third value where both apply",),
    )
