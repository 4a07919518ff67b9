"""The papers' measurements: for each figure its metric and unit, the varied and constant settings, the system and the
benchmark.

Each line was read against the paper's text, in the place that it names: 11G in the captions of its figures, the
sections Results and Energy Efficiency, and Table 2 for the operating system; 12G in the captions and the text at each
figure, and in Test methodology for the operating systems; 14G in Table 1, Table 2 and the text at each figure; CERN in
chapter 3 (systems, memory, operating system), section 5.2 (SMT and Turbo held), the captions and the appendix. The
lines of `linux-intel-idle` were read against drivers/idle/intel_idle.c: the states of each table, and the processors
that are matched to it.

A cell is empty where the paper says nothing. So 14G says that Logical Processor was off for Figure 4 alone; 12G names
no operating system for STREAM, no release for Figures 6, 21 and 22, and at no figure the number of sockets; 11G names
no operating system for Figure 11; CERN names no operating system for Irwindale and Harpertown, and no sockets for
Harpertown. Three things are ours: the names, such as `smt` for Logical Processor;
`cpu-power-management max-performance` where CERN has SpeedStep off; and what the System Profile Performance fixes (12G,
Table 1), where a custom profile starts from it.

The figures themselves are in the papers' own files here. Where a table has a fact or a setting as a column, that is not
repeated, and `Figures` counts its cells.
"""

from collections import Counter

import pytest

from conformance.printed import rows
from setpoint.compiler.knowledge.model import Knowledge, Measurement

