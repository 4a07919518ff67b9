"""What each Linux lets one set: the values of a knob, how they are spelt, and what it is where nobody sets it.

Read off the kernel's own files and the programs that set the knobs:

- boot arguments: `intel_idle.max_cstate=0` "disables the intel_idle driver", `processor.max_cstate=0` "is equivalent to
  processor.max_cstate=1" (admin-guide/pm/cpuidle); `idle=poll` (kernel-parameters); `skew_tick=1`, of Linux 3.5.
  Enterprise Linux 5 has 2.6.18, before cpuidle itself.
- `governor`: the default of drivers/cpufreq/Kconfig is performance, and from 5.7 on schedutil with X86_INTEL_PSTATE.
  Spelt as tuned's profiles do (`ondemand|powersave` in powersave, `conservative|powersave` in balanced).
- `energy-perf-bias`: intel_epb.c changes 0 to 6, `normal`. The hint came with Westmere.
- `force-latency`: microseconds (`1`) in tuned 0.2 and up to tuned 2.11, that of Enterprise Linux 7, and a state's
  number since (`cstate.id_no_zero:1|3`); without a request the kernel has none.
- sysctls: vm.swappiness 60; vm.dirty_ratio 20 and dirty_background_ratio 10 by tuned's comments; busy_read and
  busy_poll 0; zone_reclaim_mode disabled, but in 3.10 "set during bootup to 1 if it is determined that pages from
  remote zones will cause a measurable performance reduction"; NUMA_BALANCING_DEFAULT_ENABLED is y in init/Kconfig.
- `readahead`: in KiB, `>` raises only; `dirty-ratio` is without a number where the limit is in bytes (dirty_bytes is
  "the counterpart of dirty_ratio. Only one of them may be specified at a time").
- transparent huge pages: always in mm/Kconfig and on Enterprise Linux 6 and 7, madvise in Ubuntu's configuration.

A line is an offer: where, the values with their spelling, `*` at the default, and the source. `?` says that no source
states a default. A value without a spelling leaves the knob alone; `/` stands for tuned's `|`. `absent` is in place of
values.

What Enterprise Linux 7 and 8 take is read off their own kernels, of 7.8, 7.9, 8.1 and 8.3: `isolated_cpu_setup` hands
the text to cpulist_parse; `housekeeping_isolcpus_setup` of 8.1 knows the flags nohz and domain, that of 8.3 managed_irq
as well, so that only a list without flags is common; `tsc_setup` knows reliable in all of them, nowatchdog in 8.3
alone; `intel_pstate_setup` disable, passive and no_hwp. Of TCP's buffers tcp_init takes max(87380, …) and max(64*1024,
…).
"""

import pytest

from conformance.printed import asked, rows
from setpoint.compiler.knowledge.model import Knowledge

LATER = "os rhel-7 or linux-4.12"
BEFORE_5_6 = "os sles-12 or sles-15-sp1 or sles-15-sp2 or sles-15-sp3 or ubuntu-20.04"
"""Those whose kernels are known from the documentation of Linux 4.12, 5.3 and 5.4."""
BUT_RHEL_8 = "os linux-5.3 or sles-12 or sles-15-sp1"
WITH_EPB = (
    "cpu-vendor not amd, platform not poweredge-11g, cpu not core-i7-965 or harpertown or irwindale or e7"
)

