"""Conditions: when they are true, and which of two is narrower.

A *state* gives each known name its value, together with all values that it lies within. A name without an entry is an
unknown fact, or an absent setting or effect.
"""

from collections.abc import Mapping

from meaning.knowledge import Condition, Conditions, Knowledge

State = Mapping[str, frozenset[str]]
NOTHING: frozenset[str] = frozenset()
UNSTATED = ""
"""Stands for "not known" or "not there" in a box."""

Box = dict[str, frozenset[str]]


def holds(condition: Condition, state: State) -> bool:
    """*Conditions*: a value includes all values within it; an absent name satisfies only `not`."""
    return state.get(condition.name, NOTHING).isdisjoint(condition.values) == condition.negated


def all_hold(conditions: Conditions, state: State) -> bool:
    """*Conditions*: a comma means "and"."""
    return all(state.get(name, NOTHING).isdisjoint(values) == negated for name, values, negated in conditions)


# --------------------------------------------------------------------------------------------- narrower


def box(knowledge: Knowledge, conditions: Conditions) -> Box:
    """Of each name that conditions mention, the values that satisfy them; `UNSTATED` where absence does."""
    found: Box = {}
    for condition in conditions:
        name = condition.name
        if name in knowledge.facts:
            named: frozenset[str] = frozenset().union(
                *(knowledge.below(name, value) for value in condition.values)
            )
            every = frozenset(knowledge.facts[name]) | {UNSTATED}
        else:
            named = condition.values
            every = frozenset(knowledge.settings[name].values) | {UNSTATED}
        fitting = every - named if condition.negated else named
        found[name] = found.get(name, every) & fitting
    return found


def closed(knowledge: Knowledge, narrow: Box) -> Box:
    """*Narrower*: a box together with what its facts imply, to a fixpoint.

    If a fact has to be known and each of its values implies another fact, the box restricts that fact to the implied
    values.
    """
    found = dict(narrow)
    while True:
        before = dict(found)
        for name, values in before.items():
            if UNSTATED in values or name not in knowledge.facts:
                continue
            per_value = [implied_by(knowledge, name, value) for value in values]
            for other in set.intersection(*({*each} for each in per_value)) if per_value else ():
                reached: frozenset[str] = frozenset().union(*(each[other] for each in per_value))
                found[other] = found.get(other, reached) & reached
        if found == before:
            return found


def implied_by(knowledge: Knowledge, fact: str, value: str) -> Box:
    """For each fact that a value implies, itself or through a wider value: the values that remain possible."""
    found: Box = {}
    for each in knowledge.lineage(fact, value):
        for other, implied in implications(knowledge, fact, each):
            reached = knowledge.below(other, implied)
            found[other] = found.get(other, reached) & reached
    return found


def implications(knowledge: Knowledge, fact: str, value: str) -> frozenset[tuple[str, str]]:
    """*`fact`, and values of facts*: what a value implies; an open one, what all of its values do."""
    known = knowledge.facts[fact][value]
    if not known.one_of:
        return frozenset(known.implies)
    return frozenset.intersection(*(implications(knowledge, fact, one) for one in known.one_of))


def covers(wide: Box, narrow: Box) -> bool:
    """Whether whatever is in `narrow` is in `wide`."""
    return all(name in narrow and narrow[name] <= values for name, values in wide.items())


class Order:
    """Which of two conditions is strictly narrower; what was worked out is kept."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._boxes: dict[Conditions, tuple[Box, Box]] = {}
        self._narrower: dict[tuple[Conditions, Conditions], bool] = {}

    def narrower(self, one: Conditions, other: Conditions) -> bool:
        """Whether `one` lies in `other`, including implications, and not the reverse."""
        key = one, other
        if key not in self._narrower:
            (one_box, one_closed), (other_box, other_closed) = self._both(one), self._both(other)
            self._narrower[key] = covers(other_box, one_closed) and not covers(one_box, other_closed)
        return self._narrower[key]

    def _both(self, conditions: Conditions) -> tuple[Box, Box]:
        if conditions not in self._boxes:
            plain = box(self._knowledge, conditions)
            self._boxes[conditions] = plain, closed(self._knowledge, plain)
        return self._boxes[conditions]
