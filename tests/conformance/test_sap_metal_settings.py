"""What SAP runs its servers with, file by file."""

import pytest

from conformance.printed import advised, values_of
from setpoint.compiler.knowledge.model import Knowledge
from support.machines import GOALS

PERFORMANCE = "SysProfile: PerfOptimized | system-profile performance"
OPTIMIZER = "MemOpMode: OptimizerMode     | memory-mode optimizer"

DEFAULT = f"""
{PERFORMANCE}
{OPTIMIZER}
"""

R860 = f"""
{DEFAULT}
LlcPrefetch: Enabled | llc-prefetch on
"""

SR655_V3 = """
Processors_SMTMode: "Enabled"      | smt on
Processors_SVMMode: "Enabled"      | virtualization on
DevicesandIOPorts_IOMMU: "Enabled" | iommu on
DevicesandIOPorts_SRIOV: "Enabled" | sr-iov on
Memory_Interleave: "Enabled"       | memory-channel-interleaving on
"""

FILES = {
    **dict.fromkeys(("r640", "r740", "r660", "r760", "r770"), DEFAULT),
    "r7615": PERFORMANCE,
    "r860": R860,
    "sr655-v3": SR655_V3,
}
"""The models that `values.yaml` has, of those that the library knows."""

SPEED = ("performance", "throughput")


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
