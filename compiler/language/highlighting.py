"""The language for Pygments, which colours the manual and whatever else uses it: Sphinx, MkDocs, GitLab's wikis,
terminals.

Pygments finds the lexer by its entry point; nothing else imports this module, since Pygments is no dependency. Only
words are coloured, and nothing is checked: a text that the compiler rejects has its colours as well.
"""

from pygments.lexer import RegexLexer, default
from pygments.token import Comment, Error, Keyword, Literal, Name, Number, Punctuation, String, Whitespace
from pygments.util import Future

from setpoint.compiler.language.tables import reserved_words

WORD = r"[A-Za-z0-9_.+-]"
"""A character of a word, as in the grammar."""


class _ReservedWords(Future):
    """The keywords, which are only read when a text is coloured."""

    def get(self) -> str:  # type: ignore[override] # the stubs have it that nothing comes of it
        """The pattern of a keyword."""
        return rf"(?<!{WORD})(?:{'|'.join(reserved_words())})(?!{WORD})"


class TuneLexer(RegexLexer):
    """The lexer of policies and of knowledge."""

    name = "Setpoint"
    aliases = ["tune", "setpoint"]  # noqa: RUF012 - as Pygments declares it
    filenames = ["*.tune"]  # noqa: RUF012
    version_added = ""

    tokens = {  # noqa: RUF012
        "root": [
            (r"\s+", Whitespace),
            (r"#[^\r\n]*", Comment.Single),
            (r'"', String.Double, "string"),
            (rf"\d{{4}}-\d{{2}}-\d{{2}}(?!{WORD})", Literal.Date),
            (_ReservedWords(), Keyword),
            (rf"-?\d{WORD}*", Number),
            (rf"[A-Za-z_]{WORD}*", Name),
            (r"[{};,]", Punctuation),
            (r".", Error),
        ],
        "string": [
            (r'\\["\\]', String.Escape),
            (r'"', String.Double, "#pop"),
            (r'[^"\\\r\n]+(?=[\r\n]|\Z)', Error, "#pop"),
            (r'[^"\\\r\n]+|\\', String.Double),
            default("#pop"),
        ],
    }
