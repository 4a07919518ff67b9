"""What the library says of Lenovo's first ThinkSystem servers with Xeon: what SAP sets there, and what listings show.

No registry of one is at hand. `SAP` is typed from lenovo-sr650.yaml, lenovo-sr850p.yaml and lenovo-sr950.yaml
(sapcc/helm-charts at 14641da), which agree on it, `KVM` from lenovo-sr850p-kvm.yaml (at 20c6d73), without how a server
starts and finds devices. `TEE160L` and `TEE119N` are the listings of xcat2/confluent-docs at 13dd3b7
(manageconfluent.md, and the release notes of December 2017), as far as the library has the attribute and it is a
switch, or SAP has it too. Where two servers differ, both values are there.
"""

from __future__ import annotations

import pytest

from conformance.printed import attributes, offered, policies, requests, rows, spelled
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.targets.redfish import TARGET as REDFISH
from support.machines import GOALS
from support.plans import planned

HERE = "platform thinksystem-v1"
MODELS = ("thinksystem-v1", "sr650", "sr850p", "sr950")

SAP = """
OperatingModes_ChooseOperatingMode | CustomMode
Processors_CStates                 | Disable
Processors_C1EnhancedMode          | Disable
Processors_EnergyEfficientTurbo    | Disable
Processors_MONITORMWAIT            | Enable
Power_PowerPerformanceBias         | PlatformControlled
Power_PlatformControlledType       | MaximumPerformance
Power_WorkloadConfiguration        | I_OSensitive
Processors_L1                      | Disable
Processors_CPUPstateControl        | Autonomous
Processors_UncoreFrequencyScaling  | Disable
DevicesandIOPorts_MMConfigBase               | MMConfigBase_3GB
DevicesandIOPorts_PCI64BitResourceAllocation | Auto
"""

KVM = """
Processors_CPUPstateControl | None
Processors_LLCPrefetch      | Enable
Memory_ACBootFast           | Enable
Memory_PagePolicy           | Closed
Memory_ColdBootFast         | Enable
Processors_L0p              | Disable
Memory_ADDDCSparing         | Disable
"""
"""What the other three files do not have, or have otherwise."""

TEE160L = """
Processors.TurboMode                     | Enable
Processors.CPUPstateControl              | Autonomous, Cooperative
Processors.CStates                       | Autonomous
Processors.C1EnhancedMode                | Enable
Processors.HyperThreading                | Enable
Processors.TrustedExecutionTechnology    | Disable
Processors.IntelVirtualizationTechnology | Enable
Processors.HardwarePrefetcher            | Enable
Processors.AdjacentCachePrefetch         | Enable
Processors.DCUStreamerPrefetcher         | Enable
Processors.DCUIPPrefetcher               | Enable
Processors.DCA                           | Enable
Processors.EnergyEfficientTurbo          | Enable
Processors.UncoreFrequencyScaling        | Enable
Processors.MONITORMWAIT                  | Enable
Processors.SNC                           | Disable
Processors.UPIPrefetcher                 | Enable
Processors.LLCdeadlinealloc              | Enable
Processors.AesEnable                     | Enable
Processors.LLCPrefetch                   | Disable
Processors.L1                            | Enable
Processors.L0p                           | Enable
"""

TEE119N = """
Processors.CPUPstateControl | Cooperative, Autonomous
Processors.CStates          | Disable, Legacy
Processors.DCA              | Disable
"""
"""What the later listing does not have, or has otherwise."""

