"""What words take as text: typed from the kernel's sources, as Linux 6.12 has them, and from what its manual calls
frequent mistakes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import audited, codes, values
from setpoint.compiler.audit.texts import Grammar, texts
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.sysctls import Sysctl, sysctls

CASES = """
default_hugepagesz=1GB                                      |
default_hugepagesz=1024M                                    |
default_hugepagesz=big                                      | E0907 the kernel refuses it
hugepagesz=2048kB hugepages=512                             |
hugepagesz=10G hugepages=2                                  | W0911 no processor has pages of that size
default_hugepagesz=1048576k                                 |
console=tty0 console=ttyS0,115200n8                         |
console=ttyAMA0 console=uart8250,io,0x3f8,115200n8          |
console=tttyS0,115200                                       | W0911 no driver has a console of that name
console=ttyS0:115200                                        | W0911 a comma is what stands before the speed
console=ttyS1,11520                                         | W0911 serial ports have no such speed
crashkernel=512MB                                           | W0911 cannot parse it
crashkernel=256                                             | W0911 a number of bytes
crashkernel=256M,high crashkernel=128M@16M                  |
crashkernel=1G-4G:192M,4G-64G:256M,64G-:512M                |
slub_debug=F,Z,P                                            | W0911 names of slabs
slub_debug=FZ,dentry                                        |
hugepages=16G                                               | W0911 the letter behind it is ignored
transparent_hugepage=off                                    | E0907 keeps its default
transparent_hugepage=0                                      | E0907 keeps its default
numa_balancing=0                                            | E0907 stays as it is
numa_balancing=false                                        | E0907 stays as it is
amd_iommu=on                                                | E0907 there is no such text
iommu=on                                                    | E0907 ignored without a message
intel_iommu=on,pt                                           | E0907 unknown option
nmi_watchdog=off                                            | E0907 the detector stays on
skew_tick=on                                                | E0907 leaves it 0
tsc=reliable,nowatchdog                                     | E0907 the whole text is compared
intel_pstate=off                                            | E0907 ignores it
nosmt=off                                                   | W0911 SMT is off
isolcpus=sched,2-7                                          | E0907 skips a flag
"isolcpus=2-7" nosmt                                        |
isolcpus=2-                                                 | E0907 skips a flag
isolcpus=managed_irq,domain,2-7 irqaffinity=0-1             |
isolcpus=managed_irq,domain,2-7 irqaffinity=0-3             | W0914 get interrupts
isolcpus=2-7 nohz_full=1-7                                  | W0914 the tick goes on
isolcpus=2-N irqaffinity=0-3                                |
intel_iommu=on iommu=off                                    | W0908 turns every IOMMU
security=apparmor lsm=lockdown,yama                         | W0908 supersedes it
audit=0 audit_backlog_limit=8192                            | W0907 weakens security; W0908 nothing is audited
softlockup_panic=1 nosoftlockup                             | W0908 the detector is off
numa=disable                                                | W0911 ignored
mce=on                                                      | E0907 ignores it
mitigations=full                                            | W0911 does not support it
maxcpus=0                                                   | W0911 one CPU runs
mem=64                                                      | W0911 a number of bytes
cpufreq.default_governor=turbo                              | E0907 no governor of that name
zswap.compressor=lz5                                        | E0907 no such compressor
zswap.compressor=zstd                                       |
rcu_nocb_poll=1024 rcu_nocbs=2-7                            | W0911 whatever the text is
rcu_nocb_poll rcu_nocbs=2-7                                 |
nowatchdog=1                                                |
nosmp=off                                                   | W0911 whatever the text is
rcu_nocbs=2-7,!3                                            | E0907 offloads all CPUs
irqaffinity=0-1                                             |
init_on_alloc                                               | E0907 reports an invalid text
page_poison=1                                               |
vsyscall=xonly                                              |
mem_sleep_default=s3                                        | E0907 ignored without a message
acpi=noirq,nocmcff                                          |
softlockup_panic=yes                                        | E0907 of which it has none
vmalloc=256M                                                |
ro=1                                                        | E0907 the word alone
isolcpus=managed_irq,2-7                                    | W0911 the scheduler still balances load
mitigations=auto,nosmt                                      | W0911 turns SMT off
mce=0                                                       | W0911 turns nothing off
numa=off                                                    | W0911 one node
noht                                                        | W0904 no such argument
intel_idle.max_cstate=0                                     | W0908 acpi_idle takes over
intel_idle.max_cstate=0 processor.max_cstate=1              |
cpuidle.off=1                                               | W0911 the manual does not recommend it for production
processor.max_cstate=1 cpuidle.off=1                        | W0908 without cpuidle; W0911 the manual does not
nohz_full=2-7 isolcpus=domain,managed_irq,2-7 nohz=off nosmt | W0908 the tick stops on no CPU
numa_balancing=disable numa=off                             | W0908 nothing to balance; W0911 one node
kernel.numa_balancing = 0x0                                 |
vm.swappiness = 10%                                         | E0907 the old value stays
vm.swappiness = 201                                         | E0907 the old value stays
kernel.watchdog_thresh = 61                                 | E0907 the old value stays
net.ipv4.tcp_mem = 94500000 915000000 927000000             | W0911 3.5 TiB
net.ipv4.tcp_mem = 786432 1048576 1572864                   |
net.ipv4.tcp_tw_reuse = 1                                   |
net.ipv4.tcp_tw_reuse = 1;net.ipv4.tcp_timestamps = 0       | W0908 tell old segments from new ones; W0911 once its numbers wrap
vm.vfs_cache_pressure = 500                                    | W0911 a multiple
net.core.rmem_default = 8388608;net.core.rmem_max = 4194304    | W0916 gets less than one that asks for nothing
net.core.wmem_default = 4194304;net.core.wmem_max = 4194304    |
net.ipv4.conf.all.accept_redirects = 0                         | W0908 or the interface has them on
net.ipv4.conf.all.accept_redirects = 0;net.ipv4.conf.default.accept_redirects = 0 |
net.ipv4.conf.all.accept_redirects = 0;net.ipv4.ip_forward = 1 |
net.ipv4.conf.all.accept_redirects = 0;net.ipv4.conf.eth0.accept_redirects = 0 |
net.ipv4.conf.default.accept_redirects = 0                     | W0908 and `all` has
net.ipv4.conf.*.accept_redirects = 0;net.ipv4.conf.default.accept_redirects = 0 |
net.ipv4.conf.all.send_redirects = 0                           | W0908 and interfaces have
net.ipv4.conf.all.send_redirects = 0;net.ipv4.conf.default.secure_redirects = 0 | W0908 and interfaces have; W0908 and `all` has
net.ipv4.conf.all.send_redirects = 0;net.ipv4.conf.default.send_redirects = 0 |
net.ipv4.conf.all.send_redirects = 0;net.ipv4.conf.default.send_redirects = 1 | W0908 as each new one has
net.ipv6.conf.all.accept_ra = 0                                | W0908 never that of `all`
net.ipv6.conf.all.accept_ra = 0;net.ipv6.conf.default.accept_ra = 0 |
net.ipv6.conf.all.accept_ra = 0;net.ipv6.conf.default.autoconf = 0 | W0908 never that of `all`
net.ipv6.conf.all.disable_ipv6 = 1                             |
net.ipv6.conf.eth0.accept_ra = 1;net.ipv6.conf.all.forwarding = 1 | W0908 unless it is 2
net.ipv6.conf.eth0.accept_ra = 2;net.ipv6.conf.all.forwarding = 1 |
kernel.hardlockup_panic = 1;kernel.nmi_watchdog = 0            | W0908 hard lockups
kernel.hung_task_panic = 1;kernel.hung_task_timeout_secs = 0   | W0908 no task
net.netfilter.nf_conntrack_tcp_loose = 0                       | W0908 the module nf_conntrack
kernel.sem = 250 32000 100 128                                 | W0919 sets
net.ipv6.ip6frag_low_thresh = 196608                           | W0904 the least that the upper threshold
net.core.somaxconn = {{ backlog | default(1024) }}             | W0919 4096
net.core.somaxconn = {{ backlog | default(8192) }}             |
net.core.somaxconn = {{ backlog | default(4096) }}             |
net.core.somaxconn = {{ backlog | default(omit) }}             | W0903 has a variable
net.ipv4.tcp_rmem = {{ rmem | default('4096 131072 4194304', true) }} | W0919 6 MiB
net.core.somaxconn = ${BACKLOG:-1024}                          | W0919 4096
net.core.somaxconn = {{ backlog }}                             | W0903 has a variable
net.ipv6.conf.all.log_martians = 1                             | W0918 no version
net.ipv6.conf.all.accept_source_route = 0                      |
net.isoc = 1                                                   | W0918 no version
net.nf_conntrack_max = 1048576                                 | W0908 the module nf_conntrack
# loaded by modprobe nf_conntrack;net.nf_conntrack_max = 1048576 |
kernel.numa_balancing_scan_demoted = 0                         | W0918 no version
kernel.threads-max = 20                                        | W0919 an eighth of the memory
fs.file-max = 100000                                           | W0919 systemd
net.core.optmem_max = 65536                                    |
net.ipv4.tcp_abort_on_overflow = 1                             | W0911 harm
vm.drop_caches = 3                                             | W0911 testing
vm.lru_gen.enabled = 1                                         | W0918 no version
net.bridge.bridge-nf-call-iptables = 1                         | W0908 the module br_netfilter
kernel.sysrq = 1                                               | W0907 magic keys
kernel.panic_on_oops = 10                                      |
kernel.pid_max = 4194305                                       | E0907 the old value stays
kernel.shmmni = 1024                                           | W0919 4096
fs.nr_open = 2147483648                                        | E0907 the old value stays
fs.file-nr = 1 2 3                                             | W0904 only be read
net.ipv4.conf.eth0.mc_forwarding = 1                           | W0904 only be read
net.ipv4.conf.eth0.arp_ignore = one                            | E0907 the old value stays
net.netfilter.nf_conntrack_tcp_timeout_established = 30000000  | E0907 the old value stays; W0908 the module nf_conntrack
net.ipv4.tcp_rmem = 16777216                                   | W0911 later ones stay
net.ipv4.ip_local_port_range = 1024                            | W0911 later ones stay
kernel.printk = 3                                              |
vm.swappiness = 10 20                                          | W0911 what follows
vm.memfd_noexec = 1                                            | W0904 after Linux 6.1
net.core.warnings = 0                                          | W0904 unused
kernel.shmmax = 68719476736                                    | W0919 no limit
net.ipv4.tcp_mem = 50576 64768 98152                           | W0919 13 GiB
net.ipv4.route.gc_thresh = 32768                               | W0904 no cache of routes
net.ipv4.route.gc_timeout = 100                                |
net.ipv6.xfrm6_gc_thresh = 32768                               | W0904 obsolete
net.ipv4.neigh.default.gc_thresh1 = 32                         | W0919 the default is 128
net.ipv4.neigh.default.gc_interval = 5                         | W0904 nothing but the table
dev.rtc.max-user-freq = 2048                                   | W0904 its driver is gone
kernel.perf_event_mlock_kb = 2048;kernel.perf_event_paranoid = -1 | W0908 ignores this limit; W0907 every user
# systemctl stop iptables;net.netfilter.nf_conntrack_tcp_timeout_fin_wait = 60 | W0908 which nothing here loads
# systemctl start iptables;net.netfilter.nf_conntrack_tcp_timeout_fin_wait = 60 |
net.ipv6.route.max_size = 4096                                 |
kernel.max_rcu_stall_to_panic = 2                              | W0908 stalls
net.ipv4.neigh.default.unres_qlen = 6                          | W0919 packet loss
# conntrack of nft;net.netfilter.nf_conntrack_max = 131072     | W0919 more than 4 GiB
# conntrack of nft;net.netfilter.nf_conntrack_max = 262144     |
# sunrpc;sunrpc.tcp_max_slot_table_entries = 128               |
net.ipv4.tcp_mem = 16777216 16777216 16777216                  | W0911 before it is at the limit
net.ipv4.tcp_mem = 4096 89600 4194304                          | W0919 13 GiB
net.ipv4.tcp_max_orphans = 16384                               | W0919 not to do that
net.ipv4.tcp_max_orphans = 32768                               |
net.ipv4.tcp_max_syn_backlog = 512                             | W0919 1024 from 16 GiB
net.ipv4.tcp_congestion_control = BBR                          | E0907 refuses
kernel.split_lock_mitigate = 0                                 | W0907 lock the bus
net.ipv6.conf.default.autoconf = 0;net.ipv6.conf.default.use_tempaddr = 2 | W0908 configures by itself
vm.min_free_kbytes = 16777216                                  | W0911 run out of memory
net.ipv4.ip_local_port_range = 1000 65535                      | W0911 first port below
net.ipv4.tcp_rmem = 1024 131072 16777216                       | W0911 below 4096
kernel.sem = 2048 134217728 2048 65536                         | W0911 the fourth number
kernel.sem = 2048 134217728 2048 32768                         |
net.ipv4.conf.all.rp_filter = 1;net.ipv4.conf.default.rp_filter = 2 | W0908 the higher one counts
net.bridge.bridge-nf-call-iptables = 0                         | W0908 the module br_netfilter
net.ipv4.ip_local_port_range = 61000 32768                     | W0911 below the first
net.ipv4.tcp_rmem = 4096 131072 6291456                        |
net.ipv4.tcp_rmem = 4096 131072 4194304                        | W0919 6 MiB
net.core.somaxconn = 1024                                      | W0919 4096
net.core.somaxconn = 8192                                      |
kernel.msgmax = -1                                             | E0907 refuses
kernel.dmesg_restrict = 2                                      | E0907 refuses
vm.dirty_background_bytes = 0                                  | E0907 refuses
net.ipv6.default.accept_ra = 0                                 | W0918 no version
net.ipv4.conf.ip_forward = 0                                   | W0918 no version
vm.overcommit_memory = 2;vm.overcommit_ratio = 80;vm.overcommit_kbytes = 800000 | W0908 sets this one to 0
vm.panic_on_oom = 2;vm.oom_kill_allocating_task = 1            | W0908 the kernel panics
vm.panic_on_oom = 0;vm.oom_kill_allocating_task = 1            |
vm.min_unmapped_ratio = 5                                      | W0908 reclaiming within a node
vm.zone_reclaim_mode = 0;vm.min_slab_ratio = 10                | W0908 which is off
vm.zone_reclaim_mode = 3;vm.min_slab_ratio = 10                |
vm.dirty_writeback_centisecs = 0;vm.dirty_expire_centisecs = 500 | W0908 periodic write-back
kernel.numa_balancing = 0;kernel.numa_balancing_promote_rate_limit_MBps = 100 | W0908 does not balance
kernel.panic_on_oops = 1;kernel.oops_limit = 100               | W0908 the first oops
kernel.panic_on_oops = 0;kernel.oops_limit = 100               |
kernel.panic_on_warn = 1;kernel.warn_limit = 10                | W0908 the first warning
kernel.core_uses_pid = 1;kernel.core_pattern = core.%e.%p      | W0908 a name without `%p`
kernel.core_uses_pid = 1;kernel.core_pattern = |/bin/false    | W0908 to no program
kernel.core_uses_pid = 1;kernel.core_pattern = core.%e         |
kernel.core_pipe_limit = 4;kernel.core_pattern = /var/core.%p  | W0908 these become files
fs.suid_dumpable = 2;kernel.core_pattern = core                | W0908 a full path only
net.core.bpf_jit_harden = 2;net.core.bpf_jit_kallsyms = 1      | W0908 the compiler is hardened
net.ipv4.tcp_base_mss = 1200                                   | W0908 by default it is 0
net.ipv4.tcp_mtu_probing = 0;net.ipv4.tcp_probe_interval = 300 | W0908 does not probe
net.ipv4.tcp_mtu_probing = 1;net.ipv4.tcp_base_mss = 1200      |
net.ipv4.conf.all.log_martians = 0;net.ipv4.conf.default.log_martians = 1 | W0908 as each new one has
kernel.hung_task_timeout_secs = 0;kernel.hung_task_warnings = 4 | W0908 no task
net.ipv4.vs.conn_reuse_mode = 0                                | W0908 the module ip_vs
# for ipvsadm;net.ipv4.vs.conn_reuse_mode = 0                  |
net.sctp.rto_min = 100                                         | W0908 the module sctp
# modprobe sctp;net.sctp.rto_min = 100                         |
kernel.sched_rt_runtime_us = 2000000;kernel.sched_rt_period_us = 1000000 | W0916 than a period has
kernel.sched_rt_runtime_us = -1;kernel.sched_rt_period_us = 1000000 |
kernel.pid_max = 4194304;kernel.threads-max = 6000000          | W0916 a number of its own
fs.mqueue.msg_default = 100;fs.mqueue.msg_max = 50             | W0916 the lower of both
intel_idle.max_cstate=0 processor.max_cstate=1 intel_idle.states_off=2 | W0908 does not load
nowatchdog nmi_watchdog=panic watchdog_thresh=20               | W0908 both detectors; W0908 both detectors
intel_pstate=active cpufreq.default_governor=schedutil         | W0908 by itself
intel_pstate=passive cpufreq.default_governor=schedutil        |
pcie_aspm=off pcie_aspm.policy=performance                     | W0908 refuses any policy; W0911 turns none off
hugetlb_cma=4G hugepagesz=1G hugepages=4                       | W0908 no gigantic pages
init_on_free=1 page_poison=1                                   | W0908 takes precedence
movable_node kernelcore=4G                                     | W0908 ignores it
rcupdate.rcu_normal=1 rcupdate.rcu_expedited=1                 | W0908 normal grace periods
kvm_intel.ept=N kvm_intel.unrestricted_guest=1                 | W0908 extended page tables
kvm_intel.ept=N kvm_intel.unrestricted_guest=0                 |
kvm_amd.sev=0 kvm_amd.sev_es=1                                 | W0908 a part of SEV
ipv6.disable=1 ipv6.disable_ipv6=1                             | W0908 no IPv6 at all
"""


@pytest.mark.parametrize("case", [line for line in CASES.split("\n") if line])
def test_what_becomes_of_a_text(case: str) -> None:
    text, _, said = (part.strip() for part in case.rpartition("|"))
    found = [
        f
        for f in audited(text.replace(";", "\n"), server="cpu skylake; os debian 12").findings
        if f.code not in HAZARDS
    ]
    expected = [one.strip().split(" ", 1) for one in said.split(";") if one.strip()]
    assert sorted(f.code for f in found) == sorted(code for code, _ in expected), [f.message for f in found]
    for code, words in expected:
        assert any(f.code == code and words in f.message for f in found), [f.message for f in found]


HAZARDS = {"W0401", "E0401", "W0905"}
"""What is said of values, whatever text states them."""

SAME = [
    ("default_hugepagesz=1GB", {"huge-page-size": "1g"}),
    ("default_hugepagesz=1048576K", {"huge-page-size": "1g"}),
    ("vm.swappiness = 0x0a", {"swappiness": "10"}),
    ("vm.swappiness = 012", {"swappiness": "10"}),  # a 0 before a number makes it octal
    ("kernel.numa_balancing = 0x0", {"numa-balancing": "off"}),
]


@pytest.mark.parametrize(("text", "expected"), SAME)
def test_other_ways_to_write_a_value(text: str, expected: dict[str, str]) -> None:
    assert values(audited(text)) == expected


def test_what_is_void_sets_nothing() -> None:
    """The server is Arm: no word of a driver of Intel, and the limit counts for nothing."""
    found = audited("processor.max_cstate=1 cpuidle.off=1", server="os ubuntu 24.04")
    assert codes(found) == ["W0908", "W0911"]
    assert values(found) == {}


@pytest.mark.parametrize(
    "word", ["rd.lvm.lv=a", "net.ifnames=0", "ds=nocloud", "inst.ks=http://a/b", "toram", "ignition.platform.id=metal", "rhgb", "modprobe.blacklist=a"]
)  # fmt: skip
def test_words_of_other_readers_are_no_unknown_arguments(word: str) -> None:
    assert codes(audited(word)) == []


def test_nothing_harmful_is_proposed() -> None:
    """The nearest names of these are arguments that make idle CPUs poll, or give up a protection."""
    for word in ("nohl", "nosmepp", "nokasl"):
        assert all("did you mean" not in " ".join(finding.help) for finding in audited(word).findings)


@given(st.sampled_from(sorted(texts().grammars)), st.text(max_size=12))
def test_any_text_is_judged(key: tuple[str, str], text: str) -> None:
    grammar = texts().grammars[key]
    canonical = grammar.canonical(text)
    if grammar.accepts(text):
        assert grammar.accepts(canonical)
    grammar.note(text)
    grammar.too_much(text)


def test_each_text_that_a_plan_writes_is_taken() -> None:
    """What the library spells is never refused."""
    for spellings in standard().spellings.values():
        for spelling in spellings:
            for name in spelling.names:
                grammar = texts().grammars.get((spelling.interface, name))
                for text in spelling.texts:
                    if grammar and text.text and "*" not in text.text:
                        assert grammar.accepts(text.text), (name, text.text)


def test_a_row_is_of_one_sysctl_and_its_default_is_taken() -> None:
    """The kernel itself refuses what some were before anybody wrote them: 0 bytes stand for the limit in percent, a
    lock is off until it is on, and a number of restarts is unlimited until it is limited."""
    rows = sysctls()[1]
    assert len({row.name for row in rows}) == len(rows)
    refused = {row.name for row in rows if row.takes and not all(map(_grammar_of(row).accepts, row.defaults))}
    assert refused == {
        "kernel.kexec_load_disabled",
        "kernel.kexec_load_limit_panic",
        "kernel.kexec_load_limit_reboot",
        "kernel.max_rcu_stall_to_panic",
        "kernel.modules_disabled",
        "vm.dirty_background_bytes",
        "vm.dirty_bytes",
    }


def _grammar_of(row: Sysctl) -> Grammar:
    grammar = texts().grammar("sysctl", row.name)
    assert grammar is not None
    return grammar
