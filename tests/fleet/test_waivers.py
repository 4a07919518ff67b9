"""`waivers --inventory`: the hosts on which a waiver has an effect, and those with a hazard that is not waived."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.command import setpoint

GOLD = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"
HOSTS = f"""host,group,model,processor,sockets,os
w1,web,PowerEdge R740,{GOLD},2,debian 12
w2,web,PowerEdge R740,{GOLD},2,debian 12
w3,front,PowerEdge R740,{GOLD},2,debian 12
w4,calm,PowerEdge R740,{GOLD},2,debian 12
"""
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
    (tmp_path / "site.tune").write_text(POLICY, encoding="utf-8")
    (tmp_path / "hosts.csv").write_text(HOSTS, encoding="utf-8")
    return tmp_path


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
