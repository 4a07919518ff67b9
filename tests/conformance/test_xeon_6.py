"""What Intel says of Xeon 6 on servers that have its settings, line by line."""

import pytest

from conformance.printed import advised, values_of
from support.machines import GOALS
from support.plans import planned

FAST = ("latency", "performance", "throughput")

JAVA = """
CPU Scaling Governor: performance                          | governor performance
Energy Performance Bias: Performance (0)                   | energy-performance-bias performance
Energy Performance Bias: Performance (0), as Linux sets it | energy-perf-bias performance
Efficiency Latency Control: Latency Optimized Mode (LOM)   | latency-optimized-mode on
"""


@pytest.mark.parametrize("goal", GOALS)
def test_java_runs_as_intel_measured_it(goal: str) -> None:
    policy = f"goal {goal}; platform r770; cpu granite-rapids; os debian 13; workload java"
    assert advised(policy, "intel-java-numa-study") == (values_of(JAVA) if goal in FAST else set())


def test_java_on_cores_for_efficiency_is_not_what_intel_measured() -> None:
    policy = "goal throughput; platform r670; cpu sierra-forest; os debian 13; workload java"
    assert not advised(policy, "intel-java-numa-study")


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("server", ["r670", "r770", "r760"])
def test_the_mode_for_latency_is_on_for_short_answers(server: str, goal: str) -> None:
    found = advised(f"goal {goal}; platform {server}", "intel-latency-optimized-mode")
    expected = {"latency-optimized-mode on"} if goal == "latency" and server != "r760" else set[str]()
    assert found == expected


@pytest.mark.parametrize("goal", FAST)
@pytest.mark.parametrize("workload", ["cassandra", "kafka"])
def test_the_mode_for_latency_is_on_for_data_stores(workload: str, goal: str) -> None:
    """Kafka's guide: Latency Optimized Mode, Enabled. Cassandra's, Table 2: the same, for 2 to 4 %."""
    found = advised(f"goal {goal}; platform r770; workload {workload}", f"intel-{workload}-guide")
    assert "latency-optimized-mode on" in found


@pytest.mark.parametrize("goal", FAST)
def test_the_bias_follows_the_mode(goal: str) -> None:
    """Otherwise a plan would have the mode, and a warning that it does not work as designed."""
    policy = f'goal {goal}; platform r770; set latency-optimized-mode on because "measured here"'
    plan = planned(policy)
    assert "energy-performance-bias performance" in advised(policy, "intel-perfspect")
    assert not [each for each in plan.hazards if each.hazard == "latency-mode-without-performance-bias"]


def test_the_bias_is_left_where_power_is_saved() -> None:
    policy = 'goal efficiency; platform r770; set latency-optimized-mode on because "measured here"'
    assert not advised(policy, "intel-perfspect")
