"""Make characters visible that a terminal or a log would interpret or hide.

Comments and names of files may contain anything: escape sequences, line breaks, marks for the direction of writing.
Printed literally, they could forge the output.
"""

import re
from collections.abc import Callable

from setpoint.compiler.hints import Any

HIDDEN = re.compile(r"[^\x20-\x7e]")
"""Candidates for escaping: all characters except the printable ones of ASCII."""

HIDDEN_IN_LINES = re.compile(r"[^\x20-\x7e\n]")
"""The same, in a text of several lines."""

RECORD = 200
"""The most characters of a line of JSON that is kept and compared."""

_WITH_MEMBERS = frozenset((dict, list))


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

    return _printable(json.dumps(data, indent=2, ensure_ascii=False))


def json_records(data: Any) -> str:
    """Data as JSON in lines of up to `RECORD` characters: a record that fits is one line, so that a difference shows records."""
    import json

    whole, string = json.JSONEncoder(ensure_ascii=False).encode, json.encoder.encode_basestring

    def text_of(value: Any) -> str:
        if value.__class__ is str:
            return string(value)
        return ("false", "true")[value] if value.__class__ is bool else whole(value)

    return _printable(_laid_out(data, "", 0, text_of))


def _laid_out(value: Any, indent: str, taken: int, text_of: Callable[[Any], str]) -> str:
    """A value in lines, the first of which has `taken` characters already. Small members of a record share lines."""
    room = RECORD - len(indent) - taken
    if not value or value.__class__ not in _WITH_MEMBERS:
        return text_of(value)
    if _least(value, room) < room and len(text := text_of(value)) < room:
        return text
    inner = f"{indent} "
    names = [f"{text_of(name)}: " for name in value] if isinstance(value, dict) else [""] * len(value)
    members = value.values() if isinstance(value, dict) else value
    lines: list[str] = []
    is_open = False
    for name, member in zip(names, members, strict=True):
        is_plain = not member or member.__class__ not in _WITH_MEMBERS
        laid = name + (text_of(member) if is_plain else _laid_out(member, inner, len(name) + 2, text_of))
        is_small = is_plain and bool(name)
        if is_small and is_open and len(inner) + len(lines[-1]) + len(laid) + 3 < RECORD:
            lines[-1] += f", {laid}"
        else:
            lines.append(laid)
        is_open = is_small
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n{inner}" + f",\n{inner}".join(lines) + f"\n{indent}{end}"


def _least(value: dict[str, Any] | list[Any], room: int) -> int:
    """How many characters a value has at least; what is beyond the room is not counted. It spares the text of what is far too long."""
    length = 0
    members: Any = value
    if isinstance(value, dict):
        length = sum(map(len, value)) + 6 * len(value)
        members = value.values() if length < room else ()
    for each in members:
        if each.__class__ is str:
            length += len(each) + 2
        elif each.__class__ is dict or each.__class__ is list:
            length += _least(each, room - length)
        if length >= room:
            break
    return length


def _printable(text: str) -> str:
    import json

    def escaped(found: re.Match[str]) -> str:
        return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]

    return f"{HIDDEN_IN_LINES.sub(escaped, text)}\n"
