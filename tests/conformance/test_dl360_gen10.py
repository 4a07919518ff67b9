"""HPE's DL360 Gen10: what the iLO 5's reference says of its BIOS attributes, and what a server had.

A line has the attribute, its name in the menu, its values each with its label (`_ilo5_resourcedefns.md`,
Bios.v1_0_0.Bios), and the value that the user guide of the BMC operator shows for a DL360 Gen10 with BIOS U32 v2.68.
Every value is offered, except the profiles of a workload: which settings they fix nobody shows, so that only the custom
one is. What the guide on profiles prints as an example are three cells; two of them are on profiles that no rule of
this library recommends.
"""

import pytest

from conformance.printed import attributes, offered, rows, spelled
from setpoint.compiler.knowledge.model import Knowledge, Spelling
from support.plans import plan_of_text

PRINTED = """
WorkloadProfile | Workload Profile | GeneralPowerEfficientCompute=General Power Efficient Compute; GeneralPeakFrequencyCompute=General Peak Frequency Compute; GeneralThroughputCompute=General Throughput Compute; Virtualization-PowerEfficient=Virtualization - Power Efficient; Virtualization-MaxPerformance=Virtualization - Max Performance; LowLatency=Low Latency; MissionCritical=Mission Critical; TransactionalApplicationProcessing=Transactional Application Processing; HighPerformanceCompute(HPC)=High Performance Compute (HPC); DecisionSupport=Decision Support; GraphicProcessing=Graphic Processing; I/OThroughput=I/O Throughput; Custom=Custom | Custom
PowerRegulator | Power Regulator | DynamicPowerSavings=Dynamic Power Savings Mode; StaticLowPower=Static Low Power Mode; StaticHighPerf=Static High Performance Mode; OsControl=OS Control Mode | DynamicPowerSavings
MinProcIdlePower | Minimum Processor Idle Power Core C-State | C6=C6 State; C1E=C1E State; NoCStates=No C-states | C6
MinProcIdlePkgState | Minimum Processor Idle Power Package C-State | C6Retention=Package C6 (retention) State; C6NonRetention=Package C6 (non-retention) State; NoState=No Package State | C6Retention
EnergyPerfBias | Energy/Performance Bias | MaxPerf=Maximum Performance; BalancedPerf=Balanced Performance; BalancedPower=Balanced Power; PowerSavingsMode=Power Savings Mode | BalancedPerf
ProcTurbo | Intel(R) Turbo Boost Technology | Disabled=Disabled; Enabled=Enabled | Disabled
EnergyEfficientTurbo | Energy Efficient Turbo | Enabled=Enabled; Disabled=Disabled | Disabled
CollabPowerControl | Collaborative Power Control | Enabled=Enabled; Disabled=Disabled | Enabled
UncoreFreqScaling | Uncore Frequency Scaling | Auto=Auto; Maximum=Maximum; Minimum=Minimum | Auto
ProcHyperthreading | Intel(R) Hyper-Threading | Enabled=Enabled; Disabled=Disabled | Enabled
ProcX2Apic | Processor x2APIC Support | Enabled=Enabled; ForceEnabled=Force Enabled; Disabled=Disabled | Enabled
IntelUpiPowerManagement | Intel UPI Link Power Management | Enabled=Enabled; Disabled=Disabled | Enabled
IntelUpiFreq | Intel UPI Link Frequency | Auto=Auto; MinUpiSpeed=Min UPI Speed | Auto
IntelUpiLinkEn | Intel UPI Link Enablement | Auto=Auto; SingleLink=Single Link Operation | Auto
SubNumaClustering | Sub-NUMA Clustering | Enabled=Enabled; Disabled=Disabled | Disabled
NumaGroupSizeOpt | NUMA Group Size Optimization | Flat=Flat; Clustered=Clustered | Flat
LocalRemoteThreshold | Local/Remote Threshold | Auto=Auto; Low=Low; Medium=Medium; High=High; Disabled=Disabled | Auto
LLCDeadLineAllocation | LLC Dead Line Allocation | Enabled=Enabled; Disabled=Disabled | Enabled
StaleAtoS | Stale A to S | Enabled=Enabled; Disabled=Disabled | Disabled
DirectToUpi | Direct To UPI (D2K) | Auto=Auto; Enabled=Enabled; Disabled=Disabled | Auto
HwPrefetcher | HW Prefetcher | Enabled=Enabled; Disabled=Disabled | Enabled
AdjSecPrefetch | Adjacent Sector Prefetch | Enabled=Enabled; Disabled=Disabled | Enabled
DcuStreamPrefetcher | DCU Stream Prefetcher | Enabled=Enabled; Disabled=Disabled | Enabled
DcuIpPrefetcher | DCU IP Prefetcher | Enabled=Enabled; Disabled=Disabled | Enabled
LlcPrefetch | LLC Prefetch | Enabled=Enabled; Disabled=Disabled | Disabled
XptPrefetcher | XPT Prefetcher | Auto=Auto; Enabled=Enabled; Disabled=Disabled | Auto
UpiPrefetcher | UPI Prefetcher | Enabled=Enabled; Disabled=Disabled | Enabled
AdvancedMemProtection | Advanced Memory Protection | FastFaultTolerantADDDC=Fault Tolerant Memory (ADDDC); AdvancedEcc=Advanced ECC Support; OnlineSpareAdvancedEcc=Online Spare with Advanced ECC Support; MirroredAdvancedEcc=Mirrored Memory with Advanced ECC Support | FastFaultTolerantADDDC
MemMirrorMode | Memory Mirroring Mode | Full=Full Mirror; PartialOsConfig=Partial Mirror (OS Configured); PartialFirst4GB=Partial Mirror (Memory below 4GB); Partial10PercentAbove4GB=Partial Mirror (10% above 4GB); Partial20PercentAbove4GB=Partial Mirror (20% above 4GB) | Full
MaxMemBusFreqMHz | Maximum Memory Bus Frequency | Auto=Auto; MaxMemBusFreq2933=2933 MHz; MaxMemBusFreq2667=2667 MHz; MaxMemBusFreq2400=2400 MHz; MaxMemBusFreq2133=2133 MHz; MaxMemBusFreq1867=1867 MHz | Auto
MemRefreshRate | Memory Refresh Rate | Refreshx1=1x Refresh; Refreshx2=2x Refresh | Refreshx1
MemPatrolScrubbing | Memory Patrol Scrubbing | Enabled=Enabled; Disabled=Disabled | Enabled
ProcVirtualization | Intel(R) Virtualization Technology (Intel VT)  | Enabled=Enabled; Disabled=Disabled | Enabled
IntelProcVtd | Intel(R) VT-d | Enabled=Enabled; Disabled=Disabled | Enabled
Sriov | SR-IOV | Enabled=Enabled; Disabled=Disabled | Enabled
AcpiSlit | ACPI SLIT | Enabled=Enabled; Disabled=Disabled | Enabled
AcpiRootBridgePxm | Memory Proximity Reporting for I/O | Enabled=Enabled; Disabled=Disabled | Enabled
PciPeerToPeerSerialization | PCI Peer to Peer Serialization | Enabled=Enabled; Disabled=Disabled | Disabled
IntelNicDmaChannels | Intel NIC DMA Channels (IOAT) | Enabled=Enabled; Disabled=Disabled | Enabled
IntelDmiLinkFreq | Intel DMI Link Frequency | Auto=Auto; DmiGen1=Gen 1 Speed; DmiGen2=Gen 2 Speed | Auto
ProcessorConfigTDPLevel | Processor Config TDP Level | Normal=Normal; Level1=Level 1; Level2=Level 2 | Normal
ProcAes | Processor AES-NI Support | Enabled=Enabled; Disabled=Disabled | Enabled
ThermalConfig | Thermal Configuration | OptimalCooling=Optimal Cooling; IncreasedCooling=Increased Cooling; MaxCooling=Maximum Cooling; EnhancedCPUCooling=Enhanced CPU Cooling | OptimalCooling
RedundantPowerSupply | Redundant Power Supply Mode | BalancedMode=Balanced Mode; HighEfficiencyAuto=High Efficiency Mode (Auto); HighEfficiencyOddStandby=High Efficiency Mode (Odd Supply Standby); HighEfficiencyEvenStandby=High Efficiency Mode (Even Supply Standby) | BalancedMode
ChannelInterleaving | Channel Interleaving | Enabled=Enabled; Disabled=Disabled | Enabled
NodeInterleaving | Node Interleaving | Enabled=Enabled; Disabled=Disabled | Disabled
"""

