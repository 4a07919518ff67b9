"""Puppet: modules applied by the real one, to systems made of files (`consumers.puppet_machine`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from consumers.puppet import Ran
from consumers.puppet_machine import HERE, Machine
from setpoint.compiler.render.verification import Report
from support.command import setpoint
from support.plans import planned
from support.puppet import DEBIAN, LATENCY, changes, put
from support.shell import shellcheck

EL6_MODULE = "include setpoint_el6_latency"
DEBIAN_MODULE = "include setpoint_debian"
BY_HAND = "class { 'setpoint_debian': kernel_arguments_by => 'by-hand' }"


def delivered(folder: Path) -> Machine:
    """A server of the 11th generation with Enterprise Linux 6, as it was delivered."""
    machine = Machine(folder, "RedHat", "6")
    machine.begin("")
    put(planned(LATENCY), machine.root / "modules")
    return machine


@pytest.fixture
def el6(tmp_path: Path) -> Machine:
    """The same, for a test."""
    return delivered(tmp_path)


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Machine, Ran]:
    """Such a server after the first run, and what came of that."""
    machine = delivered(tmp_path_factory.mktemp("first"))
    return machine, machine.apply(EL6_MODULE)


@pytest.fixture
def set_up(first_run: tuple[Machine, Ran], tmp_path: Path) -> Machine:
    """A copy of the server after the first run."""
    return first_run[0].copy(tmp_path)


@pytest.fixture
def debian(tmp_path: Path) -> Machine:
    """The same server with Debian 12."""
    machine = Machine(tmp_path, "Debian", "12")
    put(planned(DEBIAN), machine.root / "modules")
    machine.run("update-grub")
    return machine


def test_another_server_fails_the_run_and_stays_as_it_is(tmp_path: Path) -> None:
    """Each part says why; a rollback, which restores what was found on the server, is not refused."""
    machine = Machine(tmp_path, "RedHat", "6", "PowerEdge R720")
    put(planned(LATENCY), machine.root / "modules")
    before = machine.files()
    ran = machine.apply(EL6_MODULE)
    assert ran.status == 6, ran.said  # some resources were changed (its own files), and others failed
    why = (
        "this server reports the product PowerEdge R720, and the policy states platform r710 (PowerEdge R710)"
    )
    assert ran.said.count(f"Exec[setpoint: tuned profile]/returns: {why}") == 1
    assert "Nothing was changed. If this is the server that was meant" in ran.said
    own = ("/var/lib/setpoint/puppet",)
    assert {path for path in machine.files() if not path.startswith(own)} == {*before}
    assert machine.apply("class { 'setpoint_el6_latency': ensure => 'absent' }").status in (0, 2)


def test_a_dry_run_shows_what_would_be_done_and_does_nothing(el6: Machine) -> None:
    before = el6.files()
    ran = el6.apply(EL6_MODULE, "--noop")
    assert ran.status == 0, ran.said
    assert changes(ran.said) >= {
        "Exec[setpoint: kernel arguments]",
        "Exec[setpoint: tuned profile]",
        "Exec[setpoint: BIOS settings]",
        "Exec[setpoint: cpuspeed service]",
        "File[/var/lib/setpoint/puppet/tuned.plan]",
    }
    assert el6.files() == before


def test_the_first_run_changes_the_server_and_the_second_nothing(
    first_run: tuple[Machine, Ran], set_up: Machine
) -> None:
    first, el6 = first_run[1], set_up
    assert first.status == 2, first.said
    assert "kernel-args: a restart is pending; nothing here restarts the server" in first.said
    assert "syscfg: a restart is pending; nothing here restarts the server" in first.said
    wanted = "intel_idle.max_cstate=0"
    assert [wanted in line for line in el6.read("/state/kernels").splitlines()] == [True, True]
    assert el6.read("/etc/tune-profiles/active-profile") == "setpoint-el6-latency"
    assert "[never]" in el6.read("/sys/kernel/mm/redhat_transparent_hugepage/enabled")
    assert el6.read("/state/cpuspeed/levels") == "1\n"
    assert not (el6.root / "state/cpuspeed/running").exists()
    assert el6.firmware.pending() == {"power": "maxperformance", "logicproc": "disable", "cstates": "disable"}

    second = el6.apply(EL6_MODULE)
    assert (second.status, changes(second.said)) == (0, set()), second.said
    assert "a restart is pending" not in second.said
    assert el6.run("sh", "/var/lib/setpoint/puppet/status.sh", "--restart").status == 3

    el6.firmware.reboot()
    third = el6.apply(EL6_MODULE)
    assert (third.status, changes(third.said)) == (0, set()), third.said
    assert el6.read("/state/restarts") == ""


def test_the_status_as_json_has_every_setting_and_is_a_report_that_verify_joins(set_up: Machine) -> None:
    plan = planned(LATENCY)
    status = ("sh", "/var/lib/setpoint/puppet/status.sh", "--json")
    ran = set_up.run(*status)
    document, _ = json.JSONDecoder().raw_decode(ran.said)
    report = Report.model_validate(document)
    states = {each.setting: each.state for each in report.results}
    assert (ran.status, report.policy) == (3, "el6-latency")
    assert {each.layer for each in report.results} == {"firmware", "boot", "os"}
    assert (states["cpuspeed-service"], states["transparent-hugepages"], states["smt"]) == (
        "ok",
        "ok",
        "pending",
    )
    assert states["intel-idle"] in ("pending", "differs")
    assert report.plan == plan.digest
    assert states.keys() >= {each.setting for each in plan.applied}
    assert states["c1e"] == "not-compared"
    (set_up.root / "reports").mkdir()
    (set_up.root / "reports/server.json").write_text(json.dumps(document), encoding="utf-8")
    joined = setpoint("verify", "--reports", str(set_up.root / "reports"))
    assert (joined.status, "smt" in joined.out) == (3, True)
    (set_up.root / "var/lib/setpoint/puppet/kernel-args.plan").unlink()
    document, _ = json.JSONDecoder().raw_decode(set_up.run(*status).said)
    states = {each["setting"]: each["state"] for each in document["results"]}
    assert (states["cpuspeed-service"], states["intel-idle"]) == ("ok", "unreadable")


def test_the_scripts_put_back_what_was_there_before_the_first_run(set_up: Machine) -> None:
    before = "ro root=/dev/sda1 quiet"
    assert before not in set_up.read("/state/kernels").splitlines()
    folder = "/var/lib/setpoint/puppet"
    for command in (
        [f"{folder}/setpoint-host", "undo", f"{folder}/kernel-args.plan"],
        [f"{folder}/setpoint-host", "undo", f"{folder}/syscfg.plan"],
    ):
        ran = set_up.run("sh", *command)
        assert ran.status == 0, ran.said
    assert not [line for line in set_up.read("/state/kernels").splitlines() if "intel_idle" in line]
    assert set_up.firmware.staged() == set_up.firmware.current()


def test_what_has_drifted_is_set_again(set_up: Machine) -> None:
    set_up.put("/state/kernels", "ro root=/dev/sda1 quiet intel_idle.max_cstate=9\n")
    set_up.put("/sys/kernel/mm/redhat_transparent_hugepage/enabled", "[always] madvise never\n")
    set_up.put("/state/cpuspeed/running", "")
    set_up.firmware.syscfg("--turbomode=disable")
    status = set_up.run("sh", "/var/lib/setpoint/puppet/status.sh")
    assert status.status == 3
    assert "turbomode=disable, wanted enable" in status.said
    ran = set_up.apply(EL6_MODULE)
    assert ran.status == 2, ran.said
    assert changes(ran.said) == {
        "Exec[setpoint: kernel arguments]",
        "Exec[setpoint: tuned profile]",
        "Exec[setpoint: BIOS settings]",
        "Exec[setpoint: restart]",
        "Exec[setpoint: cpuspeed service]",
    }


def test_a_program_that_fails_fails_the_run_and_is_called_again(debian: Machine) -> None:
    """The script puts back the drop-in file that GRUB has not read; a second run does it all."""
    debian.put("/etc/default/grub", 'GRUB_CMDLINE_LINUX_DEFAULT="quiet intel_idle.max_cstate=9"\n')
    debian.put("/boot/grub/grub.cfg.broken", "")
    first = debian.apply(DEBIAN_MODULE)
    assert first.status == 6, first.said
    assert "no space left on device" in first.said
    assert "all is as it was before this run" in first.said
    assert not (debian.root / "etc/default/grub.d/50-setpoint.cfg").exists()
    assert "intel_idle.max_cstate=0" not in debian.read("/boot/grub/grub.cfg")
    assert debian.read("/state/tuned/active") == "setpoint-debian\n", "the other parts go on"

    (debian.root / "boot/grub/grub.cfg.broken").unlink()
    second = debian.apply(DEBIAN_MODULE)
    assert second.status == 2, second.said
    assert changes(second.said) == {"Exec[setpoint: kernel arguments]", "Exec[setpoint: restart]"}
    words = debian.read("/boot/grub/grub.cfg").split()
    assert "intel_idle.max_cstate=0" in words
    assert "intel_idle.max_cstate=9" not in words
    assert debian.apply(DEBIAN_MODULE).status == 0

    debian.put("/etc/default/grub.d/99-local.cfg", "GRUB_CMDLINE_LINUX_DEFAULT=intel_idle.max_cstate=9\n")
    debian.run("update-grub")
    third = debian.apply(DEBIAN_MODULE)
    assert third.status == 4, third.said
    assert "found: intel_idle.max_cstate=9" in third.said


def test_what_no_restart_would_bring_does_not_wait_for_one(debian: Machine) -> None:
    """Where GRUB has not taken the arguments in, a restart would not help. Left to hands, they are compared all the
    same."""
    status = ("sh", "/var/lib/setpoint/puppet/status.sh", "--restart")
    debian.put("/boot/grub/grub.cfg.broken", "")
    debian.apply(DEBIAN_MODULE)
    assert "kernel-args: a restart" not in debian.run(*status).said
    (debian.root / "boot/grub/grub.cfg.broken").unlink()
    debian.apply(DEBIAN_MODULE)
    assert "kernel-args: a restart is pending" in debian.run(*status).said
    debian.apply(BY_HAND)
    assert "kernel-args: a restart is pending" in debian.run(*status).said
    assert "kernel-args: not as planned; a restart is pending" in debian.run(*status[:2]).said


REDFISH = "policy modern { goal latency; platform r740; os debian-12 }"
"""A policy for a server whose management controller serves the BIOS settings."""


def modern(folder: Path) -> Machine:
    """Such a server with its module, and without the tool."""
    machine = Machine(folder, "Debian", "12", "PowerEdge R740")
    machine.run("update-grub")
    put(planned(REDFISH), machine.root / "modules")
    return machine


def test_where_redfish_serves_the_firmware_no_run_fails_for_want_of_the_tool(tmp_path: Path) -> None:
    machine = modern(tmp_path)
    module = "include setpoint_modern"
    first = machine.apply(module)
    assert first.status == 2, first.said
    assert "Exec[setpoint: BIOS settings]" not in changes(first.said)
    assert machine.apply(module).status == 0
    assert "racadm" not in machine.run("sh", "/var/lib/setpoint/puppet/status.sh").said


def test_a_site_can_have_puppet_see_to_the_firmware_all_the_same(tmp_path: Path) -> None:
    """The tool is then asked for, and that it is missing is said."""
    machine = modern(tmp_path)
    ran = machine.apply("class { 'setpoint_modern': manage_firmware => true }")
    assert ran.status in (4, 6), ran.said
    assert "setpoint-host: no /opt/dell/srvadmin/sbin/racadm here" in ran.said


STATUS = ("sh", "/var/lib/setpoint/puppet/status.sh")


@pytest.mark.parametrize(
    ("program", "part"),
    [
        ("programs/tuned-adm", "tuned"),
        ("programs/chkconfig", "cpuspeed"),
        ("opt/dell/toolkit/bin/syscfg", "syscfg"),
    ],
)
def test_without_a_program_nobody_can_tell_which_is_no_difference(
    set_up: Machine, program: str, part: str
) -> None:
    # The host's own programs are in /usr/sbin.
    script = set_up.read(STATUS[1])
    assert ":/usr/sbin" in script
    set_up.put(STATUS[1], script.replace(":/usr/sbin", ""), mode=0o755)
    before = set_up.run(*STATUS)
    stands = "not as planned; a restart is pending" if part == "syscfg" else "as planned"
    assert f"{part}: {stands}\n" in before.said
    for path in program.split():
        set_up.hide(path)
    status = set_up.run(*STATUS)
    assert f"{part}: cannot tell\n" in status.said
    assert f"{part}: not as planned" not in status.said
    assert status.status == (3 if "not as planned" in status.said else 4)


def test_without_a_program_nobody_can_tell_what_waits(set_up: Machine) -> None:
    """What was set with syscfg is known without it."""
    set_up.hide("opt/dell/toolkit/bin/syscfg")
    waits = set_up.run(*STATUS, "--restart")
    for part in ("kernel-args", "syscfg"):
        assert f"{part}: a restart is pending; nothing here restarts the server\n" in waits.said
    set_up.hide("programs/grubby")
    unclear = set_up.run(*STATUS, "--restart")
    assert "kernel-args: cannot tell\n" in unclear.said
    assert unclear.status == 3, "the other part still waits"


def test_where_nothing_waits_for_sure_a_missing_program_is_no_success(set_up: Machine) -> None:
    set_up.put("/var/lib/setpoint/syscfg.set", "another-boot\npower maxperformance\n")
    set_up.hide("programs/grubby")
    unclear = set_up.run(*STATUS, "--restart")
    assert (unclear.status, "syscfg: no restart is pending" in unclear.said) == (4, True)


def test_the_stand_ins_are_sound_scripts() -> None:
    for name in (
        "tuned_adm_stand_in",
        "update_grub_stand_in",
        "cpuspeed_stand_in",
        "kill_at",
        "puppet_sandbox",
    ):
        assert shellcheck((HERE / name).read_text(encoding="utf-8")) == ""
