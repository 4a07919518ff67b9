"""`waivers --inventory` and `check --inventory`: the hosts on which a waiver has an effect, and those with a hazard
that is not waived."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import sarif_pydantic

from support.command import ROOT, setpoint
from support.inventories import beside_hosts

HOSTS = {"w1": "web,debian 12", "w2": "web,debian 12", "w3": "front,debian 12", "w4": "calm,debian 12"}
POLICY = """
workload interactive;
accept smt-vs-latency because "measured, OPS-4" until 2027-03-31;
for group web   { goal latency; set smt on because "licences, OPS-3"; }
for group front { goal latency; }
for group calm  { goal balanced; accept advice because "tried" ; }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A policy and an inventory."""
    return beside_hosts(tmp_path, POLICY, HOSTS)


def listed(folder: Path, today: str, *arguments: str) -> Any:
    """The waivers of the policy on a day."""
    words = ("--inventory", "hosts.csv", "--today", today)
    return setpoint("waivers", "site.tune", *words, *arguments, cwd=folder)


def test_a_waiver_has_the_hosts_on_which_it_has_an_effect(folder: Path) -> None:
    """Not those of its scope: there it may wait for a hazard that does not occur."""
    ran = listed(folder, "2026-11-20")
    assert (ran.status, [line.split()[:4] for line in ran.out.splitlines()]) == (
        0,
        [
            ["smt-vs-latency", "good", "2027-03-31", "2"],
            ["advice", "open", "0", "hosts"],
            ["2", "waivers:", "0", "expired,"],
        ],
    )


def test_a_hazard_whose_waiver_is_over_is_open(folder: Path) -> None:
    ran = listed(folder, "2027-04-01")
    assert ran.status == 3
    assert "hazard smt-vs-latency warns, waived until 2027-03-31, which is over: 2 hosts: w1, w2\n" in ran.out
    found = json.loads(listed(folder, "2027-04-01", "--format", "json").out)
    assert [each["hosts"] for each in found["waivers"]] == [["w1", "w2"], []]
    (hazard,) = found["hazards"]
    assert {key: hazard[key] for key in ("name", "state", "until", "hosts")} == {
        "name": "smt-vs-latency",
        "state": "warns",
        "until": "2027-03-31",
        "hosts": ["w1", "w2"],
    }


def test_a_hazard_without_a_waiver(folder: Path) -> None:
    (folder / "site.tune").write_text(POLICY.replace("accept smt", "# accept smt"), encoding="utf-8")
    ran = listed(folder, "2026-11-20")
    assert "\nhazard smt-vs-latency warns, not waived: 2 hosts: w1, w2\n" in ran.out


def test_without_an_inventory_nothing_is_known_of_hosts(folder: Path) -> None:
    found = json.loads(setpoint("waivers", "site.tune", "--format", "json", cwd=folder).out)
    assert ("hazards" in found, "hosts" in found["waivers"][0]) == (False, False)


# ---------------------------------------------------------------------------------- check --inventory


def checked(folder: Path, *arguments: str, today: str = "2026-11-20") -> Any:
    """Check the policy on its hosts."""
    words = ("check", "site.tune", "--inventory", "hosts.csv", "--today", today)
    return setpoint(*words, *arguments, cwd=folder)


def test_check_lists_what_is_waived_on_which_hosts(folder: Path) -> None:
    said = "\nhazard smt-vs-latency is waived until 2027-03-31: 2 hosts: w1, w2\n  because: measured, OPS-4\n"
    assert checked(folder).out.endswith(said)
    assert "hazard smt-vs-latency is waived" not in checked(folder, today="2027-04-01").out


def test_a_waiver_that_some_hosts_need_has_an_effect(folder: Path) -> None:
    """That of w1 and w2 has none on w3, which is no fault; one that no host needs is one."""
    (folder / "site.tune").write_text(
        POLICY.replace("accept advice because", "accept advice of dell-12g-tuning because"), encoding="utf-8"
    )
    found = json.loads(checked(folder, "--format", "json").out)
    assert [each["subject"] for each in found["diagnostics"] if each["code"] == "W0403"] == [
        "advice of dell-12g-tuning"
    ]
    assert setpoint("fleet", "site.tune", "--inventory", "hosts.csv", "-o", "out", cwd=folder).status == 0
    summary = (folder / "out/summary.md").read_text(encoding="utf-8")
    assert ("waiver for `advice of" in summary, "waiver for `smt-vs" in summary) == (True, False)


def test_what_is_waived_for_programs(folder: Path) -> None:
    found = json.loads(checked(folder, "--format", "json").out)
    jsonschema.validate(found, json.loads((ROOT / "compiler/render/check.schema.json").read_text()))
    (waived,) = found["waived"]
    assert waived == {
        "waiver": "smt-vs-latency",
        "until": "2027-03-31",
        "because": "measured, OPS-4",
        "hosts": ["w1", "w2"],
        "code": "W0402",
        "message": "hazard `smt-vs-latency`: where extremely low latency matters, disabling logical processors improves it",
        "file": "site.tune",
        "line": 4,
    }


def test_what_is_waived_is_a_suppressed_result(folder: Path) -> None:
    """A code scanner that shows suppressed results shows a note, which does not block a change."""
    text = checked(folder, "--format", "sarif").out
    sarif_pydantic.Sarif.model_validate_json(text)
    results = json.loads(text)["runs"][0]["results"]
    (waived,) = (each for each in results if "suppressions" in each)
    assert waived["suppressions"] == [{"kind": "inSource", "justification": "measured, OPS-4"}]
    assert (waived["ruleId"], waived["level"]) == ("W0402", "note")
    assert waived["message"]["text"].splitlines()[1:] == [
        "waived by `accept smt-vs-latency` until 2027-03-31",
        "2 hosts",
    ]
    assert waived["locations"][0]["physicalLocation"]["region"]["startLine"] == 4


def test_warnings_are_waived_as_well(folder: Path) -> None:
    """Those of all classes that differ only in what is out of scope there are one."""
    front = 'for group front { goal latency; accept omission of firmware because "OPS-5"; }'
    (folder / "site.tune").write_text(
        POLICY.replace("for group front { goal latency; }", front), encoding="utf-8"
    )
    found = json.loads(checked(folder, "--format", "json").out)
    (waived,) = (each for each in found["waived"] if each["code"] == "W0304")
    assert (waived["waiver"], waived["hosts"], waived["until"]) == ("omission of firmware", ["w3"], None)
