"""Blocks for single hosts that say the same: what is found about one of them is found about each, at its own place.

A site writes the same exception for many hosts, each with a reason of its own. Reasons and places decide nothing, so such blocks are
planned once. That holds as long as no finding quotes what may differ: a reason, or the name of the host.
"""

from collections.abc import Iterator, Mapping

from setpoint.compiler.binding.levels import Plain, Subject
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.language.syntax import Accept, Fact, Manage, Name, Set

Content = tuple[tuple[str, ...], ...]
"""What the statements of a block say."""


def content(subject: Subject) -> Content:
    """What the innermost block of a subject says, without reasons and places."""
    return tuple(_said(statement) for statement in _in_order(subject))


def quotes_nothing(subject: Subject, findings: Diagnostics) -> bool:
    """Whether findings about a subject hold for every other one with the same content of its block."""
    words = [subject.host, *(s.because.text for s in _in_order(subject) if isinstance(s, Accept | Set))]
    shown = "\n".join(
        text
        for finding in findings
        for text in (
            finding.message,
            finding.label,
            finding.subject,
            *finding.notes,
            *finding.help,
            *(label.text for label in finding.others),
            *(text for fix in finding.fixes for text in (fix.title, *(edit.text for edit in fix.edits))),
        )
    )
    return not any(word in shown for word in words)


def places(subject: Subject) -> tuple[Span, ...]:
    """The places in the block of a subject; those of subjects with the same content correspond to each other."""
    return tuple(place for statement in _in_order(subject) for place in _places(statement))


def moved(finding: Diagnostic, to: Mapping[Span, Span]) -> Diagnostic:
    """A finding with each of these places replaced by another."""
    return finding._replace(
        at=to.get(finding.at, finding.at),
        others=tuple(label._replace(span=to.get(label.span, label.span)) for label in finding.others),
        fixes=tuple(
            fix._replace(edits=tuple(edit._replace(span=to.get(edit.span, edit.span)) for edit in fix.edits))
            for fix in finding.fixes
        ),
    )


def _in_order(subject: Subject) -> list[Plain]:
    return sorted(subject.levels[-1].statements, key=_said)


def _said(statement: Plain) -> tuple[str, ...]:
    match statement:
        case Fact():
            return "fact", statement.name.text, statement.value.text, str(statement.is_printed)
        case Set():
            return "set", statement.setting.text, statement.value.text
        case Accept():
            return "accept", statement.waiver, statement.until.text if statement.until else ""
        case Manage():
            return "manage", statement.what.text


def _places(statement: Plain) -> Iterator[Span]:
    yield statement.span
    yield from (field.span for field in statement if isinstance(field, Name))
    if isinstance(statement, Accept):
        yield statement.waiver_span
