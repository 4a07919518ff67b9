"""What takes precedence: scope, the site, strength, nearness, the narrower condition; on a small knowledge base.

Both forms of the meaning are asked, in either order of the statements.
"""

import pytest
from proof.both_forms import Result, context, set_valued, single
from proof.small import knowledge, rule

from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.parse import parse
from setpoint.compiler.proof.analysis import Analyses
from setpoint.compiler.resolution.resolve import resolve

BASE = """
fact goal { title "Goal"; role intent; required; values fast, cool; }
fact work { title "Work"; values batch, web; }
fact server { title "Server"; }
server gen1 { title "First generation"; }
server gen2 { title "Second generation"; follows gen1; }
server gen3 { title "Third generation"; follows gen2; }
fact chip { title "Processor"; }
chip alpha { title "Alpha"; implies server gen1; }
chip alpha-2 { title "Alpha 2"; implies server gen1; }
chip beta { title "Beta"; implies server gen2; }
source batch-paper { title "On batch"; publisher "P"; scope work batch; }
source paper { title "Paper"; publisher "P"; }
source new-batch { title "On batch, second edition"; publisher "P"; scope work batch; supersedes paper; }
setting boost { title "Boost"; layer firmware; values on, off, auto; }
options of paper { boost on, off, auto default auto at "Menu"; }
"""


def decided(base: Knowledge, **facts: str) -> str:
    """The value of `boost`, or the code of an error; both forms say the same."""
    one = context(base, {"goal": "fast", **facts}, {})
    assert one is not None
    result: Result = single(base, one)
    assert set_valued(Analyses(base), one) == result
    return result.values.get("boost", result.code)


def both(a: str, b: str) -> list[Knowledge]:
    """The knowledge base with two statements, in either order."""
    return [knowledge(a, b, base=BASE), knowledge(b, a, base=BASE)]


# ----------------------------------------------------------------------------------------- narrower conditions


def test_a_condition_is_narrower_than_one_that_it_implies() -> None:
    """`chip alpha` implies `server gen1`, so advice for the chip takes precedence over advice for the server."""
    for base in both(
        rule("of-server", "boost on", "server gen1"), rule("of-chip", "boost off", "chip alpha")
    ):
        assert decided(base, chip="alpha") == "off"
        assert decided(base, server="gen1") == "on"


def test_every_value_of_a_condition_must_imply_it() -> None:
    for base in both(
        rule("of-server", "boost on", "server gen1"), rule("of-chips", "boost off", "chip alpha or beta")
    ):
        assert decided(base, chip="alpha") == "E0303"
        assert decided(base, chip="beta") == "off"


def test_two_conditions_that_imply_each_other_tie() -> None:
    """Neither is narrower: every server that satisfies one satisfies the other."""
    mutual = BASE.replace('title "Third generation"', 'title "Third generation"; implies work web') + (
        'fact site { title "Site"; } site north { title "North"; implies place hall; }'
        'fact place { title "Place"; } place hall { title "Hall"; implies site north; }'
    )
    rules = rule("a", "boost on", "site north"), rule("b", "boost off", "place hall")
    assert decided(knowledge(*rules, base=mutual), site="north") == "E0303"


# ------------------------------------------------------------------------------------------------ out of scope


def site(text: str) -> Knowledge:
    """The base with a site's own file."""
    trees = [parse(SourceText("library.tune", LIBRARY)), parse(SourceText("site.tune", text))]
    return build([LayeredFile(trees[0], "stdlib"), LayeredFile(trees[1], "site")])


LIBRARY = BASE + rule("in-scope", "boost on", "goal fast")
SITE = 'source bench { title "Bench"; publisher "Us"; scope work batch; }' + rule(
    "ours", "boost off", "goal fast", source="bench"
)


def test_a_site_outranks_the_library_within_the_scope_that_it_declares_itself_and_not_beyond() -> None:
    assert decided(site(SITE), work="batch") == "off"
    assert decided(site(SITE)) == "off"  # an unstated use is inside of every scope
    assert decided(site(SITE), work="web") == "on"


@pytest.mark.parametrize(
    ("strength", "value"), [("test-first", "auto"), ("vendor", "on"), ("measured", "on")]
)
def test_test_first_advice_out_of_scope_does_not_override_the_vendors_default(
    strength: str, value: str
) -> None:
    base = knowledge(
        rule("tried", "boost on", "goal fast", f"strength {strength};", source="batch-paper"), base=BASE
    )
    assert decided(base, work="batch") == "on"
    assert decided(base, work="web") == value


