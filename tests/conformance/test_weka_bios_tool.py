"""WEKA's file of BIOS settings: what it has for the servers of the library, attribute by attribute, as it is written
there.

The plans have these values where nothing stronger speaks against them; where something does, the file has an entry in
EXCEPT.
"""

import pytest

from conformance.printed import advised, attributes
from setpoint.compiler import pipeline
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.language.program import program_of_text
from support.plans import planned

ANY_XEON = """
    ControlledTurbo: Enabled
    LogicalProc: Disabled
    MadtCoreEnumeration: Linear
    MemPatrolScrub: Disabled
    MonitorMwait: Disabled
    ProcCStates: Disabled
    ProcHwPrefetcher: Enabled
    ProcPwrPerf: MaxPerf
    ProcTurboMode: Enabled
    ProcVirtualization: Disabled
    ProcX2Apic: Disabled
    SubNumaCluster: 2-Way
    ProcC1E: Disabled
    SriovGlobalEnable: Enabled
    EnergyPerformanceBias: MaxPower
    SysProfile: Custom
"""
"""The entry for all of Dell's servers with Intel's processors that the file does not name."""


def without(entry: str, *names: str) -> str:
    """An entry without attributes: those that a server does not have, or not with this value."""
    return "\n".join(line for line in entry.splitlines() if line.strip().partition(":")[0] not in names)


FILE = {
    "platform r750": ANY_XEON,
    "platform r740": without(ANY_XEON, "MadtCoreEnumeration", "SubNumaCluster"),
    "platform r760": ANY_XEON,
    "platform r670": """
        CpuInterconnectBusLinkPower: Disabled
        EnergyEfficientTurbo: Disabled
        EnergyPerformanceBias: MaxPower
        PcieAspmL1: Disabled
        ProcC1E: Disabled
        ProcCStates: Disabled
        ProcPwrPerf: MaxPerf
        SriovGlobalEnable: Enabled
        SysProfile: PerfOptimized
        UncoreFrequency: MaxUFS
    """,
    "platform r7615": """
        LogicalProc: Disabled
        NumaNodesPerSocket: 1
        PcieAspmL1: Disabled
        ProcCStates: Disabled
        ProcPwrPerf: MaxPerf
        ProcVirtualization: Disabled
        SysProfile: Custom
        DeterminismSlider: PerfDeterminism
        DfCState: Disabled
        DfPstateFreqOptimizer: Disabled
        DfPstateLatencyOptimizer: Disabled
        PowerProfileSelect: MaxIOPerformanceMode
    """,
    "platform r6615": """
        LogicalProc: Disabled
        NumaNodesPerSocket: 1
        PcieAspmL1: Disabled
        ProcCStates: Disabled
        ProcPwrPerf: MaxPerf
        ProcVirtualization: Disabled
        SysProfile: Custom
        DeterminismSlider: PerfDeterminism
        DfCState: Disabled
        DfPstateFreqOptimizer: Disabled
        DfPstateLatencyOptimizer: Disabled
        PowerProfileSelect: MaxIOPerformanceMode
        IommuSupport: Disabled
        ProcX2Apic: Disabled
    """,
    "platform dl385-gen10-plus-v2": """
        ApplicationPowerBoost: Enabled
        DeterminismControl: DeterminismCtrlAuto
        NumaMemoryDomainsPerSocket: OneMemoryDomainPerSocket
        ProcAmdIoVt: Enabled
        Sriov: Enabled
        WorkloadProfile: GeneralThroughputCompute
        CStateEfficiencyMode: Disabled
        DataFabricCStateEnable: Disabled
        InfinityFabricPstate: P0
        MinProcIdlePower: NoCStates
        NumaGroupSizeOpt: Clustered
        PerformanceDeterminism: PerformanceDeterministic
        PowerRegulator: StaticHighPerf
        ProcSMT: Disabled
    """,
    "platform dl360-gen10-plus": """
        IntelProcVtd: Disabled
        WorkloadProfile: I/OThroughput
        ProcHyperthreading: Enabled
    """,
    "platform dl380a-gen11": """
        IntelProcVtd: Disabled
        WorkloadProfile: I/OThroughput
    """,
    "platform sr635-v3": """
        Processors_P_state1: Disabled
        Processors_P_state2: Disabled
        Processors_GlobalC_stateControl: Disabled
        Processors_DeterminismSlider: Performance
        Processors_DFC_States: Disabled
        DevicesandIOPorts_IOMMU: Enabled
        Processors_SMTMode: Disabled
        Power_PCIePowerBrake: Disabled
        OperatingModes_ChooseOperatingMode: CustomMode
        Processors_SOCP_states: P0
    """,
    "platform as-1115cs-tnr": """
        ACPISRATL3CacheAsNUMADomain_0099: Disabled
        DFCstates_7103: Disabled
        DeterminismControl_00F4: Manual
        GlobalC_stateControl_00CD: Disabled
        IOMMU_00EA: Enabled
        NUMANodesPerSocket_703E: NPS1
        PowerProfileSelection_00F8: Maximum IO Performance Mode
        SMTControl_00CB: Disabled
    """,
    "platform sys-821ge-tnhr": """
        EnhancedHaltState_C1E__3D23: Disable
        HardwareP_States_F282: Disable
        Hyper_Threading_ALL__F27F: Enable
        SpeedStep_P_States__FF12: Disable
        IntelVTforDirectedI_O_VT_d__1E32: Disable
    """,
}
"""The entries of the file for these servers, at commit 51e2a75. Supermicro's names have the endings that this board's
registry has, and its value is `Disable` where the file says `Disabled`.
"""

