"""Text to tree.

Tokens are made first and fed to the automaton one by one, so that an error need not be the end: after one,
the automaton drops what it has half read of the statement, takes the place-holder ERROR for it, skips to the
statement's end, and reads on. This is what yacc does with its `error` token; it lets one run show every
error of a file.

A line that begins as a statement could, while the one before has not been ended though it might have
been, is taken for what it most likely is: a forgotten `;`. It is an error, even where the text could be
read on, and the `;` is taken as read.

`complaints` puts the errors into words, `build` makes the tree.
"""

from collections.abc import Iterator
from datetime import date
from itertools import chain, islice

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.automaton import Automaton
from setpoint.compiler.language.build import Build
from setpoint.compiler.language.complaints import Place, forbidden, no_such_day, runs_on, unexpected
from setpoint.compiler.language.syntax import File, Statement
from setpoint.compiler.language.tables import reserved_words
from setpoint.compiler.language.tokens import END, Token, tokens

MOST_ERRORS = 100
"""After so many errors reading stops: what is wrong in a hundred places is no text of this language."""


def parse(source: SourceText) -> File:
    """Read a source.

    Raises SetpointError with every syntax error of the text (E01xx), not only the first.
    """
    stream = list(tokens(source))
    automaton = Automaton(source.name, Build(source.name))
    wrong = chain(_wrong_in_themselves(source.name, stream), _read(automaton, source.name, stream))
    if findings := list(islice(wrong, MOST_ERRORS)):
        raise SetpointError(*findings)
    body: tuple[Statement, ...] = automaton.result
    return File(source.name, body)


def _read(automaton: Automaton, file: str, stream: list[Token]) -> Iterator[Diagnostic]:
    """Feed all tokens; what does not fit is yielded."""
    position = begun = 0
    while position < len(stream):
        place = Place(file, stream, position, begun)
        if place.begins_line() and automaton.takes("SEMICOLON", place.token.kind):
            if stream[position - 1].kind != "OPEN_STRING":  # which has swallowed the `;`
                yield runs_on(place)
            automaton.take(Token("SEMICOLON", ";"))
            begun = position
        if automaton.take(place.token):
            position += 1
            continue
        fitting = automaton.fitting()
        yield unexpected(place, fitting - {"ERROR"}, reserved_words())
        automaton.build_no_more()
        if place.token.kind == END:
            return
        if place.token.kind == "OPEN_STRING" and automaton.take(Token("STRING", "")):
            position += 1
        else:
            automaton.go_back_to("ERROR")
            automaton.take(Token("ERROR", ""))
            position = _end_of_statement(automaton, stream, position)


def _wrong_in_themselves(file: str, stream: list[Token]) -> Iterator[Diagnostic]:
    """What is wrong with single tokens, wherever they stand: dates that are none, characters that no text may hold."""
    for position, token in enumerate(stream):
        if token.kind == "DATE" and not is_day(token.text):
            yield no_such_day(Place(file, stream, position))
        elif token.kind == "STRING":
            yield from forbidden(Place(file, stream, position))


def is_day(text: str) -> bool:
    """Whether a text is a day of the calendar, written as 2027-03-31: of the ways to write one, these compare as text."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _end_of_statement(automaton: Automaton, stream: list[Token], position: int) -> int:
    """Where to go on after a broken statement.

    The automaton takes what stands there, or it is the end of the file: so reading always ends.
    """
    depth = 0
    while stream[position].kind != END:
        kind = stream[position].kind
        if kind == "LBRACE":
            depth += 1
        elif kind == "RBRACE":
            if depth == 0:
                # A brace that closes nothing: at the top of a file it is part of the error.
                return position if automaton.takes(kind) else position + 1
            depth -= 1
            if depth == 0:
                return position + 1
        elif kind == "SEMICOLON" and depth == 0:
            return position
        position += 1
    return position