SETUPS = {
    "cern-nehalem": """
Place                                | Figures | Metric                                  | Varied                               | Where                                          | Held                                                        | Benchmark
Figure 11                            | 1       | energy-efficiency in %                  | smt-placement smt from strict-no-smt | cpu x5570, os slc-5, sockets 2, workload hep   | smt on, turbo on                                            | test40, both siblings of each core in use
Figure 11                            | 1       | performance in %                        | smt-placement smt from strict-no-smt | cpu x5570, os slc-5, sockets 2, workload hep   | smt on, turbo on                                            | test40, both siblings of each core in use
Figure 14                            | 1       | energy-efficiency in %                  | smt-placement smt from strict-no-smt | cpu x5570, os slc-5, sockets 2, workload hep   | smt on, turbo on                                            | tbb, both siblings of each core in use
Figure 14                            | 1       | performance in %                        | smt-placement smt from strict-no-smt | cpu x5570, os slc-5, sockets 2, workload hep   | smt on, turbo on                                            | tbb, both siblings of each core in use
Figure 15                            | 1       | performance in %                        | smt on from off                      | cpu irwindale, sockets 2                       |                                                             | SPEC CPU2006, GCC 4.1.2, CPUsets over all logical processors
Figure 16                            | 1       | performance in %                        | smt-placement smt from strict-no-smt | cpu irwindale, sockets 2, workload hep         |                                                             | tbb, lengthened
Figure 8                             | 4       | energy-efficiency in SPEC marks/W       |                                      | os slc-5                                       | smt off, turbo on                                           |
Figures 5 and 7                      | 3       | performance in SPEC marks               |                                      | os slc-5, sockets 2                            | smt on, turbo on                                            |
Final conclusion                     | 1       | performance in %                        | cpu l5520 from harpertown-5410       |                                                |                                                             | SPEC CPU2006
Final conclusion                     | 1       | performance in %                        | smt on from off                      | cpu nehalem, os slc-5, sockets 2, workload hep |                                                             | benchmarks and physics applications together
Section 4.4.1                        | 1       | energy-efficiency in %                  | cpu l5520 from harpertown-5410       |                                                |                                                             | SPEC CPU2006 marks per watt
Section 4.4.1                        | 1       | performance in %                        | smt on from off                      | cpu nehalem, os slc-5, sockets 2               |                                                             | SPEC CPU2006, C++ subset
Section 4.4.1                        | 1       | performance in %                        | turbo on from off                    | cpu nehalem, os slc-5, sockets 2               |                                                             | SPEC CPU2006, C++ subset
Section 4.4.1, compilers             | 2       | performance in % over GCC               |                                      | cpu nehalem, os slc-5, sockets 2               |                                                             |
Section 4.4.1, reference system      | 1       | energy-efficiency in SPEC marks/W       |                                      | cpu harpertown-5410                            |                                                             |
Section 4.4.1, reference system      | 1       | performance in SPEC marks               |                                      | cpu harpertown-5410                            |                                                             |
Section 4.4.1, reference system      | 1       | power in W                              |                                      | cpu harpertown-5410                            |                                                             |
Section 4.4.2                        | 1       | energy-efficiency in %                  | cpu e5540 from harpertown-e5472      | workload hep                                   |                                                             | tbb, throughput per watt
Section 4.4.2                        | 1       | energy-efficiency in %                  | cpu e5540 from harpertown-e5472      | workload hep                                   |                                                             | test40, throughput per watt
Section 4.4.2                        | 4       | run-time in as the row says             |                                      | workload hep                                   |                                                             |
Section 4.4.2, 16 threads            | 4       | energy-efficiency in %, as the row says |                                      | cpu e5540, workload hep                        |                                                             |
Section 4.4.2, throughput and cycles | 2       | ratio in %                              |                                      | cpu e5540, workload hep                        |                                                             |
Section 5.4.1                        | 3       | run-time in s                           |                                      | cpu x5570, os slc-5, sockets 2, workload hep   | smt on, turbo on                                            |
Section 5.4.2                        | 2       | energy in Wh                            |                                      | cpu x5570, os slc-5, sockets 2, workload hep   | smt on, turbo on                                            |
Section 5.4.2                        | 2       | run-time in s                           |                                      | cpu x5570, os slc-5, sockets 2, workload hep   | smt on, turbo on                                            |
Section 5.5                          | 9       | cpu-time in min                         |                                      | cpu nehalem, os slc-5, sockets 2, workload hep | smt on, turbo on                                            |
Section 5.5                          | 1       | performance in %                        | smt-placement smt from strict-no-smt | cpu nehalem, os slc-5, sockets 2, workload hep | smt on, turbo on                                            | ALICE framework, 100 events
Section 5.5                          | 9       | run-time in min                         |                                      | cpu nehalem, os slc-5, sockets 2, workload hep | smt on, turbo on                                            |
Section 5.5                          | 9       | throughput in %                         |                                      | cpu nehalem, os slc-5, sockets 2, workload hep | smt on, turbo on                                            |
Section 5.6.1                        | 2       | run-time in s                           |                                      | cpu irwindale, sockets 2, workload hep         |                                                             |
Section 5.7.1                        | 10      | cpu-time in s                           |                                      | cpu nehalem, os slc-5, sockets 2, workload hep | smt on, turbo on                                            |
Section 5.7.1                        | 1       | performance in %                        |                                      | cpu nehalem, os slc-5, sockets 2, workload hep | smt on, turbo on                                            | tbb beside test40 on each core, against tbb alone
Section 5.7.1                        | 1       | performance in %                        |                                      | cpu nehalem, os slc-5, sockets 2, workload hep | smt on, turbo on                                            | test40 beside tbb on each core, against test40 alone
Section 5.7.1                        | 10      | run-time in s                           |                                      | cpu nehalem, os slc-5, sockets 2, workload hep | smt on, turbo on                                            |
Section 5.7.1                        | 10      | throughput in %                         |                                      | cpu nehalem, os slc-5, sockets 2, workload hep | smt on, turbo on                                            |
Section 8.1.1                        | 4       | active-power in W                       |                                      | os slc-5, sockets 2                            | cpu-power-management max-performance, memory-frequency 1066 |
Section 8.1.1                        | 24      | active-power in W                       |                                      | os slc-5, sockets 2                            | memory-frequency 1066                                       |
Section 8.1.1                        | 4       | apparent-power in VA                    |                                      | os slc-5, sockets 2                            | cpu-power-management max-performance, memory-frequency 1066 |
Section 8.1.1                        | 24      | apparent-power in VA                    |                                      | os slc-5, sockets 2                            | memory-frequency 1066                                       |
Section 8.1.1                        | 4       | power-factor in 1                       |                                      | os slc-5, sockets 2                            | cpu-power-management max-performance, memory-frequency 1066 |
Section 8.1.1                        | 24      | power-factor in 1                       |                                      | os slc-5, sockets 2                            | memory-frequency 1066                                       |
Section 8.1.2                        | 8       | active-power in W                       |                                      | cpu core-i7-965, os slc-5, sockets 1           | memory-frequency 1333                                       |
Section 8.1.2                        | 8       | apparent-power in VA                    |                                      | cpu core-i7-965, os slc-5, sockets 1           | memory-frequency 1333                                       |
Section 8.1.2                        | 8       | power-factor in 1                       |                                      | cpu core-i7-965, os slc-5, sockets 1           | memory-frequency 1333                                       |
Section 8.2.1                        | 72      | performance in SPEC marks               |                                      | os slc-5, sockets 2                            | memory-frequency 1066                                       |
Section 8.2.2                        | 24      | performance in SPEC marks               |                                      | cpu core-i7-965, os slc-5, sockets 1           | memory-frequency 1333                                       |
Section 8.2.1; Section 8.1.1         | 72      | energy-efficiency in SPEC marks/W       |                                      | os slc-5, sockets 2                            | memory-frequency 1066                                       |
Section 8.2.2; Section 8.1.2         | 24      | energy-efficiency in SPEC marks/W       |                                      | cpu core-i7-965, os slc-5, sockets 1           | memory-frequency 1333                                       |
    """,
    "dell-11g-hpc": """
Place                                     | Figures | Metric                         | Varied                                                | Where                                                        | Held                                                         | Benchmark
Figure 10                                 | 1       | latency in %                   | c-states on from off                                  | cpu x5570, interconnect gigabit-ethernet, os rhel-5, platform r610, sockets 2 |                                                              | OSU MPI latency between two servers
Figure 10                                 | 1       | latency in %                   | c-states on from off                                  | cpu x5570, interconnect infiniband, os rhel-5, platform r610, sockets 2 |                                                              | OSU MPI latency between two servers
Figure 11                                 | 2       | performance in % over both off |                                                       | cpu x5650 or x5670, data-reuse on, dcu-streamer-prefetcher on, platform r610 or m610, sockets 2 |                                                              |
Figure 11                                 | 2       | power in % over both off       |                                                       | cpu x5650 or x5670, data-reuse on, dcu-streamer-prefetcher on, platform r610 or m610, sockets 2 |                                                              |
Figure 12                                 | 1       | energy-efficiency in %         | cpu-power-management system-dbpm from max-performance | cpu x5570, interconnect infiniband, os rhel-5, platform m610, sockets 2, workload eclipse or fluent or npb-lu | c-states on, node-interleaving off, smt off, turbo on        | ECLIPSE, Fluent and LU on 16 fully used nodes
Figure 12                                 | 1       | energy-efficiency in %         | cpu-power-management system-dbpm from max-performance | cpu x5570, interconnect infiniband, os rhel-5, platform m610, sockets 2, workload wrf | c-states on, node-interleaving off, smt off, turbo on        | WRF on 16 fully used nodes
Figure 13                                 | 1       | energy-efficiency in %         | turbo off from on                                     | cpu x5570, interconnect infiniband, os rhel-5, platform m610, sockets 2, workload eclipse | c-states on, cpu-power-management os-dbpm, node-interleaving off, smt off | ECLIPSE on 16 nodes
Figure 13                                 | 1       | performance in %               | turbo off from on                                     | cpu x5570, interconnect infiniband, os rhel-5, platform m610, sockets 2, workload eclipse | c-states on, cpu-power-management os-dbpm, node-interleaving off, smt off | ECLIPSE on 16 nodes
Figure 13                                 | 1       | power in %                     | turbo off from on                                     | cpu x5570, interconnect infiniband, os rhel-5, platform m610, sockets 2, workload eclipse | c-states on, cpu-power-management os-dbpm, node-interleaving off, smt off | ECLIPSE on 16 nodes
Figure 13                                 | 1       | power in %                     | turbo on from off                                     | cpu x5570, interconnect infiniband, os rhel-5, platform m610, sockets 2, workload eclipse or fluent or npb-lu or wrf | c-states on, cpu-power-management os-dbpm, node-interleaving off, smt off | four cluster applications on 16 nodes
Figure 14                                 | 1       | energy-efficiency in %         | cpu e5540 from x5570                                  | interconnect infiniband, os rhel-5, platform m610, sockets 2, workload eclipse | c-states on, cpu-power-management max-performance, node-interleaving off, smt off, turbo on | ECLIPSE on 16 nodes; memory at 1066 against 1333 MHz
Figure 14                                 | 1       | energy-efficiency in %         | cpu e5540 from x5570                                  | interconnect infiniband, os rhel-5, platform m610, sockets 2, workload wrf | c-states on, cpu-power-management max-performance, node-interleaving off, smt off, turbo on | WRF on 16 nodes; memory at 1066 against 1333 MHz
Figure 14                                 | 1       | performance in %               | cpu e5540 from x5570                                  | interconnect infiniband, os rhel-5, platform m610, sockets 2, workload eclipse | c-states on, cpu-power-management max-performance, node-interleaving off, smt off, turbo on | ECLIPSE on 16 nodes; memory at 1066 against 1333 MHz
Figure 14                                 | 1       | power in %                     | cpu e5540 from x5570                                  | interconnect infiniband, os rhel-5, platform m610, sockets 2, workload eclipse | c-states on, cpu-power-management max-performance, node-interleaving off, smt off, turbo on | ECLIPSE on 16 nodes; memory at 1066 against 1333 MHz
Figure 3                                  | 1       | memory-bandwidth in %          |                                                       | cpu x5550, os rhel-5, platform r610, sockets 2               |                                                              | STREAM, local against remote memory
Figure 4                                  | 1       | idle-power in %                |                                                       | cpu x5570, os rhel-5, platform m610, sockets 2               | c-states off, node-interleaving off, smt off, turbo off      | idle cluster of 16 nodes
Figure 5                                  | 1       | idle-power in %                | c-states on from off                                  | cpu x5570, os rhel-5, platform m610, sockets 2               | node-interleaving off, smt off, turbo off                    | idle cluster of 16 nodes, each power profile
Figure 6                                  | 1       | performance in %               | node-interleaving on from off                         | cpu x5570, os rhel-5, platform r610, sockets 2, workload hpc |                                                              | four of nine benchmarks on one server
Figure 6                                  | 1       | performance in %               | node-interleaving on from off                         | cpu x5570, os rhel-5, platform r610, sockets 2, workload hpc |                                                              | three of nine benchmarks on one server
Figure 7                                  | 1       | performance in %               | smt on from off                                       | cpu x5570, os rhel-5, platform r610, sockets 2, workload ansys |                                                              | Ansys V12ln-1, one process for each logical core
Figure 7                                  | 1       | performance in %               | smt on from off                                       | cpu x5570, os rhel-5, platform r610, sockets 2, workload ansys |                                                              | Ansys V12sp-5, one process for each logical core
Figure 7                                  | 1       | performance in %               | smt on from off                                       | cpu x5570, os rhel-5, platform r610, sockets 2, workload fluent |                                                              | Fluent truck_poly, one process for each logical core
Figure 8                                  | 1       | core-frequency in GHz          |                                                       | cpu x5550, os rhel-5, platform r610, sockets 2, workload cpu-bound | c-states on, turbo on                                        | a CPU-intensive benchmark
Figure 9                                  | 1       | performance in %               | turbo on from off                                     | cpu x5570, interconnect gigabit-ethernet, os rhel-5, platform m610, sockets 2, workload eclipse or npb-lu or wrf | c-states on, cpu-power-management os-dbpm, node-interleaving off, smt off | ECLIPSE, LU and WRF on 16 nodes
Figure 9                                  | 1       | performance in %               | turbo on from off                                     | cpu x5570, interconnect gigabit-ethernet, os rhel-5, platform m610, sockets 2, workload fluent | c-states on, cpu-power-management os-dbpm, node-interleaving off, smt off | Fluent on 16 nodes
Figure 9                                  | 1       | performance in %               | turbo on from off                                     | cpu x5570, interconnect infiniband, os rhel-5, platform m610, sockets 2, workload eclipse or fluent or npb-lu or wrf | c-states on, cpu-power-management os-dbpm, node-interleaving off, smt off | four cluster applications on 16 nodes
Table 3                                   | 3       | memory-bandwidth in GB/s       |                                                       | cpu nehalem                                                  |                                                              |
Table 3                                   | 3       | qpi-bandwidth in GB/s          |                                                       | cpu nehalem                                                  |                                                              |
Table 3                                   | 3       | qpi-link in GT/s               |                                                       | cpu nehalem                                                  |                                                              |
Turbo Mode (Overview of 11G BIOS Options) | 4       | turbo-steps in 133 MHz         |                                                       | cpu x5550                                                    |                                                              |
    """,
    "dell-12g-tuning": """
Place                     | Figures | Metric                                      | Varied                                  | Where                                                        | Held                                              | Benchmark
Figure 10                 | 4       | performance in % over smt off               |                                         | cpu e5-2600, os sles-11, platform poweredge-12g, smt on      |                                                   |
Figure 11                 | 3       | performance in % over smt off               |                                         | cpu e5-2600, os sles-11, platform poweredge-12g, smt on      |                                                   |
Figure 13                 | 1       | performance in %                            | c-states on from off                    | cpu e5-2600, os windows-server-2008-r2, platform poweredge-12g | cpu-power-management max-performance, turbo on    | SPECpower_ssj2008
Figure 13                 | 1       | performance in %                            | system-profile dapc from performance    | cpu e5-2600, os windows-server-2008-r2, platform poweredge-12g |                                                   | SPECpower_ssj2008
Figure 14                 | 1       | performance in %                            | system-profile dapc from performance    | cpu e5-2600, os sles-11, platform poweredge-12g              |                                                   | 400.perlbench (peak), SPEC CPU2006 rate
Figure 14                 | 1       | power in %                                  | c-states on from off                    | cpu e5-2600, os sles-11, platform poweredge-12g              | cpu-power-management max-performance, turbo on    | 400.perlbench (peak), SPEC CPU2006 rate
Figure 14                 | 1       | power in %                                  | system-profile dapc from performance    | cpu e5-2600, os sles-11, platform poweredge-12g              |                                                   | 400.perlbench (peak), SPEC CPU2006 rate
Figure 15                 | 1       | performance in %                            | system-profile dapc from performance    | cpu e5-2600, os sles-11, platform poweredge-12g              |                                                   | 471.omnetpp (base), SPEC CPU2006 rate
Figure 15                 | 1       | power in %                                  | system-profile dapc from performance    | cpu e5-2600, os sles-11, platform poweredge-12g              |                                                   | 471.omnetpp (base), SPEC CPU2006 rate
Figure 18                 | 1       | performance in %                            | turbo on from off                       | cpu e5-2600, os sles-11, platform poweredge-12g              |                                                   | 471.omnetpp (base), SPEC CPU2006 rate
Figure 18                 | 1       | power in % of the power with turbo          | turbo off from on                       | cpu e5-2600, os sles-11, platform poweredge-12g              |                                                   | 471.omnetpp (base), SPEC CPU2006 rate
Figure 19                 | 1       | performance in %                            | turbo on from off                       | cpu e5-2600, os sles-11, platform poweredge-12g              |                                                   | 473.astar (base), SPEC CPU2006 rate
Figure 19                 | 1       | power in % of the power with turbo          | turbo off from on                       | cpu e5-2600, os sles-11, platform poweredge-12g              |                                                   | 473.astar (base), SPEC CPU2006 rate
Figure 20                 | 1       | performance in %                            | turbo on from off                       | cpu e5-2600, os sles-11, platform poweredge-12g              |                                                   | 445.gobmk (base), SPEC CPU2006 rate
Figure 20                 | 1       | power in % of the power with turbo          | turbo off from on                       | cpu e5-2600, os sles-11, platform poweredge-12g              |                                                   | 445.gobmk (base), SPEC CPU2006 rate
Figure 21                 | 1       | idle-power in % over both on                |                                         | c-states off, c1e off, cpu e5-2600, os windows, platform poweredge-12g |                                                   |
Figure 22                 | 1       | idle-power in %                             | intel-idle on from off                  | cpu e5-2600, os linux, platform poweredge-12g                | c-states off, c1e off, system-profile performance | idle
Figure 22                 | 1       | idle-power in %                             | system-profile os from dapc             | cpu e5-2600, os linux, platform poweredge-12g                | c-states on, c1e on                               | idle
Figure 4                  | 3       | capacity in % of the installed memory       |                                         | cpu e5-2600, platform poweredge-12g                          |                                                   |
Figure 5                  | 4       | bandwidth in % of optimizer                 |                                         | cpu e5-2600, platform poweredge-12g                          |                                                   |
Figure 6                  | 1       | loaded-latency in %                         | memory-mode mirror from optimizer       | cpu e5-2600, os linux, platform poweredge-12g                |                                                   | lat_mem_rd under STREAM load
Figure 6                  | 1       | loaded-latency in % of optimizer            | memory-mode advanced-ecc from optimizer | cpu e5-2600, os linux, platform poweredge-12g                |                                                   | lat_mem_rd under STREAM load
Figure 7                  | 4       | performance in % of optimizer               |                                         | cpu e5-2600, memory-mode advanced-ecc, platform poweredge-12g |                                                   |
Figure 8                  | 3       | performance in % over node-interleaving off |                                         | cpu e5-2600, node-interleaving on, platform poweredge-12g    |                                                   |
Figures 13, 14, 15 and 16 | 4       | performance in % of the Performance profile |                                         | cpu e5-2600, platform poweredge-12g, system-profile dense    |                                                   |
Figures 14, 15 and 16     | 3       | power in % of the Performance profile       |                                         | cpu e5-2600, os sles-11, platform poweredge-12g, system-profile dense |                                                   |
    """,
    "dell-14g-hpc": """
Place    | Figures | Metric            | Varied                               | Where                                                        | Held                 | Benchmark
Figure 1 | 1       | bandwidth in %    |                                      | cpu xeon-gold-6150, os rhel-7, platform c6420, sockets 2     | sub-numa-cluster on  | cores of one NUMA node, memory of a node on the other socket
Figure 1 | 4       | bandwidth in GB/s |                                      | cpu xeon-gold-6150, os rhel-7, platform c6420, sockets 2     | sub-numa-cluster on  |
Figure 2 | 1       | performance in %  | sub-numa-cluster on from off         | cpu xeon-gold-6150, memory-locality good, os rhel-7, platform c6420, sockets 2, workload hpc | system-profile dapc  | HPL, STREAM Triad, WRF conus2.5km, ANSYS Fluent truck_poly_14m, ice_2m, combustor_12m
Figure 3 | 1       | performance in %  | system-profile performance from dapc | cpu xeon-gold-6150, os rhel-7, platform c6420, sockets 2, workload hpc | sub-numa-cluster off | HPL, STREAM Triad, WRF conus2.5km, ANSYS Fluent truck_poly_14m, ice_2m, combustor_12m
Figure 4 | 1       | idle-power in %   | sub-numa-cluster off from on         | cpu xeon-gold-6150, os rhel-7, platform c6420, sockets 2     | smt off              | idle, under DAPC and under Performance
Figure 4 | 1       | idle-power in %   | system-profile performance from dapc | cpu xeon-gold-6150, os rhel-7, platform c6420, sockets 2     | smt off              | idle
Figure 4 | 1       | peak-power in %   | system-profile dapc from performance | cpu xeon-gold-6150, os rhel-7, platform c6420, sockets 2     | smt off              | HPL, problem size 92 % of memory
    """,
    "linux-intel-idle": """
Place           | Figures | Metric                 | Varied | Where                       | Held | Benchmark
bdw_cstates     | 8       | exit-latency in µs     |        | cpu broadwell               |      |
bdw_cstates     | 8       | target-residency in µs |        | cpu broadwell               |      |
hsw_cstates     | 8       | exit-latency in µs     |        | cpu haswell                 |      |
hsw_cstates     | 8       | target-residency in µs |        | cpu haswell                 |      |
icx_cstates     | 3       | exit-latency in µs     |        | cpu ice-lake                |      |
icx_cstates     | 3       | target-residency in µs |        | cpu ice-lake                |      |
nehalem_cstates | 4       | exit-latency in µs     |        | cpu nehalem or westmere     |      |
nehalem_cstates | 4       | target-residency in µs |        | cpu nehalem or westmere     |      |
skx_cstates     | 3       | exit-latency in µs     |        | cpu skylake or cascade-lake |      |
skx_cstates     | 3       | target-residency in µs |        | cpu skylake or cascade-lake |      |
snb_cstates     | 5       | exit-latency in µs     |        | cpu sandy-bridge            |      |
snb_cstates     | 5       | target-residency in µs |        | cpu sandy-bridge            |      |
    """,
}


