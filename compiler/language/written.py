"""Texts in quotes, as they are written and as they are meant."""

import re

_ESCAPE = re.compile(r'\\(["\\])')


def unquote(text: str) -> str:
    """The text of a string literal: without its quotes, and with `\\"` and `\\\\` resolved.

    Before any other character a backslash stands for itself.
    """
    return _ESCAPE.sub(r"\1", text[1:-1])


def quote(text: str) -> str:
    """A text as a string literal on one line."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
