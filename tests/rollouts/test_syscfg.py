"""Plans of syscfg, carried out against a stand-in of the tool: what an operator sees, and what the server then has.

Dash runs it, and the matrix of servers and goals busybox, which needs half the computing time: it starts no processes
for the programs that it has built in.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from functools import cache
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consumers.requirement import require
from consumers.syscfg import STAND_IN, Run, Server, eleventh_generation, from_registry
from setpoint.compiler.plan.model import Plan
from setpoint.targets.syscfg import TARGET
from support.effort import examples
from support.host import PROGRAM, words_of
from support.machines import GOALS, MACHINES, R720, R740, R750, Machine, changed
from support.plans import HOSTILE, because, planned

BOOT_ID = "/proc/sys/kernel/random/boot_id"
LATENCY_11G = "goal latency; cpu westmere; workload comm-bound"
DASH: tuple[str, ...] = ("dash",)
BUSYBOX: tuple[str, ...] = ("busybox", "sh")

REPEATED = {(m, g) for m in MACHINES for g in ("throughput", "efficiency")} | {
    (R740, "density"),
    (R750, "density"),
}
"""Cases with the same profile as another goal on that server: custom, or one that is named."""

TRIED = {*product([R720], GOALS), *product(MACHINES, ["latency"])}
"""The cases that are tried by default, if they are not repeated: every profile on one server, and a custom one on
each."""

CASES = [
    pytest.param(m, g, id=f"{m}-{g}", marks=[] if (m, g) in TRIED - REPEATED else [pytest.mark.repeated])
    for m, g in product(MACHINES, GOALS)
]


def text_of(policy: Plan) -> str:
    """The text of the plan for the program for hosts."""
    program, plan = TARGET.emit(policy).artifacts
    assert (program.path, plan.path, plan.mode) == ("host/setpoint-host", "syscfg/syscfg.plan", 0o644)
    return plan.text


class Operator:
    """Somebody at a server, with a plan. The server's boot id is in a file, so that it can be restarted."""

    def __init__(self, server: Server, plan: Plan) -> None:
        self.server = server
        self.shell: tuple[str, ...] = DASH
        self.boot_id = server.folder / "boot_id"
        self.boot_id.write_text("boot-1\n", encoding="utf-8")
        self.program = PROGRAM.replace(BOOT_ID, str(self.boot_id))
        self.state = server.folder / "notes"
        self.turns_to(plan)

    def turns_to(self, plan: Plan) -> None:
        """Have this plan at hand from now on."""
        self.text = text_of(plan)

    def runs(self, verb: str = "apply", *args: str, **kwargs: Any) -> Run:
        """Run the program with the plan, its notes in a folder of the server's."""
        options = ("--state", str(self.state), *args)
        return self.server.carries_out(self.program, self.text, verb, *options, shell=self.shell, **kwargs)

    def restarts(self) -> None:
        """Restart the server."""
        self.server.reboot()
        self.boot_id.write_text(f"{self.boot_id.read_text(encoding='utf-8').strip()}+\n", encoding="utf-8")

    def sees(self) -> dict[str, str]:
        """What `verify` says of each option, by option."""
        lines = self.runs("verify").out.splitlines()
        found = [line.split(None, 1) for line in lines if not line.startswith("settings ")]
        return {rest.split("=")[0].split(":")[0]: verdict for verdict, rest in found}


def operator_at(folder: Path, machine: Machine, policy: str, **current: str) -> Operator:
    """An operator with the plan of a policy, at a captured server."""
    server = from_registry(folder / "server", machine.registry(), ignore_lockdown=machine.lockdown, **current)
    return Operator(server, machine.plan(policy))


@pytest.fixture
def old(tmp_path: Path) -> Operator:
    """An operator at an 11G server at its defaults, with the plan for low latency."""
    return Operator(eleventh_generation(tmp_path / "server"), planned(LATENCY_11G))


@pytest.fixture
def at_r720(tmp_path: Path) -> Operator:
    """An operator at the captured R720, which stands at DAPC, with the plan for low latency: a custom profile."""
    return operator_at(tmp_path, R720, "goal latency")


