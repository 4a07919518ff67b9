"""Read an inventory: find out what it is, and read it as that.

What a file is shows in its content: JSON begins with brackets, and the first line of a table names a column with hosts.
A folder with captures is one of captures. Everything else is an inventory of Ansible, which only Ansible itself can
read (`ansible.py`). No program is run unless the command line says that the inventory is trusted (`--run-inventory`).
"""

import io
import os
import re
from typing import Any

from setpoint.compiler.captures.archives import is_archive
from setpoint.compiler.captures.document import capture_of, is_capture
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.files.links import STREAMS
from setpoint.compiler.files.reading import STDIN, TooLargeError, check_is_text, open_file, parse_json
from setpoint.compiler.inventory.ansible import MOST_BYTES, refused, rows_of_ansible
from setpoint.compiler.inventory.captures import host_data, hosts_of_captures, is_folder_of_captures
from setpoint.compiler.inventory.files import is_program, limit_of
from setpoint.compiler.inventory.model import Broken, Rows, not_an_inventory
from setpoint.compiler.inventory.structured import hosts_of_json, rows_of
from setpoint.compiler.inventory.table import InventoryTable
from setpoint.compiler.inventory.tabular import is_table, read_table
from setpoint.compiler.language.program import unreadable

MOST_OF_A_LINE = 1 << 16
"""The maximum length of a table's first line."""

JSON = re.compile(rb'\{|\[\s*[\[{"\]0-9-]')
"""The beginning of a text in JSON. In INI, a name follows the bracket."""


def read_inventory(path: str, table: InventoryTable, may_run: bool = False) -> Rows:
    """The rows of an inventory. It may be run if it is trusted (`may_run`).

    Raises SetpointError (E0601, E0603, E0604, E0608, E0615; E0610 if there is no host in it; E0611 if Ansible is needed
    and cannot read it; E0613 if it would have to be run).
    """
    path = STDIN if path == "-" else path
    try:
        return (_of_folder if os.path.isdir(path) else _of_file)(path, table, may_run)
    except TooLargeError as error:
        help_ = "name a table (CSV), which can have any size, or ask for the facts that are needed only"
        raise SetpointError.of("E0608", f"`{path}` is {error.strerror}", help=(help_,)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SetpointError(unreadable(path, error)) from None


def _of_folder(path: str, table: InventoryTable, may_run: bool) -> Rows:
    limit = limit_of(path)
    if not is_folder_of_captures(path, limit):
        return rows_of_ansible(path, table, may_run)
    return _of_captures("folder of captures", path, limit, table)


def _of_captures(form: str, path: str, limit: str, table: InventoryTable) -> Rows:
    broken: list[Broken] = []
    return rows_of(form, hosts_of_captures(path, limit, broken), table, broken)


def _of_file(path: str, table: InventoryTable, may_run: bool) -> Rows:
    file = open_file(path)
    if not path.startswith(STREAMS) and is_archive(file.peek(MOST_OF_A_LINE)[:MOST_OF_A_LINE]):
        file.close()
        return _of_captures("capture", path, "", table)
    if not path.startswith(STREAMS) and is_program(file):
        file.close()
        if may_run:
            return rows_of_ansible(path, table, may_run)
        raise refused(path)
    start = file.peek(MOST_OF_A_LINE)[:MOST_OF_A_LINE].removeprefix(b"\xef\xbb\xbf").lstrip()
    check_is_text(start)
    if JSON.match(start):
        with file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise TooLargeError(path, MOST_BYTES)
        data = _json(path, content)
        if is_capture(data):
            return rows_of("capture", [host_data(capture_of(data, path))], table)
        form, hosts = hosts_of_json(path, data, table)
        return rows_of(form, hosts, table)
    first = start.partition(b"\n")[0].decode(errors="replace")
    if path.lower().endswith((".csv", ".tsv")) or is_table(first, table) or path == STDIN:
        return read_table(
            path, io.TextIOWrapper(file, "utf-8-sig", errors="backslashreplace", newline=""), table
        )
    file.close()
    return rows_of_ansible(path, table, may_run)


def _json(path: str, content: bytes) -> Any:
    try:
        return parse_json(content.decode("utf-8-sig"))
    except ValueError as error:
        if isinstance(error, UnicodeDecodeError):
            raise
        raise not_an_inventory(path, f"not JSON: {error}") from None
