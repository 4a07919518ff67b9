"""Column layout: runs of facts, the rows of tables, the offers of a platform.

Columns are two spaces apart. The last cell of a row does not widen its column, so that one long cell there moves no
others.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from setpoint.compiler.language.blocks import CELLS, COLUMNS, FIGURES, kind_of
from setpoint.compiler.language.formatting.token_groups import (
    CommentedToken,
    Entry,
    Segment,
    TokenGroup,
    items_of,
    segments_of,
    text_of,
)
from setpoint.compiler.record import NamedTuple, distinct

WIDTH = 120
"""The maximum length of a line; only a single longer text or name exceeds it."""

STEP = 4
"""The indentation of a block, and of the continuation of a broken statement."""

CLAUSES = ("IN", "SHOWN", "WHILE", "OVERWRITTEN", "DEFAULT", "MENU", "AT", "IF")
"""The clauses of an offer, a spelling or an observation, in the order of their columns."""


@distinct
class Layout(NamedTuple):
    """The segments of a statement, and whether to break it even if it fits. Aligned cells are a single token."""

    segments: list[Segment]
    broken: bool = False


def layouts_of(body: tuple[Entry, ...], kind: str, indent: int) -> dict[int, Layout]:
    """The layouts of the statements to align, by their index in the body."""
    simple = {i: e for i, e in enumerate(body) if isinstance(e, TokenGroup) and e.body is None}
    block = kind_of(kind)
    layout = block.layout if block else ""
    if layout == COLUMNS:
        return _offers_in_columns(simple, kind, indent)
    if layout == CELLS:
        return _rows_in_columns({i: e for i, e in simple.items() if e.kind != "FOOTNOTE"}, indent, _cells)
    if layout == FIGURES:
        return _rows_in_columns(
            {i: e for i, e in simple.items() if e.kind in ("COLUMNS", "ROW")}, indent, _cells
        )
    if kind in ("", "POLICY", "FOR"):
        runs = [_rows_in_columns(run, indent, _name_and_value) for run in _runs_of_facts(body)]
        return {index: layout for run in runs for index, layout in run.items()}
    return {}


def _runs_of_facts(body: tuple[Entry, ...]) -> Iterator[dict[int, TokenGroup]]:
    """Runs of two or more facts without a blank line, a comment or another statement between them."""
    run: dict[int, TokenGroup] = {}
    for index, entry in enumerate((*body, None)):
        fact = (
            entry if isinstance(entry, TokenGroup) and entry.kind == "WORD" and entry.body is None else None
        )
        if fact is None or fact.blank:
            if len(run) > 1:
                yield run
            run = {}
        if fact is not None:
            run[index] = fact


def _rows_in_columns(
    rows: dict[int, TokenGroup], indent: int, cells_of: Callable[[Segment], list[str]]
) -> dict[int, Layout]:
    """Align the cells of rows, and their remaining segments where they fit on the line."""
    segments = {index: segments_of(row.words) for index, row in rows.items()}
    segments = {index: ps for index, ps in segments.items() if not any(word.comments for word in ps[0][:-1])}
    cells = [cells_of(first) for first, *_ in segments.values()]
    others = ["  ".join(text_of(part) for part in rest) for _, *rest in segments.values()]
    rows_of_cells = list(zip(cells, others, strict=True))
    widths = _widths([*texts, other] if other else texts for texts, other in rows_of_cells)
    end = sum(widths) + len("  ") * max(map(len, cells), default=0)
    # What begins beyond the width of a line is broken anyway, however far beyond that is.
    padded_lines = [
        f"{_padded(texts, widths)}  ".ljust(min(end, WIDTH)) + other if other else _padded(texts, widths)
        for texts, other in rows_of_cells
    ]
    broken = [
        indent + len(whole) >= WIDTH or any(word.comments for word in rows[index].words)
        for index, whole in zip(segments, padded_lines, strict=True)
    ]
    own = _widths(cells)
    starts = [_padded(texts, own) for texts in cells] if any(broken) else padded_lines
    layouts = {}
    for (index, (first, *rest)), whole, start, breaks in zip(
        segments.items(), padded_lines, starts, broken, strict=True
    ):
        if breaks:
            layouts[index] = Layout([(CommentedToken("ROW", start, first[-1].comments),), *rest], broken=True)
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


def _name_and_value(fact: Segment) -> list[str]:
    return [fact[0].text, text_of(fact[1:])]


def _offer_segments(segments: list[Segment], indent: int) -> list[Segment]:
    """The segments of a broken offer; each value is its own segment if name and values do not fit on a line."""
    first, *rest = segments
    if indent + len(text_of(first)) <= WIDTH and not any(word.comments for word in first[:-1]):
        return [first, *rest]
    return [first[:1], *items_of(first[1:]), *rest]


def _offers_in_columns(offers: dict[int, TokenGroup], kind: str, indent: int) -> dict[int, Layout]:
    """Offers, or spellings, on one line each, with aligned segments; all broken if one of them does not fit."""
    table = []
    segments = {index: segments_of(offer.words, kind) for index, offer in offers.items()}
    for first, *rest in segments.values():
        by_kind = {kind: " ".join(text_of(part) for part in rest if part[0].kind == kind) for kind in CLAUSES}
        table.append([first[0].text, text_of(first[1:]), *by_kind.values()])
    used = [column for column, cells in enumerate(zip(*table, strict=True)) if any(cells)]
    trimmed = [_trimmed([row[column] for column in used]) for row in table]
    widths = _widths(trimmed)
    texts = [_padded(row, widths) for row in trimmed]
    commented = any(word.comments for offer in offers.values() for word in offer.words)
    if commented or any(indent + len(text) >= WIDTH for text in texts):
        return {index: Layout(_offer_segments(each, indent), broken=True) for index, each in segments.items()}
    return {
        index: Layout([(CommentedToken("ROW", text),)]) for index, text in zip(offers, texts, strict=True)
    }


def _widths(rows: Iterable[Sequence[str]]) -> list[int]:
    """The widths of columns. The last cell of a row does not widen its column, nor does one that is longer than a line: it would move
    the cells of all rows, so that a text of a few kilobytes would be megabytes.
    """
    widths: list[int] = []
    for row in rows:
        lengths = [len(cell) for cell in row[:-1]]
        widths += [0] * (len(lengths) - len(widths))
        for column, length in enumerate(lengths):
            if widths[column] < length <= WIDTH:
                widths[column] = length
    return widths


def _padded(row: Sequence[str], widths: Sequence[int]) -> str:
    """A row as text, in columns of these widths."""
    return "  ".join(
        f"{cell:<{width}}" for cell, width in zip_longest(row, widths[: len(row)], fillvalue=0)
    ).rstrip()


def _trimmed(row: list[str]) -> list[str]:
    """A row without the empty cells at its end."""
    return row[: max((number for number, cell in enumerate(row, 1) if cell), default=0)]
