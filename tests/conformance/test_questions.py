"""Questions that practitioners of a field ask, and what a plan answers: the value, who says so, and where.

The answers are those of the named sources: tuned's profiles at 2.20, saptune 36f6306, Dell's paper on the 14th
generation, the texts of captured registries, the kernel's manual, Red Hat's solutions, Cisco's templates, DPDK's and
AMD's guides, OpenShift's profiles, the kubelet, the roles for SAP's software, and the manuals of data stores. Each
field has ten questions at least.
"""

from __future__ import annotations

import pytest

from support.plans import planned

TRADING = "goal latency; platform r740; os rhel 9; workload latency-bound"
HPC = "goal performance; platform r740; os rhel 9; workload comm-bound"
POSTGRESQL = "goal throughput; platform r750; os debian 12; workload postgresql"
ORACLE = "goal throughput; platform r750; os debian 12; workload oracle-database"
SQL_SERVER = "goal throughput; platform r750; os debian 12; workload sql-server"
HANA_15 = "goal performance; platform r750; os sles 15; workload sap-hana"
HANA_12 = "goal performance; platform r740; os sles 12; workload sap-hana"
HANA_15_SP3 = "goal performance; platform r750; os sles 15.3; workload sap-hana"
HANA_16 = "goal performance; platform r750; os sles 16; workload sap-hana"
HANA_DEBIAN = "goal performance; platform r750; os debian 12; workload sap-hana"
HANA_DEBIAN_13 = "goal performance; platform r750; os debian 13; workload sap-hana"
HANA_RHEL_8 = "goal latency; platform r750; os rhel 8; workload sap-hana"
HANA_RHEL_9 = "goal latency; platform r750; os rhel 9; workload sap-hana"
HANA_RHEL_10 = "goal performance; platform r750; os rhel 10; workload sap-hana"
NETWEAVER = "goal throughput; platform r750; os debian 12; workload sap-netweaver"
NETWEAVER_RHEL = "goal latency; platform r750; os rhel 9; workload sap-netweaver"
MYSQL = "goal throughput; platform r770; os debian 13; workload mysql; memory-locality good"
MONGODB = "goal throughput; platform r750; os debian 12; workload mongodb"
MONGODB_7 = "goal throughput; platform r750; os debian 12; workload mongodb-7"
REDIS = "goal latency; platform r750; os debian 12; workload redis"
ELASTICSEARCH = "goal throughput; platform r750; os debian 12; workload elasticsearch"
CLICKHOUSE = "goal throughput; platform r750; os debian 12; workload clickhouse"
MINIO = "goal throughput; platform r750; os debian 12; workload minio"
GUESTS = "goal throughput; platform r740; os rhel 9; workload virtualized"
GUESTS_ON_UCS = "goal throughput; platform ucs-m7; os rhel 9; workload virtualized"
GUESTS_ON_HPE = "goal throughput; platform dl385-gen10-plus-v2; os rhel 9; workload virtualized"
CONTAINERS = "goal throughput; platform r750; os debian 12; workload kubernetes-node"
FAST_CONTAINERS = "goal latency; cpu ice-lake; platform r750; os rhel 9; workload kubernetes-node"
PACKETS = "goal throughput; cpu ice-lake; platform r750; os rhel 9; workload dpdk"
BASE_STATION = "goal latency; cpu ice-lake; platform xr11; os sles 15; workload flexran"
REAL_TIME = "goal latency; cpu skylake; platform r740; os debian 12; workload real-time"
MI300X = "goal performance; platform r7615; os rhel 9; workload gpu-training; accelerator mi300x"
NVIDIA = "goal performance; platform sys-821ge-tnhr; os ubuntu 24.04; workload gpu-training; accelerator nvidia-gpu"

