"""Subjects that say the same: what is found about one of them is found about each, at its own places.

Places never decide anything. The reasons and the names of policies, groups and hosts do not, either, as long as no finding
quotes them: a site writes the same policy for many kinds of servers, and the same exception for many hosts, each with a reason of its
own. Only that there is a reason matters.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.binding.levels import Level, Plain, Subject
from setpoint.compiler.diagnostics import Diagnostics
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.language.syntax import Accept, Condition, Evidence, Expect, Name, Set

Text = tuple[object, ...]
"""What a subject says."""


def text(subject: Subject) -> Text:
    """What a subject says, without places, names and reasons."""
    wide = tuple((level.kind, *map(_with_reason, level.statements)) for level in _wide(subject))
    return *wide, tuple(map(_with_reason, _of_host(subject)))


def words(subject: Subject) -> Text:
    """The names and the reasons of a subject, without those of a block for a host."""
    return subject.policy, *((level.name, *map(_reason, level.statements)) for level in _wide(subject))


def reasons(subject: Subject) -> Text:
    """The reasons of a subject, in the order of the statements of its text."""
    statements = [each for level in _wide(subject) for each in level.statements]
    return tuple(map(_reason, (*statements, *_of_host(subject))))


def quotes(findings: Diagnostics, some: Iterable[object]) -> bool:
    """Whether findings quote one of these words, or of the words in them."""
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
    return any(word in shown for word in _flat(some) if word)


def words_of_host(subject: Subject) -> tuple[str, ...]:
    """The name and the reasons of a block for a host; empty if there is none."""
    return (subject.host, *map(_reason, _of_host(subject))) if subject.host else ()


def _flat(words: Iterable[object]) -> Iterator[str]:
    for word in words:
        if isinstance(word, str):
            yield word
        elif isinstance(word, tuple):
            yield from _flat(word)


def places(subject: Subject) -> tuple[Span, ...]:
    """The places in a subject; those of subjects that say the same correspond to each other."""
    statements = [*(each for level in _wide(subject) for each in level.statements), *_of_host(subject)]
    return (subject.span, *(place for statement in statements for place in _places(statement)))


def _wide(subject: Subject) -> tuple[Level, ...]:
    """The levels that are for more than one host."""
    return subject.levels[:-1] if subject.host else subject.levels


def _of_host(subject: Subject) -> list[Plain]:
    """The statements of a block for a host, sorted."""
    return sorted(subject.levels[-1].statements, key=_with_reason) if subject.host else []


def _reason(statement: Plain) -> str:
    if isinstance(statement, Accept | Set | Evidence | Expect) and statement.because:
        return statement.because.text
    return ""


def _with_reason(statement: Plain) -> tuple[object, ...]:
    """What a statement says, and whether it has a reason."""
    return *statement.said, bool(_reason(statement).strip())


def _places(statement: Plain) -> Iterator[Span]:
    yield statement.span
    for field in statement:
        if isinstance(field, Name):
            yield field.span
    if isinstance(statement, Accept):
        yield statement.waiver_span
    if isinstance(statement, Expect):
        for condition in (*statement.conditions, *statement.under):
            yield from _places_of(condition)


def _places_of(condition: Condition) -> Iterator[Span]:
    yield condition.span
    yield condition.name.span
    yield from (value.span for value in condition.values)
