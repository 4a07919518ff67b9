"""`require strength`: weaker recommendations are withheld. The plan shows them, and decides as if they were not
there."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from proof.small import knowledge, rule
from review.sides import acting_changes, compare, only

from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import STRENGTHS, Knowledge
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import Selection, planned
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.render.html import page_of, plans_html
from setpoint.compiler.render.markdown import plan_markdown
from setpoint.compiler.render.plan_text import plan_text
from setpoint.compiler.render.words import withheld
from support.effort import examples
from support.policies import Draft, policies

BASE = """
fact goal { title "Goal"; role intent; required; values fast, cool; }
fact work { title "Work"; values batch, web; }
source paper { title "Paper"; publisher "P"; }
source batch-paper { title "On batch"; publisher "P"; scope work batch; }
source newer { title "Second edition"; publisher "P"; supersedes paper; }
setting boost { title "Boost"; layer firmware; values on, off, auto; }
setting sleep { title "Sleep"; layer firmware; values on, off; }
setting profile { title "Profile"; layer firmware; values quiet, loud, custom; }
options of paper {
    boost on, off, auto default auto at "Menu";
    sleep on, off default on at "Menu";
    profile quiet, loud, custom default quiet at "Menu";
}
hazard hot of paper at "Page 9" { when goal fast, boost off; because "slow"; }
"""
PROFILES = 'preset "Menu" of paper { profile quiet loud custom; sleep on off free; }'


def plan(base: Knowledge, statement: str = "", facts: str = "goal fast;") -> Plan:
    """The plan of a policy that requires a strength, or of one that does not."""
    required = f'require strength {statement} because "OPS-12";' if statement else ""
    (found,) = planned(program_of_text(f"{facts} {required}"), base)
    assert found.plan is not None, found.findings
    return found.plan


def boost(base: Knowledge, strength: str = "", facts: str = "goal fast;") -> Decision:
    decision = plan(base, strength, facts).setting("boost")
    assert decision is not None
    return decision


def advice(strength: str, value: str = "off", name: str = "advice", source: str = "paper") -> str:
    return rule(name, f"boost {value}", "goal fast", f"strength {strength};", source=source)


def measured(value: str = "off") -> str:
    """A rule with the figures that its strength needs."""
    return advice("measured", value, "measured") + (
        'measurement gain of paper at "Page 1" { vary boost off from auto; metric speed in "%"; value 3; }'
    )


@pytest.mark.parametrize(
    ("strength", "written_with"),
    [
        ("test-first", ("", "out-of-scope", "test-first")),
        ("practice", ("", "out-of-scope", "test-first", "practice")),
        ("vendor", ("", "out-of-scope", "test-first", "practice", "vendor")),
        ("measured", ("", "out-of-scope", "test-first", "practice", "vendor", "measured")),
    ],
)
def test_advice_is_written_if_it_is_as_strong_as_required(
    strength: str, written_with: tuple[str, ...]
) -> None:
    base = knowledge(measured() if strength == "measured" else advice(strength), base=BASE)
    for required in ("", *STRENGTHS):
        decided = boost(base, required)
        is_written = required in written_with
        assert (decided.value, decided.written) == (("off", True) if is_written else ("auto", False))
        assert [lost.reason for lost in decided.beat] == ([] if is_written else ["withheld"])


def test_out_of_scope_all_advice_is_weaker_than_any_strength() -> None:
    base = knowledge(advice("vendor", source="batch-paper"), base=BASE)
    assert boost(base, "out-of-scope", "goal fast; work web;").value == "off"
    assert boost(base, "test-first", "goal fast; work web;").value == "auto"
    assert boost(base, "vendor", "goal fast; work batch;").value == "off"


def test_what_stronger_advice_beats_anyway_is_not_called_withheld() -> None:
    base = knowledge(advice("vendor", "on", "said"), advice("test-first", "off", "tried"), base=BASE)
    assert [(lost.name, lost.reason) for lost in boost(base, "vendor").beat] == [("tried", "weaker-evidence")]


def test_advice_of_a_site_that_would_win_is_withheld_and_the_librarys_decides() -> None:
    """A site comes before the library, but not with less evidence than the policy requires."""
    library = BASE + advice("vendor", "on", "said")
    site = 'source lab { title "Lab"; publisher "Us"; }' + advice("test-first", "off", "tried", "lab")
    trees = [parse(SourceText("library.tune", library)), parse(SourceText("site.tune", site))]
    base = build([LayeredFile(trees[0], "stdlib"), LayeredFile(trees[1], "site")])
    assert boost(base).value == "off"
    decided = boost(base, "practice")
    assert (decided.value, [(lost.name, lost.reason) for lost in decided.beat]) == (
        "on",
        [("tried", "withheld")],
    )


def test_a_weak_edition_still_withdraws_the_one_before_it() -> None:
    base = knowledge(
        advice("vendor", "on", "first"), advice("test-first", "off", "second", "newer"), base=BASE
    )
    decided = boost(base, "vendor")
    assert (decided.value, {lost.name: lost.reason for lost in decided.beat}) == (
        "auto",
        {"first": "withdrawn", "second": "withheld"},
    )


def test_what_a_profile_implies_is_withheld_where_the_profile_is() -> None:
    """A measured profile implies values of its members at strength `vendor`, and they come with it all the same."""
    figures = (
        'measurement gain of paper at "Page 1" '
        '{ vary profile loud from quiet; metric speed in "%"; value 3; }'
    )
    loud = rule("loud", "profile loud", "goal fast", "strength measured;") + figures
    with_profile = plan(knowledge(PROFILES, loud, base=BASE), "measured")
    assert (with_profile.value("profile"), with_profile.value("sleep")) == ("loud", "off")
    tried = rule("loud", "profile loud", "goal fast", "strength test-first;")
    without = plan(knowledge(PROFILES, tried, base=BASE), "vendor")
    assert (without.value("profile"), without.value("sleep"), without.written) == ("quiet", "on", ())
    assert [(d.setting, lost.value) for d, lost in withheld(without)] == [
        ("sleep", "off"),
        ("profile", "loud"),
    ]


def test_withheld_advice_does_not_tie() -> None:
    base = knowledge(advice("test-first", "off", "one"), advice("test-first", "on", "other"), base=BASE)
    assert boost(base, "vendor").value == "auto"


def test_hazards_are_those_of_what_is_written() -> None:
    base = knowledge(advice("test-first"), base=BASE)
    assert [each.hazard for each in plan(base).hazards] == ["hot"]
    assert plan(base, "vendor").hazards == ()


def test_a_set_needs_no_evidence() -> None:
    base = knowledge(advice("vendor", "on"), base=BASE)
    decided = boost(base, "measured", 'goal fast; set boost off because "PERF-212";')
    assert (decided.value, decided.origin) == ("off", "set")


def test_without_a_known_default_nothing_is_written() -> None:
    unknown = BASE.replace("default auto", "default unknown")
    decided = boost(knowledge(advice("test-first", "on"), base=unknown), "vendor")
    assert (decided.value, decided.unwritten) == ("on", "default")


def test_a_narrower_level_decides() -> None:
    base = knowledge(advice("test-first"), base=BASE)
    text = """
    goal fast; require strength vendor because "OPS-12";
    for group test { require strength test-first because "here we try"; }
    for host t1 in test { require strength measured because "its owner asks for it"; }
    """
    groups = planned(program_of_text(text), base)
    assert {each.subject.name: each.plan.value("boost") for each in groups if each.plan} == {
        "policy": "auto",
        "policy-test": "off",
    }
    (host,) = planned(program_of_text(text), base, Selection(group="test", host="t1"))
    assert host.plan is not None
    assert host.plan.value("boost") == "auto"


def test_the_plan_says_what_is_withheld_and_what_its_values_rest_on() -> None:
    (found,) = planned(program_of_text(WESTMERE), standard())
    assert found.judged is not None
    text = plan_text(found.judged)
    assert "Withheld: weaker than vendor (OPS-12)\n  smt  off  dell-11g-hpc, Table 6 (test-first)\n" in text
    assert f"Evidence: {len(found.judged.plan.written)} vendor.\n" in text
    reports = plan_markdown(found.judged), plans_html([page_of(standard(), found.judged)])
    for report in reports:
        assert "This policy requires strength" in report
        assert "test-first" in report[report.index("Withheld") :]


WESTMERE = 'goal latency; cpu westmere; workload comm-bound; require strength vendor because "OPS-12";'


def test_a_change_of_the_required_strength_is_the_cause_of_what_it_changes(tmp_path: Path) -> None:
    difference = only(compare(tmp_path, WESTMERE.partition("require")[0], WESTMERE))
    old, new, why = acting_changes(difference)["smt"]
    assert (old, new, "strength vendor is required now" in why) == ("off", "on", True)


@given(policies(), st.sampled_from(STRENGTHS))
@settings(max_examples=examples(60), deadline=None)
def test_no_value_rests_on_less_than_is_required(draft: Draft, strength: str) -> None:
    outcome = draft.adding(f'require strength {strength} because "OPS-12"').plan()
    for decision in outcome.plan.settings if outcome.plan else ():
        if decision.origin == "rule":
            assert decision.cause.profile or STRENGTHS.index(decision.cause.strength) >= STRENGTHS.index(
                strength
            )
        for lost in decision.beat:
            assert (
                lost.reason != "withheld"
                or lost.profile
                or (STRENGTHS.index(lost.strength) < STRENGTHS.index(strength))
            )


@given(policies())
@settings(max_examples=examples(60), deadline=None)
def test_whoever_requires_nothing_gets_the_same_plan(draft: Draft) -> None:
    plain = draft.plan()
    outcome = draft.adding('require strength out-of-scope because "OPS-12"').plan()
    assert (plain.plan is None) == (outcome.plan is None)
    if plain.plan and outcome.plan:
        assert outcome.plan.settings == plain.plan.settings
        assert outcome.plan.hazards == plain.plan.hazards
