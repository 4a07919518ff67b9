"""What programs write, and is in git all the same: each file has a reader, and there are few of them (decision
0076)."""

from __future__ import annotations

from fnmatch import filter as matching

import pytest

from support.command import ROOT
from support.generated import GENERATED, changed_lines, is_generated, main

TRACKED = [
    path.relative_to(ROOT).as_posix()
    for folder in ("compiler", "docs", "examples", "tests", ".ci")
    for path in (ROOT / folder).rglob("*")
    if path.is_file() and "node_modules" not in path.parts
]

MOST_EXPECTED = 4000
"""Lines of the expected files of all examples: what a reviewer reads. They were 43,000."""


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


def test_what_is_generated_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """Over the commits that a clone has: one of a shallow clone, at least."""
    lines = changed_lines(1)
    assert main(["1"]) == 0
    generated = sum(count for path, count in lines.items() if is_generated(path))
    assert capsys.readouterr().out.startswith(f"{generated} of {lines.total()} changed lines are generated: ")
