"""`compare --inventory`: what two intents give the hosts of an inventory."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from support.command import setpoint
from support.inventories import beside_hosts

HOSTS = {"n1": "compute,rhel 9.4", "n2": "compute,debian 12"}
POLICIES = """
policy fast { goal latency; workload comm-bound; }
policy calm { goal balanced; }
policy also { goal balanced; }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Policies and an inventory."""
    return beside_hosts(tmp_path, POLICIES, HOSTS)


def compare(folder: Path, *arguments: str) -> Any:
    """Compare two intents on the hosts."""
    return setpoint("compare", *arguments, "--inventory", "hosts.csv", cwd=folder)


def test_two_policies_of_a_file(folder: Path) -> None:
    """Neither is on the servers, so nothing remains of one."""
    ran = compare(folder, "site.tune", "site.tune", "--policy", "fast", "--with", "calm")
    assert (ran.status, ran.out.partition("\n")[0]) == (3, "2 hosts of 2 differ")
    assert re.search(
        r"\n    turbo +\S+ \| ", ran.out
    )  # one beside the other: neither is a change of the other
    assert "restart" not in ran.out
    assert "not undone" not in ran.out
    ran = compare(folder, "site.tune", "site.tune", "--policy", "also", "--with", "calm")
    assert (ran.status, ran.out) == (0, "No difference: all 2 hosts have the same plan.\n")


def test_a_hazard_is_said_of_the_intent_that_has_it(folder: Path) -> None:
    risky = 'goal latency; workload comm-bound; set smt on because "licences";'
    for first, second, says in (
        (risky, "goal latency;", "occurs with A only"),
        ("goal latency;", risky, "occurs with B only"),
    ):
        ran = compare(folder, first, second, "--format", "markdown")
        assert f"`smt-vs-latency` {says}. It means: " in ran.out
        assert "\n| Setting | A | B | Why |\n" in ran.out


def test_a_text_is_an_intent(folder: Path) -> None:
    ran = compare(folder, "site.tune", "goal latency; workload comm-bound;", "--policy", "fast")
    assert (ran.status, ran.out) == (0, "No difference: all 2 hosts have the same plan.\n")


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
