"""`setpoint fleet`: each host of an inventory gets the plan that it would get by itself, and whoever cannot be planned
is named."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from setpoint.compiler.pipeline import Selection
from setpoint.targets._client.plan_files import DOCUMENTS
from support.command import ROOT, setpoint
from support.plans import plan_of_text

POLICY = """
policy site {
    workload hpc;
    for group compute { goal performance; interconnect infiniband; }
    for group login { goal balanced; workload interactive; }
    for host c042 { set turbo off because "runs hot, HW-881"; }
    for host c043 in login { platform r720; }
    for host gone { set turbo off because "sold"; }
}
"""
GOLD = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"
SILVER = "Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz"
HOSTS = f"""host,group,model,processor,sockets,os
c001.example.org,compute,PowerEdge R740,{GOLD},2,rhel 9.4
c002,compute,PowerEdge R740,{SILVER},2,rhel 9.2
c042.example.org,compute,PowerEdge R740,{GOLD},2,rhel 9.4
c043,,PowerEdge R740,,2,rhel 9.4
login1,"login, racks",PowerEdge R740,{GOLD},2,rhel 9.4
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A policy and an inventory."""
    (tmp_path / "site.tune").write_text(POLICY, encoding="utf-8")
    (tmp_path / "hosts.csv").write_text(HOSTS, encoding="utf-8")
    return tmp_path


def run(folder: Path, *more: str, inventory: str = "hosts.csv") -> Any:
    """Run the command on the policy."""
    return setpoint("fleet", "site.tune", "--inventory", inventory, "-o", "out", *more, cwd=folder)


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    """The rows of a table that was written."""
    with (folder / "out" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def summed_up(folder: Path) -> dict[str, Any]:
    """What was written for programs."""
    found: dict[str, Any] = json.loads((folder / "out/fleet.json").read_text(encoding="utf-8"))
    return found


def settings_of(fleet: dict[str, Any], host: str) -> dict[str, str]:
    """The settings that are written to a host."""
    (its,) = (each for each in fleet["classes"].values() if host in each["hosts"])
    return {
        name: value
        for layer in fleet["plans"][its["plan"]]["settings"].values()
        for name, value in layer.items()
    }


# ----------------------------------------------------------------------------- classes and plans


def test_each_host_has_a_class_and_a_plan(folder: Path) -> None:
    ran = run(folder)
    assert (ran.status, ran.out.splitlines()) == (
        0,
        [
            "site: 5 hosts in 5 classes, with 4 plans",
            "site: 5 hosts need a restart, 0 none",
            *ran.out.splitlines()[2:],
        ],
    )
    assert {row["host"]: row["group"] for row in rows(folder, "hosts.csv")} == {
        "c001.example.org": "compute",
        "c002": "compute",
        "c042.example.org": "compute",
        "c043": "login",
        "login1": "login",
    }
    assert "`for host gone` applies to no host of the inventory" in ran.err


def test_hosts_that_differ_in_nothing_that_counts_share_a_plan(folder: Path) -> None:
    """Two models of a processor are two classes with one plan, which states neither of them."""
    run(folder)
    plans = {row["host"]: row["plan"] for row in rows(folder, "hosts.csv")}
    assert plans["c001.example.org"] == plans["c002"]
    assert plans["c042.example.org"] != plans["c001.example.org"]
    facts = summed_up(folder)["plans"][plans["c002"]]["facts"]
    assert facts["platform"] == "r740"
    assert "cpu" not in facts


def test_a_block_for_a_host_corrects_the_inventory(folder: Path) -> None:
    run(folder)
    (row,) = (row for row in rows(folder, "hosts.csv") if row["host"] == "c043")
    assert summed_up(folder)["plans"][row["plan"]]["facts"]["platform"] == "r720"


def test_a_class_keeps_its_name(folder: Path) -> None:
    """Neither other hosts nor their order change it."""
    run(folder)
    before = {row["host"]: row["class"] for row in rows(folder, "hosts.csv")}
    head, *lines = HOSTS.splitlines()
    more = f"c000,compute,PowerEdge R640,{GOLD},1,debian 12"
    (folder / "hosts.csv").write_text("\n".join([head, more, *reversed(lines)]) + "\n", encoding="utf-8")
    run(folder)
    after = {row["host"]: row["class"] for row in rows(folder, "hosts.csv")}
    assert {host: after[host] for host in before} == before


PLATFORMS = [
    ("PowerEdge R740", ("xeon-gold-6150", "xeon-gold-6130", "")),
    ("PowerEdge R720", ("e5-2630", "")),
    ("PowerEdge R630", ("e5-2680-v3",)),
    ("PowerEdge R750", ("xeon-gold-6354",)),
]
GROUPS = {
    "": "goal throughput;",
    "compute": "goal performance; workload cpu-bound;",
    "db": 'goal latency; workload io-bound; set turbo off because "noise";',
}


def test_each_host_gets_what_it_would_get_alone(tmp_path: Path) -> None:
    """A sample of random hosts: the settings of the fleet are those of a policy that states the facts of one host."""
    chance = random.Random(7)
    blocks = "".join(f"for group {name} {{ {text} }}\n" for name, text in GROUPS.items() if name)
    (tmp_path / "site.tune").write_text(GROUPS[""] + blocks, encoding="utf-8")
    lines, alone = ["host,group,model,cpu,sockets,os,interconnect"], {}
    for number in range(40):
        model, cpus = chance.choice(PLATFORMS)
        cpu, group = chance.choice(cpus), chance.choice([*GROUPS])
        sockets, os_, net = (
            chance.choice("12"),
            chance.choice(["rhel-9", "debian-12", "rhel-8"]),
            chance.choice(["infiniband", ""]),
        )
        lines.append(f"h{number},{group},{model},{cpu},{sockets},{os_},{net}")
        facts = {"cpu": cpu, "sockets": sockets, "os": os_, "interconnect": net}
        stated = "".join(f"{name} {value}; " for name, value in facts.items() if value)
        intent = GROUPS[group] if "workload" in GROUPS[group] else GROUPS[""]
        alone[f"h{number}"] = f'{intent} platform "{model}"; {stated}'
    (tmp_path / "hosts.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    ran = run(tmp_path)
    assert ran.status == 0, ran.err
    fleet = summed_up(tmp_path)
    assert len(fleet["plans"]) < len(fleet["classes"]) <= 40
    for host, text in alone.items():
        plan = plan_of_text(text, Selection(today="2026-11-20"))
        assert settings_of(fleet, host) == {d.setting: d.value for d in plan.written}, text


@pytest.mark.parametrize("host", ["c002", "c042.example.org"])
def test_the_artifacts_of_a_host_are_those_of_a_fleet_of_it_alone(folder: Path, host: str) -> None:
    """Plans are called as the first of their classes, and name the generation of a processor where classes have several
    models of it. So other hosts may change these names, and nothing else that a server gets."""
    run(folder, "--target", "ansible")
    whole = artifacts(folder, host)
    lines = HOSTS.splitlines()
    alone = [lines[0], *(line for line in lines[1:] if line.startswith(f"{host},"))]
    (folder / "hosts.csv").write_text("\n".join(alone) + "\n", encoding="utf-8")
    run(folder, "--target", "ansible")
    assert artifacts(folder, host) == whole
    assert len(whole) >= 3


def artifacts(folder: Path, host: str) -> dict[str, list[str]]:
    """The files that a host gets, without comments, with PLAN in place of the plan's name, and the generation of its
    processor in place of the model."""
    (plan,) = (row["plan"] for row in rows(folder, "hosts.csv") if row["host"] == host)
    out = folder / "out"
    of_role = out / "ansible/roles/setpoint_site/vars/plans" / f"{plan}.yml"
    files = [of_role, *(out / "plans" / plan / name for name in DOCUMENTS)]
    files += sorted((out / "plans" / plan).glob("*.plan"))
    return {
        str(path.relative_to(out)).replace(plan, "PLAN"): [
            line.replace(plan, "PLAN")
            .replace(plan.replace("-", "_"), "PLAN")
            .replace("xeon-gold-6130", "skylake")
            for line in path.read_text(encoding="utf-8").splitlines()
            if not line.lstrip().startswith("#")
        ]
        for path in files
    }


# ------------------------------------------------------------------------------ what is left out

BROKEN = f"""{HOSTS.rstrip()}
odd,compute,NorthEdge R9999,,2,rhel 9.4
wrong,compute,PowerEdge R720,{GOLD},2,rhel 9.4
both,compute login,PowerEdge R740,,2,rhel 9.4
none,racks,PowerEdge R740,,2,rhel 9.4
c043.example.org,compute,PowerEdge R740,,2,rhel 9.4
short,compute
"""


def test_hosts_that_cannot_be_planned_are_left_out_and_named(folder: Path) -> None:
    (folder / "hosts.csv").write_text(BROKEN, encoding="utf-8")
    ran = run(folder)
    assert ran.status == 5
    assert "site: 6 hosts left out, since no plan could be made: left-out.csv" in ran.out
    assert {(row["host"], row["line"], row["code"]) for row in rows(folder, "left-out.csv")} == {
        ("odd", "", "E0701"),
        ("wrong", "", "E0204"),
        ("both", "", "E0703"),
        ("none", "", "E0703"),
        ("c043.example.org", "", "E0703"),
        ("", "12", "E0704"),
    }
    assert len(rows(folder, "hosts.csv")) == 5
    for said in (
        "unknown platform `NorthEdge R9999`",
        "= 1 host: odd",
        "[values.platform]",
        "put each host into one",
    ):
        assert said in ran.err


def test_a_name_that_the_site_explains_is_one_that_its_servers_report(folder: Path) -> None:
    """As E0701 advises. A role that refused just this server would be of no use to it."""
    (folder / "hosts.csv").write_text(BROKEN, encoding="utf-8")
    (folder / "own.toml").write_text('[values.platform]\n"NorthEdge R9999" = "r740"\n', encoding="utf-8")
    ran = run(folder, "--facts", "own.toml")
    assert "NorthEdge" not in ran.err
    plan = next(row["plan"] for row in rows(folder, "hosts.csv") if row["host"] == "odd")
    plans = [*(folder / "out").glob(f"plans/{plan}/*.plan")]
    assert plans
    for each in plans:
        assert "server product platform r740 states | PowerEdge R740 | NorthEdge R9999\n" in each.read_text()


def test_hosts_with_one_problem_are_reported_together(folder: Path) -> None:
    lines = "".join(f"x{number:04},compute,NorthEdge 1,,2,rhel 9.4\n" for number in range(1200))
    (folder / "hosts.csv").write_text(HOSTS + lines, encoding="utf-8")
    ran = run(folder)
    assert ran.status == 5
    assert ran.err.count("error[") == 1
    assert "= 1,200 hosts: x0000, x0001, x0002, x0003, x0004 and 1,195 more" in ran.err


def test_a_fleet_without_a_plan_writes_nothing(folder: Path) -> None:
    (folder / "hosts.csv").write_text("host,group,model\nc1,compute,NorthEdge 1\n", encoding="utf-8")
    ran = run(folder)
    assert ran.status == 1
    assert not (folder / "out").exists()


def test_a_policy_that_contradicts_the_inventory(folder: Path) -> None:
    (folder / "site.tune").write_text("goal latency; platform r640;", encoding="utf-8")
    ran = run(folder)
    assert ran.status == 1
    assert "`platform r640` contradicts the inventory, which has `platform r740`" in ran.err


# ----------------------------------------------------------------------------------- the folder


def tree(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Each file: its inode, its time, and its text."""
    return {
        str(path.relative_to(folder)): (
            path.stat().st_ino,
            path.stat().st_mtime_ns,
            path.read_text(encoding="utf-8"),
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_files_that_stay_the_same_are_not_rewritten(folder: Path) -> None:
    """A host moves from one class to another: the files of its classes and the tables change, and nothing else."""
    run(folder)
    first = tree(folder / "out")
    assert "0 of them new or changed" in run(folder).out
    assert tree(folder / "out") == first
    (folder / "hosts.csv").write_text(
        HOSTS.replace('login1,"login, racks"', "login1,compute"), encoding="utf-8"
    )
    run(folder)
    last = tree(folder / "out")
    kept = {path for path, found in last.items() if first.get(path) == found}
    assert any(path.startswith("ansible/roles") for path in kept)
    changed = {path for path in last.keys() - kept if path.endswith("csv")}
    assert changed == {"hosts.csv", "classes.csv"}
    for path in last.keys() - kept:
        assert first.get(path, (0, 0, ""))[2] != last[path][2], f"{path} was rewritten without a change"


def test_what_somebody_else_has_put_there_is_left_alone(folder: Path) -> None:
    run(folder)
    (folder / "out/mine.txt").write_text("mine", encoding="utf-8")
    ran = run(folder)
    assert ran.status == 4
    assert "E0605" in ran.err
    assert (folder / "out/mine.txt").read_text(encoding="utf-8") == "mine"


DIES = """
import os
from setpoint.compiler.cli import main
from setpoint.compiler.fleet import write

put, written = write._put, []

def dies(*given):
    written.append(given)
    if len(written) == 10:
        os._exit(9)
    return put(*given)

write._put = dies
main(["fleet", "site.tune", "--inventory", "hosts.csv", "-o", "out"])
"""
"""A run that is killed when it has written some files."""


def test_an_interrupted_run_leaves_the_earlier_folder(folder: Path) -> None:
    """A run that dies while it writes changes nothing, and the next one clears what it left."""
    run(folder)
    first = tree(folder / "out")
    (folder / "site.tune").write_text(POLICY.replace("goal balanced", "goal latency"), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / ".dev")}
    killed = subprocess.run(
        [sys.executable, "-c", DIES], cwd=folder, env=environment, capture_output=True, check=False
    )
    assert killed.returncode == 9, killed.stderr
    assert tree(folder / "out") == first
    assert len(list(folder.glob(".setpoint-*"))) == 1
    assert run(folder).status == 0
    assert list(folder.glob(".setpoint-*")) == []
    assert tree(folder / "out") != first


def test_one_target_and_one_policy_are_chosen_by_name(folder: Path) -> None:
    assert run(folder, "--target", "puppet").status == 0
    assert not (folder / "out/ansible").exists()
    ran = run(folder, "--target", "redfish")
    assert (ran.status, "no target `redfish` serves a fleet" in ran.err) == (2, True)
    (folder / "site.tune").write_text(
        "cpu skylake; policy a { goal latency; } policy b { goal balanced; }", encoding="utf-8"
    )
    ran = run(folder)
    assert (ran.status, "choose a policy by --policy: a, b" in ran.err) == (2, True)
    assert "b: 5 hosts" in run(folder, "--policy", "b").out


# ------------------------------------------------------------------------------- spreadsheets


def test_no_cell_is_a_formula(folder: Path) -> None:
    """Whatever rows of an inventory call themselves, in spreadsheets that divide at commas, semicolons or tabs."""
    names = [
        "=cmd|'/C calc'!A0",
        "+1+1",
        "-2+3",
        "@SUM(1)",
        "\t=1",
        "\uff1d1",
        "a;=1",
        "a\t=1",
        'a"";=1',
        "a,=1",
    ]
    rows = "".join(f'"{name}",web,PowerEdge R740\n' for name in names)
    (folder / "rows.csv").write_text(f"host,group,model\nc1,compute,PowerEdge R740\n{rows}", encoding="utf-8")
    run(folder, inventory="rows.csv")
    text = (folder / "out/left-out.csv").read_text(encoding="utf-8")
    assert text.count("its name is not that of a host") == len(names)
    for delimiter in ",;\t":
        cells = [cell for row in csv.reader(text.splitlines(), delimiter=delimiter) for cell in row]
        assert not [cell for cell in cells if cell.strip()[:1] in {*"=+-@\t\r\uff1d"} - {""}]
    assert "'=cmd|'/C calc'!A0," in text


# ------------------------------------------------------------------------ the inventory of other verbs


@pytest.mark.parametrize("name", ["c042.example.org", "c042", "C042"])
def test_plan_shows_the_plan_of_a_host(folder: Path, name: str) -> None:
    ran = setpoint(
        "plan", "site.tune", "--inventory", "hosts.csv", "--host", name, "--format", "json", cwd=folder
    )
    assert ran.status == 0, ran.err
    plan = json.loads(ran.out)
    assert plan["settings"]["turbo"]["value"] == "off"
    assert plan["facts"]["platform"] == {
        **plan["facts"]["platform"],
        "value": "r740",
        "from": "stated",
        "because": "the inventory",
    }
    run(folder)
    assert plan["policy"] in {row["class"] for row in rows(folder, "classes.csv")}


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (("--host", "c999"), 2, "error[E0206]: the inventory has no host `c999`"),
        ((), 5, "error[E0703]: no plan is for these hosts"),
        (("--host", "none"), 1, "error[E0703]: no plan is for these hosts"),
        (("--host", "odd"), 1, "error[E0701]: unknown platform `NorthEdge R9999`"),
    ],
)
def test_a_host_without_a_plan(folder: Path, options: tuple[str, ...], status: int, message: str) -> None:
    (folder / "hosts.csv").write_text(BROKEN, encoding="utf-8")
    ran = setpoint("plan", "site.tune", "--inventory", "hosts.csv", *options, cwd=folder)
    assert (ran.status, message in ran.err) == (status, True), ran.err


