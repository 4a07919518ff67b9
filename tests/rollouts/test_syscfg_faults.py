"""A plan of syscfg with a fault at every call of syscfg, one at a time: is what it reports true?

A run of the program is a row of calls. For each kind of fault and each call there is one case: the fault happens at
that call, and then the report is held against the server.

* "nothing was changed" and "as they were": each option has the value that it had.
* Exit status 0: each option has the value that the policy wants.
* Exit status 3, which needs a tool that stops showing what it has shown: the last comparison says so.
* Exit status 6, or no report since the program was killed: the next run restores the server first.

Whatever happened, the program can be run again, and then `undo` brings back the server as it was before the first run.

Several kinds differ only in whether a call that sets something has done so, and when. At a call that reads they are one
fault, which is tried once: as `refuses`, as `waits`, and by the three signals in turn; and only at every twelfth call,
since all calls that read are made by the same few lines. `pytest --complete` tries all kinds at all calls.

At the calls that set something the shells take turns: dash, bash, and the sh of busybox. At those that read it is
busybox, whose sh has most programs that it calls built in and so runs it at half the cost; with `--complete` they take
turns there too.
"""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from consumers.requirement import require
from consumers.syscfg import Run, Server, eleventh_generation
from consumers.syscfg_faults import SHELLS, Fault
from setpoint.compiler.plan.model import Plan
from setpoint.targets.syscfg import TARGET
from support.host import PROGRAM, plan_of
from support.machines import R720
from support.plans import planned
from support.shell import stand_in

BOOT_ID = "/proc/sys/kernel/random/boot_id"
UNCHANGED = "nothing was changed"
AS_BEFORE = ("all settings are as they were before this run", "all settings were set back")


def custom_profile(folder: Path) -> Server:
    """A server of the 12th generation with four options of the policy: a profile, and members that it locks."""
    current = {
        "SysProfile": "PerfOptimized",
        "ProcTurboMode": "Enabled",
        "ProcCStates": "Disabled",
        "LogicalProc": "Enabled",
    }
    switch = ("Enabled", "Disabled")
    named = {"ProcTurboMode": "Enabled", "ProcCStates": "Disabled"}
    return Server.create(
        folder,
        current,
        {**dict.fromkeys(current, switch), "SysProfile": ("Custom", "PerfOptimized")},
        locks={member: {"SysProfile": "Custom"} for member in named},
        forces={("SysProfile", "PerfOptimized"): named},
    )


def old_plan() -> Plan:
    """Low latency on the 11th generation: a power profile that reads back only after a restart, and two options."""
    return planned("goal latency; cpu westmere; workload comm-bound")


def custom_plan() -> Plan:
    """A profile set to Custom, then a member and an option of its own; another member stays as it is."""
    plan = R720.plan('goal latency; set turbo off because "jitter, PERF-212"')
    kept = ("system-profile", "turbo", "c-states", "smt")
    return plan._replace(settings=tuple(d for d in plan.settings if d.setting in kept))


