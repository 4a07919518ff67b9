"""The profiles of tuned, typed from the profiles: each line that sets a knob of this library, and nothing besides.

Compared are `profiles/NAME/tuned.conf` of tuned 2.20 (of 2.25, what it adds; of 2.11, that of Enterprise Linux 7, where
it differs), and the scripts and sysctl files in `tune-profiles/NAME/` of the branch 1.0, which is tuned 0.2 as
Enterprise Linux 6 has it. A table of the library has the lines of its profile and of those that the profile includes,
for the goal that its summary names. The values are compared as they are spelt for the system: so are the labels.
"""

from typing import NamedTuple

import pytest

from conformance.printed import asked, rows
from setpoint.compiler.knowledge.model import Box, Knowledge, Rule

SHIPPED = {
    # "Optimize for deterministic performance at the cost of increased power consumption"
    "latency-performance": """
[cpu] force_latency = cstate.id_no_zero:1|3
[cpu] governor = performance
[cpu] energy_perf_bias = performance
[cpu] min_perf_pct = 100
[sysctl] vm.dirty_ratio = 10
[sysctl] vm.dirty_background_ratio = 3
[sysctl] vm.swappiness = 10
""",
    # "…, focused on low latency network performance"
    "network-latency": """
[vm] transparent_hugepages = never
[sysctl] net.core.busy_read = 50
[sysctl] net.core.busy_poll = 50
[sysctl] net.ipv4.tcp_fastopen = 3
[sysctl] kernel.numa_balancing = 0
[bootloader] cmdline_network_latency = skew_tick=1
""",
    # "Broadly applicable tuning that provides excellent performance across a variety of common server workloads"
    "throughput-performance": """
[cpu] governor = performance
[cpu] energy_perf_bias = performance
[cpu] min_perf_pct = 100
[disk] readahead = >4096
[sysctl] vm.dirty_ratio = 40
[sysctl] vm.dirty_background_ratio = 10
[sysctl] vm.swappiness = 10
""",
    # "Optimize for HPC compute workloads"
    "hpc-compute": """
[vm] transparent_hugepages = always
[disk] readahead = >4096
[sysctl] vm.min_free_kbytes = 135168
[sysctl] vm.zone_reclaim_mode = 1
[sysctl] kernel.numa_balancing = 0
[sysctl] net.core.busy_read = 50
[sysctl] net.core.busy_poll = 50
[sysctl] net.ipv4.tcp_fastopen = 3
""",
    # "General non-specialized tuned profile"
    "balanced": """
[cpu] governor = conservative|powersave
[cpu] energy_perf_bias = normal
""",
    # "Optimize for PostgreSQL server"
    "postgresql": """
[cpu] force_latency = 1
[vm] transparent_hugepages = never
[sysctl] vm.dirty_background_bytes = 67108864
[sysctl] vm.dirty_bytes = 536870912
[sysctl] vm.swappiness = 3
[sysctl] kernel.sched_autogroup_enabled = 0
""",
    # "Optimize for Oracle RDBMS"
    "oracle": """
[sysctl] vm.swappiness = 10
[sysctl] vm.dirty_background_ratio = 3
[sysctl] vm.dirty_ratio = 40
[sysctl] fs.aio-max-nr = 1048576
[sysctl] vm.dirty_expire_centisecs = 500
[sysctl] vm.dirty_writeback_centisecs = 100
[sysctl] net.core.rmem_max = 4194304
[sysctl] net.core.wmem_max = 1048576
[sysctl] net.core.rmem_default = 262144
[sysctl] net.core.wmem_default = 262144
[sysctl] kernel.numa_balancing = 0
[sysctl] kernel.panic_on_oops = 1
[sysctl] kernel.shmmax = 4398046511104
[sysctl] kernel.shmall = 1073741824
[sysctl] kernel.shmmni = 4096
[sysctl] kernel.sem = 250 32000 100 128
[sysctl] net.ipv4.ip_local_port_range = 9000 65499
[sysctl] fs.file-max = 6815744
[vm] transparent_hugepages = never
""",
    # "Optimize for Microsoft SQL Server"
    "mssql": """
[cpu] force_latency = 5
[vm] transparent_hugepages = always
[sysctl] vm.swappiness = 1
[sysctl] vm.dirty_background_ratio = 3
[sysctl] vm.dirty_ratio = 80
[sysctl] vm.dirty_expire_centisecs = 500
[sysctl] vm.dirty_writeback_centisecs = 100
[sysctl] vm.max_map_count = 1600000
[sysctl] net.core.rmem_max = 4194304
[sysctl] net.core.wmem_max = 1048576
[sysctl] net.core.rmem_default = 262144
[sysctl] net.core.wmem_default = 262144
[sysctl] kernel.numa_balancing = 0
""",
    # "Optimize for CPU partitioning"; and intel_pstate=disable, which tuned's own function has for processors before
    # Ice Lake
    "cpu-partitioning": """
[sysctl] kernel.hung_task_timeout_secs = 600
[sysctl] kernel.nmi_watchdog = 0
[sysctl] vm.stat_interval = 10
[sysctl] kernel.timer_migration = 0
[bootloader] cmdline_cpu_part = nosoftlockup
""",
    # "Optimize for realtime workloads"; and intel_pstate=disable, as above
    "realtime": """
[sysctl] kernel.hung_task_timeout_secs = 600
[sysctl] kernel.nmi_watchdog = 0
[sysctl] kernel.sched_rt_runtime_us = -1
[sysctl] vm.stat_interval = 10
[sysctl] kernel.timer_migration = 0
[bootloader] cmdline_realtime = nosoftlockup
[bootloader] cmdline_realtime = tsc=reliable
""",
    # "Optimize systems running OpenShift (parent profile)": the first two raise what is below
    "openshift": """
[sysctl] kernel.pid_max = 4194304
[sysctl] fs.aio-max-nr = 1048576
[sysctl] vm.max_map_count = 262144
[sysctl] net.ipv4.neigh.default.gc_thresh1 = 8192
[sysctl] net.ipv4.neigh.default.gc_thresh2 = 32768
[sysctl] net.ipv4.neigh.default.gc_thresh3 = 65536
""",
    # "Optimize systems running OpenShift nodes"
    "openshift-node": """
[sysctl] net.ipv4.tcp_fastopen = 3
[sysctl] fs.inotify.max_user_watches = 65536
[sysctl] fs.inotify.max_user_instances = 8192
""",
    # "Optimize for running KVM guests"; and force_latency = cstate.id_no_zero:3|70, as with sap-hana
    "virtual-host": """
[sysctl] vm.dirty_background_ratio = 5
""",
    # "Optimize for running inside a virtual guest"
    "virtual-guest": """
[sysctl] vm.dirty_ratio = 30
[sysctl] vm.swappiness = 30
""",
    # "Throughput performance based tuning with disabled higher latency STOP states": its other lines are those of that
    # profile
    "accelerator-performance": """
[cpu] force_latency = 99
""",
    # "Optimize for SAP NetWeaver"; and limits of shared memory with twenty digits. Its other lines are those of
    # throughput-performance
    "sap-netweaver": """
[sysctl] vm.max_map_count = 2000000
[sysctl] kernel.sem = 32000 1024000000 500 32000
""",
    # "Optimize for SAP HANA"; and force_latency = cstate.id_no_zero:3|70, which is another latency on each processor
    "sap-hana": """
[cpu] governor = performance
[cpu] energy_perf_bias = performance
[cpu] min_perf_pct = 100
[vm] transparent_hugepages = never
[sysctl] kernel.numa_balancing = 0
[sysctl] kernel.sem = 32000 1024000000 500 32000
[sysctl] vm.dirty_ratio = 40
[sysctl] vm.dirty_background_ratio = 10
[sysctl] vm.swappiness = 10
""",
}
OLDER = {"[cpu] force_latency": "1"}
"""What tuned 2.11 has instead."""

