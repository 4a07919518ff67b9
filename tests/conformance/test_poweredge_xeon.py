"""What the library says of Dell's servers with Xeon processors of the 16th and 17th generation.

No registry of such a server is at hand, but two comparisons: of an R760xa's (BIOS 2.1.3) with that of the R750, which
is at hand, and of an R770's (1.2.4) with the R760xa's. Both say that they list every attribute that is new or gone and
every list of values that differs. `CHANGED` has what they list of the attributes that the library spells, so that all
other values are the R750's. `SHOWN` is what `Bios` shows on the R760xa and not on an R7615, and on both. `R670` are the
values of an R670 with factory settings, `XR5610` those of a server that Dell measured, as far as they are settings
here, and `R860` what SAP sets on its servers. All is typed from there, and from Dell's paper of 2023-11-02 what it
prints.
"""

from __future__ import annotations

import pytest

from conformance.printed import requests, rows
from registries import read
from setpoint.compiler.knowledge.model import Citation, Knowledge, Offer
from setpoint.targets.redfish import TARGET as REDFISH
from support.machines import GOALS
from support.plans import planned

G16, G17 = "platform poweredge-16g-intel", "platform poweredge-17g-intel"

CHANGED = {
    G16: {
        "SysProfile": "PerfPerWattOptimizedDapc PerfPerWattOptimizedOs PerfOptimized PerfWorkStationOptimized Custom",
        "UncoreFrequency": "DynamicUFS MaxUFS",
        "CpuInterconnectBusSpeed": "MaxDataRate 16GTps 14GTps 12GTps",
        "ProcUncoreFreqRapl": "Disabled",  # new, without values: the R860's
        "ProcessorSstCpSetting": "Disabled",  # new, without values: the R860's and the XR5610's
    },
    G17: {
        "MemFrequency": "MaxPerf 6000MHz 5600MHz 5200MHz MaxReliability",
        "MemPatrolScrub": "Extended Standard",
        "NodeInterleave": "Disabled",
        "SubNumaCluster": "Enabled Disabled",
        "ProcVirtualization": "Enabled",
        "ProcX2Apic": "Enabled",
        "CpuInterconnectBusSpeed": "MaxDataRate 20GTps 16GTps",
        "CpuPaLimit": "Disabled",
        "LatencyOptimizedMode": "Disabled",  # new, without values: the R670's
    },
}

SHOWN = """
AvxIccpPreGrantLicense CpuInterconnectBusLinkPower CpuInterconnectBusSpeed CpuPaLimit DcuIpPrefetcher DcuStreamerPrefetcher
DeadLineLlcAlloc DirectoryAtoS DirectoryMode EnergyEfficientTurbo EnergyPerformanceBias LlcPrefetch MemOpMode MonitorMwait NodeInterleave OptimizerMode ProcAdjCacheLine ProcAvxP1
ProcC1E ProcHwPrefetcher ProcUncoreFreqRapl ProcessorSstCpSetting PwrPerfSwitch SnoopHldOff SubNumaCluster UncoreFrequency UpiPrefetch
WorkloadConfiguration XptPrefetch
"""

R670 = """
AvxIccpPreGrantLicense Disabled, ControlledTurbo Disabled, CorrEccSmi Enabled, CpuInterconnectBusLinkPower Enabled, CpuPaLimit Disabled,
DirectoryMode Enabled, ProcAvxP1 Normal, WorkloadConfiguration Balance, DeadLineLlcAlloc Enabled, DirectoryAtoS Disabled,
EnergyEfficientTurbo Enabled, EnergyPerformanceBias BalancedPerformance, KernelDmaProtection Disabled, LatencyOptimizedMode Disabled,
LlcPrefetch Disabled, MadtCoreEnumeration RoundRobin, MemFrequency MaxPerf, MemOpMode OptimizerMode, MemPatrolScrub Standard,
MemRefreshRate 1x, MemTest Disabled, MonitorMwait Enabled, NodeInterleave Disabled, OptimizerMode Auto, PcieAspmL1 Enabled,
ProcAdjCacheLine Enabled, ProcC1E Enabled, ProcCStates Enabled, ProcHwPrefetcher Enabled, ProcPwrPerf SysDbpm, ProcTurboMode Enabled,
ProcVirtualization Enabled, PwrPerfSwitch Enabled, SnoopHldOff Roll2KCycles, SriovGlobalEnable Disabled, SubNumaCluster Disabled,
SysProfile PerfPerWattOptimizedDapc, UncoreFrequency DynamicUFS, UpiPrefetch Enabled, XptPrefetch Enabled
"""

