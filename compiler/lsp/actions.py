"""What can be done about a finding at a place: apply a verified repair, write the name that was meant, or waive it.

A waiver is written with an empty reason, and a repair that changes a `set` empties that one's. That is an error until
somebody gives one, since nobody but the author knows it.
"""

import re
from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.fixes import Edit
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.lsp.document import ENDS, Document
from setpoint.compiler.plan.waivers import TO_WAIVE
from setpoint.compiler.record import NamedTuple

MEANT = "did you mean "
"""How the help begins that has the names that were probably meant."""

QUOTED = re.compile("`([^`]+)`")
"""What a help quotes of the language."""


class Action(NamedTuple):
    """A change of files that does something about a finding.

    `is_verified` says that the policy was resolved with it, `is_safe` that it changes no decision, as `check --fix` has
    it.
    """

    title: str
    finding: Diagnostic
    edits: tuple[Edit, ...]
    is_verified: bool = False
    is_safe: bool = False


def actions(document: Document, first_line: int, last_line: int) -> Iterator[Action]:
    """What can be done about the findings in some lines."""
    for finding in document.findings:
        if (
            finding.at.file == document.path
            and finding.at.line <= last_line
            and first_line <= finding.at.end_line
        ):
            yield from _about(document, finding)


def _about(document: Document, finding: Diagnostic) -> Iterator[Action]:
    for fix in finding.fixes:
        yield Action(fix.title, finding, fix.edits, not fix.is_safe, fix.is_safe)
    for text in finding.help:
        if text.startswith(MEANT) and not finding.fixes:
            for name in QUOTED.findall(text):
                yield Action(f"write `{name}`", finding, (Edit(finding.at, name),))
        elif text.startswith(TO_WAIVE):
            for statement in QUOTED.findall(text)[-1:]:
                waiver = statement.replace('"…"', '""')
                yield Action(f"waive it: `{waiver}`", finding, (_behind(document, finding.at, waiver),))


def _behind(document: Document, span: Span, statement: str) -> Edit:
    """The insertion of a statement behind the one that a span is in, in a line of its own with the same indentation."""
    end = span.end_line, span.end_column
    line = document.lines[span.line - 1]
    indentation = line[: len(line) - len(line.lstrip())]
    for token in document.tokens:
        if (token.line, token.column) >= end and token.text in ENDS:
            if token.text == ";":
                at = token.line, token.column + 1
                return _insertion(document, at, f"\n{indentation}{statement}")
            break
    return _insertion(document, end, f";\n{indentation}{statement}")


def _insertion(document: Document, at: tuple[int, int], text: str) -> Edit:
    return Edit(Span(document.path, *at, *at), text)
