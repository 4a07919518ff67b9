"""Reachable combinations of facts.

Most facts are independent: any value goes with any other, or the fact is not stated. Some are linked: a processor
implies its platform, an operating system allows only some platforms, the number of sockets is assumed if nobody states
it. Linked facts are enumerated as policies would state them, and completed by the function that completes the facts of
a policy (`binding.facts`), so that *reachable* has one meaning.

An assumption whose condition names another fact does not link the two facts, since enumerating linked facts multiplies
their values. Instead, the values of the assumed fact are enumerated twice, for the outside condition true and false,
and `situations` combines what is consistent. No assumption rests on another: a condition on a fact that can be assumed
itself is about what is known of it before anything is assumed, which has a column of its own.

Values that no other fact distinguishes form an equivalence class. Two values are equivalent if they imply and allow the
same, are allowed and implied alike, and satisfy the same conditions of assumptions. A value that can be known without
being stated, because something implies or assumes it, is equivalent to no other. One value represents its class, and a
combination counts for the product of the sizes of its classes.

Everything works on one knowledge base, or on two that are compared. Then a combination is one that both can reach from
the same statements, with the facts that each derives from them.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from copy import copy
from operator import itemgetter

from setpoint.compiler.binding.facts import related
from setpoint.compiler.knowledge.model import Assumption, Box, Knowledge, covers, lineage, meet
from setpoint.compiler.proof.combinations import (
    BEFORE,
    Bases,
    Combination,
    CombinationsByValues,
    EquivalenceClasses,
    reachable_combinations,
)
from setpoint.compiler.proof.sets.space import FactPairs

ValuesByBase = tuple[frozenset[str], ...]
"""Values of a fact, those of each knowledge base."""

OutsideConditions = tuple[tuple[int, Box], ...]
"""Conditions on facts of other groups, each with the number of its knowledge base."""


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
    """Facts that are linked with each other and with no other fact, in every reachable combination.

    `classes[fact]` are the equivalence classes of its values, represented by their first value. `outside_conditions`
    are the conditions on other facts that assumptions have, and `variants` the combinations for each set of their truth
    values. `columns` are the facts, and those that also have a column for what is known before anything is assumed.
    """

    def __init__(self, bases: Bases, facts: tuple[str, ...]) -> None:
        self.facts = facts
        assumable = frozenset().union(*map(_known_by_assumption, bases))
        before = tuple(fact for fact in facts if fact in assumable and _is_asked_outside(bases, fact, facts))
        self.columns = (*facts, *(fact + BEFORE for fact in before))
        own = tuple(
            base._replace(assumptions=tuple(a for a in base.assumptions if a.fact in facts)) for base in bases
        )
        self.classes = equivalence_classes(bases if before else own, facts)
        numbers = [i for i, a in enumerate(bases[0].assumptions) if a.fact in facts]
        split = [
            [(a, *_split_condition(base, a, facts, assumable)) for a in base.assumptions] for base in own
        ]
        self.outside_conditions: OutsideConditions = tuple(
            dict.fromkeys((number, box) for number, rows in enumerate(split) for _, _, box in rows if box)
        )
        self._with_values: dict[tuple[str, ValuesByBase], Group] = {}
        self.variants: dict[tuple[bool, ...], GroupVariant] = {}
        for holds in _consistent_outcomes(self.outside_conditions):
            true = {
                condition
                for condition, is_true in zip(self.outside_conditions, holds, strict=True)
                if is_true
            }
            here = tuple(
                base._replace(
                    assumptions=tuple(
                        a._replace(when=w) for a, w, box in rows if not box or (number, box) in true
                    )
                )
                for number, (base, rows) in enumerate(zip(own, split, strict=True))
            )
            combinations, used = reachable_combinations(here, facts, before, self.classes)
            asked = [
                i for i, (_, _, box) in zip(numbers, split[0], strict=True) if not box or (0, box) in true
            ]
            assumed = frozenset(asked[number] for number in used)
            self.variants[holds] = GroupVariant((self.columns,) * len(here), combinations, assumed)

    def with_values(self, fact: str, values: ValuesByBase) -> "Group":
        """The group with only those combinations in which a fact has one of these values; "" is for none."""
        if (fact, values) not in self._with_values:
            group = copy(self)
            group.variants = {holds: v.with_values(fact, values) for holds, v in self.variants.items()}
            group._with_values = {}
            self._with_values[fact, values] = group
        return self._with_values[fact, values]

    def narrowed(self, fact: str, values: ValuesByBase) -> "Group":
        """The same, for a question that is not asked again: the result is not kept."""
        group = copy(self)
        group.variants = {holds: NarrowedVariant(v, fact, values) for holds, v in self.variants.items()}
        group._with_values = {}
        return group


def _consistent_outcomes(conditions: OutsideConditions) -> Iterator[tuple[bool, ...]]:
    """The truth values that these conditions can have together, as far as each pair of them shows."""
    outcomes: list[tuple[bool, ...]] = [()]
    for number, condition in enumerate(conditions):
        outcomes = [
            (*before, is_true)
            for before in outcomes
            for is_true in (False, True)
            if all(
                _are_consistent(a, b, condition, is_true)
                for a, b in zip(conditions[:number], before, strict=True)
            )
        ]
    yield from outcomes


def _are_consistent(a: tuple[int, Box], a_holds: bool, b: tuple[int, Box], b_holds: bool) -> bool:
    """Whether two conditions can have these truth values together. Both are of one knowledge base."""
    if a[0] != b[0] or not (a_holds or b_holds):
        return True
    if a_holds and b_holds:
        return meet(a[1], b[1]) is not None
    return not covers(b[1], a[1]) if a_holds else not covers(a[1], b[1])


def _split_condition(
    knowledge: Knowledge, assumption: Assumption, facts: tuple[str, ...], assumable: frozenset[str]
) -> tuple[Box, Box]:
    """The condition of an assumption in two: the part on these facts, and the part on other facts."""
    others = {name for name, _ in assumption.when if name in knowledge.kinds and name not in facts}
    return (
        tuple((name, mask) for name, mask in assumption.when if name not in others),
        tuple(
            (name + BEFORE if name in assumable else name, mask)
            for name, mask in assumption.when
            if name in others
        ),
    )


def _is_asked_outside(bases: Bases, fact: str, group: tuple[str, ...]) -> bool:
    """Whether an assumption about a fact of another group has a condition on this one."""
    return any(
        name == fact
        for base in bases
        for assumption in base.assumptions
        if assumption.fact not in group
        for name, _ in assumption.when
    )


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


def fact_groups(bases: Bases) -> tuple[tuple[str, ...], ...]:
    """All facts in groups of those that are linked with each other."""
    facts = [fact for fact in bases[0].kinds if all(fact in base.kinds for base in bases)]
    links = [(a, b) for base in bases for a, b in _links(base) if a in facts and b in facts]
    return tuple(sorted({tuple(sorted(group)) for group in connected(facts, links).values()}))


def connected(names: Iterable[str], links: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """For each name, all names connected with it directly or indirectly, itself included."""
    together = {name: {name} for name in names}
    for a, b in links:
        if together[a] is not together[b]:
            together[a] |= together[b]
            for name in together[b]:
                together[name] = together[a]
    return together


def _links(knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    for fact, values in knowledge.values.items():
        for value in values.values():
            yield from ((fact, other) for other, _ in (*value.implies, *value.allows))


def _known_by_assumption(knowledge: Knowledge) -> set[str]:
    """The facts that can be known by an assumption, or by what an assumption implies."""
    facts: set[str] = set()
    ahead = {assumption.fact for assumption in knowledge.assumptions}
    while ahead:
        facts |= ahead
        follows = {other for fact in ahead for v in knowledge.values[fact].values() for other, _ in v.implies}
        ahead = follows - facts
    return facts


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
    unstated = {*implied, *(assumption.value for assumption in of_fact)}
    features: dict[str, object] = {}
    for name in variable.values:
        own = tuple(lineage(knowledge, fact, name))
        bit, below = variable.bit(name), variable.below(name)
        features[name] = (
            name if name in unstated else "",
            tuple(bool(bit & mask) for mask in masks),
            tuple(bool(below & mask) for mask in allowed),
            tuple(related(knowledge, fact, name, word) for word in implied),
            tuple(pair for value in own for pair in value.implies),
            tuple(pair for value in own for pair in value.allows),
        )
    return features
