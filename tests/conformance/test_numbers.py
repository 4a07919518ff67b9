"""The numbers in the words of the knowledge base: each as the source prints it.

A line has what is said, where it is said, and its numbers in their order, with the letters that stand at them: `E5540`,
`4.1.2`, `C1E`. The place in the source is the one that the statement cites, or the figure, table or section that the
words name in brackets; such a reference stands among the numbers. Every text that has a number has a line.

Each text was held against its place, by eye:

* the papers: all lines under their names, under `assumptions`, `processors` and `sources`. The mix of 20 % idle and 80
  % load is CERN's Section 3; ICC 11.0 is in its Section 4.1. `447.dealII` is printed with three small l. That Table 6
  of the first edition has the cpuspeed service is in the Japanese text, and so is its Figure 7.
* the registries of R720, R630 and R740: the help texts and dependencies that are cited, and the versions.
* tuned: its repository, for the profiles of 2.20 and from 2.25 on (`balanced` changed on 2025-01-21), and for the dates
  and the scripts of 0.2 (2011-09-27, 2013-01-03, 2013-07-24).
* public pages: Red Hat's solutions 202743 and 60365, the manual of Enterprise Linux 10, the retirement notice of 6,
  IBM's tip H207000, Microsoft's lifecycle dates (that of 2012 has since moved, within 2018).
* notes made of the sources: the kernel's change of 5.6, its driver of 6.1, the kernels of Enterprise Linux 5 to 9 and
  of Debian 12.
* others' reports: the default governor since 5.7; the kernels of Debian 13, Ubuntu and SUSE Linux Enterprise 11; Q1
  2014, the end of Production 2, as the last time that hardware was added to Enterprise Linux 5; x86-64-v3.

Not compared, for want of a source: Linux 3.5 as the first with `skew_tick`, Ubuntu 18.04 as the first with `madvise`,
and Enterprise Linux 5 and 6 as those of cpuspeed.

Where the papers' texts are at hand, `tests/knowledge/test_stdlib.py` looks each number up there; this is for where they
are not, and for numbers that the paper has, but not in this sentence.
"""

import re
from collections.abc import Iterator

import pytest

from conformance.printed import rows
from conformance.test_processors import PRINTED as MODELS
from setpoint.compiler.knowledge.model import Knowledge

