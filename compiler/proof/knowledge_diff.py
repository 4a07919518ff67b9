"""Changed statements of two knowledge bases, whether or not any value changes.

Statements are compared field by field over the records of the knowledge base, so that no kind and no field has to be
listed here: a figure, a menu label, an assumption, the severity of a hazard. Not compared are fields that only say
where a statement is, and those derived from others.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from setpoint.compiler.knowledge.model import (
    Citation,
    FactKind,
    FactValue,
    Knowledge,
    Measurement,
    Pin,
    ServerReport,
)
from setpoint.compiler.knowledge.results import FieldChange, KindChanges

IGNORED_FIELDS = frozenset({"name", "span", "stated", "position", "applicabilities", "closed"})
"""Fields that are not compared: names and places, the order of decision, what follows from the source's scope."""

IGNORED_COLLECTIONS = frozenset({"variables", "site", "digests"})
"""Fields of the knowledge base without statements of their own: derived ones, names of a site's files, digests."""

TABLE_LINE = re.compile(r"\.\d+$")
"""The suffix of a figure's name: the line of its table, which distinguishes the tables of one page."""

FieldTexts = dict[str, str]
"""The content of a statement as text, by field."""


def changes_by_kind(old: Knowledge, new: Knowledge) -> Iterator[KindChanges]:
    """The added, removed and changed statements, by kind."""
    before, after = _statements(old), _statements(new)
    for kind in [*after, *(kind for kind in before if kind not in after)]:
        was, now = before.get(kind, {}), after.get(kind, {})
        added = tuple(name for name in now if name not in was)
        dropped = tuple(name for name in was if name not in now)
        changed = tuple(
            (name, tuple(field_changes(was[name], now[name])))
            for name in now
            if name in was and now[name] != was[name]
        )
        if added or dropped or changed:
            yield KindChanges(kind, added, dropped, changed)


def field_changes(old: list[FieldTexts], new: list[FieldTexts]) -> Iterator[FieldChange]:
    """The fields that differ; several statements of one name are compared together."""
    for field in {name: None for texts in (*old, *new) for name in texts}:
        was, now = ("; ".join(texts[field] for texts in side if texts.get(field)) for side in (old, new))
        if was != now:
            yield FieldChange(field, was, now)


def _statements(knowledge: Knowledge) -> dict[str, dict[str, list[FieldTexts]]]:
    """All statements, by kind and name."""
    texts: dict[str, dict[str, list[FieldTexts]]] = {}
    for field in knowledge._fields:
        if field in IGNORED_COLLECTIONS:
            continue
        for statement in statements_in(getattr(knowledge, field)):
            of_kind = texts.setdefault(_kind(statement), {})
            of_kind.setdefault(_name(knowledge, statement), []).append(field_texts(knowledge, statement))
    return texts


def field_texts(knowledge: Knowledge, statement: Any) -> FieldTexts:
    """The content of a statement as text, field by field."""
    return {
        name: _text(knowledge, value)
        for name, value in statement._asdict().items()
        if name not in IGNORED_FIELDS
    }


def statements_in(statements: Any) -> Iterator[Any]:
    """The statements in a field of the knowledge base, however the field nests them."""
    if hasattr(statements, "_fields"):
        yield statements
        return
    for part in statements.values() if isinstance(statements, Mapping) else statements:
        yield from statements_in(part)


def _kind(statement: Any) -> str:
    """The kind of a statement in the terms of the language; for a value, its fact."""
    if isinstance(statement, FactValue):
        return statement.fact
    return "fact" if isinstance(statement, FactKind) else type(statement).__name__.lower()


def _name(knowledge: Knowledge, statement: Any) -> str:
    """The name of a statement; without one, its subject and its conditions."""
    if isinstance(statement, Measurement):
        return TABLE_LINE.sub("", statement.name)
    if hasattr(statement, "name"):
        return str(statement.name)
    where = knowledge.box_text(statement.when)
    return f"{statement[0]} ({where})" if where else str(statement[0])


def _text(knowledge: Knowledge, value: Any) -> str:
    """The text of a field. A name with a number is a condition: the set of values of that variable."""
    if value is None:
        return ""
    if isinstance(value, Citation):
        return f"{value.source}, {value.at}"
    if isinstance(value, Pin):
        return value.text
    if isinstance(value, ServerReport):
        return value.text + (f" ({_text(knowledge, value.citation)})" if value.citation else "")
    if isinstance(value, frozenset):
        return _text(knowledge, tuple(sorted(value)))
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_text(knowledge, part)}" for name, part in value.items())
    if isinstance(value, tuple):
        if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], int):
            return knowledge.box_text((value,))
        if not any(value):
            return ""
        if all(isinstance(text, str) for text in value):
            return ", ".join(f"“{text}”" if "," in text else text for text in value)
        return "; ".join(_text(knowledge, part) for part in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