QUESTIONS = {
    TRADING: """
Shall sockets poll for packets, and how long?       | busy-poll 50us               | tuned-profiles, network-latency, [sysctl] net.core.busy_read, net.core.busy_poll
May the CPUs of the feed handler sleep?             | c-states off                 | dell-bios-registries, R740 and R750 registries, ProcCStates help text
Does Linux obey when the BIOS has them off?         | intel-idle off               | linux-intel-idle, intel_idle_off_by_default(); CPUIDLE_FLAG_ALWAYS_ENABLE
How deep may an idle core go while tuned runs?      | force-latency c1             | tuned-profiles, latency-performance, [cpu] force_latency
Transparent huge pages?                             | transparent-hugepages never  | tuned-profiles, network-latency, [vm] transparent_hugepages
Shall ticks of all CPUs fall together?              | skew-tick on                 | tuned-profiles, network-latency, [bootloader] cmdline_network_latency
May the kernel move memory between nodes?           | numa-balancing off           | tuned-profiles, network-latency, [sysctl] kernel.numa_balancing
Which governor?                                     | governor performance         | tuned-profiles, latency-performance, [cpu] governor
Interleave memory over the sockets?                 | node-interleaving off        | dell-bios-registries, R740 and R750 registries, NodeInterleave help text
May correctable errors interrupt the CPUs?          | correctable-ecc-smi off      | dell-bios-registries, R740 and R750 registries, CorrEccSmi help text
""",
    HPC: """
Hyper-Threading for MPI?                            | smt off                      | dell-bios-registries, R740 and R750 registries, LogicalProc help text
Sub-NUMA clusters?                                  | sub-numa-cluster off         | dell-14g-hpc, Sub-NUMA cluster
Which system profile?                               | system-profile performance   | dell-14g-hpc, Conclusion
Transparent huge pages?                             | transparent-hugepages always | tuned-profiles, hpc-compute, [vm] transparent_hugepages
Reclaim memory of the own node first?               | zone-reclaim on              | tuned-profiles, hpc-compute, [sysctl] vm.zone_reclaim_mode
May the kernel move memory between nodes?           | numa-balancing off           | tuned-profiles, hpc-compute, [sysctl] kernel.numa_balancing
How much to read ahead from scratch disks?          | readahead 4096               | tuned-profiles, hpc-compute, [disk] readahead
How much dirty memory may there be?                 | dirty-ratio 10               | tuned-profiles, latency-performance, [sysctl] vm.dirty_ratio
How deep may an idle core go?                       | force-latency c1             | tuned-profiles, latency-performance, [cpu] force_latency
May clocks fall below the nominal one?              | min-perf-pct 100             | tuned-profiles, latency-performance, [cpu] min_perf_pct
""",
    POSTGRESQL: """
Transparent huge pages under PostgreSQL?            | transparent-hugepages never  | tuned-profiles, postgresql, [vm] transparent_hugepages
From how much on does it write out?                 | dirty-background-bytes 67108864 | tuned-profiles, postgresql, [sysctl] vm.dirty_background_bytes
When must writers wait?                             | dirty-bytes 536870912        | tuned-profiles, postgresql, [sysctl] vm.dirty_bytes
How eagerly to swap?                                | swappiness 3                 | tuned-profiles, postgresql, [sysctl] vm.swappiness
Group its processes by session?                     | autogroup off                | tuned-profiles, postgresql, [sysctl] kernel.sched_autogroup_enabled
""",
    ORACLE: """
How many asynchronous requests for Oracle?          | asynchronous-io 1048576      | tuned-profiles, oracle, [sysctl] fs.aio-max-nr
How large may receive buffers grow?                 | receive-buffer-maximum 4194304 | tuned-profiles, oracle, [sysctl] net.core.rmem_max
When must writers wait?                             | dirty-ratio 40               | tuned-profiles, oracle, [sysctl] vm.dirty_ratio
""",
    SQL_SERVER: """
Transparent huge pages under SQL Server?            | transparent-hugepages always | tuned-profiles, mssql, [vm] transparent_hugepages
How many memory areas may a process have?           | max-map-count 1600000        | tuned-profiles, mssql, [sysctl] vm.max_map_count
""",
    HANA_15: """
Transparent huge pages, from Service Pack 5 on?     | transparent-hugepages madvise | saptune-notes, 2684254, [vm:os=15-[5-7]]
Merge equal pages (KSM)?                            | same-page-merging off        | saptune-notes, 2684254, [vm]
May the kernel move memory between nodes?           | numa-balancing off           | saptune-notes, 2684254, [sysctl]
Which latency of idle states does SAP allow?        | force-latency 70us           | saptune-notes, 2684254, [cpu:arch=x86_64:virt=bare-metal]
Which energy bias?                                  | energy-perf-bias performance | saptune-notes, 2684254, [cpu:arch=x86_64:virt=bare-metal]
Which scheduler of disks?                           | block-scheduler none         | saptune-notes, 2578899, [block]
When must writers wait?                             | dirty-bytes 629145600        | saptune-notes, 2578899, [sysctl]
How many half-open connections?                     | syn-backlog 8192             | saptune-notes, 2382421, [sysctl]
Shall idle connections start slowly again?          | tcp-slow-start-after-idle off | saptune-notes, 2382421, [sysctl]
How many memory areas may a process have?           | max-map-count 2147483647     | saptune-notes, 1275776, [sysctl]
""",
    HANA_12: """
Transparent huge pages under HANA on SLES 12?       | transparent-hugepages never  | saptune-notes, 2205917, [vm]
Which scheduler of disks there?                     | block-scheduler none         | saptune-notes, 1984787, [block]
How long may idle states take to leave there?       | force-latency 70us           | saptune-notes, 2205917, [cpu:arch=x86_64:virt=bare-metal]
""",
    HANA_15_SP3: """
Transparent huge pages before Service Pack 5?       | transparent-hugepages never  | saptune-notes, 2684254, [vm]
How many connections may wait to be accepted there? | listen-backlog 4096          | saptune-notes, 2382421, [sysctl:os=12-SP5], [sysctl:os=15-SP1], [sysctl:os=15-SP2], [sysctl:os=15-SP3]
""",
    HANA_16: """
And on SLES 16: transparent huge pages?             | transparent-hugepages madvise | saptune-notes, 3577842, [vm]
""",
    HANA_DEBIAN: """
Transparent huge pages with tuned before 2.25?      | transparent-hugepages never  | tuned-profiles, sap-hana, [vm] transparent_hugepages
""",
    HANA_DEBIAN_13: """
Transparent huge pages from tuned 2.25 on?          | transparent-hugepages madvise | tuned-2.25, sap-hana, [vm] transparent_hugepages
""",
    HANA_RHEL_8: """
Transparent huge pages on Enterprise Linux 8?       | transparent-hugepages never  | tuned-profiles, sap-hana, [vm] transparent_hugepages
""",
    HANA_RHEL_9: """
And on 9?                                           | transparent-hugepages madvise | sap-install-roles, sap_hana_preconfigure, RedHat_9.yml, RedHat_9.2.plus.yml, RedHat_10.yml
""",
    HANA_RHEL_10: """
And on 10?                                          | transparent-hugepages madvise | sap-install-roles, sap_hana_preconfigure, RedHat_9.yml, RedHat_9.2.plus.yml, RedHat_10.yml
""",
    NETWEAVER: """
Memory areas for SAP's applications?                | max-map-count 2000000        | tuned-profiles, sap-netweaver, [sysctl] vm.max_map_count
When must writers wait there?                       | dirty-ratio 40               | tuned-profiles, [sysctl] vm.dirty_ratio
""",
    NETWEAVER_RHEL: """
And on Enterprise Linux?                            | max-map-count 2147483647     | sap-install-roles, sap_general_preconfigure, RedHat_8.yml, RedHat_9.yml, RedHat_10.yml
""",
    MYSQL: """
Latency Optimized Mode for MySQL on Xeon 6?         | latency-optimized-mode on    | intel-mysql-postgresql-guide, Latency Optimized Mode
Sub-NUMA clusters, if each instance keeps to one?   | sub-numa-cluster on          | intel-mysql-postgresql-guide, SNC (Sub NUMA Cluster)
""",
    MONGODB: """
Transparent huge pages under MongoDB 8.0?           | transparent-hugepages always | mongodb-production-notes, Create a Service File
How much to read ahead for MongoDB?                 | readahead 16                 | mongodb-production-notes, Recommended Configuration
Reclaim memory of the own node first?               | zone-reclaim off             | mongodb-production-notes, Configuring NUMA on Linux
How eagerly to swap?                                | swappiness 1                 | mongodb-production-notes, Set vm.swappiness
""",
    MONGODB_7: """
And under MongoDB 7.0?                              | transparent-hugepages never  | mongodb-production-notes, Enable Transparent Hugepages (THP)
""",
    REDIS: """
May Redis promise memory for its background save?   | memory-overcommit always     | redis-administration, Linux
Transparent huge pages under Redis?                 | transparent-hugepages never  | redis-administration, Linux
""",
    ELASTICSEARCH: """
How many memory areas for its mapped indices?       | max-map-count 262144         | elasticsearch-system-settings, virtual-memory.asciidoc
How long may a lost node go unnoticed?              | tcp-retransmissions 5        | elasticsearch-system-settings, tcpretries.asciidoc
""",
    CLICKHOUSE: """
Transparent huge pages under ClickHouse?            | transparent-hugepages madvise | clickhouse-tips, Huge Pages
""",
    MINIO: """
When must writers to MinIO wait?                    | dirty-ratio 10               | minio-tuned, [sysctl]
""",
    GUESTS: """
Hyper-Threading under virtual machines?             | smt on                       | dell-bios-registries, R740 and R750 registries, LogicalProc help text
Virtual functions of network cards?                 | sr-iov on                    | dell-azure-local, BIOS Configuration
Virtualization technology?                          | virtualization on            | dell-bios-registries, R740 and R750 registries, ProcVirtualization help text
Interleave memory over the sockets?                 | node-interleaving off        | dell-bios-registries, R740 and R750 registries, NodeInterleave help text
From how much on does the host write out?           | dirty-background-ratio 5     | tuned-profiles, virtual-host, [sysctl] vm.dirty_background_ratio
When must guests that write wait?                   | dirty-ratio 40               | tuned-profiles, [sysctl] vm.dirty_ratio
How eagerly may the host swap guests out?           | swappiness 10                | tuned-profiles, [sysctl] vm.swappiness
Which governor on the host?                         | governor performance         | tuned-profiles, [cpu] governor
""",
    GUESTS_ON_UCS: """
C-states under virtual machines, on an M7?          | c-states on                  | cisco-bios-templates, M7-Intel
Which workload configuration?                       | workload-configuration balanced | cisco-bios-templates, M7-Intel
""",
    GUESTS_ON_HPE: """
Which of HPE's profiles for fast guests?            | workload-profile virtualization-max-performance | hpe-com-cmdlets, WorkloadProfileName
""",
    CONTAINERS: """
May the kernel promise more memory than there is?   | memory-overcommit always     | kubernetes-kubelet, desired state; sysctl.go, VMOvercommitMemoryAlways
What if the kernel finds a fault of its own?        | panic-on-oops on             | kubernetes-kubelet, desired state; sysctl.go, KernelPanicOnOopsAlways
How soon does the node restart then?                | restart-after-panic 10s      | kubernetes-kubelet, desired state; sysctl.go, KernelPanicRebootTimeout
How many processes may all containers have?         | process-limit 4194304        | tuned-profiles, openshift, [sysctl] kernel.pid_max
How many asynchronous requests?                     | asynchronous-io 1048576      | tuned-profiles, openshift, [sysctl] fs.aio-max-nr
How many memory areas may a process have?           | max-map-count 262144         | tuned-profiles, openshift, [sysctl] vm.max_map_count
""",
    FAST_CONTAINERS: """
Shall timers leave CPUs that a container owns?      | timer-migration on           | openshift-node-tuning, kernel.timer_migration
DMA of passed-through devices?                      | iommu-passthrough on         | openshift-node-tuning, openshift-node-performance-intel-x86; openshift-node-performance-amd-x86
Which mode of the frequency driver, on Ice Lake?    | intel-pstate active          | tuned-intel-pstate, the recommended state by generation
Transparent huge pages?                             | transparent-hugepages never  | openshift-node-tuning, openshift-node-performance, [vm]
TCP Fast Open?                                      | tcp-fast-open client-and-server | openshift-node-tuning, openshift-node-performance, [sysctl]
""",
    PACKETS: """
Huge pages of which size for DPDK?                  | huge-page-size 1g            | dpdk-linux-guide, sys_reqs.rst, Reserving Hugepages for DPDK Use
Which mode of the IOMMU for vfio-pci?               | iommu-passthrough on         | dpdk-linux-guide, nic_perf_intel_platform.rst, Linux boot command line
Detector of soft lockups on polling cores?          | soft-lockup-detector off     | tuned-profiles, cpu-partitioning, [bootloader] cmdline_cpu_part
How often may memory statistics interrupt them?     | vm-statistics-interval 10s   | tuned-profiles, cpu-partitioning, [sysctl] vm.stat_interval
The NMI watchdog?                                   | nmi-watchdog off             | tuned-profiles, cpu-partitioning, [sysctl] kernel.nmi_watchdog
""",
    BASE_STATION: """
Hardware P-states for FlexRAN?                      | hardware-p-states native-only | suse-flexran, BIOS Configuration for Dell PowerEdge XR11
Hyper-Threading for FlexRAN?                        | smt on                       | suse-flexran, BIOS Configuration for Dell PowerEdge XR11
The base frequency with AVX?                        | avx-base-frequency level-2   | suse-flexran, BIOS Configuration for Dell PowerEdge XR11
Which mode of the frequency driver does it use?     | intel-pstate passive         | suse-flexran, Grub Configuration
""",
    REAL_TIME: """
Hyper-Threading under real-time tasks?              | smt off                      | openstack-nova-real-time, BIOS configuration
How much of a second may real-time tasks take?      | real-time-runtime unlimited  | tuned-profiles, realtime, [sysctl] kernel.sched_rt_runtime_us
May the kernel check the time stamp counter?        | tsc-checks reliable          | tuned-profiles, realtime, [bootloader] cmdline_realtime
""",
    MI300X: """
How many NUMA nodes for each socket?                | numa-nodes-per-socket 1      | rocm-mi300x, System BIOS settings
May the C-states be off?                            | c-states on                  | rocm-mi300x, System BIOS settings
SMT beside the GPUs?                                | smt off                      | rocm-mi300x, System BIOS settings
The IOMMU in the firmware?                          | iommu on                     | rocm-mi300x, System BIOS settings
And in the kernel?                                  | iommu-passthrough on         | rocm-mi300x, GRUB settings
Power or performance determinism?                   | determinism power            | rocm-mi300x, System BIOS settings
May the fabric change its clock?                    | fabric-power-management off  | rocm-mi300x, System BIOS settings
May the kernel move memory between nodes?           | numa-balancing off           | rocm-mi300x, Operating system settings
Encrypt memory transparently?                       | transparent-memory-encryption off | rocm-mi300x, System BIOS settings
""",
    NVIDIA: """
ACS between GPUs and drives?                        | acs-control off              | nvidia-gpudirect-storage, 3.1 System Settings
How long may a core take to wake up?                | force-latency 99us           | tuned-profiles, accelerator-performance, [cpu] force_latency
""",
}
"""A question, the setting and its value, and the place in the source that decides."""

