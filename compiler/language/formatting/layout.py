"""Line layout of statements.

A statement is put on one line if it fits in 120 columns. Otherwise each of its segments (`at`, `when`, `strength`,
`because` …) begins a new line, indented by four. A segment that is still too long continues after a comma, below its
first item. In addition:

- runs of facts, the rows of tables, presets and measurements, and the offers of a platform are aligned in columns;
  offers only if all offers of a block fit on their lines, otherwise all are broken;
- a block that was on one line stays there if it fits and is not a table;
- comments behind consecutive statements are aligned.

What is longer than a line moves nothing else: a text of a few kilobytes would be megabytes.
"""

from collections.abc import Iterator
from itertools import groupby

from setpoint.compiler.language.blocks import CELLS, FIGURES, kind_of
from setpoint.compiler.language.formatting.columns import STEP, WIDTH, Layout, layouts_of
from setpoint.compiler.language.formatting.token_groups import (
    Comment,
    Entry,
    Segment,
    TokenGroup,
    items_of,
    segments_of,
    text_of,
)
from setpoint.compiler.record import NamedTuple, distinct


@distinct
class _OutputLine(NamedTuple):
    text: str
    comment: str = ""


def lines_of(body: tuple[Entry, ...]) -> Iterator[str]:
    """The lines of a file."""
    by_comment = groupby(_body(body, "", 0), lambda line: (bool(line.comment), _indent(line.text)))
    for (commented, _), alike in by_comment:
        run = list(alike)
        width = max((len(line.text) for line in run if len(line.text) <= WIDTH), default=0)
        for line in run:
            yield f"{line.text:<{width}}  {line.comment}" if commented else line.text


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


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
            layout = layouts.get(index) or Layout(segments_of(entry.words))
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
    """A statement on one line if it fits and contains no comments, else one segment per line; closed by `end`."""
    whole = " " * indent + " ".join([text_of(part) for part in layout.segments]) + end
    commented = any(word.comments for part in layout.segments for word in part)
    if not (layout.broken or commented or len(whole) > WIDTH):
        return [_OutputLine(whole, comment)]
    lines = [
        line
        for n, part in enumerate(layout.segments)
        for line in _filled(part, indent + STEP * (n > 0), indent + STEP)
    ]
    return [*lines[:-1], _OutputLine(lines[-1].text + end, comment)]


def _filled(part: Segment, margin: int, inner: int) -> Iterator[_OutputLine]:
    """A segment on as few lines as possible, with room for ` {`; lines break after a comma or before a comment.

    Continuation lines begin below the segment's second token, or by `inner` if the first is as long as a line; comments on their own lines
    are indented by `inner`.
    """
    hanging = margin + len(part[0].text) + 1
    hanging = hanging if hanging <= WIDTH else inner
    line: Segment = ()
    for item in items_of(part):
        if line and margin + len(text_of(line + item)) > WIDTH - len(" {"):
            yield _OutputLine(" " * margin + text_of(line))
            line, margin = (), hanging
        line += item
        if comments := item[-1].comments:
            behind = "".join(comment.text for comment in comments if comment.behind)
            yield _OutputLine(" " * margin + text_of(line), behind)
            yield from (_OutputLine(" " * inner + comment.text) for comment in comments if not comment.behind)
            line, margin = (), hanging
    if line:
        yield _OutputLine(" " * margin + text_of(line))
