"""Expected outputs kept as files. `pytest --update` rewrites them; without it a difference is a failure."""

import os
import shutil
from pathlib import Path


def compare(actual: str, expected: Path, update: bool) -> None:
    """Compare a text with its golden file."""
    if update:
        expected.parent.mkdir(parents=True, exist_ok=True)
        expected.write_text(actual, encoding="utf-8")
    assert expected.is_file(), f"{expected} is missing: run pytest --update"
    assert actual == expected.read_text(encoding="utf-8"), (
        f"{expected} differs: run pytest --update and read the diff"
    )


def compare_folder(actual: Path, expected: Path, update: bool) -> None:
    """Compare a folder with its golden folder: the same files, the same bytes, the same modes.

    A file that is there several times is kept once, with links to it, so that a change of it is shown once.
    """
    if update:
        shutil.rmtree(expected, ignore_errors=True)
        shutil.copytree(actual, expected)
        _link_copies(expected)
    assert tree(actual) == tree(expected), f"{expected} differs: run pytest --update and read the diff"


def tree(folder: Path) -> dict[str, tuple[str, bool]]:
    """The files below a folder: their text, and whether they can be executed."""
    return {
        str(path.relative_to(folder)): (path.read_text(encoding="utf-8"), bool(path.stat().st_mode & 0o100))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _link_copies(folder: Path) -> None:
    """Replace copies of a file by links to the one that lies highest."""
    first: dict[tuple[bytes, int], Path] = {}
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in sorted(files, key=lambda path: (len(path.parts), path)):
        kept = first.setdefault((path.read_bytes(), path.stat().st_mode), path)
        if kept != path:
            path.unlink()
            path.symlink_to(os.path.relpath(kept, path.parent))