def test_advice_too_weak_for_the_default_is_shown_as_a_loser() -> None:
    base = knowledge(
        rule("tried", "boost on", "goal fast", "strength test-first;", source="batch-paper"), base=BASE
    )
    one = context(base, {"goal": "fast", "work": "web"}, {})
    assert one is not None
    (boost,) = resolve(base, one).settings
    assert (boost.origin, [(lost.name, lost.reason) for lost in boost.beat]) == (
        "default",
        [("tried", "untested-here")],
    )


def test_without_a_known_default_weak_advice_decides_if_there_is_no_other() -> None:
    unknown = BASE.replace("default auto", "default unknown")
    tried = rule("tried", "boost on", "goal fast", "strength test-first;", source="batch-paper")
    said = rule("said", "boost off", "goal fast", source="batch-paper")
    assert decided(knowledge(tried, base=unknown), work="web") == "on"
    assert decided(knowledge(tried, said, base=unknown), work="web") == "off"


def test_it_asks_to_be_tested_out_of_scope_as_well() -> None:
    tried = rule("tried", "boost on", "goal fast", "strength test-first;", source="batch-paper")
    base = knowledge(tried, base=BASE.replace("default auto", "default unknown"))
    one = context(base, {"goal": "fast", "work": "web"}, {})
    assert one is not None
    assert {"W0301", "W0303"} <= {d.code for d in resolve(base, one).advisories}


# ----------------------------------------------------------------------------------------------- measured when


def test_measured_advice_is_measured_on_its_hardware_and_vendor_on_related_hardware() -> None:
    measured = rule("figure", "boost on", "server gen1", "strength measured when chip alpha;")
    printed = rule("printed", "boost off", "server gen1, goal fast")  # narrower, so that it wins among equals
    for base in both(measured, printed):
        assert decided(base, chip="alpha") == "on"
        assert decided(base, chip="alpha-2") == "off"
        assert decided(base, server="gen1") == "on"  # its processor may be the one that was measured


def test_measured_on_hardware_that_a_server_does_not_take_is_not_measured_there() -> None:
    measured = rule("figure", "boost on", "goal fast", "strength measured when chip alpha;")
    base = knowledge(measured, rule("printed", "boost off", "goal fast, server gen2"), base=BASE)
    assert decided(base, server="gen2") == "off"  # no Alpha sits in the second generation


def test_a_row_of_a_table_says_where_it_was_measured_too() -> None:
    table = 'table "T" of paper { goal fast; boost on strength measured when chip alpha; }'
    base = knowledge(table, rule("other", "boost off", "goal fast, server gen1"), base=BASE)
    assert decided(base, chip="alpha") == "on"
    assert decided(base, chip="alpha-2") == "off"


# ------------------------------------------------------------------------------------------------- withdrawals


def test_an_exception_from_outside_its_scope_withdraws_nothing_that_is_in_scope() -> None:
    strong = rule("strong", "boost on", "goal fast", "strength measured;")
    weak = rule("weak", "boost off", "goal fast", "exception to strong;", source="batch-paper")
    for base in both(strong, weak):
        assert decided(base, work="batch") == "off"
        assert decided(base, work="web") == "on"


def test_an_edition_withdraws_only_advice_that_is_at_most_as_much_in_scope() -> None:
    old = rule("old", "boost on", "goal fast", "strength measured;")
    new = rule("new", "boost off", "goal fast", "strength test-first;", source="new-batch")
    for base in both(old, new):
        assert decided(base, work="batch") == "off"
        assert decided(base, work="web") == "on"


def test_out_of_scope_the_nearer_rule_withdraws_the_farther_one_and_not_the_other_way_round() -> None:
    far = rule("far", "boost on", "server gen1")
    near = rule("near", "boost off", "server gen2", "exception to far;")
    assert decided(knowledge(far, near, base=BASE), server="gen3") == "off"
    near = rule("near", "boost off", "server gen2")
    far = rule("far", "boost on", "server gen1", "exception to near;")
    assert decided(knowledge(far, near, base=BASE), server="gen3") == "off"
