"""The settings: their names in menus, in the kernel and in services, their layer, and the order of their values.

A firmware setting has the name that a menu gives it. Each was held against the menus: the paths of the 11G paper's
overview of BIOS options, the screens of the 12G paper (Figures 3, 9 and 12) and its Table 1 and section headings, and
the display names of the attributes of R720, R630, R740 and R750. So were its values, which are those of all these menus
together: the 16 cores are the R750's, 7.2 GT/s is the 12G paper's, minimum power is `MinPwr` of the R710, 1066 MHz is
written 1067MHz in the R720's menu. Two are in none of these registries: 2933 MHz, which others' comparison of a later
R740xd with an R630 has, and the second processor's cores with Turbo beyond 10, which are the first's (the R740 had one
processor). Where a menu has another name than ours on purpose, `OTHERWISE` has it.

The names of boot arguments and of knobs of a running system say what they do, and are this library's own, as is the
order of all values. Their values are those of the profiles of tuned 2.20 and 0.2 (files), of the kernel's
documentation, and for placement the three policies of the CERN paper (Section 5.4.1). What is set in the BIOS setup is
firmware, what stands on the kernel's command line is boot, what can change while it runs is os.
"""

from conformance.printed import rows
from setpoint.compiler.knowledge.model import Knowledge

