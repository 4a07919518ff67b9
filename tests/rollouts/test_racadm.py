"""Plans of racadm, carried out against a stand-in of the tool: what an operator sees, and what the server then has."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from consumers.racadm import Idrac, Run, from_registry
from registries import document
from setpoint.compiler.plan.model import Plan
from setpoint.targets.racadm import TARGET
from setpoint.targets.redfish import TARGET as REDFISH
from support.host import words_of
from support.machines import GOALS, MACHINES, R630, R720, R740, R750, Machine, attributes_of
from support.plans import HOSTILE, because, planned
from support.transitions import end_state

REGISTRY = {
    "SysProfileSettings": "CollaborativeCpuPerfCtrl CpuInterconnectBusLinkPower EnergyEfficientTurbo EnergyPerformanceBias "
    "MemFrequency MemPatrolScrub MemRefreshRate MemVolt MonitorMwait PcieAspmL1 Proc1TurboCoreNum Proc2TurboCoreNum ProcC1E "
    "ProcCStates ProcPwrPerf ProcTurboMode SysProfile UncoreFrequency WriteDataCrc",
    "ProcSettings": "ControlledTurbo CpuInterconnectBusSpeed DcuIpPrefetcher DcuStreamerPrefetcher DynamicCoreAllocation "
    "LogicalProc ProcAdjCacheLine ProcConfigTdp ProcCores ProcExecuteDisable ProcHwPrefetcher ProcVirtualization ProcX2Apic QpiSpeed "
    "RtidSetting SubNumaCluster",
    "MemSettings": "CorrEccSmi MemOpMode MemTest NodeInterleave SnoopMode",
    "IntegratedDevices": "IoNonPostedPrefetch MemoryMappedIOH MmioAbove4Gb SriovGlobalEnable",
    "SysSecurity": "IntelTxt",
}
"""`GroupName` of these attributes in Dell's registry: dell/omsdk @ 7d7ff3d, omdrivers/iDRAC/xml/BIOS.xml."""

PUBLISHED = {
    "UpiPrefetch": "ProcSettings",  # tin6150/psg, script/hpc/racadmSetBios.sh
    "MadtCoreEnumeration": "ProcSettings",  # commands for a server with two 28-core processors
    "ControlledTurbo": "DellControlledTurbo",  # answer of a server: [Key=BIOS.Setup.1-1#DellControlledTurbo]
}
"""Groups on the 15th generation, from published commands and answers; the registry is older."""

CASES = [pytest.param(m, g, id=f"{m}-{g}") for m, g in product(MACHINES, GOALS)]
PASSWORD = "s3cret"


def text_of(policy: Plan) -> str:
    """The text of the plan for the program for hosts."""
    program, plan = TARGET.emit(policy).artifacts
    assert (program.path, plan.path, plan.mode) == ("host/setpoint-host", "racadm/racadm.plan", 0o644)
    return plan.text


def table(policy: Plan) -> list[list[str]]:
    """The options in it, a list of words each."""
    lines = [line.split(" #")[0].split() for line in text_of(policy).splitlines()]
    return [words for words in lines if words and words[0] in ("open", "first", "want", "held")]


class Operator:
    """Somebody at an iDRAC, with a plan."""

    def __init__(self, folder: Path, machine: Machine, policy: str, **current: str) -> None:
        self.idrac = at(folder / "idrac", machine, **current)
        self.before = self.idrac.current()
        self.text = text_of(machine.plan(policy))

    def runs(self, *args: str, **kwargs: Any) -> Run:
        """Run the program with it."""
        return self.idrac.run(self.text, *args, **kwargs)

    def changes(self) -> list[str]:
        """The calls that change something."""
        return [
            line for line in self.idrac.lines("log") if line.startswith(("set ", "clear", "jobqueue create"))
        ]

    def saved(self) -> set[str]:
        """The files that runs left behind."""
        return {path.name for path in self.idrac.kept.glob("*")} - {"racadm.lock"}


def at(folder: Path, machine: Machine, **current: str) -> Idrac:
    """A captured server."""
    return from_registry(
        folder, machine.capture, machine.registry(), ignore_lockdown=machine.lockdown, **current
    )


