"""What is related to the scope of a source: its advice is in scope there, and weaker; on a small knowledge base.

Both forms of the meaning are asked.
"""

import pytest
from proof.both_forms import context, set_valued, single
from proof.small import knowledge, rule

from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.proof.analysis import Analyses
from setpoint.compiler.resolution.resolve import resolve
from support.ask import plan, warnings

BASE = """
fact goal { title "Goal"; role intent; required; values fast, cool; }
fact server { title "Server"; }
server ours { title "Of the maker"; }
server theirs { title "Of another maker, with the same processors"; }
server other { title "With other processors"; }
source paper { title "Paper"; publisher "P"; }
source lab {
    title "Lab";
    publisher "P";
    scope server ours;
    related server theirs strength test-first because "they have the same processors";
}
setting boost { title "Boost"; layer firmware; values on, off, auto; }
options of paper { boost on, off, auto default auto at "Menu"; }
"""


def decided(base: Knowledge, server: str) -> tuple[str, str, str]:
    """The value of `boost`, its strength, and why it is not written; both forms say the same."""
    one = context(base, {"goal": "fast", "server": server}, {})
    assert one is not None
    result = single(base, one)
    assert set_valued(Analyses(base), one) == result
    decision = resolve(base, one).setting("boost")
    assert decision is not None
    assert decision.value == result.values["boost"]
    return decision.value, decision.cause.weight, decision.unwritten


@pytest.mark.parametrize(
    ("server", "value"),
    [
        ("ours", ("auto", "vendor", "")),
        ("theirs", ("auto", "test-first", "")),
        ("other", ("auto", "out of scope", "default")),
    ],
)
def test_a_default_is_written_where_related_advice_asks_for_it(
    server: str, value: tuple[str, str, str]
) -> None:
    """As where the source itself applies, but not out of its scope."""
    assert decided(knowledge(rule("r", "boost auto", "goal fast", source="lab"), base=BASE), server) == value


@pytest.mark.parametrize(
    ("other", "ours", "theirs"),
    [
        ("strength vendor;", ("on", "vendor", ""), ("off", "vendor", "")),
        ("strength practice;", ("on", "vendor", ""), ("off", "practice", "")),
    ],
)
def test_it_yields_to_stronger_advice(
    other: str, ours: tuple[str, str, str], theirs: tuple[str, str, str]
) -> None:
    """On the maker's own servers the narrower or stronger of the two wins."""
    base = knowledge(
        rule("lab-says", "boost on", "goal fast, server ours or theirs", source="lab"),
        rule("paper-says", "boost off", "goal fast", other),
        base=BASE,
    )
    assert decided(base, "ours") == ours
    assert decided(base, "theirs") == theirs


def test_it_takes_precedence_over_all_advice_out_of_scope() -> None:
    """Also over what was studied on the very generation that this server follows."""
    base = knowledge(
        rule("lab-says", "boost on", "goal fast, server ours or theirs", source="lab"),
        rule("earlier", "boost off", "goal fast, server other", source="paper"),
        base=BASE.replace('server theirs { title "', 'server theirs { follows other; title "'),
    )
    assert decided(base, "theirs") == ("on", "test-first", "")


def test_advice_that_is_weaker_by_itself_stays_so() -> None:
    base = knowledge(
        rule("r", "boost on", "goal fast", "strength test-first;", source="lab"),
        base=BASE.replace("strength test-first because", "strength practice because"),
    )
    assert decided(base, "ours")[1] == decided(base, "theirs")[1] == "test-first"


def test_the_warning_says_that_others_were_studied_and_why_they_are_related() -> None:
    (said,) = warnings("goal throughput; platform sys-821ge-tnhr; workload oltp", "W0303")
    assert "may not suit this server: `cisco-bios-templates` studied others" in said
    assert said.endswith("related: they take the same processors, but their firmware is another maker's")


def test_many_values_are_counted_and_their_place_is_named_once() -> None:
    (said,) = warnings("goal latency; platform r770; cpu granite-rapids", "W0303")
    message, listed, *places = said.splitlines()
    assert (
        message
        == f"{listed.count(',') + 1} settings may not suit this server: `dell-16g-bios-settings` studied others"
    )
    assert listed.startswith("settings: c-states off, c1e off, ")
    assert places[0] == "dell-16g-bios-settings, Table 1"
    assert len(places) == 2 and places[1].startswith("related: ")


def test_a_policy_that_requires_more_withholds_it() -> None:
    policy = (
        'goal throughput; platform sys-821ge-tnhr; workload oltp; require strength vendor because "OPS-12"'
    )
    assert not [d for d in plan(policy).written if d.cause.source == "cisco-bios-templates"]
