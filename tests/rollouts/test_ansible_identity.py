"""The role looks whether it is on the right server: through the BMC for the BIOS, on the host for the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from consumers.ansible_run import Run, System, play, programs
from consumers.redfish_service import certificate, service
from idrac import Behaviour, controllers
from support.ansible import R710_EL5, account, role_of, through_controller
from support.machines import R740, R750

ROLE = "setpoint_fourteen"
POLICY = "policy fourteen { goal latency; platform r740 }"
"""Of an R740; two sockets are assumed, and a kernel from 5.6 on."""


class Runs(NamedTuple):
    """What came of the playbook on each server, of verify.yml, and the requests of both."""

    checked: Run
    applied: Run
    verified: Run
    writes: dict[str, list[str]]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    """The role of an R740 on an R750 with two processors, and on an R740 with one."""
    programs()
    folder = tmp_path_factory.mktemp("identity")
    ansible = role_of(POLICY, folder)
    with ExitStack() as stack:
        other = stack.enter_context(service(folder / "r750", R750.capture, lockdown=True))
        small = stack.enter_context(service(folder / "r740", R740.capture))
        hosts = {
            "other": account(other, setpoint_reboot=True, setpoint_reboot_through="bmc"),
            "small": account(small),
            "meant": account(small, setpoint_check_sockets=False),
        }

        def run(book: str, names: str, *options: str) -> Run:
            chosen = {name: hosts[name] for name in names.split()}
            return play(ansible / book, chosen, folder / "home", "--tags", "firmware", *options)

        checked = run("site.yml", "other small meant", "--check")
        verified = run("verify.yml", "other small")
        applied = run("site.yml", "other small")
        requests = {"other": other.state()["requests"], "small": small.state()["requests"]}
        writes = {name: [one for one in made if "GET" not in one] for name, made in requests.items()}
        yield Runs(checked, applied, verified, writes)


def test_the_role_of_an_r740_does_nothing_to_an_r750(runs: Runs) -> None:
    for run in (runs.checked, runs.applied, runs.verified):
        assert (
            "this server reports the product PowerEdge R750, and the policy states platform r740 "
            "(PowerEdge R740). Is this the right server? Then state the right platform and compile again, or set "
            "setpoint_check_product to false"
        ) in run.failed("other")
        assert run.changed("other") == []
    assert runs.writes["other"] == []


def test_sockets_are_named_as_the_cause(runs: Runs) -> None:
    for run in (runs.checked, runs.applied, runs.verified):
        assert (
            "this server reports 1 processor socket, and the policy assumes 2. Is this the right server? Then "
            'state "sockets 1" and compile again, or set setpoint_check_sockets to false'
        ) in run.failed("small")
    assert runs.writes["small"] == []


def test_a_check_can_be_passed_over(runs: Runs) -> None:
    """What is then missing is the attributes that a second processor brings."""
    assert "processor socket" not in runs.checked.failed("meant")
    assert "this server's BIOS has no " in runs.checked.failed("meant")


@pytest.mark.parametrize(
    ("accepted", "failed"),
    [
        ('["PowerEdge R75*"]', ""),
        ('["PowerEdge R74*"]', "this server reports the product PowerEdge R750"),
        ('["PowerEdge R7"]', "this server reports the product PowerEdge R750"),
        ("[]", "no source shows which product platform r740 reports, so that nothing can be compared"),
    ],
)
def test_a_product_may_go_on_behind_an_open_name_and_an_unknown_one_is_to_be_confirmed(
    tmp_path: Path, accepted: str, failed: str
) -> None:
    programs()
    ansible = role_of(POLICY, tmp_path)
    apply = tmp_path / "redfish/apply.json"
    text = apply.read_text(encoding="utf-8")
    assert text.count('"accepts": ["PowerEdge R740"]') == 1
    apply.write_text(text.replace('["PowerEdge R740"]', accepted), encoding="utf-8")
    with service(tmp_path / "r750", R750.capture, lockdown=True) as other:
        hosts = {"other": account(other)}
        run = play(ansible / "site.yml", hosts, tmp_path / "home", "--tags", "firmware", "--check")
    if failed:
        assert failed in run.failed("other")
    else:
        assert "product" not in run.failed("other")
        assert "this server's BIOS has no " in run.failed("other")


# ------------------------------------------------------------------------------------------------------------ the host


@pytest.fixture
def host(tmp_path: Path) -> System:
    """A server with the product name of an R740, two processors and Debian 12."""
    programs()
    system = System(tmp_path / "system")
    system.report("PowerEdge R740", "debian 12", "6.1.0-18-amd64")
    system.program("tuned-adm", "#!/bin/sh\necho tuned-adm >>$SYSTEM/state/calls\n")
    return system


def on_host(system: System, folder: Path, policy: str = POLICY, **variables: object) -> Run:
    """The playbook on a host, for the layers that are set there."""
    return with_options(("--tags", "boot,os"), system, folder, policy, **variables)


def with_options(
    options: tuple[str, str], system: System, folder: Path, policy: str = POLICY, **variables: object
) -> Run:
    book = role_of(policy, folder) / "site.yml"
    return play(book, {"host": variables}, folder / "home", *options, system=system)


def test_another_system_is_left_alone(host: System, tmp_path: Path) -> None:
    host.report("PowerEdge R740", "rhel 8.10", "4.18.0-553.el8_10.x86_64", sockets=1)
    before = host.files()
    failed = on_host(host, tmp_path).failed("host")
    assert "this server reports the kernel 4.18.0-553.el8_10.x86_64" in failed
    assert "the policy assumes os modern-linux (5.6 or later)" in failed
    assert "1 processor socket" in failed
    assert "setpoint_check_product" in failed
    assert (host.files(), host.read("/state/calls")) == (before, "")


def test_the_controller_of_another_server_of_the_same_model_is_left_alone(
    host: System, tmp_path: Path
) -> None:
    host.put("/sys/class/dmi/id/product_uuid", "4C4C4544-0000-1000-8000-000000000001\n")
    with controllers({"bmc": Behaviour.captured(R740.capture)}, *certificate(tmp_path)) as bmcs:
        machine = bmcs["bmc"].machine
        shown = {**machine.setup.system, "UUID": "4c4c4544-0000-1000-8000-000000000002"}
        machine.setup = machine.setup._replace(system=shown)
        given = {
            **through_controller(bmcs["bmc"], ROLE),
            "setpoint_check_server": True,
            "setpoint_check_sockets": False,
        }
        book = role_of(POLICY, tmp_path) / "site.yml"
        run = play(book, {"host": given}, tmp_path / "home", "--tags", "firmware", system=host)
        assert "Nothing was changed: the BMC is that of another server: " in run.failed("host")
        assert bmcs["bmc"].writes == []


def test_two_hosts_with_one_controller_are_found_before_either_is_changed(
    host: System, tmp_path: Path
) -> None:
    """The third has a controller of its own, and is not changed either: somebody has mixed up the inventory."""
    behaviour = Behaviour.captured(R740.capture)
    with controllers({"shared": behaviour, "own": behaviour}, *certificate(tmp_path)) as bmcs:
        for number, bmc in enumerate(bmcs.values()):
            machine = bmc.machine
            shown = {**machine.setup.system, "UUID": f"4c4c4544-0000-1000-8000-00000000000{number}"}
            machine.setup = machine.setup._replace(system=shown)
        more = {"setpoint_check_server": True, "setpoint_check_sockets": False}
        given = {
            "one": {**through_controller(bmcs["shared"], ROLE), **more},
            "two": {**through_controller(bmcs["shared"], ROLE), **more},
            "three": {**through_controller(bmcs["own"], ROLE), **more},
        }
        book, batches = role_of(POLICY, tmp_path) / "site.yml", {"setpoint_batches": [1]}
        run = play(book, given, tmp_path / "home", "--tags", "firmware", system=host, batches=batches)
        assert "Nothing was changed: the BMC of this host is that of two, too" in run.failed("one")
        assert "Nothing was changed: the BMC of this host is that of one, too" in run.failed("two")
        assert [bmc.writes for bmc in bmcs.values()] == [[], []]


def test_whoever_skips_one_layer_does_not_skip_the_look(host: System, tmp_path: Path) -> None:
    host.report("PowerEdge R750", "debian 12", "6.1.0-18-amd64")
    for skipped in ("firmware,os", "firmware,boot"):
        run = with_options(("--skip-tags", skipped), host, tmp_path / skipped)
        assert "this server reports the product PowerEdge R750" in run.failed("host")


def test_a_tag_of_a_site_s_own_playbook_does_not_skip_the_look(host: System, tmp_path: Path) -> None:
    host.report("PowerEdge R750", "debian 12", "6.1.0-18-amd64")
    beside = role_of(POLICY, tmp_path)
    (role,) = (beside / "roles").iterdir()
    book = beside / "own.yml"
    book.write_text(
        f"- hosts: host\n  gather_facts: false\n  tasks:\n    - ansible.builtin.import_role: {{name: {role.name}}}\n      tags: [site]\n"
    )
    run = play(
        book, {"host": {}}, tmp_path / "home", "--tags", "site", "--skip-tags", "firmware", system=host
    )
    assert "this server reports the product PowerEdge R750" in run.failed("host")


def test_the_host_s_checks_can_be_passed_over_and_its_scripts_are_told(host: System, tmp_path: Path) -> None:
    """The kernel's arguments are compared next, by a script that looks as well: it goes on to ask for them."""
    host.report("PowerEdge R740", "debian 12", "5.4.0")
    host.put("/proc/cmdline", "ro quiet\n")
    run = on_host(host, tmp_path, setpoint_check_kernel=False)
    named = [task.name for task in run.tasks["host"] if not task.failed]
    assert "Compare the running kernel with the policy" in named
    (report,) = (tmp_path / "ansible/reports/host").iterdir()
    assert json.loads(report.read_text(encoding="utf-8"))["notes"][-1] == (
        "passed over: this server reports the kernel 5.4.0, and the policy assumes os modern-linux (5.6 or later)"
    )


def test_a_host_without_python_is_asked_as_well(host: System, tmp_path: Path) -> None:
    run = on_host(host, tmp_path, R710_EL5, ansible_python_interpreter="/nowhere/python2.4")
    assert "the product PowerEdge R740, and the policy states platform r710" in run.failed("host")
    assert "the distribution debian 12, and the policy states os rhel-5" in run.failed("host")
