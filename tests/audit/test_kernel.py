"""What an audit says of a boot line, beside what a kernel says that is started with it."""

from audit import audited, codes
from audit.test_flexran import BOOT_LINE
from consumers.kernel import boot, early

NEVER_REPORTED = "intel_idle.max_cstat=0 cpufreq.default_govenor=performance"
"""Misspelt parameters of modules: a kernel takes them for those of a module that may yet be loaded."""


def test_the_kernel_does_not_know_what_is_misspelt_or_unknown() -> None:
    """With lists of CPUs that the emulated machine has, and without `selinux=`, which Debian's kernel is built
    without."""
    line = BOOT_LINE.partition('"')[2].rpartition('"')[0].replace("selinux=0 ", "")
    line = line.replace("1-30,33-62", "1-3").replace("0,31,32,63", "0")
    found = audited(line, server="cpu xeon-gold-6338n; os debian 12", form="arguments")
    refused = {
        finding.message.split("`")[1].partition("=")[0]
        for finding in found.findings
        if finding.code == "E0902" or "no version of Linux" in finding.message
    }
    assert (
        {word.partition("=")[0] for word in early(line, cpus=4).unknown}
        == refused
        == {"isolcpu", "kthread_cpus"}
    )


def test_what_no_kernel_reports_is_found() -> None:
    assert early(NEVER_REPORTED).unknown == ()
    found = audited(NEVER_REPORTED)
    assert [finding.code for finding in found.findings] == ["E0902", "E0902"]


GONE = [
    "kernel.sched_min_granularity_ns",
    "kernel.sched_wakeup_granularity_ns",
    "kernel.sched_migration_cost_ns",
    "kernel.sched_latency_ns",
    "kernel.sched_nr_migrate",
    "kernel.numa_balancing_scan_delay_ms",
    "kernel.numa_balancing_scan_period_min_ms",
    "kernel.numa_balancing_scan_period_max_ms",
    "kernel.numa_balancing_scan_size_mb",
    "net.ipv4.tcp_tw_recycle",
]
WITHOUT_EFFECT = [
    "net.ipv4.tcp_fack",
    "net.ipv4.tcp_low_latency",
    "net.ipv4.udp_wmem_min",
    "net.ipv4.route.max_size",
]


def test_sysctls_that_are_gone_are_not_there() -> None:
    """Of those that an audit takes for ignored, a kernel lacks some; others it takes, and does nothing with them."""
    assert {code for name in (*GONE, *WITHOUT_EFFECT) for code in codes(audited(f"{name} = 1\n"))} == {
        "W0904"
    }
    asked = [(f"/proc/sys/{name.replace('.', '/')}", "1") for name in (*GONE, *WITHOUT_EFFECT)]
    found = {path: had for path, _, had in boot(writes=asked).written}
    missing = {
        path.removeprefix("/proc/sys/").replace("/", ".") for path, had in found.items() if had == "missing"
    }
    assert missing == set(GONE)