KNOBS = {
    "[cpu] force_latency": "force-latency",
    "[cpu] governor": "governor",
    "[cpu] energy_perf_bias": "energy-perf-bias",
    "[cpu] min_perf_pct": "min-perf-pct",
    "[sysctl] vm.dirty_ratio": "dirty-ratio",
    "[sysctl] vm.dirty_background_ratio": "dirty-background-ratio",
    "[sysctl] vm.swappiness": "swappiness",
    "[sysctl] vm.zone_reclaim_mode": "zone-reclaim",
    "[sysctl] kernel.numa_balancing": "numa-balancing",
    "[sysctl] net.core.busy_read": "busy-poll",
    "[sysctl] net.core.busy_poll": "busy-poll",
    "[vm] transparent_hugepages": "transparent-hugepages",
    "[disk] readahead": "readahead",
    "[sysctl] vm.dirty_background_bytes": "dirty-background-bytes",
    "[sysctl] vm.dirty_bytes": "dirty-bytes",
    "[sysctl] vm.dirty_expire_centisecs": "dirty-expiry",
    "[sysctl] vm.dirty_writeback_centisecs": "writeback-interval",
    "[sysctl] vm.max_map_count": "max-map-count",
    "[sysctl] vm.min_free_kbytes": "minimum-free-memory",
    "[sysctl] kernel.sched_autogroup_enabled": "autogroup",
    "[sysctl] fs.aio-max-nr": "asynchronous-io",
    "[sysctl] net.core.rmem_default": "receive-buffer-default",
    "[sysctl] net.core.wmem_default": "send-buffer-default",
    "[sysctl] net.core.rmem_max": "receive-buffer-maximum",
    "[sysctl] net.core.wmem_max": "send-buffer-maximum",
    "[bootloader] cmdline_network_latency": "skew-tick",
    "[sysctl] kernel.hung_task_timeout_secs": "hung-task-timeout",
    "[sysctl] kernel.nmi_watchdog": "nmi-watchdog",
    "[sysctl] kernel.panic_on_oops": "panic-on-oops",
    "[sysctl] kernel.pid_max": "process-limit",
    "[sysctl] kernel.shmall": "shared-memory-limit",
    "[sysctl] kernel.shmmax": "shared-memory-segment-limit",
    "[sysctl] kernel.shmmni": "shared-memory-segments",
    "[sysctl] kernel.sem": "semaphores",
    "[sysctl] net.ipv4.ip_local_port_range": "local-ports",
    "[sysctl] fs.file-max": "open-file-limit",
    "[sysctl] fs.inotify.max_user_instances": "inotify-instances",
    "[sysctl] fs.inotify.max_user_watches": "inotify-watches",
    "[sysctl] net.ipv4.neigh.default.gc_thresh1": "neighbour-table-minimum",
    "[sysctl] net.ipv4.neigh.default.gc_thresh2": "neighbour-table-threshold",
    "[sysctl] net.ipv4.neigh.default.gc_thresh3": "neighbour-table-maximum",
    "[sysctl] net.ipv4.tcp_fastopen": "tcp-fast-open",
    "[sysctl] kernel.sched_rt_runtime_us": "real-time-runtime",
    "[sysctl] kernel.timer_migration": "timer-migration",
    "[sysctl] vm.stat_interval": "vm-statistics-interval",
    "[bootloader] cmdline_cpu_part": "soft-lockup-detector",
    "[bootloader] cmdline_realtime": "soft-lockup-detector",
    "[bootloader] cmdline_realtime = tsc=reliable": "tsc-checks",
}
TABLES = {
    "network-latency": ("goal latency", ("latency-performance", "network-latency")),
    "throughput-performance": ("goal performance or throughput", ("throughput-performance",)),
    "hpc-compute": ("goal performance or throughput, workload hpc", ("latency-performance", "hpc-compute")),
    "balanced": ("goal balanced", ("balanced",)),
}
"""The purpose of each profile, and the profiles that it includes."""

