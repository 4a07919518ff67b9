"""Questions that practitioners of a field ask, and what a plan answers: the value, who says so, and where.

The answers are those of the named sources: tuned's profiles at 2.20, saptune 36f6306, Dell's paper on the 14th generation, the texts
of captured registries, the kernel's manual, Red Hat's solutions.
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
HANA_16 = "goal performance; platform r750; os sles 16; workload sap-hana"

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
    HANA_16: """
And on SLES 16: transparent huge pages?             | transparent-hugepages madvise | saptune-notes, 3577842, [vm]
""",
}
"""A question, the setting and its value, and the place in the source that decides."""

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
