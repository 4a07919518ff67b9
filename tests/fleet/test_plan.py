"""`plan --inventory`: what all hosts of an inventory get, and why."""

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
f1,front,PowerEdge R740,{GOLD},2,debian 12
x1,front,NorthEdge R9999,,2,debian 12
"""
POLICY = """
workload interactive;
accept smt-vs-latency because "measured, OPS-4" until 2027-03-31;
for group web   { goal latency; set smt on because "licences, OPS-3"; }
for group front { goal latency; }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A policy and an inventory."""
    (tmp_path / "site.tune").write_text(POLICY, encoding="utf-8")
    (tmp_path / "hosts.csv").write_text(HOSTS, encoding="utf-8")
    return tmp_path


def planned(folder: Path, *arguments: str) -> Any:
    """What the hosts get, on a day of the waiver unless another is given."""
    words = ("site.tune", "--inventory", "hosts.csv", "--today", "2026-11-20", *arguments)
    return setpoint("plan", *words, cwd=folder)


def rows(text: str, setting: str) -> list[str]:
    """The lines of a setting, each without the spaces between its columns."""
    lines = text.splitlines()
    (first,) = (number for number, line in enumerate(lines) if line.startswith(f"  {setting} "))
    found = [" ".join(lines[first].split())]
    for line in lines[first + 1 :]:
        if not line.startswith("   "):
            break
        found.append(" ".join(line.split()))
    return found


def test_each_value_with_its_reason_and_the_number_of_hosts(folder: Path) -> None:
    ran = planned(folder)
    assert ran.status == 5, ran.err  # x1 has no plan
    assert ran.out.startswith(
        "Policy site on 3 hosts in 2 classes, with 2 plans\n\nFirmware (takes effect after"
    )
    smt = rows(ran.out, "smt")
    assert smt[0].startswith("smt on 2 hosts set: “licences, OPS-3”; overrides off")
    assert smt[-1] == "off 1 host cisco-bios-templates (out of scope)"
    assert rows(ran.out, "swappiness") == ["swappiness 10 all hosts tuned-profiles (vendor)"]
    assert "\n  psi " not in ran.out  # nothing is written of it
    assert "= 1 host: x1\n" in ran.err


def test_what_is_waived_and_what_to_mind(folder: Path) -> None:
    ran = planned(folder)
    assert (
        "\nhazard smt-vs-latency is waived until 2027-03-31: 2 hosts: w1, w2\n  because: measured, OPS-4\n"
        in ran.out
    )
    assert "\nRestart: 3 hosts need one. Nothing here restarts by itself.\n1 host without a plan: " in ran.out
    over = planned(folder, "--today", "2027-04-01").out
    assert "\nhazard smt-vs-latency warns, waived until 2027-03-31, which is over: 2 hosts: w1, w2\n" in over
    assert "is waived until" not in over


def test_all_lists_settings_of_which_nothing_is_written(folder: Path) -> None:
    text = planned(folder, "--all").out
    assert "\n  numa-nodes-per-socket " in text or " (vendor default) " in text
    assert rows(text, "swappiness")[0].startswith(
        "swappiness 10 all hosts tuned-profiles, latency-performance,"
    )


def test_for_programs(folder: Path) -> None:
    found = json.loads(planned(folder, "--format", "json").out)
    (policy,) = found["policies"]
    assert (found["schema"], policy["policy"]) == ("setpoint.fleet-plan/1", "site")
    assert policy["hosts"] == {"planned": 3, "restart": 3, "without_plan": 1}
    hosts = {name: its["hosts"] for name, its in policy["classes"].items()}
    assert sorted(hosts.values()) == [["f1"], ["w1", "w2"]]
    (smt,) = (each for each in policy["settings"] if each["setting"] == "smt")
    on, off = smt["values"]
    assert (on["value"], on["written"], off["value"]) == ("on", True, "off")
    (reason,) = on["reasons"]
    assert (reason["hosts"], [hosts[name] for name in reason["classes"]]) == (2, [["w1", "w2"]])
    assert reason["because"].startswith("set: “licences, OPS-3”")
    (waiver,) = policy["waivers"]
    assert (waiver["hazard"], waiver["until"], waiver["hosts"]) == (
        "smt-vs-latency",
        "2027-03-31",
        ["w1", "w2"],
    )
    assert policy["hazards"] == []


def test_each_policy_of_a_folder_on_its_hosts(folder: Path) -> None:
    """Hosts that a policy is not for have their plan from another one: they are not without a plan."""
    (folder / "hosts.csv").write_text(
        HOSTS.replace("x1,front,NorthEdge R9999,,2,debian 12\n", ""), encoding="utf-8"
    )
    (folder / "other.tune").write_text("for group front { goal efficiency; }\n", encoding="utf-8")
    (folder / "site.tune").write_text(
        POLICY.replace("for group front { goal latency; }", ""), encoding="utf-8"
    )
    words = (".", "--inventory", "hosts.csv", "--today", "2026-11-20", "--format", "json")
    found = json.loads(setpoint("plan", *words, cwd=folder).out)
    assert {each["policy"]: each["hosts"] for each in found["policies"]} == {
        "other": {"planned": 1, "restart": 1, "without_plan": 0},
        "site": {"planned": 2, "restart": 2, "without_plan": 0},
    }
    ran = planned(folder, "--policy", "nowhere")
    assert (ran.status, "E0206" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--group", "web"), "--group or --current"),
        (("--format", "html"), "that of one host, named by --host"),
        (("--host", "w1", "--group", "web"), "the inventory has the group of the host"),
    ],
)
def test_what_is_refused(folder: Path, arguments: tuple[str, ...], says: str) -> None:
    ran = planned(folder, *arguments)
    assert (ran.status, says in ran.err) == (2, True)


def test_no_host_has_a_plan(folder: Path) -> None:
    (folder / "hosts.csv").write_text(
        "\n".join([HOSTS.partition("\n")[0], "x1,front,NorthEdge R9999,,2,debian 12\n"])
    )
    ran = planned(folder)
    assert (ran.status, "No host has a plan." in ran.out) == (1, True)


def test_a_narrow_terminal_has_the_values_below_their_setting(folder: Path) -> None:
    """A column of long values would leave the reasons none of the page."""
    hosts = HOSTS + "d1,front,ProLiant DL380 Gen11,Intel(R) Xeon(R) Platinum 8480+,2,rhel 9.4\n"
    (folder / "hosts.csv").write_text(hosts, encoding="utf-8")
    narrow = setpoint(
        "plan", "site.tune", "--inventory", "hosts.csv", "--all", "--today", "2026-11-20",
        cwd=folder, env={"COLUMNS": "80"},
    )  # fmt: skip
    assert [line for line in narrow.out.splitlines() if len(line) > 80] == []
    assert "\n  turbo\n    " in narrow.out
