"""What is found: a file, and the codes with the words that matter of each message."""

from __future__ import annotations

import pytest

from audit import DEBIAN, audited, codes, values
from setpoint.compiler.audit.goals import best
from setpoint.compiler.audit.summary import files_read
from setpoint.compiler.diagnostics import SetpointError

DEBIAN_13 = DEBIAN.replace("12", "13")

CPU = "/sys/devices/system/cpu"

CASES = """
isolcpu=2-7                              | E0902 `isolcpu` is misspelt
intel_pstate=pasive                      | E0902 `pasive` is misspelt
intel_idle.max_cstat=0                   | E0902 `intel_idle.max_cstat` is misspelt
nosmp                                    |
vfio-pci.disable_idle_d3=1               |
rd.lvm.lv=a rd.lvm.lv=b                  |
tsc=fast                                 | E0907 `tsc` does not take `fast`
clocksource=fast                         | W0903 `clocksource` has `fast`
isolcpus=2-x                             | E0907 refuses a list with other characters
rcu_nocbs=2-x                            | E0907 offloads all CPUs
hugepages=0:4,1:4                        |
nvme_core.io_timeout=4294967295          |
nvme_core.io_timeot=255                  | E0902 `nvme_core.io_timeot` is misspelt
cpuidle_haltpoll.force=Y                 |
rcutree.nohz_full_patience_delay=1000    | W0904 came after Linux 6.8
net.core.rps_sock_flow_entries = 32768   |
net.netfilter.nf_conntrack_max = 1048576 | W0908 the module nf_conntrack
sunrpc.tcp_slot_table_entries = 128      | W0908 the module sunrpc
rd.driver-pre=vfio-pci                   | W0904 its own has a dot
vm.user_reserve_kbytes = 131072          | W0908 only where vm.overcommit_memory is 2
vm.user_reserve_kbytes = 131072;vm.overcommit_memory = 2;vm.overcommit_ratio = 80 |
kthread_cpus=0                           | W0904 `kthread_cpus=0` has no effect here
$tuned_params                            | W0902 it is a variable
nohz_full=${isolated}                    | W0903 it has a variable
elevator=noop                            | W0904 the schedulers of multi-queue disks
kernel.sched_min_granularity_ns = 10000000 | W0904 Linux 5.13 has moved it to debugfs
kernel.sched_latency_ns = 24000000       | W0904 Linux 5.13 has moved it to debugfs
kernel.numa_balancing_scan_size_mb = 256 | W0904 below /sys/kernel/debug/sched
net.ipv4.tcp_tw_recycle = 1              | W0904 Linux removed it
net.ipv4.tcp_low_latency = 1             | W0904 it is a legacy option
net.ipv4.route.max_size = 1048576        | W0904 no cache of routes any more
net.ipv4.ipfrag_low_thresh = 1024        | W0904 it is obsolete
net.ipv4.udp_wmem_min = 8192             | W0904 no accounting of memory
kernel.auto_msgmni = 1                   | W0904 recomputed `kernel.msgmni`
smt=2                                    | W0904 x86 has `nosmt`
amd_pstate=passive                       | W0904 this server has no `amd-pstate`
skew_tick=1 skew_tick=1                  | W0905 it is there twice
default_hugepagesz=1G default_hugepagesz=1GB | W0905 it is there twice
nowatchdog nosoftlockup                  | W0905 `nowatchdog` switches both detectors off
skew_tick=1 skew_tick=0                  | E0906 one name has two texts
console=tty0 console=ttyS0               |
hugepagesz=1G hugepages=4 hugepagesz=2M hugepages=8 |
mitigations=off                          | E0401 leaves known vulnerabilities
nopti spectre_v2=off                     | W0907 stays open; W0907 Spectre variant 2
spec_rstack_overflow=off tsa=off         | W0907 stays open; W0907 transient scheduler attacks
kvm-intel.vmentry_l1d_flush=never        | W0907 memory of the host
kvm-intel.vmentry_l1d_flush=cond         |
i915.mitigations=off                     | W0907 graphics processors
iommu.strict=0                           | W0907 reduced device isolation
iommu.strict=1                           |
iomem=relaxed no_hash_pointers           | W0907 registers of devices; W0907 not to use it in production
hardened_usercopy=off init_on_alloc=0    | W0907 within one piece; W0907 what was in it before
rcu_nocb_poll                            | W0908 there are none
intel_idle.max_cstate=0 processor.max_cstate=1 |
processor.max_cstate=1                   | W0401 intel_idle is the driver in use
vm.swappiness = 60                       | W0905 it is the default
vm.swapiness = 10                        | E0902 `vm.swapiness` is misspelt
vm.swappiness = 300                      | E0907 `vm.swappiness` does not take `300`
net.ipv4.tcp_rmem = 4096 131072 16777216 |
net.ipv4.tcp_rmem = 4096 87380 16777216  | W0919 a sender may begin with 64 KiB
kernel.randomize_va_space = 0            | W0907 no longer randomized
vm.dirty_ratio=10;vm.dirty_bytes=1000000 | E0301 contradict each other
"""