PRINTED = {
    "hpe-ilo5-reference": """
dl360-gen10-x2apic-sets-iommu | because | x2APIC
""",
    "nvidia-counters": """
nvidia-counters | about | 2018 6260
""",
    "amd-esmi": """
fabric-clock-drops-in-package-c6 | because | C6
""",
    "hpe-com-cmdlets": """
hpe-profile-for-hpc | note | DL385 C6
hpe-profile-for-latency | note | DL385
""",
    "hpe-ilo-bios-reference": """
refresh-rate-vs-performance | help | 1x
""",
    "hpe-dl360-gen10-plus-registry": """
dl360-gen10-plus-iommu-sets-x2apic | because | ProcX2Apic ProcX2Apic
dl360-gen10-plus-x2apic-locks-iommu | because | ProcX2Apic
""",
    "hpe-dl385-gen10-plus-v2-registry": """
dl385-gen10-plus-v2-workload-profile-keeps-x2apic | because | x2APIC
fabric-c-states-for-latency-dl385 | because | C6
profile-leaves-c6-on | because | C6
""",
    "hpe-dl380a-gen11-registry": """
dl380a-gen11-x2apic-locks-iommu | because | ProcX2Apic
""",
    "lenovo-bios-registries": """
autonomous-c-states-make-c1-c6 | because | C1 C6 C1
lenovo-c-states-for-latency | because | C1 C6
lenovo-c-states-for-limits-of-linux | because | C1 C6
sr670-v2-refresh-rate-vs-performance | help | 1x
sr670-v2-c-states-keeps-c1e | because | C1
sr670-v2-partial-memory-mirror-hides-mirror-below-4gb | because | 4GB
sr670-v2-turbo-keeps-turbo-limit-group-1 | because | 1 16
sr670-v2-turbo-keeps-turbo-limit-group-2 | because | 17 20
sr670-v2-turbo-keeps-turbo-limit-group-3 | because | 21 22
sr670-v2-turbo-keeps-turbo-limit-group-4 | because | 23 26
sr670-v2-turbo-keeps-turbo-limit-group-5 | because | 27 28
sr670-v2-turbo-keeps-turbo-limit-group-6 | because | 29 30
sr670-v2-turbo-keeps-turbo-limit-group-7 | because | 31 32
sr670-v2-turbo-limits-hides-turbo-limit-group-1 | because | 1 16
sr670-v2-turbo-limits-hides-turbo-limit-group-2 | because | 17 20
sr670-v2-turbo-limits-hides-turbo-limit-group-3 | because | 21 22
sr670-v2-turbo-limits-hides-turbo-limit-group-4 | because | 23 26
sr670-v2-turbo-limits-hides-turbo-limit-group-5 | because | 27 28
sr670-v2-turbo-limits-hides-turbo-limit-group-6 | because | 29 30
sr670-v2-turbo-limits-hides-turbo-limit-group-7 | because | 31 32
""",
    "supermicro-bios-registries": """
sys-821ge-tnhr-avx-base-frequency-hides-dynamic-speed-select | because | P1
sys-821ge-tnhr-avx-base-frequency-hides-sst-bf | because | P1
sys-821ge-tnhr-optimized-power-mode-keeps-c1e | because | C1E
sys-821ge-tnhr-physical-address-limit-keeps-memory-integrity | because | 46
sys-821ge-tnhr-physical-address-limit-keeps-multi-key-memory-encryption | because | 46
sys-821ge-tnhr-platform-power-limit-1-hides-platform-power-limit-1-watts | because | PPL1 PPL1
sys-821ge-tnhr-platform-power-limit-2-hides-platform-power-limit-2-watts | because | PPL2 PPL2
sys-821ge-tnhr-platform-power-limits-hides-platform-power-limit-1 | because | PPL1
sys-821ge-tnhr-platform-power-limits-hides-platform-power-limit-1-watts | because | PPL1
sys-821ge-tnhr-platform-power-limits-hides-platform-power-limit-2 | because | PPL2
sys-821ge-tnhr-platform-power-limits-hides-platform-power-limit-2-watts | because | PPL2
sys-821ge-tnhr-platform-power-limits-hides-platform-power-maximum-1 | because | PPL1
sys-821ge-tnhr-platform-power-limits-hides-platform-power-maximum-2 | because | PPL2
sys-821ge-tnhr-speedstep-hides-avx-base-frequency | because | P1
""",
    "assumptions": """
os modern-linux on any server                                                          | because | 5.6
os modern-linux on os linux                                                            | because | 5.6
sockets 4 on cpu e5-4600 or e5-4600-v2, platform poweredge-12g                         | because | E5 4600
platform poweredge-14g on cpu skylake                                                  | because | 14G
sockets 2 on cpu skylake                                                               | because | 14G
sockets 2 on platform poweredge-11g                                                    | because | 11G
sockets 2 on platform poweredge-12g or poweredge-13g or poweredge-14g or poweredge-15g | because | 12G 14G
""",
    "cern-nehalem": """
physics-jobs-on-cores-first                   | because | 26 42 52
physics-jobs-on-cores-first                   | note    | 218.392 300.270 0
physics-jobs-on-siblings-for-energy           | because | 7 1
smt-for-physics-balance                       | because | 7 1
smt-for-physics-energy                        | because | test40
smt-for-physics-performance                   | because | 15 20
smt-for-physics-performance                   | note    | 12 5.4.2
smt-for-physics-throughput                    | because | 15 20 19 CPU2006 19 30 4.4.1
smt-for-physics-throughput                    | note    | 107.8 115.1 5.5
turbo-for-physics-energy-e5540                | because | CPU2006
turbo-for-physics-energy-e5540                | note    | 4.1.2 32
turbo-for-physics-energy-l5520                | because | CPU2006
turbo-off-for-physics-energy-x5570            | because | CPU2006
turbo-off-for-physics-energy-x5570            | note    | 4.3.3 64
turbo-for-physics-throughput                  | because | 1 12 CPU2006
turbo-for-physics-throughput                  | note    | 4.1
siblings-performance-test40                   | note    | 0
siblings-energy-tbb                           | note    | 7 1
smt-on-tbb-irwindale                          | note    | 0.294
cern-nehalem, Figure 8                        | note    | 20 80 3 i7
nehalem-efficiency-over-harpertown            | note    | 20 80 3
smt-on-spec                                   | note    | E5540 4.1.2 32 L5520 4.1.2 64
turbo-on-spec                                 | note    | L5520 4.3.3 64 E5540 4.1.2 64
cern-nehalem, Section 4.4.1, compilers        | note    | 11.0 4.1.2 4.3.3
cern-nehalem, Section 4.4.1, reference system | note    | 4.1.2 32 20 80 3
cern-nehalem, Section 4.4.2                   | note    | E5540 2.53 3.0
cern-nehalem, Section 5.4.1                   | note    | 52 26
siblings-alice                                | note    | 19
cern-nehalem, Section 5.7.1                   | note    | 16 0
""",
    "dell-11g-hpc": """
apc-for-communication                                    | because | 8
c-states-off-for-latency                                 | because | 20 12
c-states-on-for-idle-power                               | because | 32
c1e-off-with-c-states                                    | because | C1E
cpuspeed-without-os-control                              | note    | 4 6
dell-11g-hpc.table-6.data-reuse.efficiency               | note    | 11
dell-11g-hpc.table-6.data-reuse.performance              | note    | 11
dell-11g-hpc.table-6.dcu-streamer-prefetcher.efficiency  | note    | 11
dell-11g-hpc.table-6.dcu-streamer-prefetcher.performance | note    | 11
dell-11g-hpc.table-6.smt.balanced                        | because | 7
dell-11g-hpc.table-6.smt.efficiency                      | because | 7
dell-11g-hpc.table-6.smt.latency                         | because | 7
dell-11g-hpc.table-6.smt.performance                     | because | 7
dell-11g-hpc.table-6.smt.performance                     | note    | 7 5.3
idle-states-for-turbo-11g                                | because | C1
node-interleaving-off-for-hpc                            | because | 4 13 2 4
turbo-for-performance                                    | because | 2 8
turbo-off-for-efficiency                                 | because | 2 8 12 21
c-state-idle-power                                       | because | 32
c-states-off-interactive                                 | because | 32
c-states-off-vs-efficiency                               | because | 32
c-states-vs-latency                                      | because | 20 12
c1e-vs-latency-11g                                       | because | C1E
c1e-vs-latency-11g                                       | help    | C1E
c1e-without-c-states-11g                                 | because | C1E
c1e-without-c-states-11g                                 | help    | C1E
needless-node-interleaving                               | because | 4 13 2 4
profile-vs-communication-efficiency                      | because | 8
turbo-vs-efficiency                                      | because | 2 8 12 21
dell-11g-hpc, Figure 11                                  | note    | 0
profile-efficiency                                       | note    | 2 3 11
smt-for-fluent                                           | note    | V12ln 1
""",
    "dell-11g-hpc-2009": """
dell-11g-hpc-2009.table-6.smt.balanced    | because | 7
dell-11g-hpc-2009.table-6.smt.efficiency  | because | 7
dell-11g-hpc-2009.table-6.smt.latency     | because | 7
dell-11g-hpc-2009.table-6.smt.performance | because | 7
""",
    "dell-12g-tuning": """
balanced-profile-12g                       | because | SPECpower_ssj2008
c-states-for-efficiency-12g                | because | C1E 66
c1e-for-efficiency-12g                     | because | C1E 66
collaborative-cpu-control-12g              | because | 2012
low-voltage-memory-12g                     | because | 1.35
memory-frequency-three-dimms-12g           | note    | 1333 1333
memory-mode-latency-12g                    | because | 225 40
memory-mode-throughput-12g                 | because | 55 71 97
memory-voltage-three-dimms-12g             | because | 1.5 1333
smt-throughput-12g                         | because | 9 34
smt-throughput-12g                         | note    | 470.lbm 436.cactusADM 10
turbo-for-efficiency-12g                   | because | 80 84 6 14
turbo-for-throughput-12g                   | because | CPU2006 6 9 14
advanced-ecc-vs-latency                    | because | 225
advanced-ecc-vs-performance                | because | 55 52 87 71
advanced-ecc-vs-performance                | help    | 90
c-state-idle-power-12g                     | because | C1E 66
c-state-idle-power-12g                     | help    | 1 13
c-states-off-vs-efficiency-12g             | because | C1E 66
c1e-off-vs-efficiency                      | because | C1E
c1e-off-vs-efficiency                      | help    | c1e
c1e-vs-latency                             | because | C1E
c1e-vs-latency                             | help    | c1e
dense-profile-vs-performance               | because | 85 87
logical-processor-idling-unsupported       | because | 2012 2012
max-performance-vs-efficiency              | because | 2
memory-voltage-vs-efficiency               | because | 1.5
mirror-vs-latency                          | because | 40
mirror-vs-performance                      | because | 76 50
needless-node-interleaving-12g             | because | 25 7 8.6 CPU2006
three-dimms-at-low-voltage                 | because | 1333 1.5
three-dimms-at-low-voltage                 | help    | 1.5v 1.5v
turbo-off-vs-performance                   | because | 6 9 14
turbo-vs-efficiency-12g                    | because | 6 14 80 84
memory-frequency-sandy-bridge              | because | 1600
node-interleaving-four-sockets-12g         | because | E5 4600 E5 4600
dell-12g-tuning, Figure 10                 | note    | SPECint_rate_base2006
dell-12g-tuning, Figure 11                 | note    | SPECfp_rate_base2006 447.dealII
c-states-peak-performance-12g              | note    | C1E C1E
c-states-perlbench-power-12g               | note    | C1E
profiles-perlbench-performance-12g         | note    | 1
profiles-omnetpp-performance-12g           | note    | 1
profiles-omnetpp-power-12g                 | note    | 16 410.bwaves
profiles-idle-power-linux-12g              | note    | C1E
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
memory-frequency-skylake          | because | 2666
dell-14g-hpc, Figure 1            | note    | 47
profile-peak-power                | note    | 3
""",
    "dell-bios-registries": """
cpu e5-2630 | about | 6
cpu e5-2676-v3 | about | 12
cpu xeon-gold-6130 | about | 16
cpu xeon-gold-6354 | about | 18
cores-not-listed-15g           | because | 18 16
dense-memory-speed-12g         | because | 1
dense-power-management-13g     | help    | 12th
spare-capacity-13g             | help    | 12th
spare-capacity-14g             | help    | 12th
x2apic-with-virtualization-13g | because | x2APIC
x2apic-with-virtualization-14g | because | x2APIC
x2apic-with-virtualization-15g | because | x2APIC
""",
    "ibm-h207000": """
intel-idle-off-sles-11 | note | 2 3.0
""",
    "poweredge-xeon-captures": """
snc-support-unknown-since-16g | because | R760xa R660xs
""",
    "intel-cassandra-guide": """
intel-cassandra-guide.table-2.smt.performance | note | 22
latency-mode-for-cassandra | because | 2 4
transparent-huge-pages-for-cassandra | because | 3 5
""",
    "cassandra-production": """
cassandra-production.read-ahead.readahead.latency | note | 64
""",
    "kafka-operations": """
kafka-within-default-memory-maps | because | 65 000
""",
    "intel-mysql-postgresql-guide": """
c6-for-mysql-and-postgresql | because | C6
""",
    "linux-apic": """
all-cores-of-two-sockets | because | 254
cpus-of-one-socket-without-iommu | because | 254
cpus-of-one-socket-without-x2apic | because | 254
cpus-of-one-socket-without-x2apic | help | x2apic x2apic
cpus-of-two-sockets-without-iommu | because | 254
cpus-of-two-sockets-without-x2apic | because | 254
cpus-of-two-sockets-without-x2apic | help | x2apic x2apic
""",
    "linux-kvm": """
linux-6.12-manual | about | 6.12 6.12.117
linux-i915-mitigations | about | 6.12
linux-kvm | about | 4.19
linux-listen-backlog | about | 4.1 16
""",
    "intel-microcode": """
intel-microcode | about | 06 55 07
""",
    "linux-amd-generations": """
linux-amd-generations | about | 6.10 17h 19h 1Ah 1 5
""",
    "lscpu-in-issues": """
lscpu-in-issues | about | 23 49 7002 25 17 9004
""",
    "lscpu-of-c6a": """
lscpu-of-c6a | about | 25 1 7003
""",
    "linux-cpuidle": """
acpi-idle-c1               | because | C1
idle-poll-vs-turbo         | help    | c1
kernel-forgoes-idle-states | because | C1
""",
    "kubernetes-topology-manager": """
l3-as-numa-beyond-topology-manager | because | L3
l3-as-numa-beyond-topology-manager | help    | l3
""",
    "linux-intel-idle": """
intel-idle-off-modern      | because | C1E
intel-idle-beyond-firmware | because | C1E
""",
    "firecracker-c-states": """
polling-makes-performance-erratic | because | C0
polling-makes-performance-erratic | help    | C1 c1
""",
    "nvidia-kernel-dl-server": """
tickless-cpus-under-deadline-server | because | 6.8 1 000
""",
    "dpdk-linux-guide": """
dpdk-linux-guide.linux-boot-command-line.huge-page-size.latency | note | 64
passive-p-state-driver-for-dpdk | because | 6.4
""",
    "nvidia-gds-for-nvme": """
identity-translation-for-direct-storage | because | H100 A100
""",
    "oracle-installation-guide": """
oracle-without-huge-pages          | help | 2m 70 90
oracle-with-transparent-huge-pages | help | UEK7
""",
    "postgresql-manual": """
postgresql-without-huge-pages | help | 2m
""",
    "amd-onload-guide": """
trading-without-huge-pages | help    | 2m
onload-with-large-pages    | because | 2
""",
    "mongodb-production-notes": """
mongodb-production-notes.recommended-configuration.readahead.latency  | note | 8 32
mongodb-production-notes.recommended-configuration.swappiness.latency | note | 0
""",
    "rocm-mi200": """
rocm-mi200.system-bios-settings.iommu.performance | note | 256 255
""",
    "rocm-mi300x": """
one-node-for-mi300x | because | MI300X
mi300x-with-several-nodes | because | MI300X
mi300x-with-several-nodes | help    | 1
""",
    "openshift-node-tuning": """
no-pool-of-2m-pages | because | 1 2
no-pool-of-2m-pages | help    | 1 1g
""",
    "linux-vm-table": """
swappiness-before-5-8 | because | 100 5.8
""",
    "linux-x86-process": """
idle-poll-with-smt | help | c1
""",
    "operating systems": """
os debian-11              | about | 5.10
os debian-12              | about | 6.1 2.20
os debian-13              | about | 6.12
os rhel-10                | about | x86 64 v3 AVX2
os rhel-5                 | about | 2.6.18 2014 13th
os rhel-6                 | about | 2.6.32 6.1 2020 11 30
os rhel-7                 | about | 3.10
os rhel-8                 | about | 4.18
os rhel-9                 | about | 5.14
os slc-5                  | about | 5
os sles-11                | about | 2.6.27 2.6.32 1 3.0 2
os sles-12                | about | 4.12.14
os sles-15-sp1            | about | 4.12.14
os sles-15-sp2            | about | 5.3.18
os sles-15-sp3            | about | 5.3.18
os sles-15                | about | 5.14 6.4
os sles-15-sp4            | about | 5.14
os ubuntu-20.04           | about | 5.4
os ubuntu-22.04           | about | 5.15
os ubuntu-24.04           | about | 6.8
os ubuntu-26.04           | about | 7.0
os windows-server-2008-r2 | about | 2015 01 13 14th
os windows-server-2012    | about | 2018 15th
""",
    "processors": """
cpu core-i7-965      | about | 3.2 6 1333
cpu e5540            | about | 80 1066
cpu harpertown-e5472 | about | 3.0 4
cpu irwindale        | about | 3.6
cpu nehalem          | about | 45 4 256 L2 8 L3
cpu sandy-bridge     | about | 8 4 1600 8.0
cpu westmere         | about | 32 6 95
cpu x5550            | about | 2.66 2 2 3 3 2.93
cpu x5570            | about | 95
cpu xeon-gold-6150   | about | 18 2.7 165
""",
    "redhat-202743": """
acpi-idle-c1-el5          | because | C1
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
likwid-features | about | 17h 19h
linux-security-processor | about | 5.19
intel-pepc-registers | about | C1E
centos-stream-9-mr-3972 | about | 9 10
cern-nehalem            | about | L5520 E5540 X5570 S5520UR i7 965 5.3
cpuspeed                | about | 5 6
dell-11g-hpc-2009       | about | 5500
dell-12g-tuning         | about | E5 2600
dell-14g-hpc            | about | C6420 6150 7.3
dell-bios-m420-2.7.0    | about | 12th
dell-bios-r740xd-2.24.0 | about | 14th
dell-bios-registries    | about | R720 2.5.4 R630 2.13.0 R740 0.4.1 R750 1.13.2 R710
dell-cascade-lake-hpc   | about | 14th
dell-redfish-scripting  | about | 7
dell-t610-manual        | about | 5500 R410
ibm-h207000             | about | H207000
libredfish-mockups      | about | R750 DL385 Gen10 v2 SR670 V2 821GE H100 GB200
amd-epyc-9004-tuning | about | 1.0 5842f18
amd-specifications | about | 2023
cybozu-setup-hw | about | R7615
azure-hbv2 | about | 7V12 64
azure-hbv3 | about | 7V73X 64 3D
azure-hbv4 | about | 9V33X 96 3D
dell-azure-local | about | 640 740xd 650 750 760 15th 6515 7525
poweredge-xeon-captures | about | R760xa 2.1.3 R750 1.13.2 R770 1.2.4 6766E R760xa R660xs 2.4.4 R760xa 2 iDRAC9 iDRAC10 R7725xd XE9712 R670 6710E 1.3.2 R670 XR5610 settings_XR5610_L4x1.md inference_results_v3.0 DDR5 R860 1072 R470 2026 03 24 R750 15th
dell-16g-bios-settings | about | R660 R760 MX760 C6620
quattor-epyc-processors | about | 9005 3f8c111
xinhtech-xeon-6 | about | 6
rhcos-images | about | 418.94 4.18 9.4 4.19
understack-r7615 | about | 9124 1.6.10
poweredge-amd-captures | about | R7615 1.6.10 R6615 1.7.2 1.11.2 R6515 1.7.4 R7615 R6615 R6615 9004 9004 XE8545 R7515 7003 R750 R6515 r6515 7502P 11.1.0
hpe-ilo5-reference | about | 5 1.20 Gen10
odim-bmc-operator | about | DL360 Gen10 U32 v2.68 5 2.70
lenovo-v1-captures | about | SR650 SR850P SR950 xcat2 sr650.yaml sr850p.yaml sr950.yaml IVE184H TEE184H PSE150G SR850P sr850p TEE160L d3 d6 2.70 2020 TEE119N 2017 12 4 17erelease.md s1 s4 1.20 2017 V1.2
proliant-gen11-captures | about | DL380a Gen11 U58 v2.44 DL380 Gen11 dl380 gen11.yaml U54 v2.50 DL560 Gen11 dl560 gen11 dl560 gen11 U59 v2.84 U59 v2.50
lenovo-v3-xeon-captures | about | LP1836 SR650 V3 sr650 v3.yaml ESE130E SR850 V3 sr850 v3 RSE126E SR950 V3 sr950 v3.yaml EBE114G LP1836 4th
lenovo-amd-captures | about | SR635 V3 SR655 V3 LP1977 SR635 V3 2025 2025 10 01 SR655 V3 sr655 v3.yaml LP1977
supermicro-h13-captures | about | 1115CS 2025 2025 10 01 1115S NE316R
hpe-dl360-gen10-plus-registry | about | U46 v1.56
hpe-dl385-gen10-plus-v2-registry | about | A42 v2.60
hpe-dl380a-gen11-registry | about | U58 v2.44
lenovo-bios-registries | about | TGBT42S 8362
linux-0bdc924bfb31      | about | C6420
cms-singularity         | about | 5 6
sap-hana-checks         | about | 15.0 15
linux-intel-idle-before-5.6 | about | 5.6
intel-specifications    | about | 2023
linux-cpufreq           | about | 5.7
linux-intel-idle        | about | 6.1
linux-sysctl-el7        | about | 7
linux-tick-skew         | about | 3.5
linux-vm-table          | about | 2.6 5.7 c843966c556d
racadm-commands         | about | tin6150 7542
redfish-captures        | about | R720 2.50.50.50 R630 2.81.81.81 R740 3.15.15.15 R750 7.10.30.00 R7615
redhat-202743           | about | 5 9
linux-amd-pstate | about | 6.1
linux-cpu-isolation | about | 2026
linux-ip-sysctl | about | 6.1
linux-kernel-parameters | about | 6.1 12
tuned-plugins | about | 2.20 12
linux-6.12-parameters | about | 13
linux-modules | about | 5.4
linux-scaling | about | 6.1
fdio-csit-testbeds | about | 7532 8358
linux-conntrack | about | 6.12
linux-uncore-frequency | about | 6.1 6.12 12 13
systemd-system-conf | about | 252 257 12 13
inotify-manual | about | 6.03 12
proc-manual | about | 6.03 12
linux-tcp-init | about | 4.12 5.3 5.4 4.12
irqbalance-manual | about | 1.9.2 1.9.3 1.9.4 12 24.04 13
systemd-resource-control | about | 252 12
redhat-60365            | about | 6.1 6.2
redhat-el6-retirement   | about | 6
tuned-el6               | about | 6
tuned-profiles          | about | 2.20 12 2.25
tuned-2.15              | about | 11 2.15.0 1
tuned-2.25              | about | 13 2.25.1 1
suse-flexran            | about | 22.07 XR11 6338N 5.4
ubuntu-thp              | about | 18.04
intel-java-numa-study   | about | 6972P 22.04
intel-mysql-postgresql-guide | about | 1.0 6
mongodb-production-notes | about | fcfd0bb
workload mongodb        | about | 8.0
dpdk-linux-guide        | about | 2019
dune-daq-dpdklibs       | about | E810
nvidia-gpudirect-storage | about | 1.12 x86 64
rocm-mi200              | about | MI250 7003
rocm-mi300x             | about | 9004
amd-hyperloom-audit     | about | 9005 9004
oracle-installation-guide | about | 6 9.2
tuned-network-latency   | about | 2.21 7 2015 02 11
solarflare-adapter-guide | about | 2017 105 106
amd-onload-guide        | about | 1.5
swissquote-forex        | about | SR630 5.3
nvidia-gds-for-nvme     | about | 1.12
""",
    "ethtool-manual": """
ethtool-manual | about | 6.1 12
""",
    "systemctl-manual": """
systemctl-manual | about | 252 12
""",
    "sap-hana-checks-vmware": """
sap-hana-checks-vmware | about | 2161991
""",
    "systemd-of-suse": """
systemd-of-suse | about | SLE12 SP2 SLE15 SLE15 SP3 228 234 246 245 20.04 71
""",
    "cpu numbers": """
l3-nodes-need-housekeeping-cpus | because | L3
""",
    "sap-install-roles": """
sap-install-roles.sap-hana-preconfigure.transparent-hugepages.latency | because | 9.2 3108302 9 3562919 10 3108302
sap-install-roles.sap-hana-preconfigure.transparent-hugepages.performance | because | 9.2 3108302 9 3562919 10 3108302
""",
    "tuned-2.25": """
tuned-2.25.balanced.governor.balanced | note | 2.25
tuned-2.25.sap-hana.transparent-hugepages.latency | because | 2.25
tuned-2.25.sap-hana.transparent-hugepages.performance | because | 2.25
""",
    "tuned-kvm-guest": """
tuned-kvm-guest | about | 2.21
""",
    "tuned-ppd": """
tuned-ppd | about | 2.22
""",
    "openshift-fwupd-refresh": """
no-firmware-refresh | because | 10
""",
    "linux-hugetlb": """
clusters-divide-huge-pages         | help    | 1g 2m
nodes-per-socket-divide-huge-pages | help    | 1g 2m 1
l3-nodes-divide-huge-pages         | because | L3
l3-nodes-divide-huge-pages         | help    | 1g 2m l3
""",
    "saptune-notes": """
no-huge-pages-for-hana-before-sp5 | because | 15 5
""",
    "tuned-releases": """
skew-tick-of-network-latency | because | 1
""",
    "tuned-el6": """
tuned-el6.latency-performance.force-latency.latency         | note    | 0 2011 1 C1 2013
tuned-el6.latency-performance.transparent-hugepages.latency | note    | 2013
governor-through-stopped-cpuspeed                           | because | 0.2
""",
    "tuned-profiles": """
tuned-profiles.hpc-compute.force-latency.performance | note | C1
""",
}


