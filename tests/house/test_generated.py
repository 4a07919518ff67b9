"""What programs write, and is in git all the same: each file has a reader, and there are few of them (decision
0076)."""

from __future__ import annotations

import subprocess
from fnmatch import filter as matching
from pathlib import Path

import pytest

from support import generated
from support.command import ROOT
from support.generated import COMMITS, GENERATED, added_lines, generated_of, main

TRACKED = [
    path.relative_to(ROOT).as_posix()
    for folder in ("compiler", "docs", "examples", "tests", ".ci")
    for path in (ROOT / folder).rglob("*")
    if path.is_file() and "node_modules" not in path.parts
]

MOST_EXPECTED = 4000
"""Lines of the expected files of all examples: what a reviewer reads. They were 43,000."""

MOST_GENERATED = 0.1
"""The share of generated lines among those that the last commits added."""


@pytest.mark.parametrize("pattern", GENERATED)
def test_each_of_them_is_there(pattern: str) -> None:
    assert matching(TRACKED, pattern)


def test_the_expected_files_of_examples_are_what_a_reviewer_reads() -> None:
    """Neither whole plans nor whole bundles: a digest of each of their files (`support.gist`), and `make changes` for
    the lines."""
    expected = matching(TRACKED, "examples/*/expected/*")
    assert [path for path in expected if path.endswith(("plan.json", "manifest.json", ".html"))] == []
    lines = sum((ROOT / path).read_bytes().count(b"\n") for path in expected)
    assert lines <= MOST_EXPECTED


def test_most_of_what_commits_add_is_written_by_people() -> None:
    """A change that breaks this is named by `make generated`, while it can still be made smaller."""
    if len(_git("rev-list", f"-{COMMITS}", "HEAD").splitlines()) < COMMITS:
        pytest.skip("a shallow clone has too few commits")
    lines = added_lines(COMMITS)
    assert generated_of(lines).total() <= MOST_GENERATED * lines.total(), generated_of(lines).most_common(5)


def test_what_is_generated_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Over the last commits, without those that change the layout alone, and what only goes."""
    monkeypatch.setattr(generated, "ROOT", tmp_path)
    for name, text in (
        ("compiler/plan.py", "one\ntwo\nthree\n"),
        ("docs/benchmarks.md", "one\n"),
        ("docs/page.md", "a\nb\nc\n"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / ".git-blame-ignore-revs").touch()
    _git("init", "-q", folder=tmp_path)
    _git("add", "compiler", "docs/benchmarks.md", folder=tmp_path)
    _git("commit", "-q", "-m", "one", folder=tmp_path)
    (tmp_path / "compiler/plan.py").unlink()
    _git("add", "compiler", "docs", folder=tmp_path)
    _git("commit", "-q", "-m", "another", folder=tmp_path)
    assert main(["2"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 of 7 added lines are generated: 14.3%",
        "      1  docs/benchmarks.md",
    ]
    layout = _git("rev-parse", "HEAD", folder=tmp_path)
    (tmp_path / ".git-blame-ignore-revs").write_text(layout, encoding="utf-8")
    assert main(["2"]) == 0
    assert capsys.readouterr().out.startswith("1 of 4 added lines are generated: 25.0%\n")


def _git(*arguments: str, folder: Path = ROOT) -> str:
    git = ("git", "-C", str(folder), "-c", "user.name=A", "-c", "user.email=a@example.org")
    return subprocess.run([*git, *arguments], capture_output=True, text=True, check=True).stdout
