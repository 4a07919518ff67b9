"""The strength of the advice of papers and menus, line by line in the order of their pages.

Each line was read against the place that it names: whether figures there show what is advised (`measured`), whether the
place only says it (`vendor`), or whether it leaves it to a test with one's own work, or compares values without
advising one (`test-first`). The last column is what the place has. A line stands for all advice of that place on that
value; of a table of recommendations, for all of its cells, save those that have a line.
"""

import pytest

from conformance.printed import asked, rows
from setpoint.compiler.knowledge.model import Knowledge

WEIGHTS = {
    "cern-nehalem": """
Final conclusion           | smt on                     | measured   | some 15 to 20 %, and 19 % with the ALICE framework
Section 4.4.1              | turbo on                   | measured   | 1 to 12 % on SPEC CPU2006
Section 5.4                | smt on                     | measured   | time and energy of test40 and tbb, in each subsection
Section 5.4.1; Section 5.5 | smt-placement loose-no-smt | measured   | 26 s alone on a core, 42 s beside another; ALICE on 8 cores and on 4
Section 5.4.2              | smt on                     | measured   | 34.2 s and 1.917 Wh, against 38.9 s and 2.033 Wh
Section 8.2.1; Section 8.1.1 | turbo on                 | measured   | marks for each watt of the mix, on the E5540 and, with SMT, on the L5520
Section 8.2.1; Section 8.1.1 | turbo off                | measured   | the same, on the X5570
Figure 14                  | smt-placement loose-no-smt | test-first | siblings in use against siblings idle, not which come first
""",
    "dell-11g-hpc": """
BIOS Settings                                    | c-states off                     | vendor     | best performance, for work that needs low latency
Figure 10                                        | c-states off                     | measured   | MPI latency 20 and 12 % longer with C-states
Figure 12                                        | cpu-power-management system-dbpm | measured   | WRF close to 8 % better under APC
Figure 13                                        | turbo off                        | measured   | 12 to 21 % more power for turbo
Figure 5                                         | c-states on                      | measured   | up to 32 % less idle power
Figure 6                                         | node-interleaving off            | measured   | four of nine benchmarks 4 to 13 % slower, three 2 to 4 % faster
Figure 9                                         | turbo on                         | measured   | 2 to 8 % over InfiniBand
New options introduced in Intel Xeon 5600 series | qpi-bandwidth-priority compute   | vendor     | what each value favours
New options introduced in Intel Xeon 5600 series | qpi-bandwidth-priority io        | vendor     | what each value favours
Node Interleaving (Performance), first case      | node-interleaving on             | vendor     | three cases, without figures
Node Interleaving (Performance), second case     | node-interleaving on             | vendor     | three cases, without figures
Node Interleaving (Performance), third case      | node-interleaving on             | vendor     | three cases, without figures
Table 4                                          | cpuspeed-service off             | vendor     | what each profile does
Table 6                                          |                                  | vendor     | recommendations
Table 6                                          | c1e off                          | vendor     | off in the one column without C-states
Table 6                                          | smt off                          | test-first | text on Figure 7: to be tested application by application
Turbo Mode and C-States                          | cpuspeed-service on              | vendor     | the service must be enabled
Turbo Mode and C-States                          | force-latency none               | vendor     | C-states make it likelier to enter Turbo
""",
    "dell-11g-hpc-2009": """
Table 6 |         | vendor     | recommendations
Table 6 | smt off | test-first | text on Figure 7: to be tested application by application
""",
    "dell-12g-tuning": """
Alternate RTID setting                | alternate-rtid off              | vendor     | no workload is known to gain
C-States and C1E options; Figure 21   | c-states on                     | measured   | 66 % more idle power with both off: they were switched together
C-States and C1E options; Figure 21   | c1e on                          | measured   | 66 % more idle power with both off: they were switched together
CPU Power Management modes            | cpuspeed-service on             | vendor     | OS DBPM relies on the operating system
Collaborative CPU Performance Control | collaborative-cpu-control off   | vendor     | can be safely left disabled
Execute disable                       | execute-disable on              | vendor     | best left enabled
Figure 22, and the text after it      | intel-idle off                  | vendor     | the text; the figure's idle power has no number
Figure 6                              | memory-mode optimizer           | measured   | loaded latency: 225 % with Advanced ECC, 40 % more with mirroring
Figures 18, 19 and 20                 | turbo off                       | measured   | 84, 82 and 80 % of the power
Figures 18, 19 and 20                 | turbo on                        | measured   | 6, 9 and 14 % faster
Figures 5 and 7                       | memory-mode optimizer           | measured   | bandwidth of the five modes; four benchmarks
Logical Processor                     | smt off                         | test-first | HPC workloads like Linpack are exempted from the gain, no more
Logical Processor                     | smt on                          | vendor     | recommended for general performance
Logical Processor; Figures 10 and 11  | smt on                          | measured   | 9 to 34 %; floating point from -10 to 22 %
Logical processor idling              | logical-processor-idling off    | vendor     | generally left disabled
Memory Management section             | memory-patrol-scrub standard    | vendor     | defaults of the Performance profile are typically optimal
Memory Management section             | memory-refresh-rate 1x          | vendor     | more may cost performance
Memory Management section             | memory-voltage auto             | vendor     | defaults of the Performance profile are typically optimal
Memory frequency                      | memory-frequency maximum        | vendor     | what limits the frequency
Memory operating voltage              | memory-voltage 1.5v             | vendor     | may be necessary for 1333 MT/s
Memory operating voltage              | memory-voltage auto             | vendor     | runs low-voltage memory at 1.35 V
Monitor/Mwait                         | monitor-mwait on                | vendor     | to be disabled only with logical processors disabled
Node Interleaving                     | node-interleaving on            | test-first | could have positive effects; fewer and fewer need it
Number of cores per processor         | cores-per-processor all         | vendor     | most benefit more from more cores
Processor prefetchers                 | adjacent-cache-line-prefetch on | vendor     | in most cases a net enhancement
Processor prefetchers                 | dcu-ip-prefetcher on            | vendor     | in most cases a net enhancement
Processor prefetchers                 | dcu-streamer-prefetcher on      | vendor     | in most cases a net enhancement
Processor prefetchers                 | hardware-prefetcher on          | vendor     | in most cases a net enhancement
QPI Speed                             | qpi-speed maximum               | vendor     | should be left at it
System Profiles comparison            | system-profile dense            | vendor     | what the profile is for
System Profiles comparison; Figure 13 | system-profile dapc             | measured   | within 2 % of the performance, with the least power at every load
Table 2                               |                                 | vendor     | recommendations
Virtualization technology             | virtualization on               | vendor     | leaving it enabled is advised
""",
    "dell-14g-hpc": """
Conclusion                  | system-profile performance | vendor   | best for maximum performance; Figure 3 has no numbers
Figure 2                    | sub-numa-cluster off       | vendor   | up to 2 % for SNC, within the variation from run to run: no evidence for off
Figure 4                    | sub-numa-cluster off       | measured | up to about 5 % less idle power
Sub-NUMA cluster            | sub-numa-cluster off       | vendor   | the recommendation for HPC
System Profiles; Conclusion | system-profile dapc        | vendor   | the best suitable; Figure 3 has no numbers
System Profiles; Figure 4   | system-profile dapc        | vendor   | power idle and of HPL alone, and no work per watt
""",
    "dell-bios-registries": """
R630 registry, CorrEccSmi help text                             | correctable-ecc-smi off              | vendor     | who minds latency may wish to disable it
R630 registry, DcuIpPrefetcher help text                        | dcu-ip-prefetcher on                 | vendor     | recommended for HPC
R630 registry, DcuStreamerPrefetcher help text                  | dcu-streamer-prefetcher on           | vendor     | recommended for HPC
R630 registry, EnergyPerformanceBias help text                  | energy-performance-bias performance  | test-first | what it decides, and no advice
R630 registry, LogicalProc help text                            | smt off                              | test-first | may be faster for some, HPC among them
R630 registry, LogicalProc help text                            | smt on                               | vendor     | recommended
R630 registry, NodeInterleave help text                         | node-interleaving off                | vendor     | on only for systems that do not know NUMA
R630 registry, NodeInterleave help text                         | node-interleaving on                 | vendor     | on only for systems that do not know NUMA
R630 registry, ProcAdjCacheLine help text                       | adjacent-cache-line-prefetch off     | vendor     | to be disabled for random access
R630 registry, ProcAdjCacheLine help text                       | adjacent-cache-line-prefetch on      | vendor     | for sequential access
R630 registry, ProcCores help text                              | cores-per-processor all              | vendor     | most benefit more from more cores
R630 registry, ProcPwrPerf help text                            | cpu-power-management max-performance | vendor     | always preferred where latency counts
R630 registry, ProcVirtualization help text                     | virtualization on                    | vendor     | leaving it enabled is advised
R630 registry, QpiSpeed help text                               | qpi-speed maximum                    | vendor     | should be left at it
R630 registry, RtidSetting help text                            | alternate-rtid off                   | vendor     | generally left disabled
R630 registry, SnoopMode help text                              | snoop-mode cluster-on-die            | test-first | depends on the work: the best local latency, the worst remote one
R630 registry, SnoopMode help text                              | snoop-mode early                     | vendor     | for latency, and the best balance
R630 registry, SnoopMode help text                              | snoop-mode home                      | vendor     | for the most bandwidth
R630 registry, SriovGlobalEnable help text                      | sr-iov on                            | test-first | for systems that recognise the devices, which is not known here
R630 registry, UncoreFrequency help text                        | uncore-frequency maximum             | test-first | what Dynamic does, and no advice
R720 registry, DcuIpPrefetcher help text                        | dcu-ip-prefetcher on                 | vendor     | recommended for HPC
R720 registry, DcuStreamerPrefetcher help text                  | dcu-streamer-prefetcher on           | vendor     | recommended for HPC
R720 registry, ProcAdjCacheLine help text                       | adjacent-cache-line-prefetch off     | vendor     | to be disabled for random access
R720 registry, SriovGlobalEnable help text                      | sr-iov on                            | test-first | for systems that recognise the devices, which is not known here
R740 and R750 registries, CorrEccSmi help text                  | correctable-ecc-smi off              | vendor     | who minds latency may wish to disable it
R740 and R750 registries, CpuInterconnectBusLinkPower help text | cpu-interconnect-link-power off      | test-first | a little power against a little performance
R740 and R750 registries, DcuIpPrefetcher help text             | dcu-ip-prefetcher on                 | vendor     | recommended for HPC
R740 and R750 registries, DcuStreamerPrefetcher help text       | dcu-streamer-prefetcher on           | vendor     | recommended for HPC
R740 and R750 registries, EnergyPerformanceBias help text       | energy-performance-bias performance  | test-first | what it decides, and no advice
R740 and R750 registries, LogicalProc help text                 | smt off                              | test-first | may be faster for some, HPC among them
R740 and R750 registries, LogicalProc help text                 | smt on                               | vendor     | recommended
R740 and R750 registries, NodeInterleave help text              | node-interleaving off                | vendor     | on only for systems that do not know NUMA
R740 and R750 registries, NodeInterleave help text              | node-interleaving on                 | vendor     | on only for systems that do not know NUMA
R740 and R750 registries, PcieAspmL1 help text                  | pcie-aspm off                        | test-first | a little power against a little performance
R740 and R750 registries, ProcAdjCacheLine help text            | adjacent-cache-line-prefetch off     | vendor     | to be disabled for random access
R740 and R750 registries, ProcAdjCacheLine help text            | adjacent-cache-line-prefetch on      | vendor     | for sequential access
R740 and R750 registries, ProcCStates help text                 | c-states off                         | test-first | may lengthen memory latency, and no advice
R740 and R750 registries, ProcCores help text                   | cores-per-processor all              | vendor     | most benefit more from more cores
R740 and R750 registries, ProcPwrPerf help text                 | cpu-power-management max-performance | vendor     | always preferred where latency counts
R740 and R750 registries, ProcVirtualization help text          | virtualization on                    | vendor     | leaving it enabled is advised
R740 and R750 registries, SriovGlobalEnable help text           | sr-iov on                            | test-first | for systems that recognise the devices, which is not known here
R740 and R750 registries, SubNumaCluster help text              | sub-numa-cluster on                  | test-first | improves the latency of the last-level cache, and no advice
R740 and R750 registries, UncoreFrequency help text             | uncore-frequency maximum             | test-first | what Dynamic does, and no advice
R750 registry, CpuInterconnectBusSpeed help text                | qpi-speed maximum                    | vendor     | should be chosen for performance
""",
}


