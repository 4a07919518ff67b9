"""Fixes: changes of a text that remove the cause of a diagnostic, as data.

A fix names places and replacements, independently of the rest of the text. The punctuation that belongs to a removed
statement (its `;`, and its line if nothing else is on it) is found here, where the text is known.

A safe fix says in the language what its author has said already: a word spelt right, a `;`. Any other changes or drops
a decision that somebody gave a reason for. That reason is not one for the new value, so the fix leaves it open, which
is an error until somebody writes one.
"""

import re
from collections.abc import Iterable

from setpoint.compiler.diagnostics.source import Span, offset_of, start_of_line, start_of_next_line
from setpoint.compiler.record import NamedTuple

OPEN_REASON = '""'
"""A reason that is left for a person to write."""

SEMICOLON = re.compile(r"\s*;")
"""What ends a statement."""


class Edit(NamedTuple):
    """Replace the text at a span; with "", remove the statement there."""

    span: Span
    text: str


class Fix(NamedTuple):
    """Edits that belong together, and a short description; `is_safe` says that no decision changes."""

    title: str
    edits: tuple[Edit, ...]
    is_safe: bool = False

    @property
    def with_reasons(self) -> "Fix":
        """The fix with the reasons as they are: an open one would hide what else is wrong."""
        return self._replace(edits=tuple(edit for edit in self.edits if edit.text != OPEN_REASON))


class Replacement(NamedTuple):
    """An edit of a known text: the characters from `start` up to `end` become `text`."""

    start: int
    end: int
    text: str


def replacement(text: str, edit: Edit) -> Replacement:
    """An edit as a replacement in the text that its span refers to."""
    start = offset_of(text, edit.span.line, edit.span.column)
    end = offset_of(text, edit.span.end_line, edit.span.end_column)
    if edit.text:
        return Replacement(start, end, edit.text)
    semicolon = SEMICOLON.match(text, end)
    end = semicolon.end() if semicolon else end
    line_start = start_of_line(text, start)
    line_end = start_of_next_line(text, end)
    alone_before, alone_after = not text[line_start:start].strip(), not text[end:line_end].strip()
    if alone_before and alone_after:
        return Replacement(line_start, line_end, "")
    if alone_after:
        start = len(text[:start].rstrip(" \t"))
    return Replacement(start, end, "")


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits that do not overlap."""
    for start, end, new in sorted((replacement(text, edit) for edit in edits), reverse=True):
        text = text[:start] + new + text[end:]
    return text
