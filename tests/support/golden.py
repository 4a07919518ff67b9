"""Expected outputs kept as files. `pytest --update` rewrites them; without it a difference is a failure."""

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
    """Compare a folder with its golden folder: the same files, the same bytes, the same modes."""
    if update:
        shutil.rmtree(expected, ignore_errors=True)
        shutil.copytree(actual, expected)
    assert tree(actual) == tree(expected), f"{expected} differs: run pytest --update and read the diff"


def tree(folder: Path) -> dict[str, tuple[str, bool]]:
    """The files below a folder: their text, and whether they can be executed."""
    return {
        str(path.relative_to(folder)): (path.read_text(encoding="utf-8"), bool(path.stat().st_mode & 0o100))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
