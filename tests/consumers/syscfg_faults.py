"""Faults at a chosen call of syscfg, and what ends a run: a signal, `kill -9`, a reader of its output that goes away.

    fault = Fault(server, program, plan, state, kind="hangs", call=7)
    run = fault.happens(ends=signal.SIGTERM)

The program for hosts runs in a shell of the caller's choice. Its output goes to files, since what a killed run leaves
running would keep a pipe open.
"""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from consumers.requirement import require
from consumers.syscfg import HERE, Run, Server
from support.limits import PATIENCE

TOOL = HERE / "syscfg_fault"
SHELLS = {"dash": ("dash",), "bash": ("bash",), "busybox": ("busybox", "sh")}
EVERY_CHECK = "product processor sockets system distribution kernel"
"""A script takes this machine for the server that its policy is for."""


class Fault:
    """A run of a script on a server, in which something happens at one call of syscfg.

    Attributes:
        kind: What the call does; the head of `syscfg_fault` has the list. "" for a run without a fault.
        call: The number of the call, from 1.
        shell: One of SHELLS.
    """

    def __init__(
        self,
        server: Server,
        program: str,
        plan: str,
        state: Path,
        *,
        kind: str = "",
        call: int = 0,
        shell: str = "dash",
    ) -> None:
        self.server = server
        self.state = state
        self.shell = SHELLS[shell]
        self.program, self.plan = server.folder / "setpoint-host", server.folder / "syscfg.plan"
        self.program.write_text(program, encoding="utf-8")
        self.plan.write_text(plan, encoding="utf-8")
        self.folder = server.folder / "fault"
        self.folder.mkdir(exist_ok=True)
        for name, text in {"kind": kind, "at": str(call), "calls": "0"}.items():
            (self.folder / name).write_text(f"{text}\n", encoding="utf-8")
        self.reached = self.folder / "reached"

    def calls(self) -> int:
        """How many calls there were."""
        return int((self.folder / "calls").read_text(encoding="utf-8"))

    def start(
        self, verb: str = "apply", *arguments: str, stdout: int | None = None
    ) -> subprocess.Popen[bytes]:
        """Start the program, and go on."""
        out, err = self.folder / "out", self.folder / "err"
        with out.open("wb") as to_out, err.open("wb") as to_err:
            return subprocess.Popen(
                [
                    str(require(self.shell[0])),
                    *self.shell[1:],
                    str(self.program),
                    verb,
                    str(self.plan),
                    "--state",
                    str(self.state),
                    *arguments,
                ],
                env={
                    **self.server.environment,
                    "SYSCFG": str(TOOL),
                    "SYSCFG_FAULT": str(self.folder),
                    "SETPOINT_IGNORE": EVERY_CHECK,
                    "SETPOINT_PATIENCE": "0",
                },
                cwd=self.server.work,
                stdin=subprocess.DEVNULL,
                stdout=stdout or to_out,
                stderr=to_err,
            )

    def ended(self, process: subprocess.Popen[bytes]) -> Run:
        """Wait for the end of the program."""
        status = process.wait(PATIENCE)
        said = [(self.folder / name).read_text(encoding="utf-8") for name in ("out", "err")]
        return Run(status, *said)

    def runs(self, *arguments: str) -> Run:
        """Run the program to its end."""
        return self.ended(self.start(*arguments))

    def wait(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until the call is there."""
        for _ in range(3000):
            if self.reached.exists() or process.poll() is not None:
                return
            time.sleep(0.01)
        raise TimeoutError(f"call {self.folder}")

    def goes_on(self) -> None:
        """Let the call go on that waits."""
        with suppress(FileNotFoundError):
            self.reached.unlink()

    def signalled(self, number: int, *arguments: str) -> Run:
        """Run the program, and send it a signal while the call runs."""
        process = self.start(*arguments)
        self.wait(process)
        process.send_signal(number)
        run = self.ended(process)
        self.goes_on()
        self.left()
        return run

    def unread(self, *arguments: str) -> Run:
        """Run the program, and close the pipe that it writes to while the call runs."""
        read, write = os.pipe()
        process = self.start(*arguments, stdout=write)
        os.close(write)
        self.wait(process)
        os.close(read)
        self.goes_on()
        return self.ended(process)

    def left(self) -> None:
        """Wait until no process has the lock any more that a killed run has left running."""
        lock = self.state / "syscfg.lock"
        if lock.exists():
            subprocess.run([str(require("flock")), str(lock), "true"], check=True, timeout=PATIENCE)
