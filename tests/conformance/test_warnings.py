"""The sources' warnings and exclusions: their conditions, their severity, and their places.

Each line was read against its source: the pages of the five papers; of the captured registries the help text or the
dependencies of the attribute that the line names; the page of the T610's manual; of the kernel its source file.
Compared were the place, each condition, and whether the place says it. The severity is not in any source. It is this
library's: `error` where a statement works against the goal or against another statement, and so stops a build;
`warning` where it only costs something, or where it is not known what it does. `cannot be` and `requires` are what
hardware or firmware refuses, or what takes away what the work needs; `needs` is the same of an effect; `locks`, `keeps`
and `hides` say as well what firmware does.

A condition that no source has word for word is one of these: the platform or the generation that the source is about;
the exceptions that the same page makes (`workload not java`, `numa not unaware`); the facts with which the question can
be checked instead (`memory-need`, `ranks-per-channel`, `snc-support`). Where OS control needs the service cpuspeed on
Enterprise Linux, the 11G paper names the service, and the 12G paper only the operating system. The releases after those
that the 12G paper knew are taken to idle logical processors, since it says that new kernels do.

Of newer pages: that attempts to change the preference "will be rejected" under the governor performance (intel_pstate),
that `mitigations=off` "may also expose users to several CPU vulnerabilities" (kernel-parameters), whom each of the
attack vectors is against (attack_vector_controls), that ignoring corrected errors is "usually not recommended"
(boot-options), and that the reserve of 0.05 s is there so that "run-away realtime tasks will not lock up the machine"
(sched-rt-group). The page on isolation was read at commit 5181afc, OpenShift's profiles and the function of tuned at
the commits that their sources name.

Of OpenShift's page on load balancing, that `isolcpus` "is incompatible with worker nodes which have any pods which
don't self pin" their threads; that others are ours to name. Of the kernel's page on control groups, that tasks in an
isolated partition "should be carefully distributed and bound to each of the individual CPUs". Of the page on isolation,
that a CPU without a tick must run a single task and should not enter the kernel; which workloads do otherwise is ours
to name. Of irqbalance's, that without a list it leaves alone the CPUs of isolcpus= and nohz_full=. Of Kubernetes' page,
that eight nodes are the most. Of Intel's guide for MySQL and PostgreSQL, what clusters are best for. Of the driver
intel_pstate, that it does not load where firmware controls the P-states.

Of OpenShift's profile for real-time kernels, that these kernels do not support the sysctls which it drops. Of DPDK's
guide, that the scheduler may run other tasks on its cores, and that it needs huge pages for its pools. Of AMD's, "do
not disable this menu item", and that other numbers of nodes "should not be used". Of NCCL's, that I/O virtualization
can cost much of the performance or hang. Of the kernel's page on huge pages, that a pool is distributed over all nodes,
those without enough contiguous memory silently skipped; which firmware makes more nodes is ours to name. Of its page on
Net DIM, that the algorithm changes the delay. Of the pull request on fwupd's timer, that Enterprise Linux 10 enables it
and that SMIs reach "all CPUs (including isolated CPUs)". Of tuned-ppd, that it switches tuned to its base profile when
it starts. Of the pull request on VMware, that the hypervisor passes no control over P-states or C-states to the guest;
that other hypervisors do not either, unless they say so, is ours to take. Of OpenShift's page on hyperthreading, that
turning it off "can cause the CPU core IDs listed" to be incorrect. Of the kernel's file for the APIC, that x2APIC takes
remapping of interrupts, without which CPUs keep numbers of eight bits; which processors have more is counted from AMD's
and Quattor's lists. Of Dell's page on NUMA, that NPS0 "is only available on a 2-socket system". Of the variables of
tuned's profile realtime, how many queues it should "ideally" have.

Kernel files and manuals say this: that `idle=poll` keeps Intel processors from frequencies that need idle cores, that
`intel_idle` takes no notice of the firmware before 5.6, and which states it enables since (admin-guide/pm/intel_idle,
cpuidle); that `idle=poll` makes the system run hot, and skewed ticks take power (kernel-parameters); that busy polling
"will increase power usage", and that zone_reclaim_mode should stay disabled "for workloads that benefit from having
their data cached" (admin-guide/sysctl). tuned 0.2 restarts cpuspeed to set a governor, in `set_cpu_governor()`.
"""

import pytest

from conformance.printed import asked, rows
from conformance.test_other_makers import OFFERED
from setpoint.compiler.knowledge.model import Citation, Constraint, Knowledge

