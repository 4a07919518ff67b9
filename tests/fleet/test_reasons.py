"""Hosts whose blocks say the same, each for a reason of its own, have one plan; each host's reason is shown where
reasons are."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from support.command import setpoint
from support.inventories import beside_hosts

NAMES = [f"h{number}" for number in range(1, 21)]
FIRST = "“OPS-1” (h1), “OPS-10” (h10), “OPS-11” (h11) and 17 more"


def policy(reasons: dict[str, str]) -> str:
    """A policy with a block for each host, which sets the same for these reasons."""
    blocks = (f'for host {host} {{ set turbo off because "{why}"; }}\n' for host, why in reasons.items())
    return "goal performance;\n" + "".join(blocks)


TICKETS = {host: f"OPS-{host[1:]}" for host in NAMES}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A policy with a ticket for each of twenty hosts; half of them have another system."""
    hosts = {host: "racks,rhel 9.4" if number % 2 else "racks,rhel 9.2" for number, host in enumerate(NAMES)}
    return beside_hosts(tmp_path, policy(TICKETS), hosts)


def written(folder: Path, text: str = "", out: str = "out") -> dict[str, str]:
    """The files of a fleet."""
    if text:
        (folder / "site.tune").write_text(text, encoding="utf-8")
    ran = setpoint("fleet", "site.tune", "--inventory", "hosts.csv", "-o", out, cwd=folder)
    assert ran.status == 0, ran.err
    return {
        str(path.relative_to(folder / out)): path.read_text(encoding="utf-8")
        for path in sorted((folder / out).rglob("*"))
        if path.is_file()
    }


def plan_of(files: dict[str, str]) -> Any:
    """The one plan of a fleet."""
    (text,) = (text for path, text in files.items() if path.endswith("/plan.json"))
    return json.loads(text)


def test_one_plan_with_the_reason_of_each_host(folder: Path) -> None:
    """As many files as for one common reason, of the same names."""
    files = written(folder)
    alike = written(folder, policy(dict.fromkeys(NAMES, "OPS-1")), "alike")
    assert files.keys() == alike.keys()
    plan = plan_of(files)
    assert plan["own_reasons"] == {"set turbo off": {"about": "turbo", "hosts": TICKETS}}
    assert plan["settings"]["turbo"]["because"][0]["because"] == "each host's own, see fleet.json"
    (whole,) = json.loads(files["fleet.json"])["plans"].values()
    assert whole["own_reasons"] == {"set turbo off": TICKETS}
    assert (
        f"`set turbo off` (`{plan['policy']}`): 20 hosts, each with its reason: {FIRST}\n"
        in files["summary.md"]
    )
    assert "own_reasons" not in plan_of(alike)


def test_what_servers_read_does_not_depend_on_the_reasons(folder: Path) -> None:
    """So another ticket, or one more host, is no new file for the others."""
    files = written(folder)
    again = written(folder, policy({**TICKETS, "h7": "OPS-99"}), "again")
    assert {path for path in files if files[path] != again[path]} == {
        "fleet.json",
        "manifest.json",
        next(path for path in files if path.endswith("/plan.json")),
    }
    for path, text in files.items():
        if path.startswith(("ansible", "puppet", "host")) or path.endswith(".plan"):
            assert not re.search(r"OPS-\d", text), path


def test_a_reason_is_no_code(folder: Path) -> None:
    hostile = "$(reboot); `id` | </td><script>x</script> {{ x }}"
    files = written(folder, policy({**TICKETS, "h1": hostile}))
    has_it = {path for path, text in files.items() if "reboot)" in text}
    assert has_it == {"fleet.json", "summary.md", next(path for path in files if path.endswith("/plan.json"))}
    assert "<script>" not in files["summary.md"]


def test_people_see_the_first_reasons_and_programs_all(folder: Path) -> None:
    text = setpoint("plan", "site.tune", "--inventory", "hosts.csv", cwd=folder).out
    shown = " ".join(text.split())
    assert "turbo off all hosts set: 20 hosts, each with its reason: “OPS-1” (h1)," in shown
    data = json.loads(
        setpoint("plan", "site.tune", "--inventory", "hosts.csv", "--format", "json", cwd=folder).out
    )
    (turbo,) = (each for each in data["policies"][0]["settings"] if each["setting"] == "turbo")
    assert [reason["own_reasons"] for reason in turbo["values"][0]["reasons"]] == [TICKETS]


