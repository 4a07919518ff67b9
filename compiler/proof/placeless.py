"""A knowledge base in which the places of a site's statements do not depend on where they are in the text.

An editor asks about a file again after each change, and most changes only move the statements below. So every place in a site's
file is replaced by one that only depends on what is there: that of a rule by a number that its name keeps, and those of all other
statements by their order. The checks need of a place only whether it is the library's and which statement it belongs to, until there
is a finding; findings are moved to the true places afterwards.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.record import NamedTuple, distinct

BENEATH = ("kinds", "values", "assumptions", "sources", "settings", "offers", "presets", "constraints")
"""The fields of a knowledge base with what the conditions and values of rules rest on."""


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
        spans = sorted({span for field in BENEATH for span in _places(getattr(knowledge, field))})
        own = [span for span in spans if not knowledge.is_from_library(span)]
        to = {span: Span(span.file, 0, -number, 0, -number) for number, span in enumerate(own, 1)}
        true |= {place: span for span, place in to.items()}
        moved = {field: _moved(getattr(knowledge, field), to) for field in BENEATH} if to else {}
        return Placeless(knowledge._replace(rules=tuple(rules), **moved), true)


def _numbered(file: str, number: int) -> Span:
    return Span(file, -number, 0, -number, 0)


def _places(field: Any) -> Iterator[Span]:
    """The places of the statements in a field, or in a part of it."""
    if hasattr(field, "span"):
        yield field.span
    else:
        for each in field.values() if isinstance(field, dict) else field:
            yield from _places(each)


def _moved(field: Any, to: Mapping[Span, Span]) -> Any:
    """A field, or a part of it, with other places for some of its statements."""
    if hasattr(field, "span"):
        return field._replace(span=to[field.span]) if field.span in to else field
    if isinstance(field, dict):
        return {name: _moved(each, to) for name, each in field.items()}
    return tuple([_moved(each, to) for each in field])
