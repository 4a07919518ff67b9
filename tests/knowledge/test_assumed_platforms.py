"""A processor that several makers have servers with implies no platform. The one of its paper is assumed, and gives way
to any other."""

from __future__ import annotations

import pytest

from setpoint.compiler.plan.model import Plan
from support.plans import planned

SITE = 'platform rack-node { title "Render node"; implies vendor supermicro; reported as product any; } '


def facts(plan: Plan) -> dict[str, tuple[str, str]]:
    """The value and the origin of each fact."""
    return {each.name: (each.value, each.origin) for each in plan.facts}


def values(plan: Plan) -> dict[str, str]:
    """The value of each setting."""
    return {each.setting: each.value for each in plan.settings}


@pytest.mark.parametrize("cpu", ["skylake", "xeon-gold-6148"])
@pytest.mark.parametrize("goal", ["latency", "efficiency"])
def test_without_a_platform_the_plan_is_that_for_the_servers_of_the_paper(cpu: str, goal: str) -> None:
    alone = planned(f"goal {goal}; cpu {cpu}; workload comm-bound")
    stated = planned(f"goal {goal}; cpu {cpu}; workload comm-bound; platform poweredge-14g")
    assert facts(alone)["platform"] == ("poweredge-14g", "assumed")
    assert facts(alone)["sockets"] == facts(stated)["sockets"] == ("2", "assumed")
    assert values(alone) == values(stated)
    assert alone.value("system-profile") != ""


@pytest.mark.parametrize(
    ("platform", "cpu"),
    [
        ("ProLiant DL380 G7", "e5620"),
        ("ProLiant DL380p Gen8", "e5-2670"),
        ("ProLiant DL360 Gen9", "e5-2650-v4"),
        ("System x3650 M3", "x5650"),
        ("X8DTN", "e5620"),
        ("Super Server", "xeon-gold-6130"),
    ],
)
def test_a_server_that_is_named_is_not_one_of_the_paper(platform: str, cpu: str) -> None:
    """What its family says has nothing in common with them, so that its processor does not tell the platform."""
    plan = planned(f'goal latency; cpu {cpu}; platform "{platform}"')
    assert "platform" not in facts(plan)
    assert [each.setting for each in plan.settings if each.layer == "firmware" and each.written] == []


def test_another_server_of_the_maker_can_be_one_of_them() -> None:
    plan = planned('goal latency; cpu e5-2650-v4; platform "PowerEdge C4130"')
    assert facts(plan)["platform"] == ("poweredge-13g", "implied")


@pytest.mark.parametrize("platform", ["r740", "ucs-m5"])
def test_a_stated_platform_decides(platform: str) -> None:
    found = facts(planned(f"goal latency; cpu xeon-gold-6148; platform {platform}"))
    assert found["platform"] == (platform, "stated")


def test_so_does_one_of_the_site() -> None:
    found = facts(planned(f"{SITE}goal latency; cpu skylake; platform rack-node"))
    assert (found["platform"], found["vendor"][0]) == (("rack-node", "stated"), "supermicro")


def test_cascade_lake_assumes_none_and_goes_with_one_of_the_site() -> None:
    assert "platform" not in facts(planned("goal latency; cpu cascade-lake"))
    found = facts(planned(f"{SITE}goal latency; cpu cascade-lake; platform rack-node"))
    assert found["platform"] == ("rack-node", "stated")


def test_another_maker_leaves_the_platform_open() -> None:
    plan = planned("goal latency; cpu skylake; vendor hpe")
    assert "platform" not in facts(plan)
    assert [each.setting for each in plan.settings if each.layer == "firmware" and each.written] == []
