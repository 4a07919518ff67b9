"""What the profiles of tuned set, release by release: each line for a setting of this library, typed from
`profiles/NAME/tuned.conf`.

A line has the profile, what it includes, and its own options; an option replaces that of an included profile. Units for
processors of another make are left out, and so are boot arguments, which constraints have. `/` stands for tuned's `|`,
`_` for a blank between numbers. Debian 11 has 2.15, Debian 13 has 2.25; 2.20, that of Debian 12, is merged by the real
tuned in `tests/targets/test_tuned_base.py`. Of the oldest and of the newest release only cells that are stated for
every release are compared.
"""

import pytest

from conformance.printed import rows
from conformance.test_tuned_values import KNOBS
from setpoint.compiler.knowledge.model import FREE, Knowledge

PRINTED = {
    "2.10.0": """
balanced |  | [cpu] governor=conservative energy_perf_bias=normal
latency-performance |  | [cpu] force_latency=1 governor=performance energy_perf_bias=performance min_perf_pct=100 [sysctl] vm.dirty_ratio=10 vm.dirty_background_ratio=3 vm.swappiness=10
mssql | throughput-performance | [sysctl] vm.max_map_count=262144
network-latency | latency-performance | [vm] transparent_hugepages=never [sysctl] net.core.busy_read=50 net.core.busy_poll=50 net.ipv4.tcp_fastopen=3 kernel.numa_balancing=0
network-throughput | throughput-performance | [sysctl] net.ipv4.tcp_rmem=4096_87380_16777216 net.ipv4.tcp_wmem=4096_16384_16777216
oracle | throughput-performance | [sysctl] vm.swappiness=10 vm.dirty_background_ratio=3 vm.dirty_ratio=40 vm.dirty_expire_centisecs=500 vm.dirty_writeback_centisecs=100 kernel.shmmax=4398046511104 kernel.shmall=1073741824 kernel.shmmni=4096 fs.file-max=6815744 fs.aio-max-nr=1048576 kernel.sem=250_32000_100_128 net.ipv4.ip_local_port_range=9000_65499 net.core.rmem_default=262144 net.core.rmem_max=4194304 net.core.wmem_default=262144 net.core.wmem_max=1048576 kernel.panic_on_oops=1 [vm] transparent_hugepages=never
powersave |  | [cpu] governor=ondemand energy_perf_bias=powersave/power [sysctl] vm.dirty_writeback_centisecs=1500 kernel.nmi_watchdog=0
sap-hana | throughput-performance | [cpu] force_latency=70 [vm] transparent_hugepages=never [sysctl] kernel.numa_balancing=0 kernel.sem=1250_256000_100_8192
throughput-performance |  | [cpu] governor=performance energy_perf_bias=performance min_perf_pct=100 [disk] readahead=>4096 [sysctl] vm.dirty_ratio=40 vm.dirty_background_ratio=10 vm.swappiness=10
virtual-guest | throughput-performance | [sysctl] vm.dirty_ratio=30 vm.swappiness=30
virtual-host | throughput-performance | [sysctl] vm.dirty_background_ratio=5
""",
    "2.15.0": """
accelerator-performance |  | [cpu] governor=performance energy_perf_bias=performance min_perf_pct=100 force_latency=99 [disk] readahead=>4096 [sysctl] vm.dirty_ratio=40 vm.dirty_background_ratio=10 vm.swappiness=10
balanced |  | [cpu] governor=conservative/powersave energy_perf_bias=normal
hpc-compute | latency-performance | [vm] transparent_hugepages=always [disk] readahead=>4096 [sysctl] vm.min_free_kbytes=135168 vm.zone_reclaim_mode=1 kernel.numa_balancing=0 net.core.busy_read=50 net.core.busy_poll=50 net.ipv4.tcp_fastopen=3
latency-performance |  | [cpu] force_latency=cstate.id:1/3 governor=performance energy_perf_bias=performance min_perf_pct=100 [sysctl] vm.dirty_ratio=10 vm.dirty_background_ratio=3 vm.swappiness=10
mssql | throughput-performance | [vm] transparent_hugepage.defrag=always [sysctl] vm.max_map_count=800000 kernel.numa_balancing=0
network-latency | latency-performance | [vm] transparent_hugepages=never [sysctl] net.core.busy_read=50 net.core.busy_poll=50 net.ipv4.tcp_fastopen=3 kernel.numa_balancing=0
network-throughput | throughput-performance | [sysctl] net.ipv4.tcp_rmem=4096_87380_16777216 net.ipv4.tcp_wmem=4096_16384_16777216
oracle | throughput-performance | [sysctl] vm.swappiness=10 vm.dirty_background_ratio=3 vm.dirty_ratio=40 vm.dirty_expire_centisecs=500 vm.dirty_writeback_centisecs=100 kernel.shmmax=4398046511104 kernel.shmall=1073741824 kernel.shmmni=4096 fs.file-max=6815744 fs.aio-max-nr=1048576 kernel.sem=250_32000_100_128 net.ipv4.ip_local_port_range=9000_65499 net.core.rmem_default=262144 net.core.rmem_max=4194304 net.core.wmem_default=262144 net.core.wmem_max=1048576 kernel.panic_on_oops=1 kernel.numa_balancing=0 [vm] transparent_hugepages=never
postgresql | throughput-performance | [cpu] force_latency=1 [vm] transparent_hugepages=never [sysctl] vm.dirty_background_ratio=0 vm.dirty_ratio=0 vm.dirty_background_bytes=67108864 vm.dirty_bytes=536870912 vm.swappiness=3 kernel.sched_autogroup_enabled=0
powersave |  | [cpu] governor=ondemand/powersave energy_perf_bias=powersave/power [sysctl] vm.dirty_writeback_centisecs=1500 kernel.nmi_watchdog=0
sap-hana |  | [cpu] force_latency=cstate.id:3/70 governor=performance energy_perf_bias=performance min_perf_pct=100 [vm] transparent_hugepages=never [sysctl] kernel.numa_balancing=0 kernel.sem=32000_1024000000_500_32000 vm.dirty_ratio=40 vm.dirty_background_ratio=10 vm.swappiness=10
throughput-performance |  | [cpu] governor=performance energy_perf_bias=performance min_perf_pct=100 [disk] readahead=>4096 [sysctl] vm.dirty_ratio=40 vm.dirty_background_ratio=10 vm.swappiness=10
virtual-guest | throughput-performance | [sysctl] vm.dirty_ratio=30 vm.swappiness=30
virtual-host | throughput-performance | [sysctl] vm.dirty_background_ratio=5 [cpu] force_latency=cstate.id:3/70
""",
    "2.25.1": """
accelerator-performance |  | [cpu] governor=performance energy_perf_bias=performance min_perf_pct=100 force_latency=99 [disk] readahead=>4096 [vm] dirty_ratio=40 dirty_background_ratio=10 [sysctl] vm.swappiness=10
balanced |  | [cpu] governor=schedutil/ondemand/powersave energy_perf_bias=normal energy_performance_preference=balance_performance
hpc-compute | latency-performance | [vm] transparent_hugepages=always [disk] readahead=>4096 [sysctl] vm.min_free_kbytes=135168 vm.zone_reclaim_mode=1 kernel.numa_balancing=0 net.core.busy_read=50 net.core.busy_poll=50 net.ipv4.tcp_fastopen=3
latency-performance |  | [cpu] force_latency=cstate.id_no_zero:1/3 governor=performance energy_perf_bias=performance min_perf_pct=100 [vm] dirty_ratio=10 dirty_background_ratio=3 [sysctl] vm.swappiness=10
mssql | throughput-performance | [cpu] force_latency=5 [vm] transparent_hugepages=always dirty_background_ratio=3 dirty_ratio=80 [sysctl] vm.swappiness=1 vm.dirty_expire_centisecs=500 vm.dirty_writeback_centisecs=100 vm.max_map_count=1600000 net.core.rmem_default=262144 net.core.rmem_max=4194304 net.core.wmem_default=262144 net.core.wmem_max=1048576 kernel.numa_balancing=0
network-latency | latency-performance | [vm] transparent_hugepages=never [sysctl] net.core.busy_read=50 net.core.busy_poll=50 net.ipv4.tcp_fastopen=3 kernel.numa_balancing=0 kernel.hung_task_timeout_secs=600 kernel.nmi_watchdog=0 vm.stat_interval=10 kernel.timer_migration=0
network-throughput | throughput-performance | [sysctl] net.ipv4.tcp_rmem=4096_131072_16777216 net.ipv4.tcp_wmem=4096_16384_16777216
oracle | throughput-performance | [sysctl] vm.swappiness=10 vm.dirty_expire_centisecs=500 vm.dirty_writeback_centisecs=100 kernel.shmmax=4398046511104 kernel.shmall=1073741824 kernel.shmmni=4096 fs.file-max=6815744 fs.aio-max-nr=1048576 kernel.sem=250_32000_100_128 net.ipv4.ip_local_port_range=9000_65499 net.core.rmem_default=262144 net.core.rmem_max=4194304 net.core.wmem_default=262144 net.core.wmem_max=1048576 kernel.panic_on_oops=1 kernel.numa_balancing=0 [vm] dirty_background_ratio=3 dirty_ratio=40 transparent_hugepages=never
postgresql | throughput-performance | [cpu] force_latency=1 [vm] transparent_hugepages=never dirty_background_bytes=67108864 dirty_bytes=536870912 [sysctl] vm.swappiness=3 kernel.sched_autogroup_enabled=0
powersave |  | [cpu] governor=schedutil/conservative/powersave energy_perf_bias=powersave/power energy_performance_preference=power [sysctl] vm.dirty_writeback_centisecs=1500 kernel.nmi_watchdog=0
sap-hana |  | [cpu] force_latency=cstate.id_no_zero:3/70 governor=performance energy_perf_bias=performance min_perf_pct=100 [vm] transparent_hugepages=madvise dirty_ratio=40 dirty_background_ratio=10 [sysctl] kernel.numa_balancing=0 kernel.sem=32000_1024000000_500_32000 vm.swappiness=10
throughput-performance |  | [cpu] governor=performance energy_perf_bias=performance min_perf_pct=100 energy_performance_preference=performance [vm] dirty_ratio=40 dirty_background_ratio=10 [disk] readahead=>4096 [sysctl] vm.swappiness=10
virtual-guest | throughput-performance | [vm] dirty_ratio=30 [sysctl] vm.swappiness=30
virtual-host | throughput-performance | [vm] dirty_background_ratio=5 [cpu] force_latency=cstate.id_no_zero:3/70
""",
    "2.28.0-rc.1": """
accelerator-performance |  | [cpu] governor=performance energy_perf_bias=performance min_perf_pct=100 force_latency=99 [disk] readahead=>4096 [vm] dirty_bytes=40% dirty_background_bytes=10% [sysctl] vm.swappiness=10
balanced |  | [cpu] governor=schedutil/ondemand/powersave energy_perf_bias=normal energy_performance_preference=balance_performance
hpc-compute | latency-performance | [vm] transparent_hugepages=always [disk] readahead=>4096 [sysctl] vm.min_free_kbytes=135168 vm.zone_reclaim_mode=1 kernel.numa_balancing=0 net.core.busy_read=50 net.core.busy_poll=50 net.ipv4.tcp_fastopen=3
latency-performance |  | [cpu] force_latency=cstate.id_no_zero:1/3 governor=performance energy_perf_bias=performance min_perf_pct=100 [vm] dirty_bytes=10% dirty_background_bytes=3% [sysctl] vm.swappiness=10
mssql | throughput-performance | [cpu] force_latency=5 [vm] transparent_hugepages=always dirty_background_bytes=3% dirty_bytes=80% [sysctl] vm.swappiness=1 vm.dirty_expire_centisecs=500 vm.dirty_writeback_centisecs=100 vm.max_map_count=1600000 net.core.rmem_default=262144 net.core.rmem_max=4194304 net.core.wmem_default=262144 net.core.wmem_max=1048576 kernel.numa_balancing=0
network-latency | latency-performance | [vm] transparent_hugepages=never [sysctl] net.core.busy_read=50 net.core.busy_poll=50 net.ipv4.tcp_fastopen=3 kernel.numa_balancing=0 kernel.hung_task_timeout_secs=600 kernel.nmi_watchdog=0 vm.stat_interval=10 kernel.timer_migration=0
network-throughput | throughput-performance | [sysctl] net.ipv4.tcp_notsent_lowat=131072 net.ipv4.tcp_slow_start_after_idle=0 net.ipv4.tcp_rmem=4096_131072_16777216 net.ipv4.tcp_wmem=4096_16384_16777216
oracle | throughput-performance | [sysctl] vm.swappiness=10 vm.dirty_expire_centisecs=500 vm.dirty_writeback_centisecs=100 kernel.shmmax=4398046511104 kernel.shmall=1073741824 kernel.shmmni=4096 fs.file-max=6815744 fs.aio-max-nr=1048576 kernel.sem=250_32000_100_128 net.ipv4.ip_local_port_range=9000_65499 net.core.rmem_default=262144 net.core.rmem_max=4194304 net.core.wmem_default=262144 net.core.wmem_max=1048576 kernel.panic_on_oops=1 kernel.numa_balancing=0 [vm] dirty_background_bytes=3% dirty_bytes=40% transparent_hugepages=never
postgresql | throughput-performance | [cpu] force_latency=1 [vm] transparent_hugepages=never dirty_background_bytes=67108864 dirty_bytes=536870912 [sysctl] vm.swappiness=3 kernel.sched_autogroup_enabled=0
powersave |  | [cpu] governor=schedutil/conservative/powersave energy_perf_bias=powersave/power energy_performance_preference=power [sysctl] vm.dirty_writeback_centisecs=1500 kernel.nmi_watchdog=0
sap-hana |  | [cpu] force_latency=70 governor=performance energy_perf_bias=performance min_perf_pct=100 [vm] transparent_hugepages=madvise dirty_bytes=40% dirty_background_bytes=10% [sysctl] kernel.numa_balancing=0 kernel.sem=32000_1024000000_500_32000 vm.swappiness=10
throughput-performance |  | [cpu] governor=performance energy_perf_bias=performance min_perf_pct=100 energy_performance_preference=performance [vm] dirty_bytes=40% dirty_background_bytes=10% [disk] readahead=>4096 [sysctl] vm.swappiness=10
virtual-guest | throughput-performance | [vm] dirty_bytes=30% [sysctl] vm.swappiness=30
virtual-host | throughput-performance | [vm] dirty_background_bytes=5% [cpu] force_latency=cstate.id_no_zero:3/70
""",
}

