"""Line layout of statements. A change of one thing changes one line: what is laid out depends on nothing beside it.

A statement is put on one line if it fits in 120 columns. Otherwise each of its segments (`at`, `when`, `strength`,
`because` …) begins a new line, indented by four. A segment that is still too long, and has a list, has each item on a
line of its own, indented by four once more. A list that had its items on lines of their own keeps them there, so that
the word that makes it short enough for one line does not move the others. In addition:

- the rows of tables, presets and measurements are aligned in columns (`columns`), since they are read by their heads;
- a block that was on one line stays there if it fits and is not a table;
- a comment behind a statement is two spaces behind it.

What is longer than a line moves nothing else: a text of a few kilobytes would be megabytes.
"""

from collections.abc import Iterator

from setpoint.compiler.language.blocks import CELLS, FIGURES, kind_of
from setpoint.compiler.language.formatting.columns import WIDTH, Layout, layouts_of
from setpoint.compiler.language.formatting.token_groups import (
    Comment,
    Entry,
    Segment,
    TokenGroup,
    is_listed,
    items_of,
    opening_of,
    segments_of,
    text_of,
)
from setpoint.compiler.record import NamedTuple

STEP = 4
"""The indentation of a block, of the segments of a broken statement, and of the items of a broken segment."""


class _OutputLine(NamedTuple):
    text: str
    comment: str = ""


def lines_of(body: tuple[Entry, ...]) -> Iterator[str]:
    """The lines of a file."""
    for line in _body(body, "", 0):
        yield f"{line.text}  {line.comment}" if line.comment else line.text


def _body(body: tuple[Entry, ...], kind: str, indent: int) -> list[_OutputLine]:
    """The lines of a body; `kind` is the kind of the enclosing statement, "" for a file."""
    layouts = layouts_of(body, kind, indent)
    lines: list[_OutputLine] = []
    for index, entry in enumerate(body):
        if entry.blank and lines:
            lines.append(_OutputLine(""))
        if isinstance(entry, Comment):
            lines.append(_OutputLine(" " * indent + entry.text))
        elif entry.body is not None:
            lines += _block(entry, entry.body, indent)
        else:
            layout = layouts.get(index) or Layout(segments_of(entry.words, kind))
            lines += _set(layout, indent, ";", entry.behind)
    return lines


def _block(head: TokenGroup, body: tuple[Entry, ...], indent: int) -> list[_OutputLine]:
    """The lines of a statement with a block."""
    short = _short_block(head, body)
    if short and indent + len(short) <= WIDTH:
        return [_OutputLine(" " * indent + short, head.behind)]
    return [
        *_set(Layout(segments_of(head.words)), indent, " {", head.opened),
        *_body(body, head.kind, indent + STEP),
        _OutputLine(" " * indent + "}", head.behind),
    ]


def _short_block(head: TokenGroup, body: tuple[Entry, ...]) -> str:
    """The text of a block on one line; "" if it needs several."""
    kind = kind_of(head.kind)
    if not head.short or (kind and kind.layout in (CELLS, FIGURES)):
        return ""
    inside = [text_of(entry.words) for entry in body if isinstance(entry, TokenGroup) and entry.body is None]
    if len(inside) < len(body):
        return ""
    return " ".join((text_of(head.words), "{", *(f"{text};" for text in inside), "}"))


# ------------------------------------------------------------------------------- a statement's lines


def _set(layout: Layout, indent: int, end: str, comment: str) -> list[_OutputLine]:
    """A statement on one line if it fits and has neither comments nor a listed segment, else one segment per line."""
    whole = " " * indent + " ".join([text_of(part) for part in layout.segments]) + end
    commented = any(word.comments for part in layout.segments for word in part)
    if not (layout.broken or commented or len(whole) > WIDTH or any(map(is_listed, layout.segments))):
        return [_OutputLine(whole, comment)]
    lines = [
        line for n, part in enumerate(layout.segments) for line in _segment(part, indent + STEP * (n > 0))
    ]
    return [*lines[:-1], _OutputLine(lines[-1].text + end, comment)]


def _segment(part: Segment, margin: int) -> Iterator[_OutputLine]:
    """A segment on one line if it has no list, or fits with room for ` {` and was not listed; else with one item per
    line. With comments it never is on one line."""
    fits = margin + len(text_of(part)) <= WIDTH - len(" {") and not is_listed(part)
    if (fits or len(items_of(part)) == 1) and not any(word.comments for word in part):
        yield _OutputLine(" " * margin + text_of(part))
        return
    words = opening_of(part)
    yield from _commented(part[:words], margin, margin + STEP)
    for item in items_of(part[words:]):
        yield from _commented(item, margin + STEP, margin + STEP)


def _commented(words: Segment, margin: int, inner: int) -> Iterator[_OutputLine]:
    """Words on a line, with the comments behind them: the first behind the line, the others on lines of their own."""
    comments = words[-1].comments
    behind = "".join(comment.text for comment in comments if comment.behind)
    yield _OutputLine(" " * margin + text_of(words), behind)
    yield from (_OutputLine(" " * inner + comment.text) for comment in comments if not comment.behind)
