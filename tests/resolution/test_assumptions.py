"""Assumptions for unstated facts: by a site before the library, then under the narrower condition."""

import pytest

from setpoint.compiler.binding.context import Context
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import knowledge_for, planned

NETWORKS = """
assume interconnect gigabit-ethernet because "most racks";
assume interconnect infiniband when cpu westmere because "the old cluster";
assume interconnect omni-path when cpu westmere, goal throughput because "its new half";
"""


def context(text: str) -> Context:
    """The context of the policy that a text is."""
    program = program_of_text(text)
    (done,) = planned(program, knowledge_for(program))
    assert done.context is not None
    return done.context


def assumed(text: str, fact: str) -> tuple[str, str]:
    """The value of a fact in the plan of a text, and the reason."""
    entry = context(text).facts[fact]
    assert entry.origin == "assumed"
    return entry.value, entry.because


@pytest.mark.parametrize(
    ("policy", "value"),
    [
        ("goal latency; cpu nehalem", "gigabit-ethernet"),
        ("goal latency; cpu westmere", "infiniband"),
        ("goal throughput; cpu westmere", "omni-path"),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_the_narrower_condition_wins_in_any_order(policy: str, value: str, order: int) -> None:
    statements = NETWORKS.strip().splitlines()[::order]
    assert assumed("\n".join(statements) + policy, "interconnect")[0] == value


def test_a_site_assumes_before_the_library_does() -> None:
    assert assumed('goal latency; cpu westmere; assume os rhel-9 because "all of ours"', "os") == (
        "rhel-9",
        "all of ours",
    )


WIDE = """
assume os rhel-9 when os linux, os not linux-4.12 because "all of ours";
"""


@pytest.mark.parametrize(
    ("text", "value", "origin"),
    [
        ("os linux", "modern-linux", "assumed"),  # names no release
        ("os linux-4.12", "linux-4.12", "stated"),  # of which the condition says that it is not meant
        ("os rhel-7", "rhel-7", "stated"),  # which the assumed value does not lie within
        (f"os linux; {WIDE}", "rhel-9", "assumed"),
        (WIDE, "modern-linux", "assumed"),  # nothing is stated, which is no `linux`
        (f"os modern-linux; {WIDE}", "modern-linux", "stated"),
    ],
)
def test_a_condition_on_the_fact_itself_asks_for_a_wider_value(text: str, value: str, origin: str) -> None:
    facts = context(f"goal latency; cpu westmere; {text}").facts
    assert (facts["os"].value, facts["os"].origin) == (value, origin)
