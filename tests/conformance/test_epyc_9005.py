"""EPYC 9005 (Turin): what AMD's guide for 9004 says is related to it, and to be tested first, behind what a server's
maker says."""

import pytest

from support.plans import planned

GUIDE = "amd-epyc-9004-tuning"


@pytest.mark.parametrize("cpu", ["epyc-turin", "epyc-9575f", "epyc-9755"])
def test_on_other_servers_the_guide_is_to_be_tested_first(cpu: str) -> None:
    plan = planned(f"goal latency; platform thinksystem-v3-amd; cpu {cpu}")
    found = {
        one.setting: cause.strength for one in plan.settings for cause in one.because if cause.source == GUIDE
    }
    assert plan.value("data-fabric-c-states") == "off"
    assert found["data-fabric-c-states"] == "test-first"
    assert set(found.values()) == {"test-first"}


def test_on_the_series_that_it_is_about_it_is_the_vendors_word() -> None:
    plan = planned("goal latency; platform thinksystem-v3-amd; cpu epyc-9654")
    assert {one.cause.strength for one in plan.settings if one.cause.source == GUIDE} == {"vendor"}


def test_where_a_vendors_word_is_required_nothing_of_it_is_written_for_turin() -> None:
    policy = (
        'goal latency; platform thinksystem-v3-amd; cpu epyc-turin; require strength vendor because "OPS-12"'
    )
    assert not any(one.cause.source == GUIDE for one in planned(policy).written)


def test_ciscos_templates_come_first_on_its_own_servers() -> None:
    decision = planned("goal performance; platform ucs-m8-amd; cpu epyc-turin; workload postgresql").setting(
        "fabric-power-management"
    )
    assert decision is not None
    assert (decision.cause.source, decision.cause.strength) == ("cisco-bios-templates", "vendor")
