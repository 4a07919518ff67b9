"""The conditions under which each hazard occurs, and a similar case in which it does not.

Each line is read off the paper, the kernel's documentation or the menu: what is done, and for what it is bad. `+` is a
policy in which the hazard arises, `-` one in which it must not. The hazards that stop a build over a contradiction
between the papers' goals are in `test_conflict_checks`.
"""

from pathlib import Path

import pytest

from knowledge.refusals import spelt
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.policies.coverage import exercised

BESIDES = [*Path(__file__).parent.glob("test_*.py"), *Path(__file__).parents[1].glob("conformance/test_*.py")]
"""Where the other hazards are named."""

TWELFTH = "cpu e5-2600"

CASES = f"""
mitigations-off
    + goal throughput; cpu skylake; os debian 12; set mitigations off
    - goal throughput; cpu skylake; os debian 12; set mitigations auto
    - goal throughput; cpu skylake; os debian 12
mitigations-for-trusted-users
    + goal throughput; cpu ice-lake; os ubuntu 26.04; set mitigations auto-no-user
    - goal throughput; cpu ice-lake; os ubuntu 26.04; set mitigations auto-no-guest
mitigations-for-trusted-guests
    + goal throughput; cpu ice-lake; os ubuntu 26.04; set mitigations auto-no-guest
    - goal throughput; cpu ice-lake; os ubuntu 26.04; set mitigations auto-no-cross-thread
mitigations-for-trusted-siblings
    + goal throughput; cpu ice-lake; os ubuntu 26.04; set mitigations auto-no-cross-thread
    - goal throughput; cpu ice-lake; os ubuntu 26.04; set mitigations auto-nosmt
governor-rejects-preference
    + goal latency; cpu skylake; os debian 12; set energy-performance-preference balance-power
    - goal latency; cpu skylake; os debian 12; set energy-performance-preference performance
    - goal latency; cpu skylake; os debian 12; set energy-performance-preference balance-power; set governor powersave
    - goal latency; cpu skylake; os debian 12; set energy-performance-preference balance-power; set intel-pstate passive
intel-pstate-disabled-since-ice-lake
    + goal latency; cpu ice-lake; os rhel 9; set intel-pstate disabled
    - goal latency; cpu ice-lake; os rhel 9; set intel-pstate active
    - goal latency; cpu skylake; os rhel 9; set intel-pstate disabled
firmware-refresh-interrupts
    + goal throughput; cpu skylake; os rhel 10; set isolated-cpus 2-5
    + goal throughput; cpu skylake; os rhel 10; tuned unused; set isolated-partition 2-5
    - goal throughput; cpu skylake; os rhel 10; set isolated-cpus 2-5; set firmware-refresh-timer off
    - goal throughput; cpu skylake; os rhel 9; set isolated-cpus 2-5
    - goal latency; cpu ice-lake; os rhel 10; workload real-time; set isolated-cpus 2-5
firmware-of-a-guest
    + goal latency; platform r740; virtual-machine yes
    - goal latency; os debian 12; virtual-machine yes
    - goal latency; platform r740; virtual-machine no
idle-driver-of-a-guest
    + goal latency; os debian 12; virtual-machine yes; set intel-idle off
    + goal latency; os debian 12; virtual-machine kvm; set intel-idle off
    - goal latency; os debian 12; virtual-machine yes
    - goal latency; os debian 12; set intel-idle off
idle-limit-of-a-guest
    + goal latency; os debian 12; virtual-machine yes; set acpi-idle-limit c1
    - goal latency; os debian 12; virtual-machine yes; set acpi-idle-limit none
    - goal latency; os debian 12; set acpi-idle-limit c1
intel-pstate-of-a-guest
    + goal latency; os debian 12; virtual-machine yes; set intel-pstate disabled
    - goal latency; os debian 12; virtual-machine yes; set intel-pstate kernel-default
    - goal latency; os debian 12; set intel-pstate disabled
amd-pstate-of-a-guest
    + goal latency; os debian 13; cpu-vendor amd; virtual-machine yes; set amd-pstate active
    - goal latency; os debian 13; cpu-vendor amd; virtual-machine yes
    - goal latency; os rhel 9; virtual-machine yes; workload redpanda
smt-off-shortens-cpu-lists
    + goal latency; cpu skylake; os debian 12; set smt off; set isolated-cpus 2-5
    + goal latency; cpu skylake; os debian 12; set smt off; set service-cpus 0-1
    + goal latency; cpu skylake; os debian 12; set smt off; set interrupt-cpus 0-1
    + goal latency; cpu skylake; os debian 12; set smt off; set rcu-offloaded-cpus 2-5
    + goal latency; cpu skylake; os debian 12; set smt off; set irqbalance-banned-cpus 2-5
    + goal latency; cpu skylake; os debian 12; set smt off; set tickless-cpus 2-5
    + goal latency; cpu skylake; os debian 12; tuned unused; set smt off; set isolated-partition 2-5
    - goal latency; cpu skylake; os debian 12; set smt off
    - goal latency; cpu skylake; os debian 12; set smt on; set isolated-cpus 2-5
clusters-need-housekeeping-cpus
    + goal latency; cpu skylake; os debian 12; snc-support yes; set sub-numa-cluster on; set isolated-cpus 2-5
    - goal latency; cpu skylake; os debian 12; snc-support yes; set sub-numa-cluster off; set isolated-cpus 2-5
    - goal latency; cpu skylake; os debian 12; snc-support yes; set sub-numa-cluster on
nodes-need-housekeeping-cpus
    + goal latency; platform r7615; os debian 12; set numa-nodes-per-socket 4; set isolated-cpus 2-5
    - goal latency; platform r7615; os debian 12; set numa-nodes-per-socket 1; set isolated-cpus 2-5
    - goal latency; platform r7615; os debian 12; set numa-nodes-per-socket 4
l3-nodes-need-housekeeping-cpus
    + goal latency; platform r7615; os debian 12; set l3-as-numa on; set isolated-cpus 2-5
    - goal latency; platform r7615; os debian 12; set l3-as-numa off; set isolated-cpus 2-5
    - goal latency; platform r7615; os debian 12; set l3-as-numa on
tuned-ppd-replaces-profile
    + goal latency; cpu skylake; os rhel 10; power-profiles tuned-ppd
    - goal latency; cpu skylake; os rhel 10; power-profiles tuned-ppd; set power-profiles-service off
    - goal latency; cpu skylake; os rhel 10; power-profiles none
    - goal latency; cpu skylake; os debian 13; power-profiles tuned-ppd; tuned unused
tickless-cpus-for-system-calls
    + goal latency; cpu skylake; os debian 12; workload io-bound; set tickless-cpus 2-5
    + goal latency; cpu skylake; os debian 12; workload java; set tickless-cpus 2-5
    + goal latency; cpu skylake; os debian 12; workload redis; set tickless-cpus 2-5
    - goal latency; cpu skylake; os debian 12; workload latency-bound; set tickless-cpus 2-5
    - goal latency; cpu skylake; os debian 12; workload java; set isolated-cpus 2-5
    - goal latency; cpu skylake; os debian 12; workload io-bound
tickless-cpus-not-isolated
    + goal latency; cpu skylake; os debian 12; set tickless-cpus 2-5
    - goal latency; cpu skylake; os debian 12; set tickless-cpus 2-5; set isolated-cpus 2-5
    + goal latency; cpu skylake; os rhel 7; set tickless-cpus 2-5
    - goal latency; cpu skylake; os debian 12; tuned unused; set tickless-cpus 2-5; set isolated-partition 2-5
passive-driver-under-hardware-p-states
    + goal latency; cpu ice-lake; platform xr11; os debian 12; set hardware-p-states native-only; set intel-pstate passive
    - goal latency; cpu ice-lake; platform xr11; os debian 13; set hardware-p-states native-only; set intel-pstate passive
    - goal latency; cpu ice-lake; platform xr11; os debian 12; set hardware-p-states off; set intel-pstate passive
    - goal latency; cpu ice-lake; platform xr11; os debian 12; set hardware-p-states native-only; set intel-pstate active
tickless-cpus-with-smt
    + goal latency; cpu skylake; os debian 12; set tickless-cpus 2-5; set smt on
    - goal latency; cpu skylake; os debian 12; set tickless-cpus 2-5; set smt on; set kernel-smt off
    - goal latency; cpu skylake; os debian 12; set tickless-cpus 2-5; set smt off
isolated-cpus-with-smt
    + goal latency; cpu skylake; os debian 12; set isolated-cpus 2-5; set smt on
    + goal latency; cpu skylake; os debian 12; tuned unused; set isolated-partition 2-5; set smt on
    - goal latency; cpu skylake; os debian 12; set isolated-cpus 2-5; set smt on; set kernel-smt off
    - goal latency; cpu skylake; os debian 12; set isolated-cpus 2-5; set smt off
    - goal latency; cpu skylake; os debian 12; set smt on
    - goal throughput; cpu skylake; os debian 12; set isolated-cpus 2-5; set smt on
tickless-cpus-without-tsc
    + goal latency; cpu skylake; os debian 12; set tickless-cpus 2-5; set clock-source hpet
    - goal latency; cpu skylake; os debian 12; set tickless-cpus 2-5; set clock-source tsc
isolated-partition-under-irqbalance
    + goal latency; cpu skylake; os debian 12; tuned unused; set isolated-partition 2-5
    - goal latency; cpu skylake; os debian 12; tuned unused; set isolated-partition 2-5; set irqbalance-banned-cpus 2-5
    - goal latency; cpu skylake; os debian 12; tuned unused; set isolated-partition 2-5; set tickless-cpus 2-5
    - goal latency; cpu skylake; os debian 12; set isolated-cpus 2-5
isolated-partition-for-unpinned-work
    + goal latency; cpu skylake; os debian 12; tuned unused; workload java; set isolated-partition 2-5
    - goal latency; cpu skylake; os debian 12; tuned unused; workload redpanda; set isolated-partition 2-5
    - goal latency; cpu skylake; os debian 12; tuned unused; workload latency-bound; set isolated-partition 2-5
    - goal latency; cpu skylake; os debian 12; workload java; set isolated-cpus 2-5
dpdk-without-isolated-cpus
    + goal latency; cpu skylake; os debian 12; workload dpdk
    - goal latency; cpu skylake; os debian 12; workload dpdk; set isolated-cpus 2-5
    - goal latency; cpu skylake; os debian 12; tuned unused; workload dpdk; set isolated-partition 2-5
    - goal latency; cpu skylake; os debian 12; workload latency-bound
dpdk-without-huge-pages
    + goal latency; cpu skylake; os debian 12; workload dpdk
    - goal latency; cpu skylake; os debian 12; workload dpdk; set huge-pages-at-boot 16
    - goal latency; cpu skylake; os debian 12; workload dpdk; set huge-pages-1g 16
    - goal latency; cpu skylake; os debian 12; workload dpdk; set huge-pages-1g-per-node 8
trading-without-isolated-cpus
    + goal latency; cpu skylake; os debian 12; workload trading
    + goal latency; cpu skylake; os debian 12; workload trading; network-card intel-800
    - goal latency; cpu skylake; os debian 12; workload trading; set isolated-cpus 2-5
    - goal latency; cpu skylake; os debian 12; tuned unused; workload trading; set isolated-partition 2-5
    - goal latency; cpu skylake; os debian 12; workload latency-bound
    - goal throughput; cpu skylake; os debian 12; workload trading
trading-without-huge-pages
    + goal latency; cpu skylake; os debian 12; workload trading
    + goal latency; cpu skylake; os debian 12; workload trading; network-card solarflare
    - goal latency; cpu skylake; os debian 12; workload trading; set huge-pages-at-boot 1024
    - goal latency; cpu skylake; os debian 12; workload trading; set huge-pages-2m 1024
    - goal latency; cpu skylake; os debian 12; workload trading; set huge-pages-2m-per-node 512
    - goal latency; cpu skylake; os debian 12; workload trading; network-card intel-800
onload-with-large-pages
    + goal latency; cpu skylake; os debian 12; workload trading; set huge-page-size 1g
    - goal latency; cpu skylake; os debian 12; workload trading; set huge-page-size 2m
    - goal latency; cpu skylake; os debian 12; workload trading
oracle-without-huge-pages
    + goal throughput; cpu skylake; os rhel 9; workload oracle-database
    + goal latency; cpu skylake; os rhel 9; workload oracle-database
    - goal throughput; cpu skylake; os rhel 9; workload oracle-database; set huge-pages-2m 1024
    - goal throughput; cpu skylake; os rhel 9; workload oracle-database; set huge-pages-at-boot 1024
    - goal efficiency; cpu skylake; os rhel 9; workload oracle-database
    - goal throughput; cpu skylake; os rhel 9; workload oltp
oracle-with-transparent-huge-pages
    + goal throughput; cpu skylake; os rhel 9; workload oracle-database; set transparent-hugepages always
    - goal throughput; cpu skylake; os rhel 9; workload oracle-database; set transparent-hugepages madvise
    - goal throughput; cpu skylake; os rhel 9; workload oracle-database
postgresql-without-huge-pages
    + goal throughput; cpu skylake; os rhel 9; workload postgresql
    - goal throughput; cpu skylake; os rhel 9; workload postgresql; set huge-pages-2m-per-node 512
    - goal throughput; cpu skylake; os rhel 9; workload mysql
postgresql-under-overcommit
    + goal throughput; cpu skylake; os rhel 9; workload postgresql
    + goal efficiency; cpu skylake; os rhel 9; workload postgresql; set memory-overcommit always
    - goal throughput; cpu skylake; os rhel 9; workload postgresql; set memory-overcommit never
    - goal throughput; cpu skylake; os rhel 9; workload redis
strict-overcommit-at-half
    + goal throughput; cpu skylake; os rhel 9; workload postgresql; set memory-overcommit never
    + goal throughput; cpu skylake; os rhel 9; set memory-overcommit never
    - goal throughput; cpu skylake; os rhel 9; set memory-overcommit always
    - goal throughput; cpu skylake; os rhel 9
kafka-within-default-memory-maps
    + goal throughput; cpu skylake; os rhel 9; workload kafka
    - goal throughput; cpu skylake; os rhel 9; workload kafka; set max-map-count 262144
    - goal throughput; cpu skylake; os rhel 9; workload message-broker
passthrough-without-intel-iommu
    + goal latency; cpu skylake; os debian 12; workload dpdk; device-access kernel-drivers; set intel-iommu off
    - goal latency; cpu skylake; os debian 12; workload dpdk
    - goal latency; cpu skylake; os debian 12; set intel-iommu off
firmware-bias-under-governor
    + goal performance; platform r740; os rhel 9; set energy-performance-bias energy-efficient
    - goal performance; platform r740; os rhel 9; set energy-performance-bias energy-efficient; set governor powersave
    - goal performance; platform r740; os rhel 9; set energy-performance-bias energy-efficient; set intel-pstate no-hwp
    - goal performance; platform r740; os rhel 9; set energy-performance-bias balanced-performance
    - goal performance; platform r630; os rhel 9; set energy-performance-bias energy-efficient
    - goal performance; platform sys-821ge-tnhr; os rhel 9; set energy-performance-bias energy-efficient
governor-under-firmware-control
    + goal performance; platform r630; os rhel 9; set cpu-power-management system-dbpm
    + goal performance; platform r740; os rhel 9; set cpu-power-management system-dbpm
    - goal performance; platform r740; os rhel 9; set cpu-power-management os-dbpm
    - goal performance; platform r740; os rhel 9; set cpu-power-management system-dbpm; set governor powersave
    - goal balanced; platform r740; os rhel 9; set cpu-power-management system-dbpm; set governor performance
    - goal balanced; platform r740; os rhel 9
sr670-v2-bias-of-another-owner
    + goal performance; platform sr670-v2; set operating-mode custom; set energy-performance-bias performance; set energy-performance-bias-owner os
    - goal performance; platform sr670-v2; set operating-mode custom; set energy-performance-bias performance
    - goal performance; platform sr670-v2; set operating-mode custom; set energy-performance-bias-owner os
sys-821ge-tnhr-bias-of-another-owner
    + goal performance; platform sys-821ge-tnhr; set energy-performance-bias performance; set energy-performance-bias-owner os
    - goal performance; platform sys-821ge-tnhr; set energy-performance-bias performance
    - goal performance; platform sys-821ge-tnhr; set energy-performance-bias-owner os
sys-821ge-tnhr-turbo-without-speedstep
    + goal performance; platform sys-821ge-tnhr; set speedstep off; set turbo on
    - goal performance; platform sys-821ge-tnhr; set speedstep off; set turbo off
    - goal performance; platform sys-821ge-tnhr; set turbo on
    - goal performance; platform sys-821ge-tnhr; workload weka
receive-delay-of-adaptive-cards
    + goal latency; cpu skylake; os debian 12; set rx-interrupt-delay 0us
    + goal latency; cpu skylake; os debian 12; set rx-interrupt-delay 50us; set adaptive-rx-coalescing on
    - goal latency; cpu skylake; os debian 12; set rx-interrupt-delay 0us; set adaptive-rx-coalescing off
    - goal latency; cpu skylake; os debian 12; set adaptive-rx-coalescing on
transmit-delay-of-adaptive-cards
    + goal latency; cpu skylake; os debian 12; set tx-interrupt-delay 0us
    - goal latency; cpu skylake; os debian 12; set tx-interrupt-delay 0us; set adaptive-tx-coalescing off
    - goal latency; cpu skylake; os debian 12; set rx-interrupt-delay 0us; set adaptive-rx-coalescing off
queues-beyond-housekeeping-cpus
    + goal latency; cpu skylake; os debian 12; workload real-time; set isolated-cpus 2-5
    + goal latency; cpu skylake; os debian 12; tuned unused; workload real-time; set isolated-partition 2-5
    - goal latency; cpu skylake; os debian 12; workload real-time; set isolated-cpus 2-5; set network-queues 2
    - goal latency; cpu skylake; os debian 12; workload latency-bound; set isolated-cpus 2-5
    - goal latency; cpu skylake; os debian 12; workload real-time
clusters-divide-huge-pages
    + goal latency; platform r750; os debian 12; set huge-pages-at-boot 16; set sub-numa-cluster on
    + goal latency; platform r750; os debian 12; set huge-pages-1g 16; set sub-numa-cluster on
    + goal latency; platform r750; os debian 12; set huge-pages-2m 16; set sub-numa-cluster on
    - goal latency; platform r750; os debian 12; set huge-pages-1g 16; set sub-numa-cluster off
    - goal latency; platform r750; os debian 12; set huge-pages-1g-per-node 8; set sub-numa-cluster on
    - goal latency; platform r750; os debian 12; set huge-pages-at-boot 16; set huge-pages-2m-per-node 8; set sub-numa-cluster on
nodes-per-socket-divide-huge-pages
    + goal performance; platform r7615; os debian 12; set huge-pages-1g 16; set numa-nodes-per-socket 4
    - goal performance; platform r7615; os debian 12; set huge-pages-1g 16; set numa-nodes-per-socket 1
    - goal performance; platform r7615; os debian 12; set huge-pages-1g-per-node 8; set numa-nodes-per-socket 4
l3-nodes-divide-huge-pages
    + goal performance; platform r7615; os debian 12; set huge-pages-1g 16; set l3-as-numa on
    - goal performance; platform r7615; os debian 12; set huge-pages-1g 16; set l3-as-numa off
    - goal performance; platform r7615; os debian 12; set huge-pages-1g-per-node 8; set l3-as-numa on
real-time-kernel-lacks-sysctls
    + goal latency; cpu skylake; os debian 12; workload real-time
    - goal latency; cpu skylake; os debian 12; workload real-time; set busy-poll off
    - goal latency; cpu skylake; os debian 12
real-time-kernel-lacks-numa-balancing
    + goal latency; cpu skylake; os debian 12; workload real-time; set busy-poll off
    - goal latency; cpu skylake; os debian 12; workload real-time; set busy-poll off; set numa-balancing on
    - goal latency; cpu skylake; os debian 12; workload real-time
    - goal latency; cpu skylake; os debian 12; set busy-poll off
mi300x-without-idle-states
    + goal latency; platform r7615; accelerator mi300x; workload gpu-training; set c-states off
    - goal latency; platform r7615; accelerator mi300x; workload gpu-training
    - goal performance; platform r7615; accelerator mi300x; workload gpu-training
    - goal latency; platform r7615
mi300x-with-several-nodes
    + goal performance; platform r7615; accelerator mi300x; set numa-nodes-per-socket 4
    - goal performance; platform r7615; accelerator mi300x; set numa-nodes-per-socket 1
    - goal performance; platform r7615; set numa-nodes-per-socket 4
gpu-transfers-through-iommu
    + goal performance; platform sys-821ge-tnhr; accelerator nvidia-gpu; workload gpu-training; set intel-iommu on
    + goal performance; platform r7625; accelerator nvidia-gpu; workload gpu-training
    - goal performance; platform sys-821ge-tnhr; accelerator nvidia-gpu; workload gpu-training
    - goal performance; platform sys-821ge-tnhr; accelerator nvidia-gpu; workload gpu-training; set iommu off
    - goal performance; platform sys-821ge-tnhr; accelerator nvidia-gpu; workload gpu-inference
pinned-timers-stay
    + goal latency; cpu skylake; os debian 12; set isolated-cpus 2-5; set timer-migration off
    + goal latency; cpu skylake; os debian 12; tuned unused; set isolated-partition 2-5; set timer-migration off
    - goal latency; cpu skylake; os debian 12; set isolated-cpus 2-5; set timer-migration on
    - goal latency; cpu skylake; os debian 12; set timer-migration off
real-time-without-reserve
    + goal latency; cpu skylake; os debian 12; set real-time-runtime unlimited
    - goal latency; cpu skylake; os debian 12
corrected-errors-unseen
    + goal latency; cpu skylake; os debian 12; set machine-checks off
    + goal latency; cpu skylake; os debian 12; set machine-checks ignore-corrected
    - goal latency; cpu skylake; os debian 12
no-pool-of-2m-pages
    + goal latency; cpu skylake; os rhel 8; set huge-page-size 1g; set huge-pages-2m 512
    - goal latency; cpu skylake; os rhel 8; set huge-page-size 2m; set huge-pages-2m 512
    - goal latency; cpu skylake; os rhel 8; set huge-page-size 1g; set huge-pages-1g 8
    - goal latency; cpu skylake; os debian 12; set huge-page-size 1g; set huge-pages-2m 512
amd-pstate-without-cppc
    + goal performance; platform ucs-m8-amd; os debian 13; set cppc off; set amd-pstate active
    - goal performance; platform ucs-m8-amd; os debian 13; set cppc on; set amd-pstate active
    - goal performance; platform ucs-m8-amd; os debian 13; set cppc off
passthrough-without-iommu
    + goal performance; platform sys-821ge-tnhr; os debian 12; set iommu off; set iommu-passthrough on
    - goal performance; platform sys-821ge-tnhr; os debian 12; set iommu on; set iommu-passthrough on
    - goal performance; platform sys-821ge-tnhr; os debian 12; set iommu off
intel-iommu-without-iommu
    + goal performance; platform sys-821ge-tnhr; os debian 12; set iommu off; set intel-iommu on
    - goal performance; platform sys-821ge-tnhr; os debian 12; set iommu on; set intel-iommu on
    - goal performance; platform sys-821ge-tnhr; os debian 12; set iommu off; set intel-iommu off
polling-makes-performance-erratic
    + goal latency; platform r750; cpu ice-lake; os rhel 9; set idle-poll on
    - goal latency; platform r740; cpu skylake; os rhel 9; set idle-poll on
    - goal latency; platform r750; cpu ice-lake; os rhel 9
tickless-cpus-under-deadline-server
    + goal latency; cpu skylake; os debian 13; set tickless-cpus 2-5
    - goal latency; cpu skylake; os debian 12; set tickless-cpus 2-5
    - goal latency; cpu skylake; os debian 13
isolated-cpus-for-unpinned-work
    + goal latency; cpu skylake; os debian 12; workload kafka; set isolated-cpus 2-5
    + goal latency; cpu skylake; os debian 12; workload kubernetes-node; set isolated-cpus 2-5
    - goal latency; cpu skylake; os debian 12; workload redpanda; set isolated-cpus 2-5
    - goal latency; cpu skylake; os debian 12; workload dpdk; set isolated-cpus 2-5
    - goal latency; cpu skylake; os debian 12; workload kafka
governor-without-driver
    + goal performance; platform sys-821ge-tnhr; os debian 12; set hardware-p-states out-of-band
    - goal performance; platform sys-821ge-tnhr; os debian 12; set hardware-p-states native
    - goal performance; platform sys-821ge-tnhr; os debian 12; set hardware-p-states out-of-band; set governor powersave
l3-as-numa-beyond-topology-manager
    + goal performance; platform dl385-gen10-plus-v2; workload kubernetes-node; set workload-profile custom; set l3-as-numa on
    - goal performance; platform dl385-gen10-plus-v2; workload kubernetes-node; set workload-profile custom; set l3-as-numa off
    - goal performance; platform dl385-gen10-plus-v2; set workload-profile custom; set l3-as-numa on
clusters-with-poor-locality
    + goal performance; platform r770; cpu granite-rapids; memory-locality poor; set sub-numa-cluster on
    - goal performance; platform r770; cpu granite-rapids; memory-locality good; set sub-numa-cluster on
    - goal performance; platform r770; cpu granite-rapids; memory-locality poor
    - goal performance; platform r740; memory-locality poor; set sub-numa-cluster on
autonomous-c-states-make-c1-c6
    + goal latency; platform sr670-v2; os rhel 9; set c-states autonomous
    + goal latency; platform sr670-v2; os rhel 9; set c-states autonomous; set force-latency 1us
    + goal latency; platform sr670-v2; os rhel 9; set c-states autonomous; set force-latency none; set intel-idle off; set acpi-idle-limit c1
    - goal latency; platform sr670-v2; os rhel 9; set c-states autonomous; set force-latency none
    - goal latency; platform sr670-v2; os rhel 9; set c-states autonomous; set idle-poll on
    - goal latency; platform sr670-v2; os rhel 9
    - goal performance; platform sr670-v2; os rhel 9
    - goal latency; platform sr670-v2; os rhel 9; set c-states off
refresh-rate-vs-performance
    + goal performance; platform dl385-gen10-plus-v2; set workload-profile mission-critical
    - goal balanced; platform dl385-gen10-plus-v2; set workload-profile mission-critical
    - goal performance; platform dl385-gen10-plus-v2
    - goal performance; platform sys-821ge-tnhr; set memory-refresh-rate 2x
sr670-v2-refresh-rate-vs-performance
    + goal performance; platform sr670-v2; set operating-mode custom; set memory-refresh-rate auto
    - goal balanced; platform sr670-v2; set operating-mode custom; set memory-refresh-rate auto
    - goal performance; platform sr670-v2
cpus-of-two-sockets-without-x2apic
    + goal throughput; platform dl385-gen10-plus-v2; cpu epyc-7763; sockets 2; set x2apic off; set smt on
    - goal throughput; platform dl385-gen10-plus-v2; cpu epyc-7763; sockets 2; set x2apic off; set smt off
    - goal throughput; platform dl385-gen10-plus-v2; cpu epyc-7763; sockets 1; set x2apic off; set smt on
    - goal throughput; platform dl385-gen10-plus-v2; cpu epyc-7543; sockets 2; set x2apic off; set smt on
    - goal throughput; platform dl385-gen10-plus-v2; cpu epyc-7763; sockets 2; set x2apic auto; set smt on
cpus-of-two-sockets-without-iommu
    + goal throughput; platform r7625; cpu epyc-9654; sockets 2; set iommu off
    - goal throughput; platform r7625; cpu epyc-9654; sockets 2; set iommu off; set smt off
    - goal throughput; platform r7625; cpu epyc-9654; sockets 1; set iommu off
    - goal throughput; platform r7625; cpu epyc-9354; sockets 2; set iommu off
cpus-of-one-socket-without-x2apic
    + goal throughput; platform r7615; cpu epyc-9754; sockets 1; set x2apic off; set smt on
    - goal throughput; platform r7615; cpu epyc-9754; sockets 1; set x2apic off; set smt off
    - goal throughput; platform r7615; cpu epyc-9654; sockets 1; set x2apic off; set smt on
cpus-of-one-socket-without-iommu
    + goal throughput; platform r7615; cpu epyc-9754; sockets 1; set iommu off
    - goal throughput; platform r7615; cpu epyc-9754; sockets 1; set iommu off; set smt off
    - goal throughput; platform r7615; cpu epyc-9654; sockets 1; set iommu off
profile-leaves-c6-on
    + goal latency; platform dl385-gen10-plus-v2; os windows
    - goal latency; platform dl385-gen10-plus-v2; os windows; set c-states off
    - goal latency; platform dl385-gen10-plus-v2; os debian 12
    - goal performance; platform dl385-gen10-plus-v2
    - goal latency; platform dl380a-gen11
profile-without-iommu-for-guests
    + goal performance; platform dl385-gen10-plus-v2; workload virtualized; set workload-profile low-latency
    - goal performance; platform dl385-gen10-plus-v2; workload virtualized
    - goal performance; platform dl385-gen10-plus-v2; set workload-profile low-latency
determinism-without-control
    + goal balanced; platform dl385-gen10-plus-v2; set workload-profile custom; set determinism performance
    - goal balanced; platform dl385-gen10-plus-v2; set workload-profile custom; set determinism performance; set determinism-control manual
fabric-state-without-fixed-clock
    + goal balanced; platform dl385-gen10-plus-v2; set workload-profile custom; set fabric-p-state p0; set fabric-power-management on
    - goal balanced; platform dl385-gen10-plus-v2; set workload-profile custom; set fabric-p-state p0; set fabric-power-management off
    - goal balanced; platform dl385-gen10-plus-v2; set workload-profile custom; set fabric-p-state auto; set fabric-power-management on
fabric-clock-drops-in-package-c6
    + goal latency; platform dl385-gen10-plus-v2; set workload-profile custom; set fabric-power-management off; set data-fabric-c-states auto
    - goal latency; platform dl385-gen10-plus-v2; set workload-profile custom; set fabric-power-management off
    - goal latency; platform dl385-gen10-plus-v2
    + goal latency; platform r7615; set data-fabric-c-states on
    - goal latency; platform r7615
controlled-turbo-without-maximum-performance
    + goal balanced; platform r630; set system-profile custom; set controlled-turbo minus-2-bins; set cpu-power-management os-dbpm
    - goal balanced; platform r630; set system-profile custom; set controlled-turbo on; set cpu-power-management max-performance
    - goal balanced; platform r630; set controlled-turbo off
controlled-turbo-without-turbo
    + goal balanced; platform r740; set system-profile custom; set controlled-turbo on; set turbo off
    - goal balanced; platform r740; set system-profile custom; set controlled-turbo on; set turbo on
snc-support-unknown-since-16g
    + goal latency; platform r760; set sub-numa-cluster on
    + goal latency; platform r770; set sub-numa-cluster on
    - goal latency; platform r760; snc-support yes; set sub-numa-cluster on
    - goal latency; platform r760
idle-frequency-under-latency-mode
    + goal latency; platform r770; cpu granite-rapids; os debian 13; set uncore-idle-frequency 1600MHz
    - goal latency; platform r770; cpu granite-rapids; os debian 13; set uncore-idle-frequency 1600MHz; set latency-optimized-mode off
low-load-under-latency-mode
    + goal latency; platform r770; cpu granite-rapids; os debian 13; set uncore-low-load 10
    - goal latency; platform r770; cpu granite-rapids; os debian 13; set uncore-low-load 10; set latency-optimized-mode off
high-load-under-latency-mode
    + goal latency; platform r770; cpu granite-rapids; os debian 13; set uncore-high-load off
    - goal latency; platform r770; cpu granite-rapids; os debian 13; set uncore-high-load 95; set latency-optimized-mode off
latency-mode-without-performance-bias
    + goal throughput; platform r770; set latency-optimized-mode on; set energy-performance-bias balanced-performance
    - goal throughput; platform r770; set latency-optimized-mode on; set energy-performance-bias performance
    - goal throughput; platform r770; set energy-performance-bias balanced-performance
latency-mode-without-bias-of-linux
    + goal latency; platform r770; os debian 12; set energy-perf-bias power
    - goal latency; platform r770; os debian 12
    - goal latency; platform r770; os debian 12; set latency-optimized-mode off; set energy-perf-bias power
latency-mode-without-preference-of-linux
    + goal latency; platform r770; os debian 12; set governor powersave; set energy-performance-preference power
    - goal latency; platform r770; os debian 12; set energy-performance-preference performance
    - goal latency; platform r770; os debian 12; set latency-optimized-mode off; set governor powersave; set energy-performance-preference power
latency-mode-without-preference-of-firmware
    + goal performance; platform c240-m8; workload olap; set epp-profile balanced-power
    - goal performance; platform c240-m8; workload olap
    - goal performance; platform c240-m8; workload olap; set epp-profile balanced-power; set energy-performance-bias-owner os
    - goal performance; platform c240-m8; workload olap; set epp-profile balanced-power; set latency-optimized-mode off
performance-profile-vs-efficiency-15g-amd
    + goal efficiency; platform r7525; set system-profile performance
    - goal efficiency; platform r7525
    - goal performance; platform r7525
performance-profile-vs-efficiency-16g-amd
    + goal efficiency; platform r7615; set system-profile performance
    - goal efficiency; platform r7615
    - goal performance; platform r7615
acpi-idle-limit-without-effect
    + goal balanced; {TWELFTH}; os rhel 7; set acpi-idle-limit c1; set intel-idle on
    - goal balanced; {TWELFTH}; os rhel 7; set acpi-idle-limit c1; set intel-idle off
    - goal balanced; {TWELFTH}; os rhel 7; set acpi-idle-limit c1; set intel-idle on; set idle-poll on
    - goal balanced; {TWELFTH}; os rhel 7; set acpi-idle-limit c1; set intel-idle on; set c-states off
advanced-ecc-vs-latency
    + goal latency; {TWELFTH}; set memory-mode advanced-ecc
    + goal latency; {TWELFTH}; set memory-mode spare-advanced-ecc
    - goal latency; {TWELFTH}; set memory-mode mirror
    - goal balanced; {TWELFTH}; set memory-mode advanced-ecc
advanced-ecc-vs-performance
    + goal performance; {TWELFTH}; set memory-mode advanced-ecc
    + goal throughput; {TWELFTH}; set memory-mode spare-advanced-ecc
    - goal throughput; {TWELFTH}; workload java; set memory-mode advanced-ecc
    - goal performance; {TWELFTH}; set memory-mode spare
alternate-rtid-cost
    + goal performance; {TWELFTH}; set alternate-rtid on
    + goal efficiency; {TWELFTH}; set alternate-rtid on
    - goal performance; cpu haswell; set alternate-rtid on
busy-poll-vs-efficiency
    + goal efficiency; os rhel 7; set busy-poll 50us
    + goal density; os debian 12; set busy-poll 50us
    - goal latency; os rhel 7; set busy-poll 50us
c-state-idle-power
    + goal latency; cpu westmere; workload comm-bound
    + goal balanced; cpu westmere; set c-states off
    - goal efficiency; cpu westmere; set c-states off
    - goal balanced; cpu westmere; set c-states on
c-states-vs-latency-12g
    + goal latency; {TWELFTH}; set c-states on
    - goal balanced; {TWELFTH}; set c-states on
c1e-off-vs-efficiency
    + goal efficiency; {TWELFTH}; set c1e off
    - goal balanced; {TWELFTH}; set c1e off
    - goal efficiency; cpu westmere; set c1e off
c1e-vs-latency-11g
    + goal latency; cpu westmere; set c1e on
    + goal latency; cpu nehalem; os rhel 6.4; set c1e on
    - goal latency; cpu westmere; set c1e off
    - goal latency; cpu westmere; os rhel 7; set c1e on; set intel-idle on; set force-latency c1
    - goal latency; cpu westmere; os rhel 7; set c1e on; set smt off; set idle-poll on
    - goal balanced; cpu westmere; set c1e on
c1e-without-c-states-11g
    + goal performance; cpu westmere; workload latency-bound; set c1e on
    + goal balanced; cpu nehalem; set c-states off; set c1e on
    - goal performance; cpu westmere; workload latency-bound
    - goal balanced; cpu nehalem; set c-states on; set c1e on
    - goal balanced; cpu nehalem; os rhel 7; set c-states off; set c1e on; set smt off; set idle-poll on
    - goal efficiency; cpu nehalem; set c-states off; set c1e on
cores-not-listed-15g
    + goal balanced; platform r750; set cores-per-processor 18
    - goal balanced; platform r750; set cores-per-processor 16
    - goal balanced; platform r750; set cores-per-processor all
cores-reset-by-profile-15g
    + goal latency; platform poweredge-15g; cpu ice-lake; set cores-per-processor 8
    - goal latency; platform poweredge-15g; cpu ice-lake; set cores-per-processor all
    - goal latency; cpu skylake; set cores-per-processor 8
correctable-ecc-smi-vs-latency-13g
    + goal latency; cpu haswell; set correctable-ecc-smi on
    + goal latency; cpu haswell; set memory-mode mirror
    - goal latency; cpu haswell
    - goal balanced; cpu haswell; set correctable-ecc-smi on
correctable-ecc-smi-vs-latency-14g
    + goal latency; cpu skylake; set correctable-ecc-smi on
    + goal latency; platform poweredge-15g; cpu ice-lake; set correctable-ecc-smi on
    - goal latency; platform poweredge-15g; cpu ice-lake
    - goal throughput; cpu skylake; set correctable-ecc-smi on
dense-memory-speed-12g
    + goal density; {TWELFTH}
    - goal density; {TWELFTH}; set system-profile dapc
dense-power-management-13g
    + goal density; cpu haswell
    - goal density; cpu haswell; set system-profile dapc
dense-profile-vs-performance
    + goal performance; {TWELFTH}; set system-profile dense
    + goal throughput; {TWELFTH}; set system-profile dense
    - goal density; {TWELFTH}; set system-profile dense
execute-disable-off
    + goal performance; {TWELFTH}; set execute-disable off
    - goal performance; cpu haswell; set execute-disable off
fewer-cores-vs-throughput
    + goal throughput; {TWELFTH}; set cores-per-processor 1
    + goal throughput; {TWELFTH}; set cores-per-processor 4
    - goal latency; {TWELFTH}; set cores-per-processor 4
governor-through-stopped-cpuspeed
    + goal balanced; cpu westmere; os rhel 6.4; set cpuspeed-service off; set governor performance
    - goal balanced; cpu westmere; os rhel 6.4; set cpuspeed-service on; set governor performance
    - goal balanced; cpu westmere; os rhel 6.4; set cpuspeed-service off; set governor ondemand
idle-poll-vs-turbo
    + goal performance; {TWELFTH}; os rhel 7; set idle-poll on; set smt off; set turbo on
    - goal performance; {TWELFTH}; os rhel 7; set idle-poll on; set smt off; set turbo off
    - goal performance; {TWELFTH}; os rhel 7; set turbo on
idle-poll-without-gain
    + goal latency; {TWELFTH}; os rhel 7; set idle-poll on; set monitor-mwait on
    - goal latency; {TWELFTH}; os rhel 7; set idle-poll on; set monitor-mwait off
    - goal latency; {TWELFTH}; os rhel 7; set monitor-mwait on
intel-idle-overrides-firmware
    + goal balanced; {TWELFTH}; os rhel 7; set c-states off; set intel-idle on
    - goal balanced; {TWELFTH}; os rhel 7; set c-states off; set smt off; set monitor-mwait off; set intel-idle on
    - goal balanced; {TWELFTH}; os rhel 7; set c-states on; set intel-idle on
kernel-forgoes-idle-states
    + goal efficiency; {TWELFTH}; os rhel 7; set c-states on; set intel-idle off; set acpi-idle-limit c1
    + goal density; {TWELFTH}; os rhel 7; set c-states on; set intel-idle off; set acpi-idle-limit c1
    - goal balanced; {TWELFTH}; os rhel 7; set c-states on; set intel-idle off; set acpi-idle-limit c1
max-performance-vs-efficiency
    + goal efficiency; {TWELFTH}; set cpu-power-management max-performance
    - goal efficiency; {TWELFTH}; set cpu-power-management system-dbpm
    - goal balanced; {TWELFTH}; set cpu-power-management max-performance
memory-refresh-vs-performance
    + goal performance; {TWELFTH}; set memory-refresh-rate 2x
    + goal latency; {TWELFTH}; set memory-refresh-rate 2x
    - goal density; {TWELFTH}; set memory-refresh-rate 2x
memory-voltage-vs-efficiency
    + goal efficiency; {TWELFTH}; dimm-voltage 1.35v; set memory-voltage 1.5v
    + goal efficiency; {TWELFTH}; dimm-voltage 1.35v; dimms-per-channel 2; set memory-voltage 1.5v
    - goal efficiency; {TWELFTH}; dimm-voltage 1.35v; dimms-per-channel 3; set memory-frequency 1333
    - goal efficiency; {TWELFTH}; dimm-voltage 1.5v; set memory-voltage 1.5v
    - goal efficiency; {TWELFTH}; set memory-voltage 1.5v
mirror-capacity-unknown
    + goal balanced; {TWELFTH}; set memory-mode mirror
    + goal balanced; cpu haswell; set memory-mode mirror
    + goal balanced; cpu skylake; set memory-mode mirror
    - goal balanced; cpu westmere; set memory-mode mirror
    - goal balanced; {TWELFTH}; memory-need half; set memory-mode mirror
mirror-capacity-unknown-11g
    + goal balanced; cpu westmere; set memory-mode mirror
    - goal balanced; {TWELFTH}; set memory-mode mirror
    - goal balanced; cpu westmere; memory-need half; set memory-mode mirror
mirror-vs-latency
    + goal latency; {TWELFTH}; set memory-mode mirror
    - goal balanced; {TWELFTH}; set memory-mode mirror
mirror-vs-performance
    + goal performance; {TWELFTH}; set memory-mode mirror
    + goal throughput; {TWELFTH}; set memory-mode mirror
    - goal latency; {TWELFTH}; set memory-mode mirror
needless-node-interleaving
    + goal performance; cpu westmere; workload cpu-bound; set node-interleaving on
    - goal performance; cpu westmere; workload cpu-bound; process-memory exceeds-socket
    - goal performance; cpu westmere; workload cpu-bound; memory-locality poor
    - goal performance; cpu westmere; workload cpu-bound; numa unaware
    - goal performance; cpu westmere; workload io-bound; set node-interleaving on
needless-node-interleaving-12g
    + goal performance; {TWELFTH}; set node-interleaving on
    - goal performance; {TWELFTH}; process-memory exceeds-socket; set node-interleaving on
    - goal performance; {TWELFTH}; memory-locality poor; set node-interleaving on
    - goal performance; {TWELFTH}; numa unaware; set node-interleaving on
os-control-saves-less
    + goal balanced; {TWELFTH}; set cpu-power-management os-dbpm
    + goal efficiency; {TWELFTH}; set cpu-power-management os-dbpm
    - goal efficiency; {TWELFTH}; set cpu-power-management system-dbpm
    - goal throughput; {TWELFTH}; set cpu-power-management os-dbpm
performance-profile-vs-efficiency
    + goal efficiency; cpu skylake; set system-profile performance
    - goal balanced; cpu skylake; set system-profile performance
    - goal efficiency; cpu skylake; set system-profile os
power-management-vs-latency
    + goal latency; {TWELFTH}; set cpu-power-management system-dbpm
    + goal latency; {TWELFTH}; set cpu-power-management os-dbpm
    - goal balanced; {TWELFTH}; set cpu-power-management os-dbpm
profile-vs-communication-efficiency
    + goal efficiency; cpu westmere; workload comm-bound; set cpu-power-management max-performance
    + goal efficiency; cpu nehalem; workload wrf; set cpu-power-management os-dbpm
    - goal efficiency; cpu westmere; workload cpu-bound; set cpu-power-management os-dbpm
    - goal balanced; cpu westmere; workload comm-bound; set cpu-power-management os-dbpm
qpi-speed-vs-performance
    + goal performance; {TWELFTH}; set qpi-speed 6.4
    + goal latency; {TWELFTH}; set qpi-speed 7.2
    - goal performance; {TWELFTH}; set qpi-speed 8.0
    - goal efficiency; {TWELFTH}; set qpi-speed 7.2
qpi-speed-with-remote-memory
    + goal efficiency; {TWELFTH}; set qpi-speed 7.2
    + goal balanced; {TWELFTH}; memory-locality poor; set qpi-speed 6.4
    + goal density; {TWELFTH}; set qpi-speed 6.4
    - goal efficiency; {TWELFTH}; memory-locality good; set qpi-speed 7.2
    - goal efficiency; {TWELFTH}; set qpi-speed 8.0
siblings-without-smt
    + goal throughput; cpu nehalem; os slc 5; workload hep; set smt off; set smt-placement smt
    - goal throughput; cpu nehalem; os slc 5; workload hep; set smt on; set smt-placement smt
    - goal throughput; cpu nehalem; os slc 5; workload hep; set smt off; set smt-placement strict-no-smt
skew-tick-vs-efficiency
    + goal efficiency; os rhel 7; set skew-tick on
    + goal density; os rhel 9; set skew-tick on
    - goal balanced; os rhel 7; set skew-tick on
smt-off-vs-throughput
    + goal performance; {TWELFTH}; set smt off
    + goal throughput; {TWELFTH}; set smt off
    - goal latency; {TWELFTH}; set smt off
smt-vs-latency-11g
    + goal latency; cpu westmere; set smt on
    + goal latency; cpu nehalem; workload comm-bound; set smt on
    - goal latency; cpu westmere; set smt off
    - goal performance; cpu westmere; set smt on
snc-support-unknown
    + goal performance; cpu xeon-silver-4110; set sub-numa-cluster on
    - goal performance; cpu xeon-gold-6150; set sub-numa-cluster on
    - goal performance; cpu xeon-silver-4110; snc-support yes; set sub-numa-cluster on
snc-support-unknown-15g
    + goal performance; platform r750; set sub-numa-cluster on
    - goal performance; cpu xeon-silver-4110; set sub-numa-cluster on
    - goal performance; cpu xeon-gold-6354; platform r750; set sub-numa-cluster on
spare-capacity-13g
    + goal balanced; cpu haswell; set memory-mode spare
    + goal balanced; cpu haswell; memory-need half; set memory-mode spare-advanced-ecc
    - goal balanced; cpu haswell; set memory-mode optimizer
spare-capacity-14g
    + goal balanced; cpu skylake; memory-need three-quarters; set memory-mode spare
    - goal balanced; cpu skylake; set memory-mode mirror
spare-capacity-unknown
    + goal balanced; {TWELFTH}; set memory-mode spare
    + goal balanced; {TWELFTH}; ranks-per-channel 4; set memory-mode spare-advanced-ecc
    - goal balanced; {TWELFTH}; ranks-per-channel 4; memory-need half; set memory-mode spare
    - goal balanced; {TWELFTH}; set memory-mode optimizer
turbo-jitter
    + goal latency; {TWELFTH}; set turbo on
    - goal performance; {TWELFTH}; set turbo on
    - goal latency; cpu westmere; set turbo on
turbo-off-vs-performance
    + goal performance; {TWELFTH}; set turbo off
    + goal throughput; {TWELFTH}; set turbo off
    - goal balanced; {TWELFTH}; set turbo off
turbo-without-c-states
    + goal performance; cpu westmere; set turbo on; set c-states off
    - goal performance; cpu westmere; set turbo on; set c-states on
    - goal performance; cpu westmere; set turbo off; set c-states off
zone-reclaim-vs-caching
    + goal throughput; {TWELFTH}; workload io-bound; set zone-reclaim on
    + goal balanced; cpu skylake; os rhel 7; workload io-bound; set zone-reclaim on
    - goal throughput; {TWELFTH}; workload io-bound; set zone-reclaim off
    - goal performance; cpu skylake; workload hpc; set zone-reclaim on
    - goal balanced; {TWELFTH}; set virtualization off
"""


def cases() -> list[tuple[str, str, str]]:
    """The hazard, the sign and the policy of each line."""
    found, name = [], ""
    for line in CASES.strip().splitlines():
        if line.startswith(" "):
            sign, _, policy = line.strip().partition(" ")
            found.append((name, sign, policy))
        else:
            name = line
    return found


def test_no_hazard_is_left_out() -> None:
    shown = "".join(path.read_text(encoding="utf-8") for path in BESIDES)
    here = {name for name, _, _ in cases()}
    assert [name for name in standard().hazards if name not in here and f'"{name}"' not in shown] == []


@pytest.mark.alike
@pytest.mark.parametrize(("name", "sign", "policy"), cases())
def test_a_hazard_arises_where_its_source_says(name: str, sign: str, policy: str) -> None:
    knowledge = standard()
    assert name in knowledge.hazards
    done = exercised(knowledge, program_of_text(spelt(policy)))
    assert done.rules or done.hazards, "what does not resolve brings about nothing"
    assert (name in done.hazards) == (sign == "+")
