"""The files of a tag, and nothing else: what a developer has changed or left lying about is no part of a release."""

import subprocess
import tomllib
from pathlib import Path
from typing import NamedTuple


class ReleaseError(Exception):
    """A release that cannot be made, with the reason."""


class Source(NamedTuple):
    """The files of a commit, and when it was made. `tag` is "" for a rehearsal."""

    tag: str
    version: str
    commit: str
    epoch: int
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """What makes tools write the time of the commit instead of that of the clock."""
        return {"SOURCE_DATE_EPOCH": str(self.epoch), "TZ": "UTC", "LC_ALL": "C.UTF-8"}


def exported(repository: Path, name: str, is_rehearsal: bool, folder: Path) -> Source:
    """Write the files of a commit into a folder. Raises `ReleaseError` unless its name is the tag of their version."""
    commit = _git(repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if not commit:
        raise ReleaseError(f"unknown tag `{name}`")
    if not is_rehearsal and not _git(repository, "tag", "--list", name):
        raise ReleaseError(
            f"`{name}` is no tag: a release is made from one, and anything else is a rehearsal (`--rehearse`)"
        )
    archive = folder.with_suffix(".tar")
    subprocess.run(["git", "archive", "--output", archive, commit], cwd=repository, check=True)
    # By tar, whose options are those of every release of it: Python has its filters from 3.11.4 on, and Debian 12 has 3.11.2.
    folder.mkdir()
    subprocess.run(
        ["tar", "--no-same-owner", "--no-same-permissions", "-xf", archive, "-C", folder], check=True
    )
    archive.unlink()
    version = version_of(folder / "pyproject.toml")
    if not is_rehearsal and name != f"v{version}":
        raise ReleaseError(
            f"tag `{name}` has the files of version {version}: name it v{version}, or change pyproject.toml"
        )
    epoch = int(_git(repository, "log", "-1", "--format=%ct", commit))
    return Source("" if is_rehearsal else name, version, commit, epoch, folder)


def version_of(project: Path) -> str:
    """The version of a project, which is stated in its pyproject.toml alone."""
    return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])


def _git(repository: Path, *words: str) -> str:
    """What git prints for these words; "" where it fails."""
    done = subprocess.run(["git", *words], cwd=repository, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""
