"""The property detects the defects that it is for."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fuzz import property as what_must_hold
from fuzz.property import DefectError, command
from fuzz.readers import run
from setpoint.compiler.comparison import revisions
from setpoint.compiler.comparison.git import GitAnswer, git


def raises() -> int:
    return int("²")


def prints(text: str, status: int) -> Callable[[], int]:
    def said() -> int:
        sys.stdout.write(text)
        return status

    return said


def writes() -> int:
    Path("half").write_text("x")
    sys.stderr.write("setpoint: no\n")
    return 4


def leaves() -> int:
    Path(".setpoint-x").mkdir()
    return 0


def goes_on() -> int:
    while True:
        pass


@pytest.mark.parametrize(
    ("defect", "told"),
    [
        (raises, "raised ValueError"), (prints("\x1b[2J", 0), "printed raw"), (prints("no", 1), "failed without a code"),
        (prints("", 2), "refused without a word"), (prints("", 7), "a status of its own"), (writes, "failed, and yet changed"),
        (prints("x" * 5_000_000, 0), "characters printed"), (leaves, "left"), (goes_on, "does not end in time"),
    ],
)  # fmt: skip
def test_a_defect_is_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, defect: Callable[[], int], told: str
) -> None:
    monkeypatch.setattr(what_must_hold, "main", lambda words: defect())
    monkeypatch.setattr(what_must_hold, "MOST_SECONDS", 0.2)
    with pytest.raises(DefectError, match=told):
        command("plan", folder=tmp_path)


def test_correct_behaviour_is_not_a_defect(tmp_path: Path) -> None:
    assert command("plan", "-e", "goal latency; cpu westmere", folder=tmp_path).status == 0
    assert command("plan", "none.tune", folder=tmp_path).status == 2


def test_a_program_of_a_repository_that_is_run_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `git status` would run it, were somebody to ask for it."""

    def asked(folder: str, *words: str, text: bytes = b"") -> GitAnswer:
        subprocess.run(["git", "-C", folder, "status"], capture_output=True, check=False)
        return git(folder, *words, text=text)

    def runs() -> None:
        for seed in range(5):
            run("repositories", seed)

    monkeypatch.setattr(revisions, "git", asked)
    with pytest.raises(DefectError, match=r"ran \['"):
        runs()
