"""The page on speed says what was measured, and what was not."""

import copy
import json
from pathlib import Path

import pytest

from benchmarks import page, proof
from support import copies

MEASURED = json.loads(page.DATA.read_text("utf-8"))


def test_the_page_shows_the_measurements() -> None:
    assert page.PAGE.read_text("utf-8") == page.text(MEASURED)


def test_the_plot_has_every_language_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    page.plot(MEASURED, tmp_path / "first.svg")
    page.plot(MEASURED, tmp_path / "second.svg")
    drawn = (tmp_path / "first.svg").read_text("utf-8")
    assert drawn == (tmp_path / "second.svg").read_text("utf-8")
    for title, peer in MEASURED["peers"].items():
        assert (title in drawn) is bool(peer.get("costs"))


def test_what_was_not_measured_is_named_or_estimated() -> None:
    less = copy.deepcopy(MEASURED)
    less["peers"]["CUE"] = {"missing": "there is no Go to build it with"}
    less["costs"]["fmt"] = {"25000": [1.0, 50]}
    less["costs"]["fleets"] = {}
    text = page.text(less)
    assert "CUE is not measured: there is no Go to build it with." in text
    assert "| `fmt --check`: 100,000 lines | 2 s | ~4 s | ~2 | ~200 MiB |" in text
    assert "| 6 s, 150 MiB | not measured: it took too long | – | – |" in text


def test_what_is_missed_says_by_how_much_why_and_what_the_limit_is() -> None:
    costly = copy.deepcopy(MEASURED)
    costly["costs"]["fmt"]["100000"] = [9.0, 100]
    told = page.text(costly).partition("What is missed")[2].partition("What is met")[0]
    assert "\n- `fmt --check`: 100,000 lines (4.5 times the goal): a quarter each is parsing" in told
    assert "`verify`" not in told
    assert {goal.limit for goal in (*page.GOALS, *page.OF_EDITS)} == set(page.LIMITS)


def test_edits_are_shown_where_a_run_has_measured_them() -> None:
    measured = copy.deepcopy(MEASURED)
    measured["costs"]["edits"] = {"from nothing": [40, 300], "none": [2, 60], "a sysctl added": [5, 200]}
    text = page.text(measured)
    assert "| a sysctl added | 5 s | 12% | 200 MiB |" in text
    assert "| `kb check` from nothing | 15 s | 40 s | 2.7 | 300 MiB |" in text
    measured["costs"].pop("edits")
    assert "After an edit" not in page.text(measured)


@pytest.mark.parametrize(
    ("value", "text"), [(0.0312, "0.031"), (1, "1"), (2.349, "2.3"), (34.56, "34.6"), (1234.5, "1,234")]
)
def test_numbers_have_the_digits_that_count(value: float, text: str) -> None:
    assert page.number(value) == text


@pytest.mark.parametrize("name", proof.EDITS)
def test_every_edit_changes_the_library(tmp_path: Path, name: str) -> None:
    copies.write(1, tmp_path)
    before = {path: path.read_text("utf-8") for path in tmp_path.rglob("*.tune")}
    proof.EDITS[name].make(tmp_path)
    assert {path: path.read_text("utf-8") for path in tmp_path.rglob("*.tune")} != before
