"""Unreadable files: every verb reports them in the same words, and continues with the others."""

import json
from pathlib import Path

import pytest

from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.language.syntax import Fact
from support.command import setpoint

POLICY = "goal latency\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a policy, one that is not UTF-8, and one with the line ends of a very old system."""
    (tmp_path / "good.tune").write_text(POLICY, encoding="utf-8")
    (tmp_path / "latin.tune").write_bytes(b"goal latency; # caf\xe9\n")
    (tmp_path / "cr.tune").write_bytes(b"goal latency; # a comment\rcpu westmere;\r")
    return tmp_path


VERBS = ["plan", "check", "fmt", "fmt --check", "waivers", "kb check", "kb disputes", "kb coverage"]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("name", "status", "message"),
    [
        ("latin.tune", 4, "error[E0604]: `latin.tune` is not UTF-8 text"),
        ("none.tune", 2, "error[E0601]: cannot read `none.tune`: No such file or directory"),
    ],
)
def test_every_verb_reports_an_unreadable_file_in_the_same_words(
    folder: Path, verb: str, name: str, status: int, message: str
) -> None:
    ran = setpoint(*verb.split(), name, cwd=folder)
    assert (ran.status, (ran.out + ran.err).count(message)) == (status, 1)
    assert "No waivers" not in ran.out


@pytest.mark.parametrize("verb", ["check", "fmt", "waivers", "kb coverage"])
def test_the_other_files_are_still_read(folder: Path, verb: str) -> None:
    (folder / "wrong.tune").write_text("goal", encoding="utf-8")
    ran = setpoint(*verb.split(), "none.tune", "latin.tune", "wrong.tune", "good.tune", cwd=folder)
    said = ran.out + ran.err
    assert (ran.status, [said.count(f"error[{code}]") for code in ("E0601", "E0604", "E0101")]) == (
        4, [1, 1, 1]
    )  # fmt: skip
    assert (verb == "fmt") == ((folder / "good.tune").read_text(encoding="utf-8") != POLICY)


def test_a_missing_file_is_a_finding_in_every_form(folder: Path) -> None:
    ran = setpoint("check", "none.tune", "good.tune", "--format", "json", "--also", "sarif=s", cwd=folder)
    assert ran.status == 2
    found = json.loads(ran.out)["diagnostics"]
    assert [(d["code"], d["message"]) for d in found if d["severity"] == "error"] == [
        ("E0601", "cannot read `none.tune`: No such file or directory")
    ]
    assert "E0601" in (folder / "s").read_text(encoding="utf-8")


def test_findings_may_be_written_twice_in_one_form(folder: Path) -> None:
    setpoint("check", "good.tune", "--also", "json=a", "--also", "json=b", cwd=folder)
    assert (folder / "a").read_bytes() == (folder / "b").read_bytes() != b""


@pytest.mark.parametrize("verb", ["plan", "fmt", "check"])
def test_a_line_end_of_a_very_old_system_is_a_character_without_a_meaning(folder: Path, verb: str) -> None:
    before = (folder / "cr.tune").read_bytes()
    ran = setpoint(verb, "cr.tune", cwd=folder)
    assert ran.status == 1
    assert "error[E0103]: the character U+000D has no meaning here\n  --> cr.tune:1:26" in ran.out + ran.err
    assert "help: lines end in LF or CRLF" in ran.out + ran.err
    assert (folder / "cr.tune").read_bytes() == before


def test_a_text_may_begin_as_a_file_may() -> None:
    (fact,) = program_of_text("\ufeffgoal latency;").body
    assert isinstance(fact, Fact)
    assert (fact.span.line, fact.span.column) == (1, 1)


@pytest.mark.parametrize(
    ("columns", "longest"), [("100", 100), ("1", 80), ("²", 110), ("+90", 110), ("", 110), ("9" * 5_000, 140)]
)
def test_the_width_of_the_page_is_limited(columns: str, longest: int) -> None:
    """Whatever `COLUMNS` contains, such as digits that are not a number, or numbers that Python refuses to read."""
    ran = setpoint("plan", "-e", "goal latency; cpu westmere", env={"COLUMNS": columns})
    assert (ran.status, "Traceback" in ran.err) == (0, False)
    table = [line for line in ran.out.splitlines() if line.startswith("  ")]
    assert longest - 10 < max(map(len, table)) <= longest