class Case:
    """A server, a plan, and a fault."""

    def __init__(self, folder: Path, server: Callable[[Path], Server], plan: Plan) -> None:
        self.folder = folder
        self.server = server(folder / "server")
        self.before = self.server.current()
        self.state = self.server.folder / "notes"
        self.boot_id = self.server.folder / "boot_id"
        self.boot_id.write_text("boot-1\n", encoding="utf-8")
        self.shell = "dash"
        self.plan = plan_of(TARGET.emit(plan).artifacts)
        self.program = PROGRAM.replace(BOOT_ID, str(self.boot_id))

    def fault(self, kind: str = "", call: int = 0) -> Fault:
        return Fault(self.server, self.program, self.plan, self.state, kind=kind, call=call, shell=self.shell)

    def runs(self, verb: str = "apply", **kwargs: Any) -> Run:
        return self.server.carries_out(self.program, self.plan, verb, "--state", str(self.state), **kwargs)

    def restarts(self) -> None:
        self.server.reboot()
        for file in (self.server.state / "late").iterdir():
            file.unlink()
        self.boot_id.write_text(f"{self.boot_id.read_text(encoding='utf-8').strip()}+\n", encoding="utf-8")

    @property
    def unfinished(self) -> bool:
        return (self.state / "syscfg.journal").exists()

    def judge(self, run: Run, wanted: dict[str, str]) -> None:
        """Hold what a run reported against the server."""
        now = self.server.staged()
        if run.status == 0:
            assert now == wanted
        elif run.status == 4:
            assert UNCHANGED in run.err or any(words in run.err for words in AS_BEFORE), run.err
            assert now == self.before
            assert not list(self.state.glob("*rollback*"))
        elif run.status == 3:
            assert "settings that differ: " in run.err
            assert list(self.state.glob("*rollback*"))
        else:
            assert run.status == 6, run
            assert self.unfinished or ("what was set stays set" in run.err and now == wanted)
        assert run.status == 6 or not self.unfinished

    def can_be_run_again_and_taken_back(self, wanted: dict[str, str]) -> None:
        """What the next runs come to. A server that is as before needs no proof: it is where the case began."""
        if self.unfinished:
            again = self.fault().runs()
            assert (again.status, self.server.staged()) == (0, wanted), again
            assert "did not finish" in again.err
        if list(self.state.glob("*rollback*")):
            back = self.fault().runs("undo")
            assert (back.status, self.server.staged()) == (0, self.before), back
        self.restarts()
        assert self.server.current() == self.before
        assert {path.name for path in self.state.glob("*")} <= {
            "syscfg.lock",
            "syscfg.set",
            "syscfg.rolled-back",
        }


MACHINES = {"11g": (eleventh_generation, old_plan), "12g": (custom_profile, custom_plan)}


