"""A knowledge base in which the places of a site's statements do not depend on where they are in the text.

An editor asks about a file again after each change, and most changes only move the statements below. So every place in a site's
file is replaced by one that only depends on what is there: that of a rule by a number that its name keeps, and those of all other
statements by their order. The checks need of a place only whether it is the library's and which statement it belongs to, until there
is a finding; findings are moved to the true places afterwards.
"""

from collections.abc import Iterator
from typing import TypeVar

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import (
    Assumption,
    Constraint,
    FactKind,
    FactValue,
    Knowledge,
    Offer,
    Preset,
    Setting,
    Source,
)
from setpoint.compiler.record import NamedTuple, distinct

Statement = Assumption | Constraint | FactKind | FactValue | Offer | Preset | Setting | Source

Placed = TypeVar("Placed", Assumption, Constraint, FactKind, FactValue, Offer, Preset, Setting, Source)


@distinct
class Placeless(NamedTuple):
    """The knowledge base, and for each replaced place the true one."""

    knowledge: Knowledge
    places: dict[Span, Span]


class Places:
    """The numbers of the rules of a site, by name."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def without(self, knowledge: Knowledge) -> Placeless:
        """A knowledge base without the places of the site's rules, and of what the conditions and values of rules rest on."""
        true: dict[Span, Span] = {}
        rules = []
        for rule in knowledge.rules:
            if not knowledge.is_from_library(rule.span):
                number = self._numbers.setdefault(rule.name, len(self._numbers) + 1)
                place = _numbered(rule.span.file, number)
                true[place] = rule.span
                rule = rule._replace(span=place)
            rules.append(rule)
        spans = sorted({each.span for each in _statements(knowledge)})
        own = [span for span in spans if not knowledge.is_from_library(span)]
        to = {span: Span(span.file, 0, -number, 0, -number) for number, span in enumerate(own, 1)}
        true |= {place: span for span, place in to.items()}

        def moved(each: Placed) -> Placed:
            return each._replace(span=to[each.span]) if each.span in to else each

        if to:
            knowledge = knowledge._replace(
                kinds={name: moved(each) for name, each in knowledge.kinds.items()},
                values={
                    fact: {name: moved(each) for name, each in values.items()}
                    for fact, values in knowledge.values.items()
                },
                assumptions=tuple(map(moved, knowledge.assumptions)),
                sources={name: moved(each) for name, each in knowledge.sources.items()},
                settings={name: moved(each) for name, each in knowledge.settings.items()},
                offers={name: tuple(map(moved, each)) for name, each in knowledge.offers.items()},
                presets=tuple(map(moved, knowledge.presets)),
                constraints=tuple(map(moved, knowledge.constraints)),
            )
        return Placeless(knowledge._replace(rules=tuple(rules)), true)


def _numbered(file: str, number: int) -> Span:
    return Span(file, -number, 0, -number, 0)


def _statements(knowledge: Knowledge) -> Iterator[Statement]:
    yield from knowledge.kinds.values()
    for values in knowledge.values.values():
        yield from values.values()
    yield from knowledge.assumptions
    yield from knowledge.sources.values()
    yield from knowledge.settings.values()
    for offers in knowledge.offers.values():
        yield from offers
    yield from knowledge.presets
    yield from knowledge.constraints