LINES = {
    "intel-latency-optimized-mode": """
idle-frequency-under-latency-mode | warning | latency-optimized-mode on, os linux, uncore-idle-frequency 100MHz to 10000MHz | LATENCY-OPTIMIZED-MODE.md
low-load-under-latency-mode       | warning | latency-optimized-mode on, os linux, uncore-low-load 0 to 100 | LATENCY-OPTIMIZED-MODE.md
high-load-under-latency-mode      | warning | latency-optimized-mode on, os linux, uncore-high-load off or 1 to 100 | LATENCY-OPTIMIZED-MODE.md
""",
    "cern-nehalem": """
siblings-without-smt | error | smt off, smt-placement smt | Section 5.2
""",
    "dell-11g-hpc": """
c-state-idle-power                  | warning | platform poweredge-11g, goal not efficiency, c-states off                                  | Figure 5
c-states-off-interactive            | error   | platform poweredge-11g, workload interactive, goal not latency or efficiency, c-states off | Figure 5
c-states-off-vs-efficiency          | error   | platform poweredge-11g, goal efficiency, c-states off                                      | Figure 5
c-states-vs-latency                 | error   | platform poweredge-11g, goal latency, c-states on                                          | Figure 10
c1e-vs-latency-11g                  | error   | platform poweredge-11g, goal latency, c1e on, c1e-use used                                 | Table 6; C-States
c1e-without-c-states-11g            | warning | platform poweredge-11g, goal not latency or efficiency, c-states off, c1e on, c1e-use used | Table 6; C-States
needless-node-interleaving          | warning | platform poweredge-11g, workload hpc, node-interleaving on, process-memory not exceeds-socket, memory-locality not poor, numa not unaware | Figure 6
os-control-without-cpuspeed         | error   | platform poweredge-11g, os rhel-5 or rhel-6, cpu-power-management os-dbpm, cpuspeed-service off | Turbo Mode and C-States
profile-vs-communication-efficiency | warning | platform poweredge-11g, goal efficiency, workload comm-bound, cpu-power-management max-performance or os-dbpm | Figure 12
smt-vs-latency-11g                  | warning | platform poweredge-11g, goal latency, smt on                                               | Table 6; Figure 7
turbo-for-fluent-on-gigabit         | warning | platform poweredge-11g, goal performance or throughput or balanced, workload fluent, interconnect gigabit-ethernet, turbo on | Figure 9
turbo-vs-efficiency                 | error   | platform poweredge-11g, goal efficiency, turbo on                                          | Figure 13
turbo-without-c-states              | warning | platform poweredge-11g, goal performance or throughput, workload not latency-bound, turbo on, c-states off | Turbo Mode and C-States
""",
    "dell-12g-tuning": """
advanced-ecc-vs-latency              | error                                     | platform poweredge-12g, goal latency, memory-mode advanced-ecc or spare-advanced-ecc       | Figure 6
advanced-ecc-vs-performance          | error                                     | platform poweredge-12g, goal performance or throughput, memory-mode advanced-ecc or spare-advanced-ecc, workload not java | Figures 5 and 7
alternate-rtid-cost                  | warning                                   | platform poweredge-12g, alternate-rtid on                                                  | Alternate RTID setting, note
c-state-idle-power-12g               | warning                                   | platform poweredge-12g, goal not efficiency, c-states off                                  | C-States and C1E options; Figure 21
c-states-off-vs-efficiency-12g       | error                                     | platform poweredge-12g, goal efficiency, c-states off                                      | C-States and C1E options; Figure 21
c-states-vs-latency-12g              | error                                     | platform poweredge-12g, goal latency, c-states on                                          | Figure 22, and the text after it
c1e-off-vs-efficiency                | warning                                   | platform poweredge-12g, goal efficiency, c1e off                                           | C-States and C1E options; Figure 21
c1e-vs-latency                       | error                                     | platform poweredge-12g, goal latency, c1e on                                               | Figure 22, and the text after it
collaborative-cpu-control-mode-12g   | requires cpu-power-management system-dbpm | platform poweredge-12g, collaborative-cpu-control on                                       | Collaborative CPU Performance Control
dense-profile-vs-performance         | error                                     | platform poweredge-12g, goal performance or throughput, system-profile dense               | Figures 13, 14, 15 and 16
execute-disable-off                  | warning                                   | platform poweredge-12g, execute-disable off                                                | Execute disable
fewer-cores-vs-throughput            | warning                                   | platform poweredge-12g, goal throughput, cores-per-processor 1 or 2 or 4                   | Number of cores per processor
logical-processor-idling-unsupported | error                                     | platform poweredge-12g, logical-processor-idling on, os not windows-server-2012 or rhel-7 or linux-4.12 | Logical processor idling
max-performance-vs-efficiency        | warning                                   | platform poweredge-12g, goal efficiency, cpu-power-management max-performance              | Figure 13; CPU Power Management modes
memory-frequency-sandy-bridge        | cannot be                                 | platform poweredge-12g, cpu sandy-bridge, memory-frequency 1866                            | Introduction
memory-refresh-vs-performance        | warning                                   | platform poweredge-12g, goal performance or throughput or latency, memory-refresh-rate 2x  | Memory Management section
memory-voltage-vs-efficiency         | warning                                   | platform poweredge-12g, goal efficiency, dimm-voltage 1.35v, dimms-per-channel not 3, memory-voltage 1.5v | Memory operating voltage
mirror-capacity-12g                  | cannot be                                 | platform poweredge-12g, memory-mode mirror, memory-need three-quarters or seven-eighths or all | Overview of memory mode selections
mirror-vs-latency                    | warning                                   | platform poweredge-12g, goal latency, memory-mode mirror                                   | Figure 6
mirror-vs-performance                | warning                                   | platform poweredge-12g, goal performance or throughput, memory-mode mirror                 | Figure 5
monitor-mwait-off-with-smt           | error                                     | platform poweredge-12g, monitor-mwait off, smt on                                          | Monitor/Mwait
needless-node-interleaving-12g       | warning                                   | platform poweredge-12g, node-interleaving on, process-memory not exceeds-socket, memory-locality not poor, numa not unaware | Figure 8
node-interleaving-four-sockets-12g   | requires node-interleaving off            | platform poweredge-12g, sockets 4                                                          | Node Interleaving
os-control-saves-less                | warning                                   | platform poweredge-12g, goal efficiency or balanced, cpu-power-management os-dbpm          | System Profiles comparison; Figure 13
os-control-without-cpuspeed-12g      | error                                     | platform poweredge-12g, os rhel-5 or rhel-6, cpu-power-management os-dbpm, cpuspeed-service off | CPU Power Management modes
power-management-vs-latency          | error                                     | platform poweredge-12g, goal latency, cpu-power-management system-dbpm or os-dbpm          | CPU Power Management modes
qpi-speed-vs-performance             | warning                                   | platform poweredge-12g, goal performance or throughput or latency, qpi-speed 7.2 or 6.4    | QPI Speed
qpi-speed-with-remote-memory         | warning                                   | platform poweredge-12g, goal balanced or efficiency or density, qpi-speed 7.2 or 6.4, memory-locality not good | QPI Speed
smt-off-vs-throughput                | warning                                   | platform poweredge-12g, goal performance or throughput, smt off                            | Logical Processor; Figures 10 and 11
smt-vs-latency                       | error                                     | platform poweredge-12g, goal latency, smt on                                               | Logical Processor
spare-capacity-all-12g               | cannot be                                 | platform poweredge-12g, memory-mode spare or spare-advanced-ecc, memory-need all           | Overview of memory mode selections
spare-capacity-half-12g              | cannot be                                 | platform poweredge-12g, memory-mode spare or spare-advanced-ecc, ranks-per-channel 2 or 3, memory-need three-quarters or seven-eighths | Overview of memory mode selections
spare-capacity-three-quarters-12g    | cannot be                                 | platform poweredge-12g, memory-mode spare or spare-advanced-ecc, ranks-per-channel 4 or 6, memory-need seven-eighths | Overview of memory mode selections
spare-capacity-unknown               | warning                                   | platform poweredge-12g, memory-mode spare or spare-advanced-ecc, memory-need not half or three-quarters or seven-eighths or all | Overview of memory mode selections
spare-one-rank-12g                   | cannot be                                 | platform poweredge-12g, memory-mode spare or spare-advanced-ecc, ranks-per-channel 1       | Overview of memory mode selections
spare-ranks-unknown                  | warning                                   | platform poweredge-12g, memory-mode spare or spare-advanced-ecc, memory-need half or three-quarters or seven-eighths, ranks-per-channel not 1 or 2 or 3 or 4 or 6 or 8 | Overview of memory mode selections
three-dimms-at-low-voltage           | error                                     | platform poweredge-12g, dimms-per-channel 3, dimm-voltage not 1.5v, memory-frequency 1333, memory-voltage auto | Memory operating voltage
turbo-jitter                         | warning                                   | platform poweredge-12g, goal latency, turbo on                                             | Turbo Boost; Table 2, footnote 2
turbo-off-vs-performance             | warning                                   | platform poweredge-12g, goal performance or throughput, turbo off                          | Figures 18, 19 and 20
turbo-vs-efficiency-12g              | error                                     | platform poweredge-12g, goal efficiency, turbo on                                          | Figures 18, 19 and 20
""",
    "dell-14g-hpc": """
performance-profile-vs-efficiency | error   | platform poweredge-14g, goal efficiency, system-profile performance | Figures 3 and 4
memory-frequency-skylake          | cannot be | platform poweredge-14g, cpu skylake, memory-frequency 2933        | Description of the Skylake processor
snc-support-unknown               | warning | platform poweredge-14g, sub-numa-cluster on, snc-support not yes    | Description of the Skylake processor
snc-with-poor-locality            | warning | platform poweredge-14g, sub-numa-cluster on, memory-locality poor   | Sub-NUMA cluster
""",
    "dell-bios-registries": """
mirror-capacity-unknown            | warning                                   | platform poweredge-12g or poweredge-13g or poweredge-14g, memory-mode mirror, memory-need not half or three-quarters or seven-eighths or all | R720 registry, MemOpMode help text; R630 registry, MemOpMode help text; R740 registry, MemOpMode help text
c-states-vs-latency-13g            | error                                     | platform poweredge-13g, goal latency, c-states on or autonomous                            | R630 registry, ProcCStates help text
c-states-vs-latency-14g            | error                                     | platform poweredge-14g or poweredge-15g, goal latency, c-states on or autonomous           | R740 and R750 registries, ProcCStates help text
cluster-on-die-without-interleaving-13g    | requires node-interleaving off                | platform poweredge-13g, snoop-mode cluster-on-die      | R630 registry, SnoopMode help text
controlled-turbo-needs-max-performance-15g | locks controlled-turbo off                    | platform poweredge-15g, cpu-power-management not max-performance | R750 registry, ControlledTurbo dependencies
controlled-turbo-needs-turbo-15g           | locks controlled-turbo off                    | platform poweredge-15g, turbo off                      | R750 registry, ControlledTurbo dependencies
controlled-turbo-without-dbpm-profiles-15g | locks controlled-turbo off                    | platform poweredge-15g, system-profile dapc or os      | R750 registry, ControlledTurbo dependencies
interleaving-without-snc-15g               | keeps node-interleaving off                   | platform poweredge-15g, sub-numa-cluster on            | R750 registry, NodeInterleave dependencies
correctable-ecc-smi-vs-latency-13g         | warning                                       | platform poweredge-13g, goal latency, correctable-ecc-smi on | R630 registry, CorrEccSmi help text
correctable-ecc-smi-vs-latency-14g         | warning                                       | platform poweredge-14g or poweredge-15g, goal latency, correctable-ecc-smi on | R740 and R750 registries, CorrEccSmi help text
correctable-ecc-smi-with-mirror-13g        | requires correctable-ecc-smi on               | platform poweredge-13g, memory-mode mirror             | R630 registry, CorrEccSmi help text
correctable-ecc-smi-with-mirror-14g        | requires correctable-ecc-smi on               | platform poweredge-14g, memory-mode mirror             | R740 registry, CorrEccSmi help text
correctable-ecc-smi-with-spare-13g         | requires correctable-ecc-smi on               | platform poweredge-13g, memory-mode spare              | R630 registry, CorrEccSmi help text
correctable-ecc-smi-with-spare-14g         | requires correctable-ecc-smi on               | platform poweredge-14g, memory-mode spare              | R740 registry, CorrEccSmi help text
address-translation-with-virtualization-13g | keeps address-translation-services any    | platform poweredge-13g, virtualization off             | R630 registry, ProcAts dependencies
controlled-turbo-without-maximum-performance | warning                                  | platform poweredge-13g or poweredge-14g, controlled-turbo on, cpu-power-management not max-performance | R630 registry, ControlledTurbo help text; R740 registry, ControlledTurbo help text
controlled-turbo-without-turbo             | warning                                    | platform poweredge-13g or poweredge-14g, controlled-turbo on, turbo off | R630 registry, ControlledTurbo help text; R740 registry, ControlledTurbo help text
x2apic-with-virtualization-13g             | locks x2apic off                           | platform poweredge-13g, virtualization off             | R630 registry, ProcX2Apic dependencies
trusted-execution-with-virtualization-13g  | locks trusted-execution off                | platform poweredge-13g, virtualization off             | R630 registry, IntelTxt dependencies
trusted-execution-keeps-smt-13g            | keeps smt any                              | platform poweredge-13g, trusted-execution on           | R630 registry, LogicalProc dependencies
trusted-execution-needs-all-cores-13g      | locks cores-per-processor all              | platform poweredge-13g, trusted-execution on           | R630 registry, ProcCores dependencies
x2apic-with-virtualization-14g             | locks x2apic off                           | platform poweredge-14g, virtualization off             | R740 registry, ProcX2Apic dependencies
x2apic-with-virtualization-15g             | locks x2apic off                           | platform poweredge-15g, virtualization off             | R750 registry, ProcX2Apic dependencies
collaborative-cpu-control-mode-13g | requires cpu-power-management system-dbpm | platform poweredge-13g, collaborative-cpu-control on                                       | R630 registry, CollaborativeCpuPerfCtrl help text
cores-not-listed-15g               | warning                                   | platform poweredge-15g, cores-per-processor above 16                                       | R750 registry, ProcCores
cores-reset-by-profile-15g         | warning                                   | platform poweredge-15g, cores-per-processor not all                                        | R750 registry, ProcCores help text
dense-memory-speed-12g             | warning                                   | platform poweredge-12g, system-profile dense                                               | R720 registry, SysProfile help text
dense-power-management-13g         | warning                                   | platform poweredge-13g, system-profile dense                                               | R630 registry, SysProfile dependencies
dma-protection-with-virtualization-15g | locks kernel-dma-protection off        | platform poweredge-15g, virtualization off                                                 | R750 registry, KernelDmaProtection dependencies
governor-under-firmware-control    | warning                                   | os linux, goal latency or performance or throughput, platform poweredge-13g or poweredge-14g or poweredge-15g, cpu-power-management system-dbpm, governor performance | R630 registry, ProcPwrPerf help text; R740 and R750 registries, ProcPwrPerf help text
idling-without-max-performance-15g | keeps logical-processor-idling off        | platform poweredge-15g, cpu-power-management max-performance                               | R750 registry, DynamicCoreAllocation dependencies
mirror-capacity-13g                | cannot be                                 | platform poweredge-13g, memory-mode mirror, memory-need three-quarters or seven-eighths or all | R630 registry, MemOpMode help text
mirror-capacity-14g                | cannot be                                 | platform poweredge-14g, memory-mode mirror, memory-need three-quarters or seven-eighths or all | R740 registry, MemOpMode help text
mwait-with-c-states-12g            | requires c-states off                     | platform poweredge-12g, monitor-mwait off                                                  | R720 registry, MonitorMwait help text
mwait-with-c-states-13g            | requires c-states off                     | platform poweredge-13g, monitor-mwait off                                                  | R630 registry, MonitorMwait help text
mwait-with-c-states-14g            | requires c-states off                     | platform poweredge-14g, monitor-mwait off                                                  | R740 registry, MonitorMwait help text
mwait-with-c-states-15g            | warning                                   | platform poweredge-15g, monitor-mwait off, c-states on or autonomous                       | R750 registry, SysProfile help text
snc-support-unknown-15g            | warning                                   | platform poweredge-15g, sub-numa-cluster on, snc-support not yes                           | R750 registry, SubNumaCluster
snc-without-interleaving-14g       | hides sub-numa-cluster off                | platform poweredge-14g, node-interleaving on                                               | R740 registry, SubNumaCluster dependencies
snc-without-interleaving-15g       | locks sub-numa-cluster off                | platform poweredge-15g, node-interleaving on                                               | R750 registry, SubNumaCluster dependencies
spare-capacity-13g                 | warning                                   | platform poweredge-13g, memory-mode spare or spare-advanced-ecc, memory-need not all       | R630 registry, MemOpMode help text
spare-capacity-14g                 | warning                                   | platform poweredge-14g, memory-mode spare or spare-advanced-ecc, memory-need not all       | R740 registry, MemOpMode help text
spare-capacity-all-13g             | cannot be                                 | platform poweredge-13g, memory-mode spare or spare-advanced-ecc, memory-need all           | R630 registry, MemOpMode help text
spare-capacity-all-14g             | cannot be                                 | platform poweredge-14g, memory-mode spare or spare-advanced-ecc, memory-need all           | R740 registry, MemOpMode help text
""",
    "linux-cpuidle": """
acpi-idle-limit-without-effect | warning | os linux, c-states not off, acpi-idle-limit c1, intel-idle on, monitor-mwait not off, idle-poll not on | Idle States Control Via Kernel Command Line
idle-poll-vs-turbo             | warning | os linux, idle-poll on, turbo on                                        | Idle States Control Via Kernel Command Line
kernel-forgoes-idle-states     | error   | os linux, goal efficiency or density, c-states not off, idle-states unused | Idle States Control Via Kernel Command Line; Power Management Quality of Service for CPUs
""",
    "openshift-hyperthreading": """
smt-off-shortens-cpu-lists | warning | os linux, smt off, cpu-lists named | Configuring hyperthreading for a cluster
""",
    "linux-cpu-isolation": """
clusters-need-housekeeping-cpus | warning | os linux, sub-numa-cluster on, cpu-lists named | Housekeeping
nodes-need-housekeeping-cpus    | warning | os linux, numa-nodes-per-socket 2 or 4, cpu-lists named | Housekeeping
l3-nodes-need-housekeeping-cpus | warning | os linux, l3-as-numa on, cpu-lists named | Housekeeping
tickless-cpus-for-system-calls | warning | os linux, workload io-bound or in-memory-database or olap or data-analytics or java or web or interactive, tickless-cpus cpu-list | nohz_full
tickless-cpus-not-isolated     | warning | os linux, tickless-cpus cpu-list, isolated-cpus none, isolated-partition not cpu-list | nohz_full
tickless-cpus-with-smt         | warning | os linux, smt on, tickless-cpus cpu-list, kernel-smt not off or forced-off | SMT
isolated-cpus-with-smt         | warning | os linux, goal latency, smt on, domain-isolation used, tickless-cpus not cpu-list, kernel-smt not off or forced-off | SMT
tickless-cpus-without-tsc      | error   | os linux, tickless-cpus cpu-list, clock-source hpet                      | nohz_full
""",
    "linux-cpusets": """
isolated-partition-for-unpinned-work | warning | os linux, isolated-partition cpu-list, workload not redpanda or weka, workload io-bound or in-memory-database or olap or data-analytics or java or web or cpu-intensive or interactive or kubernetes-node | cpuset.cpus.partition
""",
    "irqbalance-manual": """
isolated-partition-under-irqbalance | warning | os linux, isolated-partition cpu-list, tickless-cpus not cpu-list, irqbalance-banned-cpus unmanaged | IRQBALANCE_BANNED_CPULIST
""",
    "linux-intel-pstate": """
firmware-bias-under-governor | warning | os linux, governor performance, energy-performance-bias balanced-energy or energy-efficient, hardware-p-states not off, cpu not nehalem or westmere or e7 or sandy-bridge or e5-1600 or ivy-bridge or other-ivy-bridge or haswell or other-haswell or broadwell or other-broadwell, platform not poweredge-11g or poweredge-12g or poweredge-13g, intel-pstate not passive or no-hwp or disabled | Active Mode With HWP: HWP + performance
governor-rejects-preference | error | os linux, governor performance, energy-performance-preference balance-performance or balance-power or power, intel-pstate not passive or no-hwp or disabled | Active Mode With HWP: HWP + performance
""",
    "linux-sched-rt": """
real-time-without-reserve | warning | os linux, real-time-runtime unlimited | 2.2 Default behaviour
""",
    "linux-x86-boot-options": """
corrected-errors-unseen | warning | os linux, machine-checks ignore-corrected or off | Machine check
""",
    "firecracker-c-states": """
polling-makes-performance-erratic | warning | os linux, cpu ice-lake, idle-poll on | description
""",
    "linux-amd-pstate": """
amd-pstate-without-cppc | error | os linux, cppc off, amd-pstate active or guided or passive | Processor Support
""",
    "linux-apic": """
all-cores-of-two-sockets | needs interrupt-targets not first-255 | cpu epyc-9754 or epyc-9754s or epyc-9745 or epyc-9755 or epyc-9825 or epyc-9845 or epyc-9965 or xeon-6756e or xeon-6766e or xeon-6780e, sockets 2 or 4 | try_to_enable_x2apic(); topology.c
cpus-of-two-sockets-without-x2apic | error | cpu epyc-7662 or epyc-7702 or epyc-7742 or epyc-7h12 or epyc-7713 or epyc-7763 or epyc-7773x or epyc-9534 or epyc-9554 or epyc-9634 or epyc-9654 or epyc-9684x or epyc-9734 or epyc-9535 or epyc-9555 or epyc-9565 or epyc-9575f or epyc-9645 or epyc-9655 or xeon-platinum-8592+ or xeon-platinum-8592v or xeon-platinum-8593q, smt on or auto, sockets 2 or 4, x2apic off | try_to_enable_x2apic(); topology.c
cpus-of-two-sockets-without-iommu | error | cpu epyc-7662 or epyc-7702 or epyc-7742 or epyc-7h12 or epyc-7713 or epyc-7763 or epyc-7773x or epyc-9534 or epyc-9554 or epyc-9634 or epyc-9654 or epyc-9684x or epyc-9734 or epyc-9535 or epyc-9555 or epyc-9565 or epyc-9575f or epyc-9645 or epyc-9655, iommu off, smt on or auto, sockets 2 or 4 | try_to_enable_x2apic(); topology.c
cpus-of-one-socket-without-x2apic | error | cpu epyc-9754 or epyc-9745 or epyc-9755 or epyc-9825 or epyc-9845 or epyc-9965, smt on or auto, sockets 1, x2apic off | try_to_enable_x2apic(); topology.c
cpus-of-one-socket-without-iommu | error | cpu epyc-9754 or epyc-9745 or epyc-9755 or epyc-9825 or epyc-9845 or epyc-9965, iommu off, smt on or auto, sockets 1 | try_to_enable_x2apic(); topology.c
""",
    "linux-kvm": """
guests-need-virtualization | requires virtualization not off | workload virtualized | kvm_arch_init()
""",
    "linux-vfio": """
devices-of-programs-need-translation | needs device-translation not unavailable | device-access vfio | Groups, Devices, and IOMMUs
intel-iommu-without-iommu | warning | os linux, iommu off, intel-iommu on       | Groups, Devices, and IOMMUs
passthrough-without-iommu | warning | os linux, iommu off, iommu-passthrough on | Groups, Devices, and IOMMUs
""",
    "nvidia-kernel-dl-server": """
tickless-cpus-under-deadline-server | warning | os debian-13 or ubuntu-26.04 or rhel-10 or sles-16, tickless-cpus cpu-list | issue description
""",
    "openshift-node-tuning": """
isolated-cpus-for-unpinned-work | warning | os linux, isolated-cpus cpu-list, workload not redpanda or weka, workload io-bound or in-memory-database or olap or data-analytics or java or web or cpu-intensive or interactive or kubernetes-node | cpu-load-balancing.md
no-pool-of-2m-pages | error   | os rhel-8, huge-page-size 1g, huge-pages-2m 1 to 1000000000 | hugepages
pinned-timers-stay  | warning | os linux, domain-isolation used, timer-migration off     | kernel.timer_migration
real-time-kernel-lacks-numa-balancing | warning | os linux, workload real-time, busy-poll off, numa-balancing off | openshift-node-performance-rt
real-time-kernel-lacks-sysctls | warning | os linux, workload real-time, busy-poll not off | openshift-node-performance-rt
""",
    "openshift-fwupd-refresh": """
firmware-refresh-interrupts | warning | os rhel-10, domain-isolation used, firmware-refresh-timer unmanaged | description
""",
    "sap-hana-checks-vmware": """
firmware-of-a-guest | warning | virtual-machine yes, vendor dell or hpe or lenovo or supermicro or cisco | description
idle-driver-of-a-guest | warning | os linux, virtual-machine yes, intel-idle off | description
idle-limit-of-a-guest | warning | os linux, virtual-machine yes, acpi-idle-limit c1 | description
intel-pstate-of-a-guest | warning | os linux, virtual-machine yes, intel-pstate active or passive or no-hwp or disabled | description
amd-pstate-of-a-guest | warning | os linux, virtual-machine yes, amd-pstate active or guided or passive or disabled | description
""",
    "tuned-ppd": """
tuned-ppd-replaces-profile | warning | os linux, tuned not unused, power-profiles tuned-ppd, power-profiles-service unmanaged | controller.py, initialize()
""",
    "dell-numa-epyc-7002": """
one-node-of-two-sockets | cannot be | cpu-vendor amd, numa-nodes-per-socket 0, sockets 1 | NUMA and NPS
""",
    "dpdk-linux-guide": """
dpdk-without-isolated-cpus | warning | os linux, workload dpdk, isolated-cpus none, isolated-partition not cpu-list | enable_func.rst, Using Linux Core Isolation
dpdk-without-huge-pages | warning | os linux, workload dpdk, huge-pages-at-boot kernel-default, huge-pages-1g unmanaged, huge-pages-2m unmanaged, huge-pages-1g-per-node unmanaged, huge-pages-2m-per-node unmanaged | sys_reqs.rst, Use of Hugepages in the Linux Environment
""",
    "oracle-installation-guide": """
oracle-without-huge-pages | warning | os linux, workload oracle-database, goal latency or performance or throughput, huge-pages-at-boot kernel-default, huge-pages-1g unmanaged, huge-pages-2m unmanaged, huge-pages-1g-per-node unmanaged, huge-pages-2m-per-node unmanaged | Configuring HugePages on Linux
oracle-with-transparent-huge-pages | warning | os linux, workload oracle-database, transparent-hugepages always | Disabling Transparent HugePages
""",
    "postgresql-manual": """
postgresql-without-huge-pages | warning | os linux, workload postgresql, goal latency or performance or throughput, huge-pages-at-boot kernel-default, huge-pages-1g unmanaged, huge-pages-2m unmanaged, huge-pages-1g-per-node unmanaged, huge-pages-2m-per-node unmanaged | Linux Huge Pages
postgresql-under-overcommit | warning | os linux, workload postgresql, memory-overcommit heuristic or always | Linux Memory Overcommit
""",
    "linux-proc": """
strict-overcommit-at-half | warning | os linux, memory-overcommit never | meminfo, CommitLimit
""",
    "kafka-operations": """
kafka-within-default-memory-maps | warning | os linux, workload kafka, max-map-count unmanaged | OS
""",
    "swissquote-forex": """
trading-without-isolated-cpus | warning | os linux, workload trading, goal latency, isolated-cpus none, isolated-partition not cpu-list | Grub parameters
""",
    "amd-onload-guide": """
trading-without-huge-pages | warning | os linux, workload trading, goal latency, huge-pages-at-boot kernel-default, huge-pages-1g unmanaged, huge-pages-2m unmanaged, huge-pages-1g-per-node unmanaged, huge-pages-2m-per-node unmanaged | Allocating Huge Pages
onload-with-large-pages | warning | os linux, workload trading, huge-page-size 1g | Huge Page Size
""",
    "rocm-mi300x": """
mi300x-without-idle-states | warning | accelerator mi300x, cpu epyc-genoa, workload accelerated, c-states off | System BIOS settings
mi300x-with-several-nodes | warning | accelerator mi300x, cpu epyc-genoa, numa-nodes-per-socket 2 or 4 or 0 | System BIOS settings
""",
    "nvidia-nccl": """
gpu-transfers-through-iommu | warning | accelerator nvidia-gpu, workload gpu-training, iommu on, intel-iommu not off | PCI Access Control Services (ACS)
""",
    "linux-net-dim": """
receive-delay-of-adaptive-cards | warning | os linux, rx-interrupt-delay 0us to 4294967295us, adaptive-rx-coalescing not off | Introduction
transmit-delay-of-adaptive-cards | warning | os linux, tx-interrupt-delay 0us to 4294967295us, adaptive-tx-coalescing not off | Introduction
""",
    "linux-hugetlb": """
clusters-divide-huge-pages | warning | os linux, sub-numa-cluster on, huge-page-pools spread | Overview
nodes-per-socket-divide-huge-pages | warning | os linux, numa-nodes-per-socket 2 or 4, huge-page-pools spread | Overview
l3-nodes-divide-huge-pages | warning | os linux, l3-as-numa on, huge-page-pools spread | Overview
pool-of-2m-pages-in-total-or-per-node | requires huge-pages-2m unmanaged | huge-pages-2m-per-node not unmanaged | Per Node Hugepages Attributes
pool-of-1g-pages-in-total-or-per-node | requires huge-pages-1g unmanaged | huge-pages-1g-per-node not unmanaged | Per Node Hugepages Attributes
""",
    "tuned-intel-pstate": """
intel-pstate-disabled-since-ice-lake | warning | os linux, cpu ice-lake or sapphire-rapids or emerald-rapids or sierra-forest or granite-rapids, intel-pstate disabled | the recommended state by generation
""",
    "tuned-profiles": """
queues-beyond-housekeeping-cpus | warning | os linux, workload real-time, domain-isolation used, network-queues unmanaged | realtime, realtime-variables.conf, netdev_queue_count
""",
    "linux-intel-pstate-driver": """
governor-without-driver | warning | os linux, hardware-p-states out-of-band, governor performance | intel_pstate_platform_pwr_mgmt_exists()
""",
    "kubernetes-topology-manager": """
l3-as-numa-beyond-topology-manager | warning | workload kubernetes-node, l3-as-numa on | Known limitations
""",
    "intel-mysql-postgresql-guide": """
clusters-with-poor-locality | error | platform not poweredge-14g, sub-numa-cluster on, memory-locality poor | SNC (Sub NUMA Cluster)
""",
    "linux-intel-idle": """
intel-idle-beyond-firmware | error | os modern-linux, virtual-machine not yes, c-states off, intel-idle on, monitor-mwait not off, idle-poll not on | intel_idle_off_by_default(); CPUIDLE_FLAG_ALWAYS_ENABLE
""",
    "linux-attack-vectors": """
mitigations-for-trusted-users    | error | os linux, mitigations auto-no-user         | Attack Vectors
mitigations-for-trusted-guests   | error | os linux, mitigations auto-no-guest        | Attack Vectors
mitigations-for-trusted-siblings | error | os linux, mitigations auto-no-cross-thread | Attack Vectors
""",
    "linux-kernel-parameters": """
mitigations-off | error | os linux, mitigations off | mitigations=
one-list-of-isolcpus | requires managed-interrupt-cpus none | isolated-cpus cpu-list | isolcpus=
passthrough-without-intel-iommu | warning | os linux, intel-iommu off, iommu-passthrough on | intel_iommu=
passive-driver-under-hardware-p-states | warning | os linux-4.12, os not rhel-8 or rhel-10 or debian-13 or ubuntu-24.04 or ubuntu-26.04 or sles-15 or sles-16, hardware-p-states native or native-only, intel-pstate passive | intel_pstate=
idle-poll-without-gain   | warning | os linux, idle-poll on, monitor-mwait not off | idle=
skew-tick-vs-efficiency  | warning | goal efficiency or density, skew-tick on      | skew_tick=
""",
    "linux-sysctl": """
dirty-limit-in-bytes-or-percent      | requires dirty-ratio in-bytes                | dirty-bytes not in-percent            | vm: dirty_bytes
dirty-limit-in-percent               | requires dirty-ratio not in-bytes            | dirty-bytes in-percent                | vm: dirty_bytes
background-limit-in-bytes-or-percent | requires dirty-background-ratio in-bytes     | dirty-background-bytes not in-percent | vm: dirty_background_bytes
background-limit-in-percent          | requires dirty-background-ratio not in-bytes | dirty-background-bytes in-percent     | vm: dirty_background_bytes
busy-poll-vs-efficiency | warning | goal efficiency or density, busy-poll 50us | net: busy_read, busy_poll
zone-reclaim-vs-caching | warning | workload io-bound, zone-reclaim on         | vm: zone_reclaim_mode
""",
    "tuned-releases": """
skew-tick-of-network-latency | requires skew-tick on | base-profile network-latency | network-latency, [bootloader] cmdline_network_latency
""",
    "tuned-2.25": """
tsc-of-network-latency | requires tsc-checks reliable | os debian-13, base-profile network-latency | network-latency, [bootloader] cmdline_network_latency
""",
    "linux-vm-table": """
swappiness-before-5-8 | requires swappiness 0 to 100 | os rhel-7 or rhel-8 or sles-12 or sles-15-sp1 or sles-15-sp2 or sles-15-sp3 or ubuntu-20.04 | vm_table: swappiness
""",
    "dell-t610-manual": """
mirror-capacity-11g         | cannot be | platform poweredge-11g, memory-mode mirror, memory-need three-quarters or seven-eighths or all          | Memory Mirroring Support
mirror-capacity-unknown-11g | warning   | platform poweredge-11g, memory-mode mirror, memory-need not half or three-quarters or seven-eighths or all | Memory Mirroring Support
""",
    "linux-x86-process": """
idle-poll-with-smt | error | os linux, idle-poll on, smt on | select_idle_routine()
""",
    "amd-esmi": """
fabric-clock-drops-in-package-c6 | warning | cpu-vendor amd, data-fabric-c-states not off, fabric-power-management off, goal latency | esmi_apb_enable
""",
    "poweredge-xeon-captures": """
snc-support-unknown-since-16g | warning | platform poweredge-16g-intel or poweredge-17g-intel, sub-numa-cluster on, snc-support not yes | R660xs
""",
    "intel-perfspect": """
latency-mode-without-performance-bias | warning | platform poweredge-17g-intel, latency-optimized-mode on, energy-performance-bias not performance | cmd/report/report_tables.go
latency-mode-without-bias-of-linux | warning | os linux, latency-optimized-mode on, energy-perf-bias normal or balance-performance or power | cmd/report/report_tables.go
latency-mode-without-preference-of-linux | warning | os linux, latency-optimized-mode on, energy-performance-preference balance-performance or balance-power or power | cmd/report/report_tables.go
latency-mode-without-preference-of-firmware | warning | latency-optimized-mode on, energy-performance-bias-owner platform, epp-profile not performance | cmd/report/report_tables.go
""",
    "poweredge-amd-captures": """
performance-profile-vs-efficiency-15g-amd | warning | goal balanced or density or efficiency, platform poweredge-15g-amd, system-profile performance | R6515, SysProfile
performance-profile-vs-efficiency-16g-amd | warning | goal balanced or density or efficiency, platform poweredge-16g-amd, system-profile performance | R6615 factory values; R7615
""",
    "hpe-ilo5-reference": """
dl360-gen10-x2apic-sets-iommu | requires iommu on | platform dl360-gen10, x2apic force-enabled | Bios.v1_0_0.Bios, ProcX2Apic
dl360-gen10-clusters-need-upi-prefetch | requires upi-prefetch on | platform dl360-gen10, sub-numa-cluster on | Bios.v1_0_0.Bios, UpiPrefetcher
dl360-gen10-clusters-need-xpt-prefetch | requires xpt-prefetch on | platform dl360-gen10, sub-numa-cluster on | Bios.v1_0_0.Bios, XptPrefetcher
""",
    "hpe-dl385-gen10-plus-v2-registry": """
determinism-without-control | warning | determinism performance, determinism-control auto, platform dl385-gen10-plus-v2 | DeterminismControl help text
profile-without-iommu-for-guests | error | platform dl385-gen10-plus-v2, workload virtualized, workload-profile low-latency or high-performance-compute or graphic-processing | WorkloadProfile dependencies
fabric-state-without-fixed-clock | warning | fabric-p-state p0 or p1 or p2 or p3, fabric-power-management on, platform dl385-gen10-plus-v2, workload-profile custom | InfinityFabricPstate help text
profile-leaves-c6-on | warning | c-states on, goal latency, idle-states used, platform dl385-gen10-plus-v2, workload-profile not custom | WorkloadProfile dependencies
""",
    "hpe-ilo-bios-reference": """
refresh-rate-vs-performance | warning | goal performance or throughput, memory-refresh-rate 2x, vendor hpe | Attributes, MemRefreshRate
""",
    "hpe-dl360-gen10-plus-registry": """
dl360-gen10-plus-turbo-locks-energy-efficient-turbo | locks energy-efficient-turbo off | platform dl360-gen10-plus, turbo off | EnergyEfficientTurbo dependencies
dl360-gen10-plus-x2apic-locks-iommu | locks iommu on | platform dl360-gen10-plus, x2apic force-enabled | IntelProcVtd dependencies
""",
    "hpe-dl380a-gen11-registry": """
dl380a-gen11-turbo-locks-energy-efficient-turbo | locks energy-efficient-turbo off | platform dl380a-gen11, turbo off | EnergyEfficientTurbo dependencies
dl380a-gen11-x2apic-locks-iommu | locks iommu on | platform dl380a-gen11, x2apic on | IntelProcVtd dependencies
""",
    "lenovo-bios-registries": """
autonomous-c-states-make-c1-c6 | warning | c-states autonomous, idle-poll not on, idle-states unused, operating-mode efficiency-favor-performance or custom, platform sr670-v2 | SR670 V2 registry, Processors_CStates help text
sr670-v2-bias-of-another-owner | warning | platform sr670-v2, energy-performance-bias-owner os, energy-performance-bias not balanced-performance | SR670 V2 registry, Power_PowerPerformanceBias help text
sr670-v2-refresh-rate-vs-performance | warning | goal performance or throughput, memory-refresh-rate auto, platform sr670-v2 | SR670 V2 registry, Memory_2xRefreshRate help text
sr670-v2-c-states-keeps-c1e | keeps c1e any | c-states autonomous, platform sr670-v2 | SR670 V2 registry, Processors_C1EnhancedMode dependencies
sr670-v2-c-states-keeps-monitor-mwait | keeps monitor-mwait any | c-states not off, platform sr670-v2 | SR670 V2 registry, Processors_MONITORMWAIT dependencies
sr670-v2-energy-performance-bias-owner-hides-energy-performance-bias | hides energy-performance-bias any | energy-performance-bias-owner os, platform sr670-v2 | SR670 V2 registry, Power_PlatformControlledType dependencies
sr670-v2-sub-numa-cluster-keeps-uma-clustering | keeps uma-clustering any | platform sr670-v2, sub-numa-cluster on | SR670 V2 registry, Processors_UMA_BasedClustering dependencies
sr670-v2-uma-clustering-hides-sgx-factory-reset | hides sgx-factory-reset any | platform sr670-v2, uma-clustering hemisphere | SR670 V2 registry, Processors_SGXFactoryReset dependencies
sr670-v2-turbo-hides-turbo-limits | hides turbo-limits any | platform sr670-v2, turbo off | SR670 V2 registry, Processors_CPUFrequencyLimits dependencies
sr670-v2-turbo-keeps-energy-efficient-turbo | keeps energy-efficient-turbo any | platform sr670-v2, turbo off | SR670 V2 registry, Processors_EnergyEfficientTurbo dependencies
""",
    "supermicro-bios-registries": """
sys-821ge-tnhr-bias-of-another-owner | warning | platform sys-821ge-tnhr, energy-performance-bias-owner os, energy-performance-bias maximum-performance or performance or balanced-energy or energy-efficient | SYS-821GE-TNHR registry, PowerPerformanceTuning_3CE0 help text
sys-821ge-tnhr-turbo-without-speedstep | warning | platform sys-821ge-tnhr, workload not weka, speedstep off, turbo on | SYS-821GE-TNHR registry, TurboMode_3D06 dependencies
sys-821ge-tnhr-energy-performance-bias-owner-keeps-energy-performance-bias | keeps energy-performance-bias any | energy-performance-bias-owner os, platform sys-821ge-tnhr | SYS-821GE-TNHR registry, ENERGY_PERF_BIAS_CFGMode_3CE1 dependencies
sys-821ge-tnhr-hardware-p-states-keeps-energy-performance-bias-owner | keeps energy-performance-bias-owner any | hardware-p-states out-of-band, platform sys-821ge-tnhr | SYS-821GE-TNHR registry, PowerPerformanceTuning_3CE0 dependencies
sys-821ge-tnhr-iommu-keeps-interrupt-remapping | keeps interrupt-remapping any | iommu off, platform sys-821ge-tnhr | SYS-821GE-TNHR registry, InterruptRemapping_1E37 dependencies
sys-821ge-tnhr-optimized-power-mode-keeps-c1e | keeps c1e any | optimized-power-mode on, platform sys-821ge-tnhr | SYS-821GE-TNHR registry, EnhancedHaltState_C1E__3D23 dependencies
sys-821ge-tnhr-power-technology-keeps-energy-performance-bias | keeps energy-performance-bias any | platform sys-821ge-tnhr, power-technology not custom | SYS-821GE-TNHR registry, ENERGY_PERF_BIAS_CFGMode_3CE1 dependencies
sys-821ge-tnhr-power-technology-keeps-energy-performance-bias-owner | keeps energy-performance-bias-owner any | platform sys-821ge-tnhr, power-technology not custom | SYS-821GE-TNHR registry, PowerPerformanceTuning_3CE0 dependencies
sys-821ge-tnhr-power-technology-keeps-optimized-power-mode | keeps optimized-power-mode any | platform sys-821ge-tnhr, power-technology not custom | SYS-821GE-TNHR registry, OptimizedPowerMode_3CE2 dependencies
sys-821ge-tnhr-speedstep-hides-avx-base-frequency | hides avx-base-frequency any | platform sys-821ge-tnhr, speedstep off | SYS-821GE-TNHR registry, AVXP1_3CFE dependencies
sys-821ge-tnhr-speedstep-hides-turbo | hides turbo any | platform sys-821ge-tnhr, speedstep off | SYS-821GE-TNHR registry, TurboMode_3D06 dependencies
""",
    "redhat-202743": """
intel-idle-overrides-firmware | error | os linux, os not rhel-5 or modern-linux, virtual-machine not yes, c-states off, intel-idle on, monitor-mwait not off, idle-poll not on | Why the OS might ignore BIOS settings
""",
    "tuned-el6": """
governor-through-stopped-cpuspeed | warning | os rhel-6, cpuspeed-service off, governor performance | functions: set_cpu_governor
""",
}


