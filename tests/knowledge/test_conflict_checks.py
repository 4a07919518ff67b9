"""Contradictions that must be found: each one that a policy can contain is refused, with the source of the refusal.

E0301: impossible. E0401: defeats the intent, unless it is waived. E0501, E0502: not available. E0508: not covered.
E02xx: facts.
"""

import re

import pytest

from knowledge.refusals import conflict, hazard, refusal, spelt
from support.ask import decision, plan, warnings

# ----------------------------------------------------------------------------------------------- turbo, efficiency


def test_turbo_on_under_efficiency_11g() -> None:
    hazard("goal efficiency; cpu westmere; set turbo on", "turbo-vs-efficiency", "dell-11g-hpc", "Figure 13")


def test_turbo_on_under_efficiency_12g() -> None:
    hazard("goal efficiency; cpu e5-2680; set turbo on", "turbo-vs-efficiency-12g",
           "dell-12g-tuning", "Figures 18, 19 and 20")  # fmt: skip


def test_a_profile_that_implies_turbo_under_efficiency_12g() -> None:
    hazard("goal efficiency; cpu e5-2680; set system-profile dapc", "turbo-vs-efficiency-12g",
           "dell-12g-tuning", "Figures 18, 19 and 20")  # fmt: skip


# ------------------------------------------------------------------------------------------------------- C-states


@pytest.mark.parametrize("os", ["", "; os rhel 9", "; os ubuntu 24.04"])
@pytest.mark.parametrize(
    "server",
    ["goal latency; cpu nehalem", "goal latency; cpu e5-2680; set monitor-mwait on; set smt off",
     "goal performance; cpu e5-2680", "goal performance; cpu skylake; workload hpc"],
)  # fmt: skip
def test_firmware_c_states_off_while_the_driver_is_on(server: str, os: str) -> None:
    # An OS that nobody stated is assumed to be a modern one, with the same rules.
    hazard(f"{server}{os}; set intel-idle on", "intel-idle-beyond-firmware", "linux-intel-idle",
           "intel_idle_off_by_default(); CPUIDLE_FLAG_ALWAYS_ENABLE")  # fmt: skip


def test_a_modern_driver_without_a_list_from_the_firmware_enables_every_state() -> None:
    """intel_idle_off_by_default(): with no _CST no state is off, so that C1E is the least of what may be used."""
    server = "goal performance; cpu skylake; workload hpc"
    assert "provides no _CST, the driver enables all" in refusal(f"{server}; set intel-idle on").message
    assert "without any _CST" in decision(server, "intel-idle").because[0].because


@pytest.mark.parametrize("os", ["rhel 6.4", "rhel 7", "rhel 8", "sles 11", "linux-4.12"])
def test_firmware_c_states_off_while_the_driver_of_an_older_kernel_is_on(os: str) -> None:
    hazard(f"goal latency; cpu westmere; os {os}; set intel-idle on", "intel-idle-overrides-firmware",
           "redhat-202743", "Why the OS might ignore BIOS settings")  # fmt: skip


def test_without_monitor_mwait_the_driver_cannot_load_so_that_its_argument_is_free() -> None:
    policy = "goal latency; cpu e5-2680; set intel-idle on"
    assert plan(spelt(policy)).value("monitor-mwait") == "off"
    assert [e.value for e in plan(spelt(policy)).effects if e.name == "idle-states"] == ["unused"]


def test_c_states_on_under_latency() -> None:
    hazard("goal latency; cpu westmere; set c-states on", "c-states-vs-latency", "dell-11g-hpc", "Figure 10")


def test_c_states_on_under_latency_12g() -> None:
    hazard("goal latency; cpu e5-2680; set c-states on", "c-states-vs-latency-12g",
           "dell-12g-tuning", "Figure 22, and the text after it")  # fmt: skip


@pytest.mark.parametrize("state", ["on", "autonomous"])
def test_c_states_on_under_latency_13g(state: str) -> None:
    hazard(f"goal latency; cpu haswell; set c-states {state}", "c-states-vs-latency-13g",
           "dell-bios-registries", "R630 registry, ProcCStates help text")  # fmt: skip


@pytest.mark.parametrize("cpu", ["skylake", "ice-lake; platform poweredge-15g"])
def test_c_states_on_under_latency_14g_and_15g(cpu: str) -> None:
    hazard(f"goal latency; cpu {cpu}; set c-states on", "c-states-vs-latency-14g",
           "dell-bios-registries", "R740 and R750 registries, ProcCStates help text")  # fmt: skip


