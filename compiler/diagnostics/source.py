"""Places in source texts.

Every node of the tree and every diagnostic has a `Span`. It names its file by the path a user would type, so that
messages and editors agree; the end is exclusive, as in editors. Lines and columns count from 1, and a column is a code
point.

A line ends at LF, CRLF or CR, and nowhere else, as the Language Server Protocol has it. Form feeds, NEL or U+2028 are
characters of their line: Python's `splitlines` ends lines at them and no editor does, so nothing here uses it. A text
that ends with a line end has an empty last line.
"""

import re
from bisect import bisect_right
from collections.abc import Callable

import setpoint.compiler
from setpoint.compiler.record import Beside, NamedTuple, beside

SUFFIX = setpoint.compiler.SUFFIX
"""The ending of the names of files in the language."""


class SourceText(NamedTuple):
    """A text and the name by which messages refer to it."""

    name: str
    text: str

    def spans(self) -> "Callable[[int, int], Span]":
        """What gives the span of a part of the text by its offsets; the lines are counted once."""
        starts = [0, *(end.end() for end in LINE_END.finditer(self.text))]

        def span(start: int, end: int) -> Span:
            first, last = bisect_right(starts, start), bisect_right(starts, end)
            return Span(self.name, first, start - starts[first - 1] + 1, last, end - starts[last - 1] + 1)

        return span


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


class Placed(Beside):
    """The base of a record of something that stands in a text. It equals all that say the same elsewhere."""

    span: Span = beside(kw_only=True)


LINE_END = re.compile(r"\r\n?|\n")
"""The end of a line."""


def lines_of(text: str) -> list[str]:
    """The lines of a text, at least one, without their ends."""
    return (text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text).split("\n")


def with_single_ends(text: str) -> str:
    """A text of the same length in which each line ends at one LF, the last character of the end that the line had."""
    return text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text


def offset_of(text: str, line: int, column: int) -> int:
    """The offset of a place, at most the end of its line, or of the text if the text has no such line."""
    ends = with_single_ends(text)
    start = 0
    for _ in range(line - 1):
        start = ends.find("\n", start) + 1
        if not start:
            return len(text)
    return min(start + column - 1, end_of_line(text, start))


def place_of(text: str, offset: int) -> tuple[int, int]:
    """The line and the column of an offset, which is not between a CR and its LF."""
    ends = with_single_ends(text)
    return ends.count("\n", 0, offset) + 1, offset - start_of_line(text, offset) + 1


def start_of_line(text: str, offset: int) -> int:
    """The offset where the line begins that an offset is in."""
    return with_single_ends(text).rfind("\n", 0, offset) + 1


def start_of_next_line(text: str, offset: int) -> int:
    """The offset behind the end of the line that an offset is in."""
    match = LINE_END.search(text, offset)
    return match.end() if match else len(text)


def end_of_line(text: str, offset: int) -> int:
    """The offset where the line ends that an offset is in, before its line end."""
    match = LINE_END.search(text, offset)
    return match.start() if match else len(text)
