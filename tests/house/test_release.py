"""Releases: what must not become one, what goes with the files that run, and at night all of a release, made twice and
used as a new user does."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from consumers.requirement import require
from release.archives import gzipped, tar
from release.image import configuration
from release.notes import HEADINGS, notes
from release.packages import LOCKED, PYTHONS
from release.papers import SUMS, provenance, sums
from release.source import ReleaseError, Source, exported, version_of, web_address
from support.command import ROOT
from support.console import Shell, examples
from support.fences import fences
from support.limits import PATIENCE

VERSION = version_of(ROOT / "pyproject.toml")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

# ------------------------------------------------------------------------------- the source


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose version is 1.2.3, with a file that is not committed."""
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n', encoding="utf-8")
    (folder / "README.md").write_text("# Setpoint\n\nIt plans.\n", encoding="utf-8")
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (
        ["init", "-q"],
        ["add", "."],
        [*identity, "commit", "-qm", "files"],
        ["tag", "v1.2.3"],
        ["tag", "v1.3.0"],
    ):
        subprocess.run(["git", *words], cwd=folder, check=True)
    (folder / "left-lying.txt").touch()
    return folder


def test_a_release_has_the_files_of_its_tag(repository: Path, tmp_path: Path) -> None:
    source = exported(repository, "v1.2.3", False, tmp_path / "source")
    assert (source.tag, source.version) == ("v1.2.3", "1.2.3")
    assert sorted(path.name for path in source.folder.iterdir()) == ["README.md", "pyproject.toml"]
    assert source.environment["SOURCE_DATE_EPOCH"] == str(source.epoch)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("v9.9.9", "unknown tag `v9.9.9`"),
        ("HEAD", "`HEAD` is no tag"),
        ("v1.3.0", "tag `v1.3.0` has the files of version 1.2.3"),
    ],
)
def test_what_is_no_release(name: str, reason: str, repository: Path, tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=re.escape(reason)):
        exported(repository, name, False, tmp_path / "source")


def test_a_rehearsal_may_be_any_commit(repository: Path, tmp_path: Path) -> None:
    assert exported(repository, "HEAD", True, tmp_path / "source").tag == ""


# ------------------------------------------------------------------------------- the address


ADDRESS = "https://forge.example.org/owner/setpoint"


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        (ADDRESS, ADDRESS),
        (f"{ADDRESS}.git", ADDRESS),
        ("https://somebody:secret@forge.example.org/owner/setpoint.git", ADDRESS),
        ("git@forge.example.org:owner/setpoint.git", ADDRESS),
        ("ssh://git@forge.example.org:2222/owner/setpoint.git", ADDRESS),
        ("http://forge.example.org:8080/setpoint", "http://forge.example.org:8080/setpoint"),
        ("/srv/git/setpoint.git", ""),
        ("../setpoint", ""),
        ("file:///srv/git/setpoint.git", ""),
        ("C:/git/setpoint", ""),
        ("https://forge.example.org/", ""),
        ("", ""),
    ],
)
def test_the_address_is_that_of_the_remote(remote: str, address: str) -> None:
    assert web_address(remote) == address


def test_a_release_names_its_repository(repository: Path, tmp_path: Path) -> None:
    subprocess.run(
        ["git", "remote", "add", "origin", "git@forge.example.org:owner/setpoint.git"],
        cwd=repository,
        check=True,
    )
    source = exported(repository, "v1.2.3", False, tmp_path / "source")
    assert source.address == ADDRESS
    assert tomllib.loads((source.folder / "pyproject.toml").read_text(encoding="utf-8"))["project"] == {
        "version": "1.2.3",
        "urls": {"Repository": ADDRESS},
    }
    assert (source.folder / "README.md").read_text(encoding="utf-8") == (
        f"# Setpoint\n\nMade from tag `v1.2.3` of <{ADDRESS}>, which has the files that this page names.\n\nIt plans.\n"
    )
    assert (
        configuration(source, "0", "amd64")["config"]["Labels"]["org.opencontainers.image.source"] == ADDRESS
    )
    definition = json.loads(provenance(source, [], tmp_path, []))["predicate"]["buildDefinition"]
    assert definition["externalParameters"]["repository"] == ADDRESS
    assert definition["resolvedDependencies"][0]["uri"] == f"git+{ADDRESS}@v1.2.3"


def test_an_address_that_is_not_known_is_not_invented(repository: Path, tmp_path: Path) -> None:
    """A rehearsal has no tag by which somebody could fetch its commit, so it has none of the remote."""
    subprocess.run(["git", "remote", "add", "origin", ADDRESS], cwd=repository, check=True)
    rehearsed = exported(repository, "HEAD", True, tmp_path / "rehearsed")
    given = exported(repository, "HEAD", True, tmp_path / "given", "https://mirror.example.org/setpoint")
    assert (rehearsed.address, given.address) == ("", "https://mirror.example.org/setpoint")
    assert "urls" not in (rehearsed.folder / "pyproject.toml").read_text(encoding="utf-8")
    assert "org.opencontainers.image.source" not in configuration(rehearsed, "0", "amd64")["config"]["Labels"]
    with pytest.raises(ReleaseError, match="`setpoint` is no address of a repository"):
        exported(repository, "v1.2.3", False, tmp_path / "wrong", "setpoint")