XR5610 = """
LogicalProc Enabled, ProcVirtualization Enabled, KernelDmaProtection Disabled, ProcAdjCacheLine Enabled, ProcHwPrefetcher Enabled,
DcuStreamerPrefetcher Enabled, DcuIpPrefetcher Enabled, SubNumaCluster Disabled, MadtCoreEnumeration Linear, XptPrefetch Enabled,
LlcPrefetch Enabled, DeadLineLlcAlloc Enabled, DirectoryAtoS Disabled, ProcX2Apic Enabled, ControlledTurbo Disabled,
OptimizerMode Auto, SnoopHldOff Roll2KCycles, SriovGlobalEnable Enabled, MemTest Disabled, CorrEccSmi Enabled,
AvxIccpPreGrantLicense Disabled, DirectoryMode Enabled, ProcAvxP1 Normal, ProcessorSstCpSetting Disabled, SysProfile PerfOptimized
"""

R860 = """
SysProfile PerfOptimized, CpuInterconnectBusLinkPower Disabled, EnergyEfficientTurbo Disabled, EnergyPerformanceBias MaxPower,
MemFrequency MaxPerf, MemPatrolScrub Standard, MemRefreshRate 1x, MonitorMwait Enabled, PcieAspmL1 Disabled, ProcC1E Disabled,
ProcCStates Disabled, ProcPwrPerf MaxPerf, ProcTurboMode Enabled, UncoreFrequency MaxUFS, CpuInterconnectBusSpeed MaxDataRate,
AdddcSetting Disabled, AvxIccpPreGrantLicense Disabled, CpuPaLimit Enabled, DirectoryMode Enabled, ProcAvxP1 Normal,
ProcUncoreFreqRapl Disabled, ProcessorSstCpSetting Disabled, WorkloadConfiguration Balance
"""

WEKA = """
SysProfile PerfOptimized, CpuInterconnectBusLinkPower Disabled, EnergyEfficientTurbo Disabled, EnergyPerformanceBias MaxPower,
PcieAspmL1 Disabled, ProcC1E Disabled, ProcCStates Disabled, ProcPwrPerf MaxPerf, UncoreFrequency MaxUFS
"""

TABLE_1 = """
System Profile       | PPW         | Performance Optimized | First select Performance Optimized and then select Custom
CPU Power Management | System DBPM | Maximum Performance   | Maximum Performance
Memory Frequency     | Maximum Performance | Maximum Performance | Maximum Performance
Turbo Boost          | Enabled     | Enabled               | Enabled
C1E                  | Enabled     | Disabled              | Disabled
C States             | Enabled     | Disabled              | Disabled
Monitor/Mwait        | Enabled     | Enabled               | Disabled
Memory Patrol Scrub  | Standard    | Standard              | Standard/Disabled
Memory Refresh Rate  | 1x          | 1x                    | 1x
Uncore Frequency     | Dynamic     | Maximum               | Maximum
"""
"""Of Table 1: setting, default, for performance, for low latency."""

LABELS = {
    "System Profile": "system-profile",
    "CPU Power Management": "cpu-power-management",
    "Memory Frequency": "memory-frequency",
    "Turbo Boost": "turbo",
    "C1E": "c1e",
    "C States": "c-states",
    "Monitor/Mwait": "monitor-mwait",
    "Memory Patrol Scrub": "memory-patrol-scrub",
    "Memory Refresh Rate": "memory-refresh-rate",
    "Uncore Frequency": "uncore-frequency",
}
VALUES = {
    "System DBPM": "system-dbpm",
    "Enabled": "on",
    "Disabled": "off",
    "PPW": "dapc",
    "Performance Optimized": "performance",
    "First select Performance Optimized and then select Custom": "custom",
    "Standard/Disabled": "standard",
}


def texts(table: str) -> dict[str, str]:
    """The attributes of a table, with their texts."""
    pairs = [each.split() for each in table.replace("\n", " ").split(",")]
    return dict(pairs)


