"""What an upgrade of the library changes: two libraries over policies and hosts, and a bundle of an earlier library."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from setpoint.compiler.knowledge.library import library_digest
from setpoint.compiler.plan.made_with import short
from support.command import ROOT, Ran, setpoint

POLICY = "goal latency; cpu skylake; os rhel 9;"

GONE = "uncore-frequency-for-latency-14g"
CHANGED = "virtualization-14g"
RULES = ROOT / "stdlib/firmware/poweredge-14g.tune"

INSTALLED = library_digest(str(ROOT / "stdlib"))


def without(name: str, text: str) -> str:
    """A file of the library without a rule."""
    found, number = re.subn(rf"^rule {name} .*?^\}}\n", "", text, flags=re.M | re.S)
    assert number == 1, name
    return found


def with_other_value(name: str, text: str) -> str:
    """A file of the library in which a rule recommends the other value."""
    found, number = re.subn(rf"(^rule {name} .*?use virtualization) on;", r"\1 off;", text, flags=re.M | re.S)
    assert number == 1, name
    return found


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library without one rule of the installed one, and with another one that says something else."""
    folder = tmp_path_factory.mktemp("other") / "stdlib"
    shutil.copytree(ROOT / "stdlib", folder)
    path = folder / RULES.relative_to(ROOT / "stdlib")
    path.write_text(with_other_value(CHANGED, without(GONE, path.read_text("utf-8"))), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, other: Path) -> Path:
    """A folder with a policy, and a bundle of it that was made with the other library."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "web.tune").write_text(POLICY, encoding="utf-8")
    ran = setpoint("compile", "web.tune", "-o", "bundle", cwd=folder, env={"SETPOINT_LIBRARY": str(other)})
    assert ran.status == 0, ran.err
    return folder


def triggers(ran: Ran) -> dict[str, list[tuple[str, str]]]:
    """For each value that changes the kinds of its causes, and whose they are."""
    assert ran.status == 3, ran.err
    data: dict[str, Any] = json.loads(ran.out)
    return {
        change["setting"]: [(each["kind"], each.get("layer", "policy")) for each in change["triggers"]]
        for policy in data["differences"]
        for change in policy["settings"]
        if change["kind"] in ("value", "starts", "stops")
    }


def diff(site: Path, *arguments: str) -> Ran:
    """A difference as JSON."""
    return setpoint("diff", *arguments, "--format", "json", cwd=site)


def test_both_directions_name_the_statement(site: Path, other: Path) -> None:
    old_to_new = diff(site, "--old-library", str(other), "web.tune")
    assert triggers(old_to_new) == {
        "uncore-frequency": [("new-rule", "library")],
        "virtualization": [("rule-changed", "library")],
    }
    new_to_old = diff(site, "--new-library", str(other), "web.tune")
    assert triggers(new_to_old) == {
        "uncore-frequency": [("rule-gone", "library")],
        "virtualization": [("rule-changed", "library")],
    }
    made = json.loads(old_to_new.out)["made_with"]
    assert [made[side]["library"] for side in ("old", "new")] == [library_digest(str(other)), INSTALLED]
    assert json.loads(new_to_old.out)["made_with"] == {"old": made["new"], "new": made["old"]}


def test_the_text_has_both_libraries_the_source_and_the_restarts(site: Path, other: Path) -> None:
    ran = setpoint("diff", "--new-library", str(other), "web.tune", cwd=site)
    first = f"library `{short(INSTALLED)}` -> `{short(library_digest(str(other)))}`: 1 policy changes: 2 values, with a restart."
    assert ran.out.splitlines()[0] == first
    words = " ".join(ran.out.split())
    assert "maximum -> dynamic library: dell-bios-registries, R740 and R750 registries," in words
    markdown = setpoint("diff", "--new-library", str(other), "web.tune", "--format", "markdown", cwd=site).out
    assert f"`{short(INSTALLED)}`" in markdown
    assert short(INSTALLED) not in setpoint("diff", "web.tune", "web.tune", cwd=site).out


def test_a_bundle_of_the_earlier_library_is_enough(site: Path) -> None:
    assert triggers(diff(site, "bundle", "web.tune")) == {
        "uncore-frequency": [("applies", "library")],
        "virtualization": [("rule-changed", "library")],
    }


def test_a_bundle_and_another_policy_keep_both_causes_apart(site: Path) -> None:
    changed = site / "changed.tune"
    changed.write_text(f'{POLICY} set node-interleaving on because "LAB-1";', encoding="utf-8")
    found = triggers(diff(site, "bundle", "changed.tune"))
    assert found["node-interleaving"] == [("set", "policy")]
    assert found["uncore-frequency"] == [("applies", "library")]


def test_a_bundle_of_the_same_library_has_the_policy_as_its_only_cause(site: Path) -> None:
    assert setpoint("compile", "web.tune", "-o", "same", cwd=site).status == 0
    assert (
        setpoint("diff", "same", "web.tune", cwd=site).out == "No change: every policy has the same plan.\n"
    )


def test_a_bundle_is_not_planned_with_another_library(site: Path, other: Path) -> None:
    ran = diff(site, "bundle", "web.tune", "--old-library", str(other))
    assert (ran.status, ran.out) == (2, "")
    assert "error: bundle is a bundle, which has its plans already: it needs no library\n" in ran.err


def test_a_bundle_of_an_earlier_version_has_no_digest(site: Path) -> None:
    shutil.copytree(site / "bundle", site / "earlier", dirs_exist_ok=True)
    plan = json.loads((site / "earlier/plan.json").read_text("utf-8"))
    del plan["made_with"]
    (site / "earlier/plan.json").write_text(json.dumps(plan), encoding="utf-8")
    ran = setpoint("diff", "earlier", "web.tune", cwd=site)
    assert ran.out.startswith(f"library not recorded -> `{short(INSTALLED)}`: 1 policy changes")
    assert "library: a rule that did not apply before" in " ".join(ran.out.split())


def test_hosts_that_change_are_counted(site: Path, other: Path) -> None:
    (site / "fleet.tune").write_text("goal latency;", encoding="utf-8")
    (site / "hosts.csv").write_text("name,cpu,os\na,skylake,rhel 9\nb,westmere,rhel 6\n", encoding="utf-8")
    ran = diff(site, "--new-library", str(other), "--inventory", "hosts.csv", "fleet.tune")
    assert ran.status == 3, ran.err
    data = json.loads(ran.out)
    assert (data["hosts"]["changed"], data["hosts"]["same"], data["hosts"]["restart"]) == (1, 1, 1)
    assert data["made_with"]["new"]["library"] == library_digest(str(other))


# -------------------------------------------------------------------------------------- a library that cannot be used

BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    # what is wrong with it                                                                     what is said
    "no library": (lambda folder: shutil.rmtree(folder), "there is no library in `broken`"),
    "another language": (
        lambda folder: (folder / "future.tune").write_text('rule x of y at "z" { someday; }'),
        "this Setpoint cannot read the library in `broken`",
    ),
    "an unknown word": (
        lambda folder: (folder / "future.tune").write_text('aliases nothing-like-it "x";'),
        "this Setpoint cannot read the library in `broken`",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_library_is_used_as_a_whole_or_not_at_all(what: str, other: Path, tmp_path: Path) -> None:
    spoil, message = BROKEN[what]
    shutil.copytree(other, tmp_path / "broken")
    spoil(tmp_path / "broken")
    (tmp_path / "web.tune").write_text(POLICY, encoding="utf-8")
    for ran in (
        setpoint("diff", "--old-library", "broken", "web.tune", cwd=tmp_path),
        setpoint("plan", "web.tune", cwd=tmp_path, env={"SETPOINT_LIBRARY": "broken"}),
    ):
        assert (ran.out, ran.status) == ("", 2 if what == "no library" else 4)
        assert ran.err.startswith(f"error[E0618]: {message}")


@pytest.mark.parametrize("inside", ["", "stdlib", "setpoint/stdlib"])
def test_a_library_is_found_in_a_checkout_and_an_installation(inside: str, tmp_path: Path) -> None:
    place = tmp_path / "given" / inside
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "stdlib", place)
    ran = setpoint("--version", cwd=tmp_path, env={"SETPOINT_LIBRARY": "given"})
    assert ran.out.endswith(f"library {INSTALLED}\n"), ran.err