def test_c1e_on_under_latency() -> None:
    hazard("goal latency; cpu e5-2680; set c1e on", "c1e-vs-latency",
           "dell-12g-tuning", "Figure 22, and the text after it")  # fmt: skip


def test_c_states_off_under_efficiency() -> None:
    hazard("goal efficiency; cpu westmere; set c-states off", "c-states-off-vs-efficiency",
           "dell-11g-hpc", "Figure 5")  # fmt: skip


def test_c_states_off_under_efficiency_12g() -> None:
    hazard("goal efficiency; cpu e5-2680; set c-states off", "c-states-off-vs-efficiency-12g",
           "dell-12g-tuning", "C-States and C1E options; Figure 21")  # fmt: skip


@pytest.mark.parametrize("goal", ["balanced", "performance", "throughput"])
def test_c_states_off_on_an_interactive_cluster(goal: str) -> None:
    hazard(f"goal {goal}; cpu westmere; workload interactive; set c-states off", "c-states-off-interactive",
           "dell-11g-hpc", "Figure 5")  # fmt: skip


def test_kernel_that_forgoes_the_idle_states_under_efficiency() -> None:
    hazard("goal efficiency; cpu westmere; set force-latency c1", "kernel-forgoes-idle-states",
           "linux-cpuidle",
           "Idle States Control Via Kernel Command Line; Power Management Quality of Service for CPUs")  # fmt: skip


# ------------------------------------------------------------------------------------------------- Monitor/Mwait


def test_monitor_mwait_off_with_smt_on() -> None:
    hazard("goal balanced; cpu e5-2680; set monitor-mwait off; set smt on", "monitor-mwait-off-with-smt",
           "dell-12g-tuning", "Monitor/Mwait")  # fmt: skip


@pytest.mark.parametrize(
    ("cpu", "at"),
    [
        ("e5-2680", "R720 registry, MonitorMwait help text"),
        ("haswell", "R630 registry, MonitorMwait help text"),
        ("skylake", "R740 registry, MonitorMwait help text"),
    ],
)
def test_monitor_mwait_off_with_c_states_on(cpu: str, at: str) -> None:
    error = conflict(
        f"goal balanced; cpu {cpu}; set monitor-mwait off; set c-states on", "dell-bios-registries", at
    )
    assert error.message == "`monitor-mwait off` and `c-states on` contradict each other"


def test_monitor_mwait_off_with_c_states_on_is_only_advised_against_by_the_15th_generation() -> None:
    policy = spelt(
        "goal balanced; platform poweredge-15g; cpu ice-lake; set monitor-mwait off; set c-states on; set smt off"
    )
    assert any("mwait-with-c-states-15g" in w for w in warnings(policy, "W0401"))


# ------------------------------------------------------------------------------------------------ SMT and polling


def test_smt_on_under_latency() -> None:
    hazard("goal latency; cpu e5-2680; set smt on", "smt-vs-latency", "dell-12g-tuning", "Logical Processor")


@pytest.mark.parametrize("cpu", ["westmere", "e5-2680", "skylake"])
def test_idle_poll_with_smt_on(cpu: str) -> None:
    hazard(f"goal balanced; cpu {cpu}; set smt on; set idle-poll on", "idle-poll-with-smt",
           "linux-x86-process", "select_idle_routine()")  # fmt: skip


# --------------------------------------------------------------------------------------------------- the profiles


def test_a_profile_against_its_members() -> None:
    sets = {"system-profile": "dapc", "turbo": "off", "smt": "on"}
    error = conflict(_policy(sets), "dell-12g-tuning", "Table 1")
    assert error.message == "`system-profile dapc` and `turbo off` contradict each other", (
        "smt has no part in it"
    )
    assert error.help, "there is a way out"
    for way in error.help:
        repaired = {**sets}
        if dropped := re.match(r"drop `set (\S+) \S+`", way):
            del repaired[dropped[1]]
        else:
            changed = re.match(r"`set (\S+) (\S+)` instead of", way)
            assert changed, way
            repaired[changed[1]] = changed[2]
        assert plan(spelt(_policy(repaired))).value("smt") == "on", f"{way}: was to work"


def _policy(sets: dict[str, str]) -> str:
    return "; ".join(
        ["goal balanced", "cpu e5-2680", *(f"set {name} {value}" for name, value in sets.items())]
    )


