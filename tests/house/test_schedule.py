"""What runs by day: a part of the roll-outs, and each of them in some part."""

from support.command import ROOT
from support.schedule import DRAWN, PARTS, drawn, parts, recorded

TESTS = ROOT / "tests"
FILES = [str(path.relative_to(TESTS)) for path in TESTS.glob(f"{DRAWN}test_*.py")]


def test_each_rollout_is_in_one_part() -> None:
    divided = parts(FILES, recorded())
    assert len(divided) == PARTS
    assert sorted(path for part in divided for path in part) == sorted(FILES)


def test_parts_take_about_the_same_time() -> None:
    seconds = recorded()
    times = [sum(seconds.get(path, 0) for path in part) for part in parts(FILES, seconds)]
    longest = max(seconds.get(path, 0) for path in FILES)
    assert max(times) - min(times) <= longest


def test_a_file_that_was_never_recorded_is_in_some_part() -> None:
    assert ["rollouts/test_new.py"] in parts(["rollouts/test_new.py"], {})


def test_the_commit_draws_a_part() -> None:
    assert drawn() in (None, *range(PARTS))
