"""Values that are added to settings: a stricter value within a wider one, and what the wider one's knowledge says of
it."""

import pytest

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.plan.model import Plan
from support.plans import plan_of_text

SITE = """
source lab { title "Notes on our servers"; publisher "Our lab"; }
platform farm { within poweredge-15g; }
setting fan-offset { title "Fan offset"; layer firmware; values low, medium, high; }
setting fan-alarm { title "Fan alarm"; layer firmware; values on, off; }
fan-offset lower { within low; }
fan-offset lowest { within lower; }
options of lab when platform farm { fan-alarm on, off default on at "Menu"; }
"""
ADVICE = """
rule quiet-farm of lab at "Run 1" {
    when platform farm, goal any; use fan-offset low; because "people work there";
}
"""


def plan(*statements: str, offered: str = "high, lower", policy: str = "") -> Plan:
    offer = f'options of lab when platform farm {{ fan-offset {offered} default high at "Menu"; }}'
    return plan_of_text(SITE + offer + "".join(statements) + "goal latency; platform farm; " + policy)


@pytest.mark.parametrize(
    ("offered", "value"),
    [
        ("high, low, lower", "low"),  # The recommended value itself.
        ("high, lower", "lower"),  # The only one within it.
        ("high, lowest", "lowest"),  # At any depth.
        ("high, lower, lowest", "high"),  # It does not say which.
        ("high, medium", "high"),
    ],
)
def test_a_recommendation_is_for_the_value_within_if_that_alone_is_offered(offered: str, value: str) -> None:
    assert plan(ADVICE, offered=offered).value("fan-offset") == value


def test_the_reason_says_which_value_was_recommended() -> None:
    decision = plan(ADVICE).setting("fan-offset")
    assert decision is not None
    assert decision.cause.note == "It recommends low, of which lower is offered here."


@pytest.mark.parametrize(
    ("condition", "alarm"),
    [
        ("fan-offset low", "off"),
        ("fan-offset lower", "off"),
        ("fan-offset lowest", "on"),
        ("fan-offset not low", "on"),
        ("fan-offset low or high", "off"),
    ],
)
def test_conditions_on_a_value_are_true_for_those_within_it(condition: str, alarm: str) -> None:
    rule = f"""
        rule alarm of lab at "Run 2" {{
            when platform farm, goal any, {condition}; use fan-alarm off; because "nobody hears it";
        }}
    """
    assert plan(rule, policy='set fan-offset lower because "a test";').value("fan-alarm") == alarm


def test_what_requires_a_value_is_satisfied_by_one_within_it() -> None:
    constraint = """
        constraint silence of lab at "Menu" {
            when platform farm, fan-alarm off; require fan-offset low; because "the firmware demands it";
        }
    """
    assert plan(constraint, policy='set fan-alarm off because "a test";').value("fan-offset") == "lower"


def test_a_policy_sets_the_value_that_is_offered() -> None:
    with pytest.raises(SetpointError) as refused:
        plan(policy='set fan-offset low because "a test";')
    assert refused.value.diagnostics[0].code == "E0502"


@pytest.mark.parametrize(
    ("statement", "code", "message"),
    [
        ("fan-offset low { }", "K07", "value of `fan-offset` `low` is listed twice|twice|again"),
        ("fan-offset calm { within quiet; }", "E0202", "`quiet`"),
        ("fan-offset calm { within calm; }", "K07", "lies within itself"),
        ("fan-offset calm { implies cpu skylake; }", "K07", "a value of a setting has no field `implies`"),
        ("fan-offset free { }", "K07", "`free` cannot be a value"),
        ("fan-ofset calm { }", "E0201", "`fan-ofset`"),
        ("swappiness 70 { }", "K07", "takes `70` without naming it"),
    ],
)
def test_what_makes_no_sense_is_refused(statement: str, code: str, message: str) -> None:
    with pytest.raises(SetpointError, match=message) as refused:
        plan(statement)
    assert refused.value.diagnostics[0].code == code