@pytest.mark.parametrize("case", [line for line in CASES.split("\n") if line])
def test_what_is_found(case: str) -> None:
    text, _, said = (part.strip() for part in case.partition("|"))
    found = audited(text.replace(";", "\n"))
    expected = [one.strip().split(" ", 1) for one in said.split(";") if one.strip()]
    assert codes(found) == [code for code, _ in expected], [f.message for f in found.findings]
    for finding, (_, words) in zip(found.findings, expected, strict=True):
        assert words in finding.message


def test_a_text_may_end_in_anything_that_its_name_is_known_to_have() -> None:
    assert codes(audited("nvme_io_timeout=1 rd.lvm.lv=vg/root systemd.unit=rescue.target")) == ["W0918"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("energy_perf_bias=performance", "W0918"),  # a file of /sys, and no word of a boot line
        ("nohalt", "W0904"),  # of another architecture
        ("nosmap", "W0904"),  # of earlier kernels
        ("acpi_force_table_verification mtrr_spare_reg_nr=1", ""),
        ("fastboot", ""),  # systemd-fsck reads it
    ],
)
def test_a_word_that_no_kernel_reads(line: str, code: str) -> None:
    assert codes(audited(f"quiet {line}")) == ([code] if code else [])


def test_of_names_that_nobody_has_listed_nothing_is_said_but_their_number() -> None:
    """Parameters of modules, files of /sys, sysctls of protocols and devices: any kernel can have more of them."""
    found = audited("driver_of_a_maker.some=1 i915.enable_guc=3 another.some=1 quiet")
    assert codes(found) == []
    assert "2 names not checked" in files_read(found)
    found = audited("user.lab = 1\nnet.netfilter.lab = 1\ndev.lab.depth = 1\nkernel.lab.depth = 1\n")
    assert codes(found) == []
    assert "4 names not checked" in files_read(found)


@pytest.mark.parametrize(
    ("text", "server", "expected"),
    [
        # the kernel reads as many numbers as it takes, and no comment behind them
        ("net.core.rmem_max = 268435456  # 256 MB\n", DEBIAN, []),
        ("net.ipv4.tcp_congestion_control = bbr # new\n", DEBIAN, ["E0907"]),
        # what stands in quotes has them as well
        ('kernel.core_pattern = "/var/crash/core.%p"\n', DEBIAN, ["W0911"]),
        # a routing daemon sets it by its socket
        ("net.ipv4.conf.all.mc_forwarding = 0\n", DEBIAN, ["W0904"]),
        ("net.ipv4.tcp_ecn = 1\nnet.ipv4.tcp_ecn = 2\n", DEBIAN, ["E0906"]),
        ("kernel.randomize_va_space = 1\n", DEBIAN, ["W0907"]),
        ("kernel.unprivileged_userns_clone = 0\n", "os modern-linux", []),
        ("kernel.unprivileged_userns_clone = 0\n", "os rhel 9", ["W0904"]),
        ("net.ipv4.tcp_tw_recycle = 1\n", "os rhel 7", ["W0911"]),
        ("fs.file-max = 98000\nvm.dirty_expire_centisecs = 100\n", "os rhel 7", ["W0919"]),
        ("net.ipv4.tcp_mem = 67108864 67108864 67108864\n", DEBIAN, ["W0911"]),
        # words of a hypervisor are none of Linux
        ('GRUB_CMDLINE_LINUX="quiet"\nGRUB_CMDLINE_XEN_DEFAULT="dom0_mem=2G"\n', DEBIAN, []),
        ('GRUB_CMDLINE_LINUX="quiet \\\naudit=0 \\\n"\nGRUB_TIMEOUT=5\n', DEBIAN, ["W0907"]),
        # an option of another plugin is not misspelt
        ("[disk]\nalpm=max_performance\n", DEBIAN, ["W0904"]),
        ('[irqbalance]\nbanned_cpus=""\n', DEBIAN, []),
    ],
)
def test_what_is_known_to_be_wrong_is_said(text: str, server: str, expected: list[str]) -> None:
    found = audited(text, server=server)
    assert codes(found) == expected, [finding.message for finding in found.findings]