def value(setting: str, printed: str) -> str:
    """The value that a word of the paper is."""
    if printed == "Maximum Performance":
        return "max-performance" if setting == "cpu-power-management" else "maximum"
    return VALUES.get(printed, printed.lower())


def names_of(entry: dict[str, object]) -> dict[str, str]:
    """The values of an attribute in a registry, with their labels."""
    listed = entry["values"]
    assert isinstance(listed, list)
    pairs = [each if isinstance(each, list) else [each, each] for each in listed]
    return dict(pairs)


def allowed(here: str, attribute: str) -> set[str]:
    """The texts that an attribute takes on a generation."""
    for generation in (G17, G16) if here == G17 else (G16,):
        if attribute in CHANGED[generation]:
            return set(CHANGED[generation][attribute].split())
    return set(names_of(read("dell-15g-R750")["attributes"][attribute]))


def spelled(knowledge: Knowledge, here: str) -> dict[str, tuple[str, dict[str, str]]]:
    """Of each setting: its attribute, and the text of each value ("" where nobody shows it)."""
    return {
        setting: (one.names[0], {each.value: each.text or "" for each in one.texts})
        for setting, several in knowledge.spellings.items()
        for one in several
        if one.interface == "attribute" and knowledge.box_text(one.when) == here
    }


def offered(knowledge: Knowledge, here: str, setting: str) -> Offer:
    """What a generation offers of a setting."""
    (offer,) = [one for one in knowledge.offers[setting] if here in knowledge.box_text(one.when).split(", ")]
    return offer


UNSHOWN = {G16: [("sst-cp", "on"), ("uncore-rapl", "on")], G17: [("latency-optimized-mode", "on")]}
"""The values whose texts nobody shows."""


@pytest.mark.parametrize("here", [G16, G17])
def test_texts_and_labels_are_those_of_the_registries(knowledge: Knowledge, here: str) -> None:
    registry = read("dell-15g-R750")["attributes"]
    unshown = []
    for setting, (attribute, has) in spelled(knowledge, here).items():
        known = {text for text in has.values() if text}
        assert known <= allowed(here, attribute), attribute
        unshown += [(setting, name) for name, text in has.items() if not text]
        offer = offered(knowledge, here, setting)
        assert set(offer.values) == set(has), setting
        if attribute in registry:
            before = names_of(registry[attribute])
            for name, label in zip(offer.values, offer.labels, strict=True):
                assert label == before.get(has[name], label), (attribute, name)
    assert sorted(unshown) == UNSHOWN[here]


def test_only_what_the_r760xa_shows_is_offered(knowledge: Knowledge) -> None:
    with_amd = read("dell-16g-R7615-amd")["current"]
    offered = {attribute for attribute, _ in spelled(knowledge, G16).values()}
    assert offered - set(SHOWN.split()) - with_amd.keys() == {
        "AdddcSetting",
        "ControlledTurbo",
    }  # on the R860
    assert set(texts(R860)) <= offered


def test_what_the_r670_shows_is_offered_with_its_values_as_defaults(knowledge: Knowledge) -> None:
    plan = planned("goal balanced; platform r670")
    has = spelled(knowledge, G17)
    attributes = {attribute for attribute, _ in has.values()}
    assert attributes - {"LogicalProc"} == set(texts(R670))  # its processors have no Hyper-Threading
    columns = [one.columns["dapc"] for one in knowledge.presets if knowledge.box_text(one.when) == G17]
    for setting, (attribute, words) in has.items():
        offer = offered(knowledge, G17, setting)
        fixed = columns[0].get(setting, "").removeprefix("kept ")
        expected = {name for name, text in words.items() if text == texts(R670).get(attribute, "")}
        assert {fixed or offer.default} - {""} == expected, setting
    assert plan.setting("smt") is None
    assert planned("goal balanced; platform r670; cpu granite-rapids").setting("smt") is not None


ON_THE_PAGES = {
    "ProcVirtualization": "on",
    "ProcX2Apic": "on",
    "KernelDmaProtection": "off",
    "ControlledTurbo": "off",
    "SriovGlobalEnable": "off",
    "SysProfile": "dapc",
}
"""The defaults of the 16th generation that Dell prints: for Azure Local, and in its paper."""


NOT_ON_THE_XR5610 = {"UpiPrefetch", "NodeInterleave", "MemOpMode"}
"""What the list for it does not have: the other two decide."""

