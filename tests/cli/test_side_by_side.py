"""`setpoint compare`: two intents in two columns, a row for each setting that differs, with both values and both
reasons."""

import json
import re

import pytest

from setpoint.compiler.render.difference_settings import why
from support.command import setpoint
from support.plans import planned

SERVER = "platform r650; os debian 12"
LATENCY, THROUGHPUT = f"goal latency; {SERVER}", f"goal throughput; {SERVER}"


def compared(a: str, b: str, *words: str, columns: int = 110) -> str:
    ran = setpoint("compare", a, b, *words, env={"COLUMNS": str(columns)})
    assert ran.status == 3, ran.err
    return ran.out


def differing() -> dict[str, tuple[str, str]]:
    """The settings of which artifacts set another value under the two goals, from their plans."""
    one, other = planned(LATENCY), planned(THROUGHPUT)
    return {
        a.setting: (a.value, b.value)
        for a in one.settings
        if (b := other.setting(a.setting)) and a.value != b.value
    }


def test_each_setting_that_differs_has_one_row_with_both_values() -> None:
    rows = dict(re.findall(r"^  ([a-z][\w-]+)  +(\S.*)$", compared(LATENCY, THROUGHPUT), re.MULTILINE))
    assert rows.pop("goal").split() == ["latency", "throughput"]
    found = {
        name: tuple(re.sub(r" \(.*?\)", "", cell) for cell in re.split("  +", row))
        for name, row in rows.items()
    }
    assert found == differing()


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        (
            110,
            [
                "smt off on",
                "dell-12g-tuning, Table 2 (out of scope) dell-bios-registries (vendor)",
            ],
        ),
        (80, ["smt off on", "dell-12g-tuning (out of dell-bios-registries", "scope) (vendor)"]),
    ],
)
def test_both_reasons_are_below_the_values(columns: int, lines: list[str]) -> None:
    shown = [" ".join(line.split()) for line in compared(LATENCY, THROUGHPUT, columns=columns).splitlines()]
    at = shown.index(lines[0])
    assert shown[at : at + len(lines)] == lines
    assert all(len(line) <= columns for line in compared(LATENCY, THROUGHPUT, columns=columns).splitlines())


def test_markdown_has_the_reasons_in_full() -> None:
    page = compared(LATENCY, THROUGHPUT, "--format", "markdown")
    (row,) = re.findall(r"^\| `smt` \| (.*) \| (.*) \|$", page, re.MULTILINE)
    for cell, text in zip(row, (LATENCY, THROUGHPUT), strict=True):
        decision = planned(text).setting("smt")
        assert decision is not None
        assert cell == f"**{decision.value}** {why(decision)}"


def test_what_is_no_setting_is_beside_each_other_as_well() -> None:
    waived = 'goal efficiency; cpu westmere; set turbo on because "LAB-3"; accept turbo-vs-efficiency because "paid"'
    out = compared("goal efficiency; cpu westmere", f"{waived} until 2099-01-01")
    assert re.search(r"^Hazards\n  turbo-vs-efficiency +absent +accepted$", out, re.MULTILINE)
    assert re.search(r"^  turbo +off +on$", out, re.MULTILINE)
    assert "set: LAB-3" in out


def test_the_words_are_those_of_no_change() -> None:
    """Neither intent is before the other."""
    assert not re.search(r"\bnow\b|no longer| -> |changes", compared(LATENCY, THROUGHPUT))


def test_programs_read_the_difference() -> None:
    data = json.loads(compared(LATENCY, THROUGHPUT, "--format", "json"))
    assert data["schema"].startswith("setpoint.diff/")