@pytest.fixture
def at_r720(tmp_path: Path) -> Operator:
    """An operator at the captured R720, which stands at DAPC, with the plan for low latency: a custom profile."""
    return Operator(tmp_path, R720, "goal latency")


# ------------------------------------------------------------------------------------------ on every server, every goal


def test_every_group_has_a_source_and_without_one_racadm_does_not_set_the_attribute() -> None:
    registry = {name: group for group, names in REGISTRY.items() for name in names.split()}
    for machine in MACHINES:
        stated = registry | (PUBLISHED if machine == R750 else {})
        for attribute in attributes_of(machine.generation).values():
            contradicted = (machine, attribute.name) == (R630, "CpuInterconnectBusLinkPower")
            group = "" if contradicted else stated.get(attribute.name, "")
            known = f"BIOS.{group}.{attribute.name}" if group else ""
            assert attribute.racadm == known, (machine.generation, attribute.name)


@pytest.mark.parametrize(("machine", "goal"), CASES)
def test_what_the_table_says_is_what_the_server_has_where_its_menu_has_it(
    machine: Machine, goal: str
) -> None:
    plan = machine.plan(f"goal {goal}")
    registry = machine.registry()
    for kind, _, option, value, *_ in table(plan):
        bios, group, name = option.split(".")
        assert bios == "BIOS"
        assert registry.attributes[name].objection(value) is None, (kind, name)
        entry = [one for one in entries(machine) if one["AttributeName"] == name]
        assert [one["MenuPath"].rpartition("/")[2] for one in entry] == [f"{group}Ref"]


def entries(machine: Machine) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document(machine.capture, "BiosRegistry")["RegistryEntries"]["Attributes"]
    return found


COVERING = {(R720, "latency"), (R630, "density"), (R740, "latency"), (R750, "performance")}
"""A custom profile; two restarts there; two restarts back; a named profile that brings its members."""


@pytest.mark.parametrize(("machine", "goal"), CASES)
def test_applied_it_holds_applied_again_it_changes_nothing_rolled_back_all_is_as_before(
    tmp_path: Path, machine: Machine, goal: str, complete: bool
) -> None:
    if not complete and (machine, goal) not in COVERING:
        pytest.skip("another case goes the same ways; --complete runs all")
    operator = Operator(tmp_path, machine, f"goal {goal}", LogicalProc="Disabled")
    tried = operator.runs("try")
    assert tried.status == (0 if tried.out == "nothing to stage\n" else 3)
    assert (operator.changes(), operator.idrac.kept.exists()) == ([], False)

    run = operator.runs()
    operator.idrac.restart()
    if run.status == 3:  # What must be right before the rest has a restart of its own.
        assert "Run this again then" in run.err
        run = operator.runs()
        operator.idrac.restart()
    assert run.status == 0, run
    plan = machine.plan(f"goal {goal}")
    (expected,) = [one.text for one in REDFISH.emit(plan).artifacts if one.path.endswith("expected.json")]
    wanted = end_state(json.loads(expected))
    assert {name: operator.idrac.current()[name] for name in wanted} == wanted
    assert operator.runs("verify").status == 0

    changes = operator.changes()
    assert operator.runs().out == "nothing to stage\n"
    assert operator.changes() == changes

    back = operator.runs("undo")
    if not changes:  # The server stood so before: no run has kept anything.
        assert back.status == 0
        assert back.out.startswith(
            f"nothing to put back: no old values of racadm are kept in {operator.idrac.kept}. "
        )
        return
    operator.idrac.restart()
    if back.status == 3:
        assert "run `undo` again then" in back.err
        back = operator.runs("undo")
        operator.idrac.restart()
    assert back.status == 0, back
    assert operator.idrac.current() == operator.before
    assert operator.saved() == set()
    assert not (operator.idrac.state / "restart").exists()
    again = operator.runs("undo")
    assert (again.status, again.out.startswith("nothing to put back: ")) == (0, True)


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_all_that_is_written_is_carried_but_where_racadms_group_is_not_known(machine: Machine) -> None:
    plan = machine.plan("goal latency")
    emission = TARGET.emit(plan)
    left = {"dynamic-load-line": "no source says in which group racadm has PwrPerfSwitch on r750"}
    assert emission.left_out == (left if machine is R750 else {})
    written = {d.setting for d in plan.written if d.layer == "firmware"}
    assert emission.expressed == written - emission.left_out.keys()