def counted(table: str) -> Counter[tuple[str, ...]]:
    """The lines of a table, each with its number of figures."""
    found: Counter[tuple[str, ...]] = Counter()
    for place, number, *others in rows(table)[1:]:
        found[(place, *others)] += int(number)
    return found


def is_cell(measurement: Measurement) -> bool:
    """Whether a figure is a cell of a table; such figures have no names of their own."""
    return measurement.name.startswith(f"{measurement.citation.source}.")


def setups(knowledge: Knowledge, source: str) -> Counter[tuple[str, ...]]:
    """The lines that the knowledge base has of a source."""
    of_source = [m for m in knowledge.measurements if m.citation.source == source]
    found: Counter[tuple[str, ...]] = Counter()
    for m in of_source:
        alike = [other for other in of_source if is_cell(other) and other.citation == m.citation]
        where = [
            f"{name} {value}"
            for name, value in sorted(m.when)
            if not is_cell(m) or all(dict(other.when).get(name) == value for other in alike)
        ]
        held = ", ".join(f"{name} {value}" for name, value in sorted(m.held))
        varied = "{} {} from {}".format(*m.varied) if m.varied else ""
        benchmark = "" if is_cell(m) else dict(m.labels).get("benchmark", "")
        found[m.citation.at, f"{m.metric} in {m.unit}", varied, ", ".join(where), held, benchmark] += 1
    return found


@pytest.mark.parametrize("source", SETUPS)
def test_figures_were_measured_as_the_source_says(source: str, knowledge: Knowledge) -> None:
    assert setups(knowledge, source) == counted(SETUPS[source])


def test_every_source_of_figures_is_here(knowledge: Knowledge) -> None:
    assert {m.citation.source for m in knowledge.measurements} == SETUPS.keys()
