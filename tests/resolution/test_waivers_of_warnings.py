"""Waivers of warnings: what each covers and until when; and that the one that a help suggests works."""

import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from review.sides import compare, only, run, write

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import Planned, Selection, knowledge_for, planned
from setpoint.compiler.plan.waivers import KINDS
from setpoint.compiler.policies.check import check_files
from setpoint.compiler.render.difference import comparison_text
from setpoint.compiler.render.difference_markdown import comparison_markdown
from support.effort import examples
from support.policies import Draft, policies, waived

OUT_OF_SCOPE = "goal throughput; cpu sandy-bridge; workload hep;\n"
SEVERAL = "goal latency; cpu haswell;\n"
TEST_FIRST = "goal efficiency; cpu westmere; workload comm-bound;\n"
LOCKED = """goal latency; platform r710;
source lab { title "Bench notes"; publisher "Our lab"; }
setting cooling-profile { title "Cooling Profile"; layer firmware; values quiet, cold; }
setting fan-offset { title "Fan offset"; layer firmware; values low, high; }
options of lab when platform r710 {
    cooling-profile quiet, cold default quiet at "R710 menu";
    fan-offset low, high default low at "R710 menu";
}
preset "R710 menu" of lab when platform r710 { cooling-profile quiet; fan-offset _; }
rule cool-fans of lab at "Run 3" { when platform r710, goal latency; use fan-offset high; because "reads"; }
"""
POLICIES = {
    "W0301": OUT_OF_SCOPE,
    "W0302": 'goal throughput; cpu sandy-bridge; set smt off because "LIC-9";\n',
    "W0303": TEST_FIRST,
    "W0304": "goal latency; workload comm-bound;\n",
    "W0305": "cpu westmere; goal latency; for group g { goal efficiency; }\n",
    "W0306": LOCKED,
    "W0501": "goal efficiency; cpu nehalem; workload comm-bound;\n",
}


def plan(text: str, today: str = "") -> Planned:
    program = program_of_text(text)
    return planned(program, knowledge_for(program), Selection(today=today))[-1]


def found(text: str, code: str, today: str = "") -> list[Diagnostic]:
    return [d for d in plan(text, today).findings if d.code == code]


def suggested(finding: Diagnostic) -> str:
    """The statement that a help names to waive it, with a reason."""
    (statement,) = re.findall(r"to waive it: `(accept .*;)`", "\n".join(finding.help))
    return str(statement).replace("…", "LAB-31")


def test_every_warning_that_can_be_waived_has_a_policy_here() -> None:
    assert set(POLICIES) == set(KINDS)


@pytest.mark.parametrize("code", sorted(set(POLICIES) - {"W0501"}))
def test_the_waiver_that_a_help_suggests_waives_it(code: str) -> None:
    before = found(POLICIES[code], code)
    assert before
    for warning in before:
        done = plan(POLICIES[code] + suggested(warning))
        assert warning.message not in [d.message for d in done.findings]
        assert "W0403" not in [d.code for d in done.findings]
        assert done.plan is not None
        (waiver,) = done.plan.waivers
        assert (waiver.kind, waiver.stands, waiver.because) == (KINDS[code], True, "LAB-31")
        assert warning.message in [each.message for each in waiver.covers]


@pytest.mark.parametrize("code", sorted(set(POLICIES) - {"W0501"}))
def test_an_expired_waiver_lets_the_warning_show_again_and_says_so(code: str) -> None:
    (warning, *_) = found(POLICIES[code], code)
    statement = suggested(warning).replace(";", " until 2027-03-31;")
    assert warning.message not in [d.message for d in found(POLICIES[code] + statement, code, "2027-03-31")]
    (again,) = [
        d for d in found(POLICIES[code] + statement, code, "2027-04-01") if d.message == warning.message
    ]
    assert again.notes[-1] == "its waiver expired on 2027-03-31"
    assert again.help[-1].startswith("if the reason still holds, extend the date of `accept ")
    assert not [text for text in again.help if text.startswith("to waive it")]


