"""Which facts are linked, and what they ask of one another.

Facts that imply one another are enumerated together, since one of them can be known because another one is stated. Most
other links only exclude something: an operating system that `allows` some platforms tells nothing of the processor. So
these facts are in groups of their own, and a value of one has a condition on the other, which `situations` compares.

An assumption whose condition names another fact does not link the two facts either. And none is made that contradicts
what is known: so it also asks for those values of other facts that go with what it assumes. That is all there is to it
if no two things that are assumed exclude each other, and if what excludes something is no open value, from which a
narrower one need not follow. Otherwise the facts are enumerated together.

No assumption rests on another: a condition on a fact that can be assumed itself is about what is known of it before
anything is assumed, which has a column of its own.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations

from setpoint.compiler.binding.facts import Completion, Word
from setpoint.compiler.knowledge.model import Assumption, Box, Knowledge, covers, meet
from setpoint.compiler.proof.combinations import BEFORE, Bases, Values, contradict
from setpoint.compiler.proof.sets.masks import union
from setpoint.compiler.record import NamedTuple

Link = tuple[str, str]
"""Two facts of which one says something about the other."""


def linked_facts(bases: Bases) -> tuple[tuple[str, ...], ...]:
    """All facts in groups of those that are linked, in whatever way."""
    return _grouped(bases, [link for base in bases for link in (*_implying(base), *_allowing(base))])


def fact_groups(bases: Bases) -> tuple[tuple[str, ...], ...]:
    """All facts in groups of those that are enumerated together."""
    return _grouped(bases, [link for base in bases for link in (*_implying(base), *_inseparable(base))])


def _grouped(bases: Bases, links: Iterable[Link]) -> tuple[tuple[str, ...], ...]:
    facts = _common(bases)
    among = (link for link in links if facts.issuperset(link))
    return tuple(sorted({tuple(sorted(group)) for group in connected(facts, among).values()}))


def _common(bases: Bases) -> frozenset[str]:
    """The facts that all knowledge bases have."""
    return frozenset(bases[0].kinds).intersection(*(base.kinds for base in bases))


def connected(names: Iterable[str], links: Iterable[Link]) -> dict[str, set[str]]:
    """For each name, all names connected with it directly or indirectly, itself included."""
    together = {name: {name} for name in names}
    for a, b in links:
        if together[a] is not together[b]:
            together[a] |= together[b]
            for name in together[b]:
                together[name] = together[a]
    return together


def _implying(knowledge: Knowledge) -> Iterator[Link]:
    for fact, values in knowledge.values.items():
        yield from ((fact, other) for value in values.values() for other, _ in value.implies)


def _allowing(knowledge: Knowledge) -> Iterator[Link]:
    for fact, values in knowledge.values.items():
        yield from ((fact, other) for value in values.values() for other, _ in value.allows)


def _inseparable(knowledge: Knowledge) -> Iterator[Link]:
    """Facts that exclude values of each other, and of which more depends on that than which values go together."""
    for fact, values in knowledge.values.items():
        yield from ((fact, other) for value in values.values() if value.one_of for other, _ in value.allows)
    assumed = sorted(
        {word for assumption in knowledge.assumptions for word in _assumed(knowledge, assumption)}
    )
    for a, b in combinations(assumed, 2):
        if a[0] != b[0] and contradict(knowledge, a, b):
            yield a[0], b[0]


def _assumed(knowledge: Knowledge, assumption: Assumption) -> list[Word]:
    """What is known by an assumption, unless something narrower is known: its value, and what follows from that."""
    values = Completion(knowledge).derived({}, assumption.fact, assumption.value)
    return list((values or {}).items())


Condition = tuple[int, Box]
"""A condition on facts of other groups, with the number of its knowledge base."""


class AssumedWhere(NamedTuple):
    """Truth values that the conditions of assumptions can have together, and the knowledge bases with the assumptions
    that are left then; `numbers` are those of the first, in the whole knowledge base.
    """

    holds: dict[Condition, bool]
    bases: Bases
    numbers: tuple[int, ...]


class Outside:
    """What facts that are enumerated together ask of other facts.

    `conditions` are all that they have, `before` the facts of which others ask what is known before anything is
    assumed, and `bases` the knowledge bases without assumptions about other facts.
    """

    def __init__(self, bases: Bases, facts: tuple[str, ...]) -> None:
        assumable = frozenset().union(*map(_known_by_assumption, bases))
        self.before = tuple(
            fact for fact in facts if fact in assumable and _is_asked_outside(bases, fact, facts)
        )
        self._numbers = [n for n, a in enumerate(bases[0].assumptions) if a.fact in facts]
        self.bases = tuple(
            base._replace(assumptions=tuple(a for a in base.assumptions if a.fact in facts)) for base in bases
        )
        exclusions = [_Exclusions(bases, base, facts) for base in bases]
        self._assumptions = [
            [_split(base, assumption, facts, assumable, own) for assumption in base.assumptions]
            for base, own in zip(self.bases, exclusions, strict=True)
        ]
        self._of_assumptions = tuple(
            dict.fromkeys((n, box) for n, split in enumerate(self._assumptions) for _, box in split if box)
        )
        self._of_values = [[own.asked(fact) for fact in facts] for own in exclusions]
        of_values = (
            (number, box)
            for number, by_fact in enumerate(self._of_values)
            for by_value in by_fact
            for boxes in by_value.values()
            for box in boxes
        )
        self.conditions = tuple(dict.fromkeys((*self._of_assumptions, *of_values)))

    def outcomes(self) -> Iterator[AssumedWhere]:
        """What can be assumed of the facts, depending on others."""
        for holds in _consistent_outcomes(self._of_assumptions):
            left = [
                [(place, own) for place, (own, box) in enumerate(split) if not box or holds[number, box]]
                for number, split in enumerate(self._assumptions)
            ]
            bases = tuple(
                base._replace(assumptions=tuple(assumption for _, assumption in own))
                for base, own in zip(self.bases, left, strict=True)
            )
            yield AssumedWhere(holds, bases, tuple(self._numbers[place] for place, _ in left[0]))

    def together(self, outcome: AssumedWhere, values: Values) -> tuple[bool | None, ...] | None:
        """Which of the conditions hold together with values of the facts, None for those that do not matter; nothing
        if that cannot be."""
        asked = {
            (number, box)
            for number, (known, by_fact) in enumerate(zip(values, self._of_values, strict=True))
            for value, by_value in zip(known, by_fact, strict=False)  # without those before assumptions
            for box in by_value.get(value, ())
        }
        if any(outcome.holds.get(condition) is False for condition in asked):
            return None
        return tuple(True if c in asked else outcome.holds.get(c) for c in self.conditions)


class _Exclusions:
    """What the values of some facts exclude of the facts in other groups, in one knowledge base.

    Of two such facts, the one with fewer values has the conditions on the other.
    """

    def __init__(self, bases: Bases, knowledge: Knowledge, facts: tuple[str, ...]) -> None:
        self._knowledge = knowledge
        others = _common(bases).difference(facts)
        links = {link for fact, other in _allowing(knowledge) for link in ((fact, other), (other, fact))}
        self._others = {fact: sorted(b for a, b in links if a == fact and b in others) for fact in facts}

    def asked(self, fact: str) -> dict[str, tuple[Box, ...]]:
        """The conditions that each value of a fact has on other facts."""
        size = self._size(fact)
        others = [other for other in self._others[fact] if self._size(other) > size]
        values = self._knowledge.variables[fact].values if others else ()
        return {
            value: tuple((pair,) for other in others for pair in self._conditions([(fact, value)], other))
            for value in values
        }

    def asked_for(self, assumption: Assumption) -> Box:
        """The condition on other facts under which an assumption contradicts none of them."""
        words = _assumed(self._knowledge, assumption)
        others = sorted({other for fact, _ in words for other in self._others.get(fact, ())})
        return tuple(pair for other in others for pair in self._conditions(words, other))

    def _size(self, fact: str) -> tuple[int, str]:
        return len(self._knowledge.variables[fact].values), fact

    def _conditions(self, words: list[Word], other: str) -> Box:
        """The values of another fact that go with all of these; none where each does."""
        knowledge, variable = self._knowledge, self._knowledge.variables[other]
        excluded = [
            name
            for name in variable.values
            if any(contradict(knowledge, word, (other, name)) for word in words)
        ]
        return ((other, variable.everything & ~union(map(variable.bit, excluded))),) if excluded else ()


def _split(
    knowledge: Knowledge,
    assumption: Assumption,
    facts: tuple[str, ...],
    assumable: frozenset[str],
    exclusions: _Exclusions,
) -> tuple[Assumption, Box]:
    """An assumption with the part of its condition that is on these facts; and the condition on other facts."""
    others = {name for name, _ in assumption.when if name in knowledge.kinds and name not in facts}
    own = tuple((name, mask) for name, mask in assumption.when if name not in others)
    outside = dict(exclusions.asked_for(assumption))
    for name, mask in assumption.when:
        if name in others:
            column = name + BEFORE if name in assumable else name
            outside[column] = outside.get(column, mask) & mask
    return assumption._replace(when=own), tuple(sorted(outside.items()))


def _consistent_outcomes(conditions: tuple[Condition, ...]) -> Iterator[dict[Condition, bool]]:
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
    for outcome in outcomes:
        yield dict(zip(conditions, outcome, strict=True))


def _are_consistent(a: Condition, a_holds: bool, b: Condition, b_holds: bool) -> bool:
    """Whether two conditions can have these truth values together. Both are of one knowledge base."""
    if a[0] != b[0] or not (a_holds or b_holds):
        return True
    if a_holds and b_holds:
        return meet(a[1], b[1]) is not None
    return not covers(b[1], a[1]) if a_holds else not covers(a[1], b[1])


def _is_asked_outside(bases: Bases, fact: str, group: tuple[str, ...]) -> bool:
    """Whether an assumption about a fact of another group has a condition on this one."""
    return any(
        name == fact
        for base in bases
        for assumption in base.assumptions
        if assumption.fact not in group
        for name, _ in assumption.when
    )


def _known_by_assumption(knowledge: Knowledge) -> set[str]:
    """The facts that can be known by an assumption, or by what an assumption implies."""
    facts: set[str] = set()
    ahead = {assumption.fact for assumption in knowledge.assumptions}
    while ahead:
        facts |= ahead
        follows = {other for fact in ahead for v in knowledge.values[fact].values() for other, _ in v.implies}
        ahead = follows - facts
    return facts
