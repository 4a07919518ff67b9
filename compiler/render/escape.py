"""Foreign text in Markdown, as nothing but text.

A reason in a policy may contain anything. In a comment it must neither break a table, nor become a link, a heading or
HTML, nor notify a person or a team. Markdown's own characters are escaped with a backslash. No backslash prevents the
references that GitHub and GitLab find in the rendered text (`@team`, `#12`, `!7`, `www.…`, `:tada:`); a zero-width
space is inserted there.
"""

import re

ESCAPES = str.maketrans({character: f"\\{character}" for character in "\\`*_{}[]<>|#~&"})

NO_WIDTH = "\u200b"
NO_WIDTH_ENTITY = "&#8203;"

NOT_JOINED = re.compile(
    r"""(?<=[@\#!$%~&^])(?=[\w"'{(])    # @person, #12, !7, $snippet, %milestone, ~label, &epic, ^alert, $math$
      | (?<=:)(?=//)                     # https://…
      | (?<=:)(?=[\w+-]+:)               # :emoji:
      | (?<=www)(?=\.)                   # www.example.org
      | (?<=GH)(?=-\d)                   # GH-12
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Places between two characters that together have a meaning to a forge."""

JOINS = re.compile(r"[@#!$%~&^:]|www\.|GH-", re.IGNORECASE)
"""What such a place needs; it is found much faster."""

HASH = re.compile(r"(?<![0-9a-z])[0-9a-f]{7,}(?![0-9a-z])", re.IGNORECASE)
"""A possible commit hash: forges link seven digits and more."""

LIST_MARK = re.compile(r"^(?:[-+=]|\d+(?=[.)]))")
"""The beginnings of a line that make it a list or a heading."""


def escape(text: str) -> str:
    """A text as literal Markdown on one line, for any position."""
    plain = " ".join((text if text.isprintable() else _without_hidden(text)).split())
    apart = NOT_JOINED.sub(NO_WIDTH, plain) if JOINS.search(plain) else plain
    apart = HASH.sub(lambda match: NO_WIDTH.join(re.findall(".{1,6}", match[0])), apart)
    literal = apart.translate(ESCAPES).replace(NO_WIDTH, NO_WIDTH_ENTITY)
    mark = LIST_MARK.match(literal)
    if mark is None:
        return literal
    end = mark.end()
    return f"{literal[:end]}\\{literal[end:]}" if literal[0].isdigit() else f"\\{literal}"


def _without_hidden(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def prose(text: str) -> str:
    """A message on one line: names in backticks stay code, everything else is literal."""
    parts = re.split(r"`([^`]+)`", text)
    escaped = (code(part) if number % 2 else _within(part) for number, part in enumerate(parts))
    return " ".join("".join(escaped).split())


def _within(text: str) -> str:
    """Literal Markdown within a line; surrounding spaces are kept."""
    if not text.strip():
        return " " if text else ""
    return (" " if text[0].isspace() else "") + escape(text) + (" " if text[-1].isspace() else "")


def code(name: str) -> str:
    """A name as code. Anything that is not a name of the language is escaped as text."""
    return f"`{name}`" if re.fullmatch(r"[\w./ -]+", name) and name == name.strip() else escape(name)


def row(*cells: str) -> str:
    """A row of a Markdown table; the cells are Markdown already."""
    return "| " + " | ".join(cells) + " |\n"


def link(url: str) -> str:
    """A web address as a link, if it clearly is one; else as text."""
    return f"<{url}>" if re.fullmatch(r"https?://[\w.~:/?#@%&=+-]+", url, re.ASCII) else escape(url)


def head(*cells: str) -> str:
    """The head of a Markdown table."""
    return row(*cells) + row(*("---" for _ in cells))
