"""Implied facts: they narrow, in any order, and stating them changes nothing."""

from itertools import permutations

import pytest
from proof.both_forms import context
from proof.small import knowledge, rule

from setpoint.compiler.binding.facts import complete
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.proof.combinations import fact_entries
from support.plans import plan_of_text

RACKS = """
fact goal { title "Goal"; role intent; required; values fast, cool; }
fact maker { title "Maker"; }
maker ours { title "Ours"; }
fact server { title "Server"; }
server gen1 { title "First generation"; }
server gen2 { title "Second generation"; }
server s10 { title "Model 10"; within gen1; implies maker ours; }
server s10x { title "Model 10, later revision"; within s10; }
fact rack { title "Rack"; }
rack r1 { title "Rack 1"; implies server s10; }
rack r2 { title "Rack 2"; implies server gen1; }
fact aisle { title "Aisle"; }
aisle a { title "Aisle A"; implies server gen1; }
aisle b { title "Aisle B"; implies server s10x; }
fact cooling { title "Cooling"; values air, liquid; }
cooling door { title "Rear door"; implies server gen2; }
source paper { title "Paper"; publisher "P"; }
setting boost { title "Boost"; layer firmware; values on, off; }
options of paper { boost on, off default on at "Menu"; }
"""
ASSUMED = 'assume cooling door when goal fast because "most rooms";'


@pytest.fixture(scope="module")
def racks() -> Knowledge:
    return knowledge(rule("any", "boost on", "goal fast"), base=RACKS)


def known(base: Knowledge, **stated: str) -> dict[str, tuple[str, str]]:
    """Each fact except the goal with its value and origin, the same for every order of statements."""
    found = []
    for order in permutations({"goal": "fast", **stated}.items()):
        completed = complete(base, fact_entries(tuple(order)))
        assert not completed.errors
        found.append({n: (e.value, e.origin) for n, e in completed.facts.items() if n != "goal"})
    assert all(each == found[0] for each in found)
    return found[0]


@pytest.mark.parametrize("also", [{}, {"server": "gen1"}, {"server": "s10"}, {"maker": "ours"}])
def test_stating_what_follows_or_a_wider_value_of_it_changes_no_value(
    racks: Knowledge, also: dict[str, str]
) -> None:
    values = {name: value for name, (value, _) in known(racks, rack="r1", **also).items()}
    assert values == {"rack": "r1", "server": "s10", "maker": "ours"}


def test_a_wider_value_is_implied_once_it_is_narrowed(racks: Knowledge) -> None:
    assert known(racks, rack="r1", server="gen1") == known(racks, rack="r1")
    assert known(racks, rack="r1")["server"] == ("s10", "implied")


@pytest.mark.parametrize(
    ("stated", "server"),
    [
        ({"rack": "r1", "aisle": "a"}, "s10"),  # the rack implies the deeper value
        ({"rack": "r2", "aisle": "b"}, "s10x"),  # the aisle does
        ({"rack": "r1", "aisle": "b"}, "s10x"),
        ({"rack": "r1", "aisle": "b", "server": "gen1"}, "s10x"),
    ],
)
def test_of_two_implied_values_the_narrower_is_known(
    racks: Knowledge, stated: dict[str, str], server: str
) -> None:
    assert known(racks, **stated)["server"] == (server, "implied")


def test_a_narrower_value_that_is_stated_stays(racks: Knowledge) -> None:
    assert known(racks, rack="r1", server="s10x")["server"] == ("s10x", "stated")


@pytest.mark.parametrize("stated", [{"rack": "r1", "server": "gen2"}, {"rack": "r1", "cooling": "door"}])
def test_unrelated_values_contradict_each_other(racks: Knowledge, stated: dict[str, str]) -> None:
    assert context(racks, {"goal": "fast", **stated}, {}) is None


def test_what_a_wider_value_implies_may_narrow_that_value_itself() -> None:
    circle = RACKS.replace('title "First generation";', 'title "First generation"; implies maker ours;')
    circle = circle.replace(
        'maker ours { title "Ours"; }', 'maker ours { title "Ours"; implies server s10; }'
    )
    base = knowledge(rule("any", "boost on", "goal fast"), base=circle)
    assert known(base, server="gen1") == {"server": ("s10", "implied"), "maker": ("ours", "implied")}


def test_an_assumption_from_which_a_contradiction_follows_is_not_made() -> None:
    base = knowledge(rule("any", "boost on", "goal fast"), base=RACKS + ASSUMED)
    assert known(base)["cooling"] == ("door", "assumed")
    assert "cooling" not in known(
        base, rack="r1"
    )  # a rear door implies the second generation, the rack the first


@pytest.mark.parametrize(
    ("written", "value"),
    [("cpu X5670", "x5670"), ("CPU x5670", ""), ("platform R710", "r710"), ("os RHEL 6.4", "rhel-6"), ("goal Latency", "latency")],
)  # fmt: skip
def test_the_value_of_a_fact_may_be_written_in_any_case(written: str, value: str) -> None:
    goal = "" if written.startswith("goal") else "goal latency; "
    if not value:
        with pytest.raises(SetpointError, match="unknown fact"):
            plan_of_text(f"{goal}{written};")
        return
    facts = {fact.name: (fact.value, fact.text) for fact in plan_of_text(f"{goal}{written};").facts}
    name, text = written.split(" ", 1)
    assert facts[name] == (value, text)
