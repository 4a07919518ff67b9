"""Advice for the servers of other makers, and what their firmware locks: as their registries have it.

A profile of HPE's is advised for what its name says. A value is locked while the setting that the registry names has
the value that it names; the captured registries are compared as a whole in `tests/conformance/test_other_makers.py`.
"""

import pytest

from knowledge.refusals import spelt
from support.ask import cites
from support.plans import plan_of_text

DL360, DL385, DL380A, SR670, SYS = (
    f"platform {name}"
    for name in ("dl360-gen10-plus", "dl385-gen10-plus-v2", "dl380a-gen11", "sr670-v2", "sys-821ge-tnhr")
)

PROFILES = [
    ("goal latency", "low-latency"),
    ("goal performance", "general-peak-frequency-compute"),
    ("goal throughput", "general-throughput-compute"),
    ("goal efficiency", "general-power-efficient-compute"),
    ("goal performance; workload hpc", "high-performance-compute"),
    ("goal throughput; workload io-bound", "io-throughput"),
    ("goal throughput; workload mongodb", "io-throughput"),
    ("goal throughput; workload storage", "io-throughput"),
    ("goal throughput; workload oltp", "transactional-processing"),
    ("goal performance; workload oltp", "transactional-processing"),
    ("goal latency; workload oltp", "low-latency"),
    ("goal performance; workload olap", "decision-support"),
    ("goal efficiency; workload olap", "general-power-efficient-compute"),
    ("goal latency; workload virtualized", "virtualization-max-performance"),
    ("goal balanced; workload virtualized", "virtualization-power-efficient"),
]


@pytest.mark.parametrize("server", [DL360, DL385, DL380A])
@pytest.mark.parametrize(("use", "profile"), PROFILES)
def test_the_profile_that_hpe_names_for_a_use(server: str, use: str, profile: str) -> None:
    found = plan_of_text(f"{use}; {server};").setting("workload-profile")
    assert found is not None
    citation = found.because[0].citation
    assert citation is not None
    assert (found.value, citation.source) == (profile, "hpe-com-cmdlets")


@pytest.mark.parametrize("server", [DL360, DL380A])
def test_without_profiles_of_another_a_database_has_that_for_io(server: str) -> None:
    plan = plan_of_text(f"goal throughput; workload postgresql; {server};")
    assert plan.value("workload-profile") == "io-throughput"


@pytest.mark.parametrize(
    ("use", "profile"),
    [
        ("goal throughput; workload relational-database", "rdbms"),
        ("goal performance; workload postgresql", "rdbms"),
        ("goal throughput; workload mysql", "rdbms"),
        ("goal latency; workload java", "java-latency"),
        ("goal throughput; workload java", "java-throughput"),
        ("goal throughput; workload data-analytics", "big-data-analytics"),
        ("goal performance; workload cpu-intensive", "cpu-intensive"),
        ("goal throughput; workload nfv", "openstack-nfv"),
        ("goal performance; workload real-time", "openstack-real-time"),
        ("goal throughput; workload kubernetes-node", "container"),
        ("goal performance; workload accelerated", "accelerator-throughput"),
    ],
)
def test_the_profiles_of_amd_for_a_workload_are_chosen_under_the_custom_one(use: str, profile: str) -> None:
    plan = plan_of_text(f"{use}; {DL385};")
    assert (plan.value("workload-profile"), plan.value("amd-workload-profile")) == ("custom", profile)


def test_a_database_has_one_numa_node_of_each_socket_as_amds_profile_has_it() -> None:
    """Cisco has four on the same processors."""
    found = plan_of_text(f"goal throughput; workload postgresql; {DL385};").setting("numa-nodes-per-socket")
    assert found is not None
    assert found.value == "1"
    assert "cisco-bios-templates" in {lost.citation.source for lost in found.beat if lost.citation}


@pytest.mark.parametrize("workload", ["postgresql", "real-time", "accelerated"])
def test_for_latency_hpes_own_profile_stays(workload: str) -> None:
    """AMD's for these uses leave the C-states of the fabric as they are, among others."""
    plan = plan_of_text(f"goal latency; workload {workload}; {DL385};")
    assert plan.value("workload-profile") == "low-latency"
    assert plan.value("amd-workload-profile") == "off"
    assert plan.value("data-fabric-c-states") == "off"


@pytest.mark.parametrize("workload", ["nfv", "ran", "kubernetes-node"])
def test_where_programs_drive_cards_hpes_profile_keeps_the_iommu(workload: str) -> None:
    """Its other values stay."""
    plan = plan_of_text(f"goal latency; workload {workload}; {DL385};")
    assert plan.value("workload-profile") == "custom"
    assert (plan.value("iommu"), plan.value("data-fabric-c-states"), plan.value("turbo")) == (
        "on",
        "off",
        "off",
    )


