"""What holds for one maker's processors does not reach another's."""

import pytest

from setpoint.compiler.knowledge.load import standard
from support.plans import plan_of_text

AMD = """
source lab { title "Notes on our servers"; publisher "Our lab"; }
cpu epyc-9005 of lab at "Run 1" { title "AMD EPYC 9005"; implies cpu-vendor amd; }
"""
POLICY = "goal latency; os debian-12;"
INTEL_ONLY = ("intel-idle", "energy-perf-bias", "min-perf-pct")


@pytest.mark.parametrize("setting", INTEL_ONLY)
def test_drivers_of_intel_are_not_offered_on_amd(setting: str) -> None:
    assert plan_of_text(f"{AMD} {POLICY} cpu epyc-9005;").setting(setting) is None
    assert plan_of_text(f"{POLICY} cpu skylake;").setting(setting) is not None


def test_an_amd_server_is_told_nothing_of_them() -> None:
    plan = plan_of_text(f"{AMD} {POLICY} cpu epyc-9005;")
    told = " ".join(cause.because for decision in plan.settings for cause in decision.because)
    assert "intel" not in told.casefold()
    assert plan.value("force-latency") == "c1"


def test_without_a_processor_both_are_possible() -> None:
    assert plan_of_text(POLICY).setting("intel-idle") is not None


def test_every_processor_of_the_library_has_a_maker() -> None:
    for name in standard().values["cpu"]:
        maker = "amd" if name.startswith("epyc-") else "intel"
        assert plan_of_text(f"goal latency; cpu {name};").fact("cpu-vendor") == maker