# ------------------------------------------------------------------------------ the changelog

DATED = "# Changelog\n\n## 1.1.0 (2027-01-31)\n\n### Added\n\n- A verb.\n\n## 1.0.0 (2026-12-01)\n\n### Fixed\n\n- A fault.\n"


def test_notes_are_the_part_of_a_version() -> None:
    assert notes(DATED, "1.1.0") == "# Setpoint 1.1.0\n\n### Added\n\n- A verb.\n"
    assert notes(DATED, "1.0.0") == "# Setpoint 1.0.0\n\n### Fixed\n\n- A fault.\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DATED, "has no entries for 2.0.0"),
        ("## 2.0.0 (2027-01-31)\n\n## 1.0.0\n\n- A fault.\n", "has no entries for 2.0.0"),
        ("## 2.0.0 (not released yet)\n\n- A verb.\n", "does not date 2.0.0"),
    ],
)
def test_a_release_without_notes_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ReleaseError, match=re.escape(reason)):
        notes(text, "2.0.0")


def test_the_changelog_begins_with_the_version_of_the_project() -> None:
    (first, *_) = re.findall(r"^## (\S+) \((?:not released yet|\d{4}-\d\d-\d\d)\)$", CHANGELOG, re.MULTILINE)
    assert first == VERSION


def test_entries_are_short_and_under_a_heading() -> None:
    assert set(re.findall(r"^### (.*)$", CHANGELOG, re.MULTILINE)) <= set(HEADINGS)
    entries = re.findall(r"^- .*\n(?:  .*\n)*", CHANGELOG, re.MULTILINE)
    assert len(entries) > 50
    assert [entry for entry in entries if entry.count("\n") > 2] == []


def test_examples_of_pins_name_the_version_of_the_project() -> None:
    """Pages and templates show how a pipeline pins a release."""
    places = (ROOT / "docs/guides/ci.md", *(ROOT / "compiler/cli/new/files").glob("*.yml"))
    pins = {
        pin
        for place in places
        for pin in re.findall(r"\bv(\d+\.\d+\.\d+)\b", place.read_text(encoding="utf-8"))
    }
    assert pins == {VERSION}


# ---------------------------------------------------------------------- what goes with the files


def test_archives_depend_on_nothing_but_their_files() -> None:
    files = {"b": b"2", "a": b"1"}
    assert gzipped(tar(files, 1), 1) == gzipped(tar(dict(sorted(files.items())), 1), 1)


def test_check_sums_are_those_that_users_check(tmp_path: Path) -> None:
    (tmp_path / "one file").write_bytes(b"1")
    (tmp_path / SUMS).write_text(sums([tmp_path / "one file"]), encoding="utf-8")
    check = ["sha256sum", "--check", "--strict", SUMS]
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    (tmp_path / "one file").write_bytes(b"2")
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_the_provenance_names_what_a_release_is_made_of(tmp_path: Path) -> None:
    (tmp_path / "setpoint.whl").write_bytes(b"wheel")
    (tmp_path / "libraries").mkdir()
    (tmp_path / "libraries/typing_extensions-4.16.0-py3-none-any.whl").write_bytes(b"library")
    source = Source("v1.2.3", "1.2.3", "c0ffee", 7, tmp_path)
    made = json.loads(
        provenance(source, [tmp_path / "setpoint.whl"], tmp_path / "libraries", ["dash 0.5 amd64"])
    )
    assert made["subject"] == [
        {"name": "setpoint.whl", "digest": {"sha256": hashlib.sha256(b"wheel").hexdigest()}}
    ]
    commit, *locks, library, package = made["predicate"]["buildDefinition"]["resolvedDependencies"]
    assert commit["digest"] == {"gitCommit": "c0ffee"}
    assert [lock["name"] for lock in locks] == ["locked.txt", "tools.txt"]
    assert library["uri"] == "pkg:pypi/typing-extensions@4.16.0"
    assert package["uri"] == "pkg:deb/debian/dash@0.5?arch=amd64"