def test_there_are_lines_of_each_kind() -> None:
    assert {row[0] for row in table(R740.plan("goal balanced"))} == {"open", "first", "want", "held"}


def test_a_line_has_setting_option_value_and_reason() -> None:
    text = text_of(R720.plan('goal latency; set turbo on because "feed handler, PERF-212"'))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "want smt BIOS.ProcSettings.LogicalProc Disabled # dell-12g-tuning, Table 2" in lines
    assert (
        "want turbo BIOS.SysProfileSettings.ProcTurboMode Enabled SysProfile=Custom # set: feed handler, PERF-212"
        in lines
    )


def test_what_must_be_right_before_stands_first() -> None:
    rows = table(R740.plan("goal balanced"))
    assert rows[0] == ["open", "-", "BIOS.SysProfileSettings.SysProfile", "Custom"]
    kinds = [row[0] for row in rows[1:]]
    assert kinds == sorted(kinds, key=("first", "want", "held").index)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_change_nothing(text: str) -> None:
    plain, said = (
        words_of(text_of(because(R720.plan("goal latency"), words))) for words in ("plain words", text)
    )
    assert plain == said


def test_where_racadm_cannot_help_the_reason_is_said() -> None:
    assert TARGET.unsupported_reason(planned("goal latency; platform r710")) == (
        "the BIOS attributes of r710 are not known to racadm"
    )
    assert "states no platform" in TARGET.unsupported_reason(planned("goal latency; os rhel 6.4"))
    assert TARGET.emit(R720.plan("goal latency")._replace(settings=())).artifacts == ()
    windows = planned("goal latency; platform r720; os windows-server-2012")
    assert TARGET.unsupported_reason(windows) == "", "an iDRAC does not mind what runs on its server"


# ------------------------------------------------------------------------------------------- staged, and in effect


def states(run: Run) -> dict[str, tuple[str, str | None, str | None]]:
    """The results of `--verify --json`."""
    document = json.loads(run.out)
    assert (document["schema"], document["host"]) == ("setpoint.verify/1", "c042")
    assert {one["layer"] for one in document["results"]} == {"firmware"}
    return {one["setting"]: (one["state"], one["found"], one["pending"]) for one in document["results"]}


def test_what_is_staged_is_pending_until_the_restart(at_r720: Operator) -> None:
    assert at_r720.runs().status == 0
    run = at_r720.runs("verify", "--json")
    assert run.status == 3
    assert states(run)["c-states"] == ("pending", "Enabled", "Disabled")
    assert states(run)["memory-mode"] == ("ok", "OptimizerMode", None)
    at_r720.idrac.restart()
    run = at_r720.runs("verify", "--json")
    assert (run.status, {state for state, *_ in states(run).values()}) == (0, {"ok"})


def test_an_idrac_that_shows_staged_values_as_current_deceives_nobody(at_r720: Operator) -> None:
    at_r720.idrac.write("early")
    assert at_r720.runs().status == 0
    run = at_r720.runs("verify", "--json")
    assert run.status == 3
    assert states(run)["c-states"] == ("pending", "Disabled", None)
    assert at_r720.runs().out == "nothing to stage: job JID_378288740486 waits for the restart\n"
    assert at_r720.runs("undo").status == 0
    assert at_r720.idrac.pending() == {}


def test_what_a_named_profile_fixes_is_pending_with_it_and_locked_without(tmp_path: Path) -> None:
    operator = Operator(tmp_path, R720, "goal performance")
    assert states(operator.runs("verify", "--json"))["c-states"] == ("locked", "Enabled", None)
    assert operator.runs().status == 0
    assert states(operator.runs("verify", "--json"))["c-states"] == ("pending", "Enabled", None)
    assert not [line for line in operator.changes() if "ProcCStates" in line]


def test_what_is_staged_over_a_right_value_differs(at_r720: Operator) -> None:
    at_r720.idrac.stage(MemOpMode="MirrorMode")
    assert states(at_r720.runs("verify", "--json"))["memory-mode"] == (
        "differs",
        "OptimizerMode",
        "MirrorMode",
    )


