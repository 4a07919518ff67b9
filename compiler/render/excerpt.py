"""Diagnostics as text for a terminal: the message, the line with a caret, the notes, the help.

error[E0301]: `system-profile dapc` and `turbo off` cannot be together
  --> web.tune:7:5
   |
 4 |     set system-profile dapc because "fleet standard";
   |     ------------------------------------------------ not with the rest
 7 |     set turbo off because "licence is per GHz";
   |     ^^^^^^^^^^^^^ not with the rest
   = note: …
help: …
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.language.source import NOWHERE, Span
from setpoint.compiler.render.visible import visible

LONG = 400
"""Lines with more characters are shown in part."""

BEFORE = 60
"""How much of a long line is shown before the place that is meant."""

TextOf = Callable[[str], str]
"""The text of a source by its name; raises OSError where it cannot be read any more."""


def diagnostics_text(diagnostics: Iterable[Diagnostic], text_of: TextOf) -> str:
    """All of them, each followed by an empty line."""
    return "".join(diagnostic_text(d, text_of) + "\n" for d in diagnostics)


def diagnostic_text(diagnostic: Diagnostic, text_of: TextOf) -> str:
    """One diagnostic, ended by a line break."""
    lines = [f"{diagnostic.severity}[{diagnostic.code}]: {visible(diagnostic.message)}"]
    marks = [(diagnostic.at, "^", diagnostic.label), *((o.span, "-", o.text) for o in diagnostic.others)]
    files = dict.fromkeys(span.file for span, _, _ in marks if span != NOWHERE)
    width = max((len(str(span.line)) for span, _, _ in marks), default=1) + 1
    for file in files:
        here = [mark for mark in marks if mark[0].file == file]
        first = here[0][0]
        lines.append(f"{' ' * width}--> {visible(file)}:{first.line}:{first.column}")
        lines += _excerpt(sorted(here), _lines(file, text_of), width)
    lines += [f"{' ' * width} = {visible(note)}" for note in diagnostic.notes]
    lines += [f"help: {visible(text)}" for text in diagnostic.help]
    return "\n".join(lines) + "\n"


def _lines(file: str, text_of: TextOf) -> tuple[str, ...]:
    try:
        return _split(text_of(file))
    except OSError:
        return ()


@lru_cache(maxsize=4)
def _split(text: str) -> tuple[str, ...]:
    """The lines of a text, kept for the next of its many findings."""
    return tuple(text.split("\n"))


def _excerpt(marks: list[tuple[Span, str, str]], text: tuple[str, ...], width: int) -> list[str]:
    lines = [f"{' ' * width} |"]
    shown = (0, 0)
    for span, sign, label in marks:
        if not 0 < span.line <= len(text):
            continue
        source = text[span.line - 1].replace("\t", " ")
        start = 0 if len(source) <= LONG else max(0, span.column - 1 - BEFORE)
        if (span.line, start) != shown:
            lines.append(f"{span.line:>{width}} | {_clipped(source, start)}")
        shown = span.line, start
        end = span.end_column if span.end_line == span.line else len(source) + 1
        before = len(visible(source[start : span.column - 1])) + bool(start)
        length = len(visible(source[span.column - 1 : min(end - 1, start + LONG)]))
        lines.append(f"{' ' * width} | {' ' * before}{sign * max(1, length)} {visible(label)}".rstrip())
    return lines


def _clipped(source: str, start: int) -> str:
    """A line as it is shown: of one that is very long a stretch from `start`, with an ellipsis where it was cut."""
    if len(source) <= LONG:
        return visible(source.rstrip())
    end = "…" if start + LONG < len(source) else ""
    return ("…" if start else "") + visible(source[start : start + LONG]) + end
