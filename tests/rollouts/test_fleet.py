"""What `setpoint fleet` writes does what it says: the real Ansible rolls a fleet out to emulated controllers, Puppet
compiles its module.

The inventory is that of Ansible itself: the one that the roll-out uses, with the facts of the servers in it.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from consumers.ansible_run import check_syntax, lint
from consumers.fleet import ansible_playbook, fleet, inventory_of
from consumers.puppet import CompileError, Compiler, run, system
from idrac import Behaviour, Rules
from support.command import setpoint
from support.console import Shell
from support.machines import R740, R750, Machine

POLICY = """
policy web {
    for group front { goal latency; }
    for group store { goal performance; }
    for host front-2 { set turbo on because "a trial until March, LAB-31"; }
}
"""
SERVERS = {"front-1": R750, "front-2": R750, "front-3": R750, "store-1": R740}
PRODUCTS = {R750: ("PowerEdge R750", 2), R740: ("PowerEdge R740", 1)}
RESTART = '{"setpoint_reboot": true, "setpoint_reboot_through": "bmc"}'


def captured(machine: Machine) -> Behaviour:
    """A controller with the BIOS of a captured server."""
    return Behaviour.captured(machine.capture, rules=Rules.of(machine.registry(), lockdown=machine.lockdown))


class RolledOut(NamedTuple):
    """What was printed by each command, by its name, and what was staged and is in effect on each server."""

    said: dict[str, tuple[str, ...]]
    turbo: dict[str, str]
    reports: Path


@pytest.fixture(scope="module")
def rolled_out(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RolledOut]:
    """A fleet that was rolled out, verified, and rolled out again."""
    place = tmp_path_factory.mktemp("fleet")
    folder = place / "work"
    folder.mkdir()
    (folder / "web.tune").write_text(POLICY, encoding="utf-8")
    (folder / "hosts.json").write_text(json.dumps(_inventory()), encoding="utf-8")
    shell = Shell(folder, {"ansible-playbook": ansible_playbook(place)})
    with fleet(place / "servers", {name: captured(machine) for name, machine in SERVERS.items()}) as found:
        inventory_of(found, folder, "setpoint_web")
        said = {"fleet": shell.run("setpoint fleet web.tune --inventory hosts.json -o out")}
        play = "ansible-playbook -i hosts.yml -i out/ansible/inventory out/ansible"
        (folder / "hosts.yml").write_text(
            json.dumps({"all": {"hosts": dict.fromkeys(SERVERS)}}), encoding="utf-8"
        )
        for name, command in {
            "site": f"{play}/site.yml -e '{RESTART}'",
            "verify": f"{play}/verify.yml",
            "again": f"{play}/site.yml -e '{RESTART}'",
        }.items():
            said[name] = shell.run(command)
            found.started()
        turbo = {name: server.bmc.machine.current["ProcTurboMode"] for name, server in found.servers.items()}
        yield RolledOut(
            said, {name: str(value) for name, value in turbo.items()}, folder / "out/ansible/reports"
        )


def _inventory() -> dict[str, Any]:
    """What `ansible-inventory --list` prints of these servers, with their facts."""
    variables = {}
    for name, machine in SERVERS.items():
        product, sockets = PRODUCTS[machine]
        variables[name] = {
            "ansible_product_name": product,
            "ansible_processor_count": sockets,
            "ansible_distribution": "Debian",
            "ansible_distribution_version": "12.11",
        }
    members = {group: [name for name in SERVERS if name.startswith(group)] for group in ("front", "store")}
    groups = {group: {"hosts": names} for group, names in members.items()}
    return {"_meta": {"hostvars": variables}, "all": {"children": ["ungrouped", *groups]}, **groups}


def recap(said: tuple[str, ...]) -> dict[str, dict[str, int]]:
    """The counts of the recap, by host."""
    lines = (line for line in said if re.match(r"\S+\s+: ok=", line))
    return {
        line.split()[0]: {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", line)}
        for line in lines
    }


def test_ansible_brings_each_host_to_its_plan(rolled_out: RolledOut) -> None:
    counts = recap(rolled_out.said["site"])
    assert {name: counts[name]["failed"] for name in SERVERS} == dict.fromkeys(SERVERS, 0), rolled_out.said[
        "site"
    ]
    assert all(counts[name]["changed"] for name in SERVERS)
    assert rolled_out.turbo == {
        "front-1": "Disabled",
        "front-2": "Enabled",
        "front-3": "Disabled",
        "store-1": "Enabled",
    }


def test_the_fleet_verifies_and_a_second_run_has_nothing_to_do(rolled_out: RolledOut) -> None:
    for name in ("verify", "again"):
        counts = recap(rolled_out.said[name])
        assert {(counts[host]["failed"], counts[host]["changed"]) for host in SERVERS} == {(0, 0)}, (
            rolled_out.said[name]
        )
    plans = {
        name: json.loads((rolled_out.reports / name / "setpoint_web.json").read_text(encoding="utf-8"))[
            "policy"
        ]
        for name in SERVERS
    }
    assert plans["front-1"] == plans["front-3"]
    assert len(set(plans.values())) == 3


# ------------------------------------------------------------------------------------------ Puppet

HOSTS = """host,group,model,os
c001.example.org,compute,PowerEdge R740,rhel 9.4
c002.example.org,compute,PowerEdge R740,rhel 9.4
db7,db,PowerEdge R740,debian 12
x1,db,PowerEdge R720,debian 12
"""
FLEET = "for group compute { goal performance; } for group db { goal latency; }"


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What was written for a fleet."""
    folder = tmp_path_factory.mktemp("puppet")
    (folder / "hosts.csv").write_text(HOSTS, encoding="utf-8")
    (folder / "site.tune").write_text(FLEET, encoding="utf-8")
    ran = setpoint("fleet", "site.tune", "--inventory", "hosts.csv", "-o", "out", cwd=folder)
    assert ran.status == 0, ran.err
    return folder / "out"


