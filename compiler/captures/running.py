"""Run the collector here or on other hosts, by the system's own ssh, and read what it prints.

The script is the standard input of a shell, so nothing is installed or left on a host. A host is foreign: what it prints has a limit of
size and time, and becomes a capture only if it has the form of one.
"""

import re
import subprocess
import tempfile
import threading
from collections.abc import Iterable

from setpoint.compiler.captures.document import capture_of
from setpoint.compiler.captures.model import Capture
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.files.reading import MOST_BYTES, PIECE, parse_json

MOST_SECONDS = 300
"""The longest run on a host: more than twice what the collector allows itself, for the way there."""

MOST_OF_COMPLAINTS = 500
"""How much of what a program says on its error stream is shown, from its end."""

HERE = ("sh", "-s")
AS_ROOT = ("sudo", "-n")

HOST = re.compile(
    r"(?:[A-Za-z0-9_][A-Za-z0-9._-]*@)?(?:[A-Za-z0-9_][A-Za-z0-9._-]*|[0-9A-Fa-f:]+(?:%[a-z0-9.-]+)?)"
)
"""What names a host for ssh: a name or an address, with a user before it if need be. None of these begins as an option does."""


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
        printed, why = _printed(process)
        complaints.seek(max(0, complaints.seek(0, 2) - MOST_OF_COMPLAINTS))
        said = complaints.read().decode(errors="replace").strip()
    if why or process.returncode:
        raise _not_captured(name, why or said or f"{command[0]} ended with status {process.returncode}")
    try:
        return capture_of(parse_json(printed.decode()), f"{name}.json")
    except ValueError as error:  # not UTF-8, or not JSON
        raise _not_captured(name, f"what it printed is not a capture: {error}") from None
    except SetpointError as error:
        (found,) = error.diagnostics
        raise _not_captured(name, f"what it printed is not a capture: {found.message}") from None


def _printed(process: "subprocess.Popen[bytes]") -> tuple[bytes, str]:
    """All that a process prints until it ends, and why it was ended instead, "" if it was not."""
    assert process.stdout is not None
    late = threading.Event()

    def stop() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(MOST_SECONDS, stop)
    timer.daemon = True
    timer.start()
    out = bytearray()
    try:
        while len(out) <= MOST_BYTES and (piece := process.stdout.read(PIECE)):
            out += piece
    except BaseException:
        process.kill()
        raise
    finally:
        timer.cancel()
        if len(out) > MOST_BYTES:
            process.kill()
        process.stdout.close()
        process.wait()
    if late.is_set():
        return bytes(out), f"no end after {MOST_SECONDS} seconds"
    return bytes(out), f"it printed more than {MOST_BYTES >> 20} MiB" if len(out) > MOST_BYTES else ""


def _not_captured(name: str, why: str) -> SetpointError:
    return SetpointError(
        Diagnostic(
            "E0625",
            f"cannot capture `{name}`: {why[:MOST_OF_COMPLAINTS]}",
            NOWHERE,
            help=("`setpoint capture --script` prints what was run, for any other way to the host",),
        )
    )
