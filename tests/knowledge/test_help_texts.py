"""The help texts of the BIOS: their advice for the 13th to 15th generation, and the combinations that they exclude.

Each case is a policy, a setting with the value that its help text leads to, and the attribute whose text it is.
"""

import pytest

from knowledge.refusals import conflict, spelt
from support.ask import cites, decision, plan, warnings

SERVERS = {
    "cpu haswell": "R630 registry",
    "cpu skylake": "R740 and R750 registries",
    "cpu ice-lake; platform poweredge-15g": "R740 and R750 registries",
}
"""A processor of each generation, and what its help texts are cited of."""

ADVICE = [
    ("goal balanced; numa aware", "node-interleaving", "off", "NodeInterleave"),
    ("goal balanced; numa unaware", "node-interleaving", "on", "NodeInterleave"),
    ("goal latency", "cpu-power-management", "max-performance", "ProcPwrPerf"),
    ("goal latency", "uncore-frequency", "maximum", "UncoreFrequency"),
    ("goal latency", "energy-performance-bias", "performance", "EnergyPerformanceBias"),
    ("goal latency", "correctable-ecc-smi", "off", "CorrEccSmi"),
    ("goal throughput; memory-access random", "adjacent-cache-line-prefetch", "off", "ProcAdjCacheLine"),
    ("goal throughput; memory-access sequential", "adjacent-cache-line-prefetch", "on", "ProcAdjCacheLine"),
    ("goal throughput; workload virtualized", "sr-iov", "on", "SriovGlobalEnable"),
]


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize(("policy", "setting", "value", "attribute"), ADVICE)
def test_what_a_help_text_advises(server: str, policy: str, setting: str, value: str, attribute: str) -> None:
    found = decision(f"{policy}; {server}", setting)
    assert found.value == value
    assert cites(found.because, "dell-bios-registries", f"{SERVERS[server]}, {attribute} help text")


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("goal", ["performance", "throughput"])
def test_smt_is_recommended_but_not_for_hpc(server: str, goal: str) -> None:
    """ "The recommendation is to keep this enabled. However, there are some … workloads, including HPC workloads …" """
    for workload, value, strength in (("java", "on", "vendor"), ("wrf", "off", "test-first")):
        found = decision(f"goal {goal}; workload {workload}; {server}", "smt")
        assert (found.value, found.because[0].strength) == (value, strength)
        assert cites(found.because, "dell-bios-registries", f"{SERVERS[server]}, LogicalProc help text")


CAPACITY = [
    *(
        f"goal balanced; memory-need {need}; set memory-mode mirror"
        for need in ("three-quarters", "seven-eighths", "all")
    ),
    *(f"goal balanced; memory-need all; set memory-mode {mode}" for mode in ("spare", "spare-advanced-ecc")),
]
"""Memory modes that leave less than the work needs."""


@pytest.mark.parametrize(
    ("policy", "attribute"),
    [
        ("goal balanced; set collaborative-cpu-control on; set cpu-power-management os-dbpm",
         "CollaborativeCpuPerfCtrl"),
        *((policy, "MemOpMode") for policy in CAPACITY),
    ],
)  # fmt: skip
def test_what_a_help_text_of_the_13th_generation_excludes(policy: str, attribute: str) -> None:
    conflict(f"{policy}; cpu haswell", "dell-bios-registries", f"R630 registry, {attribute} help text")


@pytest.mark.parametrize("policy", CAPACITY)
def test_what_a_help_text_of_the_14th_generation_excludes(policy: str) -> None:
    conflict(f"{policy}; cpu skylake", "dell-bios-registries", "R740 registry, MemOpMode help text")


@pytest.mark.parametrize("memory", ["ranks-per-channel 2; memory-need three-quarters", "ranks-per-channel 1"])
def test_the_formula_for_sparing_is_of_the_12th_generation_alone(memory: str) -> None:
    policy = f"goal balanced; cpu haswell; {memory}; set memory-mode spare"
    assert plan(spelt(policy)).value("memory-mode") == "spare"


def test_what_was_measured_of_dense_configuration_only_warns_a_generation_later() -> None:
    policy = "goal performance; cpu haswell; set system-profile dense"
    (shown,) = warnings(spelt(policy), "W0402")
    assert "dense-profile-vs-performance" in shown


def test_the_15th_generation_idles_no_processors_under_max_performance() -> None:
    conflict(
        "goal balanced; platform poweredge-15g; cpu ice-lake; set cpu-power-management max-performance; set logical-processor-idling on",
        "dell-bios-registries",
        "R750 registry, DynamicCoreAllocation dependencies",
    )


@pytest.mark.parametrize(
    "policy",
    [
        "goal balanced; platform poweredge-15g; cpu ice-lake; set controlled-turbo on; set cpu-power-management os-dbpm",
        "goal balanced; platform poweredge-15g; cpu ice-lake; set controlled-turbo on; set turbo off",
    ],
)
def test_dell_controlled_turbo_needs_turbo_and_maximum_performance(policy: str) -> None:
    conflict(policy, "dell-bios-registries", "R750 registry, ControlledTurbo dependencies")