# ------------------------------------------------------------------------------------------ on every server, every goal


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_what_is_repeated_has_the_profile_of_another_case(machine: Machine) -> None:
    profiles = {goal: machine.plan(f"goal {goal}").value("system-profile") for goal in GOALS}
    tried = {profile for goal, profile in profiles.items() if (machine, goal) not in REPEATED}
    assert set(profiles.values()) == tried


@pytest.mark.parametrize(("machine", "goal"), CASES)
def test_applied_it_holds_applied_again_it_changes_nothing_rolled_back_all_is_as_before(
    tmp_path: Path, machine: Machine, goal: str
) -> None:
    operator = operator_at(
        tmp_path, machine, f"goal {goal}", LogicalProc="Disabled", ProcVirtualization="Disabled"
    )
    operator.shell = BUSYBOX
    before = operator.server.current()
    assert operator.runs("try").status == 3
    assert (operator.server.writes(), operator.server.pending(), operator.state.exists()) == (0, {}, False)

    assert operator.runs().status == 0
    writes = operator.server.writes()
    again = operator.runs()
    assert (again.status, again.out.splitlines()[0], operator.server.writes()) == (
        0,
        "nothing to change",
        writes,
    )
    assert operator.runs("try").status == 0

    operator.restarts()
    assert operator.server.current() != before
    assert set(operator.sees().values()) == {"ok"}

    assert operator.runs("undo").status == 0
    operator.restarts()
    assert operator.server.current() == before
    assert not [line for line in operator.server.log() if line.startswith("host:")]


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_all_that_the_plan_writes_is_carried(machine: Machine) -> None:
    plan = machine.plan("goal latency")
    emission = TARGET.emit(plan)
    assert emission.expressed == {d.setting for d in plan.written if d.layer == "firmware"}
    assert emission.left_out == {}


# -------------------------------------------------------------------------------------------------------- what it says


def test_a_line_has_option_value_and_reason() -> None:
    text = text_of(R720.plan('goal latency; set turbo on because "feed handler, PERF-212"'))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "want smt LogicalProc Disabled # dell-12g-tuning, Table 2" in lines
    assert "want turbo ProcTurboMode Enabled SysProfile=Custom # set: feed handler, PERF-212" in lines


def test_a_dry_run_says_what_would_be_set(at_r720: Operator) -> None:
    run = at_r720.runs("try")
    assert "would set SysProfile: PerfPerWattOptimizedDapc -> Custom\n" in run.out
    assert run.out.splitlines()[-1] == "settings that would be set: 7"


def test_verify_tells_right_from_wrong(at_r720: Operator) -> None:
    run = at_r720.runs("verify")
    assert run.status == 3
    assert "differs    ProcCStates=Enabled, wanted Disabled\n" in run.out
    assert "ok         MemOpMode=OptimizerMode\n" in run.out
    assert run.err == "setpoint-host: settings that differ: 7 (`verify` shows which)\n"


def test_verify_waits_for_the_restart(at_r720: Operator) -> None:
    at_r720.runs()
    for verb in (("verify",), ("status",), ("verify", "--json")):
        assert at_r720.runs(*verb).status == 3, verb
    run = at_r720.runs("verify")
    assert "pending    ProcCStates=Disabled, in effect from the next start on\n" in run.out
    assert run.out.splitlines()[-1].startswith("settings that wait for the next start: 7 ")
    assert run.err == ""
    at_r720.restarts()
    assert at_r720.sees()["ProcCStates"] == "ok"
    assert at_r720.runs("verify").status == 0


def test_next_is_what_was_set_and_status_what_can_be_undone(at_r720: Operator) -> None:
    assert at_r720.runs("next").status == 3
    at_r720.runs()
    assert at_r720.runs("next").status == 0
    assert "runs that can be undone: 1, the last of policy policy\n" in at_r720.runs("status").out


