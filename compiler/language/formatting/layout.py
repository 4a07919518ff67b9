"""Line layout of statements. A change of one thing changes one line: what is laid out depends on nothing beside it.

A statement is put on one line if it fits in 120 columns. Otherwise each of its segments (`at`, `when`, `strength`,
`because` …) begins a new line, indented by four. A segment that is still too long, and has a list, has each item on a
line of its own, indented by four once more. In addition:

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
    items_of,
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
    """A statement on one line if it fits and contains no comments, else one segment per line; closed by `end`."""
    whole = " " * indent + " ".join([text_of(part) for part in layout.segments]) + end
    commented = any(word.comments for part in layout.segments for word in part)
    if not (layout.broken or commented or len(whole) > WIDTH):
        return [_OutputLine(whole, comment)]
    lines = [
        line for n, part in enumerate(layout.segments) for line in _segment(part, indent + STEP * (n > 0))
    ]
    return [*lines[:-1], _OutputLine(lines[-1].text + end, comment)]


def _segment(part: Segment, margin: int) -> Iterator[_OutputLine]:
    """A segment on one line if it fits, with room for ` {`, and has neither comments nor a list, else with one item per
    line."""
    items = items_of(part)
    if len(items) == 1 and not part[-1].comments:
        yield _OutputLine(" " * margin + text_of(part))
        return
    if margin + len(text_of(part)) <= WIDTH - len(" {") and not any(word.comments for word in part):
        yield _OutputLine(" " * margin + text_of(part))
        return
    words = _opening(part)
    yield from _commented(part[:words], margin, margin + STEP)
    for item in items_of(part[words:]):
        yield from _commented(item, margin + STEP, margin + STEP)


def _opening(part: Segment) -> int:
    """The number of words before the items of a segment: its first and the keywords behind it, or those up to its
    `when`."""
    kinds = [word.kind for word in items_of(part)[0]]
    if "WHEN" in kinds[1:]:
        return kinds.index("WHEN", 1) + 1
    words = 1
    while words < len(kinds) and kinds[words] == part[words].text.upper():
        words += 1
    return words


def _commented(words: Segment, margin: int, inner: int) -> Iterator[_OutputLine]:
    """Words on a line, with the comments behind them: the first behind the line, the others on lines of their own."""
    comments = words[-1].comments
    behind = "".join(comment.text for comment in comments if comment.behind)
    yield _OutputLine(" " * margin + text_of(words), behind)
    yield from (_OutputLine(" " * inner + comment.text) for comment in comments if not comment.behind)
