"""What guides for a use of a server say: network functions, real time, containers, accelerators.

Each list has the lines of a source for the settings of the library, as the source words them, and the value that they
are here. A plan for the use has these values from this source, on each goal that the source is for, and no others. Each
line was read at the place that the statement cites, in the version that the source names.
"""

from __future__ import annotations

import pytest

from conformance.printed import advised, values_of

DPDK_FIRMWARE = """
Typically, Performance as the CPU Power and Performance policy    | energy-performance-bias performance
Consider using Turbo Boost                                        | turbo on
"""
DPDK_BOOT = """
it is recommended to use 1 GB hugepages                           | huge-page-size 1g
iommu=pt                                                          | iommu-passthrough on
"""
DPDK_INTEL = "intel_iommu=on | intel-iommu on"
DPDK_VFIO = """
both kernel and BIOS must support and be configured to use IO virtualization | iommu on
"""
DPDK_AMD_LATENCY = """
NIC in low latency mode: pcie_aspm=off             | kernel-aspm off
"""
DPDK_AMD_POWER = """
kernel 6.4 and above with amd_pstate in passive mode | amd-pstate passive
"""
VT_D = "turn on VT-d if you wants to use VFIO"

ZTP = """
CPU Power and Performance Policy: Performance      | energy-performance-bias performance
Intel(R) Turbo Boost Technology: Enabled           | turbo on
Uncore Frequency Scaling: Disabled                 | uncore-frequency maximum
C1E: Disabled                                      | c1e off
Processor C6: Disabled                             | c-states off
Enable global SR-IOV                               | sr-iov on
"""
"""Of the settings that an R750 has."""

XR11 = """
Hyper- Threading: Enable                           | smt on
Virtualization Technology (XAPIC): Enable          | virtualization on
uncore frequency scaling: Disable                  | uncore-frequency maximum
EIST PSD Function: HW_ALL                          | p-state-coordination hw-all
CPU C-State Control: Disable                       | c-states off
CPU C1E Support: Disable                           | c1e off
AVX P1: Level 2                                    | avx-base-frequency level-2
Energy Efficient Turbo: Disable                    | energy-efficient-turbo off
Turbo Mode: Enable                                 | turbo on
LLC prefetch: Enable                               | llc-prefetch on
Hardware P-States: Native with no Legacy Support   | hardware-p-states native-only
Power Performance Tuning: OS Controls EPB          | energy-performance-bias-owner os
Workload Configuration: I/O sensitive              | workload-configuration io-sensitive
intel_iommu=on                                     | intel-iommu on
intel_pstate=passive                               | intel-pstate passive
processor.max_cstate=1                             | acpi-idle-limit c1
intel_idle.max_cstate=0                            | intel-idle off
iommu=pt                                           | iommu-passthrough on
nmi_watchdog=0                                     | nmi-watchdog off
mce=off                                            | machine-checks off
default_hugepagesz=1G                              | huge-page-size 1g
skew_tick=1                                        | skew-tick on
"""

REAL_TIME = """
Disable power management, including CPU sleep states | c-states off
Disable SMT (hyper-threading)                        | smt off
"""

KUBELET = """
VMOvercommitMemoryAlways = 1                       | memory-overcommit always
KernelPanicOnOopsAlways = 1                        | panic-on-oops on
KernelPanicRebootTimeout = 10                      | restart-after-panic 10s
"""

OPENSHIFT = """
governor=performance                               | governor performance
transparent_hugepages=never                        | transparent-hugepages never
net.ipv4.tcp_fastopen=3                            | tcp-fast-open client-and-server
vm.dirty_ratio=10                                  | dirty-ratio 10
vm.dirty_background_ratio=3                        | dirty-background-ratio 3
vm.swappiness=10                                   | swappiness 10
kernel.timer_migration=1                           | timer-migration on
skew_tick=1                                        | skew-tick on
iommu=pt                                           | iommu-passthrough on
"""
OPENSHIFT_INTEL = """
energy_perf_bias=performance                       | energy-perf-bias performance
min_perf_pct=100                                   | min-perf-pct 100
intel_iommu=on                                     | intel-iommu on
"""
OPENSHIFT_AMD = "amd_pstate=guided | amd-pstate guided"

