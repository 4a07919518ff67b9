"""What runs by day: a part of what takes long, and each of that in some part."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from support import schedule
from support.command import ROOT
from support.processor_time import Stopwatch
from support.schedule import (
    LONG,
    PARTS,
    SHORT,
    commit,
    day,
    drawn,
    durations,
    parts,
    record,
    recorded,
    shared,
    units,
)

UNITS = units(shared())
NAMES = [*(f"{path}::test_{n}" for path in shared() for n in range(2)), *(n for n in UNITS if "::" in n)]


def test_each_unit_is_run_by_one_part() -> None:
    days = [day(part) for part in range(PARTS)]
    for name in NAMES:
        assert sum(not each.leaves(name) for each in days) == 1, name


def test_whoever_tests_every_second_or_fifth_commit_sees_all_parts() -> None:
    assert PARTS > 5
    assert all(PARTS % step for step in range(2, PARTS)), "not prime"


def test_parts_take_about_the_same_time() -> None:
    seconds = recorded()
    times = [sum(seconds.get(unit, 0) for unit in part) for part in parts(UNITS, seconds)]
    assert max(times) - min(times) <= max(seconds.get(unit, 0) for unit in UNITS)


def test_a_rollout_that_was_never_recorded_is_in_some_part() -> None:
    new = "rollouts/test_new.py"
    assert sum(new in part for part in parts(units({*shared(), new}), recorded())) == 1


def test_what_does_not_take_long_always_runs() -> None:
    assert not any(day(part).leaves("language/test_lexer.py::test_it") for part in range(PARTS))
    assert all(taken >= LONG for name, taken in recorded().items() if "::" in name)


MANY = [f"targets/test_new.py::test_many[{n}]" for n in range(20)]
FEW = [f"targets/test_new.py::test_few[{n}]" for n in range(3)]
ALONE = "targets/test_new.py::test_alone"


def test_of_cells_that_are_alike_each_day_has_some_and_a_week_all() -> None:
    alike = [*MANY, *FEW, ALONE]
    days = [[name for name in alike if not day(part, alike).leaves(name)] for part in range(PARTS)]
    for ran in days:
        assert ALONE in ran
        assert len({*ran} & {*FEW}) == 1
        assert len({*ran} & {*MANY}) in (1, 2)
    assert {name for ran in days for name in ran} == set(alike)


def test_a_cell_that_takes_long_is_drawn_with_those_that_are_like_it() -> None:
    cell = max((name for name in recorded() if name.endswith("]")), key=lambda name: recorded()[name])
    assert not any(day(part, [cell]).leaves(cell) for part in range(PARTS)), "the only one of its test"


def test_where_no_part_is_drawn_everything_runs() -> None:
    assert not any(day(None).leaves(name) for name in NAMES)


def test_the_commit_draws_a_part() -> None:
    assert drawn() in (None, *range(PARTS))


def test_commits_one_after_the_other_have_all_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "ROOT", tmp_path)
    assert drawn() is None, "there is no commit"
    git = ("git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run([*git, "init", "-q"], check=True)
    assert drawn() is None, "nor is there one yet"
    parts = []
    for number in range(PARTS):
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", str(number)], check=True)
        parts.append(drawn())
    assert sorted(map(str, parts)) == sorted(map(str, range(PARTS)))


def test_a_shallow_clone_has_the_part_of_the_name_of_its_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, shallow = tmp_path / "whole", tmp_path / "shallow"
    git = ("git", "-C", str(whole), "-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", "init", "-q", str(whole)], check=True)
    for number in range(2):
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", str(number)], check=True)
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{whole}", str(shallow)], check=True)
    monkeypatch.setattr(schedule, "ROOT", shallow)
    assert drawn() == commit() % PARTS


def test_a_file_is_as_long_as_what_runs_of_it_today() -> None:
    seconds = {"a.py": 2.0, "a.py::test_long": 9.0, "a.py::test_left": 50.0, "rollouts/test_b.py": 30.0}
    tests = [
        "a.py::test_long",
        "a.py::test_short",
        "rollouts/test_b.py::test_one",
        "rollouts/test_b.py::test_two",
    ]
    assert durations([*tests, "new.py::test_it"], seconds) == {
        "a.py": 11,
        "rollouts/test_b.py": 30,
        "new.py": SHORT,
    }


# ------------------------------------------------------------------------------------ what is recorded

BUSY = "t = __import__('time'); end = t.process_time() + 0.4\nwhile t.process_time() < end: pass\n"
"""A program that takes 0.4 seconds of processor time."""


def test_what_a_test_starts_counts_whether_or_not_it_has_ended() -> None:
    watch = Stopwatch()
    watch.lap()
    subprocess.run([sys.executable, "-c", BUSY], check=True)
    ended = watch.lap()
    with subprocess.Popen(
        [sys.executable, "-c", f"{BUSY}print(flush=True); __import__('sys').stdin.read()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        running = watch.lap()
    assert min(ended, running) > 0.3


def test_what_waits_does_not_count() -> None:
    watch = Stopwatch()
    watch.lap()
    time.sleep(0.5)
    assert watch.lap() < 0.4


def test_a_time_is_recorded_anew_if_it_is_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs never take the same time, and each line would change."""
    monkeypatch.setattr("support.schedule.RECORD", tmp_path / "durations.json")
    monkeypatch.setattr("support.schedule.recorded", recorded.__wrapped__)  # which reads it once
    (tmp_path / "durations.json").write_text("{}", encoding="utf-8")
    test = "house/test_schedule.py::test"
    for taken, expected in ((4.0, 4.0), (4.6, 4.0), (2.9, 4.0), (8.0, 8.0), (2.0, 2.0)):
        record({test: taken})
        assert recorded.__wrapped__()[test] == expected


def test_durations_are_not_recorded_of_a_complete_run() -> None:
    """Properties then try four times as many examples as in the runs that the record divides."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--complete", "--record-durations", "--collect-only", __file__],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    said = "ERROR: --complete and --record-durations exclude each other: complete runs try more examples"
    assert done.stderr.strip() == said
