"""What makers of databases and message brokers, and of the systems and processors below them, set on servers for these.

Each list has the lines of a source for the settings of the library, typed as they are there, but for the names of files
of /sys and options of tuned, which stand for the commands that write them: files where tuned has no option. A plan for
the product has these texts from this source, on each goal, and no others. Read at: saptune 36f6306,
intel/optimization-zone d9832e2, redpanda 1c6cff3.
"""

import re

import pytest

from setpoint.compiler.plan.model import Decision
from support.plans import planned

# saptune's notes. [cpu] force_latency, energy_perf_bias and governor are tuned's options of the same names.
CPU = "/sys/devices/system/cpu/cpu*"
BEFORE_TUNED = f"""
    /sys/kernel/mm/transparent_hugepage/enabled  never            THP=never of [vm]
    /sys/kernel/mm/ksm/run                       0                KSM=0
    {CPU}/cpufreq/scaling_governor               performance      governor=performance
    {CPU}/power/pm_qos_resume_latency_us         70               force_latency=70
    kernel.numa_balancing                        0                kernel.numa_balancing=0
    vm.dirty_bytes                               629145600        1984787, 2578899: vm.dirty_bytes=629145600
    vm.dirty_background_bytes                    314572800        1984787, 2578899: vm.dirty_background_bytes=314572800
    net.core.somaxconn                           4096             2382421: of [sysctl:os=12-SP5], and of 15-SP1 to 15-SP3
    net.ipv4.tcp_max_syn_backlog                 8192             2382421: net.ipv4.tcp_max_syn_backlog = 8192
    net.ipv4.tcp_slow_start_after_idle           0                2382421: net.ipv4.tcp_slow_start_after_idle = 0
    net.ipv4.tcp_timestamps                      1                2382421: net.ipv4.tcp_timestamps = 1
    vm.max_map_count                             2147483647       1275776: vm.max_map_count=2147483647
    kernel.shmmni                                32768            1275776: kernel.shmmni=32768
"""
"""The releases whose tuned is not known. The kernels of SLES 12 and of Service Pack 1 have no file for the energy
bias."""
SLES_12 = f"""{BEFORE_TUNED}
    /sys/block/*/queue/scheduler                 noop|none        1984787: IO_SCHEDULER=noop, none
"""
SLES_15_SP1 = f"""{BEFORE_TUNED}
    /sys/block/*/queue/scheduler                 noop|none        2578899: IO_SCHEDULER=noop, none
    kernel.pid_max                               4194304          2578899: kernel.pid_max=4194304
"""
SLES_15_SP2 = f"""{BEFORE_TUNED}
    {CPU}/power/energy_perf_bias                 0                energy_perf_bias: performance - 0
    /sys/block/*/queue/scheduler                 none             2578899: IO_SCHEDULER=noop, none
    kernel.pid_max                               4194304          2578899: kernel.pid_max=4194304
"""
SLES_15_FROM_SP5 = """
    [vm] transparent_hugepages          madvise         THP=madvise of [vm:os=15-[5-7]]
"""
SLES_15_SP4 = """
    [vm] transparent_hugepages          never           THP=never of [vm]
"""
SLES_15 = """
    /sys/kernel/mm/ksm/run              0               KSM=0
    [cpu] energy_perf_bias              performance     energy_perf_bias=performance
    [cpu] governor                      performance     governor=performance
    [cpu] force_latency                 70              force_latency=70
    kernel.numa_balancing               0               kernel.numa_balancing=0
    [disk] elevator                     none            2578899: IO_SCHEDULER=noop, none
    vm.dirty_bytes                      629145600       2578899: vm.dirty_bytes=629145600
    vm.dirty_background_bytes           314572800       2578899: vm.dirty_background_bytes=314572800
    kernel.pid_max                      4194304         2578899: kernel.pid_max=4194304
    net.ipv4.tcp_max_syn_backlog        8192            2382421: net.ipv4.tcp_max_syn_backlog = 8192
    net.ipv4.tcp_slow_start_after_idle  0               2382421: net.ipv4.tcp_slow_start_after_idle = 0
    net.ipv4.tcp_timestamps             1               2382421: net.ipv4.tcp_timestamps = 1
    vm.max_map_count                    2147483647      1275776: vm.max_map_count=2147483647
    kernel.shmmni                       32768           1275776: kernel.shmmni=32768
"""
SLES_16 = """
    [vm] transparent_hugepages          madvise         3577842: THP=madvise
    /sys/kernel/mm/ksm/run              0               3577842: KSM=0
    [cpu] energy_perf_bias              performance     3577842: energy_perf_bias=performance
    [cpu] governor                      performance     3577842: governor=performance
    [cpu] force_latency                 70              3577842: force_latency=70
    kernel.numa_balancing               0               3577842: kernel.numa_balancing=0
    net.ipv4.tcp_max_syn_backlog        8192            2382421: net.ipv4.tcp_max_syn_backlog = 8192
    net.ipv4.tcp_slow_start_after_idle  0               2382421: net.ipv4.tcp_slow_start_after_idle = 0
    net.ipv4.tcp_timestamps             1               2382421: net.ipv4.tcp_timestamps = 1
    vm.max_map_count                    2147483647      1275776: vm.max_map_count=2147483647
    kernel.shmmni                       32768           1275776: kernel.shmmni=32768
"""

