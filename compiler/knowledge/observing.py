"""Read `observe` blocks: where a running system shows settings (`observations` has the records)."""

import re
from typing import Any

from setpoint.compiler.knowledge.boxes import ANY
from setpoint.compiler.knowledge.citation import Citation
from setpoint.compiler.knowledge.model import Box, filled
from setpoint.compiler.knowledge.observations import (
    DERIVED,
    FLAG,
    FLAGS,
    FORMS,
    MESSAGE_BITS,
    PLACES,
    REGISTER_BITS,
    Guard,
    Observation,
    Unseen,
)
from setpoint.compiler.knowledge.vocabulary import Vocabulary
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.syntax import (
    GuardClause,
    Name,
    Observations,
    ObservationStatement,
    Selected,
    UnseenStatement,
)

FACTOR = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")
"""The form of what a number is multiplied by."""


def observations(vocabulary: Vocabulary) -> dict[str, tuple[Observation, ...]]:
    """The observations of all blocks, by setting. What is wrong is added to the vocabulary's findings."""
    entries = []
    for block, statement in _statements(vocabulary):
        if isinstance(statement, ObservationStatement):
            when, citation = vocabulary.row_head("observation", block, statement)
            if read := _observation(vocabulary, statement, when, citation):
                entries.append(read)
    for name, group in filled("observations", entries).items():
        parts = [
            ((observation.place, observation.bits, observation.line, observation.guards), observation)
            for observation in group
        ]
        for part in dict.fromkeys(part for part, _ in parts):
            alike = [(observation.when, observation.span) for other, observation in parts if other == part]
            vocabulary.report_repeated(f"`{name}` at `{part[0]}`", alike)
    return dict(filled("observations", sorted(entries, key=_sort_key)))


def unseen(vocabulary: Vocabulary) -> dict[str, tuple[Unseen, ...]]:
    """The settings that nothing shows. What is wrong is added to the vocabulary's findings."""
    entries = []
    for block, statement in _statements(vocabulary):
        if isinstance(statement, UnseenStatement):
            when, citation = vocabulary.row_head("observation", block, statement)
            because = vocabulary.reason(statement.because, statement.setting)
            if citation is not None and vocabulary.has_setting(statement.setting):
                closed = vocabulary.closed(when)
                entries.append(
                    Unseen(statement.setting.text, because, when, closed, citation, span=statement.span)
                )
    for name, group in filled("unseen", entries).items():
        vocabulary.report_repeated(
            f"`{name} nowhere`", [(observation.when, observation.span) for observation in group]
        )
    return dict(filled("unseen", sorted(entries, key=tuple)))


def _statements(vocabulary: Vocabulary) -> list[tuple[Observations, ObservationStatement | UnseenStatement]]:
    return [(block, statement) for block in vocabulary.of(Observations) for statement in block.observations]


def _sort_key(observation: Observation) -> tuple[Any, ...]:
    """The content of an observation, for an order that does not depend on the files."""
    return tuple(() if part is None else part for part in observation)


def _observation(
    vocabulary: Vocabulary, written: ObservationStatement, when: Box, citation: Citation | None
) -> Observation | None:
    name = written.setting.text
    if citation is None or not vocabulary.has_setting(written.setting):
        return None
    _check_place(vocabulary, written.place)
    _check_form(vocabulary, written)
    stated = [v for v in written.values if v.value.text == ANY or vocabulary.has_value(name, v.value)]
    vocabulary.report_duplicates(
        f"observed value of `{name}`", [(v.value.text, v.value.span) for v in stated]
    )
    owner = written.owner
    if owner is not None and not written.is_described:
        vocabulary.has_setting(owner)
    return Observation(
        setting=name,
        place=written.place.text,
        bits=_bits(vocabulary, written.place, written.selected),
        line=_line(written.selected),
        word=written.form.text if written.form else "",
        texts=tuple((text.text, value.value.text) for value in stated for text in value.texts),
        factor=written.factor.text if written.factor else "",
        guards=tuple(_guard(vocabulary, guard) for guard in written.guards),
        owner=owner.text if owner else "",
        when=when,
        closed=vocabulary.closed(when),
        citation=citation,
        span=written.span,
    )


def _guard(vocabulary: Vocabulary, guard: GuardClause) -> Guard:
    _check_place(vocabulary, guard.place)
    bits = _bits(vocabulary, guard.place, guard.selected)
    return Guard(guard.place.text, bits, _line(guard.selected), guard.text.text, not guard.negated)


def _line(selected: Selected | None) -> str:
    return selected.names[0].text if selected is not None and selected.kind == "line" else ""


def _bits(vocabulary: Vocabulary, place: Name, selected: Selected | None) -> tuple[int, int] | None:
    """The bits of a number; None, with a finding, if they are none, or none of what is read at the place."""
    if selected is None or selected.kind != "bits":
        return None
    width = {"msr": REGISTER_BITS, "hsmp": MESSAGE_BITS}.get(place.text.partition(" ")[0], 0)
    low, high = (int(name.text) if name.text.isdecimal() else -1 for name in selected.names)
    message = ""
    if not width:
        message = f"`{place.text}` has no bits"
    elif not 0 <= low <= high < width:
        message = f"the bits of `{place.text}` are 0 to {width - 1}, the lower first"
    if message:
        vocabulary.wrong(message, selected.span, "not bits of it")
        return None
    return low, high


def _check_place(vocabulary: Vocabulary, place: Name) -> None:
    if any(form.fullmatch(place.text) for form in PLACES.values()):
        return
    kind, _, name = place.text.partition(" ")
    if kind == "derived":
        vocabulary.findings.append(unknown("derived place", Name(name, span=place.span), DERIVED, "E0201"))
        return
    message = f"`{place.text}` is not a place that a running system has"
    advice = "a file of /proc, /sys or /dev, `msr 0x1a4`, `list /sys/…`, or `derived NAME`"
    vocabulary.wrong(message, place.span, "another form is needed", advice)


def _check_form(vocabulary: Vocabulary, written: ObservationStatement) -> None:
    """Report a word, a factor or texts that do not go together."""
    form = written.form
    if form is not None and form.text not in FORMS:
        vocabulary.findings.append(unknown("form", form, FORMS, "E0202"))
    if form is not None and (form.text == FLAG) != (written.place.text == FLAGS):
        vocabulary.wrong(f"only `{FLAGS}` has flags", form.span, f"`as {FLAG}` is for it")
    if written.factor is not None and not FACTOR.fullmatch(written.factor.text):
        message = f"`{written.factor.text}` is not a factor"
        vocabulary.wrong(message, written.factor.span, "a number such as `0.001`")
    texts = [(value.value, text) for value in written.values for text in value.texts]
    for value, text in texts:
        is_pattern = value.text == ANY
        if is_pattern and (
            text.text.count("*") != 1 or vocabulary.variables[written.setting.text].scale is None
        ):
            message = f"`any` of `{written.setting.text}` needs a text with one `*`, and a setting of numbers"
            vocabulary.wrong(message, text.span, "not a number")
        if not text.text and (form is None or form.text not in (FLAG, "word")):
            vocabulary.wrong("only words and flags can be absent", text.span, "state a text")
        if not text.text.isprintable():
            vocabulary.wrong("a text is printable", text.span, "control characters")
