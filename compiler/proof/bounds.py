"""Where the proof stops: too many situations, too many combinations of facts, or a search that is too hard (K20).

What bears on one component multiplies: that many facts decide something of it, each by itself, is a situation for every
combination of theirs. The bounds are counts, so that every machine stops at the same place, and are far beyond what is
needed for hardware: a generation or a vendor adds to the situations and does not multiply them. What has not been
looked at is named, and is an error: that nothing was found there would say nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.knowledge.model import Box, Knowledge
from setpoint.compiler.resolution.narrow import MOST_STEPS, TooHardError

Item = TypeVar("Item")

MOST_SITUATIONS = 1 << 17
"""How many situations one component may have."""

TOO_MANY = f"there are more than {MOST_SITUATIONS:,} situations"
"""Why a component was not looked at."""

MOST_COMBINATIONS = 1 << 19
"""How many combinations of facts that are linked with each other are gone through."""

MOST_SHOWN = 3
"""How many statements a finding points to."""

MOST_NAMED = 8
"""How many facts or settings a finding names."""


class TooManySituationsError(Exception):
    """Conditions tell more situations apart than are gone through."""


class TooManyCombinationsError(Exception):
    """Linked facts can be together in more ways than are gone through."""

    def __init__(self, facts: tuple[str, ...]) -> None:
        super().__init__(", ".join(facts))
        self.facts = facts


class UnprovenError(Exception):
    """A component was not looked at; `boxes` are the conditions on facts that bear on it."""

    def __init__(self, settings: Iterable[str], boxes: Iterable[Box], why: str) -> None:
        super().__init__(why)
        self.settings = frozenset(settings)
        self.boxes = tuple(boxes)
        self.why = why


def too_hard(settings: Iterable[str], error: TooHardError) -> UnprovenError:
    """What follows for a component from a search that gave up."""
    named = ", ".join(f"`{name}`" for name in error.settings[:MOST_NAMED])
    why = f"the search for values of {named} was given up after {MOST_STEPS:,} steps"
    return UnprovenError(settings, (), why)


def answer_each(
    knowledge: Knowledge, items: Iterable[Item], question: Callable[[Item], Iterable[Diagnostic]]
) -> Iterator[Diagnostic]:
    """What a question finds of each of some statements, and for which of them it could not be answered (K20)."""
    for item in items:
        try:
            yield from question(item)
        except UnprovenError as error:
            yield unproven(knowledge, error)


def unproven(knowledge: Knowledge, error: UnprovenError) -> Diagnostic:
    """The finding for a component that was not looked at (K20)."""
    about = Counter(name for box in error.boxes for name, _ in box)
    facts = [name for name, _ in sorted(about.items(), key=lambda pair: (-pair[1], pair[0]))]
    first, *others = _statements(knowledge, error.settings, set(facts))
    settings = sorted(error.settings, key=lambda name: knowledge.settings[name].position)
    return Diagnostic(
        "K20",
        f"{_named(settings, 'setting')} not proven: {error.why}",
        first,
        "has a part in it",
        tuple(Label(span, "and this") for span in others[: MOST_SHOWN - 1]),
        (f"conditions on these facts bear on it: {', '.join(facts[:MOST_NAMED])}" + _more(facts),)
        if facts
        else (),
        (
            "let fewer facts decide by themselves: state in the conditions which of them go together",
            "or drop a constraint or profile that ties settings together, so that each is proven by itself",
        ),
    )


def too_many_combinations(knowledge: Knowledge, error: TooManyCombinationsError) -> Diagnostic:
    """The finding for facts of which not all combinations were gone through (K20): nothing is proven then."""
    links = [
        value.span
        for fact in error.facts
        for value in knowledge.values[fact].values()
        if value.implies or value.allows
    ]
    assumed = [each.span for each in knowledge.assumptions if each.fact in error.facts]
    first, *others = [*sorted(links), *sorted(assumed), NOWHERE]
    facts = list(error.facts)
    return Diagnostic(
        "K20",
        f"nothing is proven: linked facts can be together in more than {MOST_COMBINATIONS:,} ways",
        first,
        "links them",
        tuple(Label(span, "and this") for span in others[: MOST_SHOWN - 1] if span != NOWHERE),
        (f"what is implied, allowed and assumed links: {', '.join(facts[:MOST_NAMED])}" + _more(facts),),
        (
            "leave out an `allows`, an `implies` or a condition of an `assume`, so that fewer facts are linked",
        ),
    )


def _statements(knowledge: Knowledge, settings: frozenset[str], facts: set[str]) -> list[Span]:
    """The statements that bring the most facts to bear on these settings, most first; where there are none, a setting."""
    boxes = [(rule.span, rule.when) for rule in knowledge.rules if rule.setting in settings]
    boxes += [
        (each.span, each.when) for each in knowledge.constraints if {n for n, _ in each.when} & settings
    ]
    found = sorted(
        ((-len({name for name, _ in box} & facts), span) for span, box in boxes), key=lambda pair: pair
    )
    return [span for number, span in found if number] or [
        knowledge.settings[name].span for name in sorted(settings)
    ]


def _named(names: list[str], what: str) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:MOST_NAMED])
    return f"{what} {shown} is" if len(names) == 1 else f"{what}s {shown}{_more(names)} are"


def _more(names: list[str]) -> str:
    return f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