BOTH = ("latency", "performance or throughput")
OWN = "hpc or nfv or postgresql or oracle-database or sql-server or sap-hana or mongodb or elasticsearch or minio or kafka or redpanda"
"""The workloads whose own profile or guide says something else of dirty memory or of swapping, for guests as well."""
USES: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "postgresql": ("postgresql", BOTH[1:], ()),
    "oracle": ("oracle-database", BOTH[1:], ()),
    "mssql": ("sql-server", BOTH[1:], ()),
    "sap-hana": ("sap-hana", BOTH, ()),
    "sap-netweaver": ("sap-netweaver", BOTH[1:], ()),
    "cpu-partitioning": ("nfv", BOTH, ("latency-performance", "network-latency")),
    "realtime": ("real-time", BOTH[:1], ("latency-performance", "network-latency")),
    "openshift": ("kubernetes-node", ("latency or performance or throughput",), ()),
    "openshift-node": ("kubernetes-node", ("latency or performance or throughput",), ()),
    "virtual-host": ("virtualized", BOTH[1:], ()),
    "virtual-guest": (f"not {OWN}, virtual-machine yes", BOTH[1:], ()),
    "accelerator-performance": ("accelerated", BOTH[1:], ()),
}
"""The workload of each profile for one, the goals, and the profiles of latency that it includes. Where it includes
throughput-performance, or has its lines, the table of that profile applies anyway; sap-hana includes no profile and
limits latency.
"""
SYSTEMS = {
    "realtime": "modern-linux",
    "sap-netweaver": "debian-11 or debian-12 or ubuntu-20.04 or ubuntu-22.04 or ubuntu-24.04",
}
"""The systems of a table that are not those of the others: tsc= is not known of earlier kernels, and sap-netweaver has
2147483647 since tuned 2.23, as SAP's notes have for Enterprise Linux and SLES."""
UNCHANGED = {
    ("balanced", "governor"): "os not debian-13",
    ("sap-hana", "transparent-hugepages"): "os not debian-13 or rhel-9 or rhel-10",
}
"""The systems of single lines: elsewhere a later tuned, or SAP's notes, have something else."""

