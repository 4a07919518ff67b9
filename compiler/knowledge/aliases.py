"""Aliases: other names of settings, facts and their values.

`aliases smt "hyperthreading";` lets a message on `set hyperthreading off` name the setting to use. An alias never
stands in for the name itself, so that a policy reads the same for everybody. One alias may belong to several names:
`database` is bound by I/O on one server and by memory on another, and the message names both.
"""

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import Alias
from setpoint.compiler.knowledge.vocabulary import Vocabulary
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.syntax import Aliases


def aliases(vocabulary: Vocabulary) -> tuple[Alias, ...]:
    """The aliases by the name that they belong to. What is wrong is added to the vocabulary's findings."""
    found: dict[tuple[str, str], list[tuple[str, Span]]] = {}
    for statement, _ in vocabulary.statements:
        if not isinstance(statement, Aliases):
            continue
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
        found.setdefault(key, []).extend((text.text, text.span) for text in statement.texts)
    return tuple(_alias(key, found[key]) for key in sorted(found))


def _alias(key: tuple[str, str], stated: list[tuple[str, Span]]) -> Alias:
    """The alias, whatever the order of the files."""
    in_order = tuple(sorted(stated, key=lambda each: (each[1], each[0])))
    texts = tuple(sorted({text for text, _ in stated}))
    return Alias(" ".join(filter(None, key)), *key, texts, in_order[0][1], in_order)