SETTINGS = """
adjacent-cache-line-prefetch | Adjacent Cache Line Prefetch                        | firmware | on, off
alternate-rtid               | Alternate RTID                                      | firmware | off, on
c-states                     | C-States                                            | firmware | on, off, autonomous, auto, c1e, c6-without-c1e
c1e                          | C1E                                                 | firmware | on, off
collaborative-cpu-control    | Collaborative CPU Performance Control               | firmware | off, on
controlled-turbo             | Dell Controlled Turbo                               | firmware | off, on, minus-1-bin, minus-2-bins, minus-3-bins
optimizer-mode               | Optimizer Mode of Dell Controlled Turbo             | firmware | auto, on, off
snoop-hold-off               | I/O Snoop HoldOff Response                          | firmware | 256-cycles, 512-cycles, 1k-cycles, 2k-cycles, 4k-cycles, 8k-cycles, 16k-cycles, 32k-cycles, 64k-cycles, 128k-cycles
io-non-posted-prefetch       | I/O Non-Posted Prefetch                             | firmware | on, off
address-translation-services | Address Translation Services (ATS)                  | firmware | on, off
kernel-dma-protection        | Kernel DMA Protection                               | firmware | off, on
memory-test                  | System Memory Testing                               | firmware | off, on
mmio-above-4gb               | Memory Mapped I/O above 4GB                         | firmware | on, off, auto
mmio-base                    | Memory Mapped I/O Base                              | firmware | 56tb, 12tb, 512gb
cores-per-processor          | Number of Cores per Processor                       | firmware | all, 1 to 256
correctable-ecc-smi          | Correctable Memory ECC SMI                          | firmware | on, off
cpu-interconnect-link-power  | CPU Interconnect Bus Link Power Management          | firmware | on, off
cpu-power-management         | CPU Power Management                                | firmware | max-performance, system-dbpm, os-dbpm, minimum-power
data-reuse                   | Data Reuse                                          | firmware | on, off
dcu-ip-prefetcher            | DCU IP Prefetcher                                   | firmware | on, off
dcu-streamer-prefetcher      | DCU Streamer Prefetcher                             | firmware | on, off
dead-line-llc-alloc          | Dead Line LLC Alloc                                 | firmware | on, off, auto
directory-mode               | Directory Mode                                      | firmware | on, off
directory-atos               | Directory AtoS                                      | firmware | off, on, auto
dynamic-load-line            | Dynamic Load Line Switch                            | firmware | on, off
energy-efficient-turbo       | Energy Efficient Turbo                              | firmware | on, off
energy-performance-bias      | Energy Efficient Policy                             | firmware | balanced-performance, performance, maximum-performance, balanced-energy, energy-efficient
execute-disable              | Execute Disable                                     | firmware | on, off
hardware-prefetcher          | Hardware Prefetcher                                 | firmware | on, off
llc-prefetch                 | LLC Prefetch                                        | firmware | on, off
logical-processor-idling     | Logical Processor Idling                            | firmware | off, on
madt-core-enumeration        | MADT Core Enumeration                               | firmware | round-robin, linear
memory-frequency             | Memory Frequency                                    | firmware | maximum, 5600, 5200, 4800, 4400, 4000, 3600, 3200, 2933, 2666, 2400, 2133, 1866, 1600, 1333, 1066, 800, balanced, minimal-power
memory-mode                  | Memory Operating Mode                               | firmware | optimizer, advanced-ecc, mirror, spare, spare-advanced-ecc
memory-patrol-scrub          | Memory Patrol Scrub                                 | firmware | standard, extended, off
memory-refresh-rate          | Memory Refresh Rate                                 | firmware | 1x, 2x, auto
memory-voltage               | Memory Operating Voltage                            | firmware | auto, 1.5v
monitor-mwait                | Monitor/Mwait                                       | firmware | on, off, auto
node-interleaving            | Node Interleaving                                   | firmware | off, on
pcie-aspm                    | PCI ASPM L1 Link Power Management                   | firmware | on, off, auto
qpi-bandwidth-priority       | QPI Bandwidth Priority                              | firmware | compute, io
qpi-speed                    | QPI Speed                                           | firmware | maximum, 11.2, 10.4, 9.6, 8.0, 7.2, 6.4, balanced, minimal-power
smt                          | Logical Processor (SMT, Hyper-Threading)            | firmware | on, off, auto
snoop-mode                   | Snoop Mode                                          | firmware | early, home, cluster-on-die
sr-iov                       | SR-IOV Global Enable                                | firmware | off, on
sub-numa-cluster             | Sub NUMA Cluster                                    | firmware | off, on, auto, snc2, snc4
system-profile               | System Profile                                      | firmware | dapc, os, performance, dense, workstation, custom
turbo                        | Turbo Mode                                          | firmware | on, off, auto
turbo-cores-processor-1      | Number of Turbo Boost Enabled Cores for Processor 1 | firmware | all, 1 to 256
turbo-cores-processor-2      | Number of Turbo Boost Enabled Cores for Processor 2 | firmware | all, 1 to 256
uncore-frequency             | Uncore Frequency                                    | firmware | dynamic, maximum, dynamic-optimized, minimum
upi-prefetch                 | UPI Prefetch                                        | firmware | on, off, auto
virtualization               | Virtualization Technology                           | firmware | on, off
write-data-crc               | Write Data CRC                                      | firmware | off, on
x2apic                       | x2APIC Mode                                         | firmware | off, on, auto, force-enabled
xpt-prefetch                 | XPT Prefetch                                        | firmware | on, off, auto
acpi-idle-limit              | Deepest C-state of acpi_idle                        | boot     | none, c1
idle-poll                    | Polling idle loop                                   | boot     | off, on
intel-idle                   | intel_idle driver                                   | boot     | on, off
skew-tick                    | Timer ticks skewed between CPUs                     | boot     | off, on
base-profile                 | Profile of tuned that the plan builds on            | os       | none, accelerator-performance, balanced, hpc-compute, latency-performance, mssql, network-latency, network-throughput, oracle, postgresql, powersave, sap-hana, throughput-performance, virtual-guest, virtual-host
busy-poll                    | Busy polling of sockets                             | os       | off, 1us to 2147483647us
cpuspeed-service             | cpuspeed service                                    | os       | on, off
energy-perf-bias             | Energy/performance bias                             | os       | normal, performance, balance-performance, power
governor                     | CPU frequency governor                              | os       | schedutil, performance, ondemand, conservative, powersave
min-perf-pct                 | Minimum P-state (intel_pstate), in %                | os       | lowest, 1 to 100
numa-balancing               | Automatic NUMA balancing                            | os       | on, off
smt-placement                | Placement of threads on SMT siblings                | os       | unmanaged, strict-no-smt, loose-no-smt, smt
swappiness                   | Swappiness                                          | os       | 0 to 200
transparent-hugepages        | Transparent huge pages                              | os       | madvise, always, never
zone-reclaim                 | Zone reclaim                                        | os       | off, on
"""

