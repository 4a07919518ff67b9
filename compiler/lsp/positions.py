"""Places of the compiler as places of the protocol, and back.

Lines end where those of the compiler end. The compiler counts lines and characters from 1. The protocol counts from 0,
and in UTF-16 code units: a character beyond the basic plane counts as two. Every editor must understand these, whatever
else it offers, so the server never agrees on others.
"""

from lsprotocol.types import Position, Range

from setpoint.compiler.diagnostics.source import Span, lines_of, offset_of, place_of

UTF_16 = "utf-16-le"
"""The encoding whose units the protocol counts, in pairs of bytes."""


def to_range(span: Span, lines: list[str]) -> Range:
    """The range of a span in a text of these lines."""
    return Range(_position(span.line, span.column, lines), _position(span.end_line, span.end_column, lines))


def place(position: Position, lines: list[str]) -> tuple[int, int]:
    """Line and column, both from 1, of a position. One behind the end of its line is that end."""
    if position.line >= len(lines):
        return len(lines), len(lines[-1]) + 1
    units, line = 0, lines[position.line]
    for number, character in enumerate(line):
        if units >= position.character:
            return position.line + 1, number + 1
        units += _length(character)
    return position.line + 1, len(line) + 1


def at_offset(offset: int, text: str) -> Position:
    """The position of the character at an offset in a text, which counts from 0."""
    line, column = place_of(text, offset)
    return Position(line - 1, _length(text[offset - column + 1 : offset]))


def replaced(text: str, range_: Range, new: str) -> str:
    """A text after an editor has replaced a range of it. The ends of the range may have any order.

    An editor can put half of a pair of surrogates behind the other half, and both are one character then.
    """
    start, end = sorted((_units(range_.start, text), _units(range_.end, text)))
    units = text.encode(UTF_16, "surrogatepass")
    units = units[: 2 * start] + new.encode(UTF_16, "surrogatepass") + units[2 * end :]
    return units.decode(UTF_16, "surrogatepass")


def _units(position: Position, text: str) -> int:
    """The number of units before a position."""
    lines = lines_of(text)
    if position.line >= len(lines):
        return _length(text)
    before = text[: offset_of(text, position.line + 1, 1)]
    return _length(before) + min(position.character, _length(lines[position.line]))


def _position(line: int, column: int, lines: list[str]) -> Position:
    if not 0 < line <= len(lines):
        return Position(max(0, len(lines) - 1), 0)
    return Position(line - 1, _length(lines[line - 1][: column - 1]))


def _length(text: str) -> int:
    """The length of a text in units."""
    return len(text) if text.isascii() else len(text.encode(UTF_16, "surrogatepass")) // 2
