"""`fleet --since` and `diff --inventory --since`: what an earlier fleet wrote to a host, and this one leaves at its
default, is set back."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from setpoint.compiler.comparison.earlier import not_set_back
from setpoint.compiler.pipeline import Selection
from support.command import setpoint
from support.plans import plan_of_text

GOLD = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"
HOSTS = f"""host,group,model,processor,sockets,os
n1,compute,PowerEdge R740,{GOLD},2,rhel 9.4
n2,compute,PowerEdge R740,{GOLD},2,rhel 9.4
n3,compute,PowerEdge R740,{GOLD},2,rhel 9.4
"""
LATENCY = 'for group compute { goal latency; workload comm-bound; } for host n3 { set smt on because "X-1"; }'
BALANCED = "for group compute { goal balanced; }"
STAYS = (
    "`swappiness` stays as the earlier bundle has set it: the plan writes nothing to the running system that would replace the earlier"
    " profile"
)
SET_BACK = {"correctable-ecc-smi", "dcu-ip-prefetcher", "dcu-streamer-prefetcher"}
"""Of the firmware, what the first policy writes on all hosts, and the second leaves at its default."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two versions of a policy, the fleet of the first, and those of the second without and with what it sets back."""
    folder = tmp_path_factory.mktemp("fleets")
    (folder / "hosts.csv").write_text(HOSTS, encoding="utf-8")
    (folder / "site.tune").write_text(LATENCY, encoding="utf-8")
    fleet(folder, "old")
    (folder / "site.tune").write_text(BALANCED, encoding="utf-8")
    (folder / "old.tune").write_text(LATENCY, encoding="utf-8")
    fleet(folder, "plain")
    fleet(folder, "since", "--since", "old")
    return folder


def fleet(folder: Path, out: str, *more: str) -> str:
    """Plan the fleet into a folder; what is said about it."""
    ran = setpoint("fleet", "site.tune", "--inventory", "hosts.csv", "-o", out, *more, cwd=folder)
    assert ran.status == 0, ran.err
    return ran.err


def firmware(folder: Path, host: str) -> dict[str, str]:
    """What a fleet writes to the firmware of a host."""
    data = json.loads((folder / "fleet.json").read_text(encoding="utf-8"))
    (its,) = (each for each in data["classes"].values() if host in each["hosts"])
    found: dict[str, str] = data["plans"][its["plan"]]["settings"]["firmware"]
    return found


def plans(folder: Path) -> dict[str, str]:
    """The plan of each host."""
    with (folder / "hosts.csv").open(encoding="utf-8", newline="") as file:
        return {row["host"]: row["plan"] for row in csv.DictReader(file)}


def diff(folder: Path, *arguments: str) -> Any:
    """Compare two sides."""
    return setpoint("diff", *arguments, cwd=folder)


def test_a_host_gets_back_what_it_had_been_given(made: Path) -> None:
    """Also what its class as a whole had not: the exception had another value, so there is nothing to set back."""
    plain, since = firmware(made / "plain", "n1"), firmware(made / "since", "n1")
    assert since.keys() - plain.keys() == {*SET_BACK, "smt"}
    assert plain.items() <= since.items()
    assert (since["smt"], since["correctable-ecc-smi"]) == ("on", "on")


def test_a_class_is_divided_by_what_its_hosts_had(made: Path) -> None:
    """And one that has nothing to set back has the name that it has without the option."""
    plain, since = plans(made / "plain"), plans(made / "since")
    assert len(set(plain.values())) == 1
    assert since["n1"] == since["n2"] != plain["n1"]
    (made / "hosts.csv").write_text(
        HOSTS + HOSTS.splitlines()[1].replace("n1", "n9") + "\n", encoding="utf-8"
    )
    fleet(made, "more", "--since", "old")
    assert plans(made / "more") == {**since, "n9": plain["n1"]}
    (made / "hosts.csv").write_text(HOSTS, encoding="utf-8")


def test_the_earlier_side_can_be_the_policy_of_then(made: Path) -> None:
    fleet(made, "policy", "--since", "old.tune")
    assert plans(made / "policy") == plans(made / "since")
    assert (made / "policy/fleet.json").read_bytes() == (made / "since/fleet.json").read_bytes()


def test_a_comparison_shows_what_is_set_back(made: Path) -> None:
    arguments = ("old", "site.tune", "--inventory", "hosts.csv", "--format", "json")
    plain, since = (json.loads(diff(made, *arguments, *more).out) for more in ((), ("--since", "old")))
    one, other = (found["changes"][0]["settings"]["correctable-ecc-smi"] for found in (plain, since))
    assert (one["old"], one["new"], other["old"], other["new"]) == ("off", None, "off", "on")
    assert [each for change in plain["changes"] for each in change["not_undone"] if "ecc" in each]
    assert [each for change in since["changes"] for each in change["not_undone"]] == []
    assert diff(made, "old", "site.tune", "--inventory", "hosts.csv", "--since", "old").out == (
        diff(made, "old", "since").out
    )


def test_what_cannot_be_set_back_is_counted(made: Path) -> None:
    """The default of a setting that no source states (W0502)."""
    rows = "".join(f"o{n},old,PowerEdge R610,Intel(R) Xeon(R) CPU X5670 @ 2.93GHz,2,\n" for n in range(2))
    (made / "old.csv").write_text(HOSTS.splitlines()[0] + "\n" + rows, encoding="utf-8")
    policy = 'for group old { goal balanced; workload interactive; set hardware-prefetcher off because "X"; }'
    (made / "a.tune").write_text(policy, encoding="utf-8")
    (made / "b.tune").write_text("for group old { goal balanced; workload interactive; }", encoding="utf-8")
    ran = setpoint("fleet", "b.tune", "--inventory", "old.csv", "-o", "b", "--since", "a.tune", cwd=made)
    assert ran.status == 0, ran.err
    assert "1 W0502" in ran.err
    text = (made / "b/summary.md").read_text(encoding="utf-8")
    assert "`hardware-prefetcher` stays as the earlier bundle has set it" in text.replace("\\", "")
    assert "states its default here: 2 hosts\n" in text


def test_the_running_system_keeps_its_profile_if_nothing_replaces_it() -> None:
    """A plan without any value of the running system has no profile of its own."""
    plan = plan_of_text("goal balanced; cpu skylake; platform r740; os rhel 9;", Selection())
    without = plan._replace(settings=tuple(d for d in plan.settings if d.layer != "os"))
    (found,) = not_set_back(without, {"swappiness": "os", "skew-tick": "boot"})
    assert found.message == STAYS
    assert not_set_back(plan, {"swappiness": "os", "skew-tick": "boot"}) == ()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("diff", "old", "site.tune", "--since", "old.tune"), "no fleet's folder: name its hosts"),
        (("diff", "old.tune", "site.tune", "--since", "old"), "--since needs --inventory"),
        (("diff", "old", "since", "--since", "old"), "the new side has its plans already"),
        (
            ("fleet", "site.tune", "--inventory", "hosts.csv", "-o", "x", "--since", "gone"),
            "gone",
        ),
    ],
)
def test_what_the_option_does_not_take(made: Path, arguments: tuple[str, ...], why: str) -> None:
    ran = setpoint(*arguments, cwd=made)
    assert (ran.status, why in ran.err) == (2, True), ran.err
