"""Findings for the page: messages, the places that they are about, and repairs as the texts that the files then have.

Each repair is a button, so the sentences of a help that only describe it in words are left out.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.fixes import Edit, edited
from setpoint.compiler.diagnostics.source import NOWHERE, Span, lines_of, offset_of
from setpoint.compiler.knowledge.load import stdlib_text
from setpoint.compiler.lsp.actions import MEANT, actions
from setpoint.compiler.plan.waivers import TO_WAIVE
from setpoint.compiler.playground.session import Opened

MOST_FINDINGS = 50
"""How many findings a page shows: more follow from these, or would not be read."""

LONGEST = 200
"""The maximum length of a text that is quoted."""

STDLIB = "stdlib/"
"""How the names of the library's own files begin."""


def findings_data(opened: Opened, findings: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Findings as data, errors first, each with its repairs."""
    repairs: dict[Diagnostic, list[dict[str, Any]]] = {}
    for action in actions(opened.document, 1, len(opened.document.lines)):
        texts = {name: _edited(opened, name, action.edits) for name in opened.texts}
        changed = {name: text for name, text in texts.items() if text != opened.texts[name]}
        if changed:
            repair = {"title": action.title, "verified": action.is_verified, "texts": changed}
            repairs.setdefault(action.finding, []).append(repair)
    errors_first = sorted(findings, key=lambda finding: finding.severity != "error")[:MOST_FINDINGS]
    return [_finding(finding, opened, repairs.get(finding, [])) for finding in errors_first]


def _edited(opened: Opened, name: str, edits: Iterable[Edit]) -> str:
    return edited(opened.texts[name], (edit for edit in edits if edit.span.file == name))


def _finding(finding: Diagnostic, opened: Opened, repairs: list[dict[str, Any]]) -> dict[str, Any]:
    marks = [(finding.at, finding.label), *((other.span, other.text) for other in finding.others)]
    in_words = tuple(f"{repair['title']} (" for repair in repairs)
    in_words += (MEANT, TO_WAIVE) if repairs else ()
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "places": [_place(span, label, opened) for span, label in marks if span != NOWHERE],
        "notes": list(finding.notes),
        "help": [text for text in finding.help if not (in_words and text.startswith(in_words))],
        "repairs": repairs,
    }


def _place(span: Span, label: str, opened: Opened) -> dict[str, Any]:
    """A place, with its text, and with where that begins and ends if a file of the page has it."""
    text = next(iter(_texts(span, opened)), "")
    data: dict[str, Any] = {"file": span.file, "line": span.line, "label": label, "text": ""}
    if not 0 < span.line <= span.end_line <= len(lines_of(text)):
        return data
    start, end = offset_of(text, span.line, span.column), offset_of(text, span.end_line, span.end_column)
    data["text"] = text[start:end] if end - start <= LONGEST else f"{text[start : start + LONGEST]}…"
    if span.file in opened.texts:
        data |= {"start": _units(text[:start]), "end": _units(text[:end])}
    return data


def _texts(span: Span, opened: Opened) -> Iterator[str]:
    """The text that a span is in, if it is known."""
    if span.file in opened.texts:
        yield opened.texts[span.file]
    elif span.file.startswith(STDLIB):
        yield stdlib_text(span.file)


def _units(text: str) -> int:
    """The length of a text as a browser counts it, in units of UTF-16."""
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2
