"""Values that leave open which of others they are: what is known of a server, if all that is known is which processors
it takes."""

import pytest

from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.policies.check import check_program
from setpoint.compiler.policies.known import Known
from support.chunks import plan_errors
from support.plans import plan_of_text

KNOWLEDGE = """
source lab { title "Bench notes"; publisher "Example Ltd"; }
source studies { title "Studies"; publisher "Example Ltd"; scope cpu lab-1; }
fact rack { title "Rack"; values north, south; }
cpu lab-1 { title "Lab 1"; implies cpu-vendor intel; allows sockets 1; }
cpu lab-1x { title "Lab 1x"; within lab-1; }
cpu lab-2 { title "Lab 2"; implies cpu-vendor intel; implies rack north; allows sockets 1 or 2; follows lab-1; }
cpu lab-3 { title "Lab 3"; follows lab-2; }
cpu lab-1-or-2 { title "Lab 1 or 2"; values lab-1, lab-2; }
cpu lab-any { title "Any of Lab's"; values lab-1-or-2, lab-3; }
platform node { title "Node"; implies cpu lab-1-or-2; }
setting fans { title "Fans"; layer firmware; values low, high; }
options of lab when cpu lab-any { fans low "Low", high "High" default low at "Menu"; }
"""


def plan(facts: str, rule: str = "") -> Plan:
    """The plan of a policy with these facts, in a library with one rule more."""
    return plan_of_text(f"{KNOWLEDGE} {rule} goal latency; {facts}")


def rule(when: str, source: str = "lab") -> str:
    """A rule for the fans."""
    return f'rule loud of {source} at "Run 1" {{ when goal latency, {when}; use fans high; because "it is hot"; }}'


def fact(of: Plan, name: str) -> str:
    """A fact of a plan, and where it is from."""
    return next(f"{each.value} {each.origin}" for each in of.facts if each.name == name)


@pytest.mark.parametrize(
    ("when", "value"),
    [
        ("cpu lab-1 or lab-2", "high"),
        ("cpu lab-1-or-2", "high"),
        ("cpu lab-any", "high"),
        ("cpu lab-1-or-2 or lab-3", "high"),
        ("cpu lab-2", "low"),  # lab-1 does not follow it
        ("cpu lab-1x or lab-2", "low"),  # not all of lab-1 is named
        ("cpu not lab-1", "high"),  # it is not known to be one, as with a fact that nobody states
        ("cpu not lab-1 or lab-2", "low"),
        ("cpu not westmere", "high"),
    ],
)
def test_a_condition_is_true_if_it_includes_all_values(when: str, value: str) -> None:
    assert plan("platform node;", rule(when)).value("fans") == value


def test_a_server_implies_what_it_takes() -> None:
    assert fact(plan("platform node;"), "cpu") == "lab-1-or-2 implied"
    assert fact(plan("platform node; cpu lab-1x;"), "cpu") == "lab-1x stated"
    assert fact(plan("platform node; cpu lab-any;"), "cpu") == "lab-1-or-2 implied"


def test_what_follows_from_all_values_follows() -> None:
    """Only one of them implies a rack; lab-3 implies nothing."""
    of_both, of_any = plan("cpu lab-1-or-2;"), plan("cpu lab-any;")
    assert fact(of_both, "cpu-vendor") == "intel implied"
    assert not [each for each in of_both.facts if each.name == "rack"]
    assert not [each for each in of_any.facts if each.name == "cpu-vendor"]


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ("platform node; cpu lab-3;", "platform node contradicts cpu lab-3"),
        ("cpu lab-1-or-2; sockets 4;", "cpu lab-1-or-2 contradicts sockets 4"),
        ("cpu lab-1-or-2; sockets 2;", ""),  # lab-2 takes two
        ("cpu lab-1; sockets 2;", "cpu lab-1 contradicts sockets 2"),
    ],
)
def test_what_none_of_its_values_goes_with_contradicts_it(facts: str, message: str) -> None:
    found = [
        each.message for each in plan_errors(SourceText("policy.tune", f"{KNOWLEDGE} goal latency; {facts}"))
    ]
    assert found == ([message] if message else [])


@pytest.mark.parametrize(
    ("facts", "when", "steps"),
    [
        ("cpu lab-1;", "cpu lab-1", -1),
        ("cpu lab-1-or-2;", "cpu lab-1 or lab-2", -1),  # the scope has lab-1: it may be in scope
        ("cpu lab-1-or-2;", "cpu lab-1", 1),  # lab-2 inherits it
        ("cpu lab-any;", "cpu lab-1", 2),  # and so does lab-3, from lab-2
    ],
)
def test_an_open_value_is_as_far_out_of_scope_as_the_farthest_of_its_values(
    facts: str, when: str, steps: int
) -> None:
    decision = plan(facts, rule(when, "studies")).setting("fans")
    assert decision is not None
    assert (decision.value, decision.cause.steps) == ("high", steps)
    assert decision.cause.studied == ("lab-1" if steps > 0 else "")


@pytest.mark.parametrize(
    ("facts", "steps"),
    [
        ("cpu lab-1-or-2; sockets 1;", -1),
        ("cpu lab-1-or-2; sockets 2;", 0),  # it is not lab-1, which takes one socket, and never was lab-3
        ("cpu lab-any; sockets 2;", -1),  # it may be lab-3
        ("sockets 2;", -1),
    ],
)
def test_an_open_value_may_be_in_scope_only_by_a_value_of_its_own(facts: str, steps: int) -> None:
    pair = 'source pair { title "Two"; publisher "Example Ltd"; scope cpu lab-1 or lab-3; }'
    offer = 'options of lab { pumps low "Low", high "High" default low at "Menu"; }'
    setting = 'setting pumps { title "Pumps"; layer firmware; values low, high; }'
    advice = 'rule wet of pair at "Run 1" { when goal latency; use pumps high; because "it is hot"; }'
    decision = plan(facts, f"{pair} {setting} {offer} {advice}").setting("pumps")
    assert decision is not None
    assert decision.cause.steps == steps


def test_any_means_each_of_its_values() -> None:
    facts = """
        fact season { title "Season"; values spring, summer, winter; }
        season warm { values spring, summer; }
        platform node;
        expect fans high under season any;
    """
    found = check_program(program_of_text(f"{KNOWLEDGE} goal latency; {facts}"), Known())
    assert [each.notes[0] for each in found if each.severity == "error"] == [
        "under season spring; season summer; season winter"
    ]