def test_collaborative_control_without_dapc() -> None:
    error = conflict(
        "goal balanced; cpu e5-2680; set collaborative-cpu-control on; set cpu-power-management os-dbpm",
        "dell-12g-tuning", "Collaborative CPU Performance Control",
    )  # fmt: skip
    assert error.message == (
        "`collaborative-cpu-control on` and `cpu-power-management os-dbpm` contradict each other"
    )


@pytest.mark.parametrize("os", ["rhel 5.3", "slc 5", "rhel 6.4"])
def test_os_control_without_cpuspeed(os: str) -> None:
    hazard(f"goal balanced; cpu westmere; os {os}; set cpu-power-management os-dbpm; set cpuspeed-service off",
           "os-control-without-cpuspeed", "dell-11g-hpc", "Turbo Mode and C-States")  # fmt: skip


@pytest.mark.parametrize("os", ["rhel 5.3", "slc 5", "rhel 6.4"])
def test_os_control_without_cpuspeed_12g(os: str) -> None:
    hazard(f"goal balanced; cpu e5-2680; os {os}; set system-profile os; set cpuspeed-service off",
           "os-control-without-cpuspeed-12g", "dell-12g-tuning", "CPU Power Management modes")  # fmt: skip


@pytest.mark.parametrize("os", ["rhel 5.3", "rhel 6.4", "windows server 2008 r2", "windows"])
def test_logical_processor_idling_on_a_kernel_without_it(os: str) -> None:
    hazard(f"goal balanced; cpu e5-2680; os {os}; set logical-processor-idling on",
           "logical-processor-idling-unsupported", "dell-12g-tuning", "Logical processor idling")  # fmt: skip


@pytest.mark.parametrize("os", ["windows server 2012", "rhel 9"])
def test_logical_processor_idling_on_a_kernel_with_it(os: str) -> None:
    idling = decision(spelt(f"goal balanced; cpu e5-2680; os {os}; set logical-processor-idling on"),
                      "logical-processor-idling")  # fmt: skip
    assert idling.value == "on"


# --------------------------------------------------------------------------------------- sockets, nodes, clusters


@pytest.mark.parametrize("cpu", ["e5-4600", "e5-4650"])
def test_node_interleaving_on_four_sockets(cpu: str) -> None:
    error = conflict(f"goal balanced; cpu {cpu}; sockets 4; set node-interleaving on",
                     "dell-12g-tuning", "Node Interleaving")  # fmt: skip
    assert error.message.startswith("`node-interleaving on` is not possible")


@pytest.mark.parametrize(
    "server", ["cpu westmere", "cpu e5-2680", "cpu haswell", "cpu skylake; snc-support no"]
)
def test_sub_numa_clustering_off_its_hardware(server: str) -> None:
    error = refusal(f"goal balanced; {server}; set sub-numa-cluster on")
    assert error.code == "E0508"
    assert any("platform poweredge-14g, snc-support not no" in note for note in error.notes)


@pytest.mark.parametrize(
    ("cpu", "registry"), [("skylake", "R740"), ("xeon-gold-6354; platform r750", "R750")]
)
def test_sub_numa_clustering_with_node_interleaving(cpu: str, registry: str) -> None:
    error = conflict(f"goal balanced; cpu {cpu}; set sub-numa-cluster on; set node-interleaving on",
                     "dell-bios-registries", f"{registry} registry, SubNumaCluster dependencies")  # fmt: skip
    assert error.message == "`sub-numa-cluster on` and `node-interleaving on` contradict each other"


# ---------------------------------------------------------------------------------------- options of one processor


@pytest.mark.parametrize(
    "option", ["dcu-streamer-prefetcher on", "data-reuse on", "qpi-bandwidth-priority io"]
)
@pytest.mark.parametrize("cpu", ["nehalem", "x5570"])
def test_options_of_the_xeon_5600_off_it(option: str, cpu: str) -> None:
    error = refusal(f"goal performance; cpu {cpu}; set {option}")
    assert error.code == "E0508"
    assert any("cpu westmere, platform poweredge-11g" in note for note in error.notes)


