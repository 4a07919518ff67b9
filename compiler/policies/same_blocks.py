"""Subjects that say the same: what is found about one of them is found about each, at its own places.

Places never decide anything (`language/meaning`). The reasons and the names of policies, groups and hosts do not,
either, as long as no finding quotes them: a site writes the same policy for many kinds of servers, and the same
exception for many hosts, each with a reason of its own.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.binding.levels import Level, Plain, Subject
from setpoint.compiler.diagnostics import Diagnostics
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.language.meaning import Meaning, meaning, places_in, reasons_in
from setpoint.compiler.language.syntax import Accept


def text(subject: Subject) -> Meaning:
    """What a subject says, without places, names and reasons."""
    return *((level.kind, *map(meaning, level.statements)) for level in _wide(subject)), meaning(
        _of_host(subject)
    )


def words(subject: Subject) -> Meaning:
    """The names and the reasons of a subject, without those of a block for a host."""
    return subject.policy, *((level.name, *reasons_in(level.statements)) for level in _wide(subject))


def words_of_host(subject: Subject) -> tuple[str, ...]:
    """The name and the reasons of a block for a host; empty if there is none."""
    return (subject.host, *reasons_in(_of_host(subject))) if subject.host else ()


def places(subject: Subject) -> Iterator[Span]:
    """The places in a subject; those of subjects that say the same correspond to each other."""
    yield subject.span
    for statement in statements(subject):
        yield from places_in(statement)
        if isinstance(statement, Accept):
            yield statement.waiver_span


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


def _flat(words: Iterable[object]) -> Iterator[str]:
    for word in words:
        if isinstance(word, str):
            yield word
        elif isinstance(word, tuple):
            yield from _flat(word)


def _wide(subject: Subject) -> tuple[Level, ...]:
    """The levels that are for more than one host."""
    return subject.levels[:-1] if subject.host else subject.levels


def _of_host(subject: Subject) -> tuple[Plain, ...]:
    """The statements of a block for a host, in an order that follows from what they say."""
    own = subject.levels[-1].statements if subject.host else ()
    return tuple(sorted(own, key=meaning)) if len(own) > 1 else own


def statements(subject: Subject) -> tuple[Plain, ...]:
    """All statements, in the order of the text; those of subjects that say the same correspond to each other."""
    return *(statement for level in _wide(subject) for statement in level.statements), *_of_host(subject)
