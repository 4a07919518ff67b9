"""The numbers in the words of the knowledge base: each as the source prints it.

A line has what is said, where it is said, and its numbers in their order. The place in the source is the one that the
statement cites. Where the papers' texts are at hand, `tests/knowledge/test_stdlib.py` looks each number up there; this
is for where they are not, and for numbers that the paper has, but not in this sentence.
"""

import re
from collections.abc import Iterator

import pytest

from setpoint.compiler.knowledge.model import Knowledge

PRINTED = {
    "assumptions": """
os modern-linux on any server                                                                  | because | 5.6
sockets 4 on cpu e5-4600, platform poweredge-12g                                       | because | 5 4600
sockets 2 on platform poweredge-11g                                                    | because | 11
sockets 2 on platform poweredge-12g or poweredge-13g or poweredge-14g or poweredge-15g | because | 12 14
""",
    "cern-nehalem": """
physics-jobs-on-siblings-for-energy           | because | 7 1
smt-for-physics-energy                        | because | 40
smt-for-physics-throughput                    | because | 15 20 19 2006 19 30
smt-for-physics-throughput                    | note    | 107.8 115.1 5.5
turbo-for-physics-throughput                  | because | 1 12 2006
siblings-performance-test40                   | note    | 0
siblings-energy-tbb                           | note    | 7 1
smt-on-tbb-irwindale                          | note    | 0.294
cern-nehalem, Figure 8                        | note    | 20 80 7
nehalem-efficiency-over-harpertown            | note    | 20 80
smt-on-spec                                   | note    | 5540 4.1 2 32 5520 4.1 2 64
turbo-on-spec                                 | note    | 5520 4.3 3 64 5540 4.1 2 64
cern-nehalem, Section 4.4.1, compilers        | note    | 11.0 4.1 2 4.3 3
cern-nehalem, Section 4.4.1, reference system | note    | 4.1 2 32 20 80
cern-nehalem, Section 4.4.2                   | note    | 5540 2.53 3.0
cern-nehalem, Section 5.4.1                   | note    | 52 26
siblings-alice                                | note    | 19
cern-nehalem, Section 5.7.1                   | note    | 16 0
""",
    "dell-11g-hpc": """
apc-for-communication                                    | because | 8
c-states-off-for-latency                                 | because | 20 12
c-states-on-for-idle-power                               | because | 32
cpuspeed-without-os-control                              | note    | 6
dell-11g-hpc.table-6.data-reuse.efficiency               | note    | 11
dell-11g-hpc.table-6.data-reuse.performance              | note    | 11
dell-11g-hpc.table-6.dcu-streamer-prefetcher.efficiency  | note    | 11
dell-11g-hpc.table-6.dcu-streamer-prefetcher.performance | note    | 11
dell-11g-hpc.table-6.smt.balanced                        | because | 7
dell-11g-hpc.table-6.smt.efficiency                      | because | 7
dell-11g-hpc.table-6.smt.latency                         | because | 7
dell-11g-hpc.table-6.smt.performance                     | because | 7
dell-11g-hpc.table-6.smt.performance                     | note    | 7 5.3
idle-states-for-turbo-11g                                | because | 1
node-interleaving-off-for-hpc                            | because | 4 13 2 4
turbo-for-performance                                    | because | 2 8
turbo-off-for-efficiency                                 | because | 2 8 12 21
c-state-idle-power                                       | because | 32
c-states-off-interactive                                 | because | 32
c-states-off-vs-efficiency                               | because | 32
c-states-vs-latency                                      | because | 20 12
needless-node-interleaving                               | because | 4 13 2 4
profile-vs-communication-efficiency                      | because | 8
turbo-vs-efficiency                                      | because | 2 8 12 21
dell-11g-hpc, Figure 11                                  | note    | 0
profile-efficiency                                       | note    | 2 3 11
smt-for-fluent                                           | note    | 12 1
""",
    "dell-11g-hpc-2009": """
dell-11g-hpc-2009.table-6.smt.balanced    | because | 7
dell-11g-hpc-2009.table-6.smt.efficiency  | because | 7
dell-11g-hpc-2009.table-6.smt.latency     | because | 7
dell-11g-hpc-2009.table-6.smt.performance | because | 7
""",
    "dell-12g-tuning": """
balanced-profile-12g                       | because | 2008
c-states-for-efficiency-12g                | because | 1 66
c1e-for-efficiency-12g                     | because | 1 66
collaborative-cpu-control-12g              | because | 2012
low-voltage-memory-12g                     | because | 1.35
memory-frequency-three-dimms-12g           | note    | 1333 1333
memory-mode-latency-12g                    | because | 225 40
memory-mode-throughput-12g                 | because | 55 71 97
memory-voltage-three-dimms-12g             | because | 1.5 1333
smt-throughput-12g                         | because | 9 34
smt-throughput-12g                         | note    | 470 436 10
turbo-for-efficiency-12g                   | because | 80 84 6 14
turbo-for-throughput-12g                   | because | 2006 6 9 14
advanced-ecc-vs-latency                    | because | 225
advanced-ecc-vs-performance                | because | 55 52 87 71
advanced-ecc-vs-performance                | help    | 90
c-state-idle-power-12g                     | because | 1 66
c-state-idle-power-12g                     | help    | 1 13
c-states-off-vs-efficiency-12g             | because | 1 66
c1e-off-vs-efficiency                      | because | 1
c1e-off-vs-efficiency                      | help    | 1
c1e-vs-latency                             | because | 1
c1e-vs-latency                             | help    | 1
dense-profile-vs-performance               | because | 85 87
logical-processor-idling-unsupported       | because | 2012 2012
max-performance-vs-efficiency              | because | 2
memory-voltage-vs-efficiency               | because | 1.5
mirror-vs-latency                          | because | 40
mirror-vs-performance                      | because | 76 50
needless-node-interleaving-12g             | because | 25 7 8.6 2006
three-dimms-at-low-voltage                 | because | 1333 1.5
three-dimms-at-low-voltage                 | help    | 1.5 1.5
turbo-off-vs-performance                   | because | 6 9 14
turbo-vs-efficiency-12g                    | because | 6 14 80 84
memory-frequency-sandy-bridge              | because | 1600
node-interleaving-four-sockets-12g         | because | 5 4600 5 4600
dell-12g-tuning, Figure 10                 | note    | 2006
dell-12g-tuning, Figure 11                 | note    | 2006 447
c-states-peak-performance-12g              | note    | 1 1
c-states-perlbench-power-12g               | note    | 1
profiles-perlbench-performance-12g         | note    | 1
profiles-omnetpp-performance-12g           | note    | 1
profiles-omnetpp-power-12g                 | note    | 16 410
c-states-idle-power-12g                    | note    | 1
profiles-idle-power-linux-12g              | note    | 1
dell-12g-tuning, Figure 4                  | note    | 128 16 8
dell-12g-tuning, Figure 5                  | note    | 50
dell-12g-tuning, Figure 8                  | note    | 25
dell-12g-tuning, Figures 13, 14, 15 and 16 | note    | 128 1600
""",
    "dell-14g-hpc": """
dapc-for-efficiency               | because | 16
snc-off-despite-locality          | because | 2
snc-off-for-idle-power            | because | 5
performance-profile-vs-efficiency | because | 28
dell-14g-hpc, Figure 1            | note    | 47 4
snc-gain-at-most                  | note    | 4
""",
    "dell-bios-registries": """
dense-memory-speed-12g     | because | 1
dense-power-management-13g | help    | 12
spare-capacity-13g         | help    | 12
spare-capacity-14g         | help    | 12
""",
    "ibm-h207000": """
intel-idle-off-sles-11 | note | 2 3.0
""",
    "linux-cpuidle": """
acpi-idle-c1               | because | 1
idle-poll-vs-turbo         | help    | 1
kernel-forgoes-idle-states | because | 1
""",
    "linux-intel-idle": """
intel-idle-off-modern | because | 1
""",
    "linux-x86-process": """
idle-poll-with-smt | help | 1
""",
    "operating systems": """
os debian-12              | about | 6.1 2.20
os debian-13              | about | 6.12
os rhel-10                | about | 86 64 3 2
os rhel-5                 | about | 2.6 18 2014 13
os rhel-6                 | about | 2.6 32 6.1 2020 11 30
os rhel-7                 | about | 3.10
os rhel-8                 | about | 4.18
os rhel-9                 | about | 5.14
os slc-5                  | about | 5
os sles-11                | about | 2.6 32 3.0 2
os ubuntu-22.04           | about | 5.15
os ubuntu-24.04           | about | 6.8
os windows-server-2008-r2 | about | 2015 01 13 14
os windows-server-2012    | about | 2018 15
""",
    "processors": """
cpu core-i7-965      | about | 3.2 6 1333
cpu e5540            | about | 80 1066
cpu harpertown-e5472 | about | 3.0 4
cpu irwindale        | about | 3.6
cpu nehalem          | about | 45 4 256 2 8 3
cpu sandy-bridge     | about | 8 4 1600 8.0
cpu westmere         | about | 32 6 95
cpu x5550            | about | 2.66 2 2 3 3 2.93
cpu x5570            | about | 95
cpu xeon-gold-6150   | about | 18 2.7 165
""",
    "redhat-202743": """
acpi-idle-c1-el5          | because | 1
intel-idle-off-before-el8 | note    | 6.0
intel-idle-off-el8        | because | 8 4.18
intel-idle-off-el8        | note    | 5.6
""",
    "redhat-60365": """
intel-idle-off-nehalem-hangs | because | 1
intel-idle-off-nehalem-hangs | note    | 3 90 6.1 6.2
""",
    "redhat-el10-c-states": """
acpi-idle-c1-el10 | note | 0 1
""",
    "sources": """
centos-stream-9-mr-3972 | about | 9 10
cern-nehalem            | about | 5520 5540 5570 5520 7 965 5.3
cpuspeed                | about | 5 6
dell-11g-hpc-2009       | about | 5500
dell-12g-tuning         | about | 5 2600
dell-14g-hpc            | about | 6420 6150 7.3
dell-bios-registries    | about | 720 2.5 4 630 2.13 0 740 0.4 1 750 1.13 2 710
ibm-h207000             | about | 207000
linux-cpufreq           | about | 5.7
linux-intel-idle        | about | 6.1
linux-tick-skew         | about | 3.5
redhat-202743           | about | 5 9
redhat-60365            | about | 6.1 6.2
redhat-el6-retirement   | about | 6
tuned-el6               | about | 6
tuned-profiles          | about | 2.20 12 2.25
ubuntu-thp              | about | 18.04
""",
    "tuned-el6": """
governor-through-stopped-cpuspeed | because | 0.2
""",
    "tuned-profiles": """
tuned-profiles.hpc-compute.force-latency.performance | note | 1
""",
}


