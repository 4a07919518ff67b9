"""HPE's twelve workload profiles come out of their registries cell by cell, as they were read from them by hand."""

from __future__ import annotations

import pytest

from registries import document
from registries.test_reading import WHOLE, registry
from setpoint.compiler.registries.effects import effects_of, governors, members
from setpoint.compiler.registries.model import Registry
from setpoint.compiler.registries.select import completed

U46, A42 = "hpe-gen10plus-DL360-U46-1.56", "hpe-gen10plusv2-DL385-A42-2.60-amd"
U58 = "hpe-gen11-DL380a-U58-2.44"

PROFILES = (
    "GeneralPowerEfficientCompute",
    "GeneralPeakFrequencyCompute",
    "GeneralThroughputCompute",
    "Virtualization-PowerEfficient",
    "Virtualization-MaxPerformance",
    "LowLatency",
    "MissionCritical",
    "TransactionalApplicationProcessing",
    "HighPerformanceCompute(HPC)",
    "DecisionSupport",
    "GraphicProcessing",
    "I/OThroughput",
)
"""The columns of the tables."""

TABLES = {
    U46: """
AdjSecPrefetch|Enabled!|Enabled!|Enabled!|·|·|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!
AdvancedMemProtection|·|·|·|·|·|AdvancedEcc!|Auto!|·|AdvancedEcc!|·|·|·
CollabPowerControl|Enabled!|Disabled!|Disabled!|Enabled!|Disabled!|Disabled!|·|·|Disabled!|·|·|·
DcuIpPrefetcher|Enabled!|Enabled!|Enabled!|·|·|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!
DcuStreamPrefetcher|Enabled!|Enabled!|Enabled!|·|·|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!
EnergyEfficientTurbo|Enabled!|Disabled!|Disabled!|Enabled!|Disabled!|Disabled!|·|·|Disabled!|·|·|·
EnergyPerfBias|BalancedPerf!|·|MaxPerf!|BalancedPerf!|MaxPerf!|MaxPerf!|·|MaxPerf!|MaxPerf!|·|MaxPerf!|MaxPerf!
HwPrefetcher|Enabled!|Enabled!|Enabled!|·|·|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!
IntelDmiLinkFreq|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!
IntelNicDmaChannels|Enabled!|·|·|·|·|·|·|Enabled!|Enabled!|·|·|Enabled!
IntelProcVtd|·|·|·|Enabled!|Enabled!|Disabled!|·|·|Disabled!|·|Disabled!|·
IntelUpiPowerManagement|Enabled!|Disabled!|Disabled!|Enabled!|Disabled!|Disabled!|·|Disabled!|Disabled!|·|·|·
MemPatrolScrubbing|·|·|·|·|·|Disabled!|·|·|·|·|·|·
MemRefreshRate|·|Refreshx1!|Refreshx1!|·|·|Refreshx1!|Refreshx2!|·|Refreshx1!|·|·|·
MinProcIdlePkgState|C6NonRetention!|C6NonRetention!|C6NonRetention!|C6NonRetention!|NoState!|NoState!|·|NoState!|NoState!|·|·|·
MinProcIdlePower|C6!|·|·|C6!|NoCStates!|NoCStates!|·|NoCStates!|NoCStates!|·|·|·
NumaGroupSizeOpt|Flat!|Clustered!|Clustered!|Clustered!|Clustered!|Clustered!|·|Clustered!|Clustered!|Clustered!|Clustered!|Clustered!
PowerRegulator|DynamicPowerSavings!|StaticHighPerf!|StaticHighPerf!|OsControl!|StaticHighPerf!|StaticHighPerf!|·|StaticHighPerf!|StaticHighPerf!|·|·|·
ProcTurbo|Enabled!|Enabled!|Enabled!|·|Enabled!|Disabled!|·|Enabled!|Enabled!|·|·|·
ProcVirtualization|·|·|·|Enabled!|Enabled!|Disabled!|·|·|Disabled!|·|Disabled!|·
ProcX2Apic|·|·|·|·|·|Disabled!|·|·|Disabled!|·|Disabled!|·
Sriov|·|·|·|Enabled!|Enabled!|Disabled!|·|·|Disabled!|·|Disabled!|·
SubNumaClustering|Disabled!|·|EnableSnc2!|Disabled!|EnableSnc2!|·|·|·|·|·|·|·
UncoreFreqScaling|Auto!|Maximum!|·|Auto!|Maximum!|Maximum!|·|·|Maximum!|·|Maximum!|Maximum!
""",
    A42: """
AMDPerformanceWorkloadProfile|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!
AmdL1Prefetcher|Enabled!|Enabled!|Enabled!|·|·|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!
AmdL2Prefetcher|Enabled!|Enabled!|Enabled!|·|·|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!
ApplicationPowerBoost|Enabled!|·|·|Enabled!|Disabled!|Disabled!|·|·|Disabled!|·|Disabled!|Disabled!
CStateEfficiencyMode|·|Disabled!|Disabled!|·|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!
DataFabricCStateEnable|Auto!|Disabled!|·|ForceEnabled!|Disabled!|Disabled!|·|·|Disabled!|·|Disabled!|Disabled!
InfinityFabricPstate|Auto!|·|P0|Auto!|P0!|P0!|·|·|P0!|·|P0!|P0!
MemPatrolScrubbing|·|·|·|·|·|Disabled!|Enabled!|Disabled!|·|·|·|·
MemRefreshRate|·|·|·|·|·|Refreshx1!|Refreshx2!|·|·|·|·|·
MinProcIdlePower|C6!|C6|C6|C6!|·|·|C6|C6|C6|C6|C6|C6
NumaGroupSizeOpt|Flat!|Clustered!|Clustered!|Clustered!|Clustered!|Clustered!|·|Clustered!|Clustered!|Clustered!|Clustered!|Clustered!
NumaMemoryDomainsPerSocket|·|·|·|·|·|Four!|·|·|Four!|·|Four!|Two!
PowerRegulator|OsControl!|StaticHighPerf!|StaticHighPerf!|OsControl!|StaticHighPerf!|StaticHighPerf!|·|StaticHighPerf!|StaticHighPerf!|·|·|·
ProcAMDBoost|Enabled!|Enabled!|Enabled!|·|Enabled!|Disabled!|·|Enabled!|Enabled!|·|·|·
ProcAmdIoVt|·|·|·|Enabled!|Enabled!|Disabled!|·|·|Disabled!|·|Disabled!|·
ProcX2Apic|!|·|·|·|·|Auto!|·|·|Auto!|·|Auto!|·
Sriov|·|·|·|Enabled!|Enabled!|Disabled!|·|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!
XGMIForceLinkWidth|·|·|·|·|·|x16!|·|·|x16!|·|x16!|x16!
""",
    U58: """
AdjSecPrefetch|Enabled!|Enabled!|Enabled!|·|·|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!
AdvancedMemProtection|·|·|·|·|·|AdvancedEcc!|FastFaultTolerantADDDC!|·|AdvancedEcc!|·|·|·
AvxIccpPreGrantLevel|128Heavy!|128Heavy!|128Heavy!|128Heavy!|128Heavy!|128Heavy!|128Heavy!|128Heavy!|128Heavy!|128Heavy!|128Heavy!|128Heavy!
AvxLicensePreGrantOverride|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!|Disabled!
CollabPowerControl|Enabled!|Disabled!|Disabled!|Enabled!|Disabled!|Disabled!|·|·|Disabled!|·|·|·
DcuIpPrefetcher|Enabled!|Enabled!|Enabled!|·|·|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!
DcuStreamPrefetcher|Enabled!|Enabled!|Enabled!|·|·|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!
EnergyEfficientTurbo|Enabled!|Disabled!|Disabled!|Enabled!|Disabled!|Disabled!|·|·|Disabled!|·|·|·
EnergyPerfBias|BalancedPerf!|·|MaxPerf!|BalancedPerf!|MaxPerf!|MaxPerf!|·|MaxPerf!|MaxPerf!|·|MaxPerf!|MaxPerf!
HardwarePmInterrupt|·|Disabled|Disabled|·|Disabled|Disabled|·|·|Disabled|·|·|·
HwPrefetcher|Enabled!|Enabled!|Enabled!|·|·|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!
IntelDmiLinkFreq|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!|Auto!
IntelNicDmaChannels|Enabled!|·|·|·|·|·|·|Enabled!|Enabled!|·|·|Enabled!
IntelProcVtd|·|·|·|Enabled!|Enabled!|Disabled!|·|·|Disabled!|·|Disabled!|·
IntelUpiPowerManagement|Enabled!|Disabled!|Disabled!|Enabled!|Disabled!|Disabled!|·|Disabled!|Disabled!|·|·|·
MemPatrolScrubbing|·|·|·|·|·|Disabled!|·|·|·|·|·|·
MemRefreshRate|·|Refreshx1!|Refreshx1!|·|·|Refreshx1!|Refreshx2!|·|Refreshx1!|·|·|·
MinProcIdlePkgState|C6Retention!|C6Retention!|C6Retention!|C6Retention!|NoState!|NoState!|·|NoState!|NoState!|·|·|·
MinProcIdlePower|C6!|·|·|C6!|NoCStates!|NoCStates!|·|NoCStates!|NoCStates!|·|·|·
NumaGroupSizeOpt|Flat!|Clustered!|Clustered!|Clustered!|Clustered!|Clustered!|·|Clustered!|Clustered!|Clustered!|Clustered!|Clustered!
OptimizedPowerMode|Enabled|Disabled|Disabled|Disabled|Disabled|Disabled|Disabled|Disabled|Disabled|Disabled|Disabled|Disabled
PcieGlobalAspm|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!|Enabled!
PowerRegulator|DynamicPowerSavings!|StaticHighPerf!|StaticHighPerf!|OsControl!|StaticHighPerf!|StaticHighPerf!|·|StaticHighPerf!|StaticHighPerf!|·|·|·
ProcTurbo|Enabled!|Enabled!|Enabled!|·|Enabled!|Disabled!|·|Enabled!|Enabled!|·|·|·
ProcVirtualization|·|·|·|Enabled!|Enabled!|Disabled!|·|·|Disabled!|·|Disabled!|·
ProcX2Apic|·|·|·|·|·|Auto!|·|·|Auto!|·|Auto!|·
Sriov|·|·|·|Enabled!|Enabled!|Disabled!|·|·|Disabled!|·|Disabled!|·
SubNumaClustering|Disabled!|·|EnableSnc4!|Disabled!|EnableSnc4!|·|·|·|·|·|·|·
UncoreFreqScaling|Auto!|Maximum!|·|Auto!|Maximum!|Maximum!|·|·|Maximum!|·|Maximum!|Maximum!
""",
}
"""What each profile does: `!` is locked, without it preset; `·` is not touched. Long values are given by their
beginning."""

