"""Running an emitted script as a server would: under dash or another shell, with the programs it calls taken from a
folder of stand-ins."""

import os
import re
import subprocess
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

from consumers.requirement import require
from support.effort import is_complete
from support.limits import PATIENCE, limited

EVERY_CHECK = "product processor sockets system distribution kernel"
"""All values that a script compares to check that it is on the right server."""


class Ran(NamedTuple):
    """The result of a script: exit status and output, on both streams."""

    status: int
    said: str


def run(script: str, *arguments: str, programs: Path | None = None, shell: str = "dash", **env: str) -> Ran:
    """Run the text of a script.

    Args:
        script: Its text, as emitted.
        arguments: What it is called with.
        programs: A folder that comes first in PATH.
        shell: The shell that runs it: `dash`, `bash` or `busybox sh`.
        env: Variables of its environment, which has no others but PATH and, so that a script takes this machine for the
            server that its policy is for, SETPOINT_IGNORE.
    """
    passed = {"SETPOINT_IGNORE": EVERY_CHECK}
    program, *applet = shell.split()
    path = os.pathsep.join([*([str(programs)] if programs else []), "/usr/bin", "/bin"])
    # In a file: the text of a program is longer than an argument may be.
    with NamedTemporaryFile("w", encoding="utf-8", newline="", prefix="script.") as file:
        file.write(script)
        file.flush()
        done = subprocess.run(
            limited([str(require(program)), *applet, file.name, *arguments]),
            env={"PATH": path, **passed, **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    return Ran(done.returncode, done.stdout + done.stderr)


@cache
def shellcheck(script: str) -> str:
    """The output of shellcheck for a script; "" if there are no findings.

    For a program of a thousand lines it takes seconds. So that a text has no findings is kept, for this shellcheck;
    with `--complete` all are looked for anew.
    """
    program = require("shellcheck")
    kept = _clean() / sha256(f"{program} {program.stat().st_mtime_ns}\n{script}".encode()).hexdigest()
    if kept.exists() and not is_complete():
        return ""
    done = subprocess.run(
        limited([str(program), "-"]),
        input=script,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode == 0 and not done.stdout + done.stderr:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.touch()
    return done.stdout + done.stderr


def _clean() -> Path:
    """The folder with an empty file for each text that shellcheck has nothing to say of."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "setpoint-tests" / "shellcheck"


def code(script: str) -> list[str]:
    """A script's lines without those that are comments."""
    return [line for line in re.split(r"\r\n|\n|\r", script) if not line.lstrip().startswith("#")]


def stand_in(folder: Path, source: Path, *names: str) -> Path:
    """A folder for PATH in which the program `source` goes by `names`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).symlink_to(source)
    return folder
