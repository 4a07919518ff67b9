"""Processors that no paper studied: whose advice they get, with which strength, and their known differences."""

import pytest

from knowledge.refusals import conflict, spelt
from support.ask import decision, plan, warnings

IVY_BRIDGE = ("ivy-bridge", "e5-2400-v2", "e5-2600-v2", "e5-2697-v2", "e5-4600-v2")


@pytest.mark.parametrize("cpu", IVY_BRIDGE)
def test_ivy_bridge_gets_the_advice_for_sandy_bridge_out_of_scope(cpu: str) -> None:
    """The paper names E5-2400, E5-2600 and E5-4600 (Introduction), and is of 2012, before their second version."""
    policy = f"goal throughput; workload java; cpu {cpu}"
    assert plan(policy).fact("platform") == "poweredge-12g"
    turbo = decision(policy, "turbo")
    assert (turbo.value, turbo.because[0].name) == ("on", "turbo-for-throughput-12g")
    assert turbo.because[0].strength == "out-of-scope"
    assert any("`dell-12g-tuning`" in shown for shown in warnings(policy, "W0301"))


@pytest.mark.parametrize("cpu", ["e5-2600", "e5-2690", "e5-4600"])
def test_on_sandy_bridge_the_paper_is_in_scope(cpu: str) -> None:
    assert warnings(f"goal throughput; workload java; cpu {cpu}", "W0301") == ()


def test_a_server_whose_processor_is_not_named_is_inside_of_the_papers_scope() -> None:
    assert warnings("goal throughput; workload java; platform r720", "W0301") == ()


def test_memory_at_1866_is_for_ivy_bridge_alone() -> None:
    """The R720's registry has 1866 MHz; the processors of the paper go to 1600 MT/s (Introduction)."""
    policy = "goal balanced; set memory-frequency 1866"
    assert plan(spelt(f"{policy}; cpu e5-2600-v2")).value("memory-frequency") == "1866"
    conflict(f"{policy}; cpu e5-2600", "dell-12g-tuning", "Introduction")


def test_memory_at_2933_is_for_cascade_lake_alone() -> None:
    """The released firmware of the 14th generation has 2933 MHz; Skylake goes to 2666 MT/s, as the paper says."""
    policy = "goal balanced; set memory-frequency 2933"
    assert plan(spelt(f"{policy}; cpu cascade-lake; platform r640")).value("memory-frequency") == "2933"
    conflict(f"{policy}; cpu skylake", "dell-14g-hpc", "Description of the Skylake processor")


@pytest.mark.parametrize(("platform", "vendor"), [("r640", "dell"), ("ucs-m5", "cisco")])
def test_cascade_lake_is_in_servers_of_two_makers(platform: str, vendor: str) -> None:
    assert plan(f"goal latency; cpu xeon-gold-6248; platform {platform}").fact("vendor") == vendor


@pytest.mark.parametrize(
    "cpu", ["e5-1650", "e5-1650-v2", "e5-2428l-v3", "e5-4650-v3", "e5-4669-v4", "e7-4870", "e7-8890-v3"]
)
def test_processors_of_no_server_here_imply_none(cpu: str) -> None:
    """Of Westmere-EX, intel_pstate is not the driver either."""
    policy = f"goal latency; os rhel 9; cpu {cpu}"
    assert "platform" not in {fact.name for fact in plan(policy).facts}
    assert len(warnings(policy, "W0304")) == 1
    offered = {each.setting for each in plan(policy).settings}
    assert ("intel-pstate" in offered) == (cpu != "e7-4870")
