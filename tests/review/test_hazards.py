"""Hazards of a change: those that appear, are waived, expire, or disappear; and those that stop the build."""

import json
from pathlib import Path

import pytest

from review.rendered import Page
from review.sides import acting_changes, compare, only, run
from setpoint.compiler.plan.difference import HazardChange
from setpoint.compiler.render.difference import comparison_text
from setpoint.compiler.render.difference_markdown import comparison_markdown
from setpoint.compiler.render.difference_words import hazard

QUIET = "goal balanced; cpu westmere; platform r710; workload comm-bound;"
WARNS = QUIET.replace("balanced", "latency")
EFFICIENT = "goal efficiency; cpu westmere; platform r710; workload interactive;"
STOPS = EFFICIENT + 'set turbo on because "deadline";'


def accept(policy: str, name: str = "c-state-idle-power", until: str = "") -> str:
    end = f" until {until}" if until else ""
    return f'{policy} accept {name} because "not billed here"{end};'


def change(folder: Path, old: str, new: str) -> HazardChange:
    (found,) = only(compare(folder, old, new)).hazards
    return found


@pytest.mark.parametrize(
    ("old", "new", "kind", "words"),
    [
        (QUIET, WARNS, "appears", "appears and warns"),
        (WARNS, QUIET, "resolved", "no longer occurs"),
        (WARNS, accept(WARNS), "accepted", "is waived without expiry"),
        (WARNS, accept(WARNS, until="2027-03-31"), "accepted", "is waived until 2027-03-31"),
        (accept(WARNS), WARNS, "reopened", "is no longer waived and warns"),
        (
            accept(WARNS, until="2027-03-31"),
            accept(WARNS, until="2026-03-31"),
            "expired",
            "had a waiver that expired on 2026-03-31: it warns again",
        ),
        (
            accept(WARNS, until="2027-03-31"),
            accept(WARNS, until="2028-03-31"),
            "reworded",
            "has other terms: waived until 2028-03-31, was waived until 2027-03-31",
        ),
        (QUIET, accept(QUIET), "unused", "has a waiver without effect: it does not occur"),
        (
            accept(QUIET, until="2027-03-31"),
            accept(QUIET),
            "reworded",
            "has other terms: waived without expiry, though it does not occur, was waived until 2027-03-31, though it does not occur",
        ),
    ],
)
def test_what_becomes_of_a_hazard(tmp_path: Path, old: str, new: str, kind: str, words: str) -> None:
    found = change(tmp_path, old, new)
    assert (found.kind, hazard(found)) == (kind, words)
    assert "32% of the idle power" in found.what


def test_a_changed_reason_is_shown_with_the_earlier_one(tmp_path: Path) -> None:
    old = accept(WARNS, until="2027-03-31")
    found = compare(tmp_path, old, old.replace("not billed here", "OPS-7"))
    (of_it,) = only(found).hazards
    assert of_it.kind == "reworded"
    assert hazard(of_it) == "is unchanged, for another reason: waived until 2027-03-31"
    assert "reason: OPS-7; was: not billed here" in comparison_text(found, 110)
    assert "The reason given: OPS-7; was: not billed here." in Page(comparison_markdown(found)).text


def test_a_hazard_that_stops_the_build_does_not_hide_what_else_changes(tmp_path: Path) -> None:
    difference = only(compare(tmp_path, EFFICIENT, STOPS))
    assert (difference.status, difference.stops, difference.errors) == ("broken", True, ())
    assert [(h.hazard, h.new.state) for h in difference.hazards] == [("turbo-vs-efficiency", "stops")]
    assert acting_changes(difference)["turbo"][:2] == ("off", "on")


def test_one_that_stops_is_accepted(tmp_path: Path) -> None:
    difference = only(compare(tmp_path, STOPS, accept(STOPS, "turbo-vs-efficiency", "2027-01-01")))
    assert difference.status == "fixed"
    assert [(h.kind, h.old.state, h.new.state) for h in difference.hazards] == [
        ("accepted", "stops", "accepted")
    ]
    assert not difference.acting


def test_a_waiver_that_has_expired_stops_the_build_again(tmp_path: Path) -> None:
    old = accept(STOPS, "turbo-vs-efficiency", "2027-01-01")
    difference = only(compare(tmp_path, old, old.replace("2027", "2026")))
    assert difference.status == "broken"
    assert [(h.kind, h.new.state, h.new.until) for h in difference.hazards] == [
        ("expired", "stops", "2026-01-01")
    ]


def test_time_alone_lets_a_waiver_expire(tmp_path: Path) -> None:
    """A bundle that was made before the day, against the same policy after it."""
    from setpoint.compiler.comparison.differences import differences
    from setpoint.compiler.comparison.sides import side

    policy = tmp_path / "policy.tune"
    policy.write_text(accept(STOPS, "turbo-vs-efficiency", "2027-01-01"))
    assert run("compile", "policy.tune", "-o", "out", "--today", "2026-11-20", folder=tmp_path).status == 0
    found = differences(side(str(tmp_path / "out"), "", "2027-01-02"), side(str(policy), "", "2027-01-02"))
    assert [(h.kind, h.new.state) for h in only(found).hazards] == [("expired", "stops")]


def test_a_bundle_of_an_earlier_version_is_to_be_compiled_again(tmp_path: Path) -> None:
    """It did not say which hazards arise."""
    (tmp_path / "policy.tune").write_text(WARNS)
    assert run("compile", "policy.tune", "-o", "out", folder=tmp_path).status == 0
    assert run("diff", "out", "policy.tune", folder=tmp_path).status == 0
    plan = tmp_path / "out" / "plan.json"
    data = json.loads(plan.read_text())
    for change in ({"schema": "setpoint.plan/1"}, {"hazards": None}):
        plan.write_text(json.dumps({**data, **change}))
        ran = run("diff", "out", "policy.tune", folder=tmp_path)
        assert (ran.status, "error[E0606]" in ran.err, "compile a bundle" in ran.err) == (4, True, True)


def test_another_error_beside_a_hazard_leaves_no_plan(tmp_path: Path) -> None:
    difference = only(compare(tmp_path, EFFICIENT, STOPS + "sockets 99;"))
    assert difference.settings == ()
    assert difference.errors