class Machine:
    """One of the servers, and what a run without a fault does there."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.server, plan = MACHINES[name]
        self.plan = plan()
        case = self.case(folder, 0)
        plain = case.fault()
        assert plain.runs().status == 0
        calls = [line for line in case.server.log() if line.startswith("syscfg ")]
        self.calls = plain.calls()
        assert len(calls) == self.calls
        self.sets = frozenset(number for number, line in enumerate(calls, 1) if "=" in line)
        self.wanted = case.server.staged()
        assert self.wanted != case.before

    def case(self, folder: Path, call: int) -> Case:
        """A new server with the plan."""
        place = folder / str(call)
        place.mkdir()
        return Case(place, self.server, self.plan)

    def cases(
        self, reads: Callable[[int], bool] = lambda call: True, *, complete: bool = False
    ) -> Iterator[tuple[int, Case]]:
        """A case for each call that sets something and for each of the `reads` that are wanted, with the number of the
        call."""
        tried = Path(tempfile.mkdtemp(dir=self.folder))
        shells, turns = list(SHELLS), sorted(self.sets)
        for call in range(1, self.calls + 1):
            if complete or call in self.sets or reads(call):
                case = self.case(tried, call)
                turn = turns.index(call) if call in self.sets else call if complete else -1
                case.shell = "busybox" if turn < 0 else shells[turn % len(shells)]
                yield call, case


# A default run tries the faults on one of the servers: what follows from a fault is the same part of the program.
@pytest.fixture(scope="module", params=[pytest.param("11g", marks=pytest.mark.repeated), "12g"])
def machine(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Machine:
    return Machine(tmp_path_factory.mktemp("machine"), request.param)


CALLS = {"11g": 20, "12g": 19}
"""How many calls of syscfg a run makes: 39 cases of each of ten kinds of fault, 390 in all."""

SETS = {"11g": frozenset({7, 10, 14}), "12g": frozenset({6, 10, 14})}
"""Those of them that set something."""

AS_ANOTHER = {"fails": "refuses", "waits-idle": "waits", "waits-done": "waits"}
"""Kinds of fault that at a call which reads do the same as another."""


def twelfth(call: int) -> bool:
    """Whether a call is one of every twelfth, at which faults of calls that read are tried."""
    return call % 12 == 0


def reads(kind: str) -> Callable[[int], bool]:
    """The calls that read at which a fault of this kind is tried: none if it is a repetition."""
    return lambda call: kind not in AS_ANOTHER and twelfth(call)


def test_how_many_cases_there_are(machine: Machine) -> None:
    assert (machine.calls, machine.sets) == (CALLS[machine.name], SETS[machine.name])


@pytest.mark.parametrize("kind", ["refuses", "fails"])
def test_a_call_fails_whether_or_not_it_did_what_it_was_told(
    machine: Machine, kind: str, complete: bool
) -> None:
    for call, case in machine.cases(reads(kind), complete=complete):
        case.judge(case.fault(kind, call).runs(), machine.wanted)
        case.can_be_run_again_and_taken_back(machine.wanted)


def test_a_value_is_shown_only_after_a_restart(machine: Machine, complete: bool) -> None:
    for call, case in machine.cases(twelfth, complete=complete):
        run = case.fault("late", call).runs()
        case.judge(run, machine.wanted)
        if run.status == 4:
            assert "syscfg did not show what was set, so what it shows proves nothing" in run.err
        case.can_be_run_again_and_taken_back(machine.wanted)


@pytest.mark.parametrize(
    ("turn", "number", "kind"),
    [(0, signal.SIGINT, "hangs"), (1, signal.SIGTERM, "hangs-done"), (2, signal.SIGHUP, "waits-done")],
    ids=["INT", "TERM", "HUP"],
)
def test_a_signal_comes_while_a_call_hangs(
    machine: Machine, turn: int, number: int, kind: str, complete: bool
) -> None:
    """Nothing is left half set: the call is ended, and what it may have set is put back."""
    for call, case in machine.cases(lambda call: twelfth(call) and call // 12 % 3 == turn, complete=complete):
        run = case.fault(kind, call).signalled(number)
        assert run.status in (4, 6), run
        assert f"interrupted by {signal.Signals(number).name}" in run.err
        case.judge(run, machine.wanted)
        case.can_be_run_again_and_taken_back(machine.wanted)


@pytest.mark.parametrize("kind", ["waits-idle", "waits-done", "waits"])
def test_the_run_is_killed(machine: Machine, kind: str, complete: bool) -> None:
    """The call that is left running does nothing more, or has done it, or does it when the program is dead."""
    for call, case in machine.cases(reads(kind), complete=complete):
        fault = case.fault(kind, call)
        run = fault.signalled(signal.SIGKILL)
        assert run.status == -signal.SIGKILL
        assert case.unfinished or case.server.staged() in (case.before, machine.wanted)
        case.can_be_run_again_and_taken_back(machine.wanted)


def test_nobody_reads_the_output_any_more(machine: Machine, complete: bool) -> None:
    """As with `setpoint-host apply … | head -1`: the run goes on to its end."""
    for call, case in machine.cases(twelfth, complete=complete):
        run = case.fault("waits", call).unread()
        assert run.status == 0, run
        case.judge(run, machine.wanted)
        case.can_be_run_again_and_taken_back(machine.wanted)


# ----------------------------------------------------------------------------------------------------- two runs at once


@pytest.fixture
def old(tmp_path: Path) -> Case:
    return Case(tmp_path, eleventh_generation, old_plan())


def test_a_second_run_names_the_first_and_changes_nothing(old: Case) -> None:
    first = old.fault("waits", 8)
    process = first.start()
    first.wait(process)
    writes = old.server.writes()
    for verb in ("apply", "undo", "verify", "try"):
        second = old.runs(verb)
        assert second.status == 7, (verb, second)
        assert (
            f"nothing was changed: {old.state}/syscfg.lock is held by process {process.pid}, " in second.err
        )
        assert ", apply of policy policy, since 20" in second.err
    assert old.server.writes() == writes
    first.goes_on()
    assert first.ended(process).status == 0


def test_a_call_that_a_killed_run_left_behind_is_waited_for(old: Case) -> None:
    """It may still set something. Its process is named, so that somebody can end it."""
    first = old.fault("waits", 8)
    process = first.start()
    first.wait(process)
    process.kill()
    process.wait()
    second = old.runs()
    assert second.status == 7
    assert "is held by process " in second.err
    assert "(syscfg_fault)" in second.err
    assert f"process {process.pid}," not in second.err
    assert " ()" not in second.err
    first.goes_on()
    first.left()
    assert old.runs().status == 0


def test_the_lock_of_a_dead_process_holds_nobody_up(old: Case) -> None:
    old.state.mkdir()
    (old.state / "syscfg.lock").write_text("process 1, apply of policy other, since 2026-01-01 00:00:00\n")
    assert old.runs().status == 0


def test_runs_that_compare_do_not_exclude_each_other(old: Case) -> None:
    assert old.fault().runs().status == 0
    first = old.fault("waits", 3)
    process = first.start("verify")
    first.wait(process)
    assert old.runs("verify").status == 3  # the values wait for a restart
    busy = old.runs()
    assert (busy.status, f"process {process.pid} (" in busy.err) == (7, True)
    first.goes_on()
    assert first.ended(process).status == 3


# ---------------------------------------------------------------------------------------------------------- the journal


def test_the_journal_is_on_the_disk_before_the_first_change(old: Case) -> None:
    """A server that loses its power in the middle of a run has the old values all the same."""
    assert old.fault().runs().status == 0
    log = old.server.log()
    changes = [number for number, line in enumerate(log) if "=" in line]
    assert log.index("sync") < changes[0]


def test_what_is_known_of_a_run_that_did_not_finish_is_said(old: Case) -> None:
    killed = old.fault("waits-done", 11)
    killed.signalled(signal.SIGKILL)
    told = old.runs("verify")
    assert told.status == 6
    assert "the run of policy policy (by process " in told.err
    assert (
        "it has set power=maxperformance; whether it has set this is not known: logicproc=disable" in told.err
    )
    shown = old.runs("try")
    assert (shown.status, "that would be taken back first" in shown.out) == (3, True)
    again = old.runs()
    assert again.status == 0
    assert "put back what the unfinished run had found\n" in again.out


def test_after_the_restart_too_it_is_put_back(old: Case) -> None:
    """Half of a policy is in effect by then."""
    old.fault("waits-done", 11).signalled(signal.SIGKILL)
    old.restarts()
    assert old.server.current() != old.before
    assert old.fault().runs("undo").status == 0
    assert old.server.staged() == old.before


def test_a_rollback_that_was_killed_is_completed_by_the_next_run(old: Case) -> None:
    assert old.fault().runs().status == 0
    wanted = old.server.staged()
    old.fault("waits-done", 4).signalled(signal.SIGKILL, "undo")
    assert old.server.staged() not in (old.before, wanted)
    again = old.fault().runs()
    assert (again.status, old.server.staged()) == (0, wanted), again
    assert old.fault().runs("undo").status == 0
    assert old.server.staged() == old.before


def test_a_signal_stops_a_rollback_which_can_be_continued(old: Case) -> None:
    assert old.fault().runs().status == 0
    stopped = old.fault("hangs-done", 4).signalled(signal.SIGTERM, "undo")
    assert stopped.status == 6
    assert "interrupted by SIGTERM\n" in stopped.err
    assert "NOT all could be put back" in stopped.err
    assert old.fault().runs("undo").status == 0
    assert old.server.staged() == old.before


def test_a_rollback_whose_journal_cannot_be_read_claims_nothing(old: Case) -> None:
    assert old.fault().runs().status == 0
    program = old.program
    old.program = program.replace("saved=$1\n", "saved=$1.gone\n")
    assert old.program != program
    run = old.runs("undo")
    assert run.status == 6
    assert "cannot read the old values in " in run.err


def test_a_journal_that_cannot_be_written_stops_the_run(old: Case) -> None:
    """As on a full disk: what cannot be noted is not set."""
    program = old.program
    old.program = program.replace('>"$journal.new" || ! mv', ">/dev/full || ! mv")
    assert old.program != program
    run = old.runs()
    assert (run.status, old.server.writes()) == (4, 0)
    assert "cannot save the old values" in run.err


def test_nothing_beyond_a_small_system_is_needed(old: Case) -> None:
    """busybox and flock, with the few programs that the program calls: each is in Enterprise Linux 5, too."""
    names = (
        "awk",
        "cat",
        "date",
        "grep",
        "head",
        "ls",
        "mkdir",
        "mktemp",
        "mv",
        "rm",
        "sed",
        "sleep",
        "sync",
        "tr",
    )
    programs = stand_in(old.folder / "small", require("busybox"), *names)
    (programs / "flock").symlink_to(require("flock"))
    for verb, status in (("apply", 0), ("verify", 3), ("undo", 0)):  # the values wait for a restart
        run = old.runs(verb, env={"PATH": str(programs)}, shell=("busybox", "sh"))
        assert (run.status, run.err) == (status, ""), run
    assert old.server.staged() == old.before
