"""Places in source texts.

Every node of the tree and every diagnostic has a `Span`. It names its file by the path a user would type, so that
messages and editors agree; lines and columns count from 1, and the end is exclusive, as in editors.
"""

from setpoint.compiler.record import NamedTuple, distinct

SUFFIX = ".tune"
"""The ending of the names of files in the language."""


@distinct
class SourceText(NamedTuple):
    """A text and the name by which messages refer to it."""

    name: str
    text: str


@distinct
class Span(NamedTuple):
    """A range of a source: from (line, column) up to, not including, (end_line, end_column)."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, last: "Span") -> "Span":
        """The span from the start of this one to the end of the last one."""
        return Span(self.file, self.line, self.column, last.end_line, last.end_column)


NOWHERE = Span("", 0, 0, 0, 0)
"""The span of something that is in no text, such as a command-line option."""
