"""The operating systems: what each lies within, and the servers on which its maker supports it.

Compared with public pages, or with what others quote of them:

* Enterprise Linux 5 took new hardware until the end of Production 2, Q1 2014 (Red Hat's life cycle, as quoted; that
  this phase still adds hardware is in a report of January 2012). The 13th generation came in 2014, the 14th in 2017,
  the 15th in 2021 (the catalogue of servers); that it was not early in 2014 is from memory.
* Enterprise Linux 6 was retired on 2020-11-30 (the notice itself); Ice Lake-SP was for sale from 2021-04-06 (a vendor's
  page).
* Enterprise Linux 10 is built for x86-64-v3 (the check of its upgrade tool), which came with Haswell in 2013. The title
  of the merge request is that of the change in Red Hat's kernel; its number and its author were not found again.
* Windows Server: new systems are certified until extended support begins (Microsoft's post of 2016-02-19). For 2012 the
  post says 2018-01-10, for 2008 R2 the lifecycle page says 2015-01-13.
* Most modern operating systems know NUMA (12G paper, Node Interleaving); that each of these does is concluded from it.
* Scientific Linux CERN 5 is based on Enterprise Linux 5 (CERN paper, Section 3.2). Which releases are kernels from
  4.12, 5.3 or 5.6 on follows from their kernels, which `test_numbers.py` has. SAP's check of SLES has 4.12.14 for 12.4,
  12.5, 15.0 and 15.1, and 5.3.18 for 15.2 and 15.3; Canonical's table has 5.4 (GA) and 5.15 (HWE) for Ubuntu 20.04.

Titles are the makers' names. That an operating system without such a line runs on every server is an assumption.
"""

import pytest

from conformance.printed import rows
from setpoint.compiler.knowledge.model import Knowledge
from support.ask import outcome

SYSTEMS = """
debian-11              | Debian 11                       | modern-linux |                                                                           |
debian-12              | Debian 12                       | modern-linux |                                                                           |
debian-13              | Debian 13                       | modern-linux |                                                                           |
linux                  | Linux                           |              | numa aware                                                                | dell-12g-tuning, Node Interleaving
linux-4.12             | Linux with kernel 4.12 or later | linux        |                                                                           |
linux-5.3              | Linux with kernel 5.3 or later  | linux-4.12   |                                                                           |
modern-linux           | Linux with kernel 5.6 or later  | linux-5.3    |                                                                           |
rhel-10                | Red Hat Enterprise Linux 10     | modern-linux | platform not poweredge-11g or poweredge-12g                               | centos-stream-9-mr-3972, description
rhel-5                 | Red Hat Enterprise Linux 5      | linux        | platform poweredge-11g or poweredge-12g                                   | redhat-life-cycle, Production 2
rhel-6                 | Red Hat Enterprise Linux 6      | linux        | platform poweredge-11g or poweredge-12g or poweredge-13g or poweredge-14g | redhat-el6-retirement, Product Retirement
rhel-7                 | Red Hat Enterprise Linux 7      | linux        |                                                                           |
rhel-8                 | Red Hat Enterprise Linux 8      | linux-4.12   |                                                                           |
rhel-9                 | Red Hat Enterprise Linux 9      | modern-linux |                                                                           |
sles-12 | SUSE Linux Enterprise Server 12, Service Packs 4 and 5 | linux-4.12 | | sap-hana-checks, 12.4; 12.5
sles-15-sp1 | SUSE Linux Enterprise Server 15, first release and Service Pack 1 | linux-4.12 | | sap-hana-checks, 15.0; 15.1
sles-15-sp2 | SUSE Linux Enterprise Server 15, Service Pack 2 | linux-5.3 | | sap-hana-checks, 15.2
sles-15-sp3 | SUSE Linux Enterprise Server 15, Service Pack 3 | linux-5.3 | | sap-hana-checks, 15.3
sles-15 | SUSE Linux Enterprise Server 15, Service Packs 5 to 7 | modern-linux | | saptune-notes, 2684254, [vm:os=15-[5-7]]
sles-15-sp4 | SUSE Linux Enterprise Server 15, Service Pack 4 | modern-linux | | saptune-notes, 2578899, [rpm:os=15-SP4:arch=ppc64le]
sles-16 | SUSE Linux Enterprise Server 16 | modern-linux | | saptune-notes, 3577842
slc-5                  | Scientific Linux CERN 5         | rhel-5       |                                                                           |
sles-11                | SUSE Linux Enterprise Server 11 | linux        |                                                                           |
ubuntu-20.04 | Ubuntu 20.04 | linux-5.3 | | livepatch-kernels, Ubuntu 20.04 LTS, 5.4 (GA)
ubuntu-22.04           | Ubuntu 22.04                    | modern-linux |                                                                           |
ubuntu-24.04           | Ubuntu 24.04                    | modern-linux |                                                                           |
ubuntu-26.04           | Ubuntu 26.04                    | modern-linux |                                                                           |
windows                | Windows Server                  |              | numa aware                                                                | dell-12g-tuning, Node Interleaving
windows-server-2008-r2 | Windows Server 2008 R2          | windows      | platform poweredge-11g or poweredge-12g or poweredge-13g                  | microsoft-hardware-support-2016, certification until extended support
windows-server-2012    | Windows Server 2012             | windows      | platform poweredge-11g or poweredge-12g or poweredge-13g or poweredge-14g | microsoft-hardware-support-2016, certification until extended support
"""
LINES = rows(SYSTEMS)


@pytest.mark.parametrize("line", LINES, ids=[line[0] for line in LINES])
def test_operating_systems(line: list[str], knowledge: Knowledge) -> None:
    name, title, within, allowed, cited = line
    system = knowledge.values["os"][name]
    assert (system.title, system.within) == (title, within)
    assert ", ".join(knowledge.box_text((asked,)) for asked in system.allows) == allowed
    assert ", ".join(system.citation or ()) == cited


NEWEST = ("debian-13", "rhel-10", "sles-16", "ubuntu-26.04")


@pytest.mark.parametrize("system", NEWEST)
def test_the_newest_release_goes_with_every_server_since_2014(system: str, knowledge: Knowledge) -> None:
    """Also with those of other makers, and with servers that are added later."""
    older = {"poweredge-11g", "poweredge-12g"}
    platforms = knowledge.values["platform"]
    since = [name for name, platform in platforms.items() if not older & {name, platform.within}]
    assert {"r760", "dl385-gen10-plus-v2", "sys-821ge-tnhr", "ucs-m8-amd"} <= {*since}
    refused = [
        name
        for name in since
        if "E0204" in {each.code for each in outcome(f"goal latency; platform {name}; os {system};").findings}
    ]
    assert refused == []