def test_what_is_locked_is_what_the_project_needs() -> None:
    """One release of each, with check sums, and no address of an index."""
    text = LOCKED.read_text(encoding="utf-8")
    names = re.findall(r"^([\w-]+)==", text, re.MULTILINE)
    needed = re.findall(r"^dependencies = \[(.*)\]$", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert {re.match(r"[\w-]+", each)[0] for each in re.findall(r'"([^"]+)"', needed[0])} <= set(names)  # type: ignore[index]
    assert len(names) == len(set(names))
    assert "://" not in text + LOCKED.with_name("tools.txt").read_text(encoding="utf-8")


def test_the_pythons_are_those_of_the_project() -> None:
    stated = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert tuple(stated) == PYTHONS


# ------------------------------------------------------------------------------ the whole, at night


def _made(clone: Path) -> Path:
    """A release of the last commit, made in a clone of its own, with the tools of this checkout."""
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    command: list[str | Path] = [ROOT / ".venv/release/bin/python", "-m", "release", "HEAD", "--rehearse"]
    subprocess.run(
        command,
        cwd=clone,
        env={**os.environ, "PYTHONPATH": str(clone / ".ci")},
        check=True,
        timeout=2 * PATIENCE,
    )
    return clone / "dist"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a release: those in the folder RELEASE, else of the last commit."""
    if os.environ.get("RELEASE"):
        return Path(os.environ["RELEASE"]).resolve()
    require("mmdebstrap")
    subprocess.run(["make", ".venv/release/ready"], cwd=ROOT, check=True, timeout=PATIENCE)
    return _made(tmp_path_factory.mktemp("first") / "clone")


@pytest.mark.repeated
def test_a_release_is_the_same_bytes_in_another_folder(release: Path, tmp_path: Path) -> None:
    again = _made(tmp_path / "elsewhere")
    assert (release / SUMS).read_text(encoding="utf-8") == (again / SUMS).read_text(encoding="utf-8")


def _program(command: str) -> str:
    """A program `setpoint` that runs a form of the release, on the day of the manual, and sees nothing of the
    checkout."""
    day = 'verb=$1; case $verb in plan | check | diff | explain) shift && set -- "$verb" --today 2026-11-20 "$@" ;; esac'
    return f'#!/bin/sh\nunset PYTHONPATH\n{day}\nexec {command} "$@"\n'


def _in_environment(package: Path, folder: Path) -> str:
    """A package in an environment of its own, with what it needs from the package index."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    install: list[str | Path] = [
        folder / "bin/pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        package,
    ]
    subprocess.run(install, check=True, timeout=PATIENCE)
    return str(folder / "bin/setpoint")


def _unpacked(archive: Path, folder: Path) -> None:
    folder.mkdir()
    subprocess.run(["tar", "-xf", archive, "-C", folder], check=True)


def _in_container(archive: Path, folder: Path) -> str:
    """The image, unpacked, with the working folder in its place and in the environment that it states."""
    _unpacked(archive, folder.with_name("blobs"))
    read = folder.with_name("blobs").joinpath
    (manifest,) = json.loads(read("manifest.json").read_bytes())
    config = json.loads(read(manifest["Config"]).read_bytes())["config"]
    (layer,) = manifest["Layers"]
    _unpacked(read(layer), folder)
    (folder / "work").mkdir(exist_ok=True)
    inside = f'env -i COLUMNS=100 {" ".join(config["Env"])} sh -c "cd {config["WorkingDir"]} && exec {config["Entrypoint"][0]} \\"\\$@\\"" -'
    return (
        f'unshare --mount sh -c \'mount --bind "$PWD" {folder}/work && exec chroot {folder} {inside} "$@"\' -'
    )


FORMS = ("wheel", "sdist", "image", *(f"single file, python{version}" for version in PYTHONS))


@pytest.mark.repeated
@pytest.mark.parametrize("form", FORMS)
def test_a_new_user_follows_the_tutorial(form: str, release: Path, tmp_path: Path) -> None:
    """The commands of the manual's first sections print what these show, in each form of a release."""
    (file,) = release.glob(
        {"wheel": "*.whl", "sdist": "setpoint-[0-9.]*[0-9].tar.gz", "image": "*-image.tar"}.get(form, "*.pyz")
    )
    if form == "image":
        require("unshare")
        command = _in_container(file, tmp_path / "root")
    elif form in ("wheel", "sdist"):
        command = _in_environment(file, tmp_path / "environment")
    else:
        command = f"env PEX_ROOT={tmp_path / 'pex'} {_python(form.rpartition(' ')[2])} {file}"
    (tmp_path / "work").mkdir()
    examples(tmp_path / "work")
    shell = Shell(tmp_path / "work", {"setpoint": _program(command)})
    seen = 0
    for fence in fences((ROOT / "docs/tutorial.md").read_text(encoding="utf-8")):
        if fence.section == "Keep it in Git":
            break
        if fence.file:
            (shell.folder / fence.file).write_text(fence.text, encoding="utf-8")
        if fence.info[:1] == ("console",):
            assert shell.session(fence.text) == fence.text
            seen += 1
    assert seen > 3


def _python(name: str) -> str:
    """A Python that starts. Not every machine has every release of it; the workflow of releases has."""
    found = shutil.which(name)
    if not found or subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode:
        pytest.skip(f"{name} is not installed")
    return found