HERE = "platform dl360-gen10"
SERVER = f"{HERE}; cpu cascade-lake;"


def ours(knowledge: Knowledge) -> dict[str, Spelling]:
    """The spelling of each attribute of the server."""
    found = (each for setting in knowledge.spellings for each in spelled(knowledge, HERE, setting))
    return {name: each for each in found for name in each.names}


def test_every_attribute_is_one_of_the_reference(knowledge: Knowledge) -> None:
    assert ours(knowledge).keys() == {attribute for attribute, *_ in rows(PRINTED)}


@pytest.mark.parametrize(("attribute", "menu", "values", "shown"), rows(PRINTED))
def test_values_and_labels_are_the_references(
    attribute: str, menu: str, values: str, shown: str, knowledge: Knowledge
) -> None:
    spelling = ours(knowledge)[attribute]
    offer = offered(knowledge, HERE, spelling.setting)
    printed = dict(each.split("=", 1) for each in values.split("; "))
    texts = {each.text: each.value for each in spelling.texts if each.text}
    labels = dict(zip(offer.values, offer.labels, strict=True))
    assert offer.menu == menu
    assert shown in printed
    if attribute != "WorkloadProfile":
        assert texts.keys() == printed.keys()
    assert {text: labels[value] for text, value in texts.items()} == {text: printed[text] for text in texts}


@pytest.mark.parametrize(
    ("goal", "bias"),
    [("latency", "MaxPerf"), ("throughput", "MaxPerf"), ("efficiency", "BalancedPerf")],
)
def test_the_bias_is_what_hpe_recommends(goal: str, bias: str) -> None:
    found = attributes(plan_of_text(f"goal {goal}; {SERVER}").written)
    assert found["EnergyPerfBias"] == bias
    assert found["WorkloadProfile"] == "Custom"
