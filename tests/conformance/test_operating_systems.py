"""The operating systems: what each lies within, and on which servers its maker lets it run.

Enterprise Linux 5 took new hardware until early 2014, before Haswell servers; 6 was retired in November 2020, before Ice
Lake; 10 is built for x86-64-v3, which came with Haswell. Windows Server 2008 R2 went into extended support in 2015 and
2012 in 2018: no server that came later was certified. All of them know NUMA (12G paper, Node Interleaving).
"""

import pytest

from setpoint.compiler.knowledge.model import Knowledge

SYSTEMS = """
debian-12              | Debian 12                       | modern-linux |                                                                           |
debian-13              | Debian 13                       | modern-linux |                                                                           |
linux                  | Linux                           |              | numa aware                                                                | dell-12g-tuning, Node Interleaving
modern-linux           | Linux with kernel 5.6 or later  | linux        |                                                                           |
rhel-10                | Red Hat Enterprise Linux 10     | modern-linux | platform poweredge-13g or poweredge-14g or poweredge-15g                  | centos-stream-9-mr-3972, description
rhel-5                 | Red Hat Enterprise Linux 5      | linux        | platform poweredge-11g or poweredge-12g                                   | redhat-life-cycle, Production 2
rhel-6                 | Red Hat Enterprise Linux 6      | linux        | platform poweredge-11g or poweredge-12g or poweredge-13g or poweredge-14g | redhat-el6-retirement, Product Retirement
rhel-7                 | Red Hat Enterprise Linux 7      | linux        |                                                                           |
rhel-8                 | Red Hat Enterprise Linux 8      | linux        |                                                                           |
rhel-9                 | Red Hat Enterprise Linux 9      | modern-linux |                                                                           |
slc-5                  | Scientific Linux CERN 5         | rhel-5       |                                                                           |
sles-11                | SUSE Linux Enterprise Server 11 | linux        |                                                                           |
ubuntu-22.04           | Ubuntu 22.04                    | modern-linux |                                                                           |
ubuntu-24.04           | Ubuntu 24.04                    | modern-linux |                                                                           |
windows                | Windows Server                  |              | numa aware                                                                | dell-12g-tuning, Node Interleaving
windows-server-2008-r2 | Windows Server 2008 R2          | windows      | platform poweredge-11g or poweredge-12g or poweredge-13g                  | microsoft-hardware-support-2016, certification until extended support
windows-server-2012    | Windows Server 2012             | windows      | platform poweredge-11g or poweredge-12g or poweredge-13g or poweredge-14g | microsoft-hardware-support-2016, certification until extended support
"""
LINES = [[cell.strip() for cell in line.split("|")] for line in SYSTEMS.strip().splitlines()]


@pytest.mark.parametrize("line", LINES, ids=[line[0] for line in LINES])
def test_operating_systems(line: list[str], knowledge: Knowledge) -> None:
    name, title, within, allowed, cited = line
    system = knowledge.values["os"][name]
    assert (system.title, system.within) == (title, within)
    assert ", ".join(knowledge.box_text((asked,)) for asked in system.allows) == allowed
    assert ", ".join(system.citation or ()) == cited
