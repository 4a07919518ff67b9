"""The knowledge base's own advice, in every kind of context: never an error, and few warnings."""

from collections import Counter
from functools import cache
from itertools import product

import pytest

from setpoint.compiler.plan.judge import Judged, judge
from support.ask import plan

GOALS = ("latency", "performance", "throughput", "balanced", "efficiency", "density")
WORKLOADS = ("", "hpc", "comm-bound", "cpu-bound", "memory-bound", "latency-bound", "io-bound", "virtualized", "java",
             "interactive", "hep")  # fmt: skip
SERVERS = {
    "cpu nehalem": ("", "rhel 5.3", "rhel 6.4", "rhel 7", "sles 11", "linux", "windows"),
    "cpu westmere": ("", "rhel 5.3", "rhel 6.4", "rhel 7", "sles 11", "linux", "windows"),
    "cpu e5-2600": ("", "rhel 5.3", "rhel 6.4", "rhel 7", "sles 11", "linux", "windows"),
    "cpu e5-4600; sockets 4": ("", "rhel 6.4"),
    "platform r320": ("", "rhel 6.4"),
    "cpu e5-2600-v2": ("", "rhel 7"),
    "cpu haswell": ("", "rhel 6.4", "rhel 7", "windows"),
    "cpu broadwell": ("", "rhel 7"),
    "cpu skylake": ("", "rhel 7", "rhel 8", "rhel 10", "windows"),
    "cpu cascade-lake; platform poweredge-14g": ("", "rhel 8"),
    "cpu ice-lake; platform poweredge-15g": ("", "rhel 8", "windows"),
}
SYSTEMS = [
    pytest.param(server, os, marks=[] if number % 2 == 0 else [pytest.mark.repeated])
    for server, systems in SERVERS.items()
    for number, os in enumerate(systems)
]

# The hazards that occur without any `set`: the costs of the advice, which deserve a warning.
PRICE = {
    ("W0401", "c-state-idle-power"),  # C-states off, as for latency: idle power
    ("W0401", "c-state-idle-power-12g"),  # the same, and the Performance profile
    (
        "W0401",
        "dense-memory-speed-12g",
    ),  # the profile's memory speed according to the menu, which differs from Table 1
    ("W0401", "dense-power-management-13g"),  # the profile that the registry fixes in two ways
    (
        "W0402",
        "turbo-vs-efficiency-12g",
    ),  # DAPC, which the 14G paper recommends for efficiency, keeps turbo on
    ("W0401", "snc-support-unknown-15g"),  # Cisco turns Sub-NUMA clustering on; not every processor has it
}

MOST = 5
"""The warnings for three sources out of scope, one `test-first`, and one hazard."""


@cache
def plans(server: str, os: str) -> dict[str, Judged]:
    """The plans for a server and an operating system, for each goal and workload."""
    found = {}
    for goal, workload in product(GOALS, WORKLOADS):
        policy = (
            f"goal {goal}; {server}"
            + (f"; workload {workload}" if workload else "")
            + (f"; os {os}" if os else "")
        )
        found[policy] = judge(plan(policy))
    return found


@pytest.mark.alike
@pytest.mark.parametrize(("server", "os"), SYSTEMS)
def test_advice_alone_is_never_an_error_and_only_its_price_is_a_hazard(server: str, os: str) -> None:
    for policy, planned in plans(server, os).items():
        hazards = {(d.code, d.subject) for d in planned.diagnostics if d.code.startswith("W04")}
        assert hazards <= PRICE, policy


@pytest.mark.alike
@pytest.mark.parametrize(("server", "os"), SYSTEMS)
def test_a_plan_does_not_drown_in_warnings(server: str, os: str) -> None:
    for policy, planned in plans(server, os).items():
        by_code = Counter(d.code for d in planned.diagnostics)
        assert by_code["W0401"] + by_code["W0402"] <= 1, policy
        assert sum(by_code.values()) <= MOST, policy


@pytest.mark.alike
@pytest.mark.parametrize(("server", "os"), SYSTEMS)
def test_under_latency_no_core_sleeps_deeply(server: str, os: str) -> None:
    for policy, planned in plans(server, os).items():
        if policy.startswith("goal latency"):
            assert planned.plan.value("c-states") == "off", policy
            assert [e.value for e in planned.plan.effects if e.name == "idle-states"] == ["unused"], policy
            if os not in ("rhel 5.3", "windows"):
                assert planned.plan.value("intel-idle") == "off", policy


@pytest.mark.alike
@pytest.mark.parametrize(("server", "os"), SYSTEMS)
def test_under_efficiency_the_idle_states_are_used(server: str, os: str) -> None:
    for policy, planned in plans(server, os).items():
        if policy.startswith("goal efficiency"):
            assert planned.plan.value("c-states") == "on", policy
            assert [e.value for e in planned.plan.effects if e.name == "idle-states"] == ["used"], policy