def test_a_job_that_failed_is_named_with_its_message(at_r720: Operator) -> None:
    at_r720.runs()
    (job,) = at_r720.idrac.lines("jobs")
    at_r720.idrac.write(
        "jobs",
        job.replace("Scheduled", "Failed").replace("JCP001: Task successfully scheduled.", "PR21: Failed"),
    )
    at_r720.idrac.stage(**dict.fromkeys(at_r720.idrac.pending(), ""))
    run = at_r720.runs("verify")
    assert run.status == 3
    assert "job JID_378288740486: Failed: [PR21: Failed]\n" in run.err


def test_an_attribute_that_the_server_does_not_have_is_unreadable_and_stops_the_run(
    at_r720: Operator,
) -> None:
    lines = [
        line for line in at_r720.idrac.lines("groups/SysProfileSettings") if not line.startswith("MemVolt|")
    ]
    at_r720.idrac.write("groups/SysProfileSettings", *lines)
    run = at_r720.runs()
    assert (run.status, at_r720.changes()) == (4, [])
    assert "the server does not show MemVolt\n" in run.err
    assert states(at_r720.runs("verify", "--json"))["memory-voltage"] == ("unreadable", None, None)


@pytest.mark.parametrize("old", ["two words", ""])
def test_an_old_value_that_could_not_be_put_back_stops_the_run(tmp_path: Path, old: str) -> None:
    operator = Operator(tmp_path, R720, "goal latency", LogicalProc=old)
    run = operator.runs()
    assert run.status == 4
    assert (
        f"nothing was changed: the old value of LogicalProc could not be put back: it is '{old}'" in run.err
    )
    assert operator.changes() == []
    assert operator.saved() == set()


def test_an_idrac_that_does_not_answer_makes_every_setting_unreadable(at_r720: Operator) -> None:
    run = at_r720.runs("verify", "--json", fault="fails", at=1)
    assert run.status == 4
    assert {state for state, *_ in states(run).values()} == {"unreadable"}


# --------------------------------------------------------------------------------------------- somebody else's work


def test_staged_values_of_somebody_else_stop_it_by_name(at_r720: Operator) -> None:
    at_r720.idrac.stage(BootMode="Uefi")
    for verb in ("apply", "try"):
        assert at_r720.runs(verb).status == 7
    assert "somebody else has staged values, and no job: BootMode=Uefi\n" in at_r720.runs().err
    assert at_r720.changes() == []


def test_they_can_be_set_with_ours_if_somebody_says_so(at_r720: Operator) -> None:
    at_r720.idrac.stage(ProcExecuteDisable="Disabled")
    assert at_r720.runs().status == 7
    assert at_r720.runs(env={"SETPOINT_IGNORE": "staged"}).status == 0
    at_r720.idrac.restart()
    assert at_r720.idrac.current()["SysProfile"] == "Custom"


def test_with_theirs_staged_a_failure_clears_nothing_and_says_so(at_r720: Operator) -> None:
    at_r720.idrac.stage(ProcTurboMode="Disabled")
    run = at_r720.runs(env={"SETPOINT_IGNORE": "staged"}, fault="fails", at=12)
    assert run.status == 6, run
    assert "somebody else are staged, too, and would be cleared: ProcTurboMode=Disabled\n" in run.err


@pytest.mark.parametrize("status", ["Scheduled", "Running", "New"])
def test_an_open_job_of_somebody_else_stops_it_by_name(at_r720: Operator, status: str) -> None:
    at_r720.idrac.write(
        "jobs", f"JID_1|{status}|Configure: BIOS.Setup.1-1|JCP001: Task successfully scheduled."
    )
    run = at_r720.runs()
    assert (run.status, at_r720.changes()) == (7, [])
    assert f"JID_1 {status} Configure: BIOS.Setup.1-1\n" in run.err


def test_jobs_for_other_devices_and_ended_ones_are_none_of_its_business(at_r720: Operator) -> None:
    at_r720.idrac.write(
        "jobs",
        "JID_1|Completed|Configure: BIOS.Setup.1-1|PR19: Job completed successfully.",
        "JID_2|Scheduled|Configure: RAID.Integrated.1-1|JCP001",
    )
    assert at_r720.runs().status == 0


