"""What runs by day: a part of what takes long, and each of that in some part."""

from support.command import ROOT
from support.schedule import LONG, PARTS, SHARING, day, drawn, parts, recorded, units

TESTS = ROOT / "tests"
FILES = [str(path.relative_to(TESTS)) for path in TESTS.rglob("test_*.py")]
SHARED = [path for path in FILES if path.startswith(SHARING)]
NAMES = [*(f"{path}::test_{n}" for path in SHARED for n in range(2)), *(n for n in recorded() if "::" in n)]


def test_each_unit_is_run_by_one_part() -> None:
    days = [day(part, NAMES) for part in range(PARTS)]
    for name in NAMES:
        assert sum(not each.leaves(name) for each in days) == 1, name


def test_parts_take_about_the_same_time() -> None:
    seconds = recorded()
    times = [sum(seconds.get(unit, 0) for unit in part) for part in parts(units(NAMES), seconds)]
    assert max(times) - min(times) <= max(seconds.get(unit, 0) for unit in units(NAMES))


def test_a_rollout_that_was_never_recorded_is_in_some_part() -> None:
    new = "rollouts/test_new.py::test_it"
    assert sum(not day(part, [*NAMES, new]).leaves(new) for part in range(PARTS)) == 1


def test_what_does_not_take_long_always_runs() -> None:
    assert not any(day(part, NAMES).leaves("language/test_lexer.py::test_it") for part in range(PARTS))
    assert all(taken >= LONG for name, taken in recorded().items() if "::" in name)


def test_where_no_part_is_drawn_everything_runs() -> None:
    assert not any(day(None, NAMES).leaves(name) for name in NAMES)


def test_the_commit_draws_a_part() -> None:
    assert drawn() in (None, *range(PARTS))
