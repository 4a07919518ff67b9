"""The proof reports where it stops (K20), and still proves what it can."""

from itertools import combinations

import pytest

from proof.small import BASE, FIRST, constraint, findings, knowledge, rule
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.proof import bounds, situations
from setpoint.compiler.proof.difference import difference
from setpoint.compiler.resolution import narrow as single
from setpoint.compiler.resolution.narrow import Effort


def deciding(number: int) -> list[str]:
    """A number of facts that each affect the fans independently."""
    facts = [f'fact f{i} {{ title "F"; values a, b, c; }}' for i in range(number)]
    order = [rule(f"r{i}", "fans low", f"f{i} a", f"exception to r{i - 1};" * (i > 0)) for i in range(number)]
    return [*facts, *order]


def crowd(number: int) -> list[str]:
    """So many settings of four values, of which no two may be the same."""
    values = [f"v{i}" for i in range(4)]
    settings = [
        f'setting s{i} {{ title "S"; layer firmware; values {", ".join(values)}; }}'
        f'options of paper {{ s{i} {", ".join(values)} default v{i % 4} at "Menu"; }}'
        for i in range(number)
    ]
    pairs = [(a, b, value) for a, b in combinations(range(number), 2) for value in values]
    return settings + [constraint(f"c{a}-{b}-{v}", f"s{a} {v}, s{b} {v}", "forbid") for a, b, v in pairs]


def test_many_facts_that_decide_one_setting_are_not_proven_and_the_rest_is() -> None:
    tie = [rule("t1", "boost on", "model m1"), rule("t2", "boost off", "rack front")]
    found = findings(*deciding(24), *tie)
    assert sorted(d.code for d in found) == ["K01", "K20"]
    (bounded,) = (d for d in found if d.code == "K20")
    assert bounded.message == "setting `fans` is not proven: there are more than 131,072 situations"
    assert "f0, f1, f10" in bounded.notes[0]
    assert len(bounded.others) == bounds.MOST_SHOWN - 1


def test_few_facts_that_decide_one_setting_are_proven() -> None:
    assert "K20" not in {d.code for d in findings(*deciding(6))}


def test_the_bound_also_applies_to_checks_of_hazards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two settings that a hazard names are analysed together; each alone is proven."""
    monkeypatch.setattr(situations, "MOST_SITUATIONS", 3)
    by_model = rule("by-model", "boost off", "model m1")
    by_rack = rule("by-rack", "fans mid", "rack front")
    both = 'hazard h of paper at "F" { when boost off, fans mid; because "loud"; }'
    messages = [d.message for d in findings(by_model, by_rack, both) if d.code == "K20"]
    assert messages == [
        f"settings `boost`, `fans` are not proven: there are more than {bounds.MOST_SITUATIONS:,} situations"
    ]


def test_facts_that_are_linked_in_too_many_ways_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("setpoint.compiler.proof.combinations.MOST_COMBINATIONS", 3)
    (found,) = findings('model m3 { title "Three"; implies rack front; }')
    assert found.code == "K20"
    assert found.message.startswith("nothing is proven")
    assert "model, rack" in found.notes[0]


def chain(number: int) -> list[str]:
    """So many settings, of which each reads the one before."""
    settings = [
        f'setting s{i} {{ title "S"; layer firmware; values on, off; }}'
        f'options of paper {{ s{i} on, off default off at "Menu"; }}'
        for i in range(number)
    ]
    return settings + [rule(f"r{i}", f"s{i} on", f"s{i - 1} off") for i in range(1, number)]


def test_settings_that_read_each_other_in_a_long_chain_are_reported() -> None:
    (found,) = findings(*chain(720))
    assert found.code == "K20"
    assert found.message == "nothing is proven: rules must be examined together more than 500,000 times"
    assert found.at.line == FIRST + 719


def test_thousands_of_rules_of_one_setting_are_reported() -> None:
    rules = [rule(f"r{i}", "boost on", "model m1") for i in range(1_600)]
    (found,) = findings(*rules)
    assert found.code == "K20"
    assert found.at.line == BASE[: BASE.index("setting boost")].count("\n") + 1


def test_rules_that_are_fewer_are_proven() -> None:
    assert "K20" not in {each.code for each in findings(*chain(30))}


def test_a_search_that_is_too_hard_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {d.code for d in findings(*crowd(5))} == {"K03"}
    monkeypatch.setattr(single, "Effort", lambda: Effort(20))
    found = findings(*crowd(5))
    assert {d.code for d in found} == {"K20"}
    assert found[0].message.startswith(
        "settings `s0`, `s1`, `s2`, `s3`, `s4` are not proven: the search for values of"
    )


def test_a_comparison_that_is_too_much_is_refused() -> None:
    with pytest.raises(SetpointError) as error:
        difference(knowledge(*deciding(24)[:24]), knowledge(*deciding(24)))
    assert [d.code for d in error.value.diagnostics] == ["K20"]