def test_a_job_of_an_earlier_policy_is_not_taken_for_this_ones(tmp_path: Path, at_r720: Operator) -> None:
    at_r720.runs()
    other = text_of(R720.plan("goal balanced"))
    run = at_r720.idrac.run(other)
    assert run.status == 7
    assert "it does not set: BIOS.SysProfileSettings.SysProfile=" in run.err


def test_only_the_bios_job_of_the_last_run_is_deleted(at_r720: Operator) -> None:
    at_r720.runs()
    jobs = at_r720.idrac.lines("jobs")
    at_r720.idrac.write("jobs", jobs[0].replace("JID_378288740486", "JID_9"))
    assert at_r720.runs("undo").status == 7
    at_r720.idrac.write("jobs", jobs[0].replace("Scheduled", "Running"))
    assert at_r720.runs("undo").status == 7


# -------------------------------------------------------------------------------------------------- what may restart


@pytest.mark.parametrize(
    ("kind", "made"), [("graceful", "graceful"), ("forced", "forced"), ("powercycle", "pwrcycle")]
)
def test_a_restart_is_asked_for_only_by_name(at_r720: Operator, kind: str, made: str) -> None:
    assert at_r720.runs("apply", "--restart", kind).status == 0
    assert at_r720.idrac.lines("restart") == [made]
    (create,) = [line for line in at_r720.idrac.lines("log") if "create" in line]
    assert create == f"jobqueue create BIOS.Setup.1-1 -r {made} -s TIME_NOW -e TIME_NA"


def test_without_it_none_is(at_r720: Operator) -> None:
    at_r720.runs()
    assert "jobqueue create BIOS.Setup.1-1 -r none" in at_r720.idrac.lines("log")
    assert not [line for line in at_r720.idrac.lines("log") if "serveraction" in line]


def test_a_server_that_is_off_is_not_started(at_r720: Operator) -> None:
    at_r720.idrac.write("off")
    run = at_r720.runs("apply", "--restart", "powercycle")
    assert (run.status, at_r720.changes()) == (4, [])
    assert "the server is off, and this program does not start it: nothing was changed\n" in run.err


# ------------------------------------------------------------------------------------------------ dependencies


def test_where_the_idrac_looks_at_what_is_in_effect_a_second_run_does_the_rest(at_r720: Operator) -> None:
    at_r720.idrac.write("strict")
    run = at_r720.runs()
    assert run.status == 3
    assert "these can be written only after that restart: ProcPwrPerf " in run.err
    assert at_r720.idrac.pending() == {"SysProfile": "Custom", "LogicalProc": "Disabled"} or "SysProfile" in (
        at_r720.idrac.pending()
    )
    at_r720.idrac.restart()
    assert at_r720.runs().status == 0
    at_r720.idrac.restart()
    assert at_r720.runs("verify").status == 0
    # Both runs are taken back together.
    assert at_r720.saved() == {"racadm.rollback.1"}
    for _ in range(2):
        at_r720.runs("undo")
        at_r720.idrac.restart()
    assert at_r720.idrac.current() == at_r720.before


def test_a_value_that_is_refused_for_another_reason_takes_everything_back(at_r720: Operator) -> None:
    at_r720.idrac.accept("ProcCStates", "Enabled")
    run = at_r720.runs()
    assert run.status == 4
    assert "could not stage ProcCStates=Disabled: ERROR: RAC1011" in run.err
    assert run.err.endswith(
        "what this run had staged is cleared: all settings are as they were before this run\n"
    )
    assert (at_r720.idrac.pending(), at_r720.idrac.jobs(), at_r720.saved()) == ({}, [], set())


# -------------------------------------------------------------------------------------------------- which server


def test_another_server_is_refused(at_r720: Operator) -> None:
    run = at_r720.idrac.run(text_of(R750.plan("goal latency")))
    assert run.status in (4, 5)
    other = at_r720.idrac.run(text_of(planned("goal latency; platform r620; sockets 1")))
    assert (other.status, at_r720.changes()) == (5, [])
    assert "this server reports the product PowerEdge R720, and the policy states platform r620" in other.err


def test_the_idrac_says_of_which_server_it_is(at_r720: Operator) -> None:
    run = at_r720.runs("identify")
    assert (run.status, run.out) == (0, "this is a server that policy policy is for\n")
    assert (
        at_r720.idrac.run(text_of(planned("goal latency; platform r620; sockets 2")), "identify").status == 5
    )


