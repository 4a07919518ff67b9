"""Characters that a terminal or a log would obey, or hide, made visible.

Comments and the names of files may hold anything: escape sequences, line breaks, marks that turn the
direction of writing around. Shown as they are, they could forge what is said of them.
"""

import re
from typing import Any

HIDDEN = re.compile(r"[^\x20-\x7e]")
"""What may have to be escaped: all but the printable characters of ASCII."""


def visible(text: str) -> str:
    """A text on one line, with all that cannot be printed as escapes: `\\x1b`, `\\u202e`."""
    return HIDDEN.sub(lambda found: found[0] if found[0].isprintable() else _escape(found[0]), text)


def _escape(character: str) -> str:
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:
        number -= 0xDC00  # a byte of a file's name that is no UTF-8
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def visible_lines(text: str) -> str:
    """The same of a text of several lines."""
    return "\n".join(visible(line) for line in text.split("\n"))


def json_text(data: Any) -> str:
    """Data as JSON, ended by a line break; what cannot be printed stands in it as JSON's own escapes."""
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