OF_OTHER_MAKERS = """
adddc-sparing | ADDDC Sparing | firmware | off, on
amd-workload-profile | AMD Performance Workload Profile | firmware | off, cpu-intensive, java-throughput, java-latency, power-efficiency, memory-throughput, storage-io, nic-throughput, nic-latency, accelerator-throughput, vmware-vsphere, linux-kvm, container, rdbms, big-data-analytics, iot-gateway, hpc, openstack-nfv, openstack-real-time
avx-base-frequency | Base frequency with AVX (AVX P1) | firmware | nominal, level-1, level-2
boost-limit | Highest boost frequency, in MHz; 0 for none stated | firmware | 0 to 10000
boost-limit-control | Control of the boost limit | firmware | auto, manual
c-state-efficiency | C-State Efficiency Mode | firmware | on, off
c1-auto-demotion | C1 Auto Demotion | firmware | auto, on, off
collaborative-power-control | Collaborative Power Control | firmware | on, off
data-fabric-c-states | C-states of the data fabric (DF C-states) | firmware | auto, on, off
determinism | Determinism | firmware | power, performance, auto
determinism-control | Control of the determinism | firmware | auto, manual
direct-cache-access | Direct Cache Access (DCA) | firmware | on, off
dram-power-down | Power-down of the DRAM controller | firmware | off, on
epp-profile | Energy/performance preference (EPP) of the firmware | firmware | balanced-performance, performance, balanced-power, power
energy-performance-bias-owner | Who sets the energy/performance bias | firmware | os, platform
amd-power-profile | Power profile of the processor (AMD) | firmware | high-performance, maximum-io, efficiency
fabric-frequency-optimizer | Optimizer of the fabric's clock (DF P-state frequency optimizer) | firmware | on, off
fabric-latency-optimizer | Optimizer of the fabric's latency (DF P-state latency optimizer) | firmware | on, off
configurable-tdp | Configurable TDP (cTDP) | firmware | nominal, level-1, level-2, maximum, minimum
l1-stride-prefetcher | L1 Stride Prefetcher | firmware | on, off
l1-region-prefetcher | L1 Region Prefetcher | firmware | on, off
l2-up-down-prefetcher | L2 Up/Down Prefetcher | firmware | on, off
fabric-p-state | P-state of the fabric | firmware | auto, p0, p1, p2, p3
fabric-power-management | Power management of the fabric (Infinity Fabric; off is APBDIS 1) | firmware | on, off, auto
hardware-p-states | Hardware P-states | firmware | off, native, native-only, out-of-band
interrupt-remapping | Interrupt Remapping | firmware | auto, on, off
iommu | IOMMU (VT-d, AMD I/O Virtualization) | firmware | on, off, auto
l1-stream-prefetcher | L1 Stream HW Prefetcher | firmware | on, off, auto
l2-rfo-prefetcher | L2 RFO Prefetcher | firmware | auto, off, on
l2-stream-prefetcher | L2 Stream HW Prefetcher | firmware | on, off, auto
l3-as-numa | L3 caches as NUMA nodes | firmware | off, on, auto
lclk-dpm-level | Clock of the I/O hubs (LCLK DPM) | firmware | auto, low, high
memory-channel-interleaving | Interleaving of the memory channels | firmware | on, off
memory-p-states | P-states of the memory | firmware | auto, off
memory-page-policy | Page Policy | firmware | adaptive, closed-page
memory-power-management | Memory Power Management | firmware | off, auto
memory-protection | Memory protection (AMP) | firmware | advanced-ecc, fast-fault-tolerant-adddc, online-spare-advanced-ecc, mirrored-advanced-ecc, auto
numa-group-size | NUMA Group Size Optimization | firmware | flat, clustered
numa-nodes-per-socket | NUMA nodes per socket (NPS) | firmware | auto, 1, 2, 4, 0
operating-mode | Operating Mode | firmware | efficiency-favor-performance, custom, maximum-efficiency, maximum-performance, efficiency-favor-power, minimal-power
p-state-1 | P-state 1 of the processor | firmware | on, off
p-state-2 | P-state 2 of the processor | firmware | on, off
latency-optimized-mode | Latency Optimized Mode | firmware | off, on
optimized-power-mode | Optimized Power Mode | firmware | off, on
p-state-control | Control of the P-states | firmware | autonomous, legacy, cooperative, cooperative-with-legacy, none
package-c-state-limit | Deepest C-state of the package | firmware | auto, c0-c1, c2, c6-non-retention, c6-retention, unlimited
package-power-limit-control | Control of the package power limit | firmware | auto, manual
patrol-scrub-duration | Patrol Scrub Duration, in hours | firmware | 1 to 24
pcie-relaxed-ordering | PCIe Relaxed Ordering | firmware | off, on
periodic-directory-rinse | Periodic Directory Rinse | firmware | on, off
power-technology | Power Technology | firmware | custom, energy-efficient, off, performance
sgx-factory-reset | SGX Factory Reset | firmware | off, on
snoop-preference | Snoop Preference | firmware | home, home-plus
speedstep | SpeedStep (P-states) | firmware | on, off
transparent-memory-encryption | Transparent Secure Memory Encryption (TSME) | firmware | off, on
p-state-hysteresis | P-state Hysteresis            | firmware | none
uncore-rapl | Uncore Frequency RAPL | firmware | on, off
turbo-limits | Limits of the turbo frequency | firmware | none, restricted
uma-clustering | UMA-Based Clustering | firmware | off, hemisphere, quadrant
upi-l0p | L0p of the UPI links | firmware | on, off, auto
upi-l1 | L1 of the UPI links | firmware | on, off, auto
upi-links | UPI links in use | firmware | all, one-less, auto, 1, 2, 3
workload-configuration | Workload Configuration | firmware | balanced, io-sensitive, numa, uma
workload-profile | Workload Profile | firmware | general-power-efficient-compute, general-peak-frequency-compute, general-throughput-compute, virtualization-power-efficient, virtualization-max-performance, low-latency, mission-critical, transactional-processing, high-performance-compute, decision-support, graphic-processing, io-throughput, custom
xgmi-force-link-width | xGMI link width, forced | firmware | auto, x2, x8, x16
autonomous-core-c-states | Autonomous Core C-State | firmware | off, on
cppc | Collaborative Processor Performance Control (CPPC) | firmware | auto, on, off
cpu-performance-profile | CPU Performance | firmware | custom, enterprise, high-throughput, hpc
efficiency-mode | Efficiency Mode | firmware | auto, on
enhanced-cpu-performance | Enhanced CPU Performance | firmware | auto, off
memory-controller-interleaving | IMC Interleaving | firmware | auto, 1-way, 2-way
memory-interleaving-control | AMD Memory Interleaving Control | firmware | auto, on, off
memory-ras | Memory RAS Configuration | firmware | maximum-performance, adddc-sparing, lockstep, mirroring, mirroring-1lm, partial-mirroring-1lm, sparing
xgmi-maximum-speed | xGMI links at their maximum speed | firmware | off, on
xgmi-max-link-width | xGMI link width, at most | firmware | auto, x2, x8, x16
access-control-services | PCIe Access Control Services (ACS) | firmware | on, off
acpi-slit | Table of distances for the operating system (ACPI SLIT) | firmware | on, off
acs-completion-redirect | ACS redirection of peer-to-peer completions | firmware | off, on
acs-control | Overwriting of the ACS control register in root ports | firmware | on, off
acs-request-redirect | ACS redirection of peer-to-peer requests | firmware | off, on
acs-source-validation | ACS source validation | firmware | off, on
acs-translation-blocking | ACS translation blocking | firmware | off, on
acs-upstream-forwarding | ACS upstream forwarding | firmware | off, on
adr | ADR | firmware | on, off
aes-instructions | AES instructions (AES-NI) | firmware | on, off
avx-license-pre-grant | AVX license granted in advance | firmware | off, on
avx-pre-grant-level | Level of the AVX license granted in advance | firmware | 128-heavy
burst-refresh | DRAM Burst Refresh | firmware | on, off
correctable-error-threshold | Correctable Error Threshold | firmware | 0 to 32767
cxl-type-3-legacy | CXL type 3 devices by the flow of type 2 | firmware | off, on
degrade-precedence | Precedence where options conflict (Degrade Precedence) | firmware | topology, feature
dma-remapping | DMA Remapping | firmware | off, on
dmi-link-frequency | Frequency of the DMI link | firmware | auto, gen1, gen2
dram-power-report | Report of the memory's power (DRAM RAPL) | firmware | on, off
dram-power-limit | Control of the memory's power limit (DRAM RAPL) | firmware | off, os, platform
dynamic-speed-select | Dynamic choice of the Speed Select profile | firmware | off, on
enhanced-post-package-repair | Enhanced Post Package Repair of the memory (PPR) | firmware | off, persistent
enhanced-preferred-io | Enhanced Preferred I/O | firmware | off, on
fast-ac-boot | AC Boot Fast | firmware | off, on
fadr | fADR | firmware | off, on
fadr-core-ratio | Core ratio for fADR | firmware | 0 to 255
fadr-core-ratio-control | Control of the core ratio for fADR | firmware | auto, manual
fadr-cores | Cores that flush their caches for fADR | firmware | all, 1, 4
fadr-flush-timeout | Flush timeout for fADR, in units of 4 ms; 0 for none | firmware | 0 to 4095
fadr-flush-timeout-control | Control of the flush timeout for fADR | firmware | auto, manual
fadr-mesh-ratio | Mesh ratio for fADR | firmware | 0 to 255
fadr-mesh-ratio-control | Control of the mesh ratio for fADR | firmware | auto, manual
fast-cold-boot | Cold Boot Fast | firmware | on, off
full-memory-mirror | Full Memory Mirror | firmware | off, on
hardware-pm-interrupt | Interrupt of the hardware's power management | firmware | off
io-directory-cache | I/O Directory Cache (IODC) | firmware | auto, off, remote-hybrid-push, alloc-flow, remote-hybrid-alloc, remote-invitom-wvilf
io-proximity-reporting | Memory Proximity Reporting for I/O | firmware | on, off
leaky-bucket-high-bit | Leaky bucket of memory errors, high bit | firmware | 1 to 41
leaky-bucket-low-bit | Leaky bucket of memory errors, low bit | firmware | 1 to 41
legacy-adr | Legacy ADR Mode | firmware | auto, off, on
maximum-sev-asid | Number of ASIDs for SEV guests | firmware | 509, 253
memory-data-scrambling | Memory Data Scrambling | firmware | on, off
memory-encryption-bypass | Bypass of Total Memory Encryption | firmware | auto, off, on
memory-pfa | Memory PFA | firmware | off, on
memory-frequency-restrictions | Restrictions of the memory frequency (POR) | firmware | on, off
memory-integrity | Memory Integrity | firmware | off, on
memory-interleave-size | Memory Interleave Size | firmware | 256-bytes, 512-bytes, 1024-bytes, 2048-bytes, 4096-bytes
memory-mirroring | Memory Mirroring | firmware | off, full, partial
minimum-sev-asid | Lowest ASID of SEV guests without SEV-ES | firmware | 1 to 510
mirror-below-4gb | Mirror Below 4GB | firmware | off, on
mmcfg-base     | MM Config Base                       | firmware | 3gb, 2gb, 1gb, auto
mmcfg-base-3gb | PCIe Configuration MMIO Base at 3 GB | firmware | off, auto
multi-key-memory-encryption | Memory encryption with several keys (TME-MT, MK-TME) | firmware | off, on
nic-dma-channels | NIC DMA Channels | firmware | on, off
numa-support | NUMA Support | firmware | on, off
p-state-coordination | Coordination of P-states between logical processors (PSD) | firmware | hw-all, sw-all
package-power-limit | Package power limit; 0 for none stated | firmware | 0W to 500000W
partial-memory-mirror | Partial Memory Mirror | firmware | off, on
partial-mirror-ratio | Mirrored part of the memory, in hundredths of a percent | firmware | 0 to 5000
pcie-power-brake | PCIe Power Brake | firmware | proactive, reactive, off
peci-trusted | Trust in the PECI interface | firmware | on, off
physical-address-limit | Limit of physical addresses to 46 bits | firmware | on, off
platform-power-balancing | Platform Power Balancing | firmware | off, on
platform-power-domain | Domain of the platform's power (platform RAPL) | firmware | hardware, archer-city, manual
platform-power-info-lock | Lock of the information on the platform's power | firmware | on, off
platform-power-limit-1 | First power limit of the platform (PPL1) | firmware | on, off
platform-power-limit-1-watts | Value of the first power limit of the platform (PPL1) | firmware | 0W to 16383W
platform-power-limit-2 | Second power limit of the platform (PPL2) | firmware | on, off
platform-power-limit-2-watts | Value of the second power limit of the platform (PPL2) | firmware | 0W to 16383W
platform-power-limit-lock | Lock of the platform's power limits | firmware | on, off
platform-power-limits | Limits of the platform's power (platform RAPL) | firmware | hardware, archer-city-1-psu-config-1, archer-city-1-psu-config-2, archer-city-2-psu-config-1, archer-city-2-psu-config-2, archer-city-3-psu-config-1, manual
platform-power-maximum-1 | Highest value of the first power limit of the platform | firmware | 0 to 16383
platform-power-maximum-2 | Highest value of the second power limit of the platform | firmware | 0 to 16383
platform-power-minimum | Lowest power limit of the platform | firmware | 0 to 4095
post-package-repair | Post Package Repair of the memory (PPR) | firmware | hard, soft, off
preferred-io | Preferred I/O bus | firmware | off, on
preferred-io-bus | Number of the preferred I/O bus | firmware | 0 to 255
redundant-power-supplies | Redundant power supplies | firmware | balanced, standby-auto, standby-odd, standby-even
secured-core | Microsoft Secured-core Support | firmware | off, on
safer-mode-extensions | Safer Mode Extensions (SMX) | firmware | off, on
secure-memory-encryption | Secure Memory Encryption (SME) | firmware | off, on
sgx | Software Guard Extensions (SGX) | firmware | off, on
sgx-auto-registration | SGX Auto MP Registration | firmware | off, on
sgx-key-writes | Writes of software to the SGX launch key hash | firmware | on, off
sgx-memory-size | Size of the memory for SGX (PRMRR) | firmware | none, 32m, 64m, 128m, 256m, 512m, 1g, 2g, 4g, 8g, 16g, 32g, 64g, 128g, 256g, 512g
sgx-package-info | SGX Package Info In-Band Access | firmware | off, on
sgx-quality-of-service | SGX Quality of Service | firmware | on, off
speculative-lock-scheduling | Speculative scheduling of page table locks | firmware | on, off
sst-bf | SST-BF | firmware | off, on
sst-cp | SST-CP | firmware | off, on
speed-select-level | Performance profile of Speed Select (SST-PP) | firmware | auto, level-0, level-1, level-2, level-3, level-4, base, config-1, config-2
total-memory-encryption | Total Memory Encryption (TME) | firmware | off, on
trust-domain-loader | Loader of the TDX module (SEAM Loader) | firmware | off, on
trust-domains | Trust Domain Extension (TDX) | firmware | off, on
trusted-execution | Trusted Execution Technology (TXT) | firmware | off, on
turbo-limit-group-1 | Highest frequency with group 1 of active cores | firmware | 1200MHz to 6000MHz step 100
turbo-limit-group-2 | Highest frequency with group 2 of active cores | firmware | 1200MHz to 6000MHz step 100
turbo-limit-group-3 | Highest frequency with group 3 of active cores | firmware | 1200MHz to 6000MHz step 100
turbo-limit-group-4 | Highest frequency with group 4 of active cores | firmware | 1200MHz to 6000MHz step 100
turbo-limit-group-5 | Highest frequency with group 5 of active cores | firmware | 1200MHz to 6000MHz step 100
turbo-limit-group-6 | Highest frequency with group 6 of active cores | firmware | 1200MHz to 6000MHz step 100
turbo-limit-group-7 | Highest frequency with group 7 of active cores | firmware | 1200MHz to 6000MHz step 100
upi-link-4 | Fourth UPI link | firmware | off, on
dead-block-predictor | Dead Block Predictor | firmware | off, on
direct-to-upi | Direct to UPI (D2K) | firmware | auto, on, off
enhanced-processor-performance | Enhanced Processor Performance | firmware | off, on
enhanced-processor-performance-profile | Profile of Enhanced Processor Performance | firmware | moderate, conservative, aggressive
fan-cooling | Cooling by the fans | firmware | optimal, increased, maximum, enhanced-cpu
local-remote-threshold | Local/Remote Threshold | firmware | auto, low, medium, high, off
memory-mirroring-mode | How memory is mirrored, where its protection is mirroring | firmware | full, partial-by-os, partial-below-4gb, partial-10-percent, partial-20-percent
peer-to-peer-serialization | Peer-to-peer Serialization of PCIe | firmware | off, on
remote-xpt-prefetch | Remote XPT Prefetch | firmware | auto, on, off
tsx | Transactional Synchronization Extensions (TSX) | firmware | on, off
virtual-numa | Virtual NUMA nodes in the tables for the operating system | firmware | off, on
vmd | Volume Management Device (VMD) | firmware | off, individual, all
vmd-direct-assign | Direct assignment of VMD | firmware | all, off
volatile-memory-mode | Volatile Memory Mode | firmware | 2lm, 1lm
"""
"""Settings that no PowerEdge has. Makers name them differently, so that most titles are this library's own."""

