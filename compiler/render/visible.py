"""Make characters visible that a terminal or a log would interpret or hide.

Comments and names of files may contain anything: escape sequences, line breaks, marks for the direction of writing.
Printed literally, they could forge the output.
"""

import re

from setpoint.compiler.hints import Any

HIDDEN = re.compile(r"[^\x20-\x7e]")
"""Candidates for escaping: all characters except the printable ones of ASCII."""


def visible(text: str) -> str:
    r"""A text on one line, with escapes for all unprintable characters: `\x1b`, `\u202e`."""
    return HIDDEN.sub(lambda found: found[0] if found[0].isprintable() else _escape(found[0]), text)


def _escape(character: str) -> str:
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:
        number -= 0xDC00  # a byte of a file's name that is not UTF-8
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def visible_lines(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(visible(line) for line in text.split("\n"))


def json_text(data: Any) -> str:
    """Data as JSON, ended by a line break; unprintable characters have JSON's own escapes."""
    import json  # only needed for machines; plans for people should be quick

    text = json.dumps(data, indent=2, ensure_ascii=False)
    return (
        re.sub(
            r"[^\x20-\x7e\n]",
            lambda found: found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1],
            text,
        )
        + "\n"
    )