def test_check_reports_what_a_policy_does_on_the_inventory(folder: Path) -> None:
    """The findings are those of the hosts that there are, each with their number."""
    ran = setpoint("check", "site.tune", "--inventory", "hosts.csv", "--format", "json", cwd=folder)
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)["diagnostics"]
    assert {each["code"] for each in found} >= {"W0302", "W0303", "W0701"}
    (override,) = (each for each in found if each["code"] == "W0302")
    assert "1 host" in override["notes"]
    (folder / "hosts.csv").write_text(BROKEN, encoding="utf-8")
    ran = setpoint("check", "site.tune", "--inventory", "hosts.csv", cwd=folder)
    assert ran.status == 1
    assert "error[E0701]: unknown platform `NorthEdge R9999`" in ran.out
    ran = setpoint("check", "site.tune", "--inventory", "hosts.csv", "--fix", cwd=folder)
    assert ran.status == 2


# -------------------------------------------------------------------------------------- a change


def changed(folder: Path, *arguments: str) -> Any:
    """Run `setpoint diff` on the inventory."""
    return setpoint("diff", *arguments, "--inventory", "hosts.csv", cwd=folder)


def test_a_change_is_reported_by_hosts(folder: Path) -> None:
    """Hosts that change alike are one entry; the others are only counted."""
    text = POLICY.replace(
        "interconnect infiniband;", 'interconnect infiniband; set swappiness 1 because "PERF-9";'
    )
    (folder / "new.tune").write_text(text, encoding="utf-8")
    ran = changed(folder, "site.tune", "new.tune", "--format", "json")
    assert ran.status == 3, ran.err
    found = json.loads(ran.out)
    assert found["hosts"] == {
        "changed": 3,
        "same": 2,
        "restart": 0,
        "hazards_or_waivers": 0,
        "without_plan": 0,
    }
    (change,) = found["changes"]
    assert change["hosts"] == ["c001.example.org", "c002", "c042.example.org"]
    assert {name: each["new"] for name, each in change["settings"].items()} == {"swappiness": "1"}
    ran = changed(folder, "site.tune", "new.tune")
    assert ran.out.startswith(
        "3 hosts of 5 change; none needs a restart\n\n3 hosts: c001.example.org, c002, c042.example.org\n"
    )
    assert "; takes effect immediately" in " ".join(ran.out.split("group compute; ", 1)[1].split())


