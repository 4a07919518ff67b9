"""The published guide for Intel's FlexRAN on a PowerEdge XR11, checked: its defects, typed from the documents that they
contradict.

The boot line, the profile and the table of the BIOS are those of SUSE's guide
(suse-edge.github.io, blog/2023-07-28-flexran.md, as of commit 2ca8e31).
"""

from __future__ import annotations

from functools import cache

import pytest

from audit import audited, codes, values
from setpoint.compiler.audit.check import Audit
from setpoint.compiler.audit.goals import best

BOOT_LINE = (
    'GRUB_CMDLINE_LINUX="intel_iommu=on intel_pstate=passive processor.max_cstate=1 intel_idle.max_cstate=0 iommu=pt '
    "usbcore.autosuspend=-1 selinux=0 enforcing=0 nmi_watchdog=0 crashkernel=auto softlockup_panic=0 audit=0 mce=off "
    "hugepagesz=1G hugepages=40 hugepagesz=2M hugepages=0 default_hugepagesz=1G kthread_cpus=0,31,32,63 "
    "irqaffinity=0,31,32,63 isolcpu=1-30,33-62 skew_tick=1 nohz_full=1-30,33-62 rcu_nocbs=1-30,33-62 "
    'rcu_nocb_poll"\n'
)
PROFILE = "[main]\ninclude=cpu-partitioning\n"
MENU = """
| Option                                         | Value            |
|------------------------------------------------|------------------|
| Workload Profile                               | Telco Optimized  |
| Boot Performance Mode                          | Max. Performance |
| Hyper- Threading (Logical Proccesor)           | Enable           |
| Virtualization Technology (XAPIC)              | Enable           |
| uncore frequency scaling                       | Disable          |
| CPU C-State Control                            | Disable          |
| CPU C1E Support                                | Disable          |
| Energy Efficient Turbo                         | Disable          |
| Turbo Mode                                     | Enable           |
| LLC prefetch                                   | Enable           |
| Hardware P-States                              | Native with no Legacy Support |
| Power Performance Tuning                       | OS Controls EPB  |
"""
SERVER = "cpu xeon-gold-6338n; platform xr11; os modern-linux"

DEFECTS = """
crashkernel=auto                   | W0904 | no memory is reserved for a crash         | Linux 4.4 to 6.12, kernel/crash_core.c; EL 7.9 and 8.3 have it
kthread_cpus=0,31,32,63            | W0904 | only real-time kernels of some vendors     | Linux 6.12, no `__setup` of that name in 5.10 to 7.3; Real-time Ubuntu, kernel boot parameters: kthread_cpus
isolcpu=1-30,33-62                 | E0902 | did you mean `isolcpus`?                  | linux-kernel-parameters, isolcpus=
include=cpu-partitioning           | E0906 | contradicts `intel_pstate=passive`        | tuned-releases, profiles/cpu-partitioning/tuned.conf
Hardware P-States = Native with no Legacy Support | W0401 | cannot be used along with hardware P-states | linux-kernel-parameters, intel_pstate=
mce=off                            | W0401 | no longer reports memory errors           | linux-x86-boot-options, Machine check
nohz_full=1-30,33-62               | W0401 | the scheduler still balances others       | linux-cpu-isolation, nohz_full
Hyper- Threading (Logical Proccesor) = Enable | W0401 | the sibling of an isolated CPU shares its core | linux-cpu-isolation, SMT
uncore frequency scaling = Disable | W0908 | the default of `system-profile` locks them | dell-bios-registries, R750 registry, UncoreFrequency
rcu_nocbs=1-30,33-62               | W0905 | offloaded anyway                          | linux-kernel-parameters, nohz_full=
selinux=0                          | W0907 | SELinux is disabled                       | linux-kernel-parameters, selinux=
enforcing=0                        | W0907 | permissive mode                           | linux-kernel-parameters, enforcing=
audit=0                            | W0907 | nothing is recorded                       | linux-kernel-parameters, audit=
"""
"""What is wrong: the entry, the code, words of the message or its help, and the source with the place in it.

The kernel's parameters of 6.1 say: the argument is `isolcpus=`; passive mode
`cannot be used along with the hardware-managed P-states (HWP) feature`; CPUs of `nohz_full=` have their callbacks
offloaded `just as if they had also been called out in the rcu_nocbs= boot parameter`; `audit=0` is `disabled and can
not be enabled until the next reboot`. tuned's cpu-partitioning has `intel_pstate=disable`.
"""


@cache
def guide() -> Audit:
    return audited(BOOT_LINE, PROFILE, MENU, server=SERVER)


@pytest.mark.parametrize("line", [line for line in DEFECTS.split("\n") if line])
def test_a_defect_is_found_with_its_source(line: str) -> None:
    written, code, said, source = (cell.strip() for cell in line.split("|"))
    spans = {entry.span for file in guide().files for entry in file.entries if entry.written == written}
    here = [f for f in guide().findings if f.at in spans and f.code == code]
    texts = [" ".join((f.message, *f.help)) for f in here if f"source: {source}" in f.notes]
    assert any(said in text for text in texts), [(f.message, f.notes, f.help) for f in here]


def test_there_are_no_other_findings_with_a_source() -> None:
    cited = [f for f in guide().findings if any(note.startswith("source: ") for note in f.notes)]
    assert len(cited) == DEFECTS.count("\n") - 1, [f.message for f in cited]


def test_what_the_knowledge_base_does_not_have_is_said() -> None:
    unknown = [f.message for f in guide().findings if f.code == "W0902"]
    assert [message.split("`")[1] for message in unknown] == [
        "Workload Profile",
        "Boot Performance Mode",
    ]


def test_the_guide_is_read_as_it_is_meant() -> None:
    assert [file.form for file in guide().files] == ["arguments", "tuned", "bios"]
    firmware = {
        "smt": "on",
        "c-states": "off",
        "c1e": "off",
        "turbo": "on",
        "hardware-p-states": "native-only",
    }
    boot = {
        "intel-idle": "off",
        "tickless-cpus": "1-30,33-62",
        "huge-page-size": "1g",
        "intel-pstate": "passive",
    }
    assert values(guide()).items() >= (firmware | boot).items()
    # The number of pages is that of each size before it, so it is not that of the default size; and the misspelt list
    # isolates nothing.
    assert not {"huge-pages-at-boot", "isolated-cpus"} & set(values(guide()))


def test_it_serves_latency_best_and_what_is_missing_is_listed() -> None:
    (served,) = best(guide().fits)
    assert served.intent == "goal latency"
    assert {"cpu-power-management", "energy-performance-bias"} <= {d.setting for d in served.missing}
    assert "smt" in {one.setting for one, _ in served.differs}


MENDED = (
    "intel_iommu=on iommu=pt intel_pstate=active processor.max_cstate=1 intel_idle.max_cstate=0 default_hugepagesz=1G "
    "hugepagesz=1G hugepages=40 hugepagesz=2M hugepages=0 nosmt irqaffinity=0 isolcpus=managed_irq,domain,1-31 nohz_full=1-31 "
    "skew_tick=1 console=tty0 console=ttyS0,115200 root=/dev/sda2 ro quiet"
)
BANNED = "[main]\nsummary=Isolated CPUs\n\n[irqbalance]\nbanned_cpus=1-31\n"


def test_the_guide_without_its_defects_has_no_findings() -> None:
    mended = audited(MENDED, BANNED, server=SERVER)
    assert codes(mended) == [], [f.message for f in mended.findings]
    assert values(mended)["isolated-cpus"] == "1-31"
