"""What the library says of Lenovo's ThinkSystem V3 with Xeon: what SAP sets there, and the other state of switches.

No registry of one is at hand. The tables are typed from lenovo-sr650-v3.yaml, lenovo-sr850-v3-new.yaml and
lenovo-sr950-v3.yaml (sapcc/helm-charts at 14641da), without how a server starts and finds devices: first what the three
share, then what one has alone. The last two columns are what the library calls the attribute and the value, with the
other state that it leaves to a person.
"""

from __future__ import annotations

import pytest

from conformance.printed import advised, attributes, offered, policies, requests, rows, spelled
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.targets.redfish import TARGET as REDFISH
from support.machines import GOALS
from support.plans import planned

HERE = "platform thinksystem-v3-intel"
MODELS = ("thinksystem-v3-intel", "sr650-v3", "sr850-v3", "sr950-v3")
TOGETHER = "SR650 V3, SR850 V3 and SR950 V3"
MODES = ("maximum-performance", "efficiency-favor-performance", "efficiency-favor-power", "minimal-power")
"""Those that LP1836 names: "four preset operating modes, Minimal Power, Efficiency – Favor Power, Efficiency – Favor
Performance and Maximum Performance"."""

SHARED = f"""
OperatingModes_ChooseOperatingMode | CustomMode         | operating-mode custom                  | {" ".join(MODES)}
Processors_CStates                 | Disabled           | c-states off                           | on
Processors_C1EnhancedMode          | Disabled           | c1e off                                | on
Processors_EnergyEfficientTurbo    | Disabled           | energy-efficient-turbo off             | on
Processors_MONITORMWAIT            | Enabled            | monitor-mwait on                       | off
Power_PowerPerformanceBias         | PlatformControlled | energy-performance-bias-owner platform |
Power_PlatformControlledType       | MaximumPerformance | energy-performance-bias performance    |
Power_WorkloadConfiguration        | I_OSensitive       | workload-configuration io-sensitive    |
Processors_L1                      | Disabled           | upi-l1 off                             | on
Processors_UncoreFrequencyScaling  | Disabled           | uncore-frequency maximum               | dynamic
DevicesandIOPorts_PCI64BitResourceAllocation | Auto     | mmio-above-4gb auto                    |
"""

SR650_V3 = """
DevicesandIOPorts_MMConfigBase | Auto | mmcfg-base auto |
Processors_CPUPstateControl | Autonomous | p-state-control autonomous |
"""

SR950_V3 = """
DevicesandIOPorts_MMConfigBase | Auto | mmcfg-base auto |
Processors_CPUPstateControl | None | p-state-control none |
"""

SR850_V3 = """
Processors_CPUPstateControl               | None               | p-state-control none         |
DevicesandIOPorts_MMConfigBase            | MMConfigBase_3GB   | mmcfg-base 3gb               |
Processors_P_StateHysteresis              | P-StateHysteresis_0Us | p-state-hysteresis none   |
DevicesandIOPorts_IntelVTforDirectedIOVTd | Enabled            | iommu on                     | off
Memory_MemorySpeed                        | MaximumPerformance | memory-frequency maximum     |
Memory_PatrolScrub                        | Enabled            | memory-patrol-scrub standard | off
Power_ASPM                                | Disabled           | pcie-aspm off                |
Power_PCIePowerBrake                      | Disabled           | pcie-power-brake off         |
Processors_CPUFrequencyLimits             | FullTurboUplift    | turbo-limits none            |
Processors_CPUPCIeRelaxedOrdering         | Disabled           | pcie-relaxed-ordering off    | on
Processors_DCUIPPrefetcher                | Enabled            | dcu-ip-prefetcher on         | off
Processors_HyperThreading                 | Enabled            | smt on                       | off
Processors_LimitCPUPAto46bits             | Disabled           | physical-address-limit off   | on
Processors_LLCPrefetch                    | Enabled            | llc-prefetch on              | off
Processors_SNC                            | Disabled           | sub-numa-cluster off         | on
Processors_TurboMode                      | Enabled            | turbo on                     | off
Processors_UPILinkFrequency               | MaximumPerformance | qpi-speed maximum            |
Processors_UPIPrefetcher                  | Enabled            | upi-prefetch on              | off
"""

OWN = {"sr650-v3": SR650_V3, "sr850-v3": SR850_V3, "sr950-v3": SR950_V3}


