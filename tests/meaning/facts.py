"""Facts and intent: stated, implied, contradictory and assumed ones."""

from typing import NamedTuple

from meaning.conditions import Order, State, all_hold, holds, implications
from meaning.knowledge import Assumption, Conditions, Knowledge


class Known(NamedTuple):
    """The facts of a context: each value, and whether it was stated, implied or assumed."""

    values: dict[str, str]
    origins: dict[str, str]


class UndecidedError(Exception):
    """The manual does not say: two assumptions of one fact tie, or those of two facts contradict each other."""


def state_of(knowledge: Knowledge, values: dict[str, str]) -> dict[str, frozenset[str]]:
    """Facts as a state: each with all values that its value lies within."""
    return {name: knowledge.lineage(name, value) for name, value in values.items()}


def consequences(knowledge: Knowledge, stated: dict[str, str]) -> dict[str, str] | None:
    """*Facts and intent*: these facts with their implications; None if they contradict each other (E0204).

    Of two values the narrower is kept if one lies within the other. Two unrelated values contradict each other, and so
    does a fact that another one does not allow.
    """
    values = dict(stated)
    growing = True
    while growing:
        growing = False
        for name, value in list(values.items()):
            for each in knowledge.lineage(name, value):
                for other, implied in implications(knowledge, name, each):
                    known = values.get(other)
                    if known is None or (known != implied and known in knowledge.lineage(other, implied)):
                        values[other] = implied
                        growing = True
                    elif implied not in knowledge.lineage(other, known):
                        return None
    for name, value in values.items():
        if not all(is_allowed(knowledge, name, each, values) for each in knowledge.lineage(name, value)):
            return None
    return values


def is_allowed(knowledge: Knowledge, fact: str, value: str, values: dict[str, str]) -> bool:
    """*`fact`, and values of facts*: whether a value goes with these, or with narrower ones; an open one, by what all
    of its values limit."""
    limits = limited(knowledge, fact, value)
    return all(
        any(
            all(holds(allowed, {other: knowledge.lineage(other, narrower)}) for allowed in each)
            for each in limits[other]
            for narrower in knowledge.below(other, values[other])
        )
        for other in limits
        if other in values
    )


def limited(knowledge: Knowledge, fact: str, value: str) -> dict[str, list[Conditions]]:
    """The facts that a value limits, each with the ways in which it may be met: one, or one for each of an open
    value."""
    known = knowledge.facts[fact][value]
    if not known.one_of:
        names = {allowed.name for allowed in known.allows}
        return {name: [tuple(a for a in known.allows if a.name == name)] for name in names}
    each = [limited(knowledge, fact, one) for one in known.one_of]
    common = set.intersection(*({*one} for one in each))
    return {name: [way for one in each for way in one[name]] for name in common}


def complete(knowledge: Knowledge, order: Order, stated: dict[str, str]) -> Known | None:
    """*Facts and intent*, *`assume`*: all facts; None if they contradict each other.

    Raises UndecidedError if the manual does not determine which assumptions apply.
    """
    given = consequences(knowledge, stated)
    if given is None:
        return None
    state = state_of(knowledge, given)
    values = given
    origins = {name: "stated" if stated.get(name) == value else "implied" for name, value in given.items()}
    for name in sorted(knowledge.facts):
        found = assumed(knowledge, order, name, given, state)
        if found is None or values.get(name) != given.get(name):
            continue
        with_it = consequences(knowledge, {**values, name: found.value})
        if with_it is None:
            raise UndecidedError
        for other, value in with_it.items():
            if values.get(other) != value:
                origins[other] = "assumed" if other == name else "implied"
        values = with_it
    return Known(values, origins)


def is_asked_of(knowledge: Knowledge, assumption: Assumption, known: str) -> bool:
    """*`assume`*: whether an assumption has a condition on its own fact, of which a wider value is known."""
    is_wider = known != assumption.value and known in knowledge.lineage(assumption.fact, assumption.value)
    return is_wider and any(condition.name == assumption.fact for condition in assumption.when)


def assumed(
    knowledge: Knowledge, order: Order, fact: str, given: dict[str, str], state: State
) -> Assumption | None:
    """*`assume`*: a site's own before the library's, then the one with the narrower condition.

    An assumption whose consequences contradict a known fact is not made. Raises Undecided if two tie, which never
    happens in a knowledge base that `kb check` accepts (K01).
    """
    fitting = [
        a
        for a in knowledge.assumptions
        if a.fact == fact
        and (fact not in given or is_asked_of(knowledge, a, given[fact]))
        and all_hold(a.when, state)
        and consequences(knowledge, {**given, fact: a.value}) is not None
    ]
    if any(a.site for a in fitting):
        fitting = [a for a in fitting if a.site]
    best = [a for a in fitting if not any(order.narrower(b.when, a.when) for b in fitting)]
    if len({a.value for a in best}) > 1:
        raise UndecidedError
    return best[0] if best else None
