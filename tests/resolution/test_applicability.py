"""How far a source applies: which values an unstated fact may have beside the others, and what follows what.

Found by the comparison with the second implementation (`tests/meaning`).
"""

import pytest
from proof.both_forms import context, set_valued, single
from proof.small import knowledge, rule

from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.proof.analysis import Analyses

BASE = """
fact goal { title "Goal"; role intent; required; values fast, cool; }
fact fans { title "Fans"; values one, two; }
fact server { title "Server"; }
server small { title "Small"; allows chip not big-chip; }
server large { title "Large"; }
fact chip { title "Processor"; }
chip big-chip { title "Big"; }
chip odd-chip { title "Odd"; allows fans one; }
chip new-chip { title "New"; within odd-chip; follows old-chip; }
chip old-chip { title "Old"; }
source paper { title "Paper"; publisher "P"; }
source on-big { title "On big processors"; publisher "P"; scope chip big-chip; }
source on-both { title "On both"; publisher "P"; scope chip big-chip or odd-chip; }
setting boost { title "Boost"; layer firmware; values on, off; }
options of paper { boost on, off at "Menu"; }
"""


def decided(base: Knowledge, **facts: str) -> str:
    """The value of `boost`; both forms say the same."""
    one = context(base, {"goal": "fast", **facts}, {})
    assert one is not None
    result = single(base, one)
    assert set_valued(Analyses(base), one) == result
    return result.values["boost"]


def against(source: str) -> Knowledge:
    """Advice of a source against weaker advice that is in scope everywhere."""
    return knowledge(
        rule("scoped", "boost on", "goal fast", source=source),
        rule("anywhere", "boost off", "goal fast", "strength test-first;"),
        base=BASE,
    )


def test_a_source_is_out_of_scope_on_a_server_that_does_not_take_its_processors() -> None:
    """Here the server excludes the processors; the processor is not stated."""
    assert decided(against("on-big"), server="small") == "off"
    assert decided(against("on-big"), server="large") == "on"
    assert decided(against("on-big")) == "on"


@pytest.mark.parametrize(
    ("facts", "value"),
    [
        ({"server": "small", "fans": "two"}, "off"),
        ({"server": "small", "fans": "one"}, "on"),
        ({"server": "large", "fans": "two"}, "on"),
    ],
)
def test_a_scope_is_compatible_if_one_of_its_values_fits(facts: dict[str, str], value: str) -> None:
    """The server excludes one value, the fans the other."""
    assert decided(against("on-both"), **facts) == value


def test_what_a_not_excludes_stays_excluded_whatever_it_follows() -> None:
    base = knowledge(
        rule("not-these", "boost off", "chip not odd-chip"),
        rule("tried", "boost on", "goal fast", "strength test-first;", source="on-big"),
        base=BASE,
    )
    assert decided(base, chip="old-chip") == "off"
    assert decided(base, chip="new-chip") == "on"  # it follows old-chip, but lies within odd-chip


def test_what_a_rule_names_outside_of_its_scope_is_not_followed() -> None:
    """new-chip follows old-chip, which the rule names but its source did not study."""
    both = knowledge(
        rule("studied-big", "boost off", "goal fast, chip big-chip or old-chip", source="on-big"), base=BASE
    )
    old = knowledge(rule("studied-old", "boost off", "goal fast, chip old-chip", source="on-big"), base=BASE)
    assert decided(both, chip="old-chip") == "off"  # out of scope
    assert decided(both, chip="new-chip") == "on"
    assert decided(old, chip="new-chip") == "off"  # the scope has nothing of what this rule names
