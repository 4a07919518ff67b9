"""The example of a fleet is rolled out: by one run of Ansible to servers of Dell, HPE, Lenovo and Supermicro, and by
Puppet in noop.

A server of each maker is taken from the example's inventory, with its line as it is there; `--complete` takes more of
them. The controllers are emulated (`idrac`, `controllers`), with the BIOS attributes of captured servers. Each line
goes in through `setpoint fleet` and comes out as settings in effect: planned, rolled out with a restart through the
controller, verified, and rolled out again with nothing to do.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from controllers import HPE, LENOVO, SUPERMICRO, Dialect, Setup, bare_controllers, server

from consumers.ansible_run import HERE, programs
from consumers.fleet import ansible_playbook
from consumers.puppet_machine import Machine as PuppetMachine
from consumers.redfish_service import certificate
from consumers.registry import Registry
from idrac import Behaviour, Controller, Rules, controllers
from support.ansible import through_controller
from support.command import ROOT
from support.console import Shell
from support.effort import is_complete
from support.machines import R750, Machine
from support.puppet import changes

EXAMPLE = ROOT / "examples/fleet"


def dell(machine: Machine) -> Behaviour:
    """An iDRAC with the BIOS of a captured server."""
    return Behaviour.captured(machine.capture, rules=Rules.of(machine.registry(), lockdown=machine.lockdown))


def other(dialect: Dialect, capture: str, model: str) -> Setup:
    """A controller without jobs, with the BIOS of a captured server.

    The service of Supermicro calls values otherwise than its registry does, so the registry cannot judge them.
    """
    registry = Registry.load(capture)
    return server(
        dialect, registry.current, model, rules=None if dialect is SUPERMICRO else Rules.of(registry)
    )


# `for host front-0007` of the policy keeps its logical processors on.
DELLS = {"front-0007.example.org": dell(R750)}
OTHERS = {
    "new-front-009.example.org": other(HPE, "hpe-gen10plusv2-DL385-A42-2.60-amd", "ProLiant DL385 Gen10 Plus v2"),
    "new-compute-012.example.org": other(LENOVO, "lenovo-SR670V2", "ThinkSystem SR670 V2"),
    "new-compute-016.example.org": other(SUPERMICRO, "supermicro-SYS-821GE-TNHR", "SYS-821GE-TNHR"),
}  # fmt: skip
if is_complete():
    DELLS["store-0007.example.org"] = dell(R750)
    OTHERS["new-compute-004.example.org"] = other(HPE, "hpe-gen11-DL380a-U58-2.44", "ProLiant DL380a Gen11")
PUPPET = {
    "front-0007.example.org": ("Debian", "12", "PowerEdge R750"),
    "store-0006.example.org": ("RedHat", "6", "PowerEdge R710"),
}
"""The servers whose operating systems Puppet configures, with these. The second has CentOS 6, whose Python is too old
for Ansible."""


class Rollout(NamedTuple):
    """The attributes in effect at first and after the roll-out, the writing requests until then and in all, and what
    was printed."""

    before: Mapping[str, Mapping[str, Any]]
    after: Mapping[str, Mapping[str, Any]]
    writes: Mapping[str, int]
    writes_in_all: Mapping[str, int]
    said: Mapping[str, str]
    reports: Path


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A shell in a folder with the example, whose inventory has the lines of these servers, and the fleet in `out`."""
    folder = tmp_path_factory.mktemp("makers") / "work"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("expected", "slurm"))
    command = [sys.executable, "hosts.py"]
    head, *lines = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.splitlines()  # fmt: skip
    chosen = [line for line in lines if line.partition(",")[0] in {*DELLS, *OTHERS, *PUPPET}]
    (folder / "hosts.csv").write_text("\n".join([head, *chosen]) + "\n", encoding="utf-8")
    return Shell(folder, {"ansible-playbook": ansible_playbook(folder.parent)})


@pytest.fixture(scope="module")
def planned(example: Shell) -> Path:
    """The fleet, written by the command."""
    said = example.run("setpoint fleet site.tune --inventory hosts.csv --facts facts.toml -o out")
    hosts = len({*DELLS, *OTHERS, *PUPPET})
    assert f"site: {hosts} hosts in {hosts} classes, with {hosts} plans" in said, said
    return example.folder / "out"


@pytest.fixture(scope="module")
def rollout(example: Shell, planned: Path) -> Iterator[Rollout]:
    programs()
    folder = example.folder
    with ExitStack() as stack:
        keys = certificate(folder)
        bmcs: dict[str, Controller | Controller] = {
            **stack.enter_context(controllers(DELLS, *keys)),
            **stack.enter_context(bare_controllers(OTHERS, *keys)),
        }
        (folder / "hosts.json").write_text(json.dumps(reached(bmcs)), encoding="utf-8")
        play = "ansible-playbook -i hosts.json -i out/ansible/inventory --tags firmware --limit bmc"
        play += " -e setpoint_batches=100% -e setpoint_max_fail_percentage=100"

        def run(book: str) -> str:
            return "\n".join(example.run(f"{play} out/ansible/{book}.yml"))

        def current() -> dict[str, dict[str, Any]]:
            return {name: dict(bmc.machine.current) for name, bmc in bmcs.items()}

        def writes() -> dict[str, int]:
            return {name: len(bmc.writes) for name, bmc in bmcs.items()}

        before = current()
        said = {"site": run("site")}
        after, until_then = current(), writes()
        said |= {"verify": run("verify"), "again": run("site")}
        yield Rollout(before, after, until_then, writes(), said, planned / "ansible/reports")