@pytest.mark.parametrize(
    ("profile", "energy_efficient_turbo"),
    [("dapc", "on"), ("os", "on"), ("performance", "off"), ("dense", "off")],
)
def test_a_profile_of_the_13th_generation_fixes_turbo_in_every_respect(
    profile: str, energy_efficient_turbo: str
) -> None:
    """ "EnergyEfficientTurbo" and both "TurboCoreNum" in the dependencies of the R630 registry on SysProfile."""
    here = plan(spelt(f"goal balanced; platform r630; sockets 2; set system-profile {profile}"))
    assert here.value("energy-efficient-turbo") == energy_efficient_turbo
    assert (here.value("turbo-cores-processor-1"), here.value("turbo-cores-processor-2")) == ("all", "all")


@pytest.mark.parametrize(
    ("policy", "value"),
    [
        # "Early Snoop is best used for latency sensitive workloads … the best balance between workload effects."
        ("goal latency", "early"),
        ("goal balanced; workload memory-bound", "early"),
        # "Home Snoop is best used for NUMA workloads that need maximum local and remote memory bandwidth."
        ("goal performance; workload memory-bound", "home"),
        ("goal throughput; workload memory-bound; memory-locality good", "home"),
        # "Cluster on Die is best used for highly NUMA optimized workloads."
        ("goal performance; memory-locality good", "cluster-on-die"),
    ],
)
def test_snoop_mode_is_chosen_as_the_menu_says(policy: str, value: str) -> None:
    found = decision(f"{policy}; cpu haswell", "snoop-mode")
    assert (found.value, found.default) == (value, "early")
    assert cites(found.because, "dell-bios-registries", "R630 registry, SnoopMode help text")


def test_without_advice_snoop_mode_stays_at_its_default() -> None:
    found = decision("goal performance; cpu haswell; workload java", "snoop-mode")
    assert (found.value, found.written) == ("early", False)


def test_cluster_on_die_is_there_without_node_interleaving_only() -> None:
    policy = "goal performance; cpu haswell; set snoop-mode cluster-on-die; set node-interleaving on"
    conflict(policy, "dell-bios-registries", "R630 registry, SnoopMode help text")


@pytest.mark.parametrize("mode", ["mirror", "spare"])
@pytest.mark.parametrize(("cpu", "server"), [("haswell", "R630"), ("skylake", "R740")])
def test_mirroring_and_sparing_need_the_interrupt_for_corrected_errors(
    cpu: str, server: str, mode: str
) -> None:
    policy = f"goal latency; cpu {cpu}; memory-need half; set memory-mode {mode}"
    conflict(
        f"{policy}; set correctable-ecc-smi off",
        "dell-bios-registries",
        f"{server} registry, CorrEccSmi help text",
    )
    assert plan(spelt(policy)).value("correctable-ecc-smi") == "on"


@pytest.mark.parametrize(
    ("cpu", "server"),
    [("haswell", "R630"), ("skylake", "R740"), ("ice-lake; platform poweredge-15g", "R750")],
)
def test_x2apic_needs_virtualization(cpu: str, server: str) -> None:
    conflict(
        f"goal balanced; cpu {cpu}; set x2apic on; set virtualization off",
        "dell-bios-registries",
        f"{server} registry, ProcX2Apic dependencies",
    )


@pytest.mark.parametrize("cpu", ["xeon-gold-6150", "xeon-gold-6354; platform r750"])
def test_snc_shortens_the_way_to_the_last_level_cache(cpu: str) -> None:
    """ "It improves average latency to the LLC": to be tried, where threads are near their memory and latency
    counts."""
    found = decision(f"goal latency; memory-locality good; cpu {cpu}", "sub-numa-cluster")
    assert (found.value, found.because[0].strength) == ("on", "test-first")
    assert cites(found.because, "dell-bios-registries", "R740 and R750 registries, SubNumaCluster help text")
    assert decision(f"goal latency; cpu {cpu}", "sub-numa-cluster").value == "off"


@pytest.mark.parametrize(
    ("setting", "default"),
    [
        ("llc-prefetch", "on"),
        ("upi-prefetch", "on"),
        ("xpt-prefetch", "on"),
        ("dead-line-llc-alloc", "on"),
        ("directory-atos", "off"),
        ("madt-core-enumeration", "round-robin"),
        ("x2apic", "on"),
        ("sr-iov", "off"),
    ],
)
def test_what_the_15th_generation_offers_without_advice_can_be_set(setting: str, default: str) -> None:
    found = decision("goal balanced; platform r750", setting)
    assert (found.default, found.written) == (default, False)


@pytest.mark.parametrize("cpu", ["e5-2600", "haswell", "skylake", "ice-lake; platform poweredge-15g"])
def test_guests_that_access_memory_at_random_lose_the_adjacent_line_alone(cpu: str) -> None:
    here = plan(f"goal throughput; workload virtualized; memory-access random; cpu {cpu}")
    assert here.value("adjacent-cache-line-prefetch") == "off"
    assert here.value("hardware-prefetcher") == "on"