def test_what_a_named_profile_fixes_is_compared_and_never_set(tmp_path: Path) -> None:
    operator = operator_at(tmp_path, R720, "goal performance")
    assert operator.runs().status == 0
    assert operator.server.pending()["ProcTurboMode"] == "Enabled"
    assert "syscfg --ProcTurboMode" in operator.server.log()
    assert not [line for line in operator.server.log() if line.startswith("syscfg --ProcTurboMode=")]


def test_a_tool_that_shows_what_a_profile_fixes_only_after_the_restart(tmp_path: Path) -> None:
    """Whether the real one does is not known, so that both must work."""
    operator = operator_at(tmp_path, R720, "goal performance")
    for file in (operator.server.state / "forces").iterdir():
        file.unlink()
    assert operator.runs().status == 0
    assert operator.sees()["ProcCStates"] == "pending"
    operator.restarts()
    run = operator.runs()
    assert run.status == 3
    assert operator.sees()["ProcCStates"] == "differs"


def test_values_are_compared_as_the_tool_means_them(tmp_path: Path) -> None:
    operator = operator_at(tmp_path, R720, "goal latency")
    (operator.server.state / "current" / "LogicalProc").write_text("disable\n", encoding="utf-8")
    assert operator.sees()["LogicalProc"] == "ok"


# -------------------------------------------------------------------------------------------------- the 11th generation


def test_the_options_of_the_11th_generation_and_what_is_left_to_a_hand() -> None:
    emission = TARGET.emit(planned(LATENCY_11G))
    assert emission.expressed == {"cpu-power-management", "node-interleaving", "smt", "turbo", "c-states"}
    assert emission.left_out == {
        "c1e": "syscfg on poweredge-11g has no option for C1E",
        "data-reuse": "syscfg on poweredge-11g has no option for Data Reuse",
        "dcu-streamer-prefetcher": "syscfg on poweredge-11g has no option for DCU Streamer Prefetcher",
        "qpi-bandwidth-priority": "syscfg on poweredge-11g has no option for QPI Bandwidth Priority",
    }


def test_the_least_power_of_the_cpu_is_a_part_of_custom_that_the_tool_cannot_choose() -> None:
    plan = changed(planned(LATENCY_11G), "cpu-power-management", value="minimum-power")
    assert "not the CPU's part of it" in TARGET.emit(plan).left_out["cpu-power-management"]


def test_it_holds_after_the_restart(old: Operator) -> None:
    assert old.runs().status == 0
    assert old.server.pending() == {"power": "maxperformance", "logicproc": "disable", "cstates": "disable"}
    assert "syscfg power --profile=maxperformance --setuppwdoverride" in old.server.log()
    old.restarts()
    assert set(old.sees().values()) == {"ok"}


def test_the_power_profile_is_pending_until_the_restart(old: Operator) -> None:
    """The tool goes on showing the old profile, and the program knows better."""
    old.runs()
    assert old.server.syscfg("power").out == "profile=osctl\n"
    assert old.sees()["power"] == "pending"
    writes = old.server.writes()
    assert old.runs().out.splitlines()[0] == "nothing to change"
    assert old.server.writes() == writes


def test_a_power_profile_that_did_not_survive_the_restart_differs(old: Operator) -> None:
    old.runs()
    (old.server.state / "pending" / "power").unlink()
    old.restarts()
    assert old.sees()["power"] == "differs"
    assert old.runs("verify").status == 3
    assert "set power: osctl -> maxperformance\n" in old.runs().out


def test_a_rollback_before_the_restart_takes_back_the_power_profile_too(old: Operator) -> None:
    old.runs()
    assert old.runs("undo").status == 0
    assert old.server.pending()["power"] == "osctl"
    assert old.sees()["power"] == "differs"


def test_without_a_boot_id_it_cannot_wait_but_does_no_harm(old: Operator) -> None:
    old.boot_id.unlink()
    run = old.runs()
    assert run.status == 3
    assert old.server.pending()["power"] == "maxperformance"


# ---------------------------------------------------------------------------------------------------- when things fail


