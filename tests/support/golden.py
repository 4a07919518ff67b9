"""Expected outputs kept as files. `pytest --update` rewrites them; without it a difference is a failure.

Outputs record the digest of the library, which changes with each commit to it. Expected outputs have a placeholder in its place, and
manifests the hashes of the files with that placeholder (`steady`, `steady_files`), so that such a commit does not touch them all.

Of a bundle each text is kept once: a role and a module have copies of what is beside them, and the program for hosts is the same in every
bundle. The manifests have the hash and the mode of all of them.
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

PROGRAMS = ("setpoint-host", "setpoint_bmc.py", "setpoint_rollout.py")
"""Programs that are the same in every bundle."""


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
    found = kept(steady_files(texts(actual)))
    if update:
        shutil.rmtree(expected, ignore_errors=True)
        for path, text in found.items():
            (expected / path).parent.mkdir(parents=True, exist_ok=True)
            (expected / path).write_text(text, encoding="utf-8")
            shutil.copymode(actual / path, expected / path)
    modes = {path: is_executable(actual / path) for path in found}
    there = {path: is_executable(expected / path) for path in texts(expected)}
    assert (found, modes) == (texts(expected), there), (
        f"{expected} differs: run pytest --update and read the diff"
    )


def kept(files: dict[str, str]) -> dict[str, str]:
    """The files of a folder whose texts are kept: of a bundle, whose manifest has the digest and the mode of each file, neither the
    programs that all bundles have nor copies of what is less deep."""
    if MANIFEST not in files:
        return files
    depths: dict[str, int] = {}
    for path, text in files.items():
        depths[text] = min(depths.get(text, path.count("/")), path.count("/"))
    return {
        path: text
        for path, text in files.items()
        if Path(path).name not in PROGRAMS and path.count("/") == depths[text]
    }


def texts(folder: Path) -> dict[str, str]:
    """The texts of the files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def is_executable(path: Path) -> bool:
    """Whether a file can be executed."""
    return bool(path.stat().st_mode & 0o100)
