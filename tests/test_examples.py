"""Every example compiles to the output beside it.

Two of them to the whole bundle, to the byte: a server that `syscfg` sets, and one that Redfish sets. Of the others the
gist is kept (`support.gist`), and each is tested for what it shows.
"""

from pathlib import Path

import pytest

from setpoint.compiler.pipeline import Selection, compilable, read
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import Decision, Plan
from support.command import ROOT, setpoint
from support.gist import gist
from support.golden import compare_folder

FLEET = ROOT / "examples/fleet"
"""Planned for an inventory: tests/fleet/test_example.py."""

EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/*.tune") if path.parent != FLEET)
TODAY = "2026-11-20"
WHOLE = ("trading-edge", "efficient-web")


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_example(folder: Path, tmp_path: Path, update: bool) -> None:
    (policy,) = folder.glob("*.tune")
    name = str(policy.relative_to(ROOT))
    ran = setpoint("compile", name, "-o", str(tmp_path / "bundle"), "--today", TODAY)
    assert ran.status == 0, ran.err
    if folder.name not in WHOLE:
        gist(tmp_path / "bundle", tmp_path / "gist")
    compare_folder(tmp_path / ("bundle" if folder.name in WHOLE else "gist"), folder / "expected", update)


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_example_is_formatted_and_listed(folder: Path) -> None:
    files = [str(path.relative_to(ROOT)) for path in folder.rglob("*.tune")]
    assert setpoint("fmt", "--check", *files).status == 0
    assert f"[{folder.name}]({folder.name}/)" in (ROOT / "examples/README.md").read_text(encoding="utf-8")


# ---------------------------------------------------------------------------------------------- what each of them shows


def judged(example: str, choice: Selection) -> Judged:
    """The judged plan of an example for the selected subject."""
    (file,) = (ROOT / "examples" / example).glob("*.tune")
    (found,) = compilable(read(str(file)), choice)
    return found


def planned(example: str, policy: str = "", group: str = "", host: str = "") -> Plan:
    """The plan alone."""
    return judged(example, Selection(policy, group, host, TODAY)).plan


def decided(plan: Plan, setting: str) -> Decision:
    """What a plan decides on a setting, which must be there."""
    found = plan.setting(setting)
    assert found is not None, setting
    return found


def test_a_fleet_has_groups_with_their_own_intent_and_a_host_with_a_ticket() -> None:
    compute = planned("hpc-fleet", group="compute")
    login = planned("hpc-fleet", group="login")
    host = planned("hpc-fleet", group="compute", host="c042")
    assert [plan.fact("goal") for plan in (compute, login, host)] == [
        "performance",
        "balanced",
        "performance",
    ]
    assert [plan.value("c-states") for plan in (compute, login, host)] == ["off", "on", "off"]
    assert [plan.value("turbo") for plan in (compute, login, host)] == ["on", "on", "off"]
    assert decided(host, "turbo").because[0].because.endswith("HW-881")
    differ = {one.setting for one in host.settings if one.value != compute.value(one.setting)}
    assert differ == {"turbo", "system-profile"}


@pytest.mark.parametrize("policy", ["hpc-base", "fluent"])
def test_what_a_site_has_measured_outranks_what_the_vendor_recommends(policy: str) -> None:
    smt = decided(planned("lab-findings", policy), "smt")
    assert (smt.value, [cause.name for cause in smt.because]) == ("on", ["smt-for-fluent"])
    assert {("smt-for-hpc-14g", "off"), ("smt-for-hpc-12g", "off")} <= {
        (one.name, one.value) for one in smt.beat
    }


def test_one_paper_overrides_another() -> None:
    smt = decided(planned("grid-jobs"), "smt")
    assert (smt.value, [cause.name for cause in smt.because]) == ("on", ["smt-for-physics-throughput"])
    assert ("dell-11g-hpc.table-6.smt.performance", "off") in {(one.name, one.value) for one in smt.beat}


def test_a_policy_overrides_with_a_reason_and_accepts_a_hazard_until_a_date() -> None:
    found = judged("trading-edge", Selection(today=TODAY))
    assert decided(found.plan, "turbo").origin == "set"
    assert decided(found.plan, "turbo").because[0].because == "frequency jitter on the feed handler, PERF-212"
    (state,) = found.hazards.values()
    assert (state.state, state.until, state.because) == (
        "accepted",
        "2027-03-31",
        "idle power is not billed here",
    )
    late = judged("trading-edge", Selection(today="2027-04-01"))
    assert [hazard.state for hazard in late.hazards.values()] == ["warns"]


def test_a_profile_that_its_own_paper_contradicts_becomes_custom() -> None:
    profile = decided(planned("efficient-web"), "system-profile")
    assert profile.value == "custom"
    assert [note.kind for note in profile.notes] == ["derived"]
