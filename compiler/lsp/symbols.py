"""What a file declares: policies with their groups and hosts, and knowledge. For outlines, and to search a workspace by
name."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import Placed, SourceText
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.program import read
from setpoint.compiler.language.syntax import Block, File, Name, Policy, Scope, Statement, Table


class Symbol(Placed):
    """A declaration: its kind as a keyword of the language, its name, its place, and those within it."""

    kind: str
    name: Name
    within: "tuple[Symbol, ...]" = ()


def symbols(source: SourceText) -> tuple[Symbol, ...]:
    """What a text declares; nothing while it cannot be read."""
    try:
        return symbols_of(parse(source))
    except SetpointError:
        return ()


def symbols_of(file: File) -> tuple[Symbol, ...]:
    """What a file declares."""
    return tuple(_declared(file.body))


def matching(declared: Iterable[Symbol], query: str) -> Iterator[Symbol]:
    """The symbols whose names contain a text, with those within others."""
    for symbol in declared:
        if query.casefold() in symbol.name.text.casefold():
            yield symbol
        yield from matching(symbol.within, query)


def texts_of(paths: Iterable[str], opened: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The texts of files by path, as the editor has them, else as they are saved, without unreadable ones."""
    for path in paths:
        with suppress(SetpointError):
            yield path, opened.get(path) or read(path)


def _declared(body: Iterable[Statement]) -> Iterator[Symbol]:
    for statement in body:
        match statement:
            case Policy():
                yield Symbol("policy", statement.name, tuple(_declared(statement.body)), span=statement.span)
            case Scope():
                yield Symbol(statement.kind.text, statement.name, span=statement.span)
            case Block():
                kind = statement.subject.text if statement.subject else statement.kind
                yield Symbol(kind, statement.name, span=statement.span)
            case Table():
                name = Name(f"{statement.at.text} of {statement.source.text}", span=statement.at.span)
                yield Symbol(statement.kind, name, span=statement.span)
            case _:  # declares nothing with a name
                pass