@pytest.mark.parametrize("write", range(1, 8))
def test_a_refused_write_stops_the_run_and_takes_back_what_it_changed(at_r720: Operator, write: int) -> None:
    at_r720.shell = BUSYBOX
    before = at_r720.server.current()
    run = at_r720.runs(fail_at=write)
    assert run.status == 4
    assert "could not set " in run.err
    assert run.err.endswith("all settings are as they were before this run\n")
    assert list(at_r720.state.glob("*rollback*")) == []
    at_r720.restarts()
    assert at_r720.server.current() == before


def test_a_write_that_is_reported_done_and_forgotten_is_noticed(old: Operator) -> None:
    run = old.runs(lose_at=2)
    assert run.status == 4
    assert "the tool reported success, but shows enable" in run.err
    old.restarts()
    assert old.server.current()["power"] == "osctl"


OWN_CUSTOM = {"SysProfile": "Custom", "ProcTurboMode": "Enabled", "ProcCStates": "Enabled"}


def failing(folder: Path, when: str) -> dict[str, str]:
    """An environment whose tool fails, as without its data manager, at the calls whose number fits `when`."""
    tool = folder / "failing"
    tool.write_text(
        "#!/bin/sh\n"
        f"printf x >>{folder}/calls\n"
        f'if [ "$(wc -c <{folder}/calls)" {when} ]; then echo "Unable to connect data manager"; exit 1; fi\n'
        f'exec {STAND_IN} "$@"\n',
        encoding="utf-8",
    )
    tool.chmod(0o755)
    return {"SYSCFG": str(tool)}


def keeps_its_word(operator: Operator, run: Run, before: dict[str, str]) -> None:
    """Whatever a failed run says, it is so; and what it could not put back, a rollback can."""
    if run.err.endswith("all settings are as they were before this run\n"):
        assert run.status == 4
        assert list(operator.state.glob("*rollback*")) == []
    elif "nothing was changed" in run.err:
        assert (run.status, operator.server.writes()) == (4, 0)
    else:
        assert run.status == 6
        assert (
            "it is NOT known whether all settings are as they were" in run.err
            or "settings changed: " in run.out
        )
        assert operator.runs("undo").status == 0
    operator.restarts()
    assert operator.server.current() == before


@pytest.mark.parametrize(
    "call", [n if n % 3 == 1 else pytest.param(n, marks=pytest.mark.repeated) for n in range(1, 21)]
)
def test_whichever_call_is_the_last_that_works(old: Operator, tmp_path: Path, call: int) -> None:
    """What happens when one call alone fails is in test_syscfg_faults.py."""
    before = old.server.current()
    run = old.runs(env=failing(tmp_path, f"-ge {call}"))
    assert "srvadmin-services.sh start" in run.err
    keeps_its_word(old, run, before)


@pytest.mark.parametrize(
    "call", [pytest.param(n, marks=[] if n % 2 else [pytest.mark.repeated]) for n in range(23, 47, 3)]
)
def test_members_that_cannot_be_put_back_are_not_passed_over(tmp_path: Path, call: int) -> None:
    """They go back only under Custom, and whether the server is at Custom cannot be read either."""
    operator = operator_at(tmp_path, R720, "goal latency", **OWN_CUSTOM)
    operator.shell = BUSYBOX
    before = operator.server.current()
    run = operator.runs(env=failing(tmp_path, f"-ge {call}"))
    assert "could not put back ProcTurboMode to Enabled" in run.err or operator.server.writes() == 0
    keeps_its_word(operator, run, before)


def test_what_cannot_be_read_stops_the_run_before_any_write(at_r720: Operator) -> None:
    (at_r720.server.state / "current" / "MemVolt").unlink()
    run = at_r720.runs()
    assert run.status == 4
    assert "cannot read MemVolt: syscfg: invalid option: --MemVolt" in run.err
    assert "nothing was changed" in run.err
    assert at_r720.server.writes() == 0
    assert [path.name for path in at_r720.state.iterdir()] == ["syscfg.lock"]
    assert at_r720.sees()["MemVolt"] == "unreadable"
    assert at_r720.runs("verify").status == 3, (
        "that something differs is worse than that something is not known"
    )


