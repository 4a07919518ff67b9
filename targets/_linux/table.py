"""The table at the head of a script that sets BIOS options one by one: a line for each, in the order of writing.

syscfg and racadm have a table each. What their words may be differs, since each tool has its own; the columns do not.
"""

from collections.abc import Sequence

from setpoint.targets._shared.forms import Form, Word


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


def option_table(rows: Sequence[OptionRow]) -> list[tuple[str, str]]:
    """The rows in columns, each with its reason; without blanks at the end if it has none."""
    words = [(row.kind, row.setting, row.option, row.value, " ".join(row.conditions)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*words, strict=True)]
    lines = [" ".join(map(str.ljust, row, widths)) for row in words]
    return [
        (line if row.reason else line.rstrip(), row.reason) for line, row in zip(lines, rows, strict=True)
    ]