def said(knowledge: Knowledge) -> Iterator[tuple[str, str, str]]:
    """Every text, with the name of its statement and its field."""
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
            if not (value.citation and value.citation.source in MODELS):  # compared with their cells
                yield f"{value.fact} {value.name}", "about", value.about
    for source in knowledge.sources.values():
        yield source.name, "about", source.about


def numbers(text: str) -> str:
    """The numbers of a text in their order, with adjacent letters."""
    return " ".join(number.strip(".") for number in re.findall(r"[\w.]*\d[\w.]*", text))


def lines(table: str) -> dict[tuple[str, str], str]:
    """The lines of a table: what and where, and the numbers."""
    return {(what, where): printed for what, where, printed in rows(table)}


@pytest.mark.parametrize("table", PRINTED)
def test_numbers_are_as_printed(table: str, knowledge: Knowledge) -> None:
    found = {(what, where): numbers(text) for what, where, text in said(knowledge)}
    expected = lines(PRINTED[table])
    assert {key: found.get(key) for key in expected} == expected


def test_no_number_is_without_its_line(knowledge: Knowledge) -> None:
    found = {(what, where) for what, where, text in said(knowledge) if numbers(text)}
    assert found == {key for table in PRINTED.values() for key in lines(table)}


def test_no_two_texts_of_one_name_have_different_numbers(knowledge: Knowledge) -> None:
    """Cells of a table have the name of their table here, and share its note."""
    found: dict[tuple[str, str], set[str]] = {}
    for what, where, text in said(knowledge):
        found.setdefault((what, where), set()).add(numbers(text))
    assert not {key for key, several in found.items() if len(several) > 1}
