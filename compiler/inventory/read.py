"""Read an inventory: find out what it is, and read it as that.

What a file is shows in its content: JSON begins with brackets, and the first line of a table names a column with hosts. A folder
with captures is one of captures. Everything else is an inventory of Ansible in YAML, INI, a folder or a program, which only Ansible
itself can read, with its plugins and variables; so `ansible-inventory` is asked.
"""

import io
import os
import re
import stat
import subprocess
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.files.reading import STDIN, TooLargeError, open_file, parse_json
from setpoint.compiler.inventory.captures import hosts_of_captures, is_folder_of_captures
from setpoint.compiler.inventory.model import Broken, Rows, not_an_inventory
from setpoint.compiler.inventory.structured import hosts_of_ansible, hosts_of_json, rows_of
from setpoint.compiler.inventory.table import Table
from setpoint.compiler.inventory.tabular import is_table, read_table

MOST_BYTES = 1 << 30
"""The maximum size of an inventory in JSON, which is read as a whole. Tables can be larger."""

MOST_OF_A_LINE = 1 << 16
"""The maximum length of a table's first line."""

JSON = re.compile(rb'\{|\[\s*[\[{"\]0-9-]')
"""The beginning of a text in JSON. In INI, a name follows the bracket."""

ASK = "ansible-inventory"
"""The program that reads Ansible's inventories."""

MOST_SECONDS = 600
"""How long it may take."""


def read_inventory(path: str, table: Table) -> Rows:
    """The rows of an inventory.

    Raises SetpointError (E0601, E0604, E0608; E0610 if there is no host in it; E0611 if Ansible is needed and cannot read it).
    """
    path = STDIN if path == "-" else path
    try:
        if os.path.isdir(path):
            if is_folder_of_captures(path):
                broken: list[Broken] = []
                return rows_of("folder of captures", hosts_of_captures(path, broken), table, broken)
            return _asked(path, table)
        if not path.startswith("/dev/") and os.access(path, os.X_OK) and stat.S_ISREG(os.stat(path).st_mode):
            return _asked(path, table)
        return _of_file(path, table)
    except TooLargeError as error:
        help_ = "name a table (CSV), which can have any size, or ask for the facts that are needed only"
        raise SetpointError(
            Diagnostic("E0608", f"`{path}` is {error.strerror}", NOWHERE, help=(help_,))
        ) from None
    except UnicodeDecodeError:
        raise SetpointError(
            Diagnostic("E0604", f"`{path}` is not UTF-8 text", NOWHERE, help=("save it as UTF-8",))
        ) from None
    except OSError as error:
        missing = path if not os.path.lexists(path) else ""
        message = f"cannot read `{error.filename or path}`: {error.strerror}"
        raise SetpointError(Diagnostic("E0601", message, NOWHERE, subject=missing)) from None


def _of_file(path: str, table: Table) -> Rows:
    file = open_file(path)
    start = file.peek(MOST_OF_A_LINE)[:MOST_OF_A_LINE].removeprefix(b"\xef\xbb\xbf").lstrip()
    if JSON.match(start):
        with file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise TooLargeError(path, MOST_BYTES)
        form, hosts = hosts_of_json(path, _json(path, content), table)
        return rows_of(form, hosts, table)
    first = start.partition(b"\n")[0].decode(errors="replace")
    if path.lower().endswith((".csv", ".tsv")) or is_table(first, table) or path == STDIN:
        return read_table(
            path, io.TextIOWrapper(file, "utf-8-sig", errors="backslashreplace", newline=""), table
        )
    file.close()
    return _asked(path, table)


def _json(path: str, content: bytes) -> Any:
    try:
        return parse_json(content.decode("utf-8-sig"))
    except ValueError as error:
        if isinstance(error, UnicodeDecodeError):
            raise
        raise not_an_inventory(path, f"not JSON: {error}") from None


def _asked(path: str, table: Table) -> Rows:
    """What `ansible-inventory` says of an inventory."""
    command = [ASK, "-i", path, "--list"]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=MOST_SECONDS, check=False
        )
    except FileNotFoundError:
        raise _failed(
            path,
            f"only Ansible can read it, and `{ASK}` is not installed",
            f"install ansible-core, or run `{' '.join(command)} > hosts.json` where it is, and name hosts.json",
        ) from None
    except subprocess.TimeoutExpired:
        raise _failed(path, f"`{ASK}` took more than {MOST_SECONDS} seconds") from None
    said = " ".join(done.stderr.decode(errors="replace").split())
    if done.returncode:
        raise _failed(path, f"`{ASK}` fails: {said or f'exit status {done.returncode}'}")
    data = _json(path, done.stdout)
    hosts = list(hosts_of_ansible(path, data)) if isinstance(data, dict) and "_meta" in data else []
    if not hosts:
        raise _failed(path, f"`{ASK}` finds no host in it{f': {said}' if said else ''}")
    return rows_of("Ansible inventory", hosts, table)


def _failed(path: str, why: str, *help_: str) -> SetpointError:
    return SetpointError(
        Diagnostic("E0611", f"cannot read the inventory `{path}`: {why}", NOWHERE, help=help_)
    )