TUNED_CASES = """
[main];include=latency-performanc            | E0902 `latency-performanc` is misspelt
[main];include=lab-base                      | W0903 `[main] include` has `lab-base`
[vm];uname_regex=x86;transparent_hugepages=never | W0903 for some servers or devices only
[disk];devices=sda;elevator=none;[disk];elevator=bfq | W0903 for some servers; W0903 for some servers
[sysctl];vm.swappiness=60                    | W0905 it is the default
[main];include=latency-performance;[sysctl];vm.swappiness=60 |
[sysctl];net.ipv4.route.flush=1              | W0904 tuned sets nothing of which it cannot read
"""


@pytest.mark.parametrize("case", [line for line in TUNED_CASES.split("\n") if line])
def test_what_is_found_in_a_profile(case: str) -> None:
    text, _, said = (part.strip() for part in case.partition("|"))
    found = audited(text.replace(";", "\n"))
    expected = [one.strip().split(" ", 1) for one in said.split(";") if one.strip()]
    assert codes(found) == [code for code, _ in expected], [f.message for f in found.findings]
    for finding, (_, words) in zip(found.findings, expected, strict=True):
        assert words in finding.message


LATER_CASES = """
[cpu];boost=1                                |
[acpi];platform_profile=performance          |
[video];panel_power_savings=0                |
[vm];dirty_bytes=10%                         |
[vm];dirty_background_bytes=3%               |
[vm];dirty_ratio=10;dirty_bytes=1000000      | E0301 contradict each other
[vm];dirty_bite=1                            | W0904 the plugin has no such option
"""


@pytest.mark.parametrize("case", [line for line in LATER_CASES.split("\n") if line])
def test_options_of_later_releases_of_tuned(case: str) -> None:
    """Debian 13 has 2.25; the 2.20 of Debian 12 warns of options that it does not have."""
    text, _, said = (part.strip() for part in case.partition("|"))
    profile = text.replace(";", "\n")
    found = audited(profile, server=DEBIAN_13)
    assert codes(found) == [one.strip().split(" ", 1)[0] for one in said.split(";") if one.strip()]
    if not said:
        before = audited(profile)
        assert codes(before) == ["W0904"]
        assert "does not have the option" in before.findings[0].message
        assert not values(before)


def test_limits_of_dirty_memory_and_of_the_uncore_in_a_profile() -> None:
    profile = """
[vm]
dirty_bytes=67108864
dirty_background_ratio=3
[uncore]
max_freq_khz=2400000
min_freq_khz=90%
"""
    assert values(audited(profile, server=DEBIAN_13)) == {
        "dirty-bytes": "67108864",
        "dirty-background-ratio": "3",
        "uncore-maximum-frequency": "2400MHz",
    }
    bytes_alone = "[vm]\ndirty_background_bytes=1000000\ndirty_ratio=20\n[uncore]\nmin_freq_khz=1200000\n"
    assert values(audited(bytes_alone, server=DEBIAN_13)) == {
        "dirty-background-bytes": "1000000",
        "dirty-ratio": "20",
        "uncore-minimum-frequency": "1200MHz",
    }


def test_the_delay_of_rcu_is_known_from_6_12_on() -> None:
    assert codes(audited("rcutree.nohz_full_patience_delay=1000", server=DEBIAN_13)) == []


def test_a_conflict_does_not_hide_other_findings() -> None:
    found = audited("vm.dirty_ratio = 10\nvm.dirty_bytes = 1000000\n", "audit=0 mitigations=off")
    assert codes(found) == ["E0301", "W0907", "E0401"]
    (conflict,) = (f for f in found.findings if f.code == "E0301")
    assert conflict.fixes == ()  # they are those of a policy