@pytest.fixture(scope="module")
def compiler(out: Path) -> Compiler:
    """Puppet's compiler, with the module."""
    return Compiler(out / "puppet")


def known_as(name: str, family: str, release: str, product: str = "PowerEdge R740") -> dict[str, Any]:
    """The facts of a server with this name."""
    return {**system(family, release, product), "networking": {"hostname": name.split(".")[0], "fqdn": name}}


@pytest.mark.parametrize(
    ("name", "family", "release", "product"),
    [
        ("c001.example.org", "RedHat", "9", "PowerEdge R740"),
        ("db7", "Debian", "12", "PowerEdge R740"),
        ("DB7", "Debian", "12", "PowerEdge R740"),
        ("x1", "Debian", "12", "PowerEdge R720"),
    ],
)
def test_puppet_gives_each_host_its_plan(
    out: Path, compiler: Compiler, name: str, family: str, release: str, product: str
) -> None:
    catalog = compiler.compile("include setpoint_site", known_as(name, family, release, product))
    with (out / "hosts.csv").open(encoding="utf-8", newline="") as file:
        plans = {row["host"]: row["plan"] for row in csv.DictReader(file)}
    whole = catalog.of("File")["/var/lib/setpoint/puppet/server.plan"]["content"]
    assert f"\npolicy {plans[name.lower()]}\n" in whole


def test_puppet_refuses_a_host_that_the_inventory_did_not_have(compiler: Compiler) -> None:
    with pytest.raises(
        CompileError, match="the inventory that policy site was compiled for does not have it"
    ):
        compiler.compile("include setpoint_site", known_as("c003.example.org", "RedHat", "9"))


def test_a_site_can_put_a_host_into_a_group(out: Path, compiler: Compiler) -> None:
    with (out / "classes.csv").open(encoding="utf-8", newline="") as file:
        (plan,) = {row["plan"] for row in csv.DictReader(file) if row["group"] == "compute"}
    code = f"class {{ 'setpoint_site': group => '{plan.replace('-', '_')}' }}"
    assert compiler.compile(code, known_as("c003.example.org", "RedHat", "9")).of("File")


@pytest.mark.repeated
def test_ansibles_linter_has_nothing_to_say_of_the_playbooks(out: Path, tmp_path: Path) -> None:
    """`targets.test_ansible` has the roles."""
    assert lint(tmp_path, *(out / "ansible").glob("*.yml")) == ""


def test_the_linters_have_nothing_to_say(out: Path, tmp_path: Path) -> None:
    module = out / "puppet" / "setpoint_site"
    folders = [module / name for name in ("manifests", "types", "functions")]
    assert run("puppet", "parser", "validate", *folders) == (0, "")
    assert run("puppet-lint", "--fail-on-warnings", out / "puppet") == (0, "")
    assert check_syntax(tmp_path, (out / "ansible").glob("*.yml")) == ""
