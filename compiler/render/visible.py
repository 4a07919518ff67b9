"""Make characters visible that a terminal or a log would interpret or hide.

Comments and names of files may contain anything: escape sequences, line breaks, marks for the direction of writing.
Printed literally, they could forge the output.
"""

import re
from collections.abc import Callable
from functools import cache
from operator import attrgetter

from setpoint.compiler.hints import Any

HIDDEN = re.compile(r"[^\x20-\x7e]")
"""Candidates for escaping: all characters except the printable ones of ASCII."""

HIDDEN_IN_LINES = re.compile(r"[^\x20-\x7e\n]")
"""The same, in a text of several lines."""


def visible(text: str) -> str:
    r"""A text on one line, with escapes for all unprintable characters: `\x1b`, `\u202e`."""
    return HIDDEN.sub(lambda match: match[0] if match[0].isprintable() else _escape(match[0]), text)


def _escape(character: str) -> str:
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:
        number -= 0xDC00  # a byte of a file's name that is not UTF-8
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def visible_lines(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(visible(line) for line in text.split("\n"))


def json_object(record: object, members: str) -> dict[str, Any]:
    """The members of a record that a text names: `value`; by another key `at=cause.at`; null if it is empty
    `until?`."""
    entries = ((key, of(record), is_nullable) for key, of, is_nullable in _members(members))
    return {key: (value or None) if is_nullable else value for key, value, is_nullable in entries}


@cache
def _members(words: str) -> tuple[tuple[str, Callable[[Any], Any], bool], ...]:
    members = ((word.rstrip("?").partition("="), word.endswith("?")) for word in words.split())
    return tuple((key, attrgetter(path or key), is_nullable) for (key, _, path), is_nullable in members)


def json_text(data: Any) -> str:
    """Data as JSON, ended by a line break; unprintable characters have JSON's own escapes."""
    import json  # only needed for machines; plans for people should be quick

    return _printable(json.dumps(data, indent=2, ensure_ascii=False))


def json_records(document: dict[str, Any]) -> str:
    """A document as JSON with a line for each record of its tables and lists, so that a difference shows records."""
    import json

    text_of = json.JSONEncoder(ensure_ascii=False).encode

    def laid_out(value: Any) -> str:
        members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        if not members or not all(isinstance(member, dict | list) for member in members):
            return text_of(value)
        if isinstance(value, dict):
            rows = (f"{text_of(name)}: {text_of(member)}" for name, member in value.items())
            return "{\n  " + ",\n  ".join(rows) + "\n }"
        return "[\n  " + ",\n  ".join(map(text_of, value)) + "\n ]"

    lines = (f" {text_of(name)}: {laid_out(value)}" for name, value in document.items())
    return _printable("{\n" + ",\n".join(lines) + "\n}")


def _printable(text: str) -> str:
    import json

    def escaped(match: re.Match[str]) -> str:
        return match[0] if match[0].isprintable() else json.dumps(match[0])[1:-1]

    return f"{HIDDEN_IN_LINES.sub(escaped, text)}\n"
