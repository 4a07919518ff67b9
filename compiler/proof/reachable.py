"""Reachable combinations of facts.

Most facts are independent: any value goes with any other, or the fact is not stated. Some are linked: a processor
implies its platform, an operating system allows only some platforms, the number of sockets is assumed if nobody states
it. Facts that imply one another are enumerated as policies would state them, and completed by the function that
completes the facts of a policy (`binding.facts`), so that *reachable* has one meaning.

Other links do not multiply the values of facts. What they depend on are conditions on facts of other groups (`links`):
the values of an assumed fact are enumerated twice, for the outside condition true and false, and a value that goes with
some values of another fact requires one of these. `situations` combines what is consistent.

Values that no other fact distinguishes form an equivalence class. Two values are equivalent if they imply and allow the
same, are allowed and implied alike, satisfy the same conditions of assumptions, and are narrowed by the same. A value
that can be known without being stated, because something implies or assumes it, is equivalent to no other. One value
represents its class, and a combination counts for the product of the sizes of its classes.

Everything works on one knowledge base, or on two that are compared. Then a combination is one that both can reach from
the same statements, with the facts that each derives from them.
"""

from collections.abc import Callable, Hashable, Iterable
from copy import copy
from operator import itemgetter

from setpoint.compiler.binding.facts import is_within, related
from setpoint.compiler.knowledge.model import Knowledge, lineage
from setpoint.compiler.proof.combinations import (
    BEFORE,
    Bases,
    Combination,
    CombinationsByValues,
    EquivalenceClasses,
    reachable_combinations,
)
from setpoint.compiler.proof.links import Outside, fact_groups
from setpoint.compiler.proof.sets.space import FactPairs

ValuesByBase = tuple[frozenset[str], ...]
"""Values of a fact, those of each knowledge base."""


class GroupVariant:
    """The combinations of some linked facts for one set of truth values of the outside conditions.

    `assumed` are the assumptions in use in some of them, by their numbers in the first knowledge base.
    """

    def __init__(
        self, facts: tuple[tuple[str, ...], ...], combinations: CombinationsByValues, assumed: frozenset[int]
    ) -> None:
        self.assumed = assumed
        self.situations: dict[Hashable, dict[int, tuple[int, FactPairs]]] = {}
        """What questions have distinguished (`situations`)."""
        self._facts = facts
        self._projections = {facts: combinations}

    @property
    def combinations(self) -> CombinationsByValues:
        """The combinations of all facts of the group, by the values of its columns."""
        return self.projected(self._facts)

    def values_of(self, fact: str) -> set[str]:
        """The values of a fact in these combinations, in the first knowledge base."""
        place = self._facts[0].index(fact)
        return {known[0][place] for known in self.combinations}

    def with_values(self, fact: str, values: ValuesByBase) -> "GroupVariant":
        """The combinations in which a fact has one of these values."""
        return GroupVariant(self._facts, _having(self.combinations, self._facts, fact, values), self.assumed)

    def projected(self, facts: tuple[tuple[str, ...], ...]) -> CombinationsByValues:
        """The combinations restricted to some of the facts, which are given for each knowledge base."""
        if facts not in self._projections:
            self._projections[facts] = self._project(facts)
        return self._projections[facts]

    def _project(self, facts: tuple[tuple[str, ...], ...]) -> CombinationsByValues:
        wider = [(key, seen) for key, seen in self._projections.items() if _covers(key, facts)]
        key, seen = min(wider, key=lambda pair: len(pair[1]))
        return _merged(seen, key, facts)


class NarrowedVariant(GroupVariant):
    """The combinations in which a fact has one of these values, for few questions: selected by what these ask."""

    def __init__(self, whole: GroupVariant, fact: str, values: ValuesByBase) -> None:
        super().__init__(whole._facts, {}, whole.assumed)
        self._projections = {}
        self._whole, self._fact, self._values = whole, fact, values

    def _project(self, facts: tuple[tuple[str, ...], ...]) -> CombinationsByValues:
        wider = tuple(own if self._fact in own else (*own, self._fact) for own in facts)
        kept = _having(self._whole.projected(wider), wider, self._fact, self._values)
        return kept if wider == facts else _merged(kept, wider, facts)


class Group:
    """Facts that are enumerated together, in every reachable combination.

    `classes[fact]` are the equivalence classes of its values, represented by their first value. `outside_conditions`
    are the conditions on other facts that assumptions and values have, and `variants` the combinations by those that
    hold; None is for one that does not matter to them. `columns` are the facts, and those that also have a column for
    what is known before anything is assumed.
    """

    def __init__(self, bases: Bases, facts: tuple[str, ...]) -> None:
        self.facts = facts
        outside = Outside(bases, facts)
        self.columns = (*facts, *(fact + BEFORE for fact in outside.before))
        self.classes = equivalence_classes(bases if outside.before else outside.bases, facts)
        self.outside_conditions = outside.conditions
        self._with_values: dict[tuple[str, ValuesByBase], Group] = {}
        self.variants: dict[tuple[bool | None, ...], GroupVariant] = {}
        seen: dict[tuple[bool | None, ...], CombinationsByValues] = {}
        assumed: dict[tuple[bool | None, ...], set[int]] = {}
        for outcome in outside.outcomes():
            for values, combination, used in reachable_combinations(
                outcome.bases, facts, outside.before, self.classes
            ):
                holds = outside.together(outcome, values)
                if holds is not None:
                    seen.setdefault(holds, {})[values] = combination
                    assumed.setdefault(holds, set()).update(outcome.numbers[number] for number in used)
        for holds, combinations in seen.items():
            facts_by_base = (self.columns,) * len(bases)
            self.variants[holds] = GroupVariant(facts_by_base, combinations, frozenset(assumed[holds]))

    def with_values(self, fact: str, values: ValuesByBase) -> "Group":
        """The group with only those combinations in which a fact has one of these values; "" is for none."""
        if (fact, values) not in self._with_values:
            group = copy(self)
            group.variants = {holds: v.with_values(fact, values) for holds, v in self.variants.items()}
            group._with_values = {}
            self._with_values[fact, values] = group
        return self._with_values[fact, values]

    def of_variant(self, holds: tuple[bool | None, ...]) -> "Group":
        """The group with only the combinations for which these of the outside conditions hold."""
        group = copy(self)
        group.variants = {holds: self.variants[holds]}
        return group

    def narrowed(self, fact: str, values: ValuesByBase) -> "Group":
        """The same, for a question that is not asked again: the result is not kept."""
        group = copy(self)
        group.variants = {holds: NarrowedVariant(v, fact, values) for holds, v in self.variants.items()}
        group._with_values = {}
        return group


