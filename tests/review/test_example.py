"""examples/review: the comment on its change is the tool's output, and can be read in a minute."""

import re

import pytest

from review.rendered import Page
from review.sides import TODAY, run
from support.command import ROOT
from support.golden import compare

FOLDER = ROOT / "examples/review"


@pytest.fixture(scope="module")
def comment() -> str:
    ran = run("diff", "before", "after", "--format", "markdown", "--today", TODAY, folder=FOLDER)
    assert ran.status == 3
    return ran.out


def test_the_comment_is_the_one_that_is_shown(comment: str, update: bool) -> None:
    compare(comment, FOLDER / "expected/comment.md", update)


def test_it_is_read_in_a_minute(comment: str) -> None:
    """The unfolded part has no more words than can be read in that time, and says what changes, for whom and why."""
    unfolded = re.sub(r"<details>.*?</details>", "", comment, flags=re.DOTALL)
    page = Page(unfolded)
    assert len(page.text.split()) < 300
    assert page.text.startswith("Setpoint: 3 of 4 policies change: ")
    assert [heading.split()[0] for heading in page.headings] == ["trading-edge", "fluent", "web"]
    for why in (
        "set: “frequency jitter on the feed handler, PERF-212”",
        "a new rule: lab-results, LAB-44 (measured)",
        "goal is balanced now: dell-12g-tuning",
        "is waived until 2027-03-31",
    ):
        assert why in page.text


def test_renaming_and_reordering_are_not_changes(comment: str) -> None:
    """grid.tune differs as text, and is not in the comment."""
    before, after = (
        (FOLDER / side / "grid.tune").read_text(encoding="utf-8") for side in ("before", "after")
    )
    assert before != after
    assert "grid" not in comment
    assert "physics" not in comment


@pytest.mark.parametrize("side", ["before", "after"])
def test_both_sides_are_sound_and_formatted(side: str) -> None:
    assert run("check", side, "--today", TODAY, folder=FOLDER).status == 0
    assert run("fmt", "--check", side, folder=FOLDER).status == 0


def test_the_page_describes_the_change(comment: str) -> None:
    """The page quotes the headline, and each file that it mentions exists; the overview lists the example."""
    story = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert comment.split("\n")[0].removeprefix("**Setpoint:** ") in " ".join(story.replace("> ", "").split())
    for file in re.findall(r"`([\w/-]+\.tune)`", story):
        assert (FOLDER / "after" / file).is_file(), file
    for target in re.findall(r"\]\(([^)#]+)", story):
        assert (FOLDER / target).exists(), target
    assert "[review](review/)" in (ROOT / "examples/README.md").read_text(encoding="utf-8")
