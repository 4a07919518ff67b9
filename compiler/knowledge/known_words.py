"""Words that are no names here: those of `words` blocks, which an interface has (`remarks`), and aliases.

`aliases smt "hyperthreading";` lets a message on `set hyperthreading off` name the setting to use. An alias never
stands in for the name itself, so that a policy reads the same for everybody. One alias may belong to several names:
`database` is bound by I/O on one server and by memory on another, and the message names both.
"""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.boxes import ANY
from setpoint.compiler.knowledge.interfaces import INTERFACES, Interface
from setpoint.compiler.knowledge.model import Alias
from setpoint.compiler.knowledge.remarks import REMARKS, WITH_OTHERS, WITH_REASON, KnownWords, word_of
from setpoint.compiler.knowledge.vocabulary import Vocabulary
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.syntax import Aliases, Block, Name


def known_words(vocabulary: Vocabulary) -> tuple[KnownWords, ...]:
    """The words of all blocks. What is wrong is added to the vocabulary's findings."""
    entries = []
    for block, _ in vocabulary.blocks("words"):
        fields = vocabulary.fields[block]
        interface, *texts = next((field.names for field in fields.all("known")), (Name("", span=block.span),))
        means = [field.names for field in fields.all("means")]
        remark, *others = next((field.names for field in fields.all("remark")), (Name("", span=block.span),))
        if interface.text not in INTERFACES:
            if interface.text:
                vocabulary.findings.append(unknown("interface", interface, INTERFACES, "E0201"))
            continue
        vocabulary.findings += _malformed(INTERFACES[interface.text], [*texts, *others])
        vocabulary.findings += _faults(block, remark, others, has_reason=fields.has("because"))
        for meaning in means:
            _check_meaning(vocabulary, meaning, texts)
        vocabulary.report_duplicates(f"word of `{block.name.text}`:", [(n.text, n.span) for n in texts])
        when = vocabulary.box_of_facts(f"words `{block.name.text}` depend", fields.conditions("when"))
        entries.append(
            KnownWords(
                name=block.name.text,
                interface=interface.text,
                words=tuple(word_of(text.text) for text in texts),
                means=tuple((setting.text, value.text) for setting, value in means),
                remark=remark.text,
                others=tuple(other.text for other in others),
                because=vocabulary.reason(fields.name("because"), block.name),
                when=when,
                closed=vocabulary.closed(when),
                citation=vocabulary.citation_of(block),
                span=block.name.span,
            )
        )
    vocabulary.report_duplicates("words", [(entry.name, entry.span) for entry in entries])
    return tuple(sorted(entries, key=lambda entry: entry.name))


def _malformed(interface: Interface, texts: list[Name]) -> Iterator[Diagnostic]:
    """The words that the interface cannot have (K07)."""
    for text in texts:
        word = word_of(text.text)
        name = word.name.removesuffix("*") + ("x" if word.name.endswith("*") else "")
        value = word.text.replace("*", "0") if word.text else None
        if not interface.name.fullmatch(name) or (value is not None and not interface.text.fullmatch(value)):
            message = f"`{text.text}` is not {interface.title}"
            yield Diagnostic("K07", message, text.span, "another form is needed")


def _faults(block: Block, remark: Name, others: list[Name], *, has_reason: bool) -> Iterator[Diagnostic]:
    """What a remark lacks, or has too much (K07, E0201)."""
    head = f"words `{block.name.text}`"
    if remark.text and remark.text not in REMARKS:
        yield unknown("remark", remark, REMARKS, "E0201")
        return
    if remark.text in WITH_OTHERS and not others:
        yield Diagnostic("K07", f"{head}: `remark {remark.text}` names no word", remark.span, "which one?")
    if others and remark.text not in WITH_OTHERS:
        yield Diagnostic("K07", f"{head}: `remark {remark.text}` is about no other word", others[0].span)
    if has_reason != (remark.text in WITH_REASON):
        message = f"{head} {'have a reason without a remark' if has_reason else 'lack `because`'}"
        yield Diagnostic("K07", message, block.name.span)


def _check_meaning(vocabulary: Vocabulary, means: tuple[Name, ...], texts: list[Name]) -> None:
    """Report a setting or a value that does not exist, or is read from no part of the text."""
    setting, value = means
    if not vocabulary.has_setting(setting):
        return
    if value.text != ANY:
        vocabulary.has_values(setting.text, value)
        return
    for text in texts:
        if "*" not in (word_of(text.text).text or ""):
            message = f"no part of `{text.text}` is the value of `{setting.text}`"
            vocabulary.wrong(message, text.span, "a text with `*`", "write `NAME=*`")


def aliases(vocabulary: Vocabulary) -> tuple[Alias, ...]:
    """The aliases by the name that they belong to. What is wrong is added to the vocabulary's findings."""
    by_name: dict[tuple[str, str], list[Name]] = {}
    for statement in vocabulary.of(Aliases):
        name, value = statement.name, statement.value
        known = {**vocabulary.kinds, **vocabulary.settings}
        if name.text not in known:
            vocabulary.findings.append(unknown("fact or setting", name, known, "E0201"))
            continue
        if value is not None and not vocabulary.has_value(name.text, value):
            continue
        vocabulary.findings += [
            Diagnostic("K07", "the alias is empty", text.span, "name missing")
            for text in statement.texts
            if not any(c.isalnum() for c in text.text)
        ]
        key = name.text, value.text if value else ""
        by_name.setdefault(key, []).extend(statement.texts)
    return tuple(_alias(key, by_name[key]) for key in sorted(by_name))


def _alias(key: tuple[str, str], stated: list[Name]) -> Alias:
    """The alias, whatever the order of the files."""
    in_order = tuple(sorted(stated, key=lambda text: (text.span, text.text)))
    texts = tuple(sorted({text.text for text in stated}))
    return Alias(" ".join(filter(None, key)), *key, texts, in_order, span=in_order[0].span)