def test_what_is_set_by_hand_is_waived_when_a_bundle_is_compiled(tmp_path: Path) -> None:
    arguments = ("compile", "policy.tune", "--target", "syscfg", "-o", "out", "--today", "2027-04-01")
    write(tmp_path, POLICIES["W0501"])
    assert "warning[W0501]: `c1e` must be set by hand" in run(*arguments, folder=tmp_path).err
    waived = POLICIES["W0501"] + 'accept omission of c1e because "set at delivery, FAC-12";'
    write(tmp_path, waived)
    ran = run(*arguments, folder=tmp_path)
    assert ran.status == 0
    assert "W0501" not in ran.err and "W0403" not in ran.err
    assert "C1E" in (tmp_path / "out/manual-steps.md").read_text(encoding="utf-8")
    write(tmp_path, waived.replace('FAC-12"', 'FAC-12" until 2027-03-31'))
    assert "= its waiver expired on 2027-03-31" in run(*arguments, folder=tmp_path).err


def settings_of(text: str) -> list[str]:
    """The settings that follow advice of a source that is out of scope."""
    (warning,) = [d for d in found(text, "W0301") if "`dell-12g-tuning`" in d.message]
    (note,) = [note for note in warning.notes if note.startswith("settings: ")]
    return [each.split()[0] for each in note.removeprefix("settings: ").split(", ")]


def test_a_waiver_about_a_setting_leaves_the_others_of_its_source() -> None:
    before = settings_of(SEVERAL)
    assert len(before) > 2
    about = f'accept advice about {before[0]} because "LAB-31";'
    assert settings_of(SEVERAL + about) == before[1:]
    both = f'accept advice of dell-12g-tuning about {before[0]} because "LAB-31";'
    assert settings_of(SEVERAL + both) == before[1:]
    other = f'accept advice of cern-nehalem about {before[0]} because "LAB-31";'
    assert settings_of(SEVERAL + other) == before
    assert [d.message for d in found(SEVERAL + other, "W0403")] == [
        f"waiver for `advice of cern-nehalem about {before[0]}` has no effect: the warnings do not occur in this plan"
    ]


def test_of_two_waivers_the_one_that_lasts_longer_counts() -> None:
    """Neither is without effect: each would waive it alone."""
    both = 'accept advice about smt because "a" until 2027-01-01; accept advice of dell-11g-hpc because "b" until 2027-06-30;'
    for today, number in (("2026-12-31", 0), ("2027-01-02", 0), ("2027-07-01", 1)):
        assert len(found(TEST_FIRST + both, "W0303", today)) == number
        assert not found(TEST_FIRST + both, "W0403", today)


def test_a_waiver_hides_no_warning_of_another_kind() -> None:
    text = (
        'goal throughput; cpu sandy-bridge; set smt off because "LIC-9"; accept advice about smt because "x";'
    )
    assert found(text, "W0302")
    assert found(text, "W0403")


def test_a_narrower_level_replaces_the_terms_of_a_wider_one() -> None:
    text = (
        'cpu westmere; goal efficiency; workload comm-bound; accept advice about smt because "a" until 2027-01-01;'
        'for group g { accept advice about smt because "b"; }'
    )
    done = plan(text, "2028-01-01")
    assert done.plan is not None
    assert [(w.name, w.because, w.inherited) for w in done.plan.waivers] == [("advice about smt", "b", False)]
    assert [d.code for d in done.findings] == ["W0305"]


def test_what_one_group_needs_has_an_effect_in_the_file(tmp_path: Path) -> None:
    text = """
    cpu westmere; accept advice about smt because "LAB-31";
    for group batch { goal efficiency; workload comm-bound; }
    for group web { goal balanced; workload interactive; }
    """
    write(tmp_path, text)
    codes = [d.code for d in check_files({str(tmp_path / "policy.tune"): ""}).findings]
    assert "W0403" not in codes and "W0303" not in codes


