"""Format a text canonically, comments included.

The formatter works on the tokens of the text, not on its tree: it groups them into statements and blocks, and lays each
out on its own lines. It moves line breaks and spaces, and adds the `;` that the last statement of a block may omit, but
never changes a word. To be sure, it parses its own output and refuses to return a text with other tokens.

    goal latency; cpu x5670   # a model         goal  latency;
    set turbo off                               cpu   x5670;    # a model
      because "PERF-212";                       set turbo off because "PERF-212";

The text keeps its comments in place, its blank lines (at most one at a time) and its one-line blocks. `layout` has the
rules for everything else.
"""

from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.formatting.layout import lines_of
from setpoint.compiler.language.formatting.token_groups import Piece, entries_of, pieces_of
from setpoint.compiler.language.parse import parsed_tokens
from setpoint.compiler.language.tokens import END


class FormatError(Exception):
    """The formatted text has another meaning: a defect of the formatter, not of the text."""


def format_source(source: SourceText) -> str:
    """The text of a source in its canonical form.

    Raises SetpointError with the syntax errors of the text (E01xx), and FormatError if the formatted text would have
    another meaning.
    """
    pieces = pieces_of(source, parsed_tokens(source))
    text = "".join(f"{line}\n" for line in lines_of(entries_of(pieces)))
    if text != source.text:
        formatted = SourceText(source.name, text)
        if _said(pieces_of(formatted, parsed_tokens(formatted))) != _said(pieces):
            raise FormatError(f"{source.name}: the formatter would have changed what the text says")
    return text


def _said(pieces: list[Piece]) -> tuple[list[str], list[str]]:
    """The tokens of a text, with each `;` that it omits, and its comments. They determine its tree."""
    tokens: list[str] = []
    comments = []
    for kind, text, _, _ in pieces:
        if kind == "COMMENT":
            comments.append(text)
            continue
        if kind in ("RBRACE", END) and tokens and tokens[-1] not in (";", "{", "}"):
            tokens.append(";")
        tokens.append(text)
    return tokens, comments