MORE_KNOBS = {
    "[sysctl] net.ipv4.tcp_notsent_lowat": "tcp-unsent-limit",
    "[sysctl] net.ipv4.tcp_rmem": "tcp-receive-buffer-maximum",
    "[sysctl] net.ipv4.tcp_slow_start_after_idle": "tcp-slow-start-after-idle",
    "[sysctl] net.ipv4.tcp_wmem": "tcp-send-buffer-maximum",
    "[cpu] energy_performance_preference": "energy-performance-preference",
    "[vm] transparent_hugepage.defrag": "thp-defrag",
    "[vm] dirty_ratio": "dirty-ratio",
    "[vm] dirty_background_ratio": "dirty-background-ratio",
    "[vm] dirty_bytes": "dirty-bytes",
    "[vm] dirty_background_bytes": "dirty-background-bytes",
}
"""Options of tuned beside those of `test_tuned_values`."""

VALUES = {
    "force-latency": {"cstate.id_no_zero:1/3": "c1", "1": "1us", "5": "5us", "70": "70us", "99": "99us"},
    "governor": {"conservative/powersave": "conservative", "ondemand/powersave": "ondemand"}
    | {"schedutil/conservative/powersave": "schedutil"},
    "energy-perf-bias": {"powersave/power": "power"},
    "energy-performance-preference": {"balance_performance": "balance-performance"},
    "readahead": {">4096": "4096"},
    "busy-poll": {"50": "50us"},
    "hung-task-timeout": {"600": "600s"},
    "vm-statistics-interval": {"10": "10s"},
    "tcp-fast-open": {"3": "client-and-server"},
    "tcp-receive-buffer-maximum": {"4096_131072_16777216": "16777216"},
    "tcp-send-buffer-maximum": {"4096_16384_16777216": "16777216"},
    "semaphores": {
        text: text.replace("_", "-") for text in ("250_32000_100_128", "32000_1024000000_500_32000")
    },
    "local-ports": {"9000_65499": "9000-65499"},
}
"""The values of texts that are not the value itself."""

