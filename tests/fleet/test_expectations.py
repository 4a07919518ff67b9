"""`test --inventory`: for which hosts of an inventory the expectations of a policy hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.command import setpoint
from support.inventories import beside_hosts

HOSTS = {"n1": "compute,rhel 9.4", "n2": "compute,debian 12", "n3": "compute,rhel 9.4", "w1": "web,debian 12"}
POLICY = """
for group compute { goal performance; workload hpc; expect turbo on; expect turbo on under goal any; }
for group web { goal latency; workload interactive; expect turbo off because "A-1"; }
for host n3 { set turbo off because "hot, HW-1"; }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A policy and an inventory."""
    return beside_hosts(tmp_path, POLICY, HOSTS)


def compared(folder: Path, *arguments: str) -> Any:
    """Compare the hosts with what the policy expects."""
    return setpoint("test", "site.tune", *arguments, "--inventory", "hosts.csv", cwd=folder)


def test_each_expectation_has_the_hosts_for_which_it_holds(folder: Path) -> None:
    """Other facts (`under`) are not those of the hosts."""
    ran = compared(folder)
    assert ran.status == 1
    assert [line.split() for line in ran.out.splitlines()] == [
        ["site.tune"],
        ["does", "not", "hold", "turbo", "on", "site.tune:2", "1", "host:", "n3"],
        ["holds", "turbo", "on", "site.tune:2", "2", "hosts:", "n1,", "n2"],
        ["holds", "turbo", "off", "site.tune:3", "1", "host:", "w1"],
        ["4", "hosts:", "4", "expectations", "of", "4", "plans:", "1", "does", "not", "hold"],
    ]
    assert "error[E0801]: expected `turbo on`, but `turbo` is `off`\n" in ran.err
    assert "   = 1 host: n3\n" in ran.err


def test_programs_get_all_hosts(folder: Path) -> None:
    found = json.loads(compared(folder, "--format", "json").out)["expectations"]
    assert sorted((*each["hosts"], each["holds"]) for each in found) == [
        ("n1", True),
        ("n2", True),
        ("n3", False),
        ("w1", True),
    ]
    (folder / "site.tune").write_text(POLICY.replace('set turbo off because "hot, HW-1";', ""), "utf-8")
    ran = compared(folder)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith("expectations of 3 plans: all hold\n")