def printed() -> dict[str, tuple[str, dict[str, str], set[str]]]:
    """Of each setting: its attribute, the text of each value that somebody sets, the values without a text."""
    found: dict[str, tuple[str, dict[str, str], set[str]]] = {}
    for table in (SHARED, *OWN.values()):
        for attribute, text, meant, other in rows(table):
            setting, value = meant.split()
            found.setdefault(setting, (attribute, {}, set()))[1][value] = text
            found[setting][2].update(other.split())
    return found


def test_what_is_offered_is_set_by_sap_or_a_switchs_other_state(knowledge: Knowledge) -> None:
    for setting, (attribute, texts, others) in printed().items():
        offer = offered(knowledge, HERE, setting)
        assert set(offer.values) == texts.keys() | others, setting
        assert (offer.default, offer.unknown) == ("", True), setting
        (attributes_of,) = spelled(knowledge, HERE, setting)
        assert attributes_of.names == (attribute,)
        assert {one.value: one.text for one in attributes_of.texts if one.text} == texts, setting


def test_nothing_else_is_offered() -> None:
    for model in MODELS:
        plan = planned(f"goal balanced; platform {model}")
        assert {each.setting for each in plan.settings if each.layer == "firmware"} == printed().keys()


def test_places_are_the_files(knowledge: Knowledge) -> None:
    shared = {meant.split()[0] for _, _, meant, _ in rows(SHARED)}
    for setting, (attribute, _, _) in printed().items():
        at = offered(knowledge, HERE, setting).citation.at
        if setting in shared:
            named = "LP1836; " if setting == "operating-mode" else ""
            assert at == f"{named}{TOGETHER}, {attribute}"
        elif setting == "p-state-control":
            assert at == f"SR650 V3, {attribute}; SR850 V3; SR950 V3"
        elif setting == "mmcfg-base":
            assert at == f"SR650 V3 and SR950 V3, {attribute}; SR850 V3"
        else:
            assert at == f"SR850 V3, {attribute}"


def test_all_of_it_is_free_in_the_custom_mode_alone(knowledge: Knowledge) -> None:
    (preset,) = [one for one in knowledge.presets if knowledge.box_text(one.when) == HERE]
    members = printed().keys() - {"operating-mode"}
    assert preset.governor == "operating-mode"
    assert preset.columns == {
        "custom": dict.fromkeys(members, "free"),
        **{mode: {} for mode in MODES},
    }


@pytest.mark.parametrize(
    ("goal", "mode", "source"),
    [
        ("performance", "maximum-performance", "lenovo-v3-xeon-captures"),
        # "maximizes the performance/watt efficiency with a bias towards power savings"
        ("efficiency", "efficiency-favor-power", "lenovo-spec-flags"),
    ],
)
@pytest.mark.parametrize("model", MODELS)
def test_the_makers_own_mode_is_not_taken_apart(model: str, goal: str, mode: str, source: str) -> None:
    plan = planned(f"goal {goal}; platform {model}")
    assert f"operating-mode {mode}" in advised(f"goal {goal}; platform {model}", source)
    assert [each.setting for each in plan.settings if each.layer == "firmware" and each.written] == [
        "operating-mode"
    ]


@pytest.mark.parametrize("goal", ["performance", "throughput"])
@pytest.mark.parametrize("workload", ["virtualized", "kubernetes-node"])
@pytest.mark.parametrize("model", OWN)
def test_hosts_have_what_sap_sets(model: str, workload: str, goal: str) -> None:
    policy = f"goal {goal}; platform {model}; workload {workload}"
    table = [*rows(SHARED), *rows(OWN[model])]
    assert advised(policy, "sap-metal-settings") == {meant for _, _, meant, _ in table}
    sent = attributes(planned(policy).settings)
    assert sent.items() >= {attribute: text for attribute, text, _, _ in table}.items()


@pytest.mark.parametrize("goal", GOALS)
def test_a_request_has_only_what_sap_sends(goal: str) -> None:
    """And the custom mode with it."""
    legal = {attribute: set(texts.values()) for attribute, texts, _ in printed().values()}
    for policy in policies(goal, MODELS):
        sent = requests(planned(policy))
        assert all(text in legal[name] for name, text in sent.items())
        assert not sent or sent["OperatingModes_ChooseOperatingMode"] == "CustomMode"


def test_a_value_that_sap_does_not_send_is_a_manual_step() -> None:
    plan = planned('goal latency; platform sr650-v3; set smt off because "a test"')
    assert "smt" in dict(REDFISH.emit(plan).left_out)
