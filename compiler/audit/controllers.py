"""What commands and documents set in the controller of a server, beside its firmware: names that it does not have, and
commands that it or its tool refuses.

A table of the library (`stdlib/controllers.toml`) has the forms of the names, and the groups of attributes, each with
its names. It has all that is known of controllers, so that what is missing is known of none (W0913). What cannot be a
name, whatever the controller has, is refused (E0907). Of controllers whose settings are properties of resources, it has
what can be set in each resource, and the texts that properties take: a resource is what the line, or one shortly
before it, selects or has the address of.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from setpoint.compiler.captures.profiles import is_comment
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.slips import nearest
from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of
from setpoint.compiler.entries.lines import line_span
from setpoint.compiler.knowledge.library import library_table, stdlib_folder

TABLE = "controllers.toml"
"""The file of the library with what controllers have."""

Row = Mapping[str, Any]
"""A row of the table, whose head says what it has."""

Lines = Iterable[tuple[str, Span]]
"""Lines of a text, each with its place."""

ANY = "*"
"""The names of a group of which not all are known."""

MOST_READ = 2_000
"""How many letters of a line are read: longer ones are no commands."""


def wrong_objects(source: SourceText) -> Iterator[Diagnostic]:
    """The findings about names of controllers that none has (W0913), and about refused commands (E0907)."""
    for kind, judged in (("refused", _refused), ("objects", _missing), ("properties", _unsettable)):
        yield from (finding for row, lines in _rows(kind, source) for finding in judged(row, lines))


def named_objects(source: SourceText) -> Iterator[str]:
    """The attributes of controllers that a text sets."""
    matches = (match for row, lines in _rows("objects", source) for match, _ in _matches(row["forms"], lines))
    return (match["name"] for match in matches)


def _rows(kind: str, source: SourceText) -> list[tuple[Row, Lines]]:
    """The rows of a kind that are about what a text has, each with the lines that can have commands."""
    rows = [
        row
        for row in library_table(stdlib_folder(), TABLE).get(kind, ())
        if re.search(row["on"], source.text)
    ]
    numbered = enumerate(lines_of(source.text) if rows else (), 1)
    read = [(n, line) for n, line in numbered if not is_comment(line) and len(line) <= MOST_READ]
    lines = [(line, line_span(source.name, number, line)) for number, line in read]
    return [(row, lines) for row in rows]


def _matches(forms: Iterable[str], lines: Lines) -> Iterator[tuple[re.Match[str], Span]]:
    """What has one of some forms, line by line."""
    return ((match, span) for line, span in lines for form in forms for match in re.finditer(form, line))


def _refused(row: Row, lines: Lines) -> Iterator[Diagnostic]:
    """The findings about commands that are refused, one for each line."""
    for line, span in lines:
        if match := re.search(row["form"], line):
            message = f"`{match['name']}` {row['what']}: {row['because']}"
            yield _said(row.get("code", "E0907"), message, span, row, row["help"])


def _missing(row: Row, lines: Lines) -> Iterator[Diagnostic]:
    """The findings about names of a group that has none such, and about groups that do not exist."""
    groups = {group.lower(): names for group, names in row["groups"].items()}
    for match, span in _matches(row["forms"], lines):
        group, name = match["group"], match["name"]
        names = groups.get(group.lower(), "")
        if names == ANY or name.lower() in names.lower().split():
            yield from _not_taken(row, f"{group}.{name}", match["text"], span)
            continue
        written = f"{group}.{name}"
        why = f"no known {row['what']} has " + ("it" if names else f"the group `{group}`")
        known = [
            f"{where}.{attribute}" for where, listed in row["groups"].items() for attribute in listed.split()
        ]
        near = nearest(written, known)
        help_ = f"did you mean `{near}`?" if near else "leave it out, or see what the controller calls it"
        yield _said("W0913", f"`{written}` is no attribute here: {why}", span, row, help_)


def _unsettable(row: Row, lines: Lines) -> Iterator[Diagnostic]:
    """The findings about properties that nobody can set in a resource (W0913), and about texts that they do not take
    (E0907). In a line that is apart from the resource, only those that are misspelt are told."""
    last, resource = 0, ""
    for line, span in lines:
        if types := [match["type"].lower() for form in row["types"] if (match := re.search(form, line))]:
            keys = (key for key in row["resources"] if key.lower().endswith(types[0]))
            last, resource = span.line, next(keys, "")
        forms = row["arguments"] if re.search(row["command"], line) else row["members"]
        named = [match for form in forms for match in re.finditer(form, line)]
        others = [match for form in row["lines"] for match in re.finditer(form, line)]
        near_by = resource if span.line <= last + row["between"] else ""
        settable = row["resources"].get(near_by, "").split()
        for name in [match["name"] for match in named or others if near_by]:
            near = nearest(name, settable)
            if name.lower() not in map(str.lower, settable) and (near or (named and span.line == last)):
                help_ = f"did you mean `{near}`?" if near else f"see what `{near_by}` has"
                why = f"`{near_by}` of no known {row['what']} has such a property to write"
                yield _said("W0913", f"`{name}` cannot be set: {why}", span, row, help_)
        for match in named or others:
            yield from _not_taken(row, match["name"], match["text"], span)


def _not_taken(row: Row, name: str, text: str | None, span: Span) -> Iterator[Diagnostic]:
    """The finding about a text that a name does not take (E0907); a number may stand for one."""
    small, said = name.lower(), (text or "").strip("\"'")
    taken = next((texts for texts, names in row["takes"].items() if small in names.lower().split()), "")
    is_number = said.isdigit() and row.get("numbers", False)
    if taken and said[:1].isalnum() and not is_number and said.lower() not in taken.lower().split():
        help_ = f"write one of these: {', '.join(f'`{text}`' for text in taken.split())}"
        yield _said("E0907", f"`{name}` does not take `{said}`", span, row, help_)


def _said(code: str, message: str, span: Span, row: Row, help_: str) -> Diagnostic:
    label = "known of none" if code == "W0913" else "not taken"
    return Diagnostic(code, message, span, label, (), (f"source: {row['at']}",), (help_,))