# profiles/NAME/tuned.conf of 2.25.1, as far as it sets what 2.20 does not. Of alternatives, as in
# schedutil|ondemand|powersave, the first is compared.
SINCE_2_25 = """
network-latency | hung-task-timeout | 600 | goal latency | network-latency, [sysctl] kernel.hung_task_timeout_secs
network-latency | nmi-watchdog | 0 | goal latency | network-latency, [sysctl] kernel.nmi_watchdog
network-latency | vm-statistics-interval | 10 | goal latency | network-latency, [sysctl] vm.stat_interval
network-latency | timer-migration | 0 | goal latency, workload not kubernetes-node | network-latency, [sysctl] kernel.timer_migration
network-latency | tsc-checks | tsc=reliable | goal latency | network-latency, [bootloader] cmdline_network_latency
throughput-performance | energy-performance-preference | performance | goal performance or throughput | throughput-performance, [cpu] energy_performance_preference
balanced | governor | schedutil | goal balanced | balanced, [cpu] governor
balanced | energy-performance-preference | balance_performance | goal balanced | balanced, [cpu] energy_performance_preference
sap-netweaver | max-map-count | 2147483647 | goal performance or throughput, workload sap-netweaver | sap-netweaver, [sysctl] vm.max_map_count
sap-netweaver | semaphores | 32000 1024000000 500 32000 | goal performance or throughput, workload sap-netweaver | sap-netweaver, [sysctl] kernel.sem
sap-hana | transparent-hugepages | madvise | goal latency, workload sap-hana | sap-hana, [vm] transparent_hugepages
sap-hana | transparent-hugepages | madvise | goal performance or throughput, workload sap-hana | sap-hana, [vm] transparent_hugepages
"""

