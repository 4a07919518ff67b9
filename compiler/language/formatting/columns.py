"""Columns: the rows of tables, presets and measurements, which are read by the heads above them.

Columns are two spaces apart, and their widths are rounded up. So a row that is added, removed or changed leaves the
others where they are, unless it has the longest cell of a column by some letters. The last cell of a row does not widen
its column, so that one long cell there moves no others. Whatever follows the cells follows them directly.
"""

from collections.abc import Iterable, Sequence
from itertools import repeat, zip_longest

from setpoint.compiler.language.blocks import CELLS, FIGURES, kind_of
from setpoint.compiler.language.formatting.token_groups import (
    CommentedToken,
    Entry,
    Segment,
    TokenGroup,
    is_listed,
    segments_of,
    text_of,
)
from setpoint.compiler.record import NamedTuple

WIDTH = 120
"""The maximum length of a line; only a single longer text or name exceeds it."""

GAP = "  "
"""Between two columns."""

NAMES, VALUES = 8, 4
"""A column of names is a multiple of the first wide, with the gap behind it, and the others of the second."""


class Layout(NamedTuple):
    """The segments of a statement, and whether to break it even if it fits. Aligned cells are a single token."""

    segments: list[Segment]
    broken: bool = False


def layouts_of(body: tuple[Entry, ...], kind: str, indent: int) -> dict[int, Layout]:
    """The layouts of the statements to align, by their index in the body."""
    block = kind_of(kind)
    layout = block.layout if block else ""
    if layout not in (CELLS, FIGURES):
        return {}
    return _rows_in_columns(
        {
            index: entry
            for index, entry in enumerate(body)
            if isinstance(entry, TokenGroup)
            and entry.body is None
            and (entry.kind != "FOOTNOTE" if layout == CELLS else entry.kind in ("COLUMNS", "ROW"))
        },
        indent,
        NAMES if layout == CELLS else 1,  # figures begin with `row`, which is always as long
    )


def _rows_in_columns(rows: dict[int, TokenGroup], indent: int, first_step: int) -> dict[int, Layout]:
    """Align the cells of rows. Their other segments are on the same line, unless that is too long or has comments."""
    segments = {index: segments_of(row.words) for index, row in rows.items()}
    segments = {index: ps for index, ps in segments.items() if not any(word.comments for word in ps[0][:-1])}
    cells = {index: _cells(first) for index, (first, *_) in segments.items()}
    widths = _widths(cells.values(), first_step)
    layouts = {}
    for index, (first, *rest) in segments.items():
        start = _padded(cells[index], widths)
        whole = GAP.join((start, *map(text_of, rest)))
        commented = any(word.comments for word in rows[index].words)
        if indent + len(whole) >= WIDTH or commented or any(map(is_listed, rest)):
            row = (CommentedToken("ROW", start, first[-1].comments),)
            layouts[index] = Layout([row, *rest], broken=True)
        else:
            layouts[index] = Layout([(CommentedToken("ROW", whole),)])
    return layouts


def _cells(part: Segment) -> list[str]:
    """The cells of a row: one word each, or several joined by `or`, or with the word that says what a profile does."""
    cells: list[list[str]] = []
    joined = False
    for word in part:
        if joined or word.kind == "OR":
            cells[-1].append(word.text)
        else:
            cells.append([word.text])
        joined = word.kind in ("OR", "KEPT", "INITIALLY")
    return [" ".join(cell) for cell in cells]


def _widths(rows: Iterable[Sequence[str]], first_step: int) -> list[int]:
    """The widths of columns, rounded up. The last cell of a row does not widen its column, nor does one that is longer
    than a line: it would move the cells of all rows, so that a text of a few kilobytes would be megabytes.
    """
    widths: list[int] = []
    for row in rows:
        lengths = [len(cell) for cell in row[:-1]]
        widths += [0] * (len(lengths) - len(widths))
        for column, length in enumerate(lengths):
            if widths[column] < length <= WIDTH:
                widths[column] = length
    steps = (first_step, *repeat(VALUES, len(widths)))
    return [
        -(-(width + len(GAP)) // step) * step - len(GAP) for width, step in zip(widths, steps, strict=False)
    ]


def _padded(row: Sequence[str], widths: Sequence[int]) -> str:
    """A row as text, in columns of these widths."""
    return GAP.join(
        f"{cell:<{width}}" for cell, width in zip_longest(row, widths[: len(row)], fillvalue=0)
    ).rstrip()
