"""Diagnostics as text for a terminal: the message, the line with a caret, the notes, the help.

error[E0301]: `system-profile dapc` and `turbo off` contradict each other
  --> web.tune:7:5
   |
 4 |     set system-profile dapc because "fleet standard";
   |     ------------------------------------------------ not with the rest
 7 |     set turbo off because "licence is per GHz";
   |     ^^^^^^^^^^^^^ not with the rest
   = note: …
help: …

Of very many diagnostics only some are shown, at least one of each code, and the rest is counted: nobody reads a
thousand of them, and most follow from a few. The forms for machines have them all.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import NOWHERE, Span, lines_of
from setpoint.compiler.render.visible import visible

LONG = 400
"""Longer lines are shown in part."""

BEFORE = 60
"""How much of a long line is shown before the marked place."""

MOST_SHOWN = 100
"""The maximum number of diagnostics that are shown."""

MOST_OF_A_TEXT = 1_000
"""The maximum length of a message, a note or a help, which may quote a name of any length."""

TextOf = Callable[[str], str]
"""The text of a source by its name; raises OSError if it can no longer be read."""


def diagnostics_text(diagnostics: Iterable[Diagnostic], text_of: TextOf, width: int = 0) -> str:
    """Each diagnostic followed by an empty line; beyond MOST_SHOWN, the rest is counted by code.

    Sentences are wrapped to the width; 0 leaves each on a line of its own. Lines of the source are never wrapped.
    """
    findings = list(diagnostics)
    shown = _most_telling(findings)
    text = "".join(diagnostic_text(findings[number], text_of, width) + "\n" for number in sorted(shown))
    rest = Counter(d.code for number, d in enumerate(findings) if number not in shown)
    if not rest:
        return text
    by_code = ", ".join(f"{count:,} {code}" for code, count in sorted(rest.items()))
    all_ = "help: `check` and `kb check` list all of them with `--format json`\n\n"
    return f"{text}{rest.total():,} more findings are not shown: {by_code}\n{all_}"


def tally(findings: Iterable[Diagnostic]) -> str:
    """How many findings there are, by code: `1 error, 3 warnings (1 E0401, 2 W0301, 1 W0303)`."""
    diagnostics = list(findings)
    errors = sum(1 for diagnostic in diagnostics if diagnostic.severity == "error")
    warnings = len(diagnostics) - errors
    text = f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"
    if len(diagnostics) < 2:
        return text
    by_code = sorted(Counter(diagnostic.code for diagnostic in diagnostics).items())
    return f"{text} ({', '.join(f'{number:,} {code}' for code, number in by_code)})"


def _most_telling(diagnostics: list[Diagnostic]) -> set[int]:
    """The indices of the diagnostics to show: the first of each code, then errors before warnings."""
    codes: set[str] = set()
    ranks = []
    for number, diagnostic in enumerate(diagnostics):
        ranks.append((diagnostic.code in codes, diagnostic.severity != "error", number))
        codes.add(diagnostic.code)
    return {number for *_, number in sorted(ranks)[:MOST_SHOWN]}


def _one_line(text: str) -> str:
    """A text on one line, of limited length."""
    return visible(text if len(text) <= MOST_OF_A_TEXT else f"{text[:MOST_OF_A_TEXT]}…")


def diagnostic_text(diagnostic: Diagnostic, text_of: TextOf, page: int = 0) -> str:
    """One diagnostic, ended by a line break; its sentences are wrapped to the page, if it has a width."""
    lines = _wrapped(f"{diagnostic.severity}[{diagnostic.code}]: ", _one_line(diagnostic.message), 4, page)
    marks = [(diagnostic.at, "^", diagnostic.label), *((o.span, "-", o.text) for o in diagnostic.others)]
    files = dict.fromkeys(span.file for span, _, _ in marks if span != NOWHERE)
    width = max((len(str(span.line)) for span, _, _ in marks), default=1) + 1
    for file in files:
        here = [mark for mark in marks if mark[0].file == file]
        first = here[0][0]
        lines.append(f"{' ' * width}--> {visible(file)}:{first.line}:{first.column}")
        lines += _excerpt(sorted(here), _lines(file, text_of), width)
    for note in diagnostic.notes:
        lines += _wrapped(f"{' ' * width} = ", _one_line(note), width + 3, page)
    for text in diagnostic.help:
        lines += _wrapped("help: ", _one_line(text), 6, page)
    return "\n".join(lines) + "\n"


def _wrapped(head: str, text: str, indent: int, page: int) -> list[str]:
    """A sentence behind its head, wrapped to the page; on one line if that has no width."""
    if not page or len(head) + len(text) <= page:
        return [head + text]
    from textwrap import wrap  # only needed on a terminal

    return wrap(
        head + text,
        page,
        subsequent_indent=" " * indent,
        drop_whitespace=True,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _lines(file: str, text_of: TextOf) -> tuple[str, ...]:
    try:
        return _split(text_of(file))
    except OSError:
        return ()


@lru_cache(maxsize=4)
def _split(text: str) -> tuple[str, ...]:
    """The lines of a text, cached for its further findings."""
    return tuple(lines_of(text))


def _excerpt(marks: list[tuple[Span, str, str]], text: tuple[str, ...], width: int) -> list[str]:
    lines = [f"{' ' * width} |"]
    shown = (0, 0)
    for span, sign, label in marks:
        if not 0 < span.line <= len(text):
            continue
        source = text[span.line - 1]
        start = 0 if len(source) <= LONG else max(0, span.column - 1 - BEFORE)
        if (span.line, start) != shown:
            lines.append(f"{span.line:>{width}} | {_clipped(source, start)}")
        shown = span.line, start
        end = span.end_column if span.end_line == span.line else len(source) + 1
        before = len(_shown(source[start : span.column - 1])) + bool(start)
        length = len(_shown(source[span.column - 1 : min(end - 1, start + LONG)]))
        lines.append(f"{' ' * width} | {' ' * before}{sign * max(1, length)} {_one_line(label)}".rstrip())
    return lines


def _clipped(source: str, start: int) -> str:
    """A line for display: if it is very long, the part from `start`, with an ellipsis at each cut."""
    if len(source) <= LONG:
        return _shown(source.rstrip())
    end = "…" if start + LONG < len(source) else ""
    return ("…" if start else "") + _shown(source[start : start + LONG]) + end


def _shown(part: str) -> str:
    """A part of a line, in which a tab is as wide as a space."""
    return visible(part.replace("\t", " "))