EL6 = """
latency-performance    | set_cpu_governor performance      | governor              | goal latency                   | ktune.sh: set_cpu_governor
latency-performance    | pmqos-static.py cpu_dma_latency=1 | force-latency         | goal latency                   | ktune.sh: pmqos-static.py cpu_dma_latency=1
latency-performance    | set_transparent_hugepages never   | transparent-hugepages | goal latency                   | ktune.sh: set_transparent_hugepages never
throughput-performance | set_cpu_governor performance      | governor              | goal performance or throughput | ktune.sh: start()
throughput-performance | set_transparent_hugepages always  | transparent-hugepages | goal performance or throughput | ktune.sh: start()
throughput-performance | vm.dirty_ratio = 40               | dirty-ratio           | goal performance or throughput | sysctl.ktune: vm.dirty_ratio
"""
GOVERNED = "cpu-power-management not max-performance or system-dbpm or minimum-power"
"""Systems whose firmware leaves the frequency to the governor (Table 4 of the 11G paper)."""

# yarda, 2024-01-25: "For optimal power consumption/performance the `balanced` profile is usually better choice."
ISSUE = "comment of 2024-01-25"

# hpc-compute: "Most HPC applications are NUMA aware. Enabling zone reclaim ensures memory is reclaimed and reallocated
# from local pages." intel_pstate in active mode has two governors, performance and powersave
# (admin-guide/pm/intel_pstate).
# Firmware with Maximum Performance or System DBPM takes no P-states from Linux (11G paper, Table 4; 12G paper, CPU
# Power Management modes). The history of latency-performance: 2011-09-27 cpu_dma_latency=0, 2013-01-03 no transparent
# huge pages, 2013-07-24 "lock cpu to C1 instead of C0".
NOTES = """
tuned-profiles network-latency governor                 | where the firmware leaves the frequency to Linux, as with OS Control or OS DBPM
tuned-profiles network-latency force-latency            | while tuned runs; boot arguments hold from the start
tuned-profiles throughput-performance governor          | where the firmware leaves the frequency to Linux; OS Control or OS DBPM
tuned-profiles hpc-compute force-latency                | idle at C1; highest Turbo steps
tuned-profiles hpc-compute zone-reclaim                 | memory of their own node
tuned-profiles hpc-compute numa-balancing               | most HPC programs place their memory themselves
tuned-profiles balanced governor                        | active mode has performance and powersave only
tuned-issue-582 comment of 2024-01-25 governor          | active mode has performance and powersave only
tuned-el6 latency-performance force-latency             | 0 from September 2011 on; 1, that is C1, only from July 2013 on
tuned-el6 latency-performance transparent-hugepages     | from January 2013 on
"""


class Line(NamedTuple):
    """A line of a profile as advice: of which table, for what, where, with which spelling, cited how."""

    table: str
    setting: str
    spelling: str
    when: Box
    at: str


def lines(profile: str) -> list[tuple[str, str]]:
    """The lines of a profile: section with option, and value."""
    return [tuple(line.split(" = ", 1)) for line in SHIPPED[profile].strip().splitlines()]  # type: ignore[misc]


def shipped(table: str, system: str, knowledge: Knowledge) -> set[Line]:
    """What a table has to have, with the values of the tuned of a system."""
    goal, profiles = TABLES[table]
    return _shipped(table, profiles, f"{goal}, os rhel-7 or linux-4.12", knowledge, system)


def shipped_for_uses(system: str, knowledge: Knowledge) -> set[Line]:
    """What the tables of single workloads have to have on a system."""
    bit = knowledge.variables["os"].within([system])
    return {
        line
        for table, (workload, goals, included) in USES.items()
        for goal in goals
        for line in _shipped(
            table,
            (*included, table, table),
            f"goal {goal}, os {SYSTEMS.get(table, 'linux-4.12')}, workload {workload}",
            knowledge,
        )
        if dict(line.when)["os"] & bit
    }


def _shipped(
    table: str, profiles: tuple[str, ...], where: str, knowledge: Knowledge, system: str = ""
) -> set[Line]:
    places: dict[str, list[str]] = {}
    values: dict[str, str] = {}
    for profile in dict.fromkeys(profiles):
        for option, value in lines(profile):
            setting = KNOBS.get(f"{option} = {value}") or KNOBS[option]
            section, name = option.split()
            prefix = f"{profile}, " if len(profiles) > 1 else ""
            places.setdefault(setting, [f"{prefix}{section}"]).append(name)
            values[setting] = OLDER.get(option, value) if system == "rhel-7" else value
    when = {
        setting: _box(", ".join(filter(None, (where, UNCHANGED.get((table, setting))))), knowledge)
        for setting in places
    }
    return {
        Line(table, setting, values[setting], when[setting], f"{section} {', '.join(names)}")
        for setting, (section, *names) in places.items()
    }


