"""Syntax errors in words.

The parser knows a token that does not fit and the kinds that would have. From these, and from the tokens around, come
the diagnostics of syntax:

    E0101  something else was expected        E0104  a statement has no reason
    E0102  a text is not closed               E0105  a statement runs on to the next line
    E0103  a character without a meaning      E0106  not a date

A message states what was found; the help guesses what was meant: a misspelt keyword, a missing `;` or `}`, a quote
inside a text, a typographer's quote.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.fixes import Edit, Fix
from setpoint.compiler.diagnostics.slips import nearest, slip
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.language.automaton import Automaton
from setpoint.compiler.language.blocks import CELLS, COLUMNS, kind_of
from setpoint.compiler.language.forms import EXPLAINED, form_of
from setpoint.compiler.language.mending import mended, missing_semicolon
from setpoint.compiler.language.tables import reserved_words, tables
from setpoint.compiler.language.tokens import BOUNDS, END, Token
from setpoint.compiler.record import NamedTuple

WORDS_FOR_KINDS = {
    "WORD": "a name",
    "STRING": "a text in quotes",
    "DATE": "a date such as 2027-03-31",
    "SIGNED": "a number",
    "SEMICOLON": "`;`",
    "COMMA": "`,`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    END: "the end of the file",
}
"""The names of the kinds of token in messages; a keyword is named by its own text."""

IN_A_POLICY = ("POLICY", "WORD", "LBRACE")
"""The kinds of token that open a policy."""

MOST_NAMED = 6
"""How many alternatives a message lists."""

SIMILARITY = 0.65
"""The similarity (difflib's ratio) that a misspelt keyword needs; at 0.6, `sockets` would be taken for `set`."""

QUOTES = "“”„«»‘’'`"
LIKELY_INTENT: dict[str, str] = {
    **dict.fromkeys(QUOTES, 'texts are written in straight double quotes: "…"'),
    **dict.fromkeys("=:", "a name and its value are separated by a space"),
    **dict.fromkeys("/*", "comments begin with #"),
    **dict.fromkeys("‐‑–—−", "names, dates and numbers use the plain hyphen of the keyboard: -"),
    "%": 'a figure has no unit: it stands with the metric, as in `metric NAME in "%"; value -18;`',
    "-": "a hyphen is part of a name or directly precedes a number; a range is written `2 to 8`",
    **dict.fromkeys("\u00a0\u2009\u202f", "write a plain space"),
    "\r": "lines end in LF or CRLF, not in CR alone: save the file with other line endings",
}
"""The likely intent of characters without a meaning."""

CONTROLS = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters except the tab, line ends, marks for the direction of writing, surrogates."""


class TokenPlace(NamedTuple):
    """A token of a file among its neighbours; the last token of every stream is the file's end.

    `begun` is the beginning of a statement after a forgotten `;`.
    """

    file: str
    stream: Sequence[Token]
    position: int
    begun: int = 0

    @property
    def token(self) -> Token:
        """The token itself."""
        return self.stream[self.position]

    @property
    def before(self) -> Token | None:
        """The token before it, if there is one."""
        return self.stream[self.position - 1] if self.position else None

    def right_behind(self) -> Span:
        """The place of the token, if it is on the line of the previous one; else the place right behind that one."""
        at, before = self.token.span(self.file), self.before
        if before is None or at.line == before.line:
            return at
        end = before.span(self.file).end_column
        return Span(self.file, before.line, end, before.line, end + 1)

    @property
    def start(self) -> int:
        """The index of the first token of the statement."""
        start = self.position
        while start > self.begun and self.stream[start - 1].kind not in BOUNDS:
            start -= 1
        return start

    def statement(self) -> Sequence[Token]:
        """The tokens of the statement before this one."""
        return self.stream[self.start : self.position]

    def open_block(self) -> "TokenPlace | None":
        """The `{` of the innermost block that is open here."""
        depth = 0
        for position in range(self.position - 1, -1, -1):
            kind = self.stream[position].kind
            depth += (kind == "RBRACE") - (kind == "LBRACE")
            if depth < 0:
                return self._replace(position=position, begun=0)
        return None


@cache
def statement_keywords(*opened: str) -> tuple[str, ...]:
    """The words that begin the statements of a file, or of a block that these kinds of token open; sorted."""
    reading, kinds = Automaton("", None), tables().keywords
    return tuple(word for word in reserved_words() if reading.takes(*opened, kinds[word]))


def unexpected(place: TokenPlace, expected: Iterable[str], keywords: Iterable[str]) -> Diagnostic:
    """The diagnostic for a token that is none of the expected kinds."""
    token, kinds = place.token, set(expected)
    at = token.span(place.file)
    fixes = mended(place.file, place.stream, place.position, kinds)
    if token.kind == "OPEN_STRING":
        message = "the text is not closed before the end of the line"
        return Diagnostic("E0102", message, at, 'add `"`', fixes=fixes)
    if token.kind == "JUNK":
        return _no_meaning(token, at)._replace(fixes=fixes)
    statement_text = " ".join(token.text for token in place.statement())
    if statement_text and "BECAUSE" in kinds and token.kind in (*BOUNDS, END):
        return Diagnostic(
            "E0104",
            f"`{_short(statement_text)}` has no reason",
            place.right_behind(),
            "reason missing",
            help=('add `because "…"`: a reader in a year will want the reason',),
        )
    if "BECAUSE" in kinds and place.statement() and place.statement()[0].kind == "SET":
        kinds = {"BECAUSE"}  # a unit, or more of a list of CPUs, is seldom what is missing
    if kinds == {"DATE"} and token.kind in ("WORD", "STRING", "SIGNED"):
        return _not_a_date(token, at)
    others: tuple[Label, ...] = ()
    block = place.open_block()
    if block is not None and token.kind == END:
        kinds = {"RBRACE"}
    if block is not None and (token.kind == END or ("RBRACE" in kinds and _opens_a_file_statement(token))):
        others = (Label(block.token.span(place.file), "this block is open"),)
    return Diagnostic(
        "E0101",
        f"expected {_list(kinds)}, found {_found(token)}",
        at,
        "not expected here",
        others,
        help=tuple(_hints(place, kinds, sorted(keywords))),
        fixes=fixes or _respelt(place, kinds, sorted(keywords)),
    )


def runs_on(place: TokenPlace) -> Diagnostic:
    """The diagnostic for a statement that was meant to end with the previous line."""
    return Diagnostic(
        "E0105",
        f"`{place.statement()[0].text}` runs on to the next line",
        place.stream[place.position - 1].span(place.file),
        "a `;` is missing after this",
        help=("a statement ends at its `;`, not with its line",),
        fixes=(missing_semicolon(place.file, place.stream[place.position - 1]),),
    )


def _not_a_date(token: Token, at: Span) -> Diagnostic:
    return Diagnostic(
        "E0106",
        f"{_found(token)} is not a date",
        at,
        "not a date",
        help=("a date is a year, a month and a day: 2027-03-31",),
    )


def no_such_day(place: TokenPlace) -> Diagnostic:
    """The diagnostic for a date that does not exist."""
    at = place.token.span(place.file)
    return Diagnostic("E0106", f"`{place.token.text}` is not a day of the calendar", at, "no such day")


def forbidden(place: TokenPlace) -> Iterable[Diagnostic]:
    """The diagnostics for invisible or misleading characters in a text."""
    start = place.token.span(place.file)
    for match in CONTROLS.finditer(place.token.text):
        column = start.column + match.start()
        yield Diagnostic(
            "E0103",
            f"a text cannot contain {_shown(match.group())}",
            start._replace(column=column, end_column=column + 1),
            "this character",
        )


def _no_meaning(token: Token, at: Span) -> Diagnostic:
    character = token.text
    general = (
        "names are letters, digits and hyphens; texts are written in double quotes; comments begin with #"
    )
    return Diagnostic(
        "E0103",
        f"{_shown(character)} has no meaning here",
        at,
        "this character",
        help=(LIKELY_INTENT.get(character, general),),
    )


def _shown(character: str) -> str:
    return (
        f"`{character}`"
        if character.isprintable() and character != "`"
        else f"the character U+{ord(character):04X}"
    )


def _list(kinds: set[str]) -> str:
    words = {kind.lower() for kind in kinds}
    if "set" in words:  # which begins a statement wherever one can stand, and nothing else
        return "a statement" if words.issuperset(statement_keywords()) else "a statement of a policy"
    names = sorted({_word_for(kind) for kind in kinds if kind != END or len(kinds) == 1})
    if len(names) > MOST_NAMED:
        return "a field of this block"
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


def _word_for(kind: str) -> str:
    return WORDS_FOR_KINDS.get(kind) or f"`{kind.lower()}`"


def _found(token: Token) -> str:
    return "the end of the file" if token.kind == END else f"`{_short(token.text)}`"


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _opens_a_file_statement(token: Token) -> bool:
    """Whether a token begins a statement that is allowed only at the top of a file."""
    word = token.text.lower()
    return word in statement_keywords() and word not in statement_keywords(*IN_A_POLICY)


def _hints(place: TokenPlace, kinds: set[str], keywords: list[str]) -> Iterable[str]:
    """The most likely intent, as help."""
    token, before, block = place.token, place.before, place.open_block()
    if block is not None and token.kind == END:
        yield "is a `}` missing?"
    elif block is not None and _opens_a_file_statement(token):
        yield f"`{token.text}` belongs at the top of a file, not in a block: is a `}}` missing above?"
    elif block is not None and token.kind == "FOR" and _begins_with(block, "FOR"):
        yield "`for` blocks cannot be nested: put them side by side"
    elif block is None and token.kind == "RBRACE":
        yield "no block is open here: is this `}` one too many?"
    elif before is not None and before.kind == "RBRACE" and token.kind == "SEMICOLON":
        yield "a block needs no `;` after its `}`"
    elif token.kind == "COMMA" and "SEMICOLON" in kinds:
        yield "a statement ends with `;`, and no list can stand here"
    elif before is not None and before.kind == "STRING" and before.end == token.start:
        yield 'write `\\"` for a quote inside a text'
    elif misspelt := _misspelt(place, kinds, keywords):
        word, near, _ = misspelt
        yield f"did you mean `{near}`" + ("?" if word is token else f" for `{word.text}`?")
    elif form := _form(place, block, kinds):
        yield form
    elif token.text.lower() in keywords and "WORD" in kinds:
        yield f"`{token.text}` is a word of the language and cannot be a name"


def _form(place: TokenPlace, block: TokenPlace | None, kinds: set[str]) -> str:
    """The form of the statement, and the purpose of the missing word; "" if the statement has only begun.

    A keyword in the place of a name is an error of its own, unless the form has it there: then the name is missing.
    """
    begun = place.statement()
    if not begun:
        return ""
    head = block.statement()[0].text.lower() if block and block.statement() else ""
    first, token = begun[0], place.token.text.lower()
    form = form_of(first.text.lower(), head)
    if first.kind == "WORD" and head in ("", "policy", "for"):
        return f"a fact has a name and a value: `{first.text} VALUE;`" if len(begun) == 1 else ""
    if not form or (token in reserved_words() and "WORD" in kinds and f" {token} " not in form):
        return ""
    (*_, kind) = sorted(kinds)
    explained = EXPLAINED.get(f"{first.kind} {kind}", EXPLAINED.get(kind, "")) if len(kinds) == 1 else ""
    return f"{explained or 'the form is'}: `{form}`"


def _begins_with(block: TokenPlace, kind: str) -> bool:
    """Whether the statement that opens a block begins with a token of this kind."""
    return [token.kind for token in block.statement()[:1]] == [kind]


def _beginnings(block: str, keywords: Sequence[str]) -> Sequence[str]:
    """The keywords that may begin a statement in a block of this kind; in tables most statements begin with a name."""
    if block in ("", "POLICY", "FOR"):
        return statement_keywords()
    kind = kind_of(block)
    if kind and kind.layout == CELLS:
        return ("footnote",)
    return () if kind and kind.layout == COLUMNS else keywords


def _respelt(place: TokenPlace, kinds: set[str], keywords: list[str]) -> tuple[Fix, ...]:
    """The fix of a misspelt keyword, if no other one can be meant."""
    word, near, is_certain = _misspelt(place, kinds, keywords) or (place.token, "", False)
    title = f"write `{near}` for `{word.text}`"
    return (Fix(title, (Edit(word.span(place.file), near),), is_safe=True),) if is_certain else ()


def _misspelt(place: TokenPlace, kinds: set[str], keywords: list[str]) -> tuple[Token, str, bool] | None:
    """A keyword that is similar to this token, to the statement's first, or to the open block's first one: the token,
    the keyword, and whether no other one can be meant.
    """
    block = place.open_block()
    head = block.statement()[:1] if block else ()
    begins = _beginnings(head[0].kind if head else "", keywords)
    suspects = [
        ((place.token,), [kind.lower() for kind in kinds if kind.lower() in keywords]),
        (place.statement()[:1], begins),
        (head, statement_keywords()),
    ]
    for words, known in suspects:
        for word in words:
            written = word.text.lower() if word.kind == "WORD" else ""
            if near := nearest(written, known, SIMILARITY):
                return word, near, near == slip(written, known)
    return None
