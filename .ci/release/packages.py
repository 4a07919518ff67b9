"""The wheel and the sdist, by the project's own build backend; and what both need, as wheels with known check sums.

Wheels are fetched for each Python and each system that the single file runs on, by the check sums of `locked.txt`. They
are kept in the user's cache, in a folder named after that file: a release that is made twice fetches them once.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from release.source import Source

LOCKED = Path(__file__).with_name("locked.txt")
"""The libraries that Setpoint needs, in one release each, with the check sums of their files."""

PYTHONS = ("3.11", "3.12", "3.13", "3.14")

SYSTEMS = ("manylinux_2_17_x86_64", "manylinux_2_17_aarch64", "macosx_11_0_arm64")
"""The systems that the single file runs on, as wheels are named after them."""

PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


def built(source: Source, folder: Path) -> tuple[Path, Path]:
    """Build the wheel and the sdist."""
    command: list[str | Path] = [sys.executable, "-m", "hatchling", "build", "--directory", folder]
    subprocess.run(
        command, cwd=source.folder, env={**os.environ, **source.environment}, check=True, capture_output=True
    )
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return wheel, sdist


def libraries() -> Path:
    """The folder with the wheels of all libraries, for all Pythons and systems."""
    state = hashlib.sha256(
        "\n".join((*PYTHONS, *SYSTEMS, LOCKED.read_text(encoding="utf-8"))).encode()
    ).hexdigest()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "setpoint-release"
    kept = cache / state[:16]
    if not kept.is_dir():
        fetched = cache / f"{state[:16]}.{os.getpid()}"
        for python in PYTHONS:
            for system in SYSTEMS:
                _fetch(python, system, fetched)
        fetched.rename(kept)
    return kept


def _fetch(python: str, system: str, folder: Path) -> None:
    older = system.replace("manylinux_2_17", "manylinux2014")  # wheels have the one name or the other
    command = [
        *PIP,
        "download",
        "--require-hashes",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--implementation",
        "cp",
    ]
    command += [
        "--python-version",
        python,
        "--platform",
        older,
        "--dest",
        str(folder),
        "--requirement",
        str(LOCKED),
    ]
    subprocess.run(command, check=True)


def installed(wheel: Path, libraries: Path, version: str, folder: Path) -> Path:
    """Install the wheel into an environment of its own, without a network; its `bin` folder."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (site,) = folder.glob("lib/*/site-packages")
    command = [*PIP, "--python", str(folder / "bin/python"), "install", "--no-index", "--no-compile"]
    command += ["--find-links", str(libraries), "--find-links", str(wheel.parent), f"setpoint=={version}"]
    subprocess.run(command, check=True)
    shutil.rmtree(site / "__pycache__", ignore_errors=True)
    return folder / "bin"
