"""What two knowledge bases say otherwise, statement by statement, whether any value comes of it or not.

Statements are compared field by field, as the forms of knowledge have them, so that no kind and no field
has to be listed here: a figure, the label of a menu, an assumption, the weight of a hazard. Left out is
what only says where a statement stands, and what is worked out from others, which are compared themselves.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from setpoint.compiler.knowledge.model import Citation, FactKind, FactValue, Knowledge, Measurement, Reported
from setpoint.compiler.knowledge.results import FieldChange, KindChanges

NO_WORDS = frozenset({"name", "span", "position", "reaches", "closed"})
"""Fields that are not compared: what a statement is called and where it stands, the order of decision, and how far out of
scope it reaches, which its source's scope says."""

NO_STATEMENTS = frozenset({"variables", "site"})
"""Fields of a knowledge base that hold no statements: what is worked out from them, and which files are a site's."""

LINE = re.compile(r"\.\d+$")
"""What tells the figures of two tables apart that one page has: the line of the table."""

Said = dict[str, str]
"""The words of a statement, by field."""


def listed(old: Knowledge, new: Knowledge) -> Iterator[KindChanges]:
    """What is new, gone or reworded, by kind."""
    before, after = _said(old), _said(new)
    for kind in [*after, *(kind for kind in before if kind not in after)]:
        was, is_ = before.get(kind, {}), after.get(kind, {})
        added = tuple(name for name in is_ if name not in was)
        dropped = tuple(name for name in was if name not in is_)
        changed = tuple(
            (name, tuple(reworded(was[name], is_[name])))
            for name in is_
            if name in was and is_[name] != was[name]
        )
        if added or dropped or changed:
            yield KindChanges(kind, added, dropped, changed)


def reworded(old: list[Said], new: list[Said]) -> Iterator[FieldChange]:
    """The fields that differ; of several statements of one name, all that they say of a field together."""
    for field in {name: None for said in (*old, *new) for name in said}:
        was, is_ = ("; ".join(said[field] for said in side if said.get(field)) for side in (old, new))
        if was != is_:
            yield FieldChange(field, was, is_)


def _said(knowledge: Knowledge) -> dict[str, dict[str, list[Said]]]:
    """All statements, by their kind and their name."""
    said: dict[str, dict[str, list[Said]]] = {}
    for field in knowledge._fields:
        if field in NO_STATEMENTS:
            continue
        for form in forms(getattr(knowledge, field)):
            of_kind = said.setdefault(_kind(form), {})
            of_kind.setdefault(_name(knowledge, form), []).append(words(knowledge, form))
    return said


def words(knowledge: Knowledge, form: Any) -> Said:
    """What a statement says, field by field."""
    return {name: _told(knowledge, value) for name, value in form._asdict().items() if name not in NO_WORDS}


def forms(statements: Any) -> Iterator[Any]:
    """The statements in a field of the knowledge base, however they are kept there."""
    if hasattr(statements, "_fields"):
        yield statements
        return
    for each in statements.values() if isinstance(statements, Mapping) else statements:
        yield from forms(each)


def _kind(form: Any) -> str:
    """What a statement is called: as the language does, and a value by its fact."""
    if isinstance(form, FactValue):
        return form.fact
    return "fact" if isinstance(form, FactKind) else type(form).__name__.lower()


def _name(knowledge: Knowledge, form: Any) -> str:
    """The name of a statement; of one that has none what it is about, and where it holds."""
    if isinstance(form, Measurement):
        return LINE.sub("", form.name)
    if hasattr(form, "name"):
        return str(form.name)
    where = knowledge.box_text(form.when)
    return f"{form[0]} ({where})" if where else str(form[0])


def _told(knowledge: Knowledge, value: Any) -> str:
    """What a field says, in words. A name with a number is a condition: the set of values that the name must lie in."""
    if value is None:
        return ""
    if isinstance(value, Citation):
        return f"{value.source}, {value.at}"
    if isinstance(value, Reported):
        return value.text + (f" ({_told(knowledge, value.citation)})" if value.citation else "")
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_told(knowledge, each)}" for name, each in value.items())
    if isinstance(value, tuple):
        if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], int):
            return knowledge.box_text((value,))
        if not any(value):
            return ""
        if all(isinstance(each, str) for each in value):
            return ", ".join(f"“{each}”" if "," in each else each for each in value)
        return "; ".join(_told(knowledge, each) for each in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
