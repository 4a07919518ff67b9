"""Fixes of syntax errors: what a text says, written as the language has it.

Only what is certain is mended, and nothing is added but punctuation: a forgotten `;` or quote, quotes and hyphens of a
word processor, parts in another order. The kinds of token are the grammar's, as in `complaints`.
"""

from collections.abc import Iterator, Sequence

from setpoint.compiler.diagnostics.fixes import Edit, Fix
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.language.tokens import BOUNDS, END, Token

CLOSING = {"“": "”“", "„": "“”", "«": "»", "»": "«", "‘": "’‘", "’": "’", "'": "'", "`": "`´'"}
"""The quotes that other languages and programs open a text with, and those that close it."""

PLAIN = {
    **dict.fromkeys("‐‑–—−", "-"),
    **dict.fromkeys("\u00a0\u2009\u202f=:", " "),
}
"""Signs that are written for another one."""

LATE = ("UNTIL", "DATE", "BECAUSE", "STRING")
"""The kinds of token of a date before the reason, which belongs behind it."""


def missing_semicolon(file: str, before: Token) -> Fix:
    """The fix that ends a statement behind this token."""
    return Fix("add the missing `;`", (Edit(_behind(file, before), ";"),), is_safe=True)


def mended(file: str, stream: Sequence[Token], position: int, expected: set[str]) -> tuple[Fix, ...]:
    """The fix of an error at a token, in place of which other kinds were expected; none if it is not certain."""
    here = _line_from(stream, position)
    token = here[0]
    title = ""
    edits: tuple[Edit, ...] = ()
    if token.kind == "OPEN_STRING":
        title, edits = "close the text", _closed(file, token)
    elif token.kind == "JUNK" and token.text in PLAIN:
        title, edits = "write plain signs", (Edit(token.span(file), PLAIN[token.text]),)
    elif token.kind == "JUNK" and token.text in CLOSING:
        title, edits = "write straight double quotes", tuple(_straight(file, here))
    elif tuple(piece.kind for piece in here[:4]) == LATE:
        until, date, because, reason = here[:4]
        place = until.span(file).to(reason.span(file))
        text = f"{because.text} {reason.text} {until.text} {date.text}"
        title, edits = "write the reason before the date", (Edit(place, text),)
    elif expected == {"STRING"}:
        title, edits = "put the text in quotes", tuple(_quoted(file, here))
    elif token.kind == "COMMA" and "SEMICOLON" in expected and _begins_a_statement(stream[position + 1 :]):
        title, edits = "write `;` for `,`", (Edit(token.span(file), ";"),)
    elif token.kind == "SEMICOLON" and position and stream[position - 1].kind == "RBRACE":
        title, edits = "drop the `;`", (Edit(token.span(file), ""),)
    return (Fix(title, edits, is_safe=True),) if edits else ()


def _behind(file: str, token: Token) -> Span:
    """The empty place behind a token."""
    end = token.span(file)
    return end._replace(line=end.end_line, column=end.end_column)


def _line_from(stream: Sequence[Token], position: int) -> Sequence[Token]:
    """The tokens from here to the end of the line; at least one."""
    end = position + 1
    while end < len(stream) and stream[end].line == stream[position].line and stream[end].kind != END:
        end += 1
    return stream[position:end]


def _begins_a_statement(tokens: Sequence[Token]) -> bool:
    """Whether these tokens can be a statement, and not one more value: two words or more."""
    return {"COMMA", END}.union(BOUNDS).isdisjoint(token.kind for token in tokens[:2])


def _closed(file: str, token: Token) -> tuple[Edit, ...]:
    """A quote at the end of the line, before its `;`; none if the text may end elsewhere, as before a comment."""
    text = token.text.rstrip()
    length = len(text.removesuffix(";").rstrip())
    if length < 2 or "#" in text or ";" in text[:length]:
        return ()
    column = token.column + length
    return (Edit(Span(file, token.line, column, token.line, column), '"'),)


def _straight(file: str, here: Sequence[Token]) -> Iterator[Edit]:
    """Straight quotes in place of the first token and of the one that closes it."""
    closing = CLOSING[here[0].text]
    for token in here[1:]:
        if token.kind in ("STRING", "OPEN_STRING"):
            return
        if token.kind == "JUNK" and token.text in closing:
            yield Edit(here[0].span(file), '"')
            yield Edit(token.span(file), '"')
            return


def _quoted(file: str, here: Sequence[Token]) -> Iterator[Edit]:
    """Quotes around the words up to the `;` of the line; none if something else than words is there."""
    kinds = [token.kind for token in here]
    end = kinds.index("SEMICOLON") if "SEMICOLON" in kinds else 0
    if end and {"STRING", "OPEN_STRING", "JUNK", "DATE", "LBRACE", "RBRACE"}.isdisjoint(kinds[:end]):
        yield Edit(here[0].span(file)._replace(end_column=here[0].column), '"')
        yield Edit(_behind(file, here[end - 1]), '"')
