"""SUSE's guides to its system on EPYC 9004 and 9005: what a plan has of each, and where.

Compared with SBP-AMD-EPYC-4-SLES15SP4 and SBP-AMD-EPYC-5-SLES15SP6, which have the same words: "cpupower frequency-set
-g performance"; "If the workloads can be manually optimized with policies, then consider disabling automatic NUMA
balancing. The same applies if it is known that the application is mostly accessing local memory"; of hosts, "it is
recommended to leave NUMAB turned off", "1 GB huge pages are used for the memory of the VMs", and
"transparent_hugepage=never".
"""

import pytest

from conformance.printed import advised
from support.machines import GOALS

SERVERS = {
    "suse-epyc-9004": "cpu epyc-genoa; platform r7615; os sles 15.4",
    "suse-epyc-9005": "cpu epyc-turin; os sles 15.6",
}
SPEED = ("performance", "throughput")
FAST = ("latency", *SPEED)


@pytest.mark.parametrize(("source", "server"), SERVERS.items())
@pytest.mark.parametrize("goal", GOALS)
def test_what_a_plan_has_of_the_guide(source: str, server: str, goal: str) -> None:
    start = f"goal {goal}; {server}"
    governor = {"governor performance"}
    off = {"numa-balancing off"}
    assert advised(start, source) == (governor if goal == "latency" else set())
    assert advised(f"{start}; workload hpc", source) == (governor if goal in FAST else set())

    local = advised(f"{start}; workload web; memory-locality good", source)
    assert local == (governor if goal == "latency" else set()) | (off if goal in FAST else set())

    host = advised(f"{start}; workload virtualized", source)
    placed = off if goal in ("latency", "performance") else set()
    sized = {"huge-page-size 1g"} if goal in FAST else set()
    assert host == (governor if goal == "latency" else set()) | placed | sized


@pytest.mark.parametrize(("source", "server"), SERVERS.items())
def test_linux_keeps_its_own_huge_pages_until_some_are_reserved(source: str, server: str) -> None:
    host = f"goal throughput; {server}; workload virtualized"
    assert "transparent-hugepages never" not in advised(host, source)
    reserved = f'{host}; set huge-pages-at-boot 672 because "all guests together have 672 GB"'
    assert "transparent-hugepages never" in advised(reserved, source)


@pytest.mark.parametrize(
    "facts",
    [
        "cpu epyc-genoa; platform r7615; os debian 12; workload hpc",
        "cpu epyc-milan; os sles 15.4; workload hpc",
        "cpu epyc-genoa; platform r7615; os sles 15.6; workload hpc",
    ],
)
def test_nothing_on_other_systems_and_processors(facts: str) -> None:
    assert not any(advised(f"goal latency; {facts}", source) for source in SERVERS)


def test_minio_has_what_its_own_guide_says() -> None:
    facts = f"goal throughput; {SERVERS['suse-epyc-9004']}; workload minio; memory-locality good"
    assert "numa-balancing on" in advised(facts, "minio-tuned")
