"""A plan of racadm with a fault at every call of racadm, one at a time: is what it reports true?

A run of the program is a row of calls. For each kind of fault and each call there is one case: the fault happens at
that call, and then the report is held against the server.

* Exit status 0: all that the policy wants is staged, in a job.
* Exit status 4: nothing is staged, and there is no job.
* Exit status 6, or no report since the program was killed: the next run cleans up, or keeps the job.

Whatever happened, the program can be run again, and then `undo` before the restart leaves the server as it was.
Signals, and faults that only a change can suffer (an answer that is lost), happen at the calls that change something,
before they do and after. The shells take turns: dash, bash, and the sh of busybox.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from consumers.racadm import SHELLS, Idrac, Object, Run, Values
from setpoint.targets.racadm import TARGET
from support.effort import calls
from support.host import plan_of
from support.machines import R720

SWITCH = ("Enabled", "Disabled")
CUSTOM = ("SysProfile!=Custom",)
GROUPS = {
    "BootSettings": {"BootMode": Object("Bios", ("Bios", "Uefi"))},
    "ProcSettings": {"Proc1Id": Object("06-2D-7"), "LogicalProc": Object("Enabled", SWITCH)},
    "SysInformation": {"SystemModelName": Object("PowerEdge R720")},
    "SysProfileSettings": {
        "SysProfile": Object("PerfOptimized", ("PerfOptimized", "Custom")),
        "ProcTurboMode": Object("Enabled", SWITCH, CUSTOM),
        "ProcCStates": Object("Disabled", SWITCH, CUSTOM),
    },
}
WANTED = {"SysProfile": "Custom", "ProcTurboMode": "Disabled", "LogicalProc": "Disabled"}


@cache
def text() -> str:
    """A profile set to Custom, then a member and an option of its own; another member stays as it is."""
    plan = R720.plan('goal latency; set turbo off because "jitter, PERF-212"')
    kept = ("system-profile", "turbo", "c-states", "smt")
    plan = plan._replace(settings=tuple(d for d in plan.settings if d.setting in kept))
    return plan_of(TARGET.emit(plan).artifacts)


def settle(state: Values) -> Values:
    return state if state["SysProfile"] == "Custom" else {**state, "ProcTurboMode": "Enabled"}


def idrac(folder: Path) -> Idrac:
    return Idrac.create(folder, GROUPS, settle)


def unfinished(server: Idrac) -> bool:
    return (server.kept / "racadm.journal").exists()


def judge(server: Idrac, run: Run) -> None:
    """Hold what a run reported against the server."""
    if run.status == 0:
        assert (server.pending(), len(server.jobs())) == (WANTED, 1), run
    elif run.status == 4:
        assert "nothing was changed" in run.err or "all settings are as they were before this run" in run.err
        assert (server.pending(), server.jobs()) == ({}, []), run
        assert not list(server.kept.glob("*rollback*"))
    elif run.status == 6:
        complete = server.pending() == WANTED and len(server.jobs()) == 1
        assert unfinished(server) or ("is complete" in run.err and complete), run
    else:
        assert run.status == -9, run
        assert unfinished(server) or not server.pending() or server.jobs()


def goes_on(server: Idrac, shell: str) -> None:
    """What the next runs come to."""
    again = server.run(text(), shell=shell)
    assert (again.status, server.pending(), len(server.jobs())) == (0, WANTED, 1), again
    assert not unfinished(server)
    back = server.run(text(), "undo", shell=shell)
    assert (back.status, server.pending(), server.jobs()) == (0, {}, []), back


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The calls of a run without a fault."""
    server = idrac(tmp_path_factory.mktemp("plain") / "idrac")
    run = server.run(text())
    judge(server, run)
    assert run.status == 0
    return [line for line in server.lines("log") if line != "sync"]


EVERYWHERE = ("fails", "garbled")
AT_CHANGES = ("lost", "term", "term-done", "kill-done")


