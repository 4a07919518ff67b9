"""What submitters of MLPerf Power ran their servers with, attribute by attribute as the file has them."""

import pytest

from conformance.printed import attributes
from setpoint.compiler.knowledge.model import Knowledge
from support.machines import GOALS
from support.plans import planned

SOURCE = "mlperf-power-xr12"

XR12 = """
LogicalProc          = Enabled
ProcVirtualization   = Enabled
KernelDmaProtection  = Disabled
ProcAdjCacheLine     = Enabled
ProcHwPrefetcher     = Enabled
DcuStreamerPrefetcher = Enabled
DcuIpPrefetcher      = Enabled
SubNumaCluster       = Disabled
MadtCoreEnumeration  = RoundRobin
XptPrefetch          = Enabled
LlcPrefetch          = Enabled
DeadLineLlcAlloc     = Enabled
DirectoryAtoS        = Disabled
ProcX2Apic           = Enabled
ProcCores            = All
OptimizerMode        = Auto
SysProfile           = PerfPerWattOptimizedDapc
MemOpMode            = OptimizerMode
CorrEccSmi           = Enabled
"""


@pytest.mark.parametrize("server", ["xr12", "r750", "xr11"])
def test_a_plan_has_what_the_submitter_ran(server: str) -> None:
    plan = planned(f"goal efficiency; platform {server}; cpu ice-lake; workload gpu-inference")
    written = attributes(plan.written)
    for line in XR12.strip().splitlines():
        name, _, value = line.partition("=")
        assert (name, written.get(name.strip())) == (name, value.strip())


def test_on_other_servers_of_the_generation_it_is_to_be_tested_first() -> None:
    """The list is of one server."""
    strengths = {
        server: {decision.cause.strength for decision in plan.written if decision.cause.source == SOURCE}
        for server in ("xr12", "r750", "xr11")
        for plan in [planned(f"goal efficiency; platform {server}; workload gpu-inference")]
    }
    assert strengths == {"xr12": {"practice"}, "r750": {"test-first"}, "xr11": {"test-first"}}


def test_servers_of_other_generations_have_nothing_of_it() -> None:
    plan = planned("goal efficiency; platform r760; workload gpu-inference")
    assert not [decision for decision in plan.settings if decision.cause.source == SOURCE]


@pytest.mark.parametrize("goal", sorted({*GOALS} - {"efficiency"}))
def test_for_other_goals_nobody_is_asked_to_save_power(goal: str) -> None:
    plan = planned(f"goal {goal}; platform r750; cpu ice-lake; workload gpu-inference")
    assert not [decision for decision in plan.settings if decision.cause.source == SOURCE]


def test_it_is_practice(knowledge: Knowledge) -> None:
    assert {rule.strength for rule in knowledge.rules if rule.citation.source == SOURCE} == {"practice"}


@pytest.mark.parametrize("server", ["xr12", "r750"])
def test_it_comes_before_the_template_of_another_maker(server: str) -> None:
    """Cisco's templates turn the prefetchers off to save power, and were made for its own servers, and for any work."""
    plan = planned(f"goal efficiency; platform {server}; cpu ice-lake; workload gpu-inference")
    decision = plan.setting("hardware-prefetcher")
    assert decision is not None
    assert (decision.value, decision.cause.source) == ("on", SOURCE)
    assert "cisco-bios-templates" in {loser.citation.source for loser in decision.beat if loser.citation}
