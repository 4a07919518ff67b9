"""A script with a fault at any of its calls of programs: it fails, the script is killed, or gets a signal.

    rig = Faults(folder, ("cp", "mv", "grubby"))
    rig.run(script, "--state", state, kind="kills", at=3)
    rig.calls

The programs are links to `fault_at`, which counts the calls and does the rest.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from consumers.requirement import require
from support.limits import PATIENCE
from support.shell import EVERY_CHECK, Ran, stand_in

FAULT_AT = Path(__file__).resolve().parent / "fault_at"
KINDS = ("fails", "fails-done", "kills", "kills-done", "signals", "signals-done")


ASKED = """#!/bin/sh
# Questions are answered; an order may meet a fault.
case "$*" in
    *status | --list*) exec {real}/order-{name} "$@" ;;
    *) exec "$FAULT/programs/order-{name}" "$@" ;;
esac
"""


def services(real: Path, source: Path) -> None:
    """Put chkconfig and service in a folder, by the stand-in `source`. Faults happen to order-chkconfig and
    order-service."""
    stand_in(real, source, "order-chkconfig", "order-service")
    for name in ("chkconfig", "service"):
        (real / name).write_text(ASKED.format(real=real, name=name), encoding="utf-8")
        (real / name).chmod(0o755)


class Faults:
    """A folder with programs in which one call goes wrong.

    Attributes:
        folder: The folder.
        environment: Variables for every run.
    """

    def __init__(self, folder: Path, programs: Iterable[str], real: Path, **environment: str) -> None:
        self.folder = folder
        self.environment = environment
        self.programs = stand_in(folder / "programs", FAULT_AT, *programs)
        (folder / "real").write_text(f"{real}\n", encoding="utf-8")
        self.real = real

    def run(self, script: str, *arguments: str, kind: str = "fails", at: int = 0, shell: str = "dash") -> Ran:
        """Run the script; `at` is the number of the call that goes wrong, 0 for none."""
        for name, text in (("kind", kind), ("at", str(at)), ("calls", "0")):
            (self.folder / name).write_text(f"{text}\n", encoding="utf-8")
        program, *applet = shell.split()
        file = self.folder / "apply.sh"
        file.write_text(script, encoding="utf-8")
        start = 'echo $$ >"$FAULT/pid"; exec "$@"'
        environment: Mapping[str, str] = {
            "PATH": os.pathsep.join([str(self.programs), str(self.real), "/usr/bin", "/bin"]),
            "FAULT": str(self.folder),
            "SETPOINT_IGNORE": EVERY_CHECK,
            "SETPOINT_PATIENCE": "0",
            **self.environment,
        }
        done = subprocess.run(
            ["/bin/sh", "-c", start, "sh", str(require(program)), *applet, str(file), *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
        )
        return Ran(done.returncode, done.stdout + done.stderr)

    @staticmethod
    def left(lock: Path) -> None:
        """Wait until no process has the lock any more that a killed script has left running."""
        if lock.exists():
            subprocess.run([str(require("flock")), str(lock), "true"], check=True, timeout=PATIENCE)

    @property
    def calls(self) -> int:
        """How many calls the last run has made."""
        return int((self.folder / "calls").read_text(encoding="utf-8"))
