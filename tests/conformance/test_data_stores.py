"""What the makers of data stores say of the system below them, line by line.

Each list has what a source says of the settings of the library, in its own words, and the value that this is here. A
plan for the product has these values from this source, on each goal that the source is for, and no others. Each line
was read at the place that the statement cites, in the version that the source names.
"""

from __future__ import annotations

import pytest

from conformance.printed import advised, values_of
from conformance.test_uses import ALL
from support.plans import planned

MONGODB = """
you must disable *zone reclaim*                                   | zone-reclaim off
For physical servers using NVMe or SSD drives, none               | block-scheduler none
set vm.swappiness to either 1 or 0                                | swappiness 1
set readahead between 8 and 32                                    | readahead 16
"""
MONGODB_8 = """
echo always | tee /sys/kernel/mm/transparent_hugepage/enabled     | transparent-hugepages always
echo defer+madvise | tee /sys/kernel/mm/transparent_hugepage/defrag | thp-defrag defer-madvise
echo 1 | tee /proc/sys/vm/overcommit_memory                       | memory-overcommit always
"""
MONGODB_7 = """
If you are using MongoDB 7.0 or earlier, disable THP              | transparent-hugepages never
"""

ELASTICSEARCH = """
sysctl -w vm.max_map_count=262144                                 | max-map-count 262144
the sysctl value vm.swappiness is set to 1                        | swappiness 1
sysctl -w net.ipv4.tcp_retries2=5                                 | tcp-retransmissions 5
"""
OPENSEARCH = "vm.max_map_count is set to at least 262144 | max-map-count 262144"

REDIS = """
vm.overcommit_memory = 1                                          | memory-overcommit always
echo never > /sys/kernel/mm/transparent_hugepage/enabled          | transparent-hugepages never
"""
VALKEY = """
vm.overcommit_memory = 1                                          | memory-overcommit always
echo never > /sys/kernel/mm/transparent_hugepage/enabled          | transparent-hugepages never
"""

CASSANDRA = "SSD | 4KB | readahead 4"

CLICKHOUSE = """
Always use the performance scaling governor                       | governor performance
echo 0 | sudo tee /proc/sys/vm/overcommit_memory                  | memory-overcommit heuristic
echo 'madvise' | sudo tee /sys/kernel/mm/transparent_hugepage/enabled | transparent-hugepages madvise
"""

MINIO = """
transparent_hugepage=madvise                                      | transparent-hugepages madvise
/sys/kernel/mm/transparent_hugepage/defrag=defer+madvise          | thp-defrag defer-madvise
force_latency=1                                                   | force-latency 1us
governor=performance                                              | governor performance
energy_perf_bias=performance                                      | energy-perf-bias performance
min_perf_pct=100                                                  | min-perf-pct 100
net.core.busy_read=50, net.core.busy_poll=50                      | busy-poll 50us
kernel.numa_balancing=1                                           | numa-balancing on
vm.swappiness=0                                                   | swappiness 0
vm.dirty_background_ratio=3                                       | dirty-background-ratio 3
vm.dirty_ratio=10                                                 | dirty-ratio 10
vm.max_map_count=524288                                           | max-map-count 524288
kernel.hung_task_timeout_secs=85                                  | hung-task-timeout 85s
net.core.netdev_max_backlog=250000                                | packet-backlog 250000
net.core.somaxconn=16384                                          | listen-backlog 16384
net.ipv4.tcp_max_syn_backlog=16384                                | syn-backlog 16384
net.core.wmem_max=4194304                                         | send-buffer-maximum 4194304
net.core.rmem_max=4194304                                         | receive-buffer-maximum 4194304
net.core.rmem_default=4194304                                     | receive-buffer-default 4194304
net.core.wmem_default=4194304                                     | send-buffer-default 4194304
net.ipv4.tcp_rmem="4096 87380 4194304"                            | tcp-receive-buffer-maximum 4194304
net.ipv4.tcp_wmem="4096 65536 4194304"                            | tcp-send-buffer-maximum 4194304
net.ipv4.tcp_timestamps=0                                         | tcp-timestamps off
net.ipv4.tcp_slow_start_after_idle = 0                            | tcp-slow-start-after-idle off
cmdline=skew_tick=1                                               | skew-tick on
"""

LATENCY_MODE = "Latency Optimized Mode: Enabled | latency-optimized-mode on"
C6 = "C State: Disable C6 | c-states off"
CLUSTERS = "SNC: Enabled | sub-numa-cluster on"
GOVERNOR = "The CPU governor needs to be set to performance mode | governor performance"

CASES = [
    ("mongodb-production-notes", "platform r750; os debian 12; workload mongodb", ALL, MONGODB + MONGODB_8),
    ("mongodb-production-notes", "platform r7615; os rhel 9; workload mongodb-7", ALL, MONGODB + MONGODB_7),
    ("elasticsearch-system-settings", "platform r750; os rhel 8; workload elasticsearch", ALL, ELASTICSEARCH),
    ("opensearch-installation", "platform r750; os debian 12; workload opensearch", ALL, OPENSEARCH),
    ("redis-administration", "platform r750; os debian 12; workload redis", ALL, REDIS),
    ("valkey-administration", "platform r750; os ubuntu 24.04; workload valkey", ALL, VALKEY),
    ("cassandra-production", "platform r7615; os ubuntu 24.04; workload cassandra", ALL, CASSANDRA),
    ("clickhouse-tips", "platform r750; os debian 12; workload clickhouse", ALL, CLICKHOUSE),
    ("minio-tuned", "cpu ice-lake; platform r750; os debian 12; workload minio", ALL[1:], MINIO),
    (
        "intel-mysql-postgresql-guide",
        "platform r770; os debian 13; workload mysql; memory-locality good",
        ALL,
        f"{LATENCY_MODE}\n{C6}\n{CLUSTERS}\n{GOVERNOR}",
    ),
    (
        "intel-mysql-postgresql-guide",
        "platform r770; os debian 13; workload postgresql",
        ALL,
        f"{LATENCY_MODE}\n{C6}",
    ),
]
"""A source, a policy without its goal, the goals, and what the source says."""


@pytest.mark.parametrize(
    ("source", "facts", "goal", "lines"),
    [(source, facts, goal, lines) for source, facts, goals, lines in CASES for goal in goals],
)
def test_a_plan_has_the_lines_of_the_manual(source: str, facts: str, goal: str, lines: str) -> None:
    assert advised(f"goal {goal}; {facts}", source) == values_of(lines)


@pytest.mark.parametrize("workload", ["minio", "redis", "mongodb", "elasticsearch"])
def test_power_is_saved_as_without_them(workload: str) -> None:
    """The makers say nothing of saving power, so that another goal has none of their values."""
    sources = {source for source, facts, _, _ in CASES if f"workload {workload}" in facts}
    plan = planned(f"goal efficiency; platform r750; os debian 12; workload {workload}")
    assert not [each for each in plan.settings if each.because and each.because[0].source in sources]
