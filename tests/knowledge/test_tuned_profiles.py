"""The advice of tuned's own profiles, release by release: the profile for a goal, and its settings.

On Enterprise Linux 6 the profiles are shell scripts and govern through cpuspeed, if there is anything to govern.
"""

import pytest

from knowledge.refusals import spelt
from setpoint.compiler.knowledge.load import standard
from support.ask import cites, decision, plan

LEFT_TO_LINUX = "set cpu-power-management os-dbpm; accept power-management-vs-latency"


@pytest.mark.parametrize(
    ("policy", "setting", "value", "source", "at"),
    [
        (f"goal latency; os rhel 6.4; {LEFT_TO_LINUX}", "governor", "performance",
         "tuned-el6", "ktune.sh: set_cpu_governor"),
        ("goal throughput; os rhel 6.4; set cpu-power-management os-dbpm", "governor", "performance",
         "tuned-el6", "ktune.sh: start()"),
        ("goal latency; os rhel 6.4", "transparent-hugepages", "never", "tuned-el6", "ktune.sh"),
        ("goal latency; os rhel 6.4", "force-latency", "c1", "tuned-el6", "ktune.sh: pmqos-static.py"),
        ("goal throughput; os rhel 6.4", "transparent-hugepages", "always", "tuned-el6", "ktune.sh"),
        (f"goal latency; os rhel 7; {LEFT_TO_LINUX}", "governor", "performance",
         "tuned-profiles", "latency-performance, [cpu] governor"),
        ("goal latency; os rhel 7", "busy-poll", "50us", "tuned-profiles", "network-latency, [sysctl]"),
        ("goal latency; os rhel 7", "tcp-fast-open", "client-and-server", "tuned-profiles", "network-latency, [sysctl]"),
        ("goal performance; os rhel 8; workload hpc", "tcp-fast-open", "client-and-server",
         "tuned-profiles", "hpc-compute, [sysctl]"),
        ("goal performance; os rhel 8; workload hpc", "minimum-free-memory", "135168",
         "tuned-profiles", "hpc-compute, [sysctl]"),
        ("goal throughput; os rhel 8; workload nfv", "tcp-fast-open", "client-and-server",
         "tuned-profiles", "network-latency, [sysctl]"),
        ("goal performance; os rhel 8; workload hpc", "transparent-hugepages", "always",
         "tuned-profiles", "hpc-compute, [vm]"),
        ("goal balanced; os rhel 8", "energy-perf-bias", "normal", "tuned-profiles", "[cpu] energy_perf_bias"),
        ("goal throughput; os rhel 6.4", "dirty-ratio", "40", "tuned-el6", "sysctl.ktune: vm.dirty_ratio"),
        ("goal latency; os rhel 7", "min-perf-pct", "100", "tuned-profiles", "latency-performance, [cpu]"),
        ("goal latency; os rhel 7", "dirty-ratio", "10", "tuned-profiles", "latency-performance, [sysctl]"),
        ("goal latency; os rhel 8", "dirty-background-ratio", "3", "tuned-profiles", "latency-performance"),
        ("goal throughput; os debian 12", "dirty-ratio", "40", "tuned-profiles", "[sysctl] vm.dirty_ratio"),
        ("goal throughput; os debian 12", "dirty-background-ratio", "10", "tuned-profiles", "[sysctl] vm.dirty_b"),
        ("goal throughput; os debian 12", "min-perf-pct", "100", "tuned-profiles", "[cpu] min_perf_pct"),
        ("goal throughput; os rhel 7", "readahead", "4096", "tuned-profiles", "[disk] readahead"),
        ("goal performance; os rhel 8; workload hpc", "dirty-ratio", "10", "tuned-profiles", "latency-performance"),
        ("goal performance; os rhel 8; workload hpc", "readahead", "4096", "tuned-profiles", "hpc-compute, [disk]"),
        ("goal performance; os rhel 7; workload hpc", "zone-reclaim", "on", "tuned-profiles", "hpc-compute, [sysctl]"),
        ("goal latency; os debian 13", "hung-task-timeout", "600s", "tuned-2.25", "network-latency, [sysctl]"),
        ("goal latency; os debian 13", "nmi-watchdog", "off", "tuned-2.25", "network-latency, [sysctl]"),
        ("goal latency; os debian 13", "vm-statistics-interval", "10s", "tuned-2.25", "network-latency, [sysctl]"),
        ("goal latency; os debian 13", "timer-migration", "off", "tuned-2.25", "network-latency, [sysctl]"),
        ("goal latency; os debian 13", "tsc-checks", "reliable", "tuned-2.25", "network-latency, [bootloader]"),
        ("goal latency; os debian 13; workload kubernetes-node", "timer-migration", "on",
         "openshift-node-tuning", "kernel.timer_migration"),
        ("goal throughput; os debian 13", "energy-performance-preference", "performance",
         "tuned-2.25", "throughput-performance, [cpu]"),
        ("goal balanced; os debian 13", "energy-performance-preference", "balance-performance",
         "tuned-2.25", "balanced, [cpu]"),
        ("goal balanced; os debian 13", "governor", "schedutil", "tuned-2.25", "balanced, [cpu] governor"),
        ("goal balanced; os debian 12", "governor", "conservative", "tuned-profiles", "[cpu] governor"),
        ("goal efficiency; os rhel 8", "governor", "conservative", "tuned-issue-582", "comment of 2024-01-25"),
        ("goal efficiency; os debian 12", "governor", "conservative", "tuned-issue-582", "comment of 2024-01-25"),
        ("goal efficiency; os rhel 8", "energy-perf-bias", "normal", "tuned-issue-582", "comment of 2024-01-25"),
    ],
)  # fmt: skip
def test_what_the_profile_of_a_goal_sets(policy: str, setting: str, value: str, source: str, at: str) -> None:
    found = decision(spelt(f"cpu e5-2680; {policy}"), setting)
    assert found.value == value
    assert cites(found.because, source, at)


