"""What SAP runs its servers with, file by file."""

import json

import pytest

from conformance.printed import advised, attributes, rows, values_of
from setpoint.compiler.knowledge.model import Knowledge
from support.machines import GOALS
from support.plans import planned

PERFORMANCE = "SysProfile: PerfOptimized | system-profile performance"
OPTIMIZER = "MemOpMode: OptimizerMode     | memory-mode optimizer"

DEFAULT = f"""
{PERFORMANCE}
{OPTIMIZER}
"""

R860 = f"""
{DEFAULT}
LlcPrefetch: Enabled         | llc-prefetch on
AdddcSetting: Disabled       | adddc-sparing off
ProcUncoreFreqRapl: Disabled | uncore-rapl off
"""

SR655_V3 = """
Processors_SMTMode: "Enabled"      | smt on
Processors_SVMMode: "Enabled"      | virtualization on
DevicesandIOPorts_IOMMU: "Enabled" | iommu on
DevicesandIOPorts_SRIOV: "Enabled" | sr-iov on
Memory_Interleave: "Enabled"       | memory-channel-interleaving on
"""

V1 = """
OperatingModes_ChooseOperatingMode: "CustomMode"   | operating-mode custom
Processors_CStates: "Disable"                      | c-states off
Processors_C1EnhancedMode: "Disable"               | c1e off
Processors_EnergyEfficientTurbo: "Disable"         | energy-efficient-turbo off
Processors_MONITORMWAIT: "Enable"                  | monitor-mwait on
Power_PowerPerformanceBias: "PlatformControlled"   | energy-performance-bias-owner platform
Power_PlatformControlledType: "MaximumPerformance" | energy-performance-bias performance
Power_WorkloadConfiguration: "I_OSensitive"        | workload-configuration io-sensitive
Processors_L1: "Disable"                           | upi-l1 off
Processors_CPUPstateControl: "Autonomous"          | p-state-control autonomous
Processors_UncoreFrequencyScaling: "Disable"       | uncore-frequency maximum
DevicesandIOPorts_PCI64BitResourceAllocation: "Auto" | mmio-above-4gb auto
DevicesandIOPorts_MMConfigBase: "MMConfigBase_3GB" | mmcfg-base 3gb
"""
"""What lenovo-sr650.yaml, lenovo-sr850p.yaml and lenovo-sr950.yaml share."""

FILES = {
    **dict.fromkeys(("r640", "r740", "r660", "r760", "r770"), DEFAULT),
    "r7615": PERFORMANCE,
    "r860": R860,
    **dict.fromkeys(("sr650", "sr850p", "sr950"), V1),
    "sr655-v3": SR655_V3,
}
"""The models that `values.yaml` has, of those that the library knows."""

SPEED = ("performance", "throughput")


@pytest.mark.parametrize("server", ["sr650", "sr850p", "sr950"])
def test_an_artifact_sends_what_the_file_has(server: str) -> None:
    """The file of the first ThinkSystem servers has the texts that the library sends, but for VMD and how they
    start."""
    plan = planned(f"goal performance; platform {server}; workload virtualized")
    printed = dict(text.split(": ") for text, _ in rows(V1))
    assert (
        attributes(plan.settings).items()
        >= {name: json.loads(text) for name, text in printed.items()}.items()
    )


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("workload", ["virtualized", "kubernetes-node"])
@pytest.mark.parametrize("server", FILES)
def test_a_plan_has_what_sap_runs(server: str, workload: str, goal: str) -> None:
    """A profile that it names brings its members along."""
    found = advised(f"goal {goal}; platform {server}; workload {workload}", "sap-metal-settings")
    if goal not in SPEED:
        assert not found
    elif PERFORMANCE in FILES[server]:
        assert found >= values_of(FILES[server])
    else:
        assert found == values_of(FILES[server])


def test_a_server_without_a_file_has_none_of_it() -> None:
    assert not advised("goal throughput; platform r750; workload virtualized", "sap-metal-settings")


def test_it_is_practice(knowledge: Knowledge) -> None:
    strengths = {rule.strength for rule in knowledge.rules if rule.citation.source == "sap-metal-settings"}
    assert strengths == {"practice"}