def test_a_value_of_several_words_is_not_taken_for_one(tmp_path: Path) -> None:
    operator = operator_at(tmp_path, R720, "goal latency", LogicalProc="two words")
    run = operator.runs()
    assert run.status == 4
    assert "nothing was changed; settings that cannot be read: 1" in run.err
    assert operator.server.writes() == 0


def test_a_folder_that_cannot_be_written_stops_it_too(at_r720: Operator) -> None:
    at_r720.state.write_text("in the way", encoding="utf-8")
    run = at_r720.runs()
    assert (run.status, at_r720.server.writes()) == (4, 0)
    assert "nothing was changed" in run.err


def test_a_missing_tool_and_a_missing_service_are_named(old: Operator) -> None:
    run = old.runs(env={"SYSCFG": "/nowhere/syscfg"})
    assert (run.status, run.err) == (
        4,
        "setpoint-host: no syscfg at /nowhere/syscfg (SYSCFG names another)\n",
    )
    run = old.runs("verify", down=True)
    assert run.status == 4
    assert "(start it: /opt/dell/srvadmin/sbin/srvadmin-services.sh start)" in run.out


def test_what_the_end_state_locks_is_set_while_it_is_still_open(tmp_path: Path) -> None:
    """Maximum Performance locks Logical Processor Idling on the R750; here the server has it on, under DAPC."""
    operator = operator_at(tmp_path, R750, "goal latency", DynamicCoreAllocation="Enabled")
    lock = operator.server.state / "locks" / "DynamicCoreAllocation"
    lock.write_text("ProcPwrPerf=SysDbpm\n", encoding="utf-8")
    assert operator.runs().status == 0
    assert operator.server.pending()["DynamicCoreAllocation"] == "Disabled"


# ------------------------------------------------------------------------------------------------------------- rollback


def test_a_rollback_takes_back_all_runs_of_the_plan_and_then_nothing_more(old: Operator) -> None:
    first = old.server.current()
    old.runs()
    old.restarts()
    old.server.syscfg("--turbomode=disable")
    old.restarts()
    old.runs()
    assert sorted(path.name for path in old.state.iterdir()) == [
        "syscfg.lock",
        "syscfg.rollback.1",
        "syscfg.rollback.2",
        "syscfg.set",
    ]
    assert old.runs("undo").out.count("putting back what the run of policy policy had found\n") == 2
    old.restarts()
    assert old.server.current() == first
    for _ in range(2):
        run = old.runs("undo")
        assert (run.status, run.err) == (0, "")
        assert run.out == (
            f"nothing to put back: that was done. To go back further, remove {old.state}/syscfg.rolled-back first\n"
        )
    assert old.server.current() == first


def test_a_rollback_goes_to_the_plan_before_and_further_if_asked_to(old: Operator) -> None:
    first = old.server.current()
    old.runs()
    old.restarts()
    second = old.server.current()
    old.turns_to(planned(LATENCY_11G.replace("goal latency", "goal efficiency")))
    old.runs()
    old.restarts()
    assert old.server.current() != second
    old.runs("undo")
    old.runs("undo")
    old.restarts()
    assert old.server.current() == second
    (old.state / "syscfg.rolled-back").unlink()
    old.runs("undo")
    old.restarts()
    assert old.server.current() == first


def test_a_rollback_where_no_run_has_changed_anything_says_so(old: Operator) -> None:
    for options in ((), ("--all",), ("--dry-run",)):
        run = old.runs("undo", *options)
        assert (run.status, run.err) == (0, "")
        assert run.out.startswith(
            f"nothing to put back: no old values are kept in {old.state}. What was applied from another machine"
        )
    assert not old.state.exists()


def test_a_run_that_sets_nothing_leaves_the_old_values_alone(old: Operator) -> None:
    old.runs()
    old.runs()
    assert len(list(old.state.glob("syscfg.rollback.*"))) == 1


