"""Running the command as a user does: a process of its own, in a folder of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Ran(NamedTuple):
    """What a command did: exit status, standard output, error stream."""

    status: int
    out: str
    err: str


def setpoint(*arguments: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> Ran:
    """Run `setpoint` with these arguments; the environment is the test's own, with `env` over it."""
    done = subprocess.run(
        [sys.executable, "-m", "setpoint.compiler", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT / ".dev"), "COLUMNS": "110", **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