def test_a_value_that_this_generation_lacks() -> None:
    error = refusal("goal balanced; cpu e5-2680; set c-states autonomous")
    assert error.code == "E0502"
    assert "offered: on, off [dell-bios-registries, R720 registry, ProcCStates]" in error.notes


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        # Nothing but the firmware decides where no driver of the kernel does: every halt becomes C1E.
        ("goal balanced; cpu westmere; os windows; set c1e on", "used"),
        ("goal balanced; cpu westmere; os windows; set c1e off", "unused"),
        # Without intel_idle nothing clears the promotion, not even the limit at C1.
        ("goal balanced; cpu westmere; os rhel 7; set c1e on; set c-states off", "used"),
        (
            "goal balanced; cpu westmere; os rhel 7; set c1e on; set intel-idle off; set force-latency c1",
            "used",
        ),
        # intel_idle clears it, and asks for C1E by itself unless it is limited to C1.
        ("goal balanced; cpu westmere; os rhel 7; set c1e off; set intel-idle on", "used"),
        (
            "goal balanced; cpu westmere; os rhel 7; set c1e on; set intel-idle on; set force-latency c1",
            "unused",
        ),
        # The driver of Enterprise Linux 6 does neither; and none loads without Monitor/Mwait.
        ("goal balanced; cpu westmere; os rhel 6.4; set c1e off; set intel-idle on", "unused"),
        (
            "goal balanced; cpu e5-2600; os rhel 7; set c1e off; set smt off; set monitor-mwait off; set c-states off",
            "unused",
        ),
    ],
)
def test_the_combined_effect_of_firmware_and_kernel_on_c1e(policy: str, expected: str) -> None:
    found = [e.value for e in plan(spelt(policy)).effects if e.name == "c1e-use"]
    assert found == [expected]


# ------------------------------------------------------------------------------------- what menus and registries refuse


@pytest.mark.parametrize(
    ("policy", "source", "at"),
    [
        (
            "platform dl360-gen10; set sub-numa-cluster on; set upi-prefetch off",
            "hpe-ilo5-reference",
            "Bios.v1_0_0.Bios, UpiPrefetcher",
        ),
        (
            "platform dl360-gen10; set sub-numa-cluster on; set xpt-prefetch off",
            "hpe-ilo5-reference",
            "Bios.v1_0_0.Bios, XptPrefetcher",
        ),
        (
            "platform dl360-gen10; set x2apic force-enabled; set iommu off",
            "hpe-ilo5-reference",
            "Bios.v1_0_0.Bios, ProcX2Apic",
        ),
        (
            "platform r630; set trusted-execution on; set cores-per-processor 2",
            "dell-bios-registries",
            "R630 registry, ProcCores dependencies",
        ),
        (
            "platform r630; set virtualization off; set trusted-execution on",
            "dell-bios-registries",
            "R630 registry, IntelTxt dependencies",
        ),
        (
            "platform r750; set virtualization off; set kernel-dma-protection on",
            "dell-bios-registries",
            "R750 registry, KernelDmaProtection dependencies",
        ),
        (
            "platform r740; os debian 12; set isolated-cpus 2-5; set managed-interrupt-cpus 6-7",
            "linux-kernel-parameters",
            "isolcpus=",
        ),
        (
            "platform r740; os debian 12; set huge-pages-2m 1024; set huge-pages-2m-per-node 512",
            "linux-hugetlb",
            "Per Node Hugepages Attributes",
        ),
        (
            "platform r740; os debian 12; set huge-pages-1g 16; set huge-pages-1g-per-node 8",
            "linux-hugetlb",
            "Per Node Hugepages Attributes",
        ),
        (
            "platform r740; os debian 13; set base-profile network-latency; set tsc-checks no-watchdog",
            "tuned-2.25",
            "network-latency, [bootloader] cmdline_network_latency",
        ),
        (
            "platform ucs-m8-amd; sockets 1; set numa-nodes-per-socket 0",
            "dell-numa-epyc-7002",
            "NUMA and NPS",
        ),
        (
            "platform ucs-m6-amd; sockets 1; set numa-nodes-per-socket 0",
            "dell-numa-epyc-7002",
            "NUMA and NPS",
        ),
    ],
)
def test_what_the_firmware_does_not_take_together(policy: str, source: str, at: str) -> None:
    conflict(f"goal latency; {policy}", source, at)


@pytest.mark.parametrize(
    "server", ["platform ucs-m8-amd; sockets 2", "platform ucs-m8-amd", "platform ucs-m6-amd; sockets 2"]
)
def test_two_sockets_can_be_one_numa_node(server: str) -> None:
    policy = f"goal latency; {server}; set numa-nodes-per-socket 0"
    assert plan(spelt(policy)).value("numa-nodes-per-socket") == "0"
