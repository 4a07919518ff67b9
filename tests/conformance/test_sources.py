"""The title pages: who wrote what, when, for whom, and where it can be read.

Of the papers, as printed; of kernel files, manuals and solutions, as their own heads have them.
"""

import pytest

from setpoint.compiler.knowledge.model import Knowledge, Source

TITLES = """
centos-stream-9-mr-3972         | arch/x86: mark x86_64-v1 and x86_64-v2 processors as deprecated                                    | Prarit Bhargava                | Red Hat                     |            |                   | https://gitlab.com/redhat/centos-stream/src/kernel/centos-stream-9/-/merge_requests/3972
cern-nehalem                    | Evaluation of energy consumption and performance of Intel's Nehalem architecture                   | Axel Busch, Julien Leduc       | CERN openlab                | 2009-10-29 |                   |
cpuspeed                        | /etc/sysconfig/cpuspeed, as the cpuspeed package ships it                                          |                                | Red Hat                     |            |                   |
dell-11g-hpc                    | Optimal BIOS Settings for High Performance Computing with PowerEdge 11G Servers                    | Jacob Liberman, Garima Kochhar | Dell                        | 2010-08-23 | dell-11g-hpc-2009 |
dell-11g-hpc-2009               | Optimal BIOS Settings for HPC Workloads on PowerEdge 11G Servers (first edition, in Japanese)      | Jacob Liberman, Garima Kochhar | Dell                        | 2009-07-13 |                   |
dell-12g-tuning                 | BIOS Performance and Power Tuning Guidelines for Dell PowerEdge 12th Generation Servers            | John Beckett                   | Dell                        | 2012-12-01 |                   |
dell-14g-hpc                    | BIOS options on PowerEdge 14G servers with Intel Xeon Scalable (Skylake) for HPC                   | Ashish Kumar Singh             | Dell EMC HPC Innovation Lab | 2017-08-01 |                   |
dell-bios-registries            | BIOS attribute registries of PowerEdge R710, R720, R630, R740 and R750                             |                                | Dell                        |            |                   |
ibm-h207000                     | Linux Ignores C-State Settings in Unified Extensible Firmware Interface (UEFI)                     |                                | IBM                         |            |                   | http://www-947.ibm.com/support/entry/portal/docdisplay?lndocid=MIGR-5091901
linux-cpufreq                   | drivers/cpufreq/Kconfig: the default governor                                                      |                                | The Linux kernel            |            |                   |
linux-cpuidle                   | CPU Idle Time Management                                                                           | Rafael J. Wysocki              | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/pm/cpuidle.html
linux-cpusets                   | Control groups, version 2: the cpuset controller                                                   |                                | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/cgroup-v2.html
linux-intel-epb                 | Intel Performance and Energy Bias Hint (admin-guide/pm/intel_epb)                                  | Rafael J. Wysocki              | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/pm/intel_epb.html
linux-intel-idle                | intel_idle: drivers/idle/intel_idle.c, and its page in the admin guide (admin-guide/pm/intel_idle) | Len Brown, Rafael J. Wysocki   | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/pm/intel_idle.html
linux-kernel-parameters         | The kernel's command-line parameters                                                               |                                | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/kernel-parameters.html
linux-sysctl                    | Documentation for /proc/sys (admin-guide/sysctl: kernel, vm, net)                                  |                                | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/sysctl/index.html
linux-thp                       | mm/Kconfig: Transparent Hugepage Support sysfs defaults                                            |                                | The Linux kernel            |            |                   |
linux-tick-skew                 | tick: Add tick skew boot option                                                                    | Mike Galbraith                 | The Linux kernel            |            |                   |
linux-x86-process               | arch/x86/kernel/process.c: the idle routine of x86                                                 |                                | The Linux kernel            |            |                   |
microsoft-hardware-support-2016 | Clarifying our hardware platform support                                                           |                                | Microsoft                   | 2016-02-19 |                   | https://cloudblogs.microsoft.com/windowsserver/2016/02/19/clarifying-our-hardware-platform-support/
redhat-202743                   | What are CPU C-states and how to disable them if needed?                                           |                                | Red Hat                     |            |                   | https://access.redhat.com/solutions/202743
redhat-46111                    | How to use, monitor, and disable transparent hugepages in Red Hat Enterprise Linux 6?              |                                | Red Hat                     |            |                   | https://access.redhat.com/solutions/46111
redhat-60365                    | RHEL 6.1/6.2 System Experiencing Short, Recoverable Hangs                                          |                                | Red Hat                     |            |                   | https://access.redhat.com/solutions/60365
redhat-el10-c-states            | Network troubleshooting and performance tuning, Enterprise Linux 10: improving the network latency |                                | Red Hat                     |            |                   | https://docs.redhat.com/en/documentation/red_hat_enterprise_linux/10
redhat-el6-retirement           | Red Hat Enterprise Linux 6 retirement notice                                                       |                                | Red Hat                     |            |                   |
redhat-el7-tuning               | Red Hat Enterprise Linux 7 Performance Tuning Guide                                                |                                | Red Hat                     |            |                   |
redhat-life-cycle               | Red Hat Enterprise Linux Life Cycle                                                                |                                | Red Hat                     |            |                   | https://access.redhat.com/support/policy/updates/errata
tuned-el6                       | tuned 0.2: the shipped profiles (tune-profiles/NAME/)                                              |                                | Red Hat                     |            |                   | https://github.com/redhat-performance/tuned
tuned-profiles                  | TuneD: the shipped profiles (profiles/NAME/tuned.conf)                                             |                                | Red Hat                     |            |                   | https://github.com/redhat-performance/tuned
ubuntu-thp                      | Set CONFIG_TRANSPARENT_HUGEPAGE_MADVISE                                                            | Colin Ian King                 | Ubuntu kernel team          | 2017-11-23 |                   | https://patchwork.ozlabs.org/project/ubuntu-kernel/patch/20171123143004.26043-1-colin.king@canonical.com/
"""

SCOPES = """
cern-nehalem      | cpu core-i7-965 or irwindale or nehalem, workload hep | Sections 3.1 and 5.6: the systems; chapter 1: physics
dell-11g-hpc      | workload hpc or interactive or latency-bound          | Executive Summary: HPC clusters; business loads may differ
dell-11g-hpc-2009 | workload hpc or interactive or latency-bound          | the same words
dell-12g-tuning   | cpu sandy-bridge, workload not hpc                    | Test methodology: E5-2600; Introduction: general enterprise servers, not HPC
dell-14g-hpc      | cpu skylake, workload hpc                             | the title
"""


def rows(table: str) -> dict[str, list[str]]:
    """The lines of a table in cells, by the first."""
    lines = [[cell.strip() for cell in line.split(" |")] for line in table.strip().splitlines()]
    return {name: others for name, *others in lines}


def title_page(source: Source) -> list[str]:
    """A source as the table has it."""
    return [source.title, source.author, source.publisher, source.date, source.supersedes, source.url]


@pytest.mark.parametrize("source", rows(TITLES))
def test_title_pages(source: str, knowledge: Knowledge) -> None:
    assert title_page(knowledge.sources[source]) == rows(TITLES)[source]


def test_scopes(knowledge: Knowledge) -> None:
    expected = {name: scope for name, (scope, _) in rows(SCOPES).items()}
    assert {name: knowledge.box_text(knowledge.sources[name].scope) for name in expected} == expected


def test_the_others_say_nothing_of_a_scope(knowledge: Knowledge) -> None:
    assert not any(knowledge.sources[name].scope for name in rows(TITLES).keys() - rows(SCOPES).keys())
