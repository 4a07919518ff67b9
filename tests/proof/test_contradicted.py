"""Advice that measurements of its own goal contradict: K23."""

from zlib import crc32

import pytest

from proof.small import BASE, FIRST, example, findings, knowledge, rule, with_site
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.proof.checks.contradicted import comparisons

JUDGED = BASE.replace(
    "values fast, cool; }",
    'values cool; }\ngoal fast { title "Fast"; means more speed; means less delay; }',
)

OFF = rule("r", "boost off", "model m1, goal fast")


def effect(value: str, more: str = "", metric: str = "speed", when: str = "when model m1;") -> str:
    return (
        f'measurement m{crc32(repr((value, more, metric, when)).encode())} of paper at "Figure 1" {{ {when} {more} '
        f'vary boost on from off; metric {metric} in "%"; value {value}; }}'
    )


def table(*rows: str, unit: str = "1/s", hold: str = "", at: str = "Table 2") -> str:
    held = f"hold {hold};" if hold else ""
    text = f'measurements "{at}" of paper when model m1 {{ label run; {held} metric speed in "{unit}"; '
    return text + "columns run boost speed; " + " ".join(f"row {row};" for row in rows) + " }"


def contradicted(*statements: str, base: str = JUDGED) -> list[Diagnostic]:
    return [found for found in findings(*statements, base=base) if found.code == "K23"]


def test_advice_for_the_worse_value_is_found() -> None:
    (found,) = contradicted(OFF, effect("4 to 9"))
    assert found.message == "`r` recommends `boost off`, but `boost on` was measured to be better"
    assert (found.at.line, [label.span.line for label in found.others]) == (FIRST + 1, [FIRST + 2])
    assert found.notes[:2] == (
        "goal fast means more speed",
        "more speed with boost on: the figure of paper, Figure 1",
    )
    assert example(found) == "goal fast; model m1"


@pytest.mark.parametrize(
    "figure",
    [
        effect("-4"),
        effect("-2 to 3"),
        effect("0"),
        effect("4", "within variation;"),
        effect("4", metric="noise"),
        effect("4", metric="delay"),
        effect("4", when="when model m2;"),
        table('"a" on 5', '"b" off 4'),
        table('"a" on 5', '"a" off 4', unit="% over mid"),
        table('"a" on 5', '"a" off 4', '"b" on 4', '"b" off 5'),
        table('"a" on 5', '"a" off 5'),
    ],
)
def test_figures_that_do_not_say_so_are_none(figure: str) -> None:
    assert contradicted(OFF, figure) == []


@pytest.mark.parametrize(
    "figure",
    [
        effect("-4", metric="delay"),
        table('"a" on 5', '"a" off 4'),
        table('"a" on 5', '"a" off 4', '"b" on 5', '"b" off 4', '"c" on 4', '"c" off 5'),
    ],
)
def test_less_can_be_better_and_most_figures_of_a_table_decide(figure: str) -> None:
    assert len(contradicted(OFF, figure)) == 1


def test_figures_of_two_tables_of_a_place_are_compared_if_they_hold_different_values() -> None:
    def held(value: str, speed: int) -> str:
        return (
            f'measurements "Table 2" of paper when model m1 {{ hold boost {value}; metric speed in "1/s"; '
            f"columns fans speed; row low {speed}; }}"
        )

    assert len(contradicted(OFF, held("on", 5), held("off", 4))) == 1
    assert contradicted(OFF, held("on", 5), held("off", 4).replace("low", "high")) == []


def test_derived_figures_count() -> None:
    figures = (
        'measurements "Table 2" of paper when model m1 { metric jobs in "1"; metric time in "s"; '
        'derive speed in "1/s" from jobs per time; columns boost jobs time; row on 50 10; row off 50 20; }'
    )
    assert len(contradicted(OFF, figures)) == 1


def test_a_policy_sets_what_the_system_had_that_was_measured() -> None:
    (found,) = contradicted(OFF, effect("4", "hold fans high;"))
    assert example(found) == 'goal fast; model m1; set fans high because "check"'


def test_advice_that_loses_there_is_no_finding() -> None:
    measured = rule("better", "boost on", "model m1, rack back, goal fast")
    behind = effect("4", when="when model m1, rack back;")
    assert len(contradicted(OFF, behind)) == 1
    assert contradicted(OFF, measured, behind) == []
    assert len(contradicted(OFF, measured, effect("4"))) == 1


def test_advice_to_be_tested_first_says_so_itself() -> None:
    assert (
        contradicted(rule("r", "boost off", "model m1, goal fast", "strength test-first;"), effect("4")) == []
    )


def test_advice_for_another_goal_is_no_finding() -> None:
    assert contradicted(rule("r", "boost off", "model m1, goal cool"), effect("4")) == []


def test_figures_are_about_what_their_source_studied() -> None:
    scoped = JUDGED.replace('publisher "P"; }', 'publisher "P"; scope rack back; }')
    behind = rule("r", "boost off", "model m1, rack back, goal fast")
    (found,) = contradicted(behind, effect("4"), base=scoped)
    assert example(found) == "goal fast; model m1; rack back"
    assert contradicted(behind, effect("4")) == []


def test_a_site_is_told_at_its_own_statement() -> None:
    figure = effect("4").replace("paper", "lab")
    lab = 'source lab { title "Lab"; publisher "P"; }'
    judged = ('goal quick { title "Quick"; means more speed; }', OFF.replace("goal fast", "goal quick"))
    proof = with_site(judged, (lab, figure))
    (found,) = [each for each in proof.findings if each.code == "K23"]
    assert (found.at.file, found.at.line) == ("site.tune", 2)
    assert [label.span.file for label in found.others] == ["small.tune"]
    assert not [each for each in with_site((*judged, effect("4")), (lab,)).findings if each.code == "K23"]


def test_each_comparison_is_of_one_source_and_one_condition() -> None:
    made = knowledge(effect("4"), table('"a" on 5', '"a" off 4'), base=JUDGED)
    (only,) = comparisons(made)
    assert (only.setting, only.values, len(comparisons(made)[only])) == ("boost", ("off", "on"), 2)
