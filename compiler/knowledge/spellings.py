"""Spellings: what settings and their values are called where they are written.

`smt off` is a word of this language. A kernel, a daemon or a firmware has another one, which may differ between
releases. A `spelling` block states it for one interface, with its source. Like offers, spellings have conditions, and
of those that apply the ones with the narrowest condition are used. Targets have the format of a file; the words in it
come from here.
"""

from typing import Any

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.boxes import ANY
from setpoint.compiler.knowledge.interfaces import (
    COMPARISONS,
    INTERFACES,
    SHOWN_IN,
    SHOWN_TEXT,
    TYPES,
    Interface,
    ShownFile,
    ShownText,
    SpelledText,
    Spelling,
)
from setpoint.compiler.knowledge.model import filled
from setpoint.compiler.knowledge.offers import NOT_STATED
from setpoint.compiler.knowledge.vocabulary import Vocabulary
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.syntax import Name, ShownPlace, Spellings, SpellingStatement, ValueSpelling


def spellings(vocabulary: Vocabulary) -> dict[str, tuple[Spelling, ...]]:
    """The spellings of all blocks, by setting. What is wrong is added to the vocabulary's findings."""
    entries = []
    for block in vocabulary.of(Spellings):
        interface = INTERFACES.get(block.interface.text)
        if interface is None:
            vocabulary.findings.append(unknown("interface", block.interface, INTERFACES, "E0201"))
            continue
        for place, written in enumerate(block.spellings):
            if spelling := _spelling(vocabulary, block, interface, written, place):
                entries.append(spelling)
    for name, group in filled("spellings", entries).items():
        for spelt in sorted({(spelling.interface, word) for spelling in group for word in spelling.names}):
            alike = [
                (spelling.when, spelling.span)
                for spelling in group
                if spelling.interface == spelt[0] and spelt[1] in spelling.names
            ]
            vocabulary.report_repeated(f"`{name}` as {spelt[0]} `{spelt[1]}`", alike)
    return dict(filled("spellings", sorted(entries, key=_sort_key)))


def _sort_key(spelling: Spelling) -> tuple[Any, ...]:
    """The content of a spelling, for an order that does not depend on the files."""
    return (
        spelling.setting,
        spelling.interface,
        spelling.when,
        spelling.names,
        spelling.type,
        [(text.value, text.text is None, text.text or "", text.is_absent) for text in spelling.texts],
        spelling.place,
        spelling.citation,
        spelling.span,
    )


def _spelling(
    vocabulary: Vocabulary, block: Spellings, interface: Interface, written: SpellingStatement, place: int
) -> Spelling | None:
    """One spelling; None, with a finding, if its setting or its locator is missing."""
    name = written.setting.text
    when, citation = vocabulary.row_head("spelling", block, written)
    if citation is None or not vocabulary.has_setting(written.setting):
        return None
    _check_layer(vocabulary, written.setting, interface)
    _check_form(vocabulary, interface, written)
    _check_type(vocabulary, interface, written)
    stated = [v for v in written.values if v.value.text == ANY or vocabulary.has_value(name, v.value)]
    vocabulary.report_duplicates(f"spelt value of `{name}`", [(v.value.text, v.value.span) for v in stated])
    return Spelling(
        setting=name,
        interface=block.interface.text,
        names=tuple(word.text for word in written.names),
        texts=tuple(_text(value) for value in stated),
        shown=tuple(_shown(vocabulary, name, place) for place in written.shown),
        when=when,
        closed=vocabulary.closed(when),
        citation=citation,
        span=written.span,
        place=place,
        type=written.type.text if written.type is not None else "",
    )


def _text(value: ValueSpelling) -> SpelledText:
    if value.word is not None:
        return SpelledText(value.value.text, None, is_absent=False)
    return SpelledText(value.value.text, value.text.text if value.text else "", value.is_absent)


def _shown(vocabulary: Vocabulary, setting: str, place: ShownPlace) -> ShownFile:
    values = [value for value in place.values if vocabulary.has_value(setting, value.value)]
    if place.comparison is not None and place.comparison.text not in COMPARISONS:
        vocabulary.findings.append(unknown("comparison", place.comparison, COMPARISONS, "E0202"))
    return ShownFile(
        file=place.file.text,
        comparison=place.comparison.text if place.comparison else "",
        texts=tuple(ShownText(value.value.text, value.text.text, not value.negated) for value in values),
    )


