"""Run the command as a user does: in a separate process, in a separate folder."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from support.limits import PATIENCE, limited
from support.warm import ask

ROOT = Path(__file__).resolve().parents[2]


READ_AT_START = ("PYTHON", "LC_", "LANG")
"""How the names of variables begin that Python reads as it starts."""


class Ran(NamedTuple):
    """What a command did: exit status, standard output, error stream."""

    status: int
    out: str
    err: str


def setpoint(*arguments: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> Ran:
    """Run `setpoint` with these arguments; the environment is the test's own, with `env` over it.

    Unless `env` has what Python reads as it starts, it is forked from a process that has loaded Setpoint already
    (`warm`).
    """
    if any(name.startswith(READ_AT_START) for name in env or {}):
        return _run([sys.executable, "-m", "setpoint.compiler", *arguments], cwd, env)
    status, out, err = ask(arguments, cwd, _environment(env or {}), PATIENCE)
    return Ran(status, _text(out), _text(err))


def at_home(folder: Path) -> dict[str, str]:
    """The variables of a user with another home folder: the cache is still there, or each command would read the
    library anew."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return {"HOME": str(folder), "XDG_CACHE_HOME": cache}


def in_shell(command: str, cwd: Path, env: dict[str, str] | None = None) -> Ran:
    """Run a command of the shell in which `setpoint` is a program: with limits, redirections, closed streams."""
    return _run(
        ["sh", "-c", f'setpoint() {{ {sys.executable} -m setpoint.compiler "$@"; }}\n{command}'], cwd, env
    )


def _run(command: list[str], cwd: Path, env: dict[str, str] | None) -> Ran:
    done = subprocess.run(
        limited(command),
        cwd=cwd,
        env=_environment(env or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    return Ran(done.returncode, _text(done.stdout), _text(done.stderr))


def _environment(over: dict[str, str]) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / ".dev"), "COLUMNS": "110", **over}


def _text(output: bytes) -> str:
    """What was printed, with the ends of lines that a program has that reads text."""
    return output.decode("utf-8", "backslashreplace").replace("\r\n", "\n").replace("\r", "\n")


def on_path(folder: Path) -> str:
    """The PATH of a user who has installed Setpoint: with a folder that has the command `setpoint`, made here."""
    place = folder / "bin"
    place.mkdir()
    command = place / "setpoint"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m setpoint.compiler "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return f"{place}{os.pathsep}{os.environ['PATH']}"
