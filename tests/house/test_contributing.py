"""The recipes of CONTRIBUTING.md, followed word by word in a copy of the code.

A section's blocks say where they go: `file=PATH` is a new file, `add-to=PATH` is put into one that there is, and
`console` shows what the commands then print. An addition goes to the end of its file; one that begins with a line of
that file goes behind this line.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command import ROOT, on_path
from support.console import steps
from support.fences import Fence, fences
from support.limits import PATIENCE, limited

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

ROOMS = ("compiler", "targets", "grammar", "stdlib", "docs/diagnostics", "docs/hooks/reference")


def _into(text: str, addition: str) -> str:
    """A text with lines more: behind the line that the addition begins with, else at its end."""
    first, _, rest = addition.partition("\n")
    if text.count(f"\n{first}\n") != 1:
        return f"{text}\n{addition}"
    return text.replace(f"\n{first}\n", f"\n{first}\n{rest}")


def copied(folder: Path) -> Path:
    """A copy of the code under its import name, in a folder."""
    for room in ROOMS:
        shutil.copytree(
            ROOT / room,
            folder / "setpoint" / room,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    shutil.copy(ROOT / ".dev/setpoint/__init__.py", folder / "setpoint")
    return folder


def _variables(project: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(project), "XDG_CACHE_HOME": str(project / "cache")}


def asked(project: Path, program: str) -> object:
    """What a program that runs in the copy prints as JSON."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=project,
        env=_variables(project),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: object = json.loads(done.stdout)
    return found


def shell_in(project: Path) -> Callable[[str], str]:
    """Runs a command with the copy's `setpoint`; all that it prints."""
    path = on_path(project)

    def run(text: str) -> str:
        done = subprocess.run(
            limited(["sh", "-c", text]),
            cwd=project,
            env={
                **_variables(project),
                "PATH": path,
                "COLUMNS": "100",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return done.stdout

    return run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copied(tmp_path)


@pytest.fixture
def shell(project: Path) -> Callable[[str], str]:
    return shell_in(project)


def blocks(recipe: str) -> list[Fence]:
    return [fence for fence in fences(PAGE) if fence.section.startswith(recipe)]


RECIPES = (
    "Add a source",
    "Add a setting",
    "Add a target",
    "Add a diagnostic",
    "Add a field of the plan",
    "Add a block of the language",
    "Add a verb",
)


def test_each_recipe_is_followed() -> None:
    assert [f"## {name}" for name in RECIPES] == re.findall(r"^## Add [a-z ]*[a-z]", PAGE, re.MULTILINE)


def follow(recipe: str, project: Path) -> list[str]:
    """Write into a copy of the code what a recipe adds; the paths that it touches."""
    touched = []
    for fence in blocks(recipe):
        for word in fence.info[1:]:
            how, _, name = word.partition("=")
            path = project / "setpoint" / name
            touched.append(name)
            if how == "add-to":
                if not path.exists():
                    path.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / name, path)
                path.write_text(_into(path.read_text(encoding="utf-8"), fence.text), encoding="utf-8")
            else:
                assert how == "file"
                assert not path.exists()
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(fence.text, encoding="utf-8")
    return touched


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_leads_to_what_it_shows(recipe: str, project: Path, shell: Callable[[str], str]) -> None:
    commands = [step for fence in blocks(recipe) if fence.info == ("console",) for step in steps(fence.text)]
    assert commands
    shown = [step for step in commands if step.shown]
    assert all(shell(step.command).splitlines() != list(step.shown) for step in shown), "it is there already"
    follow(recipe, project)
    for step in commands:
        assert shell(step.command).splitlines() == list(step.shown), step.command


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_a_recipe_writes_is_as_the_linters_want_it(recipe: str, tmp_path: Path) -> None:
    for number, fence in enumerate(blocks(recipe)):
        if fence.info[0] == "python" and fence.file:
            path = tmp_path / f"block_{number}.py"
            path.write_text(fence.text, encoding="utf-8")
            for check in (["check"], ["format", "--check"]):
                done = subprocess.run(
                    [
                        sys.executable,
                        "-m",
                        "ruff",
                        *check,
                        "--config",
                        str(ROOT / "pyproject.toml"),
                        str(path),
                    ],
                    capture_output=True,
                    text=True,
                    check=False,
                )
                assert done.returncode == 0, done.stdout + done.stderr
        elif fence.info[0] == "tune" and fence.file:
            path = tmp_path / f"block_{number}.tune"
            path.write_text(fence.text, encoding="utf-8")
            assert _formatted(path)


def _formatted(path: Path) -> bool:
    from setpoint.compiler.cli import main

    return main(["fmt", "--check", str(path)]) == 0