def advice(source: str, system: str, knowledge: Knowledge) -> set[Line]:
    """The library's advice from a source for a system, with its spelling there."""
    bit = knowledge.variables["os"].within([system])
    rules = [
        rule for rule in knowledge.rules if rule.citation.source == source and dict(rule.when)["os"] & bit
    ]
    assert all(rule.strength == "vendor" for rule in rules)
    return {
        Line(rule.table, rule.setting, spelling(rule, system, knowledge), rule.when, rule.citation.at)
        for rule in rules
    }


def spelling(rule: Rule, system: str, knowledge: Knowledge) -> str:
    """How the value of a rule is spelt on a system."""
    bit = knowledge.variables["os"].within([system])
    found = {
        knowledge.label(offer, rule.value) or rule.value
        for offer in knowledge.offers[rule.setting]
        if dict(offer.when)["os"] & bit
    }
    (label,) = found
    return label


def _box(where: str, knowledge: Knowledge) -> Box:
    return tuple(sorted(asked(where, knowledge).items()))


@pytest.mark.parametrize("system", ["rhel-7", "rhel-8", "debian-12"])
def test_tables_have_the_lines_of_the_profiles(system: str, knowledge: Knowledge) -> None:
    expected = {line for table in TABLES for line in shipped(table, system, knowledge)}
    found = advice("tuned-profiles", system, knowledge)
    assert {line for line in found if line.table not in USES} == expected


@pytest.mark.parametrize("system", ["rhel-8", "debian-12"])
def test_tables_of_workloads_have_the_lines_of_the_profiles(system: str, knowledge: Knowledge) -> None:
    """But for lines that no setting has: the scheduler's granularities."""
    found = advice("tuned-profiles", system, knowledge)
    assert {line for line in found if line.table in USES} == shipped_for_uses(system, knowledge)


def test_what_later_profiles_set_besides(knowledge: Knowledge) -> None:
    expected = {
        Line(table, setting, value, _box(f"os debian-13, {where}", knowledge), at)
        for table, setting, value, where, at in rows(SINCE_2_25)
    }
    found = advice("tuned-2.25", "debian-13", knowledge)
    assert {line._replace(spelling=line.spelling.split("|")[0]) for line in found} == expected


def test_work_for_each_watt_is_sent_to_balanced(knowledge: Knowledge) -> None:
    when = _box("goal efficiency, os rhel-7 or linux-4.12", knowledge)
    expected = {Line(ISSUE, KNOBS[option], value, when, ISSUE) for option, value in lines("balanced")}
    assert advice("tuned-issue-582", "debian-12", knowledge) == expected
    rules = [rule for rule in knowledge.rules if rule.citation.source == "tuned-issue-582"]
    assert all("balanced profile is usually better; powersave throttles" in rule.because for rule in rules)


def test_enterprise_linux_6(knowledge: Knowledge) -> None:
    expected = set()
    for table, line, setting, goal, at in rows(EL6):
        governed = f", {GOVERNED}" if setting == "governor" else ""
        when = _box(f"{goal}, os rhel-6{governed}", knowledge)
        expected.add(Line(table, setting, line.replace("=", " ").split()[-1], when, at))
    assert advice("tuned-el6", "rhel-6", knowledge) == expected


def test_footnotes(knowledge: Knowledge) -> None:
    found = {
        f"{rule.citation.source} {rule.table} {rule.setting}": rule.note
        for rule in knowledge.rules
        if rule.citation.source in ("tuned-profiles", "tuned-issue-582", "tuned-el6") and rule.note
    }
    expected = {cell: phrases.split("; ") for cell, phrases in rows(NOTES)}
    assert found.keys() == expected.keys()
    for cell, phrases in expected.items():
        assert all(phrase in found[cell] for phrase in phrases), cell
