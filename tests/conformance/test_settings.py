"""The settings: their names in menus, in the kernel and in services, their layer, and the order of their values.

A firmware setting has the name that a menu gives it. Each was held against the menus: the paths of the 11G paper's overview
of BIOS options, the screens of the 12G paper (Figures 3, 9 and 12) and its Table 1 and section headings, and the display
names of the attributes of R720, R630, R740 and R750. So were its values, which are those of all these menus together: the
16 cores are the R750's, 7.2 GT/s is the 12G paper's, minimum power is `MinPwr` of the R710, 1066 MHz is written 1067MHz in
the R720's menu. Two are in none of these registries: 2933 MHz, which others' comparison of a later R740xd with an R630 has,
and the second processor's cores with Turbo beyond 10, which are the first's (the R740 had one processor). Where a menu has
another name than ours on purpose, `OTHERWISE` has it.

The names of boot arguments and of knobs of a running system say what they do, and are this library's own, as is the order
of all values. Their values are those of the profiles of tuned 2.20 and 0.2 (files), of the kernel's documentation, and
for placement the three policies of the CERN paper (Section 5.4.1). What is set in the BIOS setup is firmware, what stands on
the kernel's command line is boot, what can change while it runs is os.
"""

from conformance.printed import rows
from setpoint.compiler.knowledge.model import Knowledge

