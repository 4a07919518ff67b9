"""Expected outputs kept as files. `pytest --update` rewrites them; without it a difference is a failure.

Outputs record the digest of the library, which changes with each commit to it. Expected outputs have a placeholder in its place, and
manifests the hashes of the files with that placeholder (`steady`, `steady_files`), so that such a commit does not touch them all.

The program for hosts is the same in every bundle, role and module, so it is not kept with each: the manifests have its hash.
"""

import hashlib
import json
import shutil
from functools import cache
from pathlib import Path

from setpoint.compiler.knowledge.library import library_digest, stdlib_folder
from setpoint.compiler.plan.made_with import short
from setpoint.compiler.render.visible import json_text

PLACEHOLDER = "0" * 64
"""Stands for the digest of the library. It has the form of one, so that expected plans can be read."""

MANIFEST = "manifest.json"

PROGRAMS = ("setpoint-host", "setpoint_bmc.py")
"""Programs that are the same in every bundle: expected folders have their digests, in the manifest, and not their text."""


@cache
def _digest() -> str:
    return library_digest(stdlib_folder())


def steady(text: str) -> str:
    """A text with the placeholder in the place of the library's digest, which people are shown in short."""
    return text.replace(_digest(), PLACEHOLDER).replace(short(_digest()), short(PLACEHOLDER))


def steady_files(files: dict[str, str]) -> dict[str, str]:
    """The texts of files by path, with the placeholder; manifests have the hashes of these texts."""
    found = {path: steady(text) for path, text in files.items()}
    for path in found:
        if Path(path).name != MANIFEST:
            continue
        data = json.loads(found[path])
        for each in data.get("files", ()):
            text = found.get(str(Path(path).parent / each["path"]))
            if text is not None:
                each["sha256"] = hashlib.sha256(text.encode()).hexdigest()
        found[path] = json_text(data)
    return found


def compare(actual: str, expected: Path, update: bool) -> None:
    """Compare a text with its golden file."""
    actual = steady(actual)
    if update:
        expected.parent.mkdir(parents=True, exist_ok=True)
        expected.write_text(actual, encoding="utf-8")
    assert expected.is_file(), f"{expected} is missing: run pytest --update"
    assert actual == expected.read_text(encoding="utf-8"), (
        f"{expected} differs: run pytest --update and read the diff"
    )


def compare_folder(actual: Path, expected: Path, update: bool) -> None:
    """Compare a folder with its golden folder: the same files, the same bytes, the same modes."""
    found, modes = steady_files(texts(actual)), is_executable(actual)
    if update:
        shutil.rmtree(expected, ignore_errors=True)
        shutil.copytree(actual, expected)
        for path, text in found.items():
            (expected / path).write_text(text, encoding="utf-8")
        for program in [each for name in PROGRAMS for each in expected.rglob(name)]:
            program.unlink()
            if not any(program.parent.iterdir()):
                program.parent.rmdir()
    assert (found, modes) == (texts(expected), is_executable(expected)), (
        f"{expected} differs: run pytest --update and read the diff"
    )


def texts(folder: Path) -> dict[str, str]:
    """The texts of the files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in PROGRAMS
    }


def is_executable(folder: Path) -> dict[str, bool]:
    """Which files below a folder can be executed."""
    return {
        str(path.relative_to(folder)): bool(path.stat().st_mode & 0o100)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in PROGRAMS
    }
