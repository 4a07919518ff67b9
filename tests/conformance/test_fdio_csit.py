"""What FD.io's servers under test are set to: the lines of their menus, and what a plan for DPDK has of them.

Compared with sm_zn2_hw_bios_cfg.md (the part "DUT") and sm_icx_hw_bios_cfg.md of FDio/csit, as of commit 2e9ac3f. Lines
with Auto have no row.
"""

import pytest

from conformance.printed import advised, values_of
from setpoint.compiler.knowledge.model import Knowledge
from support.machines import GOALS

ROME = """
NUMA Nodes Per Socket [NPS2]       | numa-nodes-per-socket 2
Global C-state control [Disabled]  | c-states off
L1 Stream HW Prefetcher [Enabled]  | l1-stream-prefetcher on
L2 Stream HW Prefetcher [Enabled]  | l2-stream-prefetcher on
Determinism Control [Manual]       | determinism-control manual
Determinism Slider [Performance]   | determinism performance
APBDIS [1]                         | fabric-power-management off
Fixed SOC Pstate [P0]              | fabric-p-state p0
DF Cstates [Enabled]               | data-fabric-c-states on
"""
ICE_LAKE = """
Hyper-Threading [ALL] [Enable]                   | smt on
Hardware Prefetcher [Enable]                     | hardware-prefetcher on
Adjacent Cache Prefetch [Enable]                 | adjacent-cache-line-prefetch on
DCU Streamer Prefetcher [Enable]                 | dcu-streamer-prefetcher on
DCU IP Prefetcher [Enable]                       | dcu-ip-prefetcher on
LLC Prefetch [Enable]                            | llc-prefetch on
Power Performance Tuning [BIOS Controls EPB]     | energy-performance-bias-owner platform
ENERGY_PERF_BIAS_CFG Mode [Maximum Performance]  | energy-performance-bias performance
Hardware P-States [Disable]                      | hardware-p-states off
Enable Monitor MWAIT [Enable]                    | monitor-mwait on
CPU C6 Report [Disable]                          | c-states off
Enhanced Halt State (C1E) [Disable]              | c1e off
Package C State [C0/C1 state]                    | package-c-state-limit c0-c1
Link L0p Enable [Disable]                        | upi-l0p off
Link L1 Enable [Disable]                         | upi-l1 off
SNC (Sub NUMA) [Disable]                         | sub-numa-cluster off
PCI-E ASPM Support (Global) [Disable]            | pcie-aspm off
SR-IOV Support [Enabled]                         | sr-iov on
"""
SOURCE = "fdio-csit-testbeds"
WITH_ADVICE = ("latency", "performance", "throughput")


def test_the_lines_of_the_menus(knowledge: Knowledge) -> None:
    rules = [rule for rule in knowledge.rules if rule.citation.source == SOURCE]
    for page, lines in (("sm_zn2_hw_bios_cfg.md", ROME), ("sm_icx_hw_bios_cfg.md", ICE_LAKE)):
        found = {f"{rule.setting} {rule.value}" for rule in rules if rule.citation.at == page}
        assert found == values_of(lines)
    assert {rule.strength for rule in rules} == {"practice"}


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize(
    ("facts", "lines", "some"),
    [
        ("platform dl385-gen10-plus-v2; cpu epyc-rome", ROME, "determinism performance"),
        ("platform r750; cpu ice-lake", ICE_LAKE, "llc-prefetch on"),
        ("platform dl360-gen10-plus; cpu ice-lake", ICE_LAKE, "smt on"),
        ("platform ucs-m6-intel; cpu ice-lake", ICE_LAKE, "package-c-state-limit c0-c1"),
        ("platform sr670-v2; cpu ice-lake", ICE_LAKE, "upi-l0p off"),
        ("platform xr11; cpu ice-lake", ICE_LAKE, "hardware-p-states off"),
    ],
)
def test_a_plan_for_dpdk_has_them(facts: str, lines: str, some: str, goal: str) -> None:
    """Where no vendor says something else of the same setting, and no other processor was tested."""
    found = advised(f"goal {goal}; {facts}; workload dpdk", SOURCE)
    assert found <= values_of(lines)
    assert (some in found) == (goal in WITH_ADVICE)


@pytest.mark.parametrize(
    "facts", ["platform r750; cpu ice-lake; workload hpc", "platform r760; workload dpdk"]
)
def test_no_other_plan_does(facts: str) -> None:
    assert not advised(f"goal throughput; {facts}", SOURCE)
