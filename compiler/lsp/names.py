"""The names in a text, each with what it names: `web` of `policy web` is a policy, `turbo` of `set turbo off` a
setting.

What a name of a policy names is known from its place. In knowledge, a name names whatever is declared by it.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.binding.levels import SCOPES
from setpoint.compiler.diagnostics.source import Placed
from setpoint.compiler.language.syntax import (
    Accept,
    Block,
    Expect,
    Fact,
    File,
    Name,
    Policy,
    Scope,
    Set,
    Statement,
)
from setpoint.compiler.language.tokens import Token

POLICY = "policy"
DECLARED = "declared"


class Occurrence(Placed):
    """A name in a text: what it names (`policy`, `group`, `host` or `declared`), and whether it is declared there."""

    what: str
    text: str
    declares: bool = False


def occurrences(body: Iterable[Statement], site: Iterable[File] = ()) -> Iterator[Occurrence]:
    """The names in statements of policies, and in a site's files of knowledge."""
    for statement in body:
        yield from _in_statement(statement)
    for file in site:
        for declaration in file.body:
            if isinstance(declaration, Block):
                yield Occurrence(DECLARED, declaration.name.text, span=declaration.name.span, declares=True)
            yield from (_declared(name) for name in _words(declaration))


def occurrence_at(candidates: Iterable[Occurrence], path: str, token: Token) -> Occurrence | None:
    """The occurrence that a token of a file is."""
    at = token.span(path)
    return next((occurrence for occurrence in candidates if occurrence.span == at), None)


def _in_statement(statement: Statement) -> Iterator[Occurrence]:
    match statement:
        case Policy():
            yield Occurrence(POLICY, statement.name.text, span=statement.name.span, declares=True)
            if statement.extends:
                yield Occurrence(POLICY, statement.extends.text, span=statement.extends.span)
            yield from occurrences(statement.body)
        case Scope():
            yield Occurrence(
                statement.kind.text, statement.name.text, span=statement.name.span, declares=True
            )
            if statement.group:
                yield Occurrence(SCOPES[0], statement.group.text, span=statement.group.span)
            yield from occurrences(statement.body)
        case Set():
            yield _declared(statement.setting)
        case Fact():
            yield _declared(statement.name)
            yield _declared(statement.value)
        case Accept():
            mentioned = (statement.what if statement.is_of_hazard else None, statement.of, statement.about)
            yield from (_declared(name) for name in mentioned if name)
        case Expect():
            yield from map(_declared, _expected(statement))
        case _:  # names nothing
            pass


def _expected(expect: Expect) -> Iterator[Name]:
    for condition in expect.conditions:
        yield from condition.values if expect.is_of_hazard else (condition.name,)
    yield from (condition.name for condition in expect.under)
    yield from (expect.source,) if expect.source else ()


def _declared(name: Name) -> Occurrence:
    return Occurrence(DECLARED, name.text, span=name.span)


def _words(node: object) -> Iterator[Name]:
    """The names in a node of a tree that are words, and no texts in quotes."""
    if isinstance(node, Name):
        if node.span.end_column - node.span.column == len(node.text):
            yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _words(part)
