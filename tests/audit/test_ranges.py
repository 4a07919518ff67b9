"""Which kernels have a word: an audit says what a system's kernel has not yet, or no longer, and nothing where no
version says so."""

from __future__ import annotations

import pytest

from audit import audited, codes, messages

ARGUMENTS = """
tsc=nowatchdog          | rhel 7                | rhel 8, rhel 9, ubuntu 20.04, debian 12   backported to Enterprise Linux 8
isolcpus=managed_irq,domain,2-3 | rhel 7, ubuntu 20.04 | rhel 8, rhel 9, debian 12           backported as well
cpuidle.governor=haltpoll | rhel 7              | rhel 8, debian 11
cpufreq.default_governor=performance | rhel 7, ubuntu 20.04 | rhel 9, debian 12
preempt=full            | rhel 7, debian 11, ubuntu 20.04 | rhel 9, debian 12
amd_pstate=guided       | debian 11, debian 12  | rhel 9                                     backported in 9.3
rcutree.use_softirq=0   | rhel 7                | rhel 8, debian 12
rcutree.nohz_full_patience_delay=1000 | debian 12 | debian 13, rhel 10
split_lock_detect=off   | rhel 7                | rhel 8, debian 11
thp_anon=64K:always     | debian 12             | debian 13
crashkernel=auto        | rhel 9, debian 12     | rhel 7, rhel 8                             which mainline never took
scsi_mod.use_blk_mq=1   | rhel 9, ubuntu 20.04  | rhel 7, rhel 8
swapaccount=1           | debian 12, ubuntu 24.04 | rhel 7, debian 11
noibrs                  | rhel 9, debian 12     | rhel 7, rhel 8
systemd.unified_cgroup_hierarchy=0 | debian 13, rhel 10 | debian 12, rhel 9, modern-linux    its systemd says so
sysctl.vm.swappiness=10 | rhel 7, ubuntu 20.04  | debian 12
intel_pstate=active     | rhel 7, ubuntu 20.04  | rhel 8, debian 12
"""

SYSCTLS = """
vm.watermark_boost_factor = 0      | rhel 7            | rhel 9, ubuntu 20.04
vm.percpu_pagelist_fraction = 8    | rhel 9, debian 12 | rhel 7, rhel 8
kernel.sched_tunable_scaling = 0   | rhel 9, ubuntu 22.04 | rhel 7, rhel 8, ubuntu 20.04
kernel.sched_child_runs_first = 1  | ubuntu 24.04      | rhel 8, debian 12
vm.hugepages_treat_as_movable = 0  | rhel 8, debian 12 | rhel 7
net.ipv4.ip_conntrack_max = 65536  | rhel 8, debian 12 | rhel 7
net.ipv4.tcp_abc = 1               | rhel 8, debian 12 | rhel 6
net.netfilter.nf_conntrack_helper = 1 | debian 12      | rhel 8, debian 11
kernel.exec-shield = 1             | rhel 7, debian 12 | rhel 6
kernel.io_uring_disabled = 2       | debian 12         | rhel 9, debian 13
"""
"""Each word, the systems whose kernel lacks it, and those that have it, whatever else is to be said of it there."""


def systems(text: str) -> list[str]:
    """The systems that are named before two blanks."""
    return [name.strip() for name in text.strip().split("  ")[0].split(",")]


@pytest.mark.alike
@pytest.mark.parametrize("case", [line for line in (ARGUMENTS + SYSCTLS).split("\n") if line])
def test_who_has_a_word(case: str) -> None:
    word, lack, have = case.split("|")
    for system in systems(lack):
        assert codes(audited(word.strip(), server=f"os {system}")) == ["W0904"], system
    for system in systems(have):
        found = codes(audited(word.strip(), server=f"os {system}"))
        assert not {"W0902", "W0904", "W0910"} & set(found), (system, found)


def test_the_finding_names_both_versions_and_what_to_write() -> None:
    found = audited("preempt=full", server="os ubuntu 20.04")
    assert "came after Linux 5.11, and the kernel of ubuntu-20.04 is 5.4" in messages(found, "W0904")[0]
    (finding,) = audited("vm.percpu_pagelist_fraction = 8", server="os debian 12").findings
    assert "`vm.percpu_pagelist_high_fraction`" in finding.help[0]


@pytest.mark.parametrize(
    ("cpu", "found"),
    [
        ("cpu epyc-7763", ["W0904"]),
        ("cpu skylake", []),
        ("os debian 12", []),  # one boot line for servers of both vendors
    ],
)
@pytest.mark.parametrize("word", ["intel_iommu=on", "intel_pstate=passive", "intel_idle.max_cstate=0"])
def test_no_server_of_amd_has_the_drivers_of_intel(word: str, cpu: str, found: list[str]) -> None:
    assert [
        code
        for code in codes(audited(word, server=f"{cpu}; os debian 12" if cpu.startswith("cpu") else cpu))
        if code == "W0904"
    ] == found


SCHEDULER = "kernel.sched_latency_ns = 24000000"


@pytest.mark.parametrize(
    ("word", "server", "code"),
    [
        (SCHEDULER, "cpu skylake", "W0920"),  # of the system nothing is stated
        (SCHEDULER, "os modern-linux", "W0920"),  # Linux 5.6 or any later one
        (SCHEDULER, "os debian 12", "W0904"),  # Linux 6.1
        (SCHEDULER, "os rhel 8", ""),  # Linux 4.18
        ("net.ipv4.tcp_adv_win_scale = 1", "os ubuntu 22.04", ""),  # Linux 5.15 or 6.8
        (
            "net.ipv4.neigh.default.gc_interval = 30",
            "cpu skylake",
            "W0920",
        ),  # gone from 5.10 on, and had by all before
        ("net.ipv4.neigh.default.gc_interval = 30", "os rhel 9", "W0904"),  # Linux 5.14
        ("crashkernel=auto", "cpu skylake", "W0920"),  # right for Enterprise Linux 7 and 8
        ("crashkernel=auto", "os modern-linux", "W0904"),
        ("preempt=full", "cpu skylake", ""),  # a word that came later is there, or will be
    ],
)
def test_what_later_kernels_lack_is_said_in_the_conditional(word: str, server: str, code: str) -> None:
    found = codes(audited(word, server=server))
    assert [each for each in found if each in ("W0904", "W0920")] == [code] * bool(code)


def test_the_finding_names_the_version_or_the_systems() -> None:
    (version,) = messages(audited(SCHEDULER, server="cpu skylake"), "W0920")
    assert "has no effect from Linux 5.13 on: Linux 5.13 has moved it to debugfs" in version
    (systems,) = messages(audited("crashkernel=auto", server="cpu skylake"), "W0920")
    assert "has no effect but on rhel-6, rhel-7, rhel-8: mainline never took `auto`" in systems


@pytest.mark.parametrize("system", ["os rhel 8", "os sles 15", "os linux", "os modern-linux"])
def test_nothing_is_said_where_no_version_says_it(system: str) -> None:
    """Vendors of enterprise kernels backport words for years; and of some systems the kernel is not known."""
    assert codes(audited("thp_anon=64K:always", server=system)) == []