def said(knowledge: Knowledge) -> Iterator[tuple[str, str, str]]:
    """Every text, with the name of what it belongs to and the field that it is in."""
    for rule in knowledge.rules:
        yield rule.name, "because", rule.because
        yield rule.name, "note", rule.note
    for hazard in knowledge.hazards.values():
        yield hazard.name, "because", hazard.because
        yield hazard.name, "help", hazard.help
    for constraint in knowledge.constraints:
        yield constraint.name, "because", constraint.because
    for assumed in knowledge.assumptions:
        yield (
            f"{assumed.fact} {assumed.value} on {knowledge.box_text(assumed.when) or 'any server'}",
            "because",
            assumed.because,
        )
    for m in knowledge.measurements:
        is_cell = m.name.startswith(f"{m.citation.source}.")
        yield f"{m.citation.source}, {m.citation.at}" if is_cell else m.name, "note", m.note
    for values in knowledge.values.values():
        for value in values.values():
            yield f"{value.fact} {value.name}", "about", value.about
    for source in knowledge.sources.values():
        yield source.name, "about", source.about


def numbers(text: str) -> str:
    """The numbers of a text, in their order."""
    return " ".join(re.findall(r"\d+(?:\.\d+)?", text))


def lines(table: str) -> dict[tuple[str, str], str]:
    """The lines of a table: what and where, and the numbers."""
    cells = ([cell.strip() for cell in line.split("|")] for line in table.strip().splitlines())
    return {(what, where): printed for what, where, printed in cells}


@pytest.mark.parametrize("table", PRINTED)
def test_numbers_are_as_printed(table: str, knowledge: Knowledge) -> None:
    found = {(what, where): numbers(text) for what, where, text in said(knowledge)}
    expected = lines(PRINTED[table])
    assert {key: found.get(key) for key in expected} == expected
