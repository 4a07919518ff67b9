"""Out of scope: how far a statement is from what its source studied."""

from collections.abc import Iterable
from itertools import product

from meaning.conditions import State, all_hold
from meaning.facts import consequences, state_of
from meaning.knowledge import Condition, Conditions, Knowledge

IN_SCOPE = -1
"""Before 0, another use, and n, the n-th generation after what was studied."""


def steps(
    knowledge: Knowledge, conditions: Conditions, scope: Conditions, values: dict[str, str], state: State
) -> int | None:
    """The number of generations after the one that the conditions name; None if they are not true for any followed one.

    Only conditions on facts are considered. A value inherits the advice of the value that it `follows`.
    """
    total = 0
    for condition in conditions:
        if condition.name not in knowledge.facts:
            continue
        found = steps_of(knowledge, condition, scope, values, state)
        if found is None:
            return None
        total += found
    return total


def steps_of(
    knowledge: Knowledge, condition: Condition, scope: Conditions, values: dict[str, str], state: State
) -> int | None:
    """The same of one condition. What a `not` excludes stays excluded, whatever it follows."""
    fact = condition.name
    if state.get(fact, frozenset()).isdisjoint(condition.values) == condition.negated:
        return 0
    if fact not in values or condition.negated:
        return None
    return steps_from(knowledge, condition, scope, values[fact])


def steps_from(knowledge: Knowledge, condition: Condition, scope: Conditions, at: str) -> int | None:
    """The same of one value. Of an open one, those of its values that has the most."""
    fact = condition.name
    if one_of := knowledge.facts[fact][at].one_of:
        each = [steps_from(knowledge, condition, scope, one) for one in one_of]
        return None if None in each else max(number for number in each if number is not None)
    if not knowledge.lineage(fact, at).isdisjoint(condition.values):
        return 0
    named = {
        value
        for value in knowledge.facts[fact]
        if not knowledge.lineage(fact, value).isdisjoint(condition.values)
    }
    limits = tuple(c for c in scope if c.name == fact)
    in_scope = {value for value in named if all_hold(limits, {fact: knowledge.lineage(fact, value)})}
    for number in range(1, len(knowledge.facts[fact]) + 1):
        at = followed(knowledge, fact, at)
        if not at:
            return None
        if at in (in_scope or named):
            return number
    return None


def followed(knowledge: Knowledge, fact: str, value: str) -> str:
    """*`fact`, and values of facts*: the value that a value, or the nearest wider one with a `follows`, follows."""
    while value and not knowledge.facts[fact][value].follows:
        value = knowledge.facts[fact][value].within
    return knowledge.facts[fact][value].follows if value else ""


class Scopes:
    """Which conditions leave a context in scope; worked out once a context and condition."""

    def __init__(self, knowledge: Knowledge, values: dict[str, str]) -> None:
        self._knowledge = knowledge
        self._values = values
        self._state = state_of(knowledge, values)
        self._found: dict[Conditions, bool] = {(): True}

    def within(self, conditions: Conditions) -> bool:
        """*Out of scope*: whether they are true, if unstated facts may have any value that is compatible with the
        others.
        """
        if conditions not in self._found:
            self._found[conditions] = self._room(conditions)
        return self._found[conditions]

    def _is_open(self, fact: str) -> bool:
        """Whether a fact is not stated, or has an open value."""
        return fact not in self._values or bool(self._knowledge.facts[fact][self._values[fact]].one_of)

    def _possible(self, fact: str) -> Iterable[str]:
        if fact not in self._values:
            return self._knowledge.facts[fact]
        return sorted(self._knowledge.below(fact, self._values[fact]))

    def _room(self, conditions: Conditions) -> bool:
        names = {c.name for c in conditions}
        open_facts = sorted(name for name in names if self._is_open(name))
        settled = tuple(c for c in conditions if c.name not in open_facts)
        if not all_hold(settled, self._state):
            return False
        wanted = [c for c in conditions if c.name in open_facts]
        choices = [
            [
                value
                for value in self._possible(name)
                if all_hold(
                    tuple(c for c in wanted if c.name == name), {name: self._knowledge.lineage(name, value)}
                )
            ]
            for name in open_facts
        ]
        return any(
            consequences(self._knowledge, {**self._values, **dict(zip(open_facts, chosen, strict=True))})
            is not None
            for chosen in product(*choices)
        )
