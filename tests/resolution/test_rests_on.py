"""Values that depend on an assumed fact: the plan names them, so that readers who know better can correct it."""

import pytest
from knowledge.refusals import spelt

from setpoint.compiler.plan.as_json import plan_json
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.render.markdown import plan_markdown
from setpoint.compiler.render.plan_text import plan_text
from support.ask import decision, plan


def resting(policy: str, fact: str) -> set[str]:
    """The settings whose written values rest on a fact."""
    return {d.setting for d in plan(policy).written if fact in d.rests_on}


@pytest.mark.parametrize("cpu", ["x5670", "e5-2680"])
def test_on_an_old_server_every_value_of_linux_rests_on_the_assumed_system(cpu: str) -> None:
    policy = f"goal latency; cpu {cpu}"
    assert plan(policy).lineage("os") == ("modern-linux", "linux-5.3", "linux-4.12", "linux")
    assert resting(policy, "os") == {d.setting for d in plan(policy).written if d.layer != "firmware"}
    said = "os modern-linux is assumed; these values depend on it: "
    for text in (plan_text(judge(plan(policy)), 4000), plan_markdown(judge(plan(policy)))):
        (line,) = (line for line in text.splitlines() if said in line)
        listed = line.partition(said)[2].partition(". State ")[0]
        assert set(listed.split(", ")) == resting(policy, "os")


@pytest.mark.parametrize("os", ["linux-4.12", "rhel 6.4", "debian 12"])
def test_nothing_rests_on_a_system_that_is_stated(os: str) -> None:
    policy = f"goal latency; cpu x5670; os {os}"
    assert resting(policy, "os") == set()
    assert "os modern-linux is assumed" not in plan_text(judge(plan(policy)), 4000)
    assert all("os" not in s.get("rests_on", ()) for s in plan_json(judge(plan(policy)))["settings"].values())


def test_what_a_policy_sets_rests_on_the_assumption_that_the_setting_is_there() -> None:
    policy = spelt("goal latency; cpu x5670; set swappiness 60; set smt off")
    assert decision(policy, "swappiness").rests_on == ("os",)
    assert decision(policy, "smt").rests_on == ()


def test_advice_that_applies_without_the_fact_does_not_depend_on_it() -> None:
    """The 12G table is for two or four sockets; the advice to leave the prefetchers on is for any number."""
    policy = "goal performance; cpu e5-2680"
    assert decision(policy, "qpi-speed").rests_on == ("sockets",)
    assert decision(policy, "hardware-prefetcher").rests_on == ()
    assert resting(f"{policy}; sockets 2", "sockets") == set()


def test_an_unrequested_default_is_not_listed() -> None:
    """Artifacts do not set it, so it changes no server, whatever the system is."""
    policy = "goal balanced; cpu x5670"
    assert decision(policy, "swappiness").rests_on == ("os",)
    assert "swappiness" not in resting(policy, "os")