@pytest.mark.parametrize(
    ("text", "code", "helped"),
    [
        ('{"ProcCStates": "Disabld"}', "E0902", "did you mean `Disabled`?"),
        ('{"ProcCState": "Disabled"}', "E0902", "did you mean `ProcCStates`?"),
        ("C States: Sometimes", "W0903", "known: `Enabled`, `Disabled`"),
        (
            "DCU IP Prefetcher: Enabled\nFan Speed: High",
            "W0902",
            "the knowledge base has the attributes that are for tuning",
        ),
    ],
)
def test_what_is_found_in_firmware(text: str, code: str, helped: str) -> None:
    (finding,) = audited(text).findings
    assert (finding.code, finding.help) == (code, (helped,))


@pytest.mark.parametrize(
    ("os", "code"),
    [
        ("rhel 8", "W0904"),
        ("sles 15.2", "W0904"),
        ("ubuntu 20.04", "W0904"),
        ("debian 13", "W0904"),
        ("sles 12", ""),  # other systems have it, and no source says whether this one has
    ],
)
def test_the_scheduler_of_all_disks_ends_with_the_disks_of_one_queue(os: str, code: str) -> None:
    found = audited("elevator=noop", server=f"cpu skylake; os {os}")
    assert codes(found) == [code] * bool(code)


@pytest.mark.parametrize(
    ("vectors", "code"),
    [("auto,no_user_kernel,no_user_user", "E0401"), ("auto,no_user_kernel", "W0903"), ("auto", "")],
)
def test_attack_vectors_are_read_where_the_kernel_has_them(vectors: str, code: str) -> None:
    found = audited(f"mitigations={vectors}", server="cpu ice-lake; os ubuntu 26.04")
    assert codes(found) == [code] * bool(code)


def test_a_sysctl_of_several_numbers_that_is_no_setting_is_known() -> None:
    assert audited("kernel.sem = 500 1024000000 500 32000").findings == ()


def test_a_sysctl_of_several_numbers_is_a_setting_with_the_kernels_own_others() -> None:
    assert values(audited("net.ipv4.tcp_wmem = 4096 16384 16777216")) == {
        "tcp-send-buffer-maximum": "16777216"
    }
    other = audited("net.ipv4.tcp_wmem = 4096 65536 16777216")
    assert (codes(other), values(other)) == ([], {})


WITHOUT_CUSTOM = [
    # SysProfile, WorkloadProfile, whether the second is asked for in vain
    ("PerfOptimized", "VtOptimizedProfile", True),
    ("PerfOptimized", "NotConfigured", False),
    ("Custom", "VtOptimizedProfile", False),
]


@pytest.mark.parametrize(("profile", "workload", "in_vain"), WITHOUT_CUSTOM)
def test_a_workload_profile_needs_the_custom_profile_on_the_17th_generation(
    profile: str, workload: str, in_vain: bool
) -> None:
    """Dell's answer in issue 1072: locked elsewhere, and the service reports no error."""
    text = f'{{"SysProfile": "{profile}", "WorkloadProfile": "{workload}"}}'
    found = audited(text, server="platform r470")
    assert codes(found) == (["W0908"] if in_vain else [])
    assert all(finding.help == ("add `SysProfile=Custom`, or leave it out",) for finding in found.findings)


def test_many_unknown_names_are_one_finding() -> None:
    (finding,) = audited(" ".join(f"lab_option{number}=1" for number in range(20))).findings
    assert (finding.code, finding.message) == (
        "W0902",
        "20 names were not checked: each is unknown as a kernel argument",
    )
    assert finding.notes[0].endswith("`lab_option11` and 8 more")


def test_files_contradict_each_other() -> None:
    found = audited("nmi_watchdog=0", "kernel.nmi_watchdog = 1")
    assert codes(found) == ["E0906"]
    assert [found.findings[0].at.file, found.findings[0].others[0].span.file] == ["b", "a"]
    assert codes(audited("nmi_watchdog=0", "kernel.nmi_watchdog = 0")) == []