# What each attribute is in the library, and which value a text is. `-` is a switch's other state, whose word nobody
# shows.
MEANT = """
OperatingModes_ChooseOperatingMode       | operating-mode                | CustomMode custom, Efficiency-FavorPerformance efficiency-favor-performance, MaximumPerformance maximum-performance, Efficiency-FavorPower efficiency-favor-power, MinimalPower minimal-power
Processors_CStates                       | c-states                      | Legacy on, Autonomous autonomous, Disable off
Processors_C1EnhancedMode                | c1e                           | Enable on, Disable off
Processors_EnergyEfficientTurbo          | energy-efficient-turbo        | Enable on, Disable off
Processors_MONITORMWAIT                  | monitor-mwait                 | Enable on, - off
Processors_CPUPstateControl              | p-state-control               | Autonomous autonomous, Cooperative cooperative, None none
Processors_UncoreFrequencyScaling        | uncore-frequency              | Enable dynamic, Disable maximum
Power_PowerPerformanceBias               | energy-performance-bias-owner | PlatformControlled platform, OS_Controlled os
Power_PlatformControlledType             | energy-performance-bias       | MaximumPerformance performance
Power_WorkloadConfiguration              | workload-configuration        | I_OSensitive io-sensitive
Processors_L1                            | upi-l1                        | Enable on, Disable off
DevicesandIOPorts_MMConfigBase           | mmcfg-base                    | MMConfigBase_3GB 3gb
DevicesandIOPorts_PCI64BitResourceAllocation | mmio-above-4gb            | Auto auto
Processors_L0p                           | upi-l0p                       | Enable on, Disable off
Processors_LLCPrefetch                   | llc-prefetch                  | Enable on, Disable off
Memory_PagePolicy                        | memory-page-policy            | Closed closed-page
Memory_ADDDCSparing                      | adddc-sparing                 | Disable off, - on
Memory_ColdBootFast                      | fast-cold-boot                | Enable on, - off
Memory_ACBootFast                        | fast-ac-boot                  | Enable on, - off
Processors_TurboMode                     | turbo                         | Enable on, - off
Processors_HyperThreading                | smt                           | Enable on, - off
Processors_IntelVirtualizationTechnology | virtualization                | Enable on, - off
Processors_TrustedExecutionTechnology    | trusted-execution             | Disable off, - on
Processors_AesEnable                     | aes-instructions              | Enable on, - off
Processors_HardwarePrefetcher            | hardware-prefetcher           | Enable on, - off
Processors_AdjacentCachePrefetch         | adjacent-cache-line-prefetch  | Enable on, - off
Processors_DCUStreamerPrefetcher         | dcu-streamer-prefetcher       | Enable on, - off
Processors_DCUIPPrefetcher               | dcu-ip-prefetcher             | Enable on, - off
Processors_DCA                           | direct-cache-access           | Enable on, Disable off
Processors_UPIPrefetcher                 | upi-prefetch                  | Enable on, - off
Processors_SNC                           | sub-numa-cluster              | Disable off, - on
Processors_LLCdeadlinealloc              | dead-line-llc-alloc           | Enable on, - off
"""

MODES = {
    "MinimalPower": "minimal-power",
    "Efficiency-FavorPower": "efficiency-favor-power",
    "Efficiency-FavorPerformance": "efficiency-favor-performance",
    "MaximumPerformance": "maximum-performance",
}
STATED = {
    "Power_PowerPerformanceBias": {"OS_Controlled"},
    "OperatingModes_ChooseOperatingMode": set(MODES),
}
"""What Lenovo's description for SPEC names: "OS Controlled", and the modes, of which "Efficiency -Favor Performance" is
the default."""


def texts(table: str) -> dict[str, set[str]]:
    """The texts of each attribute, which listings name with a point."""
    return {name.replace(".", "_"): set(shown.split(", ")) for name, shown in rows(table)}


def meant() -> dict[str, tuple[str, dict[str, str]]]:
    """The setting of each attribute, and the value of each text."""
    return {
        name: (setting, dict(pair.split() for pair in pairs.split(", ")))
        for name, setting, pairs in rows(MEANT)
    }


def sent_by_sap() -> dict[str, set[str]]:
    """The texts of each attribute that SAP sends over Redfish."""
    found = texts(SAP)
    for name, more in texts(KVM).items():
        found[name] = found.get(name, set()) | more
    return found


def test_what_is_offered_was_seen_or_is_a_switchs_other_state(knowledge: Knowledge) -> None:
    seen: dict[str, set[str]] = {}
    for table in (sent_by_sap(), texts(TEE160L), texts(TEE119N), STATED):
        for name, shown in table.items():
            seen.setdefault(name, set()).update(shown)
    assert seen == {name: set(values) - {"-"} for name, (_, values) in meant().items()}
    for setting, values in meant().values():
        offer = offered(knowledge, HERE, setting)
        assert sorted(offer.values) == sorted(values.values()), setting
        default = MODES["Efficiency-FavorPerformance"] if setting == "operating-mode" else ""
        assert (offer.default, offer.unknown) == (default, not default), setting
        for text, value in values.items():
            label = offer.labels[offer.values.index(value)]
            assert label.replace(" ", "").replace("_", "") == text.strip("-").replace("_", ""), setting