# 3565382 is the installation note of SLES 16.
INSTALLED_16 = """
    [disk] elevator                     none            3565382: IO_SCHEDULER=noop, none
    vm.dirty_bytes                      629145600       3565382: vm.dirty_bytes=629145600
    vm.dirty_background_bytes           314572800       3565382: vm.dirty_background_bytes=314572800
"""
SLES_16 += INSTALLED_16

# The solution NETWEAVER has the installation notes alone of those that have lines here; 1275776 is for SAP environments
# in general.
ENVIRONMENT = """
    vm.max_map_count                    2147483647      1275776: vm.max_map_count=2147483647
    kernel.shmmni                       32768           1275776: kernel.shmmni=32768
"""
NETWEAVER_12 = f"""{ENVIRONMENT}
    /sys/block/*/queue/scheduler        noop|none       1984787: IO_SCHEDULER=noop, none
    vm.dirty_bytes                      629145600       1984787: vm.dirty_bytes=629145600
    vm.dirty_background_bytes           314572800       1984787: vm.dirty_background_bytes=314572800
"""
NETWEAVER_15 = f"""{ENVIRONMENT}
    [disk] elevator                     none            2578899: IO_SCHEDULER=noop, none
    vm.dirty_bytes                      629145600       2578899: vm.dirty_bytes=629145600
    vm.dirty_background_bytes           314572800       2578899: vm.dirty_background_bytes=314572800
    kernel.pid_max                      4194304         2578899: kernel.pid_max=4194304
"""

NETAPP = """
    net.core.rmem_max                   16777216               3024346: net.core.rmem_max = 16777216
    net.core.wmem_max                   16777216               3024346: net.core.wmem_max = 16777216
    net.core.netdev_max_backlog         300000                 3024346: net.core.netdev_max_backlog = 300000
    net.ipv4.tcp_wmem                   4096_16384_16777216    3024346: net.ipv4.tcp_wmem = 4096 16384  16777216
"""
NETAPP_SINCE_SP2 = """
    net.ipv4.tcp_rmem                   4096_131072_16777216   3024346: net.ipv4.tcp_rmem = 4096 131072 16777216
"""

# The start-up scripts of Intel's guides. Kafka's has the same lines; the limit of dirty memory is in its text. Of the
# buffers of TCP the maximum is theirs; the initial sizes are the kernel's.
CASSANDRA = """
    vm.zone_reclaim_mode                0               echo 0 > /proc/sys/vm/zone_reclaim_mode
    [vm] transparent_hugepage.defrag    never           echo never | sudo tee /sys/kernel/mm/transparent_hugepage/defrag
    net.core.rmem_max                   16777216        net.core.rmem_max=16777216
    net.core.wmem_max                   16777216        net.core.wmem_max=16777216
    net.core.rmem_default               16777216        net.core.rmem_default=16777216
    net.core.wmem_default               16777216        net.core.wmem_default=16777216
    net.ipv4.tcp_keepalive_time         60              net.ipv4.tcp_keepalive_time=60
    net.ipv4.tcp_keepalive_probes       3               net.ipv4.tcp_keepalive_probes=3
    net.ipv4.tcp_keepalive_intvl        10              net.ipv4.tcp_keepalive_intvl=10
    net.ipv4.tcp_rmem            4096_131072_16777216   net.ipv4.tcp_rmem='4096 87380 16777216'
    net.ipv4.tcp_wmem            4096_16384_16777216    net.ipv4.tcp_wmem='4096 65536 16777216'
    [cpu] governor                      performance     echo -n performance > $CPUFREQ
    [cpu] energy_perf_bias              performance     echo -n performance > $CPUFREQ
    [disk] elevator                     none            echo none > /sys/block/nvme1n1/queue/scheduler
    /sys/block/*/queue/read_ahead_kb    8               echo 8 > /sys/class/block/nvme1n1/queue/read_ahead_kb
"""
JAVA = """
    [vm] transparent_hugepages          madvise         -XX:+UseTransparentHugePages: supports_thp() is madvise or always
"""
SMT = """
    LogicalProc                         Enabled         Table 2: Hyperthreading/SMT, Enabled; Kafka: Hyperthreading: enabled
"""
"""For throughput: the gain that is named is one of throughput."""

