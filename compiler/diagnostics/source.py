"""Where things stand in the text.

A `Span` is carried by every node of the tree and by every diagnostic. It names its file by the path
a user would type, so that messages and editors agree; lines and columns count from 1, and the end is
exclusive, as editors have it.
"""

from typing import NamedTuple

from setpoint.compiler.record import distinct

SUFFIX = ".tune"
"""How the name of a file in the language ends."""


@distinct
class SourceText(NamedTuple):
    """A text and the name under which messages speak of it."""

    name: str
    text: str


@distinct
class Span(NamedTuple):
    """A stretch of a source: from (line, column) up to, not including, (end_line, end_column)."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, last: "Span") -> "Span":
        """From where this one begins to where the last one ends."""
        return Span(self.file, self.line, self.column, last.end_line, last.end_column)


NOWHERE = Span("", 0, 0, 0, 0)
"""The span of what no text says, such as a command-line option."""
