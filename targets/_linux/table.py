"""The lines of a plan that sets BIOS options one by one: a row for each, in the order of writing.

Plans of syscfg and racadm have such rows. What their words may be differs, since each tool has its own; the columns do
not.

The program for hosts keeps names and values in lists of words, as do its journals, and the tools take them as
arguments. So a plan can have plain words only. All names and nearly all values of BIOS attributes are, where these
tools exist; others are left out, with the reason.
"""

import re
from collections.abc import Sequence

from setpoint.compiler.knowledge.interfaces import value_text
from setpoint.targets._bios.forms import AttributeLine
from setpoint.targets._shared.forms import Form, Word

OPTION = r"[A-Za-z][A-Za-z0-9]*"
"""The name of an attribute, as the tools have it."""

VALUE = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
"""The value of an attribute that every part of the program takes for one word."""


class OptionRow(Form):
    """A line. `kind` says what becomes of the option, `reason` is one line for a comment.

    The option can be written only while the `conditions` hold.
    """

    kind: str
    setting: str
    option: str
    value: Word
    conditions: tuple[str, ...]
    reason: str

    @property
    def words(self) -> tuple[str, ...]:
        """Its columns; the last is the reason."""
        return (self.kind, self.setting, self.option, self.value, " ".join(self.conditions), self.reason)


def not_plain(lines: Sequence[AttributeLine], tool: str) -> dict[str, str]:
    """The settings that a plan cannot have, with the reason: words that are not plain, in the setting or in its
    locks."""
    return {
        line.setting: f"the plan for {tool} cannot set {line.attribute}: `{wrong[0]}` is not a plain word"
        for line in lines
        if (wrong := _wrong_words(line))
    }


def _wrong_words(line: AttributeLine) -> list[str]:
    names = [line.attribute, *(condition.attribute for condition in line.conditions), *line.set_by]
    values = [
        value_text(value) for value in (line.value, *(condition.value for condition in line.conditions))
    ]
    return [
        *(name for name in names if not re.fullmatch(OPTION, name)),
        *(value for value in values if not re.fullmatch(VALUE, value)),
    ]