FIELDS = {
    "trading": (TRADING,),
    "HPC": (HPC,),
    "databases": (
        POSTGRESQL,
        ORACLE,
        SQL_SERVER,
        MYSQL,
        MONGODB,
        MONGODB_7,
        REDIS,
        ELASTICSEARCH,
        CLICKHOUSE,
        MINIO,
    ),
    "virtualization": (GUESTS, GUESTS_ON_UCS, GUESTS_ON_HPE),
    "Kubernetes": (CONTAINERS, FAST_CONTAINERS),
    "NFV": (PACKETS, BASE_STATION, REAL_TIME),
    "SAP": (
        HANA_12,
        HANA_15_SP3,
        HANA_15,
        HANA_16,
        HANA_DEBIAN,
        HANA_DEBIAN_13,
        HANA_RHEL_8,
        HANA_RHEL_9,
        HANA_RHEL_10,
        NETWEAVER,
        NETWEAVER_RHEL,
    ),
    "GPU": (MI300X, NVIDIA),
}
"""The policies of each field."""

ASKED = [
    (facts, *map(str.strip, line.split("|")))
    for facts, text in QUESTIONS.items()
    for line in text.strip().splitlines()
]


@pytest.mark.parametrize(
    ("facts", "question", "answer", "place"), ASKED, ids=[f"{one[0]}: {one[1]}" for one in ASKED]
)
def test_a_plan_answers(facts: str, question: str, answer: str, place: str) -> None:
    setting, value = answer.split()
    decision = planned(facts).setting(setting)
    assert decision is not None, question
    assert (decision.value, f"{decision.cause.source}, {decision.cause.at}") == (value, place), question


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_has_ten_questions(field: str) -> None:
    asked = [question for facts, question, *_ in ASKED if facts in FIELDS[field]]
    assert len(asked) >= 10


def test_each_policy_belongs_to_a_field() -> None:
    assert sorted(QUESTIONS) == sorted(facts for policies in FIELDS.values() for facts in policies)
