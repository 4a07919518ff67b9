"""Derived figures: ratios that are computed from what a source measured together, and what cannot be computed."""

import pytest
from proof.small import FIRST, knowledge

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.knowledge.derivation import ratio_text
from setpoint.compiler.knowledge.model import Citation, Measurement

POWER = """measurements "Table 1" of paper when model m1 { label load; metric watts in "W"; metric volts in "V";
columns boost load watts volts;
row on "rest" 100 12; row off "rest" 50.0 12; row on "work" 250 12; row off "work" 150 12; }"""

SPEED = """measurements "Table 2" of paper when model m1 { label run; metric speed in "1/s"; metric watts in "W";
derive thrift in "1/J" from %s;
columns boost run speed watts; row %s; row off "a" 300 150; }"""


def derived(derivation: str, row: str = 'on "a" 500 200', power: str = POWER) -> list[Measurement]:
    made = knowledge(power, SPEED % (derivation, row))
    return sorted((m for m in made.measurements if m.computed), key=lambda m: m.name)


def refused(derivation: str, row: str = 'on "a" 500 200', power: str = POWER) -> Diagnostic:
    with pytest.raises(SetpointError) as caught:
        derived(derivation, row, power)
    (found,) = caught.value.diagnostics
    return found


@pytest.mark.parametrize(
    ("dividend", "shares", "ratio"),
    [
        ("100", [("1", "8")], "10"),  # the divisor has one digit, and 12.5 rounds to the even one
        ("100", [("1", "8.00")], "12.5"),
        ("300", [("1", "200")], "1.50"),
        ("0.910", [("1", "12.0")], "0.0758"),
        ("-3.00", [("1", "1.50")], "-2.00"),
        ("117.97", [("0.2", "130.916"), ("0.8", "273.54")], "0.48148"),
        ("0", [("1", "7")], "0"),
        ("600000", [("1", "1")], "600000"),
        ("5", [("1", "0.0")], ""),
        ("5", [("1", "2"), ("0.5", "-4")], ""),
    ],
)
def test_a_ratio_has_the_digits_of_its_least_precise_figure(
    dividend: str, shares: list[tuple[str, str]], ratio: str
) -> None:
    assert ratio_text(dividend, shares) == ratio


def test_a_ratio_of_two_columns_is_computed_for_each_row() -> None:
    on, off = derived("speed per watts")
    assert [(m.metric, m.unit, m.low, m.high) for m in (on, off)] == [
        ("thrift", "1/J", "2.50", "2.50"),
        ("thrift", "1/J", "2.00", "2.00"),
    ]
    assert (on.when, on.labels) == ((("model", "m1"), ("boost", "on")), (("run", "a"),))
    assert on.citation == Citation("paper", "Table 2")
    assert (on.computed, on.remarks) == ("speed / watts", "Computed from speed / watts")


def test_an_empty_cell_makes_no_ratio() -> None:
    assert [m.low for m in derived("speed per watts", 'on "a" 500 _')] == ["2.00"]
    assert [m.low for m in derived("speed per watts", 'on "a" _ 200')] == ["2.00"]


def test_the_divisor_can_be_a_mix_of_figures_at_another_place() -> None:
    on, off = derived('speed per 0.2 watts when load rest and 0.8 watts when load work at "Table 1"')
    assert (on.low, off.low) == ("2.27", "2.31")  # 500 / 220, 300 / 130
    assert on.citation == Citation("paper", "Table 2; Table 1")
    assert on.computed == "speed / (0.2 watts (load rest) + 0.8 watts (load work)), the divisor at Table 1"


def test_the_divisor_was_measured_under_the_conditions_of_the_row() -> None:
    """Not on another model, nor with a setting that the row does not have."""
    other = 'measurements "Table 1" of paper when model m2 { metric watts in "W"; columns boost watts; row on 7; row off 7; }'
    ours = 'measurements "Table 1" of paper when model m1 { %s metric watts in "W"; columns boost watts; row on 80; row off 75; }'
    assert [m.low for m in derived('speed per watts at "Table 1"', power=f"{other}\n{ours % ''}")] == [
        "6.2",
        "4.0",
    ]
    found = refused('speed per watts at "Table 1"', power=f"{other}\n{ours % 'hold fans high;'}")
    assert (found.code, found.message) == (
        "K07",
        "no figure of `watts` at Table 1 under the conditions of a row",
    )


@pytest.mark.parametrize(
    ("derivation", "code", "message"),
    [
        ("pace per watts", "E0201", "unknown metric `pace`"),
        ("speed per volts", "E0201", "unknown metric `volts`"),
        ('speed per amps at "Table 1"', "E0201", "unknown metric `amps`"),
        ('speed per watts at "Table 9"', "E0201", "unknown table `Table 9`"),
        ('speed per watts when state rest at "Table 1"', "E0201", "unknown label `state`"),
        ('speed per half watts when load rest at "Table 1"', "K07", "`half` is no weight"),
        ('speed per watts at "Table 1"', "K07", "2 figures of `watts` at Table 1 under the conditions of a row"),
        (
            'speed per watts when load sleep at "Table 1"',
            "K07",
            "no figure of `watts (load sleep)` at Table 1 under the conditions of a row",
        ),
        (
            'speed per watts when load rest and volts when load rest at "Table 1"',
            "K07",
            "a sum of `W` and `V`",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_computed_is_reported(derivation: str, code: str, message: str) -> None:
    found = refused(derivation)
    assert (found.code, found.message) == (code, message)
    assert found.at.line > FIRST


def test_a_division_by_zero_is_reported_with_the_row() -> None:
    found = refused("speed per watts", 'on "a" 500 0.0')
    assert (found.code, found.message) == ("K07", "`thrift` divides by zero")
    assert [label.text for label in found.others] == ["for this row"]


@pytest.mark.parametrize("name", ["speed", "run"])
def test_a_derived_metric_has_a_name_of_its_own(name: str) -> None:
    with pytest.raises(SetpointError) as caught:
        knowledge(POWER, (SPEED % ("speed per watts", 'on "a" 1 2')).replace("thrift", name))
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [
        ("K07", f"`{name}` is declared in this table already")
    ]


def test_another_limit_than_variation_is_reported() -> None:
    noise = 'measurement m of paper at "T" { vary boost on from off; metric speed in "%"; value 1; within noise; }'
    with pytest.raises(SetpointError) as caught:
        knowledge(noise)
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [("E0202", "unknown limit `noise`")]


def test_an_intent_is_judged_by_more_or_less() -> None:
    with pytest.raises(SetpointError) as caught:
        knowledge('goal quiet { title "Quiet"; means fewer noise; }')
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [("E0202", "unknown direction `fewer`")]