GOVERNING = {
    "dell-12g-R720": ["EmbSata", "SysProfile"],
    "dell-13g-R630": ["EmbSata", "SysProfile"],
    "dell-14g-R740": ["EmbSata", "SysProfile"],
    "dell-15g-R750": [
        "ProcCores",
        "ControlledTurbo",
        "EmbSata",
        "NumberOfPxeDevices",
        "SysProfile",
        "MemoryEncryption",
    ],
    U46: ["WorkloadProfile", "IntelSpeedSelectConfigLevel"],
    A42: ["WorkloadProfile", "AMDPerformanceWorkloadProfile"],
    U58: ["WorkloadProfile"],
}
"""The attributes of which several values force several others."""


def whole(name: str) -> Registry:
    """The registry of a captured server, with the attributes that only its dependencies name."""
    return completed(registry(name), document(name, "Bios")["Attributes"])


@pytest.mark.parametrize("name", sorted(TABLES))
def test_the_workload_profiles_are_those_of_the_table(name: str) -> None:
    profiles = effects_of(whole(name)).of["WorkloadProfile"]
    rows = [line.split("|") for line in TABLES[name].split()]
    assert sorted(row[0] for row in rows) == sorted(members(profiles))
    for member, *cells in rows:
        for profile, cell in zip(PROFILES, cells, strict=True):
            found = profiles.get(profile, {}).get(member)
            if cell == "·":
                assert found is None or not (found.forced or found.is_locked), (member, profile)
                continue
            assert found is not None, (member, profile)
            assert found.is_locked == cell.endswith("!"), (member, profile)
            value = str(found.forced[0]) if found.forced else ""
            begins = value.removeprefix("LinkWidth").startswith(cell.rstrip("!"))
            assert begins if cell != "!" else value == "", (member, profile, value)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_custom_touches_nothing(name: str) -> None:
    profiles = effects_of(whole(name)).of["WorkloadProfile"]
    assert {m: e for m, e in profiles.get("Custom", {}).items() if e.forced or e.is_locked} == {}


@pytest.mark.parametrize("name", WHOLE)
def test_governing_attributes_are_found_in_the_data(name: str) -> None:
    assert list(governors(effects_of(whole(name)))) == GOVERNING.get(name, [])
