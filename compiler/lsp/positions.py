"""Places of the compiler as places of the protocol, and back.

The compiler counts lines and characters from 1. The protocol counts from 0, and in UTF-16 code units: a character beyond the
basic plane counts as two.
"""

from lsprotocol.types import Position, Range

from setpoint.compiler.diagnostics.source import Span


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
        units += _units(character)
    return position.line + 1, len(line) + 1


def at_offset(offset: int, lines: list[str]) -> Position:
    """The position of the character at an offset in the text, which counts from 0."""
    for number, line in enumerate(lines):
        if offset <= len(line):
            return Position(number, _length(line[:offset]))
        offset -= len(line) + 1
    return Position(len(lines), 0)


def _position(line: int, column: int, lines: list[str]) -> Position:
    if not 0 < line <= len(lines):
        return Position(max(0, len(lines) - 1), 0)
    return Position(line - 1, _length(lines[line - 1][: column - 1]))


def _length(text: str) -> int:
    return len(text) if text.isascii() else sum(map(_units, text))


def _units(character: str) -> int:
    return 2 if ord(character) > 0xFFFF else 1