def test_before_the_restart_next_tells_what_it_brings_and_status_what_can_be_undone(
    at_r720: Operator,
) -> None:
    assert at_r720.runs("next").status == 3
    assert at_r720.runs().status == 0
    run = at_r720.runs("next")
    assert (run.status, "pending    LogicalProc=" in run.out or "pending    SysProfile=" in run.out) == (
        0,
        True,
    )
    status = at_r720.runs("status")
    assert (status.status, "runs that can be undone: 1, the last of policy policy\n" in status.out) == (
        3,
        True,
    )
    at_r720.idrac.write("jobs")
    assert at_r720.runs("next").status == 3, "no restart sets what is in no job"


def test_sockets_are_counted(tmp_path: Path) -> None:
    run = Operator(tmp_path, R630, "goal latency").idrac.run(
        text_of(planned("goal latency; platform r630; sockets 1")), "verify", "--json"
    )
    assert run.status == 5
    assert "this server reports 2 processor sockets, and the policy states 1" in run.err
    assert {state for state, *_ in states(run).values()} == {"unreadable"}


def test_by_ssh_no_password_is_anywhere(at_r720: Operator) -> None:
    assert at_r720.runs("apply", "--ssh", "root@10.0.0.7").status == 0
    log = at_r720.idrac.lines("log")
    assert {line for line in log if line.startswith("ssh")} == {"ssh root@10.0.0.7"}
    assert {path.name for path in at_r720.idrac.kept.glob("*")} == {
        "racadm.10.0.0.7.lock",
        "racadm.10.0.0.7.rollback.1",
    }


def test_by_remote_racadm_the_password_is_not_shown(at_r720: Operator) -> None:
    remote = ("--host", "idrac-7", "--user", "root")
    assert "needs SETPOINT_IDRAC_PASSWORD" in at_r720.runs("apply", *remote).err
    right = {"SETPOINT_IDRAC_PASSWORD": PASSWORD, "RACADM_PASSWORD": PASSWORD}
    run = at_r720.runs("apply", *remote, env=right)
    assert run.status == 0, run
    assert PASSWORD not in run.out + run.err
    wrong = at_r720.runs("verify", *remote, env={**right, "RACADM_PASSWORD": "other"})
    assert (wrong.status, "Login failed" in wrong.err, PASSWORD in wrong.err) == (4, True, False)


def test_a_certificate_that_cannot_be_checked_stops_it_unless_somebody_says_so(at_r720: Operator) -> None:
    at_r720.idrac.write("self-signed")
    env = {"SETPOINT_IDRAC_PASSWORD": PASSWORD, "RACADM_PASSWORD": PASSWORD}
    remote = ("verify", "--host", "idrac-7", "--user", "root")
    run = at_r720.runs(*remote, env=env)
    assert run.status == 4
    assert "(--insecure goes on without a valid certificate)" in run.err
    assert at_r720.runs(*remote, "--insecure", env=env).status == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ("apply", "--json"),
        ("apply", "--restart", "now"),
        ("verify", "--restart", "graceful"),
        ("try", "--restart", "graceful"),
        ("apply", "--host", "h"),
        ("apply", "--user", "root"),
        ("apply", "--ssh", "host"),
        ("apply", "--ssh", "-oProxyCommand=x@h"),
        ("apply", "--host", "a;b", "--user", "root"),
        ("apply", "--by", "grubby"),
        ("apply", "--dry-run"),
        ("try", "verify"),
        ("apply", "--state"),
        ("apply", "--restart"),
        ("once",),
    ],
)
def test_wrong_usage_is_told_and_changes_nothing(at_r720: Operator, arguments: tuple[str, ...]) -> None:
    assert at_r720.runs(*arguments).status == 2
    assert at_r720.idrac.lines("log") == []


def test_a_missing_tool_is_named(at_r720: Operator) -> None:
    run = at_r720.runs(env={"RACADM": "/nowhere/racadm"})
    assert (run.status, run.err) == (
        4,
        "setpoint-host: no /nowhere/racadm here (RACADM names another racadm)\n",
    )
