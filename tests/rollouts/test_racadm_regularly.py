"""A plan of racadm, carried out again and again by a program: what waits for a restart is no failure, and no work.

It asks `verify --accept-pending` whether there is anything to do, and has the plan carried out if there is. To roll
back, it asks `undone` and `undo --all --dry-run` and runs `undo --all`, until that has nothing to change.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from rollouts.test_racadm import Operator, text_of

from support.machines import R720, R740, R750, Machine

ACCEPT = "--accept-pending"


class Program(Operator):
    """A configuration manager at an iDRAC."""

    def is_settled(self) -> bool:
        """Whether there is nothing to do now."""
        run = self.runs("verify", ACCEPT)
        assert run.status in (0, 3, 6), run
        return run.status == 0

    def is_back(self) -> bool:
        """Whether there is nothing to put back now."""
        if self.runs("undone").status == 0:
            return True
        run = self.runs("undo", "--all", "--dry-run")
        assert run.status == (3 if "would " in run.out and "would only" not in run.out else 0), run
        return "nothing to change: " in run.out

    def brings(self, text: str = "") -> int:
        """Bring the server to the plan, with a restart whenever there is nothing to do; the number of restarts."""
        self.text = text or self.text
        for restarts in range(4):
            if self.is_settled():
                if not self.idrac.jobs():
                    return restarts
            else:
                run = self.runs("apply", ACCEPT)
                assert (run.status, len(self.idrac.jobs())) == (0, 1), run
            assert self.is_settled()
            changes = self.changes()
            assert self.runs("apply", ACCEPT).status == 0
            assert self.changes() == changes
            assert self.runs("verify").status == 3, "what is staged is not in effect"
            self.idrac.restart()
        raise AssertionError("too many restarts")

    def takes_back(self) -> int:
        """Roll all back in the same way; the number of restarts."""
        for restarts in range(4):
            if self.is_back():
                if not self.idrac.jobs():
                    return restarts
            else:
                run = self.runs("undo", "--all", ACCEPT)
                assert run.status == 0, run
            assert self.is_back()
            changes = self.changes()
            assert self.runs("undo", "--all", ACCEPT).status == 0
            assert self.changes() == changes
            self.idrac.restart()
        raise AssertionError("too many restarts")


WAYS = [
    pytest.param(R720, "latency", "", (1, 1), id="one-restart"),
    pytest.param(R720, "latency", "strict", (2, 1), id="members-after-the-profile"),
    pytest.param(R740, "latency", "", (1, 2), id="back-in-two"),
    pytest.param(R750, "latency", "", (1, 1), id="newer"),
]


@pytest.mark.parametrize(("machine", "goal", "firmware", "restarts"), WAYS)
def test_each_run_does_what_can_be_done_before_the_next_restart(
    tmp_path: Path, machine: Machine, goal: str, firmware: str, restarts: tuple[int, int]
) -> None:
    program = Program(tmp_path, machine, f"goal {goal}")
    if firmware:
        program.idrac.write(firmware)
    there = program.brings()
    assert program.runs("verify").status == 0
    assert (there, program.takes_back()) == restarts
    assert program.idrac.current() == program.before
    assert program.saved() == set()


def test_all_of_several_plans_is_taken_back_to_before_the_first(tmp_path: Path) -> None:
    program = Program(tmp_path, R720, "goal latency")
    program.brings()
    program.brings(text_of(R720.plan("goal performance")))
    program.brings(text_of(R720.plan('goal latency; set turbo off because "DESK-1"')))
    assert program.saved() == {f"racadm.rollback.{number}" for number in (1, 2, 3)}
    program.takes_back()
    assert program.idrac.current() == program.before
    assert program.saved() == set()


def test_before_the_restart_all_is_taken_back_without_one(tmp_path: Path) -> None:
    program = Program(tmp_path, R720, "goal latency")
    program.runs("apply", ACCEPT)
    assert "would delete the job, and clear what is staged\n" in (
        program.runs("undo", "--all", "--dry-run").out
    )
    assert len(program.idrac.jobs()) == 1
    assert program.runs("undo", "--all", ACCEPT).status == 0
    assert program.is_back()
    assert (program.idrac.current(), program.idrac.pending()) == (program.before, {})


def test_what_would_be_put_back_is_said(tmp_path: Path) -> None:
    program = Program(tmp_path, R720, "goal latency", LogicalProc="Enabled")
    program.brings()
    changes = program.changes()
    run = program.runs("undo", "--dry-run")
    assert (run.status, program.changes()) == (3, changes)
    assert "would put back LogicalProc: Disabled -> Enabled\n" in run.out


def test_what_drifts_is_work_and_what_a_profile_holds_is_a_difference(tmp_path: Path) -> None:
    program = Program(tmp_path, R720, "goal performance")
    program.brings()
    drifted = [
        line.replace("LogicalProc|Enabled", "LogicalProc|Disabled")
        for line in program.idrac.lines("groups/ProcSettings")
    ]
    program.idrac.write("groups/ProcSettings", *drifted)
    assert not program.is_settled()
    assert program.brings() == 1
    held = [
        line.replace("ProcTurboMode|Enabled", "ProcTurboMode|Disabled")
        for line in program.idrac.lines("groups/SysProfileSettings")
    ]
    program.idrac.write("groups/SysProfileSettings", *held)
    assert not program.is_settled()
    assert program.runs("apply", ACCEPT).status == 3, "nothing that a restart would bring"


def test_another_plan_waits_for_the_job_of_the_first_and_says_so(tmp_path: Path) -> None:
    program = Program(tmp_path, R720, "goal latency")
    program.runs("apply", ACCEPT)
    program.text = text_of(R720.plan("goal balanced"))
    assert not program.is_settled()
    run = program.runs("apply", ACCEPT)
    assert (run.status, "it does not set: BIOS.SysProfileSettings.SysProfile=" in run.err) == (7, True)
    program.idrac.restart()
    program.brings()


def test_values_without_a_job_are_not_settled(tmp_path: Path) -> None:
    """No restart sets them."""
    program = Program(tmp_path, R720, "goal latency")
    program.runs("apply", ACCEPT)
    program.idrac.write("jobs")
    assert not program.is_settled()
    assert program.runs("apply", ACCEPT).status == 7


@pytest.mark.parametrize("fault", [pytest.param("kill", marks=pytest.mark.repeated), "kill-done"])
def test_a_rollback_of_all_that_is_killed_is_completed_by_the_next(tmp_path: Path, fault: str) -> None:
    done = 0
    for number, change in enumerate(("jobqueue delete", "clearpending", "set ", "jobqueue create")):
        program = Program(tmp_path / str(number), R720, "goal latency")
        program.runs("apply", ACCEPT)
        if number > 1:
            program.idrac.restart()
        program.idrac.write("log")
        trial = Program(tmp_path / f"{number}-trial", R720, "goal latency")
        trial.runs("apply", ACCEPT)
        if number > 1:
            trial.idrac.restart()
        trial.idrac.write("log")
        trial.runs("undo", "--all", ACCEPT)
        log = [line for line in trial.idrac.lines("log") if line != "sync"]
        at = next(at for at, line in enumerate(log, 1) if line.startswith(change))
        killed = program.runs("undo", "--all", ACCEPT, fault=fault, at=at)
        assert killed.status == -9, killed
        for _ in range(3):
            if not program.is_back():
                assert program.runs("undo", "--all", ACCEPT).status == 0
            program.idrac.restart()
        assert program.idrac.current() == program.before
        assert (program.idrac.pending(), program.saved()) == ({}, set())
        done += 1
    assert done == 4


@pytest.mark.parametrize(
    "arguments", [("apply", "--all"), ("verify", "--all"), ("try", ACCEPT), ("verify", "undo")]
)
def test_options_that_do_not_go_together_are_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    program = Program(tmp_path, R720, "goal latency")
    assert program.runs(*arguments).status == 2
    assert program.idrac.lines("log") == []


def test_with_nothing_to_take_back_there_is_nothing_to_change(tmp_path: Path) -> None:
    program = Program(tmp_path, R720, "goal latency")
    assert program.is_back()
    assert program.runs("undo", "--all").status == 0
    none = program.runs("undo")
    assert (none.status, "no old values of racadm are kept" in none.out) == (0, True)
    assert program.changes() == []