SWITCHES = {"numa-balancing", "zone-reclaim", "nmi-watchdog", "timer-migration", "autogroup", "panic-on-oops"}
SWITCHES |= {"tcp-slow-start-after-idle"}

UNKNOWN = {"cstate.id:1/3", "cstate.id:3/70", "cstate.id_no_zero:3/70", "schedutil/ondemand/powersave"}
UNKNOWN |= {"4096_87380_16777216", "1250_256000_100_8192"}
"""Texts for which there is no value: the number of a state, a choice among governors that no setting has, another
initial buffer than the kernel's, and limits of semaphores that no later release has."""

UNDEFINED = {("2.25.1", "postgresql", s) for s in ("dirty-ratio", "dirty-background-ratio")}
UNDEFINED |= {("2.25.1", "postgresql", s) for s in ("dirty-bytes", "dirty-background-bytes")}
"""tuned 2.25 inherits a limit in percent beside the profile's own in bytes, and warns that what comes of it is
undefined."""

OF = {"2.10.0": "rhel-8", "2.15.0": "debian-11", "2.25.1": "debian-13", "2.28.0-rc.1": "rhel-10"}
ALL_CELLS = ("2.15.0", "2.25.1")
"""The releases of one system, of which each cell is known."""


def options(release: str, profile: str) -> dict[str, str]:
    """The options of a profile with those that it includes."""
    found: dict[str, str] = {}
    for name, included, own in rows(PRINTED[release]):
        if name == profile:
            found |= options(release, included) if included else {}
            section = ""
            for word in own.split():
                if word.startswith("["):
                    section = word
                else:
                    option, _, text = word.partition("=")
                    found[f"{section} {option}"] = text
    return found