def test_a_change_of_firmware_needs_a_restart_and_may_not_be_undone(folder: Path) -> None:
    (folder / "new.tune").write_text(POLICY.replace("set turbo off", "set smt on"), encoding="utf-8")
    (change,) = json.loads(changed(folder, "site.tune", "new.tune", "--format", "json").out)["changes"]
    assert change["hosts"] == ["c042.example.org"]
    assert change["restart"] is True
    (folder / "new.tune").write_text(POLICY.replace("goal balanced", "goal latency"), encoding="utf-8")
    assert "not undone: `correctable-ecc-smi` stays" in changed(folder, "new.tune", "site.tune").out


def test_a_host_gets_a_plan_or_loses_it(folder: Path) -> None:
    (folder / "new.tune").write_text(POLICY.replace("login", "front"), encoding="utf-8")
    ran = changed(folder, "site.tune", "new.tune")
    assert ran.status == 3
    assert re.search(r"1 host without a plan.*\n  1 host: login1 \(.*\), had one before: E0703: ", ran.out)
    assert "1 host: login1: gets a plan" in changed(folder, "new.tune", "site.tune").out


def test_a_pull_request_is_compared_from_where_it_began(folder: Path) -> None:
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org")
    for command in (
        ("init", "-q", "-b", "main"),
        ("add", "."),
        ("commit", "-qm", "a"),
        ("checkout", "-qb", "change"),
    ):
        subprocess.run([*git, *command], cwd=folder, check=True)
    (folder / "site.tune").write_text(POLICY.replace("goal balanced", "goal latency"), encoding="utf-8")
    subprocess.run([*git, "commit", "-qam", "b"], cwd=folder, check=True)
    ran = changed(folder, "main...HEAD", "site.tune")
    assert (ran.status, ran.out.partition("\n")[0]) == (
        3,
        "2 hosts of 5 change; 2 need a restart; hazards or waivers change on 1 host",
    )
    same = changed(folder, "HEAD..", "site.tune")
    assert (same.status, same.out) == (0, "No change: all 5 hosts have the same plan.\n")
    assert changed(folder, "main...HEAD").out == changed(folder, "main...HEAD", "site.tune").out


def test_an_error_of_several_classes_is_one(folder: Path) -> None:
    """The facts that differ between them do not make it another one."""
    policy = 'for group compute { goal latency; set smt on because "X"; }'
    (folder / "site.tune").write_text(policy, encoding="utf-8")
    rows = "".join(f"m{n},compute,UCSC-C240-M6SX,,2,{os}\n" for n, os in enumerate(("rhel 9.4", "debian 12")))
    (folder / "hosts.csv").write_text(f"host,group,model,processor,sockets,os\n{rows}", encoding="utf-8")
    err = run(folder).err
    assert err.count("error[E0508]") == 1
    assert "   = 2 hosts: m0, m1\n" in err
    assert "this server:" not in err