MI300X_BIOS = """
SR-IOV support: Enabled                            | sr-iov on
Global C-state control: Auto, do not disable       | c-states on
SMT control: Disable                               | smt off
NUMA nodes per socket: Auto = NPS1                 | numa-nodes-per-socket 1
IOMMU: Enabled                                     | iommu on
Determinism slider: Power                          | determinism power
APBDIS: 1                                          | fabric-power-management off
TSME: Disabled                                     | transparent-memory-encryption off
Disable NUMA auto-balancing                        | numa-balancing off
"""
MI300X_GRUB = """
iommu=pt                                           | iommu-passthrough on
"""

MI200_BIOS = """
SMT Control: Disable                               | smt off
IOMMU: Disable                                     | iommu off
Determinism Slider: Power                          | determinism power
APBDIS: 1                                          | fabric-power-management off
Fixed SOC P-state: P0                              | fabric-p-state p0
"""

HYPERLOOM = """
power_profile: high performance mode               | amd-power-profile high-performance
apbdis: 1                                          | fabric-power-management off
df_cstates: disabled                               | data-fabric-c-states off
core_performance_boost: enabled                    | turbo on
Power is the setting to want                       | determinism power
"""

ALL = ("latency", "performance", "throughput")
CASES = {
    ("dpdk-linux-guide", "platform r750; os debian 12; workload dpdk", ALL[1:]): f"""
{DPDK_FIRMWARE}{DPDK_BOOT}{DPDK_INTEL}
{VT_D} | virtualization on
""",
    ("dpdk-linux-guide", "platform c220-m7; os debian 12; workload dpdk", ALL[:1]): f"""
{DPDK_BOOT}{DPDK_INTEL}
{VT_D} | iommu on
""",
    ("dpdk-linux-guide", "platform r7615; os debian 12; workload dpdk", ALL[1:]): DPDK_BOOT + DPDK_VFIO,
    ("dpdk-linux-guide", "platform ucs-m8-amd; os debian 12; workload dpdk", ALL[1:]): DPDK_BOOT + DPDK_VFIO,
    ("dpdk-linux-guide", "platform dl385-gen10-plus-v2; os rhel 9; workload dpdk", ALL[1:]): DPDK_BOOT
    + DPDK_VFIO,
    ("dpdk-linux-guide", "platform r7615; os rhel 9; workload dpdk", ALL[:1]): DPDK_BOOT
    + DPDK_VFIO
    + DPDK_AMD_LATENCY,
    (
        "dpdk-linux-guide",
        "platform ucs-m8-amd; cpu epyc-turin; os debian 13; workload dpdk",
        ALL[:1],
    ): DPDK_BOOT + DPDK_VFIO + DPDK_AMD_LATENCY + DPDK_AMD_POWER,
    (
        "dpdk-linux-guide",
        "cpu epyc-milan; os ubuntu 24.04; workload dpdk",
        ("balanced", "efficiency"),
    ): DPDK_AMD_POWER,
    ("dpdk-linux-guide", "cpu epyc-naples; os ubuntu 24.04; workload dpdk", ("balanced", "efficiency")): "",
    (
        "dune-daq-dpdklibs",
        "platform dl385-gen10-plus-v2; cpu epyc-7543; os rhel 8.6; workload dpdk",
        ALL[1:],
    ): """
SMT Control: Enable                                | smt on
Local APIC Mode: X2APIC                            | x2apic on
""",
    ("dune-daq-dpdklibs", "platform r7615; cpu epyc-9534; workload dpdk", ALL): "",
    ("redhat-ztp-firmware", "cpu ice-lake; platform r750; workload ran", ("throughput",)): ZTP,
    ("redhat-ztp-firmware", "cpu ice-lake; platform dl360-gen10-plus; workload ran", ("throughput",)): """
CPU Power and Performance Policy: Performance      | energy-performance-bias performance
Intel(R) Turbo Boost Technology: Enabled           | turbo on
Energy Efficient Turbo: Disabled                   | energy-efficient-turbo off
Uncore Frequency Scaling: Disabled                 | uncore-frequency maximum
Intel Configurable TDP: Enabled, Level 2           | configurable-tdp level-2
Processor C6: Disabled                             | c-states off
Enable global SR-IOV                               | sr-iov on
Enable Intel VT-d                                  | iommu on
""",
    (
        "redhat-ztp-firmware",
        "cpu sapphire-rapids; platform sys-821ge-tnhr; workload ran",
        ("throughput",),
    ): """
CPU Power and Performance Policy: Performance      | energy-performance-bias performance
Enhanced Intel SpeedStep Technology: Enabled       | speedstep on
Intel(R) Turbo Boost Technology: Enabled           | turbo on
Hardware P-States: Disabled                        | hardware-p-states off
Package C-State: C0/C1                             | package-c-state-limit c0-c1
C1E: Disabled                                      | c1e off
Processor C6: Disabled                             | c-states off
Enable Intel VT-d                                  | iommu on
""",
    ("suse-flexran", "cpu ice-lake; platform xr11; os sles 15; workload flexran", ALL): XR11,
    ("openstack-nova-real-time", "platform r740; os debian 12; workload real-time", ALL[:1]): REAL_TIME,
    ("openstack-nova-real-time", "platform ucs-m8-amd; os debian 12; workload real-time", ALL[:1]): REAL_TIME,
    (
        "kubernetes-kubelet",
        "platform r750; os debian 12; workload kubernetes-node",
        (*ALL, "efficiency"),
    ): KUBELET,
    ("openshift-node-tuning", "cpu ice-lake; os rhel 9; workload kubernetes-node", ALL[:1]): OPENSHIFT
    + OPENSHIFT_INTEL,
    ("openshift-node-tuning", "cpu epyc-genoa; os debian 13; workload kubernetes-node", ALL[:1]): OPENSHIFT
    + OPENSHIFT_AMD,
    (
        "tuned-intel-pstate",
        "cpu ice-lake; os rhel 9; workload real-time",
        ALL[:1],
    ): "ACTIVE | intel-pstate active",
    (
        "tuned-intel-pstate",
        "cpu skylake; os rhel 9; workload nfv",
        ALL[:1],
    ): "DISABLE | intel-pstate disabled",
    (
        "rocm-mi300x",
        "platform r7615; os debian 13; workload gpu-training; accelerator mi300x",
        ALL[1:],
    ): MI300X_BIOS + MI300X_GRUB,
    (
        "rocm-mi300x",
        "platform ucs-m8-amd; cpu epyc-genoa; workload gpu-training; accelerator mi300x",
        ALL[1:],
    ): """
Global C-state control: Auto                       | c-states auto
SMT control: Disable                               | smt off
NUMA nodes per socket: Auto = NPS1                 | numa-nodes-per-socket 1
IOMMU: Enabled                                     | iommu on
Determinism slider: Power                          | determinism power
APBDIS: 1                                          | fabric-power-management off
DF C-states: Auto                                  | data-fabric-c-states auto
Fixed SOC P-state: P0                              | fabric-p-state p0
Disable NUMA auto-balancing                        | numa-balancing off
iommu=pt                                           | iommu-passthrough on
""",
    (
        "rocm-mi300x",
        "platform as-1115cs-tnr; cpu epyc-genoa; os debian 13; workload gpu-training; accelerator mi300x",
        ALL[1:],
    ): """
SR-IOV support: Enabled                            | sr-iov on
Global C-state control: Auto                       | c-states auto
SMT control: Disable                               | smt off
NUMA nodes per socket: Auto = NPS1                 | numa-nodes-per-socket 1
IOMMU: Enabled                                     | iommu on
Determinism control: Manual                        | determinism-control manual
APBDIS: 1                                          | fabric-power-management off
DF C-states: Auto                                  | data-fabric-c-states auto
Disable NUMA auto-balancing                        | numa-balancing off
iommu=pt                                           | iommu-passthrough on
""",
    ("tuned-2.25", "platform r750; cpu ice-lake; os debian 13; workload sap-hana", ALL[:1]): """
cmdline_network_latency: tsc=reliable              | tsc-checks reliable
kernel.hung_task_timeout_secs = 600                | hung-task-timeout 600s
kernel.nmi_watchdog = 0                            | nmi-watchdog off
kernel.timer_migration = 0                         | timer-migration off
vm.stat_interval = 10                              | vm-statistics-interval 10s
transparent_hugepages = madvise                    | transparent-hugepages madvise
""",
    ("tuned-2.25", "platform r750; cpu ice-lake; os debian 13; workload sap-netweaver", ("performance",)): """
energy_performance_preference = performance        | energy-performance-preference performance
vm.max_map_count = 2147483647                      | max-map-count 2147483647
kernel.sem = 32000 1024000000 500 32000            | semaphores 32000-1024000000-500-32000
""",
    (
        "rocm-mi300x",
        "platform c220-m7; os debian 13; workload gpu-training; accelerator mi300x",
        ALL[1:],
    ): """
Disable NUMA auto-balancing                        | numa-balancing off
iommu=pt                                           | iommu-passthrough on
intel_iommu=on                                     | intel-iommu on
""",
    (
        "rocm-mi200",
        "platform dl385-gen10-plus-v2; cpu epyc-7763; workload gpu-training; accelerator mi200",
        ALL[1:],
    ): f"""
{MI200_BIOS}
SR-IOV Support: Disabled                           | sr-iov off
Determinism Control: Manual                        | determinism-control manual
xGMI Force Link Width: 2, 16 bits                  | xgmi-force-link-width x16
DF C-states: Enabled                               | data-fabric-c-states on
Memory Clock Speed: max                            | memory-frequency maximum
Power Down Enable: Disabled                        | dram-power-down off
TSME: Disabled                                     | transparent-memory-encryption off
link clock frequency forced to the maximum         | lclk-dpm-level high
""",
    (
        "rocm-mi200",
        "platform ucs-m6-amd; cpu epyc-milan; workload accelerated; accelerator mi200",
        ALL[1:],
    ): f"""
{MI200_BIOS}
Global C-state Control: Auto                       | c-states auto
""",
    ("rocm-mi200", "platform r7615; cpu epyc-9654; workload accelerated; accelerator mi200", ALL): "",
    (
        "amd-hyperloom-audit",
        "platform r7615; cpu epyc-9534; workload gpu-inference; accelerator amd-instinct",
        ALL[1:],
    ): HYPERLOOM,
    (
        "amd-hyperloom-audit",
        "platform thinksystem-v3-amd; cpu epyc-turin; workload gpu-inference; accelerator amd-instinct",
        ALL,
    ): """
df_cstates: disabled                               | data-fabric-c-states off
core_performance_boost: enabled                    | turbo on
Power is the setting to want                       | determinism power
""",
    (
        "nvidia-gpudirect-storage",
        "platform sys-821ge-tnhr; workload gpu-inference; accelerator nvidia-gpu",
        ALL,
    ): """
disable ACS                                        | acs-control off
""",
    (
        "nvidia-gds-for-nvme",
        "platform sys-821ge-tnhr; os ubuntu 24.04; workload gpu-training; accelerator nvidia-gpu",
        ALL,
    ): """
If you have an Intel CPU, add intel_iommu=off      | intel-iommu off
""",
    (
        "nvidia-gds-for-nvme",
        'platform r7625; os ubuntu 24.04; workload gpu-training; accelerator nvidia-gpu; set iommu on because "a test"',
        ALL,
    ): """
such as DGX H100, DGX A100, iommu=pt is supported  | iommu-passthrough on
""",
    (
        "nvidia-gds-for-nvme",
        "platform r760xa; os ubuntu 24.04; workload gpu-training; accelerator nvidia-gpu; device-access vfio",
        ALL,
    ): "",
    (
        "nvidia-gpudirect-storage",
        "platform dl385-gen10-plus-v2; workload gpu-training; accelerator nvidia-gpu",
        ALL,
    ): """
disable ACS                                        | access-control-services off
""",
}
"""A source, a policy without its goal, and the goals; what the source says, and the value that it is here."""


@pytest.mark.parametrize(
    ("source", "facts", "goal", "lines"),
    [(source, facts, goal, lines) for (source, facts, goals), lines in CASES.items() for goal in goals],
)
def test_a_plan_has_the_lines_of_the_guide(source: str, facts: str, goal: str, lines: str) -> None:
    assert advised(f"goal {goal}; {facts}", source) == values_of(lines)


def test_amds_guide_for_the_mi300x_comes_before_what_its_project_checks() -> None:
    """They differ on the C-states of the fabric: Auto, and disabled."""
    policy = "platform ucs-m8-amd; cpu epyc-genoa; workload gpu-inference; accelerator"
    guide, checks = (
        advised(f"goal throughput; {policy} {gpu}", source)
        for gpu, source in (("mi300x", "rocm-mi300x"), ("amd-instinct", "amd-hyperloom-audit"))
    )
    assert "data-fabric-c-states auto" in guide
    assert "data-fabric-c-states off" in checks
