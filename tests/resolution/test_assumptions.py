"""Assumptions for unstated facts: by a site before the library, then under the narrower condition."""

import pytest

from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import knowledge_for, planned

NETWORKS = """
assume interconnect gigabit-ethernet because "most racks";
assume interconnect infiniband when cpu westmere because "the old cluster";
assume interconnect omni-path when cpu westmere, goal throughput because "its new half";
"""


def assumed(text: str, fact: str) -> tuple[str, str]:
    """The value of a fact in the plan of a text, and the reason."""
    program = program_of_text(text)
    (done,) = planned(program, knowledge_for(program))
    assert done.context is not None
    entry = done.context.facts[fact]
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