FABRIC = [
    # policy, setting, value, strength, the attribute whose help text it is
    ("goal latency; workload java", "fabric-power-management", "off", "test-first", "ApplicationPowerBoost"),
    ("goal latency; workload java", "fabric-p-state", "p0", "vendor", "InfinityFabricPstate"),
    ("goal throughput; workload oltp", "fabric-p-state", "p0", "vendor", "InfinityFabricPstate"),
    (
        "goal throughput; workload mongodb; set workload-profile custom; set fabric-power-management off",
        "fabric-p-state",
        "p0",
        "vendor",
        "InfinityFabricPstate",
    ),
]


@pytest.mark.parametrize(("use", "setting", "value", "strength", "attribute"), FABRIC)
def test_the_fabric_where_hpes_profile_leaves_it_free(
    use: str, setting: str, value: str, strength: str, attribute: str
) -> None:
    found = plan_of_text(spelt(f"{use}; {DL385}")).setting(setting)
    assert found is not None
    assert (found.value, found.cause.strength) == (value, strength)
    assert cites(found.because, "hpe-dl385-gen10-plus-v2-registry", f"{attribute} help text")


def test_a_fabric_whose_clock_varies_has_no_fixed_state() -> None:
    policy = spelt(f"goal latency; workload java; {DL385}; set fabric-power-management on")
    assert plan_of_text(policy).value("fabric-p-state") == "auto"


def test_without_the_iommu_a_dl360_has_no_x2apic() -> None:
    """Its firmware turns each off or on with the other, under every profile."""
    plan = plan_of_text(f'goal performance; {DL360}; set iommu off because "a test";')
    assert (plan.value("iommu"), plan.value("x2apic")) == ("off", "off")


def test_lenovos_workload_configuration_for_io() -> None:
    assert (
        plan_of_text(f"goal performance; workload io-bound; {SR670};").value("workload-configuration")
        == "io-sensitive"
    )
    assert plan_of_text(f"goal performance; {SR670};").value("workload-configuration") == "balanced"


def test_lenovos_clusters_for_latency() -> None:
    """If each program keeps to its memory, and the processor has them; the help text of the menu names their
    latency."""
    latency = f"goal latency; {SR670}; snc-support yes"
    assert plan_of_text(f"{latency}; memory-locality good;").value("sub-numa-cluster") == "on"
    assert plan_of_text(f"{latency}; memory-locality poor;").value("sub-numa-cluster") == "off"


LOCKS = [
    (DL360, "set workload-profile custom; set turbo off", "turbo", "energy-efficient-turbo"),
    (DL360, "set workload-profile custom; set x2apic force-enabled", "x2apic", "iommu"),
    (DL360, "set workload-profile custom; set sgx on", "sgx", "memory-protection"),
    (DL380A, "set workload-profile custom; set turbo off", "turbo", "energy-efficient-turbo"),
    (DL380A, "set workload-profile custom; set x2apic on", "x2apic", "iommu"),
    (SR670, "set operating-mode custom", "c-states", "c1e"),
    (SR670, "set operating-mode custom", "c-states", "monitor-mwait"),
    (
        SR670,
        "set operating-mode custom; set energy-performance-bias-owner os",
        "energy-performance-bias-owner",
        "energy-performance-bias",
    ),
    (SR670, "set sub-numa-cluster on", "sub-numa-cluster", "uma-clustering"),
    (SR670, "set operating-mode custom; set turbo off", "turbo", "turbo-limits"),
    (SR670, "set operating-mode custom; set turbo off", "turbo", "energy-efficient-turbo"),
    (SYS, "set energy-performance-bias-owner os", "energy-performance-bias-owner", "energy-performance-bias"),
    (SYS, "set hardware-p-states out-of-band", "hardware-p-states", "energy-performance-bias-owner"),
    (SYS, "set iommu off", "iommu", "interrupt-remapping"),
    (SYS, "set optimized-power-mode on", "optimized-power-mode", "c1e"),
    (SYS, "set power-technology energy-efficient", "power-technology", "energy-performance-bias"),
    (SYS, "set power-technology energy-efficient", "power-technology", "energy-performance-bias-owner"),
    (SYS, "set power-technology energy-efficient", "power-technology", "optimized-power-mode"),
    (SYS, "set speedstep off", "speedstep", "avx-base-frequency"),
    (SYS, "set speedstep off", "speedstep", "turbo"),
]


@pytest.mark.parametrize(("server", "sets", "lock", "locked"), LOCKS)
def test_what_locks_a_setting_of_the_firmware(server: str, sets: str, lock: str, locked: str) -> None:
    found = plan_of_text(spelt(f"goal balanced; {server}; {sets}")).setting(locked)
    assert found is not None
    assert lock in {each.setting for each in found.locks}
