"""`compare --inventory`: what two intents give the hosts of an inventory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.command import setpoint

GOLD = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"
HOSTS = f"""host,group,model,processor,sockets,os
n1,compute,PowerEdge R740,{GOLD},2,rhel 9.4
n2,compute,PowerEdge R740,{GOLD},2,debian 12
"""
POLICIES = """
policy fast { goal latency; workload comm-bound; }
policy calm { goal balanced; }
policy also { goal balanced; }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Policies and an inventory."""
    (tmp_path / "site.tune").write_text(POLICIES, encoding="utf-8")
    (tmp_path / "hosts.csv").write_text(HOSTS, encoding="utf-8")
    return tmp_path


def compare(folder: Path, *arguments: str) -> Any:
    """Compare two intents on the hosts."""
    return setpoint("compare", *arguments, "--inventory", "hosts.csv", cwd=folder)


def test_two_policies_of_a_file(folder: Path) -> None:
    """Neither is on the servers, so nothing remains of one."""
    ran = compare(folder, "site.tune", "site.tune", "--policy", "fast", "--with", "calm")
    assert (ran.status, ran.out.partition("\n")[0]) == (3, "2 hosts of 2 change; 2 need a restart")
    assert "turbo" in ran.out
    assert "not undone" not in ran.out
    ran = compare(folder, "site.tune", "site.tune", "--policy", "also", "--with", "calm")
    assert (ran.status, ran.out) == (0, "No change: all 2 hosts have the same plan.\n")


def test_a_text_is_an_intent(folder: Path) -> None:
    ran = compare(folder, "site.tune", "goal latency; workload comm-bound;", "--policy", "fast")
    assert (ran.status, ran.out) == (0, "No change: all 2 hosts have the same plan.\n")


@pytest.mark.parametrize(
    ("arguments", "status", "why"),
    [
        (
            ("site.tune", "goal latency;"),
            2,
            "choose one policy with --policy or --with; it has: also, calm, fast",
        ),
        (("gone.tune", "goal latency;"), 2, "gone.tune"),
        (("goal latncy;", "goal latency;"), 1, "latncy"),
    ],
)
def test_what_is_not_compared(folder: Path, arguments: tuple[str, ...], status: int, why: str) -> None:
    ran = compare(folder, *arguments)
    assert (ran.status, why in ran.err) == (status, True), ran.err
