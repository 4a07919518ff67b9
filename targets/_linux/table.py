"""The table at the head of a script that sets BIOS options one by one: a line for each, in the order of writing.

syscfg and racadm have a table each. What their words may be differs, since each tool has its own; the columns do not.

The scripts keep names and values in lists of words, as do their journals, and the tools take them as arguments. So a script
can have plain words only. All names and nearly all values of BIOS attributes are, where these tools exist; others are left
out, with the reason.
"""

import re
from collections.abc import Sequence

from setpoint.compiler.knowledge.interfaces import value_text
from setpoint.targets._bios.forms import AttributeLine
from setpoint.targets._shared.forms import Form, Word

OPTION = r"[A-Za-z][A-Za-z0-9]*"
"""The name of an attribute, as the tools have it."""

VALUE = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
"""The value of an attribute that every part of the scripts takes for one word."""


class OptionRow(Form):
    """A line of the table. `kind` names the function that the line calls, `reason` is one line for a comment.

    The option can be written only while the `conditions` hold.
    """

    kind: str
    setting: str
    option: str
    value: Word
    conditions: tuple[str, ...]
    reason: str


def not_plain(lines: Sequence[AttributeLine], tool: str) -> dict[str, str]:
    """The settings that a script cannot have, with the reason: words that are not plain, in the setting or in its locks."""
    return {
        line.setting: f"the script for {tool} cannot set {line.attribute}: `{wrong[0]}` is not a plain word"
        for line in lines
        if (wrong := _wrong_words(line))
    }


def _wrong_words(line: AttributeLine) -> list[str]:
    names = [line.attribute, *(one.attribute for one in line.conditions), *line.set_by]
    values = [value_text(value) for value in (line.value, *(one.value for one in line.conditions))]
    return [
        *(name for name in names if not re.fullmatch(OPTION, name)),
        *(value for value in values if not re.fullmatch(VALUE, value)),
    ]


def option_table(rows: Sequence[OptionRow]) -> list[tuple[str, str]]:
    """The rows in columns, each with its reason; without blanks at the end if it has none."""
    words = [(row.kind, row.setting, row.option, row.value, " ".join(row.conditions)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*words, strict=True)]
    lines = [" ".join(map(str.ljust, row, widths)) for row in words]
    return [
        (line if row.reason else line.rstrip(), row.reason) for line, row in zip(lines, rows, strict=True)
    ]