@pytest.mark.parametrize(
    ("server", "has"),
    [
        ("cpu westmere", True),
        ("cpu x5670; platform r710", True),
        ("cpu nehalem", False),
        ("cpu x5570; platform r710", False),
        ("platform r710", False),
        ("cpu harpertown", False),
        ("cpu core-i7-965", False),
        ("cpu irwindale", False),
        ("cpu e5-2680", True),
        ("platform r720", True),
        ("cpu skylake", True),
    ],
)
@pytest.mark.parametrize("os", ["rhel 7", "rhel 8", "debian 12"])
def test_the_energy_bias_hint_began_with_westmere(server: str, has: bool, os: str) -> None:
    """Kernel commit d5532ee7b40b: first on Westmere Xeon, then in every Sandy Bridge. An 11G server may have either."""
    assert bool(plan(f"goal latency; os {os}; {server}").value("energy-perf-bias")) is has


def test_the_profile_of_el6_says_since_when_it_has_a_line() -> None:
    """Commits 31639fd (2011-09-27) and 11b64d7 (2013-07-24) for the latency, 355fd87 (2013-01-03) for huge pages."""
    notes = {
        setting: decision("goal latency; cpu e5-2680; os rhel 6.4", setting).because[0].note
        for setting in ("force-latency", "transparent-hugepages")
    }
    assert "0 from September 2011 on" in notes["force-latency"]
    assert "1, that is C1, only from July 2013 on" in notes["force-latency"]
    assert "January 2013" in notes["transparent-hugepages"]


def test_changes_in_later_releases_of_tuned_are_stated() -> None:
    """v2.24.0 to v2.25.0, profiles/balanced: conservative|powersave became schedutil|ondemand|powersave."""
    about = standard().sources["tuned-profiles"].about
    assert "from 2.25 on, balanced tries schedutil, then ondemand, and no conservative" in about


def test_goals_without_advice_leave_the_new_knobs_alone() -> None:
    for goal in ("balanced", "efficiency", "density"):
        planned = plan(f"goal {goal}; cpu e5-2680; os debian 12")
        for setting in ("min-perf-pct", "dirty-ratio", "dirty-background-ratio", "zone-reclaim", "readahead"):
            found = planned.setting(setting)
            assert found is not None and not found.written


def test_the_lowest_p_state_belongs_to_intel_pstate_which_11g_servers_lack() -> None:
    assert plan("goal latency; cpu westmere; os debian 12").setting("min-perf-pct") is None


def test_no_default_is_claimed_where_the_kernel_decides_at_boot() -> None:
    """Linux 3.10 turns zone_reclaim_mode on where remote memory is slow; read-ahead is each device's own."""
    for os, setting, default in (
        ("rhel 7", "zone-reclaim", ""),
        ("rhel 8", "zone-reclaim", "off"),
        ("rhel 8", "readahead", ""),
    ):
        assert decision(f"goal balanced; cpu e5-2680; os {os}", setting).default == default