OF_THE_R860 = {"CpuInterconnectBusSpeed"}
"""What neither that list nor the R670's has: the speed of the links. The R860 has it, with four sockets."""


def test_defaults_of_the_16th_generation_are_printed_or_those_on_which_three_generations_agree(
    knowledge: Knowledge,
) -> None:
    """An XR5610 or an R860 of it, the R750 of the one before, and the R670 of the one after, as far as the setting is
    there."""
    (members,) = [one.columns["dapc"] for one in knowledge.presets if knowledge.box_text(one.when) == G16]
    before = read("dell-15g-R750")["current"]
    for setting, (attribute, words) in spelled(knowledge, G16).items():
        if setting in members and setting != "system-profile":
            continue
        server = texts(R860) if attribute in OF_THE_R860 else texts(XR5610)
        seen = [each.get(attribute) for each in (server, texts(R670), before)]
        enough = seen[0] or attribute in NOT_ON_THE_XR5610
        agreed = {name for name, text in words.items() if enough and {text} == set(filter(None, seen))}
        offer = offered(knowledge, G16, setting)
        expected = ON_THE_PAGES.get(attribute, next(iter(agreed), ""))
        assert (offer.default, offer.unknown) == (expected, not expected), setting


@pytest.mark.parametrize("here", [G16, G17])
def test_the_profiles_have_the_members_that_somebody_shows(knowledge: Knowledge, here: str) -> None:
    (preset,) = [one for one in knowledge.presets if knowledge.box_text(one.when) == here]
    assert set(preset.columns) == {"dapc", "performance", "custom"}
    has = spelled(knowledge, here)
    for column, seen in (("performance", R860), ("performance", WEKA), ("dapc", R670)):
        for setting, member in preset.columns[column].items():
            attribute, words = has[setting]
            fixed = member.removeprefix("kept ").split(" or ")[0]
            assert words[fixed] == texts(seen).get(attribute, words[fixed]), (column, setting)
    for label, default, performance, _ in rows(TABLE_1)[1:]:
        setting = LABELS[label]
        assert preset.columns["dapc"][setting] == value(setting, default)
        assert preset.columns["performance"][setting] == value(setting, performance)
    assert set(preset.columns["custom"].values()) == {"free"}


def test_the_papers_table(knowledge: Knowledge) -> None:
    """Its columns for performance and for low latency, and nothing else from it but what Custom starts from."""
    table = Citation("dell-16g-bios-settings", "Table 1")
    found = {
        (rule.setting, knowledge.box_text(rule.when)): (rule.value, rule.strength)
        for rule in knowledge.rules
        if rule.citation == table
    }
    where = f"{G16} or poweredge-17g-intel"
    performance, latency = f"goal performance or throughput, {where}", f"goal latency, {where}"
    expected = {}
    for label, _, fast, quick in rows(TABLE_1):
        setting = LABELS[label]
        expected[setting, performance] = value(setting, fast), "vendor"
        expected[setting, latency] = value(setting, quick), "test-first" if "/" in quick else "vendor"
    begins = {"energy-performance-bias": "performance", "energy-efficient-turbo": "off"}
    begins |= {"cpu-interconnect-link-power": "off", "pcie-aspm": "off"}
    assert found == expected | {(name, latency): (begin, "test-first") for name, begin in begins.items()}
    members = planned("goal performance; platform r760")
    assert {name: members.value(name) for name in begins} == begins


@pytest.mark.parametrize("goal", GOALS)
def test_a_request_has_only_texts_that_servers_take(goal: str) -> None:
    for workload in ("", "cassandra", "hpc", "weka"):
        for here, model in ((G16, "r760"), (G17, "r770; cpu granite-rapids")):
            text = f"goal {goal}; platform {model};" + (f" workload {workload};" if workload else "")
            sent = requests(planned(text))
            assert {name for name, text in sent.items() if text not in allowed(here, name)} == set(), text


def test_latency_optimized_mode_is_a_manual_step_since_nobody_shows_its_text() -> None:
    plan = planned("goal throughput; platform r770; workload cassandra")
    assert (plan.value("latency-optimized-mode"), plan.value("system-profile")) == ("on", "custom")
    assert "LatencyOptimizedMode" not in requests(plan)
    assert "latency-optimized-mode" in dict(REDFISH.emit(plan).left_out)
