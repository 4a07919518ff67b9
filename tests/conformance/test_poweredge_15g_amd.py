"""What the library says of Dell's servers with EPYC 7002 and 7003: attributes and values, as servers had them.

No registry of such a server is at hand. `SEEN` is typed from what is: the value that the export of an R6515 has, the
texts of other values with where they were seen, and what Dell's table for Azure Local states as the default of an
R6515 and an R7525. A text that nobody has shown is `?`.
"""

from __future__ import annotations

import pytest

from conformance.printed import offered, policies, requests, rows, spelled
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.model import Plan
from support.machines import GOALS
from support.plans import planned

HERE = "platform poweredge-15g-amd"

SEEN = """
system-profile                | SysProfile           | performance PerfOptimized | custom Custom (R7515 menu)               |
cpu-power-management          | ProcPwrPerf          | max-performance MaxPerf   | os-dbpm OsDbpm (EPYC 9004 page)          |
memory-frequency              | MemFrequency         | maximum MaxPerf           |                                          |
turbo                         | ProcTurboMode        | on Enabled                | off Disabled (XE8545 menu)               |
c-states                      | ProcCStates          | off Disabled              | on Enabled (EPYC 9004 page)              |
write-data-crc                | WriteDataCrc         | off Disabled              | on Enabled (R750)                        |
memory-patrol-scrub           | MemPatrolScrub       | standard Standard         |                                          |
memory-refresh-rate           | MemRefreshRate       | 1x 1x                     |                                          |
pcie-aspm                     | PcieAspmL1           | off Disabled              | on Enabled (R7515 menu)                  |
determinism                   | DeterminismSlider    | power PowerDeterminism    | performance PerfDeterminism (R6615)      |
fabric-power-management       | ApbDis               | on Disabled               | off Enabled (EPYC 9004 page)             |
smt                           | LogicalProc          | on Enabled                | off Disabled (dell.go)                   |
virtualization                | ProcVirtualization   | on Enabled                | off Disabled (XE8545 menu)               | on
iommu                         | IommuSupport         | on Enabled                | off Disabled (bios_settings.yml)         |
x2apic                        | ProcX2Apic           | on Enabled                | off Disabled (bios_settings.yml)         | on
numa-nodes-per-socket         | NumaNodesPerSocket   | 1 1                       | 2 2 (dell.go), 4 4 (dell.go), 0 0 (dell.go) | 1
l3-as-numa                    | CcxAsNumaDomain      | off Disabled              | on Enabled (EPYC 9004 page)              |
l1-stream-prefetcher          | L1StreamHwPrefetcher | on Enabled                | off ?                                    |
l2-stream-prefetcher          | L2StreamHwPrefetcher | on Enabled                | off ?                                    |
madt-core-enumeration         | MadtCoreEnumeration  | linear Linear             |                                          |
configurable-tdp              | ProcConfigTdp        | maximum Maximum           | minimum ?                                |
transparent-memory-encryption | TransparentSme       | off Disabled              | on Enabled (BIOS Configuration)          | off
correctable-ecc-smi           | CorrEccSmi           | on Enabled                | off Disabled (R750)                      |
memory-test                   | MemTest              | off Disabled              | on Enabled (R750)                        |
sr-iov                        | SriovGlobalEnable    | on Enabled                | off Disabled (R750)                      | off
"""
"""Setting, attribute, the value that a server had, other values, and Dell's default. The XE8545 had `configurable-tdp`
and `transparent-memory-encryption`, the R7515 `iommu`, which the R6515's firmware of 2021 does not list."""

LOCKED = """
ProcPwrPerf MemFrequency ProcTurboMode ProcCStates WriteDataCrc MemPatrolScrub MemRefreshRate PcieAspmL1 DeterminismSlider ApbDis
"""
"""What the export of the R6515, at PerfOptimized, marks as not to be set on import."""


