"""What each word of a text is, for editors that colour by meaning: a setting, a fact, a value, a hazard or a source."""

from collections.abc import Collection, Iterator

from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.tokens import Token
from setpoint.compiler.lsp.document import Document

KINDS = ("keyword", "string", "number", "variable", "property", "enumMember", "event", "class")
"""The kinds of the protocol that are used. Settings are variables, facts properties, hazards events and sources
classes."""


def coloured(document: Document) -> Iterator[tuple[Token, str]]:
    """The tokens that have a meaning, each with one of KINDS."""
    knowledge = document.knowledge
    values = {value for variable in knowledge.variables.values() for value in variable.named}
    for token in document.tokens:
        if kind := _kind(token, knowledge, values):
            yield token, kind


def _kind(token: Token, knowledge: Knowledge, values: set[str]) -> str:
    if token.text.startswith('"'):
        return "string"
    if token.text[0].isdigit() and token.text not in values:
        return "number"
    if token.kind != "WORD":
        return "keyword" if token.text[0].isalpha() else ""
    kinds: dict[str, Collection[str]] = {
        "variable": knowledge.settings,
        "property": knowledge.kinds,
        "event": knowledge.hazards,
        "class": knowledge.sources,
        "enumMember": values,
    }
    return next((kind for kind, names in kinds.items() if token.text in names), "")