def test_a_hazard_between_firmware_and_kernel_is_found_at_its_entries() -> None:
    found = audited(
        '{"ProcCStates": "Disabled", "SysProfile": "Custom"}',
        "intel_idle.max_cstate=9",
        server="cpu skylake; platform r740; os rhel 7",
    )
    assert "E0401" in codes(found)
    (hazard,) = (f for f in found.findings if f.code == "E0401")
    assert (hazard.at.file, hazard.subject) == ("a", "intel-idle-overrides-firmware")


def test_hazards_of_the_server_as_it_is_are_not_those_of_the_file() -> None:
    """Under goal latency the firmware's own defaults are hazardous; a boot line without any of them is not to blame."""
    assert (
        codes(audited("skew_tick=1", server="goal latency; cpu skylake; platform r740; os debian 12")) == []
    )


def test_a_waiver_is_heeded() -> None:
    waived = 'cpu skylake; os debian 12; accept mitigations-off because "trusted programs only, SEC-7";'
    assert codes(audited("mitigations=off", server=waived)) == []


def test_with_a_goal_values_are_compared_with_what_is_recommended() -> None:
    found = audited("vm.swappiness = 90", server="goal latency; cpu skylake; os debian 12")
    (finding,) = found.findings
    assert (finding.code, finding.notes) == (
        "W0909",
        ("source: tuned-profiles, latency-performance, [sysctl] vm.swappiness (vendor)",),
    )


def test_the_goal_that_is_served_best() -> None:
    found = audited(
        "[cpu]\ngovernor=performance\nforce_latency=cstate.id_no_zero:1|3\n[sysctl]\nvm.dirty_ratio=10"
    )
    (served,) = best(found.fits)
    assert served.intent == "goal latency"
    assert {d.setting for d in served.missing} >= {"busy-poll", "swappiness", "transparent-hugepages"}
    assert best(audited("quiet ro").fits) == ()


def test_a_setting_that_only_other_systems_have_is_not_read() -> None:
    found = audited("kernel.sched_autogroup_enabled = 0", server="cpu skylake; os rhel 6.4")
    assert (codes(found), values(found), len(found.unlisted)) == ([], {}, 1)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("net.ipv4.tcp_nodelay = 1", "W0918"),  # an option of sockets, and of no kernel
        ("net.ipv4.icmp_ratelimit_burst = 100", "W0918"),
        ("net.ipv4.tcp_comp_sack_rtt_percent = 33", "W0904"),  # a later kernel has it
        ("net.ipv4.tcp_thin_dupack = 1", "W0904"),  # an earlier one
        ("vm.anon_min_ratio = 1", "W0902"),  # one with patches
        ("vm.lab = 1", "W0918"),  # the kernel's own folders are known as a whole
        ("net.ipv4.conf.eth0.lab = 1", "W0918"),  # and so are those of network interfaces
        ("net.ipv4.conf.all.rp_filer = 1", "E0902"),
        ("net.ipv4.tcp_sak = 0", "E0902"),  # a slip comes first
        ("net.mptcp.tcp_nodelay = 1", ""),  # nobody has a list of these
        ("xserver-allow-tcp = false", "W0918"),  # each sysctl is in a folder
        ("kptr_restrict = 0", "E0902"),  # its folder is lost
        ("et.ipv4.conf.all.accept_redirects = 0", "E0902"),  # and so is a letter of this one
        ("net.ipv4.tcp_congestion_control = tsunami", ""),  # modules bring others
        ("fs.protected_symlinks = 0", "W0907"),
    ],
)
def test_a_name_that_no_kernel_has(line: str, code: str) -> None:
    assert codes(audited(line, form="sysctl")) == ([code] if code else [])


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("vm.numa_balancing", "kernel.numa_balancing"),
        ("net.ipv4.conf.all.app_solicit", "net.ipv4.neigh.default.app_solicit"),
        ("net.ipv4.conf.eth0.gc_stale_time", "net.ipv4.neigh.eth0.gc_stale_time"),
        ("net.ipv4.conf.eth0.disable_ipv6", "net.ipv6.conf.eth0.disable_ipv6"),
        ("syskernel.core_pattern", "kernel.core_pattern"),
    ],
)
def test_the_sysctl_that_is_meant_by_one_in_a_wrong_folder_is_named(name: str, meant: str) -> None:
    findings = audited(f"{name} = 1", form="sysctl").findings
    assert [(finding.code, finding.help) for finding in findings] == [
        ("W0918", (f"did you mean `{meant}`?",))
    ]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("cpu0/cpufreq/scaling_governo", "E0902"),  # a slip of what all CPUs have
        ("cpu*/cpufreq/scaling_governer", "E0902"),
        ("cpu0/cpufreq/energy_performance_bias", "W0918"),
        ("cpu0/cpuidle/state3/disabled", "W0918"),
        ("cpu0/cpuidle/state3/disable", ""),
        ("cpufreq/policy0/scaling_max_freq", ""),
        ("smt/state", "W0918"),
    ],
)
def test_files_that_no_processor_has_in_sys(path: str, code: str) -> None:
    found = audited(f"echo 1 | tee {CPU}/{path}\n", form="script", server="os debian 12").findings
    said = [finding.code for finding in found if finding.code in ("E0902", "W0918")]
    assert said == ([code] if code else [])