@pytest.mark.parametrize(
    ("statement", "message", "help_"),
    [
        ("advice", "`accept advice` does not say which advice is waived", "accept advice of SOURCE"),
        ("advise of dell-11g-hpc", "unknown kind of waiver `advise`", "did you mean `advice`?"),
        ("advice of dell-11g-hcp", "unknown source `dell-11g-hcp`", "did you mean `dell-11g-hpc`?"),
        ("advice about hyperthreading", "unknown setting `hyperthreading`", "`smt`"),
        ("override of trubo", "unknown setting `trubo`", "did you mean `turbo`?"),
        ("omission", "`accept omission` does not say", "accept omission of SETTING"),
        ("omission of c1e about smt", "does not say which omission", "accept omission of SETTING"),
        ("override about smt", "`accept override about smt` does not say", "accept override of NAME"),
    ],
)
def test_a_wrong_waiver_is_an_error_that_names_the_right_one(
    statement: str, message: str, help_: str
) -> None:
    (error,) = plan(f'{TEST_FIRST} accept {statement} because "x";').findings.errors
    assert error.code == "E0201"
    assert message in error.message
    assert help_ in " ".join(error.help)


def test_a_waiver_is_stated_once_and_has_a_reason() -> None:
    twice = 'accept advice about smt because "a"; accept advice about smt because "b";'
    assert [d.code for d in plan(TEST_FIRST + twice).findings.errors] == ["E0302"]
    assert [d.code for d in plan(f'{TEST_FIRST} accept advice about smt because " ";').findings.errors] == [
        "E0209"
    ]


@given(policies(), st.lists(waived(), unique=True, max_size=3))
@settings(max_examples=examples(40), deadline=None)
def test_a_waiver_changes_no_value_and_loses_no_warning(draft: Draft, names: list[str]) -> None:
    """What it covers is in the plan, and shows again on the day after it has expired."""
    waivers = [f'accept {name} because "drawn" until 2026-11-20' for name in names]
    before, after, expired = (
        draft.plan("2026-11-20"),
        draft.adding(*waivers).plan("2026-11-20"),
        draft.adding(*waivers).plan("2026-11-21"),
    )
    assume(before.plan is not None)
    assert before.plan is not None and after.plan is not None
    for ours, theirs in zip(after.plan.settings, before.plan.settings, strict=True):
        assert (ours.value, ours.unwritten) == (theirs.value, theirs.unwritten)
    assert after.plan.effects == before.plan.effects
    kept = [*after.plan.advisories, *(each for w in after.plan.waivers for each in w.covers)]
    assert sorted({d.code for d in kept}) == sorted({d.code for d in before.plan.advisories})
    assert {d.code for d in expired.findings} - {"W0403", "W0912"} == {d.code for d in before.findings}


# ------------------------------------------------------------------------------------- what shows them

WAIVED = TEST_FIRST + 'accept advice of dell-11g-hpc because "benchmarked, LAB-31" until 2027-03-31;'


def test_they_are_listed_with_those_of_hazards(tmp_path: Path) -> None:
    write(tmp_path, WAIVED)
    ran = run("waivers", ".", "--today", "2027-04-01", folder=tmp_path)
    assert (ran.status, ran.out.split()[:4]) == (3, ["advice", "of", "dell-11g-hpc", "expired"])
    assert "benchmarked, LAB-31" in run("plan", "policy.tune", folder=tmp_path).out
    assert "| `advice of dell-11g-hpc` | `smt off` may not suit your application" in (
        run("plan", "policy.tune", "--format", "markdown", "--today", "2026-11-20", folder=tmp_path).out
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (TEST_FIRST, WAIVED, "is new: until 2027-03-31, because benchmarked, LAB-31"),
        (WAIVED, TEST_FIRST, "is gone"),
        (
            WAIVED,
            WAIVED.replace("31;", "30;"),
            "has other terms: until 2027-03-30, because benchmarked, LAB-31",
        ),
        (WAIVED, WAIVED.replace("2027", "2026"), "expired on 2026-03-31: what it waived is shown again"),
    ],
)
def test_a_difference_shows_waivers_that_came_or_went(tmp_path: Path, old: str, new: str, words: str) -> None:
    comparison = compare(tmp_path, old, new)
    assert [change.name for change in only(comparison).waivers] == ["advice of dell-11g-hpc"]
    assert f"waiver for advice of dell-11g-hpc {words}" in " ".join(comparison_text(comparison, 200).split())
    assert f"Waiver for `advice of dell-11g-hpc` {words}" in comparison_markdown(comparison)
    assert not compare(tmp_path, old, old).differences
