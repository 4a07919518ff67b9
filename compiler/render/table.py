"""Tables: as plain text, with columns as wide as their widest cell and the last one wrapped to the remaining width; and
as CSV.

People open CSV in spreadsheets, which take a cell that begins with `=`, `+`, `-` or `@` for a formula. A formula can
start programs and send what other cells have. Such a cell therefore begins with an apostrophe, as OWASP advises: a
spreadsheet then shows a text.
"""

from collections.abc import Iterable, Sequence

from setpoint.compiler.render.visible import visible

GAP, INDENT = 2, 2
"""The spaces between columns, and before the first."""

LEAST_LAST = 24
"""The least width of a last column: if the page leaves less, its cells stand below the others."""

BELOW = 4
"""How much further these are indented."""


def table(
    rows: Sequence[Sequence[str]],
    width: int,
    indent: int = INDENT,
    least_last: int = LEAST_LAST,
    gap: int = GAP,
) -> str:
    """The rows as lines with line breaks. `width` is that of the page, `gap` the space between columns."""
    if not rows:
        return ""
    widths = _widths(rows)
    before = indent + sum(w + gap for w in widths[:-1])
    room = width - before
    is_below = not has_room(rows, width, indent, least_last, gap)
    lines = []
    for row in rows:
        head = "".join(cell.ljust(w + gap) for cell, w in zip(row[:-1], widths, strict=False))
        if is_below:
            first, rest = head, wrap(row[-1], width - indent - BELOW)
            margin = indent + BELOW
        else:
            part, *rest = wrap(row[-1], room) or [""]
            first, margin = head + part, before
        lines += [(" " * indent + first).rstrip(), *(" " * margin + part for part in rest)]
    return "\n".join(lines) + "\n"


def has_room(
    rows: Sequence[Sequence[str]],
    width: int,
    indent: int = INDENT,
    least_last: int = LEAST_LAST,
    gap: int = GAP,
) -> bool:
    """Whether the other columns of a table leave enough of the page for the last one."""
    *others, last = _widths(rows)
    return width - indent - sum(w + gap for w in others) >= min(least_last, last)


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """The width of each column."""
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def wrap(text: str, room: int) -> list[str]:
    """The words of a text in lines of at most `room` characters, if no word is longer."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > room:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line] if line else lines


def paragraph(text: str, width: int, indent: int = INDENT) -> str:
    """A text in lines of at most `width` characters, indented by `indent`; all but the first are indented further."""
    first, *rest = wrap(text, width - indent - 2) or [""]
    return "".join(f"{' ' * indent}{line}\n" for line in [first, *(f"  {line}" for line in rest)])


FORMULA = tuple("=+-@\uff0b\uff0d\uff1d\uff20")
"""How a formula begins; spreadsheets pass over blanks, and take the wide signs of East Asian scripts for the others."""


QUOTED = (",", ";", '"')
"""What is quoted. Where a comma is in numbers, spreadsheets divide lines at semicolons."""


def csv_text(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table: the names of its columns, and its rows. Lines end with a line feed."""
    return csv_row(head) + "".join(map(csv_row, rows))


def csv_row(cells: Iterable[object]) -> str:
    """A line of a table."""
    return f"{','.join(map(_cell, cells))}\n"


def _cell(content: object) -> str:
    text = visible(str(content))
    text = f"'{text}" if text.lstrip().startswith(FORMULA) else text
    return '"{}"'.format(text.replace('"', '""')) if any(sign in text for sign in QUOTED) else text