NEEDS = "needs "
"""Before an effect and a value that it must not have."""

VERBS = {"requires": "", "locks": "locked", "keeps": "kept", "hides": "hidden"}
"""What firmware does with the setting that it requires, and the flag that says so."""


def lines(source: str) -> dict[str, tuple[str, str, str]]:
    """The lines of a source by their names: how gravely, under which conditions, where."""
    return {name: (gravity, where, place) for name, gravity, where, place in rows(LINES[source])}


@pytest.mark.parametrize("source", LINES)
def test_warnings(source: str, knowledge: Knowledge) -> None:
    expected = {
        name: (gravity, asked(where, knowledge), Citation(source, place))
        for name, (gravity, where, place) in lines(source).items()
        if gravity in ("error", "warning")
    }
    found = {
        hazard.name: (hazard.severity, dict(hazard.when), hazard.citation)
        for hazard in knowledge.hazards.values()
    }
    assert {name: found.get(name) for name in expected} == expected


@pytest.mark.parametrize("source", LINES)
def test_what_cannot_be(source: str, knowledge: Knowledge) -> None:
    found = {
        c.name: (dict(c.when), dict([c.require]) if c.require else None, c.lock, c.citation)
        for c in knowledge.constraints
    }
    expected = {}
    for name, (gravity, where, place) in lines(source).items():
        if gravity not in ("error", "warning") and not gravity.startswith(NEEDS):
            kind, _, required = gravity.partition(" ")
            needs = required_of(required, knowledge) if kind in VERBS else None
            lock = VERBS.get(kind, "")
            expected[name] = (asked(where, knowledge), needs, lock, Citation(source, place))
    assert {name: found.get(name) for name in expected} == expected


