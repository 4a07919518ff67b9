"""The concrete syntax that the formatter works on: statements as groups of tokens, with their comments.

Tokens are grouped by `;` and by braces alone. Their meaning plays no part, so that the grammar can grow without the
formatter. A comment is attached to the token or statement that it follows, or is an entry of its own between
statements. docs/decisions/0017 says why this is not the tree of `syntax`.
"""

from itertools import pairwise

from setpoint.compiler.diagnostics.source import SourceText, lines_of
from setpoint.compiler.language.blocks import kind_of
from setpoint.compiler.language.tokens import END, Token
from setpoint.compiler.record import NamedTuple


class Comment(NamedTuple):
    """A comment: `behind` a token or a statement, else on its own line, with or without a `blank` line above."""

    text: str
    behind: bool
    blank: bool


class CommentedToken(NamedTuple):
    """A token, the comments between it and the next, and whether it began a line."""

    kind: str
    text: str
    comments: tuple[Comment, ...] = ()
    began_line: bool = False


class TokenGroup(NamedTuple):
    """The tokens of a statement, with its block if it has one.

    `opened` is the comment behind its `{`, `behind` the one behind its end. `short` means that the statement was on
    one line, `blank` that there was a blank line above it.
    """

    words: tuple[CommentedToken, ...]
    body: "tuple[Entry, ...] | None"
    opened: str
    behind: str
    short: bool
    blank: bool

    @property
    def kind(self) -> str:
        """The kind of its first token."""
        return self.words[0].kind


Entry = TokenGroup | Comment

Segment = tuple[CommentedToken, ...]
"""Tokens of a statement that belong together: its head, or a clause such as `when` with its conditions."""

SEGMENT_STARTS = frozenset(["AT", "BECAUSE", "DEFAULT", "IF", "MENU", "SHOWN", "STRENGTH", "UNTIL", "WHEN"])
"""The keywords that begin a segment of a statement."""


def entries_of(pieces: "list[Piece]") -> tuple[Entry, ...]:
    """The statements and comments of a text that parses."""
    return _Grouper(pieces).body()


def segments_of(words: tuple[CommentedToken, ...], block: str = "") -> list[Segment]:
    """The segments of a statement in a block of a kind, with the text of a footnote and the origin of a report."""
    first = words[0].kind
    starts = frozenset(["OF"]) if first in ("REPORTED", "IGNORE") else SEGMENT_STARTS
    if kind := kind_of(block):
        starts = (starts | {*map(str.upper, kind.begins)}) - {*map(str.upper, kind.keeps)}
    if (
        first == "STRENGTH"
    ):  # without its condition it would be another statement, and the next line begin one
        starts = starts - {"WHEN"}
    if first == "DERIVE":  # a share stays together with its condition
        starts = frozenset(["PER", "AND", "AT"])
    heads = [
        number
        for number, word in enumerate(words)
        if not number or word.kind in starts or (word.kind == "STRING" and first == "FOOTNOTE")
    ]
    return [words[start:end] for start, end in pairwise((*heads, len(words)))]


def items_of(part: Segment) -> list[Segment]:
    """The items of a segment, each up to a comma or to a comment."""
    ends = [number for number, word in enumerate(part, 1) if word.kind == "COMMA" or word.comments]
    return [part[start:end] for start, end in pairwise((0, *ends, len(part))) if start < end]


def opening_of(part: Segment) -> int:
    """The number of words before the items of a segment: its first and the keywords behind it, or those up to its
    `when`."""
    kinds = [word.kind for word in items_of(part)[0]]
    if "WHEN" in kinds[1:]:
        return kinds.index("WHEN", 1) + 1
    words = 1
    while words < len(kinds) and kinds[words] == part[words].text.upper():
        words += 1
    return words


def is_listed(part: Segment) -> bool:
    """Whether a segment had the items of its list on lines of their own, by the line break before the first."""
    return any(word.kind == "COMMA" for word in part) and part[opening_of(part)].began_line


def text_of(words: tuple[CommentedToken, ...]) -> str:
    """Some tokens as a text with spaces, but for commas, and for a list of CPUs in a `set`."""
    if not words:
        return ""
    if len(words) == 1:
        return words[0].text
    tight = ("COMMA",) if words[0].kind == "SET" else ()
    rest = [
        word.text if word.kind == "COMMA" or before.kind in tight else f" {word.text}"
        for before, word in pairwise(words)
    ]
    return words[0].text + "".join(rest)


# -------------------------------------------------------------------------------------- reading


class Piece(NamedTuple):
    """A token or a comment, its line, and the number of line breaks before it."""

    kind: str
    text: str
    line: int
    breaks: int


def pieces_of(source: SourceText, tokens: list[Token]) -> list[Piece]:
    """The tokens and the comments of a text, and its end.

    The lexer skips nothing but white space and comments.
    """
    pieces: list[Piece] = []
    at, line = 0, 1
    for kind, text, _, _, start, end in tokens:
        gap = source.text[at : start if kind != END else len(source.text)]
        breaks = 0
        if gap.isspace():
            breaks = len(lines_of(gap)) - 1
            line += breaks
        elif gap:
            for number, part in enumerate(lines_of(gap)):
                breaks += number > 0
                line += number > 0
                if comment := part.strip(" \t"):
                    pieces.append(Piece("COMMENT", comment, line, breaks))
                    breaks = 0
        pieces.append(Piece(kind, text, line, breaks))
        at = end
    return pieces


class _Grouper:
    """Groups the pieces of a text into statements. The text has been parsed, so its braces match."""

    def __init__(self, pieces: list[Piece]) -> None:
        self._pieces = pieces
        self._at = 0
        self._next = pieces[0]

    def _take(self) -> Piece:
        """The next piece, which is then behind."""
        piece = self._next
        self._at += 1
        self._next = self._pieces[self._at]
        return piece

    def _comments(self) -> list[Comment]:
        comments = []
        while self._next.kind == "COMMENT":
            piece = self._take()
            comments.append(Comment(piece.text, piece.breaks == 0, piece.breaks > 1))
        return comments

    def _comment_behind(self) -> list[Comment]:
        """The comment on the line of the previous piece, if any."""
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
        """A statement, followed by the comments before its `;` that it has no place for."""
        first = self._next
        words: list[CommentedToken] = []
        late: list[Comment] = []
        while self._next.kind not in ("SEMICOLON", "LBRACE", "RBRACE", END):
            piece = self._take()
            late = self._comments() if self._next.kind == "COMMENT" else []
            words.append(CommentedToken(piece.kind, piece.text, tuple(late), piece.breaks > 0))
        if late:
            words[-1] = words[-1]._replace(comments=())
        if self._next.kind == "LBRACE":
            self._take()
            opened, inside = _one_behind([*late, *self._comment_behind()])
            body = (*inside, *self.body())
            short = self._take().line == first.line
            behind, after = _one_behind(self._comment_behind())
            return [TokenGroup(tuple(words), body, opened, behind, short, first.breaks > 1), *after]
        if self._next.kind == "SEMICOLON":
            self._take()
        behind, after = _one_behind([*late, *self._comment_behind()])
        return [TokenGroup(tuple(words), None, "", behind, False, first.breaks > 1), *after]


def _one_behind(comments: list[Comment]) -> tuple[str, list[Comment]]:
    """The text of the first comment if it is behind something, and the remaining ones, which get their own lines."""
    if comments and comments[0].behind:
        return comments[0].text, comments[1:]
    return "", comments
