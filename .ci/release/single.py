"""The single file: a zip that Python runs, with all libraries in it, made by pex.

Parts of two libraries are native, so that the file has them for each Python and each system. At its first run it
unpacks all of them into the user's cache (`PEX_ROOT`, else `~/.cache/pex`), which takes some three seconds of processor
time. Later runs start from there: the file begins with a script for the shell that finds what it has unpacked, before
any Python has read the file (docs/decisions/0081). The folder is named after the releases of Python that the file is
for, since what the shell finds cannot depend on the one that is there. The wheel in it has the knowledge base as every
wheel has, so that no command has to read the library. Nothing is fetched.
"""

import os
import subprocess
import sys
from pathlib import Path

from release.packages import PYTHONS, SYSTEMS
from release.source import Source


def single_file(source: Source, wheel: Path, libraries: Path, place: Path, work: Path) -> Path:
    """Make the single file."""
    command: list[str | Path] = [
        Path(sys.executable).with_name("pex"),
        "--pre-resolved-dists",
        libraries,
        "--pre-resolved-dist",
        wheel,
    ]
    command += ["setpoint", "--console-script", "setpoint", "--venv", "--sh-boot", "--output-file", place]
    command += ["--python-shebang", "/usr/bin/python3", "--pex-root", work / "pex"]
    for python in PYTHONS:
        tag = f"cp{python.replace('.', '')}"
        command += ["--interpreter-constraint", f"CPython=={python}.*"]
        command += [word for system in SYSTEMS for word in ("--platform", f"{system}-cp-{tag[2:]}-{tag}")]
    done = subprocess.run(
        [str(word) for word in command],
        env={**os.environ, **source.environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, command[:1], done.stdout, done.stderr)
    return place
