"""Uses by the words people have for them: what a word adds to the wider use that it belongs to, and that a plan says if
nothing does.

A word without a source of its own has what the wider use has. Where no source covers it on the server, W0304 says so
and names it.
"""

from __future__ import annotations

import pytest

from setpoint.compiler.plan.model import Plan
from support.plans import planned

WIDER = {
    "rendering": "cpu-intensive",
    "build": "cpu-intensive",
    "search-engine": "io-bound",
    "storage": "io-bound",
    "nvme-storage": "storage",
    "object-storage": "storage",
    "backup": "storage",
    "key-value-store": "in-memory-database",
    "java-latency": "java",
    "java-throughput": "java",
    "gpu-inference": "accelerated",
}
"""Words that have no source of their own on most servers, and the use that each belongs to."""

SERVERS = ("platform r740; os rhel 9", "platform ucs-m6-intel; os debian 12", "platform r7615; os debian 12")
GOALS = ("latency", "throughput", "efficiency")


def values(plan: Plan) -> dict[str, str]:
    """The values of a plan."""
    return {each.setting: each.value for each in plan.settings}


@pytest.mark.parametrize(("word", "wider"), WIDER.items())
@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("goal", GOALS)
def test_a_word_has_what_the_wider_use_has(word: str, wider: str, server: str, goal: str) -> None:
    start = f"goal {goal}; {server}; workload"
    assert values(planned(f"{start} {word}")) == values(planned(f"{start} {wider}"))


UNCOVERED = ("web", "kubernetes-node", "trading", *WIDER)


@pytest.mark.parametrize("word", UNCOVERED)
def test_a_plan_says_that_no_source_covers_a_use(word: str) -> None:
    """On the firmware of an R740, whose values are then those of the goal alone."""
    plan = planned(f"goal latency; platform r740; os rhel 9; workload {word}")
    said = [each.message for each in plan.advisories if each.code == "W0304"]
    expected = f"the firmware is not tuned for workload {word}: with goal latency, no source covers it on this platform"
    assert said == [expected]

    of_firmware = {each.setting: each.value for each in plan.settings if each.layer == "firmware"}
    alone = planned("goal latency; platform r740; os rhel 9")
    assert of_firmware == {each.setting: each.value for each in alone.settings if each.layer == "firmware"}


@pytest.mark.parametrize("word", ["search-engine", "storage", "mysql", "mongodb"])
def test_a_plan_is_silent_where_the_wider_use_is_covered(word: str) -> None:
    plan = planned(f"goal throughput; platform ucs-m6-intel; os debian 12; workload {word}")
    assert not [each for each in plan.advisories if each.code == "W0304"]


@pytest.mark.parametrize(
    ("policy", "profile"),
    [
        ("goal latency; workload java", "java-latency"),
        ("goal latency; workload java-latency", "java-latency"),
        ("goal throughput; workload java-latency", "java-latency"),
        ("goal throughput; workload java", "java-throughput"),
        ("goal performance; workload java-throughput", "java-throughput"),
        ("goal latency; workload java-throughput", "java-throughput"),
    ],
)
def test_java_has_the_profile_of_amd_that_its_word_names(policy: str, profile: str) -> None:
    """HPE's registry has one for each; the narrower word decides, and otherwise the goal."""
    plan = planned(f"{policy}; platform dl385-gen10-plus-v2")
    assert plan.value("amd-workload-profile") == profile
