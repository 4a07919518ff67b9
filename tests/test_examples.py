"""Every example compiles to the output beside it.

Of each the gist is kept (`support.gist`), and each is tested for what it shows. Two of them count to the byte: a server
that `syscfg` sets, and one that Redfish sets.
"""

import hashlib
import json
from pathlib import Path

import pytest

from setpoint.compiler.pipeline import Selection, read
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.targets._host import program
from support.command import ROOT, setpoint
from support.gist import check_manifest, gist
from support.golden import compare_folder, steady
from support.host import PROGRAM
from support.plans import compilable

FLEET = ROOT / "examples/fleet"
"""Planned for an inventory: tests/fleet/test_example.py."""

EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/*.tune") if path.parent != FLEET)
TODAY = "2026-11-20"
WHOLE = ("trading-edge", "efficient-web")


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda folder: folder.name)
def example(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folder of an example, and what its policy compiles to."""
    folder: Path = request.param
    (policy,) = folder.glob("*.tune")
    bundle = tmp_path_factory.mktemp(folder.name) / "bundle"
    ran = setpoint("compile", str(policy.relative_to(ROOT)), "-o", str(bundle), "--today", TODAY)
    assert ran.status == 0, ran.err
    return folder, bundle


def test_example(example: tuple[Path, Path], tmp_path: Path, update: bool) -> None:
    folder, bundle = example
    gist(bundle, tmp_path, steady, whole=folder.name in WHOLE)
    compare_folder(tmp_path, folder / "expected", update)


def test_manifests_list_the_files(example: tuple[Path, Path]) -> None:
    """Each with its digest and mode. The program for hosts is there once: role and module take it from there."""
    program_digest = hashlib.sha256(PROGRAM.encode()).hexdigest()
    for manifest in example[1].rglob("manifest.json"):
        check_manifest(manifest.parent)
        data = json.loads(manifest.read_text(encoding="utf-8"))
        programs = [each for each in data["files"] if each["path"].endswith("setpoint-host")]
        assert data["schema"] == "setpoint.bundles/1" or programs == [
            {
                "path": "host/setpoint-host",
                "mode": "0755",
                "sha256": program_digest,
                "version": program().version,
            }
        ]


def test_no_bundle_has_another_script_for_what_the_program_does(example: tuple[Path, Path]) -> None:
    kinds = ("kernel-args", "tuned", "systemd", "cpuspeed")
    scripts = example[1].rglob("*.sh")
    assert not [path for path in scripts if set(path.relative_to(example[1]).parts) & {*kinds}]


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_example_is_listed(folder: Path) -> None:
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
