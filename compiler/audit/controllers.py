"""What commands and documents set in the controller of a server, beside its firmware: names that it does not have, and
commands that it or its tool refuses.

A table of the library (`stdlib/controllers.toml`) has the forms of the names, and the groups of attributes, each with
its names. It has all that is known of controllers, so that what is missing is known of none (W0913). What cannot be a
name, whatever the controller has, is refused (E0907). Of controllers whose settings are properties of resources, it has
what can be set in each resource, and the texts that properties take: a resource is what the line, or one shortly
before it, selects or has the address of.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from setpoint.compiler.audit.lines import line_span
from setpoint.compiler.captures.profiles import is_comment
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of
from setpoint.compiler.knowledge.library import library_table, stdlib_folder

TABLE = "controllers.toml"
"""The file of the library with what controllers have."""

Row = Mapping[str, Any]
"""A row of the table, whose head says what it has."""

ANY = "*"
"""The names of a group of which not all are known."""

ALIKE = 0.8
"""Which part of the letters of two names is the same, for one to be suggested in place of the other."""

MOST_READ = 2_000
"""How many letters of a line are read: longer ones are no commands."""

MOST_BETWEEN = 8
"""How many lines there may be between a resource and what is set in it."""

RESPONSE = "@odata."
"""What only answers of a service have, which say more than can be set."""


def wrong_objects(source: SourceText) -> Iterator[Diagnostic]:
    """The findings about names of controllers that none has (W0913), and about refused commands (E0907)."""
    table = library_table(stdlib_folder(), TABLE)
    refused, objects = (
        [row for row in table.get(kind, ()) if re.search(row["on"], source.text)]
        for kind in ("refused", "objects")
    )
    for number, line in enumerate(lines_of(source.text) if refused or objects else (), 1):
        if is_comment(line) or len(line) > MOST_READ:
            continue
        span = line_span(source.name, number, line)
        yield from (finding for row in refused if (finding := _refused(row, line, span)) is not None)
        yield from (finding for row in objects for finding in _missing(row, line, span))
    for row in table.get("properties", ()):
        yield from _unsettable(row, source) if re.search(row["on"], source.text) else ()


def _refused(row: Row, line: str, span: Span) -> Diagnostic | None:
    """The finding about a command that is refused."""
    match = re.search(row["form"], line)
    if match is None:
        return None
    message = f"`{match['name']}` {row['what']}: {row['because']}"
    code = row.get("code", "E0907")
    return Diagnostic(code, message, span, "not taken", (), (f"source: {row['at']}",), (row["help"],))


def _missing(row: Row, line: str, span: Span) -> Iterator[Diagnostic]:
    """The findings about names of a group that has none such, and about groups that do not exist."""
    matches = [match for form in row["forms"] for match in re.finditer(form, line)]
    groups = {group.lower(): names for group, names in row["groups"].items()} if matches else {}
    for match in matches:
        group, name = match["group"], match["name"]
        names = groups.get(group.lower(), "")
        if names == ANY or name.lower() in names.lower().split():
            continue
        written = f"{group}.{name}"
        why = f"no known {row['what']} has " + ("it" if names else f"the group `{group}`")
        known = [
            f"{where}.{attribute}" for where, listed in row["groups"].items() for attribute in listed.split()
        ]
        near = get_close_matches(written, known, 1, ALIKE)
        help_ = f"did you mean `{near[0]}`?" if near else "leave it out, or see what the controller calls it"
        message = f"`{written}` is no attribute here: {why}"
        yield Diagnostic("W0913", message, span, "known of none", (), (f"source: {row['at']}",), (help_,))


def _unsettable(row: Row, source: SourceText) -> Iterator[Diagnostic]:
    """The findings about properties that nobody can set in their resource (W0913), and about their texts (E0907)."""
    takes = {name: texts for texts, names in row["takes"].items() for name in names.split()}
    last, resource = 0, ""
    for number, line in enumerate(lines_of(source.text), 1):
        if is_comment(line) or len(line) > MOST_READ:
            continue
        span = line_span(source.name, number, line)
        if types := [match["type"].lower() for form in row["types"] if (match := re.search(form, line))]:
            keys = (key for key in row["resources"] if key.lower().endswith(types[0]))
            last, resource = number, next(keys, "")
        if number > last + MOST_BETWEEN or RESPONSE in line:
            resource = ""
        forms = row["arguments"] if re.search(row["command"], line) else row["members"]
        named = [match for form in forms for match in re.finditer(form, line)]
        unnamed = [match for form in row["lines"] for match in re.finditer(form, line)] if not named else []
        for match in named if resource else ():
            yield from _without(row, resource, match["name"], number > last, span)
        for match in (*named, *unnamed):
            yield from _not_taken(row, takes, match, span)


def _without(row: Row, resource: str, name: str, is_apart: bool, span: Span) -> Iterator[Diagnostic]:
    """The finding about a property that a resource lacks; in a line apart from it, about one that is misspelt."""
    settable = row["resources"][resource].split()
    near = get_close_matches(name, settable, 1, ALIKE)
    if name.lower() in map(str.lower, settable) or (is_apart and not near):
        return
    help_ = f"did you mean `{near[0]}`?" if near else f"see what `{resource}` has"
    message = f"`{name}` cannot be set: `{resource}` of no known {row['what']} has such a property to write"
    yield Diagnostic("W0913", message, span, "known of none", (), (f"source: {row['at']}",), (help_,))


def _not_taken(row: Row, takes: Mapping[str, str], match: re.Match[str], span: Span) -> Iterator[Diagnostic]:
    """The finding about a text that a property does not take."""
    name, text = match["name"], match["text"].strip("\"'$")
    if name in takes and text[:1].isalnum() and text.lower() not in takes[name].lower().split():
        help_ = f"write one of these: {', '.join(f'`{taken}`' for taken in takes[name].split())}"
        message = f"`{name}` does not take `{text}`"
        yield Diagnostic("E0907", message, span, "not taken", (), (f"source: {row['at']}",), (help_,))