OFFERS = f"""
acpi-idle-limit        | os linux                                             | none*; c1=processor.max_cstate=1                             | linux-cpuidle            | Idle States Control Via Kernel Command Line
idle-poll              | os linux                                             | off*; on=idle=poll                                           | linux-cpuidle            | Idle States Control Via Kernel Command Line
intel-idle             | os linux, os not rhel-5, cpu-vendor not amd          | on*; off=intel_idle.max_cstate=0                             | linux-intel-idle         | Kernel Command Line Options and Module Parameters
skew-tick              | {LATER}                                              | off*; on=skew_tick=1                                         | linux-tick-skew          | skew_tick=
base-profile           | os rhel-8 or modern-linux, tuned not unused          | none*; accelerator-performance=accelerator-performance; balanced=balanced; hpc-compute=hpc-compute; latency-performance=latency-performance; mssql=mssql; network-latency=network-latency; network-throughput=network-throughput; oracle=oracle; postgresql=postgresql; powersave=powersave; sap-hana=sap-hana; throughput-performance=throughput-performance; virtual-guest=virtual-guest; virtual-host=virtual-host | tuned-releases           | [main] include
busy-poll              | {LATER}                                              | off*=0; 1us to 2147483647us=*                                | linux-sysctl             | net: busy_read, busy_poll
cpuspeed-service       | os rhel-5 or rhel-6                                  | on*=chkconfig cpuspeed on; off=chkconfig cpuspeed off        | cpuspeed                 | header: scaling works with the defaults
dirty-background-ratio | os rhel-6 | 0 to 100; default 10 | tuned-el6 | throughput-performance: sysctl.ktune, comment on vm.dirty_background_ratio
dirty-background-ratio | {LATER} | in-bytes; 0 to 100=*; default 10 | tuned-profiles | throughput-performance, [sysctl] comment on vm.dirty_background_ratio
dirty-ratio | os rhel-6 | 0 to 100; default 20 | tuned-el6 | throughput-performance: sysctl.ktune, comment on vm.dirty_ratio
dirty-ratio | {LATER} | in-bytes; 0 to 100=*; default 20 | tuned-profiles | throughput-performance, [sysctl] comment on vm.dirty_ratio
energy-perf-bias       | {LATER}, cpu westmere                                | normal*=normal; performance=performance; balance-performance=balance-performance; power=powersave/power | linux-energy-perf-policy | commit message: first became available on Westmere Xeon
energy-perf-bias       | {LATER}, {WITH_EPB}                                  | normal*=normal; performance=performance; balance-performance=balance-performance; power=powersave/power | linux-intel-epb          | overview
force-latency | os rhel-6 | none*; c1=1 | tuned-el6 | latency-performance: ktune.sh, pmqos-static.py cpu_dma_latency=
force-latency | os rhel-7 | none*; c1=1; 2us to 2000us=* | linux-cpuidle | Power Management Quality of Service for CPUs
force-latency | os linux-4.12 | none*; c1=cstate.id_no_zero:1/3; 1us to 2000us=* | linux-cpuidle | Power Management Quality of Service for CPUs
governor               | os rhel-6                                            | performance=performance; ondemand*=ondemand; conservative=conservative; powersave=powersave | tuned-el6                | functions: set_cpu_governor; default: /etc/sysconfig/cpuspeed, GOVERNOR
governor               | os rhel-7 or rhel-8                                  | performance*=performance; ondemand=ondemand/powersave; conservative=conservative/powersave; powersave=powersave | linux-cpufreq            | CPU_FREQ_DEFAULT_GOV, before 5.7
governor               | {BEFORE_5_6}                                         | ?; performance=performance; ondemand=ondemand/powersave; conservative=conservative/powersave; powersave=powersave | linux-cpufreq            | CPU_FREQ_DEFAULT_GOV, before 5.7
governor               | os modern-linux                                      | schedutil*=schedutil/conservative/powersave; performance=performance; ondemand=ondemand/powersave; conservative=conservative/powersave; powersave=powersave | linux-cpufreq            | CPU_FREQ_DEFAULT_GOV, since 5.7
min-perf-pct           | {LATER}, {WITH_EPB}                                  | lowest*=0; 1 to 100                                          | linux-intel-pstate       | User Space Interface in sysfs: min_perf_pct
numa-balancing         | {LATER}                                              | on*=1; off=0                                                 | linux-numa-balancing     | NUMA_BALANCING_DEFAULT_ENABLED
readahead | {LATER} | ?; unmanaged; 0 to 4095=*; 4096=>4096; 4097 to 2147483647 | linux-sysfs-block | /sys/block/<disk>/queue/read_ahead_kb
smt-placement          | os rhel-5                                            | unmanaged*; strict-no-smt=the first sibling of each core; loose-no-smt=first siblings, then the others; smt=both siblings of each core | cern-nehalem             | Section 5.1
smt-placement          | {LATER}                                              | unmanaged*; strict-no-smt=first siblings only; loose-no-smt=first siblings, then the others; smt=both siblings of each core | linux-cpusets            | cpuset.cpus
swappiness             | os rhel-6                                            | 0 to 100; default 60                                         | linux-sysctl             | vm: swappiness
swappiness             | {LATER}                                              | 0 to 200; default 60                                         | linux-sysctl             | vm: swappiness
transparent-hugepages  | os rhel-6                                            | always*=always; madvise=madvise; never=never                 | redhat-46111             | Resolution: /sys/kernel/mm/redhat_transparent_hugepage/enabled
transparent-hugepages  | os rhel-7 or rhel-8                                  | always*=always; madvise=madvise; never=never                 | redhat-el7-tuning        | 7.4 Configuring Transparent Huge Pages
transparent-hugepages  | os linux-4.12, os not rhel-8 or ubuntu-20.04 or ubuntu-22.04 or ubuntu-24.04 or ubuntu-26.04 | always*=always; madvise=madvise; never=never                 | linux-thp                | TRANSPARENT_HUGEPAGE_ALWAYS
transparent-hugepages  | os ubuntu-20.04 or ubuntu-22.04 or ubuntu-24.04 or ubuntu-26.04                      | madvise*=madvise; always=always; never=never                 | ubuntu-thp               | TRANSPARENT_HUGEPAGE_MADVISE
zone-reclaim           | os rhel-7                                            | ?; off=0; on=1                                               | linux-sysctl-el7         | zone_reclaim_mode
zone-reclaim           | os linux-4.12                            | off*=0; on=1                                                 | linux-sysctl             | vm: zone_reclaim_mode
"""
MORE = f"""
amd-pstate | cpu-vendor amd, os debian-12 | ?; kernel-default; passive=amd_pstate=passive; disabled=amd_pstate=disable | linux-amd-pstate | Kernel Module Options for amd-pstate
amd-pstate | cpu-vendor amd, os debian-13 or ubuntu-24.04 or ubuntu-26.04 | ?; kernel-default; active=amd_pstate=active; guided=amd_pstate=guided; passive=amd_pstate=passive; disabled=amd_pstate=disable | linux-amd-pstate | AMD Pstate Driver Operation Modes
clock-source | os linux-5.3 | ?; kernel-default; tsc=clocksource=tsc; hpet=clocksource=hpet | linux-kernel-parameters | clocksource=
huge-page-size | {LATER} | ?; kernel-default; 2m=default_hugepagesz=2M; 1g=default_hugepagesz=1G | linux-kernel-parameters | default_hugepagesz=
huge-pages-at-boot | {LATER} | ?; kernel-default; 0 to 1000000000=hugepages=* | linux-kernel-parameters | hugepages=
idle-governor | os modern-linux | ?; kernel-default; menu-governor=cpuidle.governor=menu; teo=cpuidle.governor=teo; ladder=cpuidle.governor=ladder; haltpoll=cpuidle.governor=haltpoll | linux-cpuidle | Idle CPU governors; Idle States Control Via Kernel Command Line
idle-governor | os sles-15-sp2 or sles-15-sp3 or ubuntu-20.04 | ?; kernel-default; menu-governor=cpuidle.governor=menu; teo=cpuidle.governor=teo; ladder=cpuidle.governor=ladder | linux-before-5.6 | cpuidle.governor=; The Idle Loop
intel-iommu | cpu-vendor not amd, {LATER} | ?; kernel-default; on=intel_iommu=on; off=intel_iommu=off | linux-kernel-parameters | intel_iommu=
intel-pstate | os modern-linux, {WITH_EPB} | ?; kernel-default; active=intel_pstate=active; passive=intel_pstate=passive; no-hwp=intel_pstate=no_hwp; disabled=intel_pstate=disable | linux-intel-pstate | Active Mode; Passive Mode; Kernel Command Line Options for intel_pstate
intel-pstate | {BEFORE_5_6}, {WITH_EPB} | ?; kernel-default; passive=intel_pstate=passive; no-hwp=intel_pstate=no_hwp; disabled=intel_pstate=disable | linux-before-5.6 | intel_pstate=
interrupt-cpus | {LATER} | ?; all; cpu-list=irqaffinity=* | linux-kernel-parameters | irqaffinity=
iommu-passthrough | os rhel-7 or rhel-8 or linux-5.3 | ?; kernel-default; on=iommu=pt; off=iommu=nopt | linux-kernel-parameters | iommu=
iommu-passthrough | os sles-12 or sles-15-sp1 | ?; kernel-default; on=iommu=pt | linux-before-5.6 | iommu=
isolated-cpus | os modern-linux | ?; none; cpu-list=isolcpus=managed_irq,domain,* | linux-kernel-parameters | isolcpus=
managed-interrupt-cpus | os modern-linux | ?; none; cpu-list=isolcpus=managed_irq,* | linux-kernel-parameters | isolcpus=
isolated-cpus | {BEFORE_5_6} | ?; none; cpu-list=isolcpus=* | linux-before-5.6 | isolcpus=
kernel-aspm | {LATER} | ?; kernel-default; off=pcie_aspm=off | linux-kernel-parameters | pcie_aspm=
kernel-smt | os linux-5.3 | ?; kernel-default; off=nosmt; forced-off=nosmt=force | linux-kernel-parameters | nosmt
machine-checks | {BUT_RHEL_8} | ?; kernel-default; ignore-corrected=mce=ignore_ce; off=mce=off | linux-x86-boot-options | Machine check
mitigations | os linux-5.3 | ?; kernel-default; auto=mitigations=auto; auto-nosmt=mitigations=auto,nosmt; off=mitigations=off | linux-kernel-parameters | mitigations=
mitigations | os ubuntu-26.04 | ?; kernel-default; auto=mitigations=auto; auto-nosmt=mitigations=auto,nosmt; auto-no-user=mitigations=auto,no_user_kernel,no_user_user; auto-no-guest=mitigations=auto,no_guest_host,no_guest_guest; auto-no-cross-thread=mitigations=auto,no_cross_thread; off=mitigations=off | linux-attack-vectors | Command Line Controls
rcu-offloaded-cpus | {LATER} | ?; none; cpu-list=rcu_nocbs=* | linux-kernel-parameters | rcu_nocbs=
soft-lockup-detector | {LATER} | ?; kernel-default; off=nosoftlockup | linux-kernel-parameters | nosoftlockup
tickless-cpus | {LATER} | ?; none; cpu-list=nohz_full=* | linux-kernel-parameters | nohz_full=
tsc-checks | os linux-5.3 | ?; kernel-default; reliable=tsc=reliable; no-watchdog=tsc=nowatchdog | linux-kernel-parameters | tsc=
asynchronous-io | {LATER} | ?; unmanaged; 1 to 2147483647=* | linux-sysctl | fs: aio-max-nr
autogroup | {LATER} | ?; unmanaged; on=1; off=0 | linux-kernel-parameters | noautogroup
block-merges | {LATER} | all*=0; simple=1; none=2 | linux-sysfs-block | /sys/block/<disk>/queue/nomerges
block-scheduler | os rhel-8 or linux-5.3 | ?; unmanaged; none=none; mq-deadline=mq-deadline; kyber=kyber; bfq=bfq | linux-block-schedulers | schedulers
block-scheduler | os sles-12 or sles-15-sp1 | ?; unmanaged; none=noop/none | saptune-notes | 1984787, [block]; 2578899, [block]
dirty-background-bytes | {LATER} | ?; in-percent; 8192 to 1000000000000=* | linux-sysctl | vm: dirty_background_bytes
dirty-bytes | {LATER} | ?; in-percent; 8192 to 1000000000000=* | linux-sysctl | vm: dirty_bytes
energy-performance-preference | {BUT_RHEL_8}, {WITH_EPB} | ?; unmanaged; performance=performance; balance-performance=balance_performance; balance-power=balance_power; power=power | linux-intel-pstate | Energy vs Performance Hints
huge-pages-1g | {LATER} | ?; unmanaged; 0 to 1000000=* | linux-hugetlb | sysfs
huge-pages-2m | {LATER} | ?; unmanaged; 0 to 1000000000=* | linux-hugetlb | sysfs
hung-task-timeout | {LATER} | ?; unmanaged; off=0; 1s to 2147483647s=* | linux-sysctl | kernel: hung_task_timeout_secs
firmware-refresh-timer | os rhel-8 or modern-linux | ?; unmanaged; off=fwupd-refresh.timer masked | systemctl-manual | mask UNIT…
power-profiles-service | os rhel-8 or modern-linux | ?; unmanaged; off=tuned-ppd.service masked | systemctl-manual | mask UNIT…
adaptive-rx-coalescing | os rhel-8 or modern-linux | ?; unmanaged; on=on; off=off | ethtool-manual | -C --coalesce
adaptive-tx-coalescing | os rhel-8 or modern-linux | ?; unmanaged; on=on; off=off | ethtool-manual | -C --coalesce
rx-interrupt-delay | os rhel-8 or modern-linux | ?; unmanaged; 0us to 4294967295us=* | ethtool-manual | -C --coalesce
tx-interrupt-delay | os rhel-8 or modern-linux | ?; unmanaged; 0us to 4294967295us=* | ethtool-manual | -C --coalesce
rx-ring-size | os rhel-8 or modern-linux | ?; unmanaged; 1 to 4294967295=* | ethtool-manual | -G --set-ring
tx-ring-size | os rhel-8 or modern-linux | ?; unmanaged; 1 to 4294967295=* | ethtool-manual | -G --set-ring
network-queues | os rhel-8 or modern-linux | ?; unmanaged; 1 to 4294967295=* | ethtool-manual | -L --set-channels
huge-pages-1g-per-node | {LATER} | ?; unmanaged; 0 to 1000000=* | linux-hugetlb | Per Node Hugepages Attributes
huge-pages-2m-per-node | {LATER} | ?; unmanaged; 0 to 1000000000=* | linux-hugetlb | Per Node Hugepages Attributes
isolated-partition | os debian-12 or debian-13 or rhel-10 or ubuntu-24.04 or ubuntu-26.04, tuned unused | none*; cpu-list=isolated: * | linux-cpusets | cpuset.cpus.partition
irqbalance-banned-cpus | os rhel-8 or modern-linux | ?; unmanaged; cpu-list=* | tuned-plugins | irqbalance, banned_cpus
listen-backlog | os rhel-7 | 1 to 65535=*; default 128 | linux-listen-backlog | the message
listen-backlog | os rhel-8 or sles-12 or sles-15-sp1 or sles-15-sp2 or sles-15-sp3 | 1 to 2147483647=*; default 128 | linux-ip-sysctl | somaxconn
listen-backlog | os modern-linux or ubuntu-20.04 | 1 to 2147483647=*; default 4096 | linux-ip-sysctl | somaxconn
max-map-count | {LATER} | ?; unmanaged; 1 to 2147483647=* | linux-sysctl | vm: max_map_count
memory-overcommit | {LATER} | heuristic*=0; always=1; never=2 | linux-overcommit | modes
panic-on-oops | {LATER} | ?; unmanaged; on=1; off=0 | linux-sysctl | kernel: panic_on_oops
process-limit | {LATER} | ?; unmanaged; 301 to 4194304=* | linux-sysctl | kernel: pid_max
restart-after-panic | {LATER} | ?; unmanaged; off=0; 1s to 2147483647s=* | linux-sysctl | kernel: panic
tcp-retransmissions | {LATER} | 0 to 255=*; default 15 | linux-ip-sysctl | tcp_retries2
minimum-free-memory | {LATER} | ?; unmanaged; 1024 to 2147483647=* | linux-sysctl | vm: min_free_kbytes
nmi-watchdog | {LATER} | ?; unmanaged; on=1; off=0 | linux-sysctl | kernel: nmi_watchdog
packet-backlog | {LATER} | ?; unmanaged; 1 to 2147483647=* | linux-sysctl | net: netdev_max_backlog
real-time-runtime | {LATER} | unlimited=-1; 0us to 1000000us=*; default 950000us | linux-sched-rt | 2.2 Default behaviour
uncore-maximum-frequency | os debian-12 or debian-13 or rhel-10 or ubuntu-24.04 or ubuntu-26.04, cpu broadwell or other-broadwell or skylake or ice-lake or sapphire-rapids or emerald-rapids | ?; unmanaged; 100MHz to 10000MHz=*000 | linux-uncore-frequency | Sysfs Interface
uncore-maximum-frequency | os debian-13 or rhel-10 or ubuntu-26.04, cpu granite-rapids or sierra-forest | ?; unmanaged; 100MHz to 10000MHz=*000 | linux-uncore-frequency | SoCs with TPMI
uncore-minimum-frequency | os debian-12 or debian-13 or rhel-10 or ubuntu-24.04 or ubuntu-26.04, cpu broadwell or other-broadwell or skylake or ice-lake or sapphire-rapids or emerald-rapids | ?; unmanaged; 100MHz to 10000MHz=*000 | linux-uncore-frequency | Sysfs Interface
uncore-minimum-frequency | os debian-13 or rhel-10 or ubuntu-26.04, cpu granite-rapids or sierra-forest | ?; unmanaged; 100MHz to 10000MHz=*000 | linux-uncore-frequency | SoCs with TPMI
uncore-idle-frequency | os debian-13 or rhel-10 or ubuntu-26.04, cpu granite-rapids or sierra-forest | ?; unmanaged; 100MHz to 10000MHz=*000 | intel-pepc-elc | ELC Overview
uncore-low-load | os debian-13 or rhel-10 or ubuntu-26.04, cpu granite-rapids or sierra-forest | ?; unmanaged; 0 to 100=* | intel-pepc-elc | ELC Overview
uncore-high-load | os debian-13 or rhel-10 or ubuntu-26.04, cpu granite-rapids or sierra-forest | ?; unmanaged; off; 1 to 100=* | intel-pepc-elc | ELC Overview
dirty-expiry | os linux-4.12 | ?; unmanaged; 1 to 2147483647=* | linux-sysctl | vm: dirty_expire_centisecs
writeback-interval | os linux-4.12 | ?; unmanaged; off=0; 1 to 2147483647=* | linux-sysctl | vm: dirty_writeback_centisecs
tcp-keepalive-time | os linux-4.12 | 1s to 2147483s=*; default 7200s | linux-ip-sysctl | tcp_keepalive_time
tcp-keepalive-interval | os linux-4.12 | 1s to 2147483s=*; default 75s | linux-ip-sysctl | tcp_keepalive_intvl
tcp-keepalive-probes | os linux-4.12 | 1 to 255=*; default 9 | linux-ip-sysctl | tcp_keepalive_probes
open-file-limit | os linux-4.12 | ?; unmanaged; 1 to 999999999999999=* | linux-sysctl | fs: file-max
shared-memory-limit | os linux-4.12 | ?; unmanaged; 1 to 999999999999999=* | linux-sysctl | kernel: shmall
shared-memory-segment-limit | os linux-4.12 | ?; unmanaged; 1 to 999999999999999=* | linux-sysctl | kernel: shmmax
shared-memory-segments | os rhel-8 or sles-12 or sles-15-sp1 or sles-15-sp2 or sles-15-sp3 or ubuntu-20.04 | ?; unmanaged; 1 to 32768=* | proc-manual | /proc/sys/kernel/shmmni
semaphores | os linux-4.12 | ?; unmanaged; 250-32000-100-128=250 32000 100 128; 32000-1024000000-500-32000=32000 1024000000 500 32000 | proc-manual | /proc/sys/kernel/sem
local-ports | os linux-4.12 | 1024-65535=1024 65535; 9000-65499=9000 65499; 32768-60999=32768 60999; default 32768-60999 | linux-ip-sysctl | ip_local_port_range
shared-memory-segments | os modern-linux | 1 to 32768=*; default 4096 | linux-sysctl | kernel: shmmni
inotify-instances | os linux-4.12 | ?; unmanaged; 1 to 2147483647=* | inotify-manual | /proc interfaces
service-open-files | os debian-12 or debian-13, tuned unused | 1024 to 1048576=1024:*; default 524288 | systemd-system-conf | DefaultLimitNOFILE=
service-locked-memory | os debian-12 or debian-13, tuned unused | unlimited=infinity; 65536 to 999999999999999=*; default 8388608 | systemd-system-conf | DefaultLimitMEMLOCK=
inotify-watches | os linux-4.12 | ?; unmanaged; 1 to 2147483647=* | inotify-manual | /proc interfaces
neighbour-table-minimum | os linux-4.12 | 1 to 2147483647=*; default 128 | linux-ip-sysctl | neigh/default/gc_thresh1
neighbour-table-threshold | os linux-4.12 | 1 to 2147483647=*; default 512 | linux-ip-sysctl | neigh/default/gc_thresh2
neighbour-table-maximum | os linux-4.12 | 1 to 2147483647=*; default 1024 | linux-ip-sysctl | neigh/default/gc_thresh3
receive-buffer-default | {LATER} | ?; unmanaged; 2304 to 2147483647=* | linux-sysctl | net: rmem_default
send-buffer-default | {LATER} | ?; unmanaged; 4608 to 2147483647=* | linux-sysctl | net: wmem_default
tcp-receive-buffer-maximum | os sles-12 or sles-15-sp1 | ?; unmanaged; 87380 to 2147483647=* | linux-tcp-init | tcp_init()
tcp-receive-buffer-maximum | os sles-15-sp2 or sles-15-sp3 or ubuntu-20.04 | ?; unmanaged; 131072 to 2147483647=* | linux-tcp-init | tcp_init()
tcp-receive-buffer-maximum | os modern-linux | ?; unmanaged; 131072 to 2147483647=* | linux-ip-sysctl | tcp_rmem
tcp-send-buffer-maximum | os sles-12 or sles-15-sp1 | ?; unmanaged; 65536 to 2147483647=* | linux-tcp-init | tcp_init()
tcp-send-buffer-maximum | os sles-15-sp2 or sles-15-sp3 or ubuntu-20.04 | ?; unmanaged; 65536 to 2147483647=* | linux-tcp-init | tcp_init()
tcp-send-buffer-maximum | os modern-linux | ?; unmanaged; 65536 to 2147483647=* | linux-ip-sysctl | tcp_wmem
receive-buffer-maximum | {LATER} | ?; unmanaged; 2304 to 2147483647=* | linux-sysctl | net: rmem_max
same-page-merging | {LATER} | off*=0; on=1 | linux-ksm | KSM daemon sysfs interface
send-buffer-maximum | {LATER} | ?; unmanaged; 4608 to 2147483647=* | linux-sysctl | net: wmem_max
service-cpus | os sles-12 or sles-15-sp1 or sles-15-sp2 or sles-15-sp3 or ubuntu-20.04 | ?; unmanaged; cpu-list=CPUAffinity=* | systemd-of-suse | CPUAffinity=
service-cpus | os rhel-8 or modern-linux | ?; unmanaged; cpu-list=* | tuned-plugins | systemd, cpu_affinity
syn-backlog | {LATER} | ?; unmanaged; 1 to 2147483647=* | linux-ip-sysctl | tcp_max_syn_backlog
tcp-fast-open | {LATER} | client*=1; client-and-server=3; server=2; off=0 | linux-ip-sysctl | tcp_fastopen
tcp-slow-start-after-idle | {LATER} | on*=1; off=0 | linux-ip-sysctl | tcp_slow_start_after_idle
tcp-timestamps | {LATER} | on*=1; off=0 | linux-ip-sysctl | tcp_timestamps
tcp-unsent-limit | {BUT_RHEL_8} | unlimited*=4294967295; 1 to 4294967294=* | linux-ip-sysctl | tcp_notsent_lowat
thp-defrag | {BUT_RHEL_8} | madvise*=madvise; always=always; defer=defer; defer-madvise=defer+madvise; never=never | linux-thp-admin | Global THP controls
timer-migration | {LATER} | ?; unmanaged; on=1; off=0 | linux-sysctl | kernel: timer_migration
vm-statistics-interval | {LATER} | 1s to 2147483647s=*; default 1s | linux-sysctl | vm: stat_interval
amd-pstate | cpu-vendor intel, os linux | absent | linux-amd-pstate | Processor Support
energy-perf-bias | cpu-vendor amd, os linux | absent | linux-intel-epb | overview
intel-idle | cpu-vendor amd, os linux | absent | linux-intel-idle | Initialization
intel-iommu | cpu-vendor amd, os linux | absent | linux-kernel-parameters | intel_iommu=
intel-pstate | cpu-vendor amd, os linux | absent | linux-intel-pstate | the processors that the driver is for
min-perf-pct | cpu-vendor amd, os linux | absent | linux-intel-pstate | the processors that the driver is for
clock-source | os rhel-7 | ?; kernel-default; tsc=clocksource=tsc; hpet=clocksource=hpet | enterprise-linux-7-kernel | kernel/time/clocksource.c, boot_override_clocksource()
clock-source | os rhel-8 | ?; kernel-default; tsc=clocksource=tsc; hpet=clocksource=hpet | enterprise-linux-8-kernel | kernel/time/clocksource.c, boot_override_clocksource()
inotify-instances | os rhel-7 | unmanaged; 1 to 2147483647=*; default 128 | enterprise-linux-7-kernel | fs/notify/inotify/inotify_user.c, inotify_max_user_instances
inotify-watches | os rhel-7 | unmanaged; 1 to 2147483647=*; default 8192 | enterprise-linux-7-kernel | fs/notify/inotify/inotify_user.c, inotify_max_user_watches
intel-pstate | os rhel-7, {WITH_EPB} | ?; kernel-default; passive=intel_pstate=passive; no-hwp=intel_pstate=no_hwp; disabled=intel_pstate=disable | enterprise-linux-7-kernel | drivers/cpufreq/intel_pstate.c, intel_pstate_setup()
intel-pstate | os rhel-8, {WITH_EPB} | ?; kernel-default; passive=intel_pstate=passive; no-hwp=intel_pstate=no_hwp; disabled=intel_pstate=disable | enterprise-linux-8-kernel | drivers/cpufreq/intel_pstate.c, intel_pstate_setup()
isolated-cpus | os rhel-7 | ?; none; cpu-list=isolcpus=* | enterprise-linux-7-kernel | kernel/sched/core.c, isolated_cpu_setup()
isolated-cpus | os rhel-8 | ?; none; cpu-list=isolcpus=* | enterprise-linux-8-kernel | kernel/sched/isolation.c, housekeeping_isolcpus_setup()
kernel-smt | os rhel-7 | ?; kernel-default; off=nosmt; forced-off=nosmt=force | enterprise-linux-7-kernel | kernel/cpu.c, smt_cmdline_disable()
kernel-smt | os rhel-8 | ?; kernel-default; off=nosmt; forced-off=nosmt=force | enterprise-linux-8-kernel | kernel/cpu.c, smt_cmdline_disable()
local-ports | os rhel-7 | 1024-65535=1024 65535; 9000-65499=9000 65499; 32768-60999*=32768 60999 | enterprise-linux-7-kernel | net/ipv4/sysctl_net_ipv4.c, ipv4_sysctl_local_ports
machine-checks | os rhel-7 | ?; kernel-default; ignore-corrected=mce=ignore_ce; off=mce=off | enterprise-linux-7-kernel | arch/x86/kernel/cpu/mcheck/mce.c, mcheck_enable()
machine-checks | os rhel-8 | ?; kernel-default; ignore-corrected=mce=ignore_ce; off=mce=off | enterprise-linux-8-kernel | arch/x86/kernel/cpu/mce/core.c, mcheck_enable()
managed-interrupt-cpus | os rhel-7 | absent | enterprise-linux-7-kernel | kernel/sched/core.c, isolated_cpu_setup(): a list without flags
mitigations | os rhel-7 | ?; kernel-default; auto=mitigations=auto; auto-nosmt=mitigations=auto,nosmt; off=mitigations=off | enterprise-linux-7-kernel | kernel/cpu.c, mitigations_parse_cmdline()
mitigations | os rhel-8 | ?; kernel-default; auto=mitigations=auto; auto-nosmt=mitigations=auto,nosmt; off=mitigations=off | enterprise-linux-8-kernel | kernel/cpu.c, mitigations_parse_cmdline()
neighbour-table-maximum | os rhel-7 | 1 to 2147483647=*; default 1024 | enterprise-linux-7-kernel | net/ipv4/arp.c, gc_thresh3
neighbour-table-minimum | os rhel-7 | 1 to 2147483647=*; default 128 | enterprise-linux-7-kernel | net/ipv4/arp.c, gc_thresh1
neighbour-table-threshold | os rhel-7 | 1 to 2147483647=*; default 512 | enterprise-linux-7-kernel | net/ipv4/arp.c, gc_thresh2
shared-memory-segments | os rhel-7 | 1 to 32768=*; default 4096 | enterprise-linux-7-kernel | include/uapi/linux/shm.h, SHMMNI
tcp-keepalive-interval | os rhel-7 | 1s to 2147483s=*; default 75s | enterprise-linux-7-kernel | include/net/tcp.h, TCP_KEEPALIVE_INTVL
tcp-keepalive-probes | os rhel-7 | 1 to 255=*; default 9 | enterprise-linux-7-kernel | include/net/tcp.h, TCP_KEEPALIVE_PROBES
tcp-keepalive-time | os rhel-7 | 1s to 2147483s=*; default 7200s | enterprise-linux-7-kernel | include/net/tcp.h, TCP_KEEPALIVE_TIME
tcp-receive-buffer-maximum | os rhel-7 | ?; unmanaged; 87380 to 2147483647=* | enterprise-linux-7-kernel | net/ipv4/tcp.c, tcp_init()
tcp-receive-buffer-maximum | os rhel-8 | ?; unmanaged; 87380 to 2147483647=* | enterprise-linux-8-kernel | net/ipv4/tcp.c, tcp_init()
tcp-send-buffer-maximum | os rhel-7 | ?; unmanaged; 65536 to 2147483647=* | enterprise-linux-7-kernel | net/ipv4/tcp.c, tcp_init()
tcp-send-buffer-maximum | os rhel-8 | ?; unmanaged; 65536 to 2147483647=* | enterprise-linux-8-kernel | net/ipv4/tcp.c, tcp_init()
tcp-unsent-limit | os rhel-8 | unlimited*=4294967295; 1 to 4294967294=* | enterprise-linux-8-kernel | net/ipv4/tcp_ipv4.c, tcp_sk_init()
thp-defrag | os rhel-8 | madvise*=madvise; always=always; defer=defer; defer-madvise=defer+madvise; never=never | enterprise-linux-8-kernel | mm/huge_memory.c, transparent_hugepage_flags
tsc-checks | os rhel-7 | ?; kernel-default; reliable=tsc=reliable | enterprise-linux-7-kernel | arch/x86/kernel/tsc.c, tsc_setup()
tsc-checks | os rhel-8 | ?; kernel-default; reliable=tsc=reliable | enterprise-linux-8-kernel | arch/x86/kernel/tsc.c, tsc_setup()
"""
"""Each held against the page of the kernel's documentation of 6.1 that it cites, those for kernels before 5.6 also
against that of 5.4, 5.3 and 4.12, and the options of tuned 2.20. Buffers have the least that sysctl takes;
`managed_irq,domain` are the flags of tuned's profile `realtime`."""
LINES = [*rows(OFFERS), *rows(MORE)]
SETTINGS = sorted({line[0] for line in LINES})

