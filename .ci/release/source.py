"""The files of a tag, and nothing else: what a developer has changed or left lying about is no part of a release.

The one thing that a tag does not have is the address of its repository, which no file of the project states. It is that
of the remote, or is given to `make release`, and is written into the project's metadata and at the head of its README.
A release that has none names none.
"""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit


class ReleaseError(Exception):
    """A release that cannot be made, with the reason."""


class Source(NamedTuple):
    """The files of a commit, and when it was made. `tag` is "" for a rehearsal, `address` is that of the repository, ""
    for none."""

    tag: str
    version: str
    commit: str
    epoch: int
    folder: Path
    address: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """What makes tools write the time of the commit instead of that of the clock."""
        return {"SOURCE_DATE_EPOCH": str(self.epoch), "TZ": "UTC", "LC_ALL": "C.UTF-8"}


def exported(repository: Path, name: str, is_rehearsal: bool, folder: Path, given: str = "") -> Source:
    """Write the files of a commit into a folder, with the address of their repository: the `given` one, else that of
    the remote. A rehearsal has no other than the given one, since nobody can fetch its commit by a tag. Raises
    `ReleaseError` unless the name is the tag of the files' version.
    """
    if given and web_address(given) != given:
        raise ReleaseError(
            f"`{given}` is no address of a repository, such as https://forge.example.org/owner/name"
        )
    commit = _git(repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if not commit:
        raise ReleaseError(f"unknown tag `{name}`")
    if not is_rehearsal and not _git(repository, "tag", "--list", name):
        raise ReleaseError(
            f"`{name}` is no tag: a release is made from one, and anything else is a rehearsal (`--rehearse`)"
        )
    archive = folder.with_suffix(".tar")
    subprocess.run(["git", "archive", "--output", archive, commit], cwd=repository, check=True)
    # By tar, whose options are those of every release of it: Python has its filters from 3.11.4 on, and Debian 12 has
    # 3.11.2.
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
    remote = "" if is_rehearsal else _git(repository, "remote", "get-url", "origin")
    source = Source(
        "" if is_rehearsal else name, version, commit, epoch, folder, given or web_address(remote)
    )
    if source.address:
        _state_address(source)
    return source


def web_address(remote: str) -> str:
    """The address of a remote as people open it, without a user, a password or a port of ssh; "" for a folder of some
    machine."""
    short = re.fullmatch(r"(?:[^/@:]+@)?([^/:]+\.[^/:]+):(?!//)(.+)", remote)  # as scp takes it
    parts = urlsplit(f"ssh://{short[1]}/{short[2]}" if short else remote)
    if parts.scheme not in ("http", "https", "ssh", "git") or not parts.hostname:
        return ""
    is_web = parts.scheme in ("http", "https")
    host = f"{parts.hostname}:{parts.port}" if is_web and parts.port else parts.hostname
    path = parts.path.strip("/").removesuffix(".git")
    return f"{parts.scheme if is_web else 'https'}://{host}/{path}" if path else ""


def _state_address(source: Source) -> None:
    """Write the address into what the index of packages shows of the project."""
    project, readme = source.folder / "pyproject.toml", source.folder / "README.md"
    text = project.read_text(encoding="utf-8")
    project.write_text(
        f"{text}\n[project.urls]\nRepository = {json.dumps(source.address)}\n", encoding="utf-8"
    )
    title, rest = readme.read_text(encoding="utf-8").split("\n", 1)
    what = f"tag `{source.tag}`" if source.tag else f"commit `{source.commit}`"
    where = f"Made from {what} of <{source.address}>, which has the files that this page names."
    readme.write_text(f"{title}\n\n{where}\n{rest}", encoding="utf-8")


def version_of(project: Path) -> str:
    """The version of a project, which is stated in its pyproject.toml alone."""
    return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])


def _git(repository: Path, *words: str) -> str:
    """What git prints for these words; "" where it fails."""
    done = subprocess.run(["git", *words], cwd=repository, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""