def reached(bmcs: Mapping[str, Controller | Controller]) -> dict[str, Any]:
    """The site's own inventory: how each server's controller is reached, and that a restart is allowed."""
    common = {
        "ansible_connection": "local",
        "ansible_become": False,
        "ansible_python_interpreter": str(HERE / "module_client"),
        "setpoint_reboot": True,
    }
    hosts = {name: through_controller(bmc, "setpoint_site") for name, bmc in bmcs.items()}
    local = {"localhost": {"ansible_connection": "local"}}
    return {"all": {"vars": common, "hosts": local, "children": {"bmc": {"hosts": hosts}}}}


def recap(said: str) -> dict[str, dict[str, int]]:
    """The counts of Ansible's recap, by host."""
    lines = re.findall(r"^(\S+)\s+: (ok=.*)$", said, re.MULTILINE)
    return {
        host: {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", counts)}
        for host, counts in lines
        if host != "localhost"
    }


EVERYONE = sorted([*DELLS, *OTHERS])


def test_one_run_brings_the_servers_of_all_makers_to_their_plans(rollout: Rollout) -> None:
    counts = recap(rollout.said["site"])
    assert sorted(counts) == EVERYONE
    assert {host: counts[host]["failed"] for host in EVERYONE} == dict.fromkeys(EVERYONE, 0), rollout.said["site"]  # fmt: skip
    unchanged = [host for host in EVERYONE if rollout.after[host] == rollout.before[host]]
    assert unchanged == []


def test_the_fleet_verifies(rollout: Rollout) -> None:
    counts = recap(rollout.said["verify"])
    assert {host: (counts[host]["failed"], counts[host]["changed"]) for host in EVERYONE} == dict.fromkeys(EVERYONE, (0, 0)), rollout.said["verify"]  # fmt: skip
    for host in EVERYONE:
        report = json.loads((rollout.reports / host / "setpoint_site.json").read_text(encoding="utf-8"))
        states = {each["state"] for each in report["results"] if each["layer"] == "firmware"}
        assert "ok" in states, host
        assert "differs" not in states, host


def test_a_second_roll_out_has_nothing_to_do(rollout: Rollout) -> None:
    counts = recap(rollout.said["again"])
    assert {host: (counts[host]["failed"], counts[host]["changed"]) for host in EVERYONE} == dict.fromkeys(EVERYONE, (0, 0)), rollout.said["again"]  # fmt: skip
    assert rollout.writes_in_all == rollout.writes


# ---------------------------------------------------------------------------------------------------- Puppet


@pytest.mark.parametrize(
    "host",
    ["front-0007.example.org", pytest.param("store-0006.example.org", marks=pytest.mark.repeated)],
)
def test_puppet_in_noop_shows_the_changes_and_makes_none(planned: Path, tmp_path: Path, host: str) -> None:
    """The module finds the host's plan in its own Hiera data, by the certname. After a run there is nothing to do
    (`--complete`)."""
    server = PuppetMachine(tmp_path, *PUPPET[host])
    module = shutil.copytree(planned / "puppet/setpoint_site", server.root / "modules/setpoint_site")
    for part in ("host", "plans"):
        shutil.copytree(planned / part, module / "files" / part)
    if PUPPET[host][0] == "RedHat":
        server.begin("site")
    else:
        server.put("/etc/default/grub", 'GRUB_CMDLINE_LINUX_DEFAULT="quiet"\n')
        server.put("/boot/grub/grub.cfg", "\tlinux\t/boot/vmlinuz-6.1 root=/dev/sda1 ro quiet\n")
    before, bios = server.files(), dict(server.firmware.staged())

    shown = server.apply("include setpoint_site", "--noop", "--certname", host)
    assert shown.status == 0, shown.said
    assert changes(shown.said)
    assert server.files() == before
    assert server.firmware.staged() == bios

    if not is_complete():
        return
    ran = server.apply("include setpoint_site", "--certname", host)
    assert ran.status == 2, ran.said
    with (planned / "hosts.csv").open(encoding="utf-8", newline="") as file:
        (plan,) = (row["plan"] for row in csv.DictReader(file) if row["host"] == host)
    assert f"\npolicy {plan}\n" in server.read("/var/lib/setpoint/puppet/server.plan")

    again = server.apply("include setpoint_site", "--noop", "--certname", host)
    assert (again.status, changes(again.said)) == (0, set()), again.said
