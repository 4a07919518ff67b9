"""Advice that defeats itself without another value: the library has both, or leaves it out.

The sources are the help texts of the registries and the makers' guides, as they are quoted beside each statement of the
library.
"""

import pytest

from support.ask import decision, plan

TOGETHER = [
    # policy; what the advice is; the value without which it has no effect, and who says so
    ("goal latency; platform dl385-gen10-plus-v2; workload java", "fabric-power-management off", "data-fabric-c-states off", "hpe-dl385-gen10-plus-v2-registry"),
    ("goal latency; platform sr670-v2", "force-latency c1", "c-states on", "lenovo-bios-registries"),
    ("goal latency; platform sr670-v2; os windows", "turbo off", "c-states on", "lenovo-bios-registries"),
    ("goal throughput; platform sr670-v2; os rhel 9; workload hpc", "force-latency c1", "c-states on", "lenovo-bios-registries"),
    ("goal throughput; platform sr670-v2; os debian 12; workload redpanda", "acpi-idle-limit c1", "c-states on", "lenovo-bios-registries"),
    ("goal latency; platform c220-m8; workload mysql", "latency-optimized-mode on", "epp-profile performance", "intel-perfspect"),
]  # fmt: skip


@pytest.mark.parametrize(("policy", "advice", "with_it", "source"), TOGETHER)
def test_what_advice_needs_is_recommended_with_it(
    policy: str, advice: str, with_it: str, source: str
) -> None:
    name, value = advice.split()
    assert plan(policy).value(name) == value
    name, value = with_it.split()
    found = decision(policy, name)
    assert (found.value, found.cause.source) == (value, source)
    assert not any(name in hazard.condition for hazard in plan(policy).hazards)


APART = [
    ("goal performance; platform sr670-v2; os rhel 9", "c-states", "lenovo-bios-registries"),
    ("goal latency; platform c220-m8", "epp-profile", "intel-perfspect"),
    ("goal latency; platform r750; os debian 12; workload redpanda", "intel-pstate", "redpanda-tuners"),
    ("goal latency; platform r760; os debian 12; workload redpanda", "intel-pstate", "redpanda-tuners"),
    ("goal throughput; platform dl385-gen10-plus-v2; workload weka", "determinism", "weka-bios-tool"),
]


@pytest.mark.parametrize(("policy", "setting", "source"), APART)
def test_elsewhere_it_is_not(policy: str, setting: str, source: str) -> None:
    assert source not in {cause.source for cause in decision(policy, setting).because if cause.strength}


@pytest.mark.parametrize("system", ["rhel 6", "rhel 9", "debian 12"])
@pytest.mark.parametrize("goal", ["performance", "efficiency"])
def test_oracle_has_no_transparent_huge_pages_under_any_goal(goal: str, system: str) -> None:
    found = decision(
        f"goal {goal}; cpu sandy-bridge; os {system}; workload oracle-database", "transparent-hugepages"
    )
    assert found.value == "never"


def test_real_time_tasks_have_no_idle_states_on_these_servers() -> None:
    assert plan("goal latency; platform sr670-v2; workload real-time").value("c-states") == "off"
