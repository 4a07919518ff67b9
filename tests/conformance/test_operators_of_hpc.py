"""What operators run servers for high performance computing with, line by line."""

import pytest

from conformance.printed import advised, values_of
from setpoint.compiler.knowledge.model import Knowledge
from support.machines import GOALS

HBV4 = """
Simultaneous Multithreading (SMT) is disabled on HBv4 | smt off
Nodes per Socket (NPS) = 2                            | numa-nodes-per-socket 2
L3 as NUMA = Disabled                                 | l3-as-numa off
C-states = Enabled                                    | c-states on
"""

SPEED = ("performance", "throughput")


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("server", ["r7615", "r6615"])
def test_a_plan_has_what_microsoft_runs(server: str, goal: str) -> None:
    found = advised(f"goal {goal}; platform {server}; workload hpc", "azure-hbv4")
    assert found == (values_of(HBV4) if goal in SPEED else values_of(""))


def test_it_is_practice(knowledge: Knowledge) -> None:
    strengths = {rule.strength for rule in knowledge.rules if rule.citation.source == "azure-hbv4"}
    assert strengths == {"practice"}


def test_a_vendors_word_on_its_own_servers_comes_first() -> None:
    """Cisco has four NUMA nodes of each socket on the same processors."""
    found = advised("goal throughput; platform ucs-m8-amd; workload hpc", "cisco-bios-templates")
    assert "numa-nodes-per-socket 4" in found
