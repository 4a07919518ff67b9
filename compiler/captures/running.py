"""Run the collector here or on other hosts, by the system's own ssh, and read what it prints.

The script is the standard input of a shell, so nothing is installed or left on a host. A host is foreign: what it
prints has a limit of size and time, and becomes a capture only if it has the form of one.
"""

import re
import subprocess
import tempfile
from collections.abc import Iterable

from setpoint.compiler.captures.document import capture_of
from setpoint.compiler.captures.model import Capture
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.files.printed import printed
from setpoint.compiler.files.reading import MOST_BYTES, parse_json

MOST_SECONDS = 300
"""The longest run on a host: more than twice what the collector allows itself, for the way there."""

MOST_OF_COMPLAINTS = 500
"""How much of what a program says on its error stream is shown, from its end."""

HERE = ("sh", "-s")
AS_ROOT = ("sudo", "-n")

HOST = re.compile(
    r"(?:[A-Za-z0-9_][A-Za-z0-9._-]*@)?(?:[A-Za-z0-9_][A-Za-z0-9._-]*|[0-9A-Fa-f:]+(?:%[a-z0-9.-]+)?)"
)
"""What names a host for ssh: a name or an address, with a user before it if need be. None of these begins as an option
does."""


def ssh(host: str, options: Iterable[str], as_root: bool = False) -> list[str]:
    """The command that runs a shell on a host, with options as in ssh_config(5)."""
    given = [word for option in options for word in ("-o", option)]
    return ["ssh", "-T", *given, "--", host, " ".join((*(AS_ROOT if as_root else ()), *HERE))]


def captured(name: str, command: list[str], script: str) -> Capture:
    """What the collector prints when a command runs it, as the capture of this name. Raises SetpointError (E0625)."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as complaints:
        given.write(script.encode())
        given.seek(0)
        try:
            process = subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=complaints)
        except OSError as error:
            raise _not_captured(name, f"cannot run {command[0]}: {error.strerror}") from None
        out = printed(process, MOST_SECONDS, MOST_BYTES)
        complaints.seek(max(0, complaints.seek(0, 2) - MOST_OF_COMPLAINTS))
        said = complaints.read().decode(errors="replace").strip()
    why = f"it printed more than {MOST_BYTES >> 20} MiB" if out.is_too_much else ""
    if out.is_late:
        why = f"no end after {MOST_SECONDS} seconds"
    if why or process.returncode:
        raise _not_captured(name, why or said or f"{command[0]} ended with status {process.returncode}")
    try:
        return capture_of(parse_json(out.content.decode()), f"{name}.json")
    except ValueError as error:  # not UTF-8, or not JSON
        raise _not_captured(name, f"what it printed is not a capture: {error}") from None
    except SetpointError as error:
        (finding,) = error.diagnostics
        raise _not_captured(name, f"what it printed is not a capture: {finding.message}") from None


def _not_captured(name: str, why: str) -> SetpointError:
    return SetpointError.of(
        "E0625",
        f"cannot capture `{name}`: {why[:MOST_OF_COMPLAINTS]}",
        help=("`setpoint capture --script` prints what was run, for any other way to the host",),
    )