def _check_layer(vocabulary: Vocabulary, setting: Name, interface: Interface) -> None:
    layer = vocabulary.settings[setting.text].layer
    if layer != interface.layer:
        message = f"`{setting.text}` is a setting of layer {layer}, and {interface.title} of layer {interface.layer}"
        vocabulary.wrong(message, setting.span, "another layer")


def _check_form(vocabulary: Vocabulary, interface: Interface, written: SpellingStatement) -> None:
    """Report names, texts and files that the interface cannot have."""
    findings = vocabulary.findings
    findings += [
        unknown("text", value.word, (NOT_STATED,), "E0202")
        for value in written.values
        if value.word is not None and value.word.text != NOT_STATED
    ]
    if written.values and not interface.has_texts:
        message = f"{interface.title} has no texts of its own"
        vocabulary.wrong(message, written.span, "names only", "drop the values")
        return
    findings += [
        Diagnostic("K07", f"{interface.title} cannot be absent", value.value.span, "state its text")
        for value in written.values
        if value.is_absent and not interface.has_absence
    ]
    texts = [value.text for value in written.values if value.text is not None and value.value.text != ANY]
    shown = [value.text for place in written.shown for value in place.values]
    wrong = [
        *((name, f"not the name of {interface.title}") for name in _unlike(interface.name, written.names)),
        *((text, f"not a value of {interface.title}") for text in _unlike(interface.text, texts)),
        *((text, "not a word that a file shows") for text in _unlike(SHOWN_TEXT, shown)),
        *(
            (file, "not a file of /proc, /sys or /dev")
            for file in _unlike(SHOWN_IN, [place.file for place in written.shown])
        ),
    ]
    vocabulary.findings += [
        Diagnostic("K07", f"`{name.text}` is {what}", name.span, "another form is needed")
        for name, what in wrong
    ]
    vocabulary.findings += [
        Diagnostic(
            "K07", f"{interface.title} is compared with what a file contains", value.text.span, "`not`"
        )
        for place in written.shown
        for value in place.values
        if value.negated and not interface.can_differ
    ]


def _check_type(vocabulary: Vocabulary, interface: Interface, written: SpellingStatement) -> None:
    """Report a type that the interface does not have, and values whose text is not one of the type or the interface."""
    kind, findings = written.type, vocabulary.findings
    if kind is not None and not interface.has_types:
        vocabulary.wrong(f"{interface.title} has no type", kind.span, "drop it")
        return
    if kind is not None and kind.text not in TYPES:
        findings.append(unknown("type", kind, TYPES, "E0202"))
        return
    if not interface.has_texts:
        return
    what = f"a value of {interface.title}" if kind is None else f"of type {kind.text}"
    form = interface.text if kind is None else TYPES[kind.text]
    stated = {value.value.text: value for value in written.values}
    if kind is not None:
        texts = [v.text for v in written.values if v.text is not None and v.value.text != ANY]
        findings += [
            Diagnostic("K07", f"`{text.text}` is not {what}", text.span, "another text is needed")
            for text in _unlike(form, texts)
        ]
    if stated and ANY not in stated:
        return
    pattern = stated[ANY].text if stated else None
    if stated and pattern is None:
        return
    variable = vocabulary.variables[written.setting.text]
    for value in variable.values:
        text = variable.bare(variable.example(value))
        text = text if pattern is None else pattern.text.replace("*", text)
        if value not in stated and not form.fullmatch(text):
            place = written.setting if pattern is None else pattern
            message = (
                f"`{text}`, the text of `{written.setting.text} {variable.example(value)}`, is not {what}"
            )
            advice = f'add `{variable.example(value)} "…"`, or `{variable.example(value)} unknown`'
            vocabulary.wrong(message, place.span, "another text is needed", advice)
            return


def _unlike(form: Any, names: Any) -> list[Name]:
    """The names that do not have a form."""
    return [name for name in names if not form.fullmatch(name.text)]