EXCEPT = {
    "ProcVirtualization": "Dell recommends it on for every goal, and a vendor's word is stronger",
}
"""On servers with Intel's processors; of those with AMD's nothing is known that speaks against it."""


OF_INTEL = ("platform r750", "platform r740")


def in_file(server: str) -> dict[str, str]:
    lines = (line.strip().partition(": ") for line in FILE[server].strip().splitlines())
    return {name: value for name, _, value in lines}


@pytest.mark.parametrize("server", FILE)
def test_the_library_has_each_entry_of_the_file_as_a_rule(server: str) -> None:
    """Under its own name: by the spelling of the value that the rule recommends."""
    knowledge, plan = standard(), planned(f"goal throughput; {server}; workload weka")
    recommended = {
        (rule.setting, rule.value) for rule in knowledge.rules if rule.citation.source == "weka-bios-tool"
    }
    entries = {
        (name, text)
        for decision in plan.settings
        for one in decision.spelled
        if one.interface == "attribute"
        for value, text in one.texts or ((decision.value, one.text or ""),)
        if (decision.setting, value) in recommended
        for name in one.names
    }
    missing = {(name, text) for name, text in in_file(server).items() if name not in EXCEPT} - entries
    assert missing == set()


@pytest.mark.parametrize(
    "server",
    [
        *OF_INTEL,
        "platform r670",
        "platform r7615",
        "platform r6615",
        "platform sys-821ge-tnhr",
        "platform sr635-v3",
        "platform as-1115cs-tnr",
    ],
)
def test_a_plan_has_the_values_of_the_file(server: str) -> None:
    """Dell's own word for SMT is for throughput alone. Intel's mode for short answers takes the custom profile."""
    for goal, more in (("latency", ()), ("performance", ("LogicalProc",)), ("throughput", ("LogicalProc",))):
        plan = attributes(planned(f"goal {goal}; {server}; workload weka").settings)
        differing = {name for name, text in in_file(server).items() if plan[name] != text}
        profile = {"SysProfile"} if (server, goal) == ("platform r670", "latency") else set[str]()
        assert differing <= ({*EXCEPT, *more} if server in OF_INTEL else profile)


def test_each_entry_for_hpe_decides_under_some_profile_or_agrees_with_a_set() -> None:
    """HPE's profiles for a goal are a vendor's word, and fix many attributes otherwise."""
    knowledge = standard()
    profiles = knowledge.variables["workload-profile"].values
    decided = set()
    for chosen in (
        *(f"workload-profile {value}" for value in profiles),
        "numa-nodes-per-socket 1",
        "determinism-control manual",
        "fabric-power-management off",
    ):
        server = "goal latency; platform dl385-gen10-plus-v2; workload weka;"
        program = program_of_text(f'{server} set {chosen} because "a test";')
        (found,) = pipeline.planned(program, knowledge)
        decided |= {c.name for d in (found.plan.settings if found.plan else ()) for c in d.because}
    rules = {rule.name for rule in knowledge.rules if rule.name.startswith("weka-bios-tool.hpe-amd.")}
    assert rules - decided == set()


def test_automatic_control_does_not_heed_the_kind_of_determinism() -> None:
    """The file has both, so that the kind counts only where a policy has the other control."""
    policy = "goal throughput; platform dl385-gen10-plus-v2; workload weka"
    plan = planned(policy)
    assert plan.value("determinism-control") == "auto"
    assert plan.hazards == ()
    assert "determinism performance" in advised(
        f'{policy}; set determinism-control manual because "a test"', "weka-bios-tool"
    )


def test_a_vendors_own_profile_for_a_goal_comes_first() -> None:
    plan = planned("goal latency; platform dl380a-gen11; workload weka")
    assert plan.value("workload-profile") == "low-latency"
    decision = plan.setting("workload-profile")
    assert decision is not None
    assert ("io-throughput", "weaker-evidence") in {(lost.value, lost.reason) for lost in decision.beat}


def test_practice_is_withheld_where_a_vendors_word_is_required() -> None:
    plan = planned('goal throughput; platform r750; workload weka; require strength vendor because "OPS-12"')
    assert not any(c.source == "weka-bios-tool" for d in plan.written for c in d.because[:1])
    scrub = plan.setting("memory-patrol-scrub")
    assert scrub is not None
    assert ("withheld", "practice") in {(lost.reason, lost.strength) for lost in scrub.beat}
