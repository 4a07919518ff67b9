"""A text as statements, blocks and comments: what the formatter sets on lines.

The tokens are grouped by `;` and by braces alone; what they mean plays no part. Comments hang on what they
stand behind, or stand between statements as entries of their own.
"""

from collections.abc import Iterator
from typing import NamedTuple

from setpoint.compiler.diagnostics.source import Source
from setpoint.compiler.language.tokens import END, tokens
from setpoint.compiler.record import distinct


@distinct
class Comment(NamedTuple):
    """A comment; `behind` a word or a statement, or on a line of its own, perhaps below a blank one."""

    text: str
    behind: bool
    blank: bool


@distinct
class Word(NamedTuple):
    """A token of a statement, and the comments between it and the next."""

    kind: str
    text: str
    comments: tuple[Comment, ...] = ()


@distinct
class Statement(NamedTuple):
    """A statement, with its block if it has one.

    `opened` is the comment behind its `{`, `behind` that behind its end; `short` says that all of it stood
    on one line, `blank` that a blank line stood above it.
    """

    words: tuple[Word, ...]
    body: "tuple[Entry, ...] | None"
    opened: str
    behind: str
    short: bool
    blank: bool

    @property
    def kind(self) -> str:
        """The kind of its first word."""
        return self.words[0].kind


Entry = Statement | Comment

Part = tuple[Word, ...]
"""A stretch of a statement that belongs together: its beginning, or from `when` to the end of the conditions."""

PART_STARTS = frozenset(["AT", "BECAUSE", "DEFAULT", "IF", "MENU", "STRENGTH", "UNTIL", "WHEN"])
"""The words that begin a part of a statement, behind its first."""


def entries_of(source: Source) -> tuple[Entry, ...]:
    """The statements and comments of a text that parses."""
    return _Reader(source).body()


def comments_of(source: Source) -> list[str]:
    """The comments of a text, in order."""
    return [piece.text for piece in _pieces(source) if piece.kind == "COMMENT"]


def parts_of(words: tuple[Word, ...]) -> list[Part]:
    """A statement in its parts; the text of a footnote is a part as well, and so is the origin of a report."""
    first = words[0].kind
    starts = frozenset(["OF"]) if first == "REPORTED" else PART_STARTS
    parts: list[Part] = [words[:1]]
    for word in words[1:]:
        if word.kind in starts or (word.kind == "STRING" and first == "FOOTNOTE"):
            parts.append(())
        parts[-1] += (word,)
    return parts


def items_of(part: Part) -> list[Part]:
    """A part in pieces, each up to a comma or to a comment."""
    items: list[Part] = [()]
    for word in part:
        items[-1] += (word,)
        if word.kind == "COMMA" or word.comments:
            items.append(())
    return [item for item in items if item]


def text_of(words: tuple[Word, ...]) -> str:
    """Words with a space between two of them, but none before a comma."""
    return "".join(
        ("" if n == 0 or word.kind == "COMMA" else " ") + word.text for n, word in enumerate(words)
    )


# -------------------------------------------------------------------------------------- reading


@distinct
class _Piece(NamedTuple):
    """A token or a comment, its line, and how many line breaks stand before it."""

    kind: str
    text: str
    line: int
    breaks: int


def _pieces(source: Source) -> Iterator[_Piece]:
    """The tokens and the comments of a text, and its end.

    The lexer leaves nothing out between tokens but white space and comments.
    """
    at, line = 0, 1
    for token in tokens(source):
        start = token.start if token.kind != END else len(source.text)
        breaks = 0
        for number, gap in enumerate(source.text[at:start].split("\n")):
            breaks += number > 0
            line += number > 0
            if comment := gap.strip(" \t\r"):
                yield _Piece("COMMENT", comment, line, breaks)
                breaks = 0
        yield _Piece(token.kind, token.text, line, breaks)
        at = token.end


class _Reader:
    """Groups the pieces of a text into statements. The text has been parsed before: its braces match."""

    def __init__(self, source: Source) -> None:
        self._pieces = list(_pieces(source))
        self._at = 0

    @property
    def _next(self) -> _Piece:
        return self._pieces[self._at]

    def _take(self) -> _Piece:
        piece = self._next
        self._at += 1
        return piece

    def _comments(self) -> list[Comment]:
        found = []
        while self._next.kind == "COMMENT":
            piece = self._take()
            found.append(Comment(piece.text, piece.breaks == 0, piece.breaks > 1))
        return found

    def _comment_behind(self) -> list[Comment]:
        """The comment on the line of the piece before, if there is one."""
        if self._next.kind == "COMMENT" and self._next.breaks == 0:
            return [Comment(self._take().text, True, False)]
        return []

    def body(self) -> tuple[Entry, ...]:
        """The statements and comments up to the end of the block, or of the file."""
        entries: list[Entry] = list(self._comments())
        while self._next.kind not in ("RBRACE", END):
            entries += self._statement()
            entries += self._comments()
        return tuple(entries)

    def _statement(self) -> list[Entry]:
        """A statement; behind it the comments that stood before its `;` and have no place in it."""
        first = self._next
        words: list[Word] = []
        late: list[Comment] = []
        while self._next.kind not in ("SEMICOLON", "LBRACE", "RBRACE", END):
            piece = self._take()
            late = self._comments()
            words.append(Word(piece.kind, piece.text, tuple(late)))
        words[-1] = words[-1]._replace(comments=())
        if self._next.kind == "LBRACE":
            self._take()
            opened, inside = _one_behind([*late, *self._comment_behind()])
            body = (*inside, *self.body())
            short = self._take().line == first.line
            behind, after = _one_behind(self._comment_behind())
            return [Statement(tuple(words), body, opened, behind, short, first.breaks > 1), *after]
        if self._next.kind == "SEMICOLON":
            self._take()
        behind, after = _one_behind([*late, *self._comment_behind()])
        return [Statement(tuple(words), None, "", behind, False, first.breaks > 1), *after]


def _one_behind(comments: list[Comment]) -> tuple[str, list[Comment]]:
    """The text of the first comment if it stands behind something, and the others, which get their own lines."""
    if comments and comments[0].behind:
        return comments[0].text, comments[1:]
    return "", comments
