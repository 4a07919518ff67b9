"""The settings: what menus, the kernel and its services call them, which layer holds them, and in which order values are tried.

Firmware settings have the name of their menu entry (11G overview of BIOS options; Figures 9, 12 and 17 of the 12G paper;
display names of the registries), boot arguments and knobs of a running system a name that says what they do. What is set
in the BIOS setup is firmware, what stands on the kernel's command line is boot, what can change while it runs is os.
"""

from setpoint.compiler.knowledge.model import Knowledge

SETTINGS = """
adjacent-cache-line-prefetch | Adjacent Cache Line Prefetch             | firmware | on, off
alternate-rtid               | Alternate RTID                           | firmware | off, on
c-states                     | C-States                                 | firmware | on, off, autonomous
c1e                          | C1E                                      | firmware | on, off
collaborative-cpu-control    | Collaborative CPU Performance Control    | firmware | off, on
cores-per-processor          | Number of Cores per Processor            | firmware | all, 1, 2, 4, 6, 8, 10, 12, 14, 16
cpu-interconnect-link-power  | CPU Interconnect Link Power Management   | firmware | on, off
cpu-power-management         | CPU Power Management                     | firmware | max-performance, system-dbpm, os-dbpm, minimum-power
data-reuse                   | Data Reuse                               | firmware | on, off
dcu-ip-prefetcher            | DCU IP Prefetcher                        | firmware | on, off
dcu-streamer-prefetcher      | DCU Streamer Prefetcher                  | firmware | on, off
energy-performance-bias      | Energy Efficient Policy                  | firmware | balanced-performance, performance, balanced-energy, energy-efficient
execute-disable              | Execute Disable                          | firmware | on, off
hardware-prefetcher          | Hardware Prefetcher                      | firmware | on, off
logical-processor-idling     | Logical Processor Idling                 | firmware | off, on
memory-frequency             | Memory Frequency                         | firmware | maximum, 2933, 2666, 2400, 2133, 1866, 1600, 1333, 1066, 800
memory-mode                  | Memory Operating Mode                    | firmware | optimizer, advanced-ecc, mirror, spare, spare-advanced-ecc
memory-patrol-scrub          | Memory Patrol Scrub                      | firmware | standard, extended, off
memory-refresh-rate          | Memory Refresh Rate                      | firmware | 1x, 2x
memory-voltage               | Memory Operating Voltage                 | firmware | auto, 1.5v
monitor-mwait                | Monitor/Mwait                            | firmware | on, off
node-interleaving            | Node Interleaving                        | firmware | off, on
pcie-aspm                    | PCI ASPM L1 Link Power Management        | firmware | on, off
qpi-bandwidth-priority       | QPI Bandwidth Priority                   | firmware | compute, io
qpi-speed                    | QPI Speed                                | firmware | maximum, 11.2, 10.4, 9.6, 8.0, 7.2, 6.4
smt                          | Logical Processor (SMT, Hyper-Threading) | firmware | on, off
sub-numa-cluster             | Sub NUMA Cluster                         | firmware | off, on
system-profile               | System Profile                           | firmware | dapc, os, performance, dense, workstation, custom
turbo                        | Turbo Mode                               | firmware | on, off
uncore-frequency             | Uncore Frequency                         | firmware | dynamic, maximum, dynamic-optimized
virtualization               | Virtualization Technology                | firmware | on, off
acpi-idle-limit              | Deepest C-state of acpi_idle             | boot     | none, c1
idle-poll                    | Polling idle loop                        | boot     | off, on
intel-idle                   | intel_idle driver                        | boot     | on, off
skew-tick                    | Timer ticks skewed between CPUs          | boot     | off, on
busy-poll                    | Busy polling of sockets                  | os       | off, 50us
cpuspeed-service             | cpuspeed service                         | os       | on, off
energy-perf-bias             | Energy/performance bias                  | os       | normal, performance, balance-performance, power
force-latency                | Longest exit latency of an idle state    | os       | none, c1
governor                     | CPU frequency governor                   | os       | schedutil, performance, ondemand, conservative, powersave
numa-balancing               | Automatic NUMA balancing                 | os       | on, off
smt-placement                | Placement of threads on SMT siblings     | os       | unmanaged, strict-no-smt, loose-no-smt, smt
swappiness                   | Swappiness                               | os       | 60, 10
transparent-hugepages        | Transparent huge pages                   | os       | madvise, always, never
"""


def test_settings(knowledge: Knowledge) -> None:
    expected = {}
    for line in SETTINGS.strip().splitlines():
        name, *told = (cell.strip() for cell in line.split("|"))
        expected[name] = told
    settings = {name: knowledge.settings[name] for name in expected if name in knowledge.settings}
    assert {n: [s.title, s.layer, ", ".join(s.values)] for n, s in settings.items()} == expected