@pytest.mark.parametrize(
    ("source", "name"),
    [(s, name) for s in LINES for name, (gravity, *_) in lines(s).items() if gravity.startswith(NEEDS)],
)
def test_what_is_needed(source: str, name: str, knowledge: Knowledge) -> None:
    """Each case of the effect that has the value is a constraint."""
    gravity, where, place = lines(source)[name]
    effect, value = gravity.removeprefix(NEEDS).split(" not ")
    taking = [dict(box) for outcome, box in knowledge.effects[effect].cases if outcome == value]
    found = [c for c in knowledge.constraints if c.name == name]
    assert [dict(c.when) for c in found] == [asked(where, knowledge) | box for box in taking]
    assert {(c.effect, c.require, c.citation) for c in found} == {(effect, None, Citation(source, place))}


TAKING = {
    "device-translation": ("unavailable", "linux-interrupt-remapping", "intel_prepare_irq_remapping(); detect_ivrs()", (
        "iommu off", "cpu-vendor not amd, vendor dell, virtualization off", "cpu-vendor not amd, intel-iommu off",
    )),
    "interrupt-targets": ("first-255", "linux-apic", "try_to_enable_x2apic()", (
        "x2apic off", "iommu off", "interrupt-remapping off", "cpu-vendor not amd, vendor dell, virtualization off",
    )),
}  # fmt: skip
"""What takes away what is needed. That Dell's Xeon servers have no switch for VT-d is in the help texts of
ProcVirtualization."""