def _having(
    seen: CombinationsByValues, facts: tuple[tuple[str, ...], ...], fact: str, values: ValuesByBase
) -> CombinationsByValues:
    """The combinations in which a fact has one of these values."""
    for number, (own, names) in enumerate(zip(facts, values, strict=True)):
        place = own.index(fact)
        seen = {known: combination for known, combination in seen.items() if known[number][place] in names}
    return seen


def _merged(
    seen: CombinationsByValues, facts: tuple[tuple[str, ...], ...], wanted: tuple[tuple[str, ...], ...]
) -> CombinationsByValues:
    """The combinations restricted to some of their facts."""
    selects = [_selection(own, some) for own, some in zip(facts, wanted, strict=True)]
    fewer: Iterable[tuple[tuple[str, ...], ...]]
    if len(selects) == 1:  # by C, for the many
        fewer = zip(map(selects[0], map(itemgetter(0), seen)), strict=True)
    else:
        fewer = (tuple([select(v) for select, v in zip(selects, values, strict=True)]) for values in seen)
    shortest: dict[tuple[tuple[str, ...], ...], FactPairs] = {}
    weights: dict[tuple[tuple[str, ...], ...], int] = {}
    for values, (stated, weight) in zip(fewer, seen.values(), strict=True):
        before = shortest.get(values)
        if before is None:
            shortest[values], weights[values] = stated, weight
        else:
            weights[values] += weight
            if len(stated) < len(before):
                shortest[values] = stated
    return {values: Combination(stated, weights[values]) for values, stated in shortest.items()}


def _covers(wider: tuple[tuple[str, ...], ...], facts: tuple[tuple[str, ...], ...]) -> bool:
    return all(set(own) >= set(wanted) for own, wanted in zip(wider, facts, strict=True))


def _selection(
    facts: tuple[str, ...], wanted: tuple[str, ...]
) -> Callable[[tuple[str, ...]], tuple[str, ...]]:
    """Selects the values of the wanted facts from those of all."""
    places = [facts.index(fact) for fact in wanted]
    if len(places) > 1:
        return itemgetter(*places)
    if places:
        return itemgetter(slice(places[0], places[0] + 1))
    return lambda values: ()


def reachable(bases: Bases) -> tuple[Group, ...]:
    """All facts in their groups, with every reachable combination."""
    return tuple(Group(bases, facts) for facts in fact_groups(bases))


def equivalence_classes(bases: Bases, facts: Iterable[str]) -> EquivalenceClasses:
    """The values of facts in classes that other facts and assumptions do not distinguish."""
    return {fact: _classes(bases, fact) for fact in facts}


def _classes(bases: Bases, fact: str) -> tuple[tuple[str, ...], ...]:
    """The values of a fact in classes that other facts and assumptions do not distinguish."""
    features_by_base = [_features(base, fact) for base in bases]
    classes: dict[object, list[str]] = {}
    for name in bases[0].variables[fact].values:
        if all(name in base.values[fact] for base in bases):
            classes.setdefault(tuple(features[name] for features in features_by_base), []).append(name)
    return tuple(tuple(names) for names in classes.values())


def _features(knowledge: Knowledge, fact: str) -> dict[str, object]:
    """What distinguishes each value of a fact from others."""
    variable = knowledge.variables[fact]
    of_fact = [assumption for assumption in knowledge.assumptions if assumption.fact == fact]
    masks = sorted({mask for a in knowledge.assumptions for name, mask in a.when if name == fact})
    every = [value for values in knowledge.values.values() for value in values.values()]
    allowed = sorted({mask for value in every for other, mask in value.allows if other == fact})
    implied = sorted({word for value in every for other, word in value.implies if other == fact})
    assumed = sorted({assumption.value for assumption in of_fact})
    unstated = {*implied, *assumed}
    features: dict[str, object] = {}
    for name in variable.values:
        own = tuple(lineage(knowledge, fact, name))
        bit, below = variable.bit(name), variable.below(name)
        features[name] = (
            name if name in unstated else "",
            tuple(bool(bit & mask) for mask in masks),
            tuple(bool(below & mask) for mask in allowed),
            tuple(related(knowledge, fact, name, word) for word in implied),
            tuple(is_within(knowledge, fact, value, name) for value in assumed),
            tuple(pair for value in own for pair in value.implies),
            tuple(pair for value in own for pair in value.allows),
        )
    return features