def test_custom_members_come_back_under_custom(tmp_path: Path) -> None:
    """A named profile overwrites them, so their old values are saved though they are not set."""
    own = {"SysProfile": "Custom", "ProcTurboMode": "Disabled", "MemRefreshRate": "2x"}
    operator = operator_at(tmp_path, R720, "goal performance", **own)
    before = operator.server.current()
    operator.runs()
    operator.restarts()
    assert operator.server.current()["MemRefreshRate"] == "1x"
    assert operator.runs("undo").status == 0
    operator.restarts()
    assert operator.server.current() == before


# ------------------------------------------------------------------------------------------------ secrets, usage, words


def test_the_setup_password_goes_to_the_tool_and_nowhere_else(tmp_path: Path) -> None:
    secret = "s3cret $(id) 'x"
    operator = Operator(eleventh_generation(tmp_path / "server", password=secret), planned(LATENCY_11G))
    assert operator.runs().status == 6
    operator.program = operator.program.replace("#!/bin/sh\n", "#!/bin/sh\nset -x\n")
    run = operator.runs(env={"SETPOINT_SETUP_PASSWORD": secret})
    assert run.status == 0
    assert operator.server.pending()["logicproc"] == "disable"
    kept = [path.read_text(encoding="utf-8") for path in operator.state.iterdir()]
    assert not [text for text in (run.out, run.err, *kept, *operator.server.log()) if "s3cret" in text]


def test_a_tool_that_shows_the_password_is_not_quoted(old: Operator, tmp_path: Path) -> None:
    chatty = tmp_path / "chatty"
    chatty.write_text(
        f'#!/bin/sh\ncase "$*" in *valsetuppwd*) echo "cannot: $*"; exit 1;; esac\nexec {STAND_IN} "$@"\n',
        encoding="utf-8",
    )
    chatty.chmod(0o755)
    run = old.runs(env={"SYSCFG": str(chatty), "SETPOINT_SETUP_PASSWORD": "s3cret"})
    assert run.status == 6
    assert "its answer shows the setup password, and is withheld" in run.err
    assert "s3cret" not in run.out + run.err


def test_the_tool_does_not_find_the_password_in_its_environment(old: Operator, tmp_path: Path) -> None:
    nosy = tmp_path / "nosy"
    nosy.write_text(f'#!/bin/sh\nenv >>{tmp_path}/env\nexec {STAND_IN} "$@"\n', encoding="utf-8")
    nosy.chmod(0o755)
    old.runs(env={"SYSCFG": str(nosy), "SETPOINT_SETUP_PASSWORD": "s3cret"})
    assert "s3cret" not in (tmp_path / "env").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "try"],
        ["verify", "--dry-run"],
        ["apply", "--json"],
        ["apply", "--all"],
        ["apply", "--state"],
        ["apply", "--state", ""],
        ["apply", "--force"],
        ["apply", "--ssh", "root@idrac"],
        ["now"],
        ["undo", "verify"],
    ],
)
def test_wrong_usage_is_refused(old: Operator, arguments: list[str]) -> None:
    run = old.runs(*arguments)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith("setpoint-host: usage: ")
    assert old.server.log() == []


def test_the_head_says_how_far_to_trust_it_and_when_to_prefer_redfish() -> None:
    """Options of the 11th generation are documented; those after it were seen in use, and Redfish is the surer way."""
    head = {
        platform: text_of(planned(f"goal efficiency; platform {platform}")).partition("\nwant ")[0]
        for platform in ("r710", "r720", "r740")
    }
    assert "those of Appendix B of Dell's paper" in head["r710"]
    assert "prefer Redfish" not in head["r710"]
    for newer in (head["r720"], head["r740"]):
        assert "No reference of the options\n# could be had" in newer
        assert "prefer Redfish (target `redfish`)" in newer


def test_help_is_the_head_of_the_program(old: Operator) -> None:
    run = old.runs("--help")
    assert (run.status, old.server.log()) == (0, [])
    assert run.out.startswith("setpoint-host brings a server to a plan of Setpoint, and back.")
    assert "SETPOINT_SETUP_PASSWORD" in run.out