def value(setting: str, text: str) -> str:
    """The value of a text; "?" if there is none."""
    if text in UNKNOWN:
        return "?"
    if setting in SWITCHES:
        return {"0": "off", "1": "on"}[text]
    return VALUES.get(setting, {}).get(text, text.removesuffix("%"))


def printed(release: str, profile: str) -> dict[str, str]:
    """The settings of a profile; a limit of 0 is one that is not in use, since the other unit's is."""
    found = {}
    for option, text in options(release, profile).items():
        setting = {**KNOBS, **MORE_KNOBS}[option]
        if text.endswith("%"):
            setting = setting.replace("-bytes", "-ratio")
        found[setting] = "in-bytes" if setting.endswith("-ratio") and text == "0" else value(setting, text)
    for unit in ("dirty", "dirty-background"):
        if f"{unit}-bytes" in found and not release.startswith("2.25"):
            found[f"{unit}-ratio"] = "in-bytes"
    return found


def stated(knowledge: Knowledge, system: str, profile: str) -> dict[str, str]:
    """The cells of a profile for a system, from all tables for it."""
    bit = knowledge.variables["os"].bit(system)
    found: dict[str, str] = {}
    for preset in knowledge.presets:
        if preset.governor == "base-profile" and dict(preset.when)["os"] & bit:
            for member in preset.columns.get(profile, {}):
                found[member] = preset.initial.get((profile, member), FREE)
    return found


def profiles(release: str) -> list[str]:
    """The profiles of a release."""
    return [name for name, _, _ in rows(PRINTED[release])]


@pytest.mark.parametrize(("release", "profile"), [(r, p) for r in PRINTED for p in profiles(r)])
def test_cells_are_the_lines_of_the_profiles(release: str, profile: str, knowledge: Knowledge) -> None:
    found, expected = stated(knowledge, OF[release], profile), printed(release, profile)
    for setting, cell in found.items():
        assert (release, profile, setting) not in UNDEFINED
        assert cell == expected.get(setting, FREE), setting
    if release in ALL_CELLS:
        absent = {setting for setting in expected if setting not in found}
        assert absent == {s for s, v in expected.items() if v == "?" or (release, profile, s) in UNDEFINED}
