"""The lexer.

The kinds of token are the grammar's terminals. Lexing never fails: text that matches nothing becomes a token of a kind
that no rule accepts, and the parser reports it.
"""

import re
from collections.abc import Iterator
from functools import cache

from setpoint.compiler.budget import look_up
from setpoint.compiler.diagnostics.source import SourceText, Span, with_single_ends
from setpoint.compiler.language.tables import tables
from setpoint.compiler.record import NamedTuple

BOUNDS = ("SEMICOLON", "LBRACE", "RBRACE")
"""The kinds of token that end the preceding statement."""

END = "$END"
"""The kind of the last token of every text, which is directly behind the one before it."""


class Token(NamedTuple):
    """A word, sign or text, with its line and column, and its position in the source.

    Tokens do not span lines. Lines and columns count from 1, `start` and `end` from 0.
    """

    kind: str
    text: str
    line: int = 1
    column: int = 1
    start: int = 0
    end: int = 0

    @property
    def end_column(self) -> int:
        """The column behind it. The end of the file has the width of one character."""
        return self.column + (self.end - self.start or 1)

    def span(self, file: str) -> Span:
        """The span of the token."""
        return Span(file, self.line, self.column, self.line, self.end_column)


def tokens(source: SourceText) -> Iterator[Token]:
    """The tokens of a source without comments, and its end."""
    keywords, text = tables().keywords, source.text
    make = tuple.__new__  # half of lexing is making the tokens
    ends = with_single_ends(text)
    line = 1
    line_start, line_end = 0, ends.find("\n")
    last = Token(END, "")
    for match in _pattern().finditer(text):
        kind = match.lastgroup
        if kind is None:
            break  # nothing is left but white space and comments
        start, end = match.span(kind)
        if start > line_end >= 0:
            look_up()
            line += ends.count("\n", line_end, start)
            line_start, line_end = ends.rindex("\n", line_end, start) + 1, ends.find("\n", start)
        word = match[kind]
        last = make(Token, (keywords.get(word, kind), word, line, start - line_start + 1, start, end))
        yield last
    yield Token(END, "", last.line, last.column + last.end - last.start, last.end, last.end)


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(tables().pattern)
