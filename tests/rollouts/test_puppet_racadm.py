"""Puppet: the BIOS of a server with an iDRAC, set by the real `puppet apply` with the local racadm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from consumers.puppet import Compiler, Ran, run, system
from consumers.puppet_machine import Machine
from setpoint.compiler.render.verification import Report
from support.command import setpoint
from support.machines import R740, R750
from support.machines import Machine as Captured
from support.plans import planned
from support.puppet import changes, put

POLICY = 'policy desk {{ goal latency; {}; os debian-12; set cores-per-processor {} because "DESK-12"; }}'
STATUS = ("sh", "/var/lib/setpoint/puppet/status.sh")
BIOS = "Exec[setpoint: BIOS settings]"
BACK = "Exec[setpoint: roll back BIOS settings]"
PENDING = "racadm: a restart is pending; nothing here restarts the server"
RACADM = "opt/dell/srvadmin/sbin/racadm"


class Desk:
    """A captured server with its module, whose site has Puppet manage the BIOS."""

    def __init__(self, folder: Path, cores: int = 12, server: Captured = R750) -> None:
        self.server = server
        self.machine = Machine(folder, "Debian", "12", f"PowerEdge {server.capture.rpartition('-')[2]}")
        self.machine.run("update-grub")
        self.idrac = self.machine.idrac(server.capture, server.registry())
        self.before = self.idrac.current()
        self.plan(cores)

    def plan(self, cores: int) -> None:
        """Install the module of a plan."""
        put(planned(POLICY.format(self.server.facts, cores)), self.machine.root / "modules")

    def runs(self, *options: str, more: str = "manage_firmware => true") -> Ran:
        """A run with the policy in force."""
        return self.machine.apply(f"class {{ 'setpoint_desk': {more} }}", *options)

    def rolls_back(self, *options: str, more: str = "manage_firmware => true") -> Ran:
        """A run that rolls it back."""
        return self.runs(*options, more=f"{more}, ensure => absent")

    def status(self, *options: str) -> Ran:
        """What status.sh says."""
        return self.machine.run(*STATUS, *options)

    def states(self) -> dict[str, str]:
        """The states of the firmware's settings that the module can set, by `status.sh --json`."""
        report = Report.model_validate(json.JSONDecoder().raw_decode(self.status("--json").said)[0])
        of_firmware = (each for each in report.results if each.layer == "firmware")
        return {each.setting: each.state for each in of_firmware if each.state != "not-compared"}

    def asks_only(self) -> bool:
        """Whether what is done to the iDRAC has changed nothing."""
        changing = ("set ", "jobqueue create", "jobqueue delete", "clearpending", "serveraction")
        return not [line for line in self.idrac.lines("log") if line.startswith(changing)]

    def forget(self) -> None:
        """Empty the log of the iDRAC."""
        self.idrac.write("log")

    def is_as_before(self) -> bool:
        """Whether the BIOS is as it was, and will be after a restart."""
        return (self.idrac.current(), self.idrac.pending(), self.idrac.jobs()) == (self.before, {}, [])


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Such a server, as it was delivered."""
    return Desk(tmp_path)


def quiet(ran: Ran) -> bool:
    """Whether a run had nothing to do."""
    return (ran.status, changes(ran.said)) == (0, set())


def test_a_dry_run_shows_the_part_and_changes_nothing(desk: Desk) -> None:
    dry = desk.runs("--noop")
    assert (dry.status, BIOS in changes(dry.said)) == (0, True), dry.said
    assert desk.asks_only()
    assert desk.is_as_before()


def test_a_run_stages_a_job_and_the_next_ones_wait_for_the_restart(desk: Desk) -> None:
    first = desk.runs()
    assert first.status == 2, first.said
    assert PENDING in first.said
    assert desk.idrac.pending()["ProcCores"] == "12"
    assert len(desk.idrac.jobs()) == 1
    assert "racadm: not as planned; a restart is pending\n" in desk.status().said
    assert desk.states()["cores-per-processor"] == "pending"
    assert (desk.status("--restart").status, PENDING in desk.status("--restart").said) == (3, True)

    desk.forget()
    second = desk.runs()
    assert quiet(second), second.said
    assert "a restart is pending" not in second.said
    dry = desk.runs("--noop")
    assert (quiet(dry), desk.asks_only()) == (True, True), dry.said

    desk.idrac.restart()
    third = desk.runs()
    assert (quiet(third), desk.asks_only()) == (True, True), third.said
    assert desk.idrac.current()["ProcCores"] == "12"
    assert set(desk.states().values()) == {"ok"}
    assert "racadm: as planned\n" in desk.status().said
    assert PENDING not in desk.status("--restart").said
    assert desk.machine.read("/state/restarts") == ""
    assert not (desk.idrac.state / "restart").exists()


@pytest.mark.repeated  # by what the program does on its own: test_racadm_regularly
def test_what_drifts_is_staged_again(desk: Desk) -> None:
    desk.runs()
    desk.idrac.restart()
    desk.idrac.write(
        "groups/ProcSettings",
        *(
            line.replace("LogicalProc|Disabled", "LogicalProc|Enabled")
            for line in desk.idrac.lines("groups/ProcSettings")
        ),
    )
    assert "racadm: not as planned\n" in desk.status().said
    again = desk.runs()
    assert changes(again.said) == {BIOS, "Exec[setpoint: restart]"}, again.said
    assert desk.idrac.pending() == {"LogicalProc": "Disabled"}


@pytest.mark.repeated  # by what the program does on its own: test_racadm_regularly
def test_what_the_firmware_takes_only_after_the_restart_is_staged_by_the_next_run(desk: Desk) -> None:
    desk.idrac.write("strict")
    first = desk.runs()
    assert (first.status, PENDING in first.said) == (2, True), first.said
    assert "ProcTurboMode" not in desk.idrac.pending()
    assert "racadm: not as planned; a restart is pending\n" in desk.status().said
    assert quiet(desk.runs())
    desk.idrac.restart()
    second = desk.runs()
    assert (BIOS in changes(second.said), PENDING in second.said) == (True, True), second.said
    assert quiet(desk.runs())
    desk.idrac.restart()
    assert quiet(desk.runs())
    assert set(desk.states().values()) == {"ok"}

    assert desk.rolls_back().status == 2
    desk.idrac.restart()
    assert desk.is_as_before()


def test_a_rollback_restores_what_was_there_before_the_first_plan(desk: Desk) -> None:
    desk.runs()
    desk.idrac.restart()
    desk.plan(8)
    dry = desk.runs("--noop")
    assert f"{BIOS}: Would have triggered 'refresh'" in dry.said, dry.said
    assert desk.runs().status == 2
    desk.idrac.restart()
    assert desk.idrac.current()["ProcCores"] == "8"

    desk.forget()
    dry = desk.rolls_back("--noop")
    assert (BACK in changes(dry.said), desk.asks_only()) == (True, True), dry.said
    back = desk.rolls_back()
    assert (back.status, PENDING in back.said) == (2, True), back.said
    assert (desk.status("--restart").status, PENDING in desk.status("--restart").said) == (3, True)
    again = desk.rolls_back()
    assert quiet(again), again.said
    desk.idrac.restart()
    assert desk.is_as_before()
    assert quiet(desk.rolls_back())
    assert "racadm: rolled back\n" in desk.status().said
    assert PENDING not in desk.status("--restart").said


@pytest.mark.repeated  # by what the program does on its own: test_racadm_regularly
def test_a_rollback_that_needs_two_restarts_goes_on_after_the_first(tmp_path: Path) -> None:
    desk = Desk(tmp_path, cores=4, server=R740)
    one_processor = "manage_firmware => true, pass_over => ['sockets']"
    first = desk.runs(more=one_processor)
    assert first.status == 2, first.said
    desk.idrac.restart()
    assert set(desk.states().values()) == {"ok"}
    for restart in ("first", "second"):
        back = desk.rolls_back(more=one_processor)
        assert (back.status, PENDING in back.said) == (2, True), back.said
        again = desk.rolls_back(more=one_processor)
        assert quiet(again), again.said
        is_back = "racadm: rolled back\n" in desk.status().said
        assert is_back is (restart == "second")
        assert desk.status("--restart").status == 3
        desk.idrac.restart()
    assert desk.is_as_before()
    assert quiet(desk.rolls_back(more=one_processor))
    assert PENDING not in desk.status("--restart").said


@pytest.mark.repeated  # by what the program does on its own: test_racadm_regularly
def test_before_the_restart_a_rollback_deletes_the_job(desk: Desk) -> None:
    desk.runs()
    back = desk.rolls_back()
    assert BACK in changes(back.said), back.said
    assert desk.is_as_before()
    assert PENDING not in back.said
    assert quiet(desk.rolls_back())


def test_a_job_of_somebody_else_fails_the_run_and_keeps_the_bios_as_it_is(desk: Desk) -> None:
    desk.idrac.write("jobs", "JID_1|Scheduled|Configure: BIOS.Setup.1-1|JCP001")
    desk.forget()
    ran = desk.runs()
    assert (ran.status, desk.asks_only()) == (6, True), ran.said
    assert "a job for the BIOS is open, and there can be only one: JID_1 Scheduled" in ran.said
    assert desk.machine.read("/state/tuned/active") == "setpoint-desk\n", "the other parts go on"
    desk.idrac.write("jobs")
    assert changes(desk.runs().said) >= {BIOS}
    assert desk.idrac.pending()["ProcCores"] == "12"


def test_a_value_that_the_server_refuses_fails_the_run_and_nothing_stays_staged(tmp_path: Path) -> None:
    desk = Desk(tmp_path, cores=20)
    ran = desk.runs()
    assert ran.status == 6, ran.said
    assert "could not stage ProcCores=20: ERROR: RAC1011" in ran.said
    assert "all settings are as they were before this run" in ran.said
    assert desk.is_as_before()
    assert "racadm: not as planned\n" in desk.status().said
    desk.idrac.accept("ProcCores", "All", "20")
    assert BIOS in changes(desk.runs().said)
    assert desk.idrac.pending()["ProcCores"] == "20"


@pytest.mark.repeated  # by what the program does on its own: test_racadm_regularly
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_run_that_is_killed_is_completed_by_the_next(desk: Desk, when: str) -> None:
    desk.machine.interrupt(RACADM)
    desk.machine.put("/state/kill", f"{when}\nracadm jobqueue create\n")
    killed = desk.runs()
    assert killed.status in (4, 6), killed.said
    assert (desk.machine.root / "var/lib/setpoint/racadm.journal").exists()
    (desk.machine.root / "state/kill").unlink()
    # After: the job was made, though nobody heard of it.
    waits = "; a restart is pending" if when == "after" else ""
    assert f"racadm: not as planned{waits}\n" in desk.status().said
    ran = desk.runs()
    assert BIOS in changes(ran.said), ran.said
    assert len(desk.idrac.jobs()) == 1
    assert quiet(desk.runs())
    desk.idrac.restart()
    assert set(desk.states().values()) == {"ok"}
    desk.rolls_back()
    desk.idrac.restart()
    assert desk.is_as_before()


def test_the_bios_of_another_server_is_not_touched(desk: Desk) -> None:
    """The program asks the iDRAC, whatever the facts say."""
    lines = [
        line.replace("PowerEdge R750", "PowerEdge R650") for line in desk.idrac.lines("groups/SysInformation")
    ]
    desk.idrac.write("groups/SysInformation", *lines)
    ran = desk.runs()
    assert (ran.status, desk.asks_only()) == (6, True), ran.said
    assert "this server reports the product PowerEdge R650, and the policy states platform r750" in ran.said
    assert "racadm: cannot tell\n" in desk.status().said
    assert BIOS in changes(desk.runs(more="manage_firmware => true, pass_over => ['product']").said)


def test_without_racadm_the_run_fails_and_the_status_says_what_to_do(desk: Desk) -> None:
    desk.machine.hide(RACADM)
    ran = desk.runs()
    assert ran.status == 6, ran.said
    assert f"setpoint-host: no /{RACADM} here" in ran.said
    status = desk.status()
    assert f"no /{RACADM} here" in status.said
    assert "racadm: cannot tell\n" in status.said
    assert "racadm: cannot tell\n" in desk.status("--restart").said
    assert set(desk.states().values()) == {"unreadable"}


def test_a_site_names_its_racadm(desk: Desk) -> None:
    desk.machine.put("/usr-local/racadm", desk.machine.read(f"/{RACADM}"), mode=0o755)
    desk.machine.hide(RACADM)
    ran = desk.runs(more="manage_firmware => true, racadm => '/usr-local/racadm'")
    assert BIOS in changes(ran.said), ran.said
    assert "racadm: not as planned; a restart is pending\n" in desk.status().said


def test_unless_a_site_says_so_the_bios_is_left_to_redfish(desk: Desk) -> None:
    desk.machine.hide(RACADM)
    ran = desk.runs(more="folder => '/var/lib/setpoint/puppet'")
    assert (ran.status, BIOS in changes(ran.said)) == (2, False), ran.said
    assert "racadm" not in desk.status().said


MIXED = """
policy mixed {
    goal latency;
    for group old { platform r710; os rhel 6.4; }
    for group new { platform r750; os rhel 9; }
}
"""


def test_a_module_for_servers_with_and_without_an_idrac_has_the_plan_of_each(tmp_path: Path) -> None:
    (tmp_path / "mixed.tune").write_text(MIXED, encoding="utf-8")
    made = setpoint("compile", str(tmp_path / "mixed.tune"), "-o", str(tmp_path / "out"))
    assert made.status == 0, made.err
    modules = tmp_path / "out" / "mixed" / "puppet"
    assert run("puppet-lint", "--fail-on-warnings", modules) == (0, "")
    compiler = Compiler(modules)
    commands = {}
    for group, facts in {
        "old": system("RedHat", "6", "PowerEdge R710"),
        "new": system("RedHat", "9", "PowerEdge R750"),
    }.items():
        code = (
            f"class {{ 'setpoint_mixed': group => '{group}', "
            "manage_firmware => true, setup_password_file => '/root/bios' }"
        )
        one = compiler.compile(code, facts).of("Exec")["setpoint: BIOS settings"]
        commands[group] = (one["environment"][-2:], one["command"], one["unless"])
    host, state = "sh /var/lib/setpoint/puppet/setpoint-host", " --state /var/lib/setpoint"
    old, new = (f"/var/lib/setpoint/puppet/{tool}.plan{state}" for tool in ("syscfg", "racadm"))
    tools = ["RACADM=/opt/dell/srvadmin/sbin/racadm", "SYSCFG=/opt/dell/toolkit/bin/syscfg"]
    password = 'SETPOINT_SETUP_PASSWORD="$(head -n 1 /root/bios)" '
    assert commands == {
        "old": (
            tools,
            f"{password}{host} apply {old}",
            f"{host} next {old}",
        ),
        "new": (
            tools,
            f"{host} apply {new} --accept-pending",
            f"{host} verify {new} --accept-pending",
        ),
    }
