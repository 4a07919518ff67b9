"""What commands and documents set in the controller of a server, beside its firmware: names that it does not have, and
commands that it or its tool refuses.

A table of the library (`stdlib/controllers.toml`) has the forms of the names, and the groups of attributes, each with
its names. It has all that is known of controllers, so that what is missing is known of none (W0913). What cannot be a
name, whatever the controller has, is refused (E0907).
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


def _refused(row: Row, line: str, span: Span) -> Diagnostic | None:
    """The finding about a command that is refused."""
    match = re.search(row["form"], line)
    if match is None:
        return None
    message = f"`{match['name']}` {row['what']}: {row['because']}"
    return Diagnostic("E0907", message, span, "not taken", (), (f"source: {row['at']}",), (row["help"],))


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