def test_nothing_else_is_offered() -> None:
    for model in MODELS:
        plan = planned(f"goal balanced; platform {model}")
        found = {each.setting for each in plan.settings if each.layer == "firmware"}
        assert found == {setting for setting, _ in meant().values()}


def test_only_what_sap_sends_is_spelled(knowledge: Knowledge) -> None:
    """What a listing alone shows is left to a person: the names and texts of Redfish are others."""
    sent = sent_by_sap()
    for name, (setting, values) in meant().items():
        found = spelled(knowledge, HERE, setting)
        if name not in sent:
            assert not found, setting
            continue
        (attributes_of,) = found
        assert attributes_of.names == (name,)
        assert {one.value: one.text for one in attributes_of.texts if one.text} == {
            values[text]: text for text in sent[name]
        }, setting


def test_places_are_those_where_it_was_seen(knowledge: Knowledge) -> None:
    tables = {
        "SAP": texts(SAP),
        "SAP of SR850P with KVM": texts(KVM),
        "TEE160L": texts(TEE160L),
        "TEE119N": texts(TEE119N),
    }
    for name, (setting, values) in meant().items():
        first, *others = offered(knowledge, HERE, setting).citation.at.split("; ")
        place, _, attribute = first.partition(", ")
        assert name in tables[place] and attribute == name.removeprefix(
            "" if "SAP" in place else "Processors_"
        )
        cited = [place, *(each for each in others if not each.startswith("SPEC flags"))]
        shown = set().union(*(tables[each][name] for each in cited))
        assert shown | STATED.get(name, set()) == set(values) - {"-"}, setting


def test_what_sap_sets_is_free_in_the_custom_mode_alone(knowledge: Knowledge) -> None:
    (preset,) = [one for one in knowledge.presets if knowledge.box_text(one.when) == HERE]
    members = {meant()[name][0] for name in sent_by_sap()} - {"operating-mode"}
    assert preset.governor == "operating-mode"
    assert preset.columns == {
        "custom": dict.fromkeys(members, "free"),
        **{mode: {} for mode in MODES.values()},
    }


@pytest.mark.parametrize(
    ("goal", "mode"),
    [
        # "maximize the absolute performance of the system without regard for power"
        ("performance", "maximum-performance"),
        # "maximizes the performance/watt efficiency with a bias towards power savings"
        ("efficiency", "efficiency-favor-power"),
    ],
)
@pytest.mark.parametrize(
    ("model", "strength"), [*((model, "vendor") for model in MODELS), ("sr670-v2", "test-first")]
)
def test_a_goal_has_the_mode_for_it(goal: str, mode: str, model: str, strength: str) -> None:
    plan = planned(f"goal {goal}; platform {model}")
    (written,) = [each for each in plan.settings if each.layer == "firmware" and each.written]
    assert (written.setting, written.value) == ("operating-mode", mode)
    assert (written.cause.source, written.cause.strength) == ("lenovo-spec-flags", strength)


@pytest.mark.parametrize("goal", GOALS)
def test_a_request_has_only_what_sap_sends(goal: str) -> None:
    """And the custom mode with it."""
    for policy in policies(goal, MODELS):
        sent = requests(planned(policy))
        assert all(text in sent_by_sap()[name] for name, text in sent.items())
        assert not sent or sent["OperatingModes_ChooseOperatingMode"] == "CustomMode"


def test_a_value_that_was_not_seen_over_redfish_is_a_manual_step() -> None:
    asked = 'set smt off because "a test"; set c1e on because "a test"; set c-states off because "a test"'
    plan = planned(f"goal latency; platform sr650; {asked}")
    emitted = REDFISH.emit(plan)
    assert {"smt", "c1e"} <= set(dict(emitted.left_out))
    assert attributes(plan.settings)["Processors_CStates"] == "Disable"