def test_explain_has_the_reason_of_a_host(folder: Path) -> None:
    explained = ("explain", "site.tune", "turbo", "--inventory", "hosts.csv")
    assert "set: OPS-17\n" in setpoint(*explained, "--host", "h17", cwd=folder).out
    assert FIRST in " ".join(setpoint(*explained, cwd=folder).out.split())


def test_a_difference_is_told_with_the_reasons(folder: Path) -> None:
    (folder / "before.tune").write_text("goal performance;", encoding="utf-8")
    sides = ("diff", "before.tune", "site.tune", "--inventory", "hosts.csv")
    for form in ("text", "markdown"):
        shown = " ".join(setpoint(*sides, "--format", form, cwd=folder).out.split())
        assert f"set: 20 hosts, each with its reason: {FIRST}" in shown
    (change,) = json.loads(setpoint(*sides, "--format", "json", cwd=folder).out)["changes"]
    assert change["own_reasons"] == {"turbo": TICKETS}
    back = setpoint("diff", "site.tune", "before.tune", "--inventory", "hosts.csv", cwd=folder).out
    assert f"no longer set (“20 hosts, each with its reason: {FIRST}”)" in " ".join(back.split())


def test_another_reason_alone_is_no_change_of_a_value(folder: Path) -> None:
    """As for one policy, which counts it among the changes that no server notices."""
    (folder / "before.tune").write_text(policy({**TICKETS, "h7": "OPS-99"}), encoding="utf-8")
    ran = setpoint("diff", "before.tune", "site.tune", "--inventory", "hosts.csv", cwd=folder)
    assert (ran.status, ran.out) == (0, "No change: all 20 hosts have the same plan.\n")


WAIVED = "goal latency;\n" + "".join(
    f'for host {host} {{ set smt on because "L-1"; accept smt-vs-latency because "{why}"; }}\n'
    for host, why in TICKETS.items()
)


def test_each_waiver_has_its_host_and_its_reason(folder: Path) -> None:
    (folder / "site.tune").write_text(WAIVED, encoding="utf-8")
    ran = setpoint("waivers", "site.tune", "--inventory", "hosts.csv", cwd=folder)
    rows = [line.split() for line in ran.out.splitlines()[:-1]]
    assert rows[1] == ["smt-vs-latency", "open", "1", "host", "host", "h2", "site.tune:3", "OPS-2"]
    assert len(rows) == len(NAMES)
    plan = setpoint("plan", "site.tune", "--inventory", "hosts.csv", cwd=folder)
    assert f"because: 20 hosts, each with its reason: {FIRST}" in " ".join(plan.out.split())


def test_another_reason_of_a_waiver_is_a_change_on_its_host(folder: Path) -> None:
    """A waiver has other terms then, and somebody has to see them."""
    (folder / "site.tune").write_text(WAIVED.replace('"OPS-7"', '"OPS-99"'), encoding="utf-8")
    (folder / "before.tune").write_text(WAIVED, encoding="utf-8")
    ran = setpoint("diff", "before.tune", "site.tune", "--inventory", "hosts.csv", cwd=folder)
    assert ran.status == 3
    assert ran.out.startswith("No value changes; hazards or waivers change on 1 host of 20\n\n1 host: h7\n")
    assert "reason: OPS-99; was: OPS-7\n" in " ".join(ran.out.split()) + "\n"


def test_the_reason_of_a_request_is_part_of_it(folder: Path) -> None:
    """Another reason for a one-time action is another request, so these hosts have plans of their own."""
    once = "".join(
        f'for host {host} {{ set sgx-factory-reset on because "{host}"; }}\n' for host in NAMES[:2]
    )
    beside_hosts(folder, "", dict.fromkeys(NAMES[:3], "racks,rhel 9.4"))
    hosts = (
        (folder / "hosts.csv").read_text(encoding="utf-8").replace("PowerEdge R740", "ThinkSystem SR670 V2")
    )
    (folder / "hosts.csv").write_text(
        hosts.replace("6150 CPU @ 2.70GHz", "6330 CPU @ 2.00GHz"), encoding="utf-8"
    )
    files = written(folder, "goal performance;\n" + once)
    assert len(json.loads(files["fleet.json"])["plans"]) == 3
