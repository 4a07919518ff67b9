"""tuned: each setting that only a policy asks for is applied by the real tuned, as what the kernel has for it."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from consumers.kernel import boot
from consumers.tuned_machine import SKYLAKE
from consumers.tuned_run import OneShot, apply_once
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.quantity import Numbers
from setpoint.compiler.resolution.spellings import spelled_values
from setpoint.targets.tuned import TARGET
from support.host import with_profile
from support.plans import planned

ASKED = [
    ("asynchronous-io", "1048576", "fs.aio-max-nr", "1048576"),
    ("autogroup", "off", "kernel.sched_autogroup_enabled", "0"),
    ("dirty-background-bytes", "67108864", "vm.dirty_background_bytes", "67108864"),
    ("dirty-bytes", "536870912", "vm.dirty_bytes", "536870912"),
    ("dirty-expiry", "500", "vm.dirty_expire_centisecs", "500"),
    ("hung-task-timeout", "600s", "kernel.hung_task_timeout_secs", "600"),
    ("listen-backlog", "2048", "net.core.somaxconn", "2048"),
    ("max-map-count", "262144", "vm.max_map_count", "262144"),
    ("memory-overcommit", "always", "vm.overcommit_memory", "1"),
    ("minimum-free-memory", "135168", "vm.min_free_kbytes", "135168"),
    ("nmi-watchdog", "off", "kernel.nmi_watchdog", "0"),
    ("packet-backlog", "300000", "net.core.netdev_max_backlog", "300000"),
    ("inotify-instances", "8192", "fs.inotify.max_user_instances", "8192"),
    ("inotify-watches", "65536", "fs.inotify.max_user_watches", "65536"),
    ("neighbour-table-minimum", "8192", "net.ipv4.neigh.default.gc_thresh1", "8192"),
    ("neighbour-table-threshold", "32768", "net.ipv4.neigh.default.gc_thresh2", "32768"),
    ("neighbour-table-maximum", "65536", "net.ipv4.neigh.default.gc_thresh3", "65536"),
    ("open-file-limit", "6815744", "fs.file-max", "6815744"),
    ("shared-memory-limit", "1073741824", "kernel.shmall", "1073741824"),
    ("shared-memory-segment-limit", "999999999999999", "kernel.shmmax", "999999999999999"),
    ("shared-memory-segments", "32768", "kernel.shmmni", "32768"),
    ("semaphores", "250-32000-100-128", "kernel.sem", "250 32000 100 128"),
    ("local-ports", "9000-65499", "net.ipv4.ip_local_port_range", "9000 65499"),
    ("panic-on-oops", "on", "kernel.panic_on_oops", "1"),
    ("process-limit", "4194304", "kernel.pid_max", "4194304"),
    ("real-time-runtime", "unlimited", "kernel.sched_rt_runtime_us", "-1"),
    ("receive-buffer-default", "262144", "net.core.rmem_default", "262144"),
    ("receive-buffer-maximum", "16777216", "net.core.rmem_max", "16777216"),
    ("restart-after-panic", "10s", "kernel.panic", "10"),
    ("send-buffer-default", "262144", "net.core.wmem_default", "262144"),
    ("send-buffer-maximum", "16777216", "net.core.wmem_max", "16777216"),
    ("syn-backlog", "8192", "net.ipv4.tcp_max_syn_backlog", "8192"),
    ("tcp-fast-open", "off", "net.ipv4.tcp_fastopen", "0"),
    ("tcp-receive-buffer-maximum", "16777216", "net.ipv4.tcp_rmem", "4096 131072 16777216"),
    ("tcp-keepalive-interval", "10s", "net.ipv4.tcp_keepalive_intvl", "10"),
    ("tcp-keepalive-probes", "3", "net.ipv4.tcp_keepalive_probes", "3"),
    ("tcp-keepalive-time", "60s", "net.ipv4.tcp_keepalive_time", "60"),
    ("tcp-retransmissions", "5", "net.ipv4.tcp_retries2", "5"),
    ("tcp-send-buffer-maximum", "16777216", "net.ipv4.tcp_wmem", "4096 16384 16777216"),
    ("tcp-slow-start-after-idle", "off", "net.ipv4.tcp_slow_start_after_idle", "0"),
    ("tcp-timestamps", "off", "net.ipv4.tcp_timestamps", "0"),
    ("tcp-unsent-limit", "131072", "net.ipv4.tcp_notsent_lowat", "131072"),
    ("timer-migration", "off", "kernel.timer_migration", "0"),
    ("writeback-interval", "100", "vm.dirty_writeback_centisecs", "100"),
    ("vm-statistics-interval", "10s", "vm.stat_interval", "10"),
    ("energy-performance-preference", "performance", "/energy_performance_preference", "performance"),
    ("same-page-merging", "on", "/sys/kernel/mm/ksm/run", "1"),
    ("thp-defrag", "never", "/sys/kernel/mm/transparent_hugepage/defrag", "never"),
    ("huge-pages-2m", "512", "/hugepages-2048kB/nr_hugepages", "512"),
    ("huge-pages-1g", "4", "/hugepages-1048576kB/nr_hugepages", "4"),
    ("block-merges", "none", "/queue/nomerges", "2"),
    ("block-scheduler", "none", "/queue/scheduler", "none"),
    ("readahead", "8", "/queue/read_ahead_kb", "8"),
    ("service-cpus", "0", "/etc/systemd/system.conf", "CPUAffinity=0"),
    ("irqbalance-banned-cpus", "1", "irqbalance", "IRQBALANCE_BANNED_CPUS=00000002"),
]
"""A setting, a value, the sysctl or the end of the file that tuned is to change, and what it then contains."""

ELSEWHERE = [
    ("huge-pages-2m-per-node", "512"),
    ("huge-pages-1g-per-node", "4"),
    ("adaptive-rx-coalescing", "off"),
    ("adaptive-tx-coalescing", "off"),
    ("rx-interrupt-delay", "0us"),
    ("tx-interrupt-delay", "0us"),
    ("rx-ring-size", "4096"),
    ("tx-ring-size", "4096"),
    ("network-queues", "4"),
    ("firmware-refresh-timer", "off"),
    ("power-profiles-service", "off"),
]
"""Those that `test_numa_nodes`, `test_network_cards` and `test_masked_units` have tuned apply, or the program for
hosts."""

UNCORE = [
    ("uncore-maximum-frequency", "2200MHz"),
    ("uncore-minimum-frequency", "1500MHz"),
    ("uncore-idle-frequency", "1600MHz"),
    ("uncore-low-load", "0"),
    ("uncore-high-load", "80"),
]
"""Those that `test_uncore` has tuned apply."""


def asked(setting: str, value: str, *_: str) -> str:
    """The statement that gives a setting its value."""
    return f'set {setting} {value} because "a test"'


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> OneShot:
    """What tuned did with a policy that asks for all of them."""
    folder = tmp_path_factory.mktemp("every")
    plan = planned("goal throughput; cpu skylake; os debian 12; " + "; ".join(asked(*one) for one in ASKED))
    for artifact in with_profile(TARGET.emit(plan).artifacts):
        path = folder / "bundle" / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    return apply_once(folder / "bundle" / "tuned" / "setpoint-policy", folder / "machine", SKYLAKE)


def test_tuned_has_nothing_to_complain_of(done: OneShot) -> None:
    assert done.complaints == ()


@pytest.mark.parametrize("line", ASKED, ids=lambda line: line[0])
def test_tuned_applies_it(done: OneShot, line: tuple[str, str, str, str]) -> None:
    _, _, where, content = line
    found = [value for name, value in {**done.written, **done.sysctls}.items() if name.endswith(where)]
    assert found
    assert all(value.splitlines()[-1] == content for value in found)


def test_a_limit_in_bytes_leaves_no_line_for_the_percentage(done: OneShot) -> None:
    """The kernel forgets the one when the other is written: a profile with both would depend on their order."""
    assert not {"vm.dirty_ratio", "vm.dirty_background_ratio"} & done.sysctls.keys()


def test_linux_takes_every_sysctl() -> None:
    """Each is written to a real kernel, which then shows it. The NMI watchdog needs counters, which QEMU's processor
    lacks."""
    sysctls = [(f"/proc/sys/{name.replace('.', '/')}", text) for _, _, name, text in ASKED if "/" not in name]
    files = [
        ("/sys/kernel/mm/ksm/run", "1"),
        ("/sys/kernel/mm/transparent_hugepage/defrag", "never"),
        ("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "2"),
        # What a unit writes on a server without tuned.
        ("/sys/kernel/mm/transparent_hugepage/enabled", "never"),
        ("/sys/devices/system/cpu/cpu0/power/pm_qos_resume_latency_us", "2"),
    ]
    asked = [one for one in [*sysctls, *files] if not one[0].endswith(("irqbalance", "nmi_watchdog"))]
    for path, text, shown in boot(writes=asked).written:
        assert shown.replace("\t", " ") == text or f"[{text}]" in shown, path


BOUNDED = [
    "dirty-expiry", "inotify-instances", "inotify-watches", "neighbour-table-maximum", "neighbour-table-minimum",
    "neighbour-table-threshold", "open-file-limit", "receive-buffer-default", "send-buffer-default", "shared-memory-limit",
    "shared-memory-segment-limit", "shared-memory-segments", "tcp-keepalive-interval", "tcp-keepalive-probes",
    "tcp-keepalive-time", "tcp-receive-buffer-maximum", "tcp-send-buffer-maximum", "writeback-interval",
]  # fmt: skip
"""Settings whose bounds no manual states."""


def test_linux_takes_the_bounds_of_what_is_offered(knowledge: Knowledge) -> None:
    """Each is written to a real kernel, which then shows it."""
    bits = {"os": knowledge.variables["os"].bit("debian-12")}
    asked = []
    for name in BOUNDED:
        scale = knowledge.variables[name].scale
        assert isinstance(scale, Numbers)
        for number in (scale.low, scale.high):
            (spelled,) = spelled_values(knowledge, name, scale.text(number), bits, NOWHERE)
            asked += [(f"/proc/sys/{each.replace('.', '/')}", spelled.text or "") for each in spelled.names]
    for path, text, shown in boot(writes=asked).written:
        assert shown.replace("\t", " ") == text, path


@pytest.mark.parametrize(("value", "asks"), [("1us", 1), ("70us", 70)])
def test_a_limit_of_idle_states_can_be_a_number(tmp_path: Path, value: str, asks: int) -> None:
    plan = planned(f'goal throughput; cpu skylake; os debian 12; set force-latency {value} because "a test"')
    for artifact in with_profile(TARGET.emit(plan).artifacts):
        path = tmp_path / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    assert apply_once(tmp_path / "tuned/setpoint-policy", tmp_path / "machine", SKYLAKE).latency_us == asks


def test_every_os_setting_is_carried_or_left_out(knowledge: Knowledge) -> None:
    settings = {s.name for s in knowledge.settings.values() if s.layer == "os"}
    seen = set()
    releases = ("rhel 6", "rhel 7", "rhel 8", "modern-linux", "debian 12", "ubuntu 24.04")
    every = ["; ".join(asked(*one) for one in some) for some in (ASKED, ELSEWHERE)]
    policies = [
        f"goal {goal}; cpu sandy-bridge; os {release}; manage all"
        for release, goal in product(releases, ("latency", "throughput"))
    ]
    policies += [f"goal latency; cpu skylake; os debian 12; {some}" for some in every]
    policies += [
        "goal latency; cpu granite-rapids; os debian 13; " + "; ".join(asked(*one) for one in UNCORE)
    ]
    for policy in policies:
        plan = planned(policy)
        emission = TARGET.emit(plan)
        decided = {d.setting for d in plan.written if d.layer == "os"}
        assert (emission.expressed - {"force-latency"}) | emission.left_out.keys() == decided - {
            "force-latency"
        }
        assert not emission.expressed & emission.left_out.keys()
        seen |= decided
    without_tuned = {"isolated-partition", "service-open-files", "service-locked-memory"}
    assert seen == settings - without_tuned


@pytest.mark.parametrize(
    ("workload", "limit", "pages"),
    [
        ("postgresql", ("vm.dirty_bytes", "536870912"), "never"),
        ("oracle-database", ("vm.dirty_ratio", "40"), "never"),
        ("sql-server", ("vm.dirty_ratio", "80"), "always"),
    ],
)
def test_a_database_gets_what_its_profile_has(
    tmp_path: Path, workload: str, limit: tuple[str, str], pages: str
) -> None:
    """The profiles disagree on huge pages and on dirty memory; each workload has its own."""
    plan = planned(f"goal throughput; cpu skylake; os debian 12; workload {workload}")
    for artifact in with_profile(TARGET.emit(plan).artifacts):
        path = tmp_path / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    done = apply_once(tmp_path / "tuned/setpoint-policy", tmp_path / "machine", SKYLAKE)
    assert done.complaints == ()
    assert [(n, v) for n, v in done.sysctls.items() if n in ("vm.dirty_bytes", "vm.dirty_ratio")] == [limit]
    assert done.written["/sys/kernel/mm/transparent_hugepage/enabled"] == pages