@pytest.mark.parametrize("kind", [*EVERYWHERE, *AT_CHANGES])
def test_what_is_reported_is_so_and_the_next_run_goes_on(tmp_path: Path, plain: list[str], kind: str) -> None:
    cases = 0
    changes = [at for at, call in enumerate(plain, 1) if call.startswith(("set ", "jobqueue create"))]
    for at in changes if kind in AT_CHANGES else calls(len(plain), 4):
        shell = list(SHELLS)[at % len(SHELLS)]
        server = idrac(tmp_path / str(at))
        judge(server, server.run(text(), fault=kind, at=at, shell=shell))
        # A server that is as before needs no proof: it is where the case began.
        if server.pending() or server.jobs() or unfinished(server):
            goes_on(server, shell)
        cases += 1
    assert cases >= 4


SET_FIRST = "BIOS.SysProfileSettings.SysProfile Custom"


def test_the_old_values_are_on_the_disk_before_the_first_change(tmp_path: Path) -> None:
    """A server that loses its power in the middle of a run has them all the same."""
    server = idrac(tmp_path / "idrac")
    server.run(text())
    log = server.lines("log")
    assert log.index("sync") < log.index(f"set {SET_FIRST}")


def test_what_somebody_commits_of_a_killed_run_is_not_touched(tmp_path: Path, plain: list[str]) -> None:
    server = idrac(tmp_path / "idrac")
    server.run(text(), fault="kill-done", at=plain.index(f"set {SET_FIRST}") + 1)
    server.write("jobs", "JID_1|Scheduled|Configure: BIOS.Setup.1-1|JCP001")
    run = server.run(text())
    assert (run.status, server.pending(), server.jobs()) == (6, {"SysProfile": "Custom"}, ["JID_1"])
    assert "somebody has made job JID_1 of what it had staged" in run.err


def test_what_somebody_else_staged_beside_a_killed_run_is_not_cleared(
    tmp_path: Path, plain: list[str]
) -> None:
    server = idrac(tmp_path / "idrac")
    server.run(text(), fault="kill-done", at=plain.index(f"set {SET_FIRST}") + 1)
    server.stage(BootMode="Uefi")
    run = server.run(text())
    assert run.status == 6
    assert "somebody else has staged, too: BootMode=Uefi" in run.err
    assert server.pending() == {"SysProfile": "Custom", "BootMode": "Uefi"}


def test_a_run_that_did_not_finish_is_reported_by_those_that_change_nothing(
    tmp_path: Path, plain: list[str]
) -> None:
    server = idrac(tmp_path / "idrac")
    server.run(text(), fault="kill-done", at=plain.index(f"set {SET_FIRST}") + 1)
    told = server.run(text(), "verify")
    assert told.status == 6
    assert "did not finish" in told.err
    shown = server.run(text(), "try")
    assert (shown.status, "would be cleared first" in shown.out) == (3, True)


def test_after_the_restart_a_killed_run_leaves_nothing_to_clear(tmp_path: Path, plain: list[str]) -> None:
    """The job was made, and has run."""
    server = idrac(tmp_path / "idrac")
    server.run(text(), fault="kill-done", at=len(plain))
    server.restart()
    run = server.run(text())
    assert (run.status, run.out) == (0, "nothing to stage\n")
    assert "it had made a job, which has ended" in run.err
    assert server.run(text(), "undo").status == 0
    server.restart()
    assert server.current()["SysProfile"] == "PerfOptimized"


def test_a_second_run_is_told_who_is_at_work(tmp_path: Path) -> None:
    import fcntl

    server = idrac(tmp_path / "idrac")
    server.kept.mkdir()
    lock = server.kept / "racadm.lock"
    lock.write_text("process 1, apply of policy other, since 2026-01-01 00:00:00\n", encoding="utf-8")
    with lock.open("a", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        for verb in ("apply", "verify", "undo", "try"):
            run = server.run(text(), verb)
            assert (run.status, "nothing was changed" in run.err) == (7, True), run
    assert server.pending() == {}
