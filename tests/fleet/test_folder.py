"""`setpoint diff` with what `setpoint fleet` has written as a side: it has its hosts and plans already."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.command import setpoint

GOLD = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"
HOSTS = f"""host,group,model,processor,sockets,os
n1,compute,PowerEdge C6420,{GOLD},2,rhel 9.4
n2,compute,PowerEdge C6420,{GOLD},2,rhel 9.4
w1,web,PowerEdge R740,,2,debian 12
x1,attic,NorthEdge R9999,,2,debian 12
"""
POLICY = """for group compute { goal latency; workload cpu-bound; }
for group web { goal latency; workload interactive; set smt on because "licences, OPS-3"; accept smt-vs-latency because "A-1" until 2027-03-31; }
"""
WITHOUT_PLAN = "1 host without a plan:\n  1 host: x1: E0701: unknown platform `NorthEdge R9999`\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy, another version of it, an inventory, and the fleet of each version."""
    folder = tmp_path_factory.mktemp("fleets")
    (folder / "hosts.csv").write_text(HOSTS, encoding="utf-8")
    changed = POLICY.replace("workload cpu-bound;", 'workload cpu-bound; set swappiness 1 because "X-1";')
    (folder / "site.tune").write_text(POLICY, encoding="utf-8")
    (folder / "later").mkdir()
    (folder / "later/site.tune").write_text(changed.replace("A-1", "A-2"), encoding="utf-8")
    for policy, out in (("site.tune", "old"), ("later/site.tune", "new")):
        day = ("--today", "2026-11-20")
        ran = setpoint("fleet", policy, "--inventory", "hosts.csv", "-o", out, *day, cwd=folder)
        assert ran.status == 5, ran.err
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of these."""
    return Path(shutil.copytree(made, tmp_path / "fleets"))


def diff(folder: Path, *arguments: str) -> Any:
    """Compare two sides on a day on which the waiver is valid."""
    return setpoint("diff", *arguments, "--today", "2026-11-20", cwd=folder)


@pytest.mark.parametrize(
    "sides",
    [("old", "later/site.tune"), ("site.tune", "new"), ("site.tune", "later/site.tune")],
)
def test_a_folder_says_what_its_policy_says(folder: Path, sides: tuple[str, str]) -> None:
    """Values, reasons, hazards and waivers are the same, whether they are planned now or were planned then."""
    form = ("--format", "json")
    ran = diff(folder, *sides, "--inventory", "hosts.csv", *form)
    assert (ran.status, ran.out) == (3, diff(folder, "old", "new", *form).out), ran.err


def test_a_comment_is_that_of_an_inventory(folder: Path) -> None:
    text = diff(folder, "old", "new", "--format", "markdown").out
    assert "- 1 host without a plan:\n  - 1 host: x1: E0701: unknown platform `NorthEdge R9999`\n" in text
    assert "### 2 hosts: `n1`, `n2`\n" in text


def test_values_hazards_and_waivers_are_shown_with_their_hosts(folder: Path) -> None:
    out = diff(folder, "old", "new").out
    assert out.startswith(
        "2 hosts of 3 change; none needs a restart; hazards or waivers change on 1 host\n" + WITHOUT_PLAN
    )
    assert (
        "2 hosts: n1, n2\n  group compute; cpu xeon-gold-6150; os rhel-9; platform c6420; takes effect immediately\n  Operating system\n    swappiness"
        in out
    )
    assert "set: “X-1”" in out
    assert "1 host: w1\n  group web; " in out
    assert "hazard smt-vs-latency" in out


def test_the_same_fleet(folder: Path) -> None:
    ran = diff(folder, "new", "new")
    assert (ran.status, ran.out) == (0, "No change: all 3 hosts have the same plan.\n" + WITHOUT_PLAN)


def test_a_fleet_is_judged_on_the_day_of_the_comparison(folder: Path) -> None:
    """A waiver that has expired since is not a change between the sides."""
    sides = ("old", "site.tune", "--inventory", "hosts.csv")
    assert setpoint("diff", *sides, "--today", "2027-06-01", cwd=folder).status == 0


def test_a_revision_of_a_folder(folder: Path) -> None:
    """A repository that has the folder shows what a commit changes on which hosts."""
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org")
    shutil.copytree(folder / "old", folder / "fleet")
    for words in (("init", "-q"), ("add", "fleet"), ("commit", "-qm", "x")):
        subprocess.run([*git, *words], cwd=folder, check=True)
    shutil.rmtree(folder / "fleet")
    shutil.copytree(folder / "new", folder / "fleet")
    plain = diff(folder, "old", "new").out
    assert diff(folder, "HEAD:fleet", "fleet").out == plain
    assert diff(folder, "HEAD", "fleet").out == plain


@pytest.mark.parametrize(
    ("sides", "why"),
    [
        (("old", "site.tune"), "site.tune is no fleet's folder: name its hosts with --inventory"),
        (("old", "new", "--inventory", "hosts.csv"), "both sides are folders of `setpoint fleet`"),
        (("old", "new", "--new-registry", "x.json", "--registry", "y.json"), "about one server"),
    ],
)
def test_what_is_not_compared(folder: Path, sides: tuple[str, ...], why: str) -> None:
    ran = diff(folder, *sides)
    assert (ran.status, why in ran.err) == (2, True), ran.err


def test_a_folder_in_another_form_is_not_misread(folder: Path) -> None:
    """As one that an earlier version wrote, without plans; or one that somebody has changed."""

    def refused(why: str) -> None:
        ran = diff(folder, "old", "new")
        assert ran.status == 4, ran.err
        assert "error[E0606]: `old` is not a fleet in the form that this version writes\n" in ran.err
        assert why in ran.err

    data = json.loads((folder / "old/fleet.json").read_text(encoding="utf-8"))
    for wrong, why in (
        ({**data, "schema": "setpoint.fleet/9"}, "fleet.json is in the form setpoint.fleet/9"),
        ({**data, "plans": {"../../old": {}}}, "fleet.json is not as `setpoint fleet` writes it: KeyError"),
        ({**data, "policy": 7}, "7 is not a text"),
        ([], "fleet.json is not as `setpoint fleet` writes it"),
    ):
        (folder / "old/fleet.json").write_text(json.dumps(wrong), encoding="utf-8")
        refused(why)
    (folder / "old/fleet.json").write_text(json.dumps(data), encoding="utf-8")
    shutil.rmtree(folder / "old/plans")
    refused("in it\n")
    for its in data["classes"].values():
        its["plan"] = "../plans"
    data["plans"] = {"../plans": {}}
    (folder / "old/fleet.json").write_text(json.dumps(data), encoding="utf-8")
    refused("there is no plans/../plans/plan.json in it")
