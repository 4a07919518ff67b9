"""Limits of the proof (K20): too many situations, too many combinations of facts, too many rules, or too hard a search.

Conditions on one component multiply: if many facts each decide something of it independently, every combination of
their values is a situation. The limits are counts, so that every machine stops at the same point. They are far beyond
what hardware needs, since another generation or vendor adds situations and does not multiply them. What was not
analysed is named and is an error: finding nothing there would prove nothing.
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
"""The maximum number of situations of one component."""

TOO_MANY = f"there are more than {MOST_SITUATIONS:,} situations"
"""Why a component was not analysed."""

MOST_COMBINATIONS = 1 << 19
"""The maximum number of combinations of facts that are enumerated together."""

MOST_RULES = 500_000
"""How often rules are examined with others at most: with each component that reads their setting, and in pairs."""

PAIRS = 5
"""How many comparisons of two rules take as long as examining one with a component."""

MOST_SHOWN = 3
"""The maximum number of statements that a finding points to."""

MOST_NAMED = 8
"""The maximum number of facts or settings that a finding names."""


class TooManySituationsError(Exception):
    """The conditions distinguish more situations than the limit."""


class NothingProvenError(Exception):
    """The proof does not begin."""

    def finding(self, knowledge: Knowledge) -> Diagnostic:
        """Why (K20)."""
        raise NotImplementedError


class TooManyCombinationsError(NothingProvenError):
    """Linked facts have more combinations than the limit."""

    def __init__(self, facts: tuple[str, ...]) -> None:
        super().__init__(", ".join(facts))
        self.facts = facts

    def finding(self, knowledge: Knowledge) -> Diagnostic:
        """The finding at the statements that link the facts."""
        links = [
            value.span for fact in self.facts for value in knowledge.values[fact].values() if value.implies
        ]
        assumed = [assumption.span for assumption in knowledge.assumptions if assumption.fact in self.facts]
        first, *others = [*sorted(links), *sorted(assumed), NOWHERE]
        facts = list(self.facts)
        return Diagnostic(
            "K20",
            f"nothing is proven: linked facts can be together in more than {MOST_COMBINATIONS:,} ways",
            first,
            "links them",
            tuple(Label(span, "and this") for span in others[: MOST_SHOWN - 1] if span != NOWHERE),
            (f"implications and assumptions link: {', '.join(facts[:MOST_NAMED])}" + _more(facts),),
            ("leave out an `implies` or an `assume`, so that fewer facts are linked",),
        )


class TooManyRulesError(NothingProvenError):
    """The rules of a setting, and of those that these read, are more than the limit."""

    def __init__(self, setting: str) -> None:
        super().__init__(setting)
        self.setting = setting

    def finding(self, knowledge: Knowledge) -> Diagnostic:
        """The finding at the setting that has, or reads, the most of them."""
        return Diagnostic(
            "K20",
            f"nothing is proven: rules must be examined together more than {MOST_RULES:,} times",
            knowledge.settings[self.setting].span,
            "most often for this setting",
            notes=(
                "each rule of a setting is compared with the others, and examined with all settings that depend on it",
            ),
            help=(
                "state rules of one setting and value as one rule whose condition has several values",
                "or let fewer settings read others",
            ),
        )


class UnprovenError(Exception):
    """A component was not analysed; `boxes` are the conditions on facts that concern it."""

    def __init__(self, settings: Iterable[str], boxes: Iterable[Box], why: str) -> None:
        super().__init__(why)
        self.settings = frozenset(settings)
        self.boxes = tuple(boxes)
        self.why = why


def too_hard(settings: Iterable[str], error: TooHardError) -> UnprovenError:
    """The error for a component whose search gave up."""
    named = ", ".join(f"`{name}`" for name in error.settings[:MOST_NAMED])
    why = f"the search for values of {named} was given up after {MOST_STEPS:,} steps"
    return UnprovenError(settings, (), why)


def answer_each(
    knowledge: Knowledge, items: Iterable[Item], question: Callable[[Item], Iterable[Diagnostic]]
) -> Iterator[Diagnostic]:
    """The findings of a check for each of these items, and K20 for those that could not be checked."""
    for item in items:
        try:
            yield from question(item)
        except UnprovenError as error:
            yield unproven(knowledge, error)


def unproven(knowledge: Knowledge, error: UnprovenError) -> Diagnostic:
    """The finding for a component that was not analysed (K20)."""
    about = Counter(name for box in error.boxes for name, _ in box)
    facts = [name for name, _ in sorted(about.items(), key=lambda pair: (-pair[1], pair[0]))]
    first, *others = _statements(knowledge, error.settings, set(facts))
    settings = sorted(error.settings, key=lambda name: knowledge.settings[name].position)
    return Diagnostic(
        "K20",
        f"{_named(settings, 'setting')} not proven: {error.why}",
        first,
        "contributes to this",
        tuple(Label(span, "and this") for span in others[: MOST_SHOWN - 1]),
        (f"conditions on these facts affect it: {', '.join(facts[:MOST_NAMED])}" + _more(facts),)
        if facts
        else (),
        (
            "let fewer facts decide by themselves: state in the conditions which of them go together",
            "or drop a constraint or profile that ties settings together, so that each is proven by itself",
        ),
    )


def _statements(knowledge: Knowledge, settings: frozenset[str], facts: set[str]) -> list[Span]:
    """The statements that use the most of these facts for the settings, most first; without any, the settings."""
    boxes = [(rule.span, rule.when) for rule in knowledge.rules if rule.setting in settings]
    boxes += [
        (constraint.span, constraint.when)
        for constraint in knowledge.constraints
        if {n for n, _ in constraint.when} & settings
    ]
    ranking = sorted(
        ((-len({name for name, _ in box} & facts), span) for span, box in boxes), key=lambda pair: pair
    )
    return [span for number, span in ranking if number] or [
        knowledge.settings[name].span for name in sorted(settings)
    ]


def _named(names: list[str], what: str) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:MOST_NAMED])
    return f"{what} {shown} is" if len(names) == 1 else f"{what}s {shown}{_more(names)} are"


def _more(names: list[str]) -> str:
    return f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
