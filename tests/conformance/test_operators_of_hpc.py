"""What operators run servers for high performance computing with, line by line."""

import pytest

from conformance.printed import advised, values_of
from setpoint.compiler.knowledge.model import Knowledge
from support.machines import GOALS

HOSTS = """
Simultaneous Multithreading (SMT) is disabled on HBv4, HBv3, HBv2 | smt off
Nodes per Socket (NPS) = 2                                        | numa-nodes-per-socket 2
L3 as NUMA = Disabled                                             | l3-as-numa off
C-states = Enabled                                                | c-states on
"""
"""The three pages have the same lines."""

SPEED = ("performance", "throughput")


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("server", ["r7615", "r6615"])
def test_a_plan_has_what_microsoft_runs(server: str, goal: str) -> None:
    found = advised(f"goal {goal}; platform {server}; workload hpc", "azure-hbv4")
    assert found == (values_of(HOSTS) if goal in SPEED else values_of(""))


@pytest.mark.parametrize("source", ["azure-hbv2", "azure-hbv3", "azure-hbv4"])
def test_it_is_practice(source: str, knowledge: Knowledge) -> None:
    found = {f"{rule.setting} {rule.value}" for rule in knowledge.rules if rule.citation.source == source}
    strengths = {rule.strength for rule in knowledge.rules if rule.citation.source == source}
    assert (found, strengths) == (values_of(HOSTS), {"practice"})


@pytest.mark.parametrize("goal", GOALS)
def test_on_earlier_processors_as_well(goal: str) -> None:
    """What HPE's profile for HPC fixes otherwise is not theirs."""
    for cpu, source in (("epyc-rome", "azure-hbv2"), ("epyc-milan", "azure-hbv3")):
        found = advised(f"goal {goal}; platform dl385-gen10-plus-v2; cpu {cpu}; workload hpc", source)
        assert found <= values_of(HOSTS)
        assert bool(found) == (goal in SPEED)


def test_a_vendors_word_on_its_own_servers_comes_first() -> None:
    """Cisco has four NUMA nodes of each socket on the same processors."""
    found = advised("goal throughput; platform ucs-m8-amd; workload hpc", "cisco-bios-templates")
    assert "numa-nodes-per-socket 4" in found