KAFKA = f"""{CASSANDRA}
    vm.dirty_background_bytes           400000000       vm.dirty_background_bytes=400000000
    [cpu] min_perf_pct                  100             tuned-adm profile latency-performance: min_perf_pct=100
    [cpu] force_latency                 cstate.id_no_zero:1|3  latency-performance: force_latency=cstate.id_no_zero:1|3
    vm.dirty_ratio                      10              latency-performance: dirty_bytes=10%
    vm.swappiness                       10              latency-performance: vm.swappiness=10
"""

REDPANDA = """
    vm.swappiness                       1               ExpectedSwappiness int = 1
    [vm] transparent_hugepages          always          filepath.Join(dir, enabledFile), "always"
    clocksource                         tsc             preferredClkSource = "tsc"
    fs.aio-max-nr                       1048576         maxAIOEvents = 1048576
    /sys/block/*/queue/nomerges         2               NewWriteFileCmd(fs, featureFile, "2")
    [disk] elevator                     none            preferred := []string{"none", "noop"}
    net.core.somaxconn                  4096            ListenBacklogSize = 4096
    net.ipv4.tcp_max_syn_backlog        4096            SynBacklogSize = 4096
    [cpu] governor                      performance     NewWriteFileCmd(tuner.fs, policyPath, "performance")
    intel_idle.max_cstate               0               "intel_idle.max_cstate=0"
    processor.max_cstate                1               "processor.max_cstate=1"
    intel_pstate                        disable         "intel_pstate=disable"
"""

CASES = [
    ("saptune-notes", "platform r740; os sles-12; workload sap-hana", SLES_12),
    ("saptune-notes", "platform r740; os sles-15-sp1; workload sap-hana", SLES_15_SP1),
    ("saptune-notes", "platform r740; os sles-15-sp2; workload sap-hana", SLES_15_SP2),
    ("saptune-notes", "platform r750; os sles-15-sp3; workload sap-hana", SLES_15_SP2),
    ("saptune-notes", "platform r750; os sles-15; workload sap-hana", SLES_15 + SLES_15_FROM_SP5),
    ("saptune-notes", "platform r750; os sles-15-sp4; workload sap-hana", SLES_15 + SLES_15_SP4),
    ("saptune-notes", "platform r750; os sles-16; workload sap-hana", SLES_16),
    ("saptune-notes", "platform r740; os sles-12; workload sap-netweaver", NETWEAVER_12),
    ("saptune-notes", "platform r750; os sles-15; workload sap-netweaver", NETWEAVER_15),
    ("saptune-notes", "platform r750; os sles-16; workload sap-netweaver", ENVIRONMENT + INSTALLED_16),
    ("saptune-notes", "platform r740; os sles-12; workload sap-hana-netapp", SLES_12 + NETAPP),
    (
        "saptune-notes",
        "platform r740; os sles-15-sp2; workload sap-hana-netapp",
        SLES_15_SP2 + NETAPP + NETAPP_SINCE_SP2,
    ),
    (
        "saptune-notes",
        "platform r750; os sles-16; workload sap-hana-netapp",
        SLES_16 + NETAPP + NETAPP_SINCE_SP2,
    ),
    (
        "intel-cassandra-guide",
        "cpu ice-lake; platform r750; os debian 12; workload cassandra",
        CASSANDRA + JAVA,
    ),
    ("intel-kafka-guide", "cpu ice-lake; platform r750; os debian 12; workload kafka", KAFKA),
    ("redpanda-tuners", "platform r740; os debian 12; workload redpanda", REDPANDA),
]


def written_in_source(lines: str) -> set[tuple[str, str]]:
    """Names and texts, without the source's own words in the last column. `_` stands for a blank between numbers."""
    cells = (
        line.strip().replace("] ", "]_", 1).split(maxsplit=2)
        for line in lines.strip().splitlines()
        if line.strip()
    )
    return {(name.replace("]_", "] "), re.sub(r"(?<=\d)_(?=\d)", " ", text)) for name, text, _ in cells}


def has_option(decision: Decision) -> bool:
    """Whether tuned has an option of its own for a value."""
    return any(not one.is_absent for one in decision.spelled_in("tuned"))


@pytest.mark.parametrize("goal", ["latency", "performance", "throughput"])
@pytest.mark.parametrize(("source", "facts", "lines"), CASES, ids=[f"{case[0]}, {case[1]}" for case in CASES])
def test_rules_have_the_lines_of_their_source(source: str, facts: str, lines: str, goal: str) -> None:
    """Those that decide, or agree with what does."""
    plan = planned(f"goal {goal}; {facts}")
    advised = {
        (name, text)
        for decision in plan.settings
        for cause in decision.because
        if cause.citation is not None and cause.citation.source == source
        for one in decision.spelled
        if one.interface not in ("racadm", *(["sysfs"] if has_option(decision) else []))
        for name in one.names
        if (text := one.text)
    }
    is_intels = source.startswith("intel-") and goal != "latency"
    assert advised == written_in_source(lines + (SMT if is_intels else ""))
