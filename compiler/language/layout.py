"""How statements are set on lines.

A statement stands on one line if it fits in 120 columns. If it does not, each of its parts (`at`, `when`,
`strength`, `because` …) begins a line of its own, four columns in; a part that is still too long goes
on, after a comma, below its first item. On top of that:

- a run of facts, the rows of a table, of a preset and of measurements, and the offers of a platform
  are aligned in columns; offers only where all of a block fit on their lines, else all are broken;
- a block that stood on one line stays there if it fits and is no table;
- comments behind statements that follow each other are aligned.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from setpoint.compiler.language.columns import STEP, WIDTH, Layout, layouts_of
from setpoint.compiler.language.statements import Comment, Entry, Part, Statement, items_of, parts_of, text_of
from setpoint.compiler.record import distinct

TABLES = frozenset(["TABLE", "PRESET", "MEASUREMENTS"])
"""The blocks that are tables, by the word that begins them."""


@distinct
class _Line(NamedTuple):
    text: str
    comment: str = ""


def lines_of(body: tuple[Entry, ...]) -> Iterator[str]:
    """The lines of a file."""
    by_comment = groupby(_body(body, "", 0), lambda line: (bool(line.comment), _indent(line.text)))
    for (commented, _), alike in by_comment:
        run = list(alike)
        width = max(len(line.text) for line in run)
        for line in run:
            yield f"{line.text:<{width}}  {line.comment}" if commented else line.text


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _body(body: tuple[Entry, ...], kind: str, indent: int) -> list[_Line]:
    """The lines of a body; `kind` is that of the statement whose block it is, "" for a file."""
    layouts = layouts_of(body, kind, indent)
    lines: list[_Line] = []
    for index, entry in enumerate(body):
        if entry.blank and lines:
            lines.append(_Line(""))
        if isinstance(entry, Comment):
            lines.append(_Line(" " * indent + entry.text))
        elif entry.body is not None:
            lines += _block(entry, entry.body, indent)
        else:
            layout = layouts.get(index) or Layout(parts_of(entry.words))
            lines += _set(layout, indent, ";", entry.behind)
    return lines


def _block(head: Statement, body: tuple[Entry, ...], indent: int) -> list[_Line]:
    """The lines of a statement with a block."""
    short = _short_block(head, body)
    if short and indent + len(short) <= WIDTH:
        return [_Line(" " * indent + short, head.behind)]
    return [
        *_set(Layout(parts_of(head.words)), indent, " {", head.opened),
        *_body(body, head.kind, indent + STEP),
        _Line(" " * indent + "}", head.behind),
    ]


def _short_block(head: Statement, body: tuple[Entry, ...]) -> str:
    """The text of a block that may stand on one line; "" if it may not."""
    if not head.short or head.kind in TABLES:
        return ""
    inside = [text_of(entry.words) for entry in body if isinstance(entry, Statement) and entry.body is None]
    if len(inside) < len(body):
        return ""
    return " ".join((text_of(head.words), "{", *(f"{text};" for text in inside), "}"))


# ------------------------------------------------------------------------------- a statement's lines


def _set(layout: Layout, indent: int, end: str, comment: str) -> list[_Line]:
    """A statement on one line if it fits and has no comments within, else part by part; closed by `end`."""
    whole = " ".join(text_of(part) for part in layout.parts)
    commented = any(word.comments for part in layout.parts for word in part)
    if layout.broken or commented or indent + len(whole) + len(end) > WIDTH:
        lines = [
            line
            for n, part in enumerate(layout.parts)
            for line in _filled(part, indent + STEP * (n > 0), indent + STEP)
        ]
    else:
        lines = [_Line(" " * indent + whole)]
    return [*lines[:-1], _Line(lines[-1].text + end, comment)]


def _filled(part: Part, margin: int, inner: int) -> Iterator[_Line]:
    """A part on as few lines as it needs, with room for what closes it; a line ends after a comma or before a comment.

    The second line begins below the part's second word; comments on lines of their own stand at `inner`.
    """
    hanging = margin + len(part[0].text) + 1
    line: Part = ()
    for item in items_of(part):
        if line and margin + len(text_of(line + item)) > WIDTH - len(" {"):
            yield _Line(" " * margin + text_of(line))
            line, margin = (), hanging
        line += item
        if comments := item[-1].comments:
            behind = "".join(comment.text for comment in comments if comment.behind)
            yield _Line(" " * margin + text_of(line), behind)
            yield from (_Line(" " * inner + comment.text) for comment in comments if not comment.behind)
            line, margin = (), hanging
    if line:
        yield _Line(" " * margin + text_of(line))
