"""Tables as CSV, which people open in spreadsheets.

A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, which can start programs and send what other cells have.
Such a cell therefore begins with an apostrophe, as OWASP advises: a spreadsheet then shows a text.
"""

import re
from collections.abc import Iterable

from setpoint.compiler.render.visible import visible

FORMULA = re.compile(r"\s*[=+\-@\uff0b\uff0d\uff1d\uff20]")
"""How a formula begins; spreadsheets pass over blanks, and take the wide signs of East Asian scripts for the others."""


SEPARATOR = re.compile('[,;"]')
"""What is quoted. Where a comma is in numbers, spreadsheets divide lines at semicolons."""


def csv_text(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table: the names of its columns, and its rows. Lines end with a line feed."""
    return csv_row(head) + "".join(map(csv_row, rows))


def csv_row(cells: Iterable[object]) -> str:
    """A line of a table."""
    return f"{','.join(map(_cell, cells))}\n"


def _cell(content: object) -> str:
    text = visible(str(content))
    text = f"'{text}" if FORMULA.match(text) else text
    return '"{}"'.format(text.replace('"', '""')) if SEPARATOR.search(text) else text