Offered = tuple[tuple[tuple[str, int], ...], tuple[tuple[str, str], ...], str, bool, tuple[str, str]]


def typed(line: list[str], knowledge: Knowledge) -> Offered:
    """An offer as its line has it."""
    _, where, values, source, at = line
    offered, default = [], ""
    for word in values.split("; "):
        value, _, label = word.partition("=")
        if value.endswith("*"):
            default = value.rstrip("*")
        if value.startswith("default "):
            default = value.removeprefix("default ")
        elif value not in ("?", "absent"):
            offered.append((value.rstrip("*"), label.replace("/", "|")))
    return (
        tuple(sorted(asked(where, knowledge).items())),
        tuple(offered),
        default,
        "?" in values,
        (source, at),
    )


@pytest.mark.parametrize("setting", SETTINGS)
def test_what_linux_offers(setting: str, knowledge: Knowledge) -> None:
    expected = [typed(line, knowledge) for line in LINES if line[0] == setting]
    found = [
        (o.when, tuple(zip(o.values, o.labels, strict=True)), o.default, o.unknown, tuple(o.citation))
        for o in knowledge.offers[setting]
    ]
    assert sorted(found) == sorted(expected)


def test_every_knob_of_linux_is_here(knowledge: Knowledge) -> None:
    assert sorted(name for name, s in knowledge.settings.items() if s.layer != "firmware") == SETTINGS