def test_a_relative_folder_for_the_state_is_taken_from_where_one_is(old: Operator) -> None:
    assert old.server.carries_out(old.program, old.text, "apply", "--state", "here").status == 0
    assert (old.server.work / "here" / "syscfg.rollback.1").is_file()


def test_what_has_no_syscfg_says_so() -> None:
    assert "states no platform" in TARGET.unsupported_reason(planned("goal latency; os rhel 6.4"))
    assert [TARGET.unsupported_reason(machine.plan("goal latency")) for machine in MACHINES] == [""] * 4
    assert TARGET.unsupported_reason(planned("goal latency; platform r710")) == ""


@pytest.mark.parametrize("server", ["cpu x5670; platform r710", "platform r720", "platform r740"])
def test_where_no_linux_runs_there_is_no_place_for_the_program(server: str) -> None:
    windows = "windows-server-2008-r2" if "r710" in server else "windows-server-2012"
    said = TARGET.unsupported_reason(planned(f"goal latency; {server}; os {windows}"))
    assert said == f"the program for hosts needs Linux to run on, and `{windows}` is no Linux"


def test_a_policy_that_sets_nothing_makes_no_plan() -> None:
    assert TARGET.emit(planned(LATENCY_11G)._replace(settings=())).artifacts == ()


@pytest.fixture(scope="module")
def speak(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """Apply the plan whose every reason is a given text, to a new server."""

    @cache
    def apply(text: str) -> Run:
        server = eleventh_generation(tmp_path_factory.mktemp("words") / "server")
        plan = because(planned(LATENCY_11G), text)
        run = Operator(server, plan).runs()
        assert server.pending() == {"power": "maxperformance", "logicproc": "disable", "cstates": "disable"}
        assert list(server.work.iterdir()) == []
        return Run(run.status, run.out.replace(str(server.folder), "SERVER"), run.err)

    return apply


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_change_nothing(speak: Callable[[str], Run], text: str) -> None:
    assert speak(text) == speak("plain words")


def test_a_plan_with_hostile_words_sets_the_same(tmp_path: Path) -> None:
    """Each setting has another of them as its reason."""
    operator = operator_at(tmp_path, R720, "goal latency")
    plan = R720.plan("goal latency")
    texts = cycle(HOSTILE)
    settings = [because(plan._replace(settings=(d,)), next(texts)).settings[0] for d in plan.settings]
    assert len(settings) >= len(HOSTILE)
    wanted = words_of(operator.text)
    operator.turns_to(plan._replace(settings=tuple(settings)))
    assert words_of(operator.text) == wanted
    assert operator.runs("try").status == 3


PIECES = st.sampled_from(
    [
        "'",
        '"',
        "`",
        "$(touch owned)",
        "\\",
        "\n",
        "\r",
        "\u2028",
        "\x85",
        "#",
        ";",
        "END",
        "}",
        "{{",
        "%}",
        "!",
    ]
)


@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join))
def test_no_words_change_what_the_program_does(speak: Callable[[str], Run], text: str) -> None:
    assert speak(text) == speak("plain words")


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join))
def test_no_words_leave_their_comment(text: str) -> None:
    """Line by line, all that comes before the comment is as it was."""
    plan = R720.plan("goal latency")
    plain, said = (text_of(because(plan, words)).encode("utf-8").split(b"\n") for words in ("plain", text))
    assert len(plain) == len(said)
    for before, after in zip(plain, said, strict=True):
        assert before == after or before.split(b" # set:")[0] == after.split(b" # set:")[0] != after


def test_dash_reads_no_other_end_of_line_than_we_do(tmp_path: Path) -> None:
    """A carriage return or a form feed ends no comment, so that one line of ours is one line of dash's."""
    script = tmp_path / "script"
    script.write_bytes(b": # a\r echo b\x0b echo c\x0c echo d\x85 echo e\n")
    run = subprocess.run([str(require("dash")), str(script)], capture_output=True, check=True)
    assert run.stdout == b""