OF_LINUX = """
amd-pstate | Mode of the amd_pstate driver | boot | kernel-default, active, guided, passive, disabled
clock-source | Clock source | boot | kernel-default, tsc, hpet
huge-page-size | Default size of huge pages | boot | kernel-default, 2m, 1g
huge-pages-at-boot | Huge pages of the default size, reserved at boot | boot | kernel-default, 0 to 1000000000
idle-governor | Governor of the idle states | boot | kernel-default, menu-governor, teo, ladder, haltpoll
intel-iommu | Driver of Intel's IOMMU | boot | kernel-default, on, off
intel-pstate | Mode of the intel_pstate driver | boot | kernel-default, active, passive, no-hwp, disabled
interrupt-cpus | CPUs that take interrupts unless told otherwise | boot | all, cpu-list
iommu-passthrough | DMA that bypasses the IOMMU | boot | kernel-default, on, off
managed-interrupt-cpus | CPUs that managed interrupts keep away from | boot | none, cpu-list
isolated-cpus | CPUs kept out of load balancing and managed interrupts | boot | none, cpu-list
kernel-aspm | PCIe ASPM as Linux sets it | boot | kernel-default, off
kernel-smt | SMT as Linux uses it | boot | kernel-default, off, forced-off
machine-checks | Machine check exceptions | boot | kernel-default, ignore-corrected, off
mitigations | Mitigations of processor vulnerabilities | boot | kernel-default, auto, auto-nosmt, auto-no-user, auto-no-guest, auto-no-cross-thread, off
rcu-offloaded-cpus | CPUs whose RCU callbacks run elsewhere | boot | none, cpu-list
soft-lockup-detector | Detector of soft lockups | boot | kernel-default, off
tickless-cpus | CPUs without a timer tick while they run one task | boot | none, cpu-list
tsc-checks | Checks of the time stamp counter | boot | kernel-default, reliable, no-watchdog
asynchronous-io | Asynchronous I/O requests in total | os | unmanaged, 1 to 2147483647
autogroup | Automatic task groups of the scheduler | os | unmanaged, on, off
block-merges | Merging of requests to disks | os | all, simple, none
adaptive-rx-coalescing | Receive interrupts of network cards adapted to the traffic | os | unmanaged, on, off
adaptive-tx-coalescing | Transmit interrupts of network cards adapted to the traffic | os | unmanaged, on, off
rx-interrupt-delay | Delay of receive interrupts of network cards | os | unmanaged, 0us to 4294967295us
tx-interrupt-delay | Delay of transmit interrupts of network cards | os | unmanaged, 0us to 4294967295us
rx-ring-size | Receive ring of network cards, in entries | os | unmanaged, 1 to 4294967295
tx-ring-size | Transmit ring of network cards, in entries | os | unmanaged, 1 to 4294967295
network-queues | Queues of network cards (combined channels) | os | unmanaged, 1 to 4294967295
block-scheduler | I/O scheduler of disks | os | unmanaged, none, mq-deadline, kyber, bfq
dirty-background-bytes | Dirty memory limit for background writeback, in bytes | os | in-percent, 8192 to 1000000000000
dirty-bytes | Dirty memory limit, in bytes | os | in-percent, 8192 to 1000000000000
energy-performance-preference | Energy/performance preference (EPP) | os | unmanaged, performance, balance-performance, balance-power, power
huge-pages-1g | Huge pages of 1 GiB, while running | os | unmanaged, 0 to 1000000
huge-pages-2m | Huge pages of 2 MiB, while running | os | unmanaged, 0 to 1000000000
huge-pages-1g-per-node | Huge pages of 1 GiB in each NUMA node, while running | os | unmanaged, 0 to 1000000
huge-pages-2m-per-node | Huge pages of 2 MiB in each NUMA node, while running | os | unmanaged, 0 to 1000000000
memory-overcommit | Promises of more memory than there is (overcommit) | os | heuristic, always, never
panic-on-oops | Panic when the kernel finds a fault of its own | os | unmanaged, on, off
process-limit | Processes and threads in total | os | unmanaged, 301 to 4194304
restart-after-panic | Restart after a panic | os | unmanaged, off, 1s to 2147483647s
tcp-retransmissions | Retransmissions before a TCP connection is given up | os | 0 to 255
hung-task-timeout | Report of tasks that hang | os | unmanaged, off, 1s to 2147483647s
isolated-partition | CPUs in an isolated partition (cpuset) | os | none, cpu-list
irqbalance-banned-cpus | CPUs that irqbalance leaves alone | os | unmanaged, cpu-list
firmware-refresh-timer | Timer that looks for new firmware (fwupd) | os | unmanaged, off
power-profiles-service | Service that chooses tuned's profile on request (tuned-ppd) | os | unmanaged, off
listen-backlog | Backlog of a listening socket | os | 1 to 2147483647
max-map-count | Memory maps of one process | os | unmanaged, 1 to 2147483647
minimum-free-memory | Memory kept free, in KiB | os | unmanaged, 1024 to 2147483647
nmi-watchdog | Detector of hard lockups (NMI watchdog) | os | unmanaged, on, off
packet-backlog | Packets that wait for a CPU | os | unmanaged, 1 to 2147483647
real-time-runtime | Time that real-time tasks may take of each second | os | unlimited, 0us to 1000000us
uncore-maximum-frequency | Highest frequency of the uncore | os | unmanaged, 100MHz to 10000MHz
uncore-minimum-frequency | Lowest frequency of the uncore | os | unmanaged, 100MHz to 10000MHz
uncore-idle-frequency | Lowest frequency of the uncore at low load (ELC floor) | os | unmanaged, 100MHz to 10000MHz
uncore-low-load | Load up to which the uncore counts as idle, in % (ELC low threshold) | os | unmanaged, 0 to 100
uncore-high-load | Load from which the uncore speeds up, in % (ELC high threshold) | os | unmanaged, off, 1 to 100
dirty-expiry | Age at which dirty memory is written out, in 1/100 s | os | unmanaged, 1 to 2147483647
writeback-interval | Interval at which old dirty memory is written out, in 1/100 s | os | unmanaged, off, 1 to 2147483647
tcp-keepalive-time | Idle time after which TCP asks whether the other side is there | os | 1s to 2147483s
tcp-keepalive-interval | Time between such questions of TCP | os | 1s to 2147483s
tcp-keepalive-probes | Unanswered questions after which TCP gives a connection up | os | 1 to 255
open-file-limit | Open files in total | os | unmanaged, 1 to 999999999999999
shared-memory-segment-limit | Largest segment of shared memory, in bytes | os | unmanaged, 1 to 999999999999999
shared-memory-limit | Shared memory in total, in pages | os | unmanaged, 1 to 999999999999999
shared-memory-segments | Segments of shared memory in total | os | unmanaged, 1 to 32768
semaphores | Limits of the semaphores of System V | os | unmanaged, 250-32000-100-128, 32000-1024000000-500-32000
local-ports | Ports that connections get by themselves | os | 1024-65535, 9000-65499, 32768-60999
service-open-files | Open files that a service may raise its limit to | os | 1024 to 1048576
service-locked-memory | Memory that a service may lock, in bytes | os | unlimited, 65536 to 999999999999999
inotify-watches | Files that one user may watch (inotify) | os | unmanaged, 1 to 2147483647
inotify-instances | Instances of inotify of one user | os | unmanaged, 1 to 2147483647
neighbour-table-minimum | Neighbours (ARP) up to which none is dropped | os | 1 to 2147483647
neighbour-table-threshold | Neighbours (ARP) above which old ones are dropped soon | os | 1 to 2147483647
neighbour-table-maximum | Neighbours (ARP) at most | os | 1 to 2147483647
receive-buffer-default | Initial receive buffer of a socket, in bytes | os | unmanaged, 2304 to 2147483647
send-buffer-default | Initial send buffer of a socket, in bytes | os | unmanaged, 4608 to 2147483647
tcp-receive-buffer-maximum | Largest receive buffer that TCP chooses by itself, in bytes | os | unmanaged, 87380 to 2147483647
tcp-send-buffer-maximum | Largest send buffer that TCP chooses by itself, in bytes | os | unmanaged, 65536 to 2147483647
receive-buffer-maximum | Largest receive buffer of a socket, in bytes | os | unmanaged, 2304 to 2147483647
same-page-merging | Merging of equal pages (KSM) | os | off, on
send-buffer-maximum | Largest send buffer of a socket, in bytes | os | unmanaged, 4608 to 2147483647
service-cpus | CPUs that services run on | os | unmanaged, cpu-list
syn-backlog | Half-open connections of a listening socket | os | unmanaged, 1 to 2147483647
tcp-fast-open | TCP Fast Open | os | client, client-and-server, server, off
tcp-slow-start-after-idle | TCP slow start after idle time | os | on, off
tcp-timestamps | TCP timestamps | os | on, off
tcp-unsent-limit | Unsent bytes of a TCP socket | os | unlimited, 1 to 4294967294
thp-defrag | Effort to find memory for transparent huge pages | os | madvise, always, defer, defer-madvise, never
timer-migration | Timers of idle CPUs moved to busy ones | os | unmanaged, on, off
vm-statistics-interval | Interval of the memory statistics | os | 1s to 2147483647s
dirty-background-ratio | Dirty memory limit for background writeback, in % | os | in-bytes, 0 to 100
dirty-ratio | Dirty memory limit, in % | os | in-bytes, 0 to 100
force-latency | Longest exit latency of an idle state | os | none, c1, 1us to 2000us
readahead | Read-ahead of disks, in KiB; 4096 is a minimum | os | unmanaged, 0 to 2147483647
"""
"""Boot arguments and knobs of a running system beyond those of tuned's profiles for latency and throughput."""

OTHERWISE = {
    "alternate-rtid": "Alternate RTID (Requestor Transaction ID) Setting",
    "optimizer-mode": "Optimizer Mode",
    "qpi-bandwidth-priority": "Intel QPI Bandwidth Priority",
    "smt": "Logical Processor",
}
"""Ours is shorter; longer, since others have such a mode; shorter; longer, for those who look for it."""


def table() -> dict[str, list[str]]:
    """The lines of the tables in cells, by name."""
    return {name: shown for name, *shown in (*rows(SETTINGS), *rows(OF_OTHER_MAKERS), *rows(OF_LINUX))}


def test_settings(knowledge: Knowledge) -> None:
    settings = knowledge.settings.items()
    assert {n: [s.title, s.layer, ", ".join(s.values)] for n, s in settings} == table()


def test_firmware_settings_have_the_name_of_a_menu(knowledge: Knowledge) -> None:
    menus = {
        name: {offer.menu.rpartition(" > ")[2] for offer in offers}
        for name, offers in knowledge.offers.items()
    }
    for name, title, layer, _ in rows(SETTINGS):
        if layer == "firmware":
            assert OTHERWISE.get(name, title) in menus[name]
            assert name not in OTHERWISE or title not in menus[name]