def seen() -> dict[str, tuple[str, dict[str, str], str, str]]:
    """Of each setting: its attribute, the text of each value ("?" where it is unknown), the value that a server had,
    and the default that Dell states."""
    found = {}
    for setting, attribute, had, others, default in rows(SEEN):
        pairs = [had, *(each.partition(" (")[0] for each in others.split(", ") if each)]
        texts = dict(each.split(" ", 1) for each in pairs)
        found[setting] = attribute, texts, had.split(" ", 1)[0], default
    return found


def of_the_firmware(plan: Plan) -> dict[str, str]:
    return {each.setting: each.value for each in plan.settings if each.layer == "firmware"}


def test_what_is_offered_has_been_seen(knowledge: Knowledge) -> None:
    for setting, (attribute, texts, _, default) in seen().items():
        offer = offered(knowledge, HERE, setting)
        assert set(offer.values) == set(texts), setting
        assert (offer.default, offer.unknown) == (default, not default), setting
        (attributes_of,) = spelled(knowledge, HERE, setting)
        assert attributes_of.names == (attribute,)
        assert {one.value: one.text or "?" for one in attributes_of.texts} == texts, setting


def test_nothing_else_is_offered() -> None:
    assert set(of_the_firmware(planned(f"goal latency; {HERE}"))) == set(seen())


def test_the_performance_profile_locks_what_the_export_marks(knowledge: Knowledge) -> None:
    (preset,) = [one for one in knowledge.presets if knowledge.box_text(one.when) == HERE]
    of = {attribute: (setting, had) for setting, (attribute, _, had, _) in seen().items()}
    members = dict(of[attribute] for attribute in LOCKED.split())
    assert (preset.governor, preset.columns["performance"]) == ("system-profile", members)
    assert preset.columns["custom"] == dict.fromkeys(members, "free")


@pytest.mark.parametrize("goal", GOALS)
def test_a_request_has_only_what_servers_were_seen_with(goal: str) -> None:
    legal = {name: set(texts.values()) - {"?"} for name, texts, _, _ in seen().values()}
    for text in policies(goal, ("r6515", "r7525")):
        sent = requests(planned(text))
        assert {name for name, value in sent.items() if value not in legal[name]} == set(), text
        assert sent.get("SysProfile") == "Custom" or not sent.keys() & set(LOCKED.split())


@pytest.mark.parametrize(
    "name", ["PowerEdge R6515", "PowerEdge R7515", "PowerEdge R6525", "PowerEdge C6525", "PowerEdge XE8545"]
)
def test_each_server_of_the_generation_is_planned(name: str) -> None:
    """Also those that only their family describes."""
    plan = planned(f'goal performance; platform "{name}"')
    assert plan.value("system-profile") == "performance"


def test_guests_have_what_dell_gives_its_own_nodes() -> None:
    """Also the four nodes for each socket, which Dell states for these two servers alone."""
    plan = planned("goal throughput; platform r7525; workload virtualized")
    asked = {
        name: plan.value(name)
        for name in ("virtualization", "sr-iov", "numa-nodes-per-socket", "system-profile")
    }
    assert asked == {
        "virtualization": "on",
        "sr-iov": "on",
        "numa-nodes-per-socket": "4",
        "system-profile": "performance",
    }


def test_a_cluster_of_milan_has_what_azure_runs_its_own_with() -> None:
    plan = planned("goal performance; platform r7525; cpu epyc-7763; workload hpc")
    assert plan.value("smt") == "off"
    assert plan.value("numa-nodes-per-socket") == "2"
    assert plan.value("system-profile") == "custom"
    decision = plan.setting("numa-nodes-per-socket")
    assert decision is not None
    assert decision.cause.source == "azure-hbv3"


def test_a_plan_for_efficiency_leaves_the_profile_that_the_server_came_with() -> None:
    plan = planned("goal efficiency; platform r7525")
    decision = plan.setting("system-profile")
    assert decision is not None
    assert decision.unwritten