SETTINGS = """
adjacent-cache-line-prefetch | Adjacent Cache Line Prefetch                        | firmware | on, off
alternate-rtid               | Alternate RTID                                      | firmware | off, on
c-states                     | C-States                                            | firmware | on, off, autonomous
c1e                          | C1E                                                 | firmware | on, off
collaborative-cpu-control    | Collaborative CPU Performance Control               | firmware | off, on
controlled-turbo             | Dell Controlled Turbo                               | firmware | off, on
cores-per-processor          | Number of Cores per Processor                       | firmware | all, 1 to 256
correctable-ecc-smi          | Correctable Memory ECC SMI                          | firmware | on, off
cpu-interconnect-link-power  | CPU Interconnect Bus Link Power Management          | firmware | on, off
cpu-power-management         | CPU Power Management                                | firmware | max-performance, system-dbpm, os-dbpm, minimum-power
data-reuse                   | Data Reuse                                          | firmware | on, off
dcu-ip-prefetcher            | DCU IP Prefetcher                                   | firmware | on, off
dcu-streamer-prefetcher      | DCU Streamer Prefetcher                             | firmware | on, off
dead-line-llc-alloc          | Dead Line LLC Alloc                                 | firmware | on, off
directory-atos               | Directory AtoS                                      | firmware | off, on
dynamic-load-line            | Dynamic Load Line Switch                            | firmware | on, off
energy-efficient-turbo       | Energy Efficient Turbo                              | firmware | on, off
energy-performance-bias      | Energy Efficient Policy                             | firmware | balanced-performance, performance, balanced-energy, energy-efficient
execute-disable              | Execute Disable                                     | firmware | on, off
hardware-prefetcher          | Hardware Prefetcher                                 | firmware | on, off
llc-prefetch                 | LLC Prefetch                                        | firmware | on, off
logical-processor-idling     | Logical Processor Idling                            | firmware | off, on
madt-core-enumeration        | MADT Core Enumeration                               | firmware | round-robin, linear
memory-frequency             | Memory Frequency                                    | firmware | maximum, 2933, 2666, 2400, 2133, 1866, 1600, 1333, 1066, 800
memory-mode                  | Memory Operating Mode                               | firmware | optimizer, advanced-ecc, mirror, spare, spare-advanced-ecc
memory-patrol-scrub          | Memory Patrol Scrub                                 | firmware | standard, extended, off
memory-refresh-rate          | Memory Refresh Rate                                 | firmware | 1x, 2x
memory-voltage               | Memory Operating Voltage                            | firmware | auto, 1.5v
monitor-mwait                | Monitor/Mwait                                       | firmware | on, off
node-interleaving            | Node Interleaving                                   | firmware | off, on
pcie-aspm                    | PCI ASPM L1 Link Power Management                   | firmware | on, off
qpi-bandwidth-priority       | QPI Bandwidth Priority                              | firmware | compute, io
qpi-speed                    | QPI Speed                                           | firmware | maximum, 11.2, 10.4, 9.6, 8.0, 7.2, 6.4
smt                          | Logical Processor (SMT, Hyper-Threading)            | firmware | on, off
snoop-mode                   | Snoop Mode                                          | firmware | early, home, cluster-on-die
sr-iov                       | SR-IOV Global Enable                                | firmware | off, on
sub-numa-cluster             | Sub NUMA Cluster                                    | firmware | off, on
system-profile               | System Profile                                      | firmware | dapc, os, performance, dense, workstation, custom
turbo                        | Turbo Mode                                          | firmware | on, off
turbo-cores-processor-1      | Number of Turbo Boost Enabled Cores for Processor 1 | firmware | all, 1 to 256
turbo-cores-processor-2      | Number of Turbo Boost Enabled Cores for Processor 2 | firmware | all, 1 to 256
uncore-frequency             | Uncore Frequency                                    | firmware | dynamic, maximum, dynamic-optimized
upi-prefetch                 | UPI Prefetch                                        | firmware | on, off
virtualization               | Virtualization Technology                           | firmware | on, off
write-data-crc               | Write Data CRC                                      | firmware | off, on
x2apic                       | x2APIC Mode                                         | firmware | off, on
xpt-prefetch                 | XPT Prefetch                                        | firmware | on, off
acpi-idle-limit              | Deepest C-state of acpi_idle                        | boot     | none, c1
idle-poll                    | Polling idle loop                                   | boot     | off, on
intel-idle                   | intel_idle driver                                   | boot     | on, off
skew-tick                    | Timer ticks skewed between CPUs                     | boot     | off, on
busy-poll                    | Busy polling of sockets                             | os       | off, 1us to 2147483647us
cpuspeed-service             | cpuspeed service                                    | os       | on, off
dirty-background-ratio       | Dirty memory limit for background writeback, in %   | os       | 0 to 100
dirty-ratio                  | Dirty memory limit, in %                            | os       | 0 to 100
energy-perf-bias             | Energy/performance bias                             | os       | normal, performance, balance-performance, power
force-latency                | Longest exit latency of an idle state               | os       | none, c1
governor                     | CPU frequency governor                              | os       | schedutil, performance, ondemand, conservative, powersave
min-perf-pct                 | Minimum P-state (intel_pstate), in %                | os       | lowest, 1 to 100
numa-balancing               | Automatic NUMA balancing                            | os       | on, off
readahead                    | Minimum read-ahead of disks, in KiB                 | os       | unmanaged, 1 to 2147483647
smt-placement                | Placement of threads on SMT siblings                | os       | unmanaged, strict-no-smt, loose-no-smt, smt
swappiness                   | Swappiness                                          | os       | 0 to 200
transparent-hugepages        | Transparent huge pages                              | os       | madvise, always, never
zone-reclaim                 | Zone reclaim                                        | os       | off, on
"""

OTHERWISE = {
    "alternate-rtid": "Alternate RTID (Requestor Transaction ID) Setting",
    "c-states": "C States",
    "controlled-turbo": "Dell Controlled Turbo Setting",
    "qpi-bandwidth-priority": "Intel QPI Bandwidth Priority",
    "smt": "Logical Processor",
}
"""Ours is shorter; the 12G paper's (C-States, Table 1); the R630's and R740's; shorter; longer, for those who look for it."""


def table() -> dict[str, list[str]]:
    """The lines of the table in cells, by name."""
    return {name: shown for name, *shown in rows(SETTINGS)}


def test_settings(knowledge: Knowledge) -> None:
    settings = knowledge.settings.items()
    assert {n: [s.title, s.layer, ", ".join(s.values)] for n, s in settings} == table()


def test_firmware_settings_have_the_name_of_a_menu(knowledge: Knowledge) -> None:
    menus = {
        name: {offer.menu.rpartition(" > ")[2] for offer in offers}
        for name, offers in knowledge.offers.items()
    }
    for name, (title, layer, _) in table().items():
        if layer == "firmware":
            assert OTHERWISE.get(name, title) in menus[name]
            assert name not in OTHERWISE or title not in menus[name]
