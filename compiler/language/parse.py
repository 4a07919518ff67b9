"""Parse a text into its tree.

The tokens are fed to the automaton one by one. After an error, the automaton drops what it has read of the statement,
shifts the placeholder ERROR instead, skips to the end of the statement, and continues. This is error recovery as in
yacc, and lets one run report all errors of a file.

A line that can begin a statement, while the previous statement could have ended, most likely follows a forgotten `;`.
That is an error even if the text could be parsed on; parsing continues as if the `;` were there.

`complaints` words the errors, and is only loaded for one; `build` makes the tree.
"""

from collections.abc import Iterator
from itertools import chain, islice

from setpoint.compiler.budget import look_up
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.automaton import Automaton
from setpoint.compiler.language.build import Build
from setpoint.compiler.language.syntax import File, Statement
from setpoint.compiler.language.tables import reserved_words
from setpoint.compiler.language.tokens import BOUNDS, END, Token, tokens

MOST_ERRORS = 100
"""Parsing stops after this many errors: such a text is not in this language."""


def parse(source: SourceText) -> File:
    """Parse a source.

    Raises SetpointError with all syntax errors of the text (E01xx).
    """
    automaton = Automaton(source.name, Build(source.name))
    _feed(automaton, source)
    body: tuple[Statement, ...] = automaton.result
    return File(source.name, body)


def parsed_tokens(source: SourceText) -> list[Token]:
    """The tokens of a text that parses, which is cheaper than its tree. Raises SetpointError as `parse` does."""
    return _feed(Automaton(source.name, None), source)


def _feed(automaton: Automaton, source: SourceText) -> list[Token]:
    """Feed a text to an automaton; returns its tokens. Raises SetpointError with all syntax errors (E01xx)."""
    stream = list(tokens(source))
    errors = chain(_token_errors(source.name, stream), _syntax_errors(automaton, source.name, stream))
    if findings := list(islice(errors, MOST_ERRORS)):
        raise SetpointError(*findings)
    return stream


def _syntax_errors(automaton: Automaton, file: str, stream: list[Token]) -> Iterator[Diagnostic]:
    """Feed all tokens, and yield the syntax errors."""
    position = begin = 0
    while position < len(stream):
        token = stream[position]
        if position and token.line > stream[position - 1].line:
            look_up()
            if _begins_statement(stream, position) and automaton.takes("SEMICOLON", token.kind):
                if stream[position - 1].kind != "OPEN_STRING":  # which contains the `;`
                    from setpoint.compiler.language.complaints import TokenPlace, runs_on

                    yield runs_on(TokenPlace(file, stream, position, begin))
                automaton.shift(Token("SEMICOLON", ";"))
                begin = position
        if automaton.shift(token):
            position += 1
            continue
        from setpoint.compiler.language.complaints import TokenPlace, unexpected

        place = TokenPlace(file, stream, position, begin)
        expected = automaton.expected()
        yield unexpected(place, expected - {"ERROR"}, reserved_words())
        automaton.stop_building()
        if place.token.kind == END:
            return
        if place.token.kind == "OPEN_STRING" and automaton.shift(Token("STRING", "")):
            position += 1
        else:
            automaton.unwind_to("ERROR")
            automaton.shift(Token("ERROR", ""))
            position = _end_of_statement(automaton, stream, position)


def _begins_statement(stream: list[Token], position: int) -> bool:
    """Whether the first token of a line can begin a statement, and the previous statement was not ended.

    A single word belongs to the previous line, since no statement is a single word.
    """
    kind = stream[position].kind
    if stream[position - 1].kind in BOUNDS or kind in BOUNDS or kind == END:
        return False
    return kind != "WORD" or stream[position + 1].kind not in (*BOUNDS, END)


def _token_errors(file: str, stream: list[Token]) -> Iterator[Diagnostic]:
    """Errors of single tokens, wherever they are: impossible dates, forbidden characters."""
    for position, token in enumerate(stream):
        if token.kind == "DATE" and not is_day(token.text):
            from setpoint.compiler.language.complaints import TokenPlace, no_such_day

            yield no_such_day(TokenPlace(file, stream, position))
        elif token.kind == "STRING" and not token.text.isprintable():
            from setpoint.compiler.language.complaints import TokenPlace, forbidden

            yield from forbidden(TokenPlace(file, stream, position))


def is_day(text: str) -> bool:
    """Whether a text is an existing date in the form 2027-03-31, which can be compared as text."""
    from datetime import date  # only needed for texts with dates

    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _end_of_statement(automaton: Automaton, stream: list[Token], position: int) -> int:
    """The position to continue at after a broken statement.

    The automaton accepts the token there, or it is the end of the file, so parsing always terminates.
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
