"""Expected outputs kept as files. `pytest --update` rewrites them; without it a difference is a failure.

Outputs record the digest of the library, which changes with each commit to it. Expected outputs have a placeholder in
its place (`steady`), so that such a commit does not touch them all.
"""

import shutil
from functools import cache
from pathlib import Path

from pydantic import BaseModel

from setpoint.compiler.knowledge.library import library_digest, stdlib_folder
from setpoint.compiler.plan.made_with import short
from setpoint.compiler.render.visible import json_text

PLACEHOLDER = "0" * 64
"""Stands for the digest of the library. It has the form of one, so that expected plans can be read."""


@cache
def _digest() -> str:
    return library_digest(stdlib_folder())


def steady(text: str) -> str:
    """A text with the placeholder in the place of the library's digest, which people are shown in short."""
    return text.replace(_digest(), PLACEHOLDER).replace(short(_digest()), short(PLACEHOLDER))


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


def compare_schema(form: type[BaseModel], expected: Path, update: bool) -> None:
    """Compare the JSON Schema of a form with its golden file."""
    schema = form.model_json_schema(by_alias=True)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": schema.pop("title")}
    compare(json_text(head | schema), expected, update)


def compare_folder(actual: Path, expected: Path, update: bool) -> None:
    """Compare a folder with its golden folder: the same files, the same texts."""
    actual_texts = {path: steady(text) for path, text in texts(actual).items()}
    if update:
        shutil.rmtree(expected, ignore_errors=True)
        for path, text in actual_texts.items():
            (expected / path).parent.mkdir(parents=True, exist_ok=True)
            (expected / path).write_text(text, encoding="utf-8")
    there = texts(expected)
    differing = sorted(
        path for path in {**actual_texts, **there} if actual_texts.get(path) != there.get(path)
    )
    assert not differing, (
        f"{expected}: {', '.join(differing)}: run pytest --update and read the diff; `make changes` shows all lines"
    )


def texts(folder: Path) -> dict[str, str]:
    """The texts of the files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
