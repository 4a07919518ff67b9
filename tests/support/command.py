"""Run the command as a user does: in a separate process, in a separate folder."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from support.limits import PATIENCE, limit_cpu
from support.warm import CLIENT, server

ROOT = Path(__file__).resolve().parents[2]


class Ran(NamedTuple):
    """What a command did: exit status, standard output, error stream."""

    status: int
    out: str
    err: str


def setpoint(*arguments: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> Ran:
    """Run `setpoint` with these arguments; the environment is the test's own, with `env` over it.

    Unless the environment is another, it is forked from a process that has loaded Setpoint already (`warm`).
    """
    if env is None:
        return _run([sys.executable, "-IS", str(CLIENT), *arguments], cwd, {"SETPOINT_SERVER": server()})
    return _run([sys.executable, "-m", "setpoint.compiler", *arguments], cwd, env)


def in_shell(command: str, cwd: Path, env: dict[str, str] | None = None) -> Ran:
    """Run a command of the shell in which `setpoint` is a program: with limits, redirections, closed streams."""
    return _run(
        ["sh", "-c", f'setpoint() {{ {sys.executable} -m setpoint.compiler "$@"; }}\n{command}'], cwd, env
    )


def _run(command: list[str], cwd: Path, env: dict[str, str] | None) -> Ran:
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT / ".dev"), "COLUMNS": "110", **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="backslashreplace",
        timeout=PATIENCE,
        preexec_fn=limit_cpu,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def on_path(folder: Path) -> str:
    """The PATH of a user who has installed Setpoint: with a folder that has the command `setpoint`, made here."""
    place = folder / "bin"
    place.mkdir()
    command = place / "setpoint"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m setpoint.compiler "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return f"{place}{os.pathsep}{os.environ['PATH']}"
