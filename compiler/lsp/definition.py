"""Where a name is declared: in the file, in one that it includes, or in the standard library."""

import os
from collections.abc import Iterator

from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.knowledge.library import stdlib_folder
from setpoint.compiler.knowledge.model import CITED, statements_of
from setpoint.compiler.language.syntax import Policy, Scope
from setpoint.compiler.lsp.addresses import is_address
from setpoint.compiler.lsp.document import Document

LIBRARY = "stdlib/"
"""How the names of the library's files begin in spans."""


def definitions(document: Document, line: int, column: int) -> tuple[Span, ...]:
    """The places that declare the word at a place."""
    token = document.token_at(line, column)
    return () if token is None else tuple(s for s in _declared(document, token.text) if s != NOWHERE)


def path_of(span: Span) -> str:
    """The path of the file that a span is in."""
    if span.file.startswith(LIBRARY):
        return os.path.join(stdlib_folder(), *span.file.split("/")[1:])
    return span.file if is_address(span.file) else os.path.abspath(span.file)


def _declared(document: Document, name: str) -> Iterator[Span]:
    knowledge = document.knowledge
    if name in knowledge.settings:
        yield knowledge.settings[name].span
    if name in knowledge.kinds:
        yield knowledge.kinds[name].span
    for values in knowledge.values.values():
        if name in values:
            yield values[name].span
    if name in knowledge.sources:
        yield knowledge.sources[name].span
    for field in CITED:
        yield from (
            statement.span
            for statement in statements_of(knowledge, field)
            if getattr(statement, "name", "") == name
        )
    for statement in document.program.body if document.program else ():
        if isinstance(statement, Policy | Scope) and statement.name.text == name:
            yield statement.name.span