def test_a_sysctl_without_its_folder_is_misspelt() -> None:
    found = audited("vm.swappiness = 10\nched_migration_cost_ns = 5000000", form="sysctl").findings
    assert [(f.code, f.at.line, f.help) for f in found] == [
        ("E0902", 2, ("did you mean `kernel.sched_migration_cost_ns`?",))
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Fan = 50%\nColour = blue\n", "W0913"),
        ("|Name|Value|\n|---|---|\n|Power Cap|250W|\n|Fan|50%|\n", "W0902"),  # what menus say
    ],
)
def test_a_list_without_a_known_name_is_refused(text: str, code: str) -> None:
    with pytest.raises(SetpointError) as refused:
        audited(text)
    assert [each.code for each in refused.value.diagnostics] == ["E0908"]
    assert codes(audited(text, form="bios")) == [code] * 2


def test_a_table_among_the_lines_of_a_page() -> None:
    """Of a page with styles and a head, the rows are settings: by what a menu calls them, which is no slip."""
    style = "".join(
        f"    {name}: {value};\n" for name in ("padding", "border", "margin") for value in "123456789"
    )
    rows = "|Secure Boot|Enabled|\n|C States|Disabled|\n|Logical Processor|Disabled|\n"
    page = f"---\ntitle: Nodes\n---\n<style>\n  td {{\n{style}  }}\n</style>\n\n|Option|Value|\n|---|---|\n{rows}"
    found = audited(page, server="vendor dell")
    (file,) = found.files
    assert [entry.name for entry in file.entries] == ["Secure Boot", "C States", "Logical Processor"]
    assert "E0902" not in codes(found)


@pytest.mark.parametrize(
    "line", ["echo deadline > /sys/block/sda/queue/scheduler", "[disk]\nelevator=deadline"]
)
def test_another_name_of_a_scheduler(line: str) -> None:
    assert codes(audited(line, server="os debian 12")) == []


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("vm.dirty_ratio=3", "W0904"),  # the kernel has no module `vm`
        ("sysctl.vm.dirty_ratio=3", ""),
        ("net.ifnames=0", ""),  # systemd reads it
        ("driver_of_a_maker.dirty_ratio=3", ""),  # a module may have it
        ("no_stf_barrier", "W0904"),  # of another architecture
        ("sysrq_always_enabled=244", "W0911"),
        ("sysrq_always_enabled=1", ""),
        ("fips=1", ""),
        ("iommu=pt iommu=soft", ""),  # each adds to the others
        ("acpi_osi='Windows 2012'", ""),  # one word, as the boot loader hands it on
    ],
)
def test_words_of_a_boot_line_that_others_read(word: str, code: str) -> None:
    assert codes(audited(f"quiet {word}", form="arguments")) == ([code] if code else [])


def test_items_of_a_list_are_sysctls() -> None:
    text = 'sysctls:\n  - net.ipv4.tcp_sak=0\n  - "vm.swappiness=10"\nkargs:\n  - net.ifnames=0\n'
    found = audited(text)
    assert [(f.code, f.at.line) for f in found.findings] == [("E0902", 2)]
    assert [entry.written for entry in found.files[0].entries] == [
        "net.ipv4.tcp_sak = 0",
        "vm.swappiness = 10",
        "net.ifnames=0",
    ]