def weights(source: str) -> dict[tuple[str, str], str]:
    """The strength of advice, by its place and value; "" means all other cells of a table."""
    return {(place, advice): strength for place, advice, strength, _ in rows(WEIGHTS[source])}


@pytest.mark.parametrize("source", WEIGHTS)
def test_advice_weighs_what_its_place_has(source: str, knowledge: Knowledge) -> None:
    expected, found = weights(source), dict[tuple[str, str], set[str]]()
    for rule in knowledge.rules:
        if rule.citation.source == source:
            line = (rule.citation.at, f"{rule.setting} {rule.value}")
            from_a_cell = rule.table and line not in expected
            found.setdefault((rule.citation.at, "") if from_a_cell else line, set()).add(rule.strength)
    assert found == {line: {strength} for line, strength in expected.items()}


def test_no_other_source_has_figures_behind_its_advice(knowledge: Knowledge) -> None:
    assert not {
        r.name for r in knowledge.rules if r.strength == "measured" and r.citation.source not in WEIGHTS
    }


# All had both sockets filled: X5550 and X5570 in the 11G paper (under Figures 4 to 13), E5-2600 (12G, Introduction),
# Gold 6150 (14G, Table 1), L5520 to X5570 on CERN's S5520UR (Section 3.1; Irwindale and the Core i7 are compared, not
# advised on).
TESTED = {
    "dell-11g-hpc": "cpu nehalem, sockets 2",
    "dell-12g-tuning": "cpu e5-2600, sockets 2",
    "dell-14g-hpc": "cpu skylake, sockets 2",
    "cern-nehalem": "cpu nehalem, sockets 2",
}


def test_measured_is_what_was_tested_where_it_was(knowledge: Knowledge) -> None:
    rules = [rule for rule in knowledge.rules if rule.strength == "measured"]
    assert {rule.citation.source for rule in rules} == TESTED.keys()
    expected = {rule.name: asked(TESTED[rule.citation.source], knowledge) for rule in rules}
    assert {rule.name: dict(rule.measured_when) for rule in rules} == expected