@pytest.mark.parametrize("name", TAKING)
def test_what_takes_it_away(name: str, knowledge: Knowledge) -> None:
    value, source, place, cases = TAKING[name]
    effect = knowledge.effects[name]
    assert (effect.values, effect.otherwise, effect.citation) == ((value,), "", Citation(source, place))
    assert [(outcome, dict(box)) for outcome, box in effect.cases] == [
        (value, asked(text, knowledge)) for text in cases
    ]


def required_of(text: str, knowledge: Knowledge) -> dict[str, int]:
    """What a constraint requires; `any` is every value."""
    name, _, values = text.partition(" ")
    return {name: knowledge.variables[name].everything} if values == "any" else asked(text, knowledge)


def test_every_warning_is_here(knowledge: Knowledge) -> None:
    named = [name for source in LINES for name in lines(source)]
    assert len(named) == len(set(named))
    everything = {*knowledge.hazards, *(c.name for c in knowledge.constraints)}
    of_registries = {c.name for c in knowledge.constraints if is_compared_with_a_registry(c, knowledge)}
    assert everything - of_registries <= set(named) <= everything


def is_compared_with_a_registry(constraint: Constraint, knowledge: Knowledge) -> bool:
    """Whether `test_other_makers` compares a constraint with the registry that it is from."""
    platform = knowledge.variables["platform"]
    return any(("platform", platform.bit(name)) in constraint.when for name in OFFERED)
