"""Which tests run by day, and in which order.

One in ten tests takes nine tenths of the time: those that start what a server has, prove the whole library, build it
with a site, or run a page of the manual. By day a part of these runs, and each commit's part is the next one after that
of the commit before, so that twenty-three commits run all of them; what is named on the command line always runs, and
so does everything with `--complete`, at night. All other tests always run, as do guards that any commit can break.

What is drawn together is a *unit*: a test that takes long, or a file whose tests share what is expensive, as those of
roll-outs do. How much processor time tests and files take is recorded in `tests/durations.json` by
`pytest --record-durations`. A file is one worker's, so those that take longest in this run come first, for all workers
to end at the same time.

Of a test whose cells differ in nothing but their data (the marker `alike`), the commit draws a part as well, and at
least one cell.
"""

import json
import os
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from support.command import ROOT

TESTS = ROOT / "tests"
RECORD = TESTS / "durations.json"
"""Seconds of processor time, where they are `LONG` or more: of each test, and of each file what it takes besides these
tests. Of a file that is a unit it is the whole."""

ABOUT = 1.5
"""A time that is not this many times longer or shorter is about the same."""

SHARING = (
    "rollouts/",
    "captures/test_kernel.py",
    "docs/test_playground.py",
    "docs/test_site.py",
    "library/test_commands.py",
)
"""The beginnings of the paths of files that are units: a server's programs, the built manual or a proof is there for
all of their tests."""

GUARDS = ("house/test_architecture",)
"""The beginnings of the paths of files that always run: every commit can break what they guard, and would be found by
another that has nothing to do with it."""

LONG = 0.5
"""The seconds of processor time from which a test is a unit."""

PARTS = 23
"""How many parts the units have, which take about the same time. It is a prime number, so that whoever looks at every
second or fifth commit sees all of them as well."""

SHORT = 0.03
"""The seconds that a test takes of a file of which nothing is recorded."""

DRAWN = "DRAWN"
"""The variable of the environment that tells workers the number of the part, empty where everything runs."""


class Day(NamedTuple):
    """What one run leaves for others. `part` is None where everything runs; `left` are the units and the cells of the
    other parts."""

    part: int | None
    left: frozenset[str]

    def leaves(self, test: str) -> bool:
        """Whether a test, as `file.py::name`, is of another part."""
        return test in self.left or file_of(test) in self.left

    def __str__(self) -> str:
        if self.part is None:
            return "tests that take long: all"
        return f"tests that take long: part {self.part + 1} of {PARTS}, which the commit draws"


def file_of(test: str) -> str:
    """The file of a test."""
    return test.partition("::")[0]


def choose(is_whole: bool) -> None:
    """Choose the part of a run, for its workers as well: all of them, or what the commit draws."""
    part = None if is_whole else drawn()
    os.environ[DRAWN] = "" if part is None else str(part)


def today(alike: Collection[str] = ()) -> Day:
    """The day of the part that was chosen. `alike` are the tests whose cells differ in their data alone."""
    return day(int(os.environ[DRAWN]) if os.environ[DRAWN] else None, alike)


def day(part: int | None, alike: Collection[str] = ()) -> Day:
    """The day of a part."""
    if part is None:
        return Day(None, frozenset())
    return Day(part, (others(part) - set(alike)) | (set(alike) - set(cells(part, alike))))


@cache
def others(part: int) -> frozenset[str]:
    """The units of the other parts."""
    divided = parts(units(shared()), recorded())
    return frozenset(
        unit for number, units_of_part in enumerate(divided) if number != part for unit in units_of_part
    )


def cells(part: int, alike: Iterable[str]) -> Iterator[str]:
    """Of each test its cells of a part: one of `PARTS`, and at least one. Tests with the same cells in the same order
    get the same ones, so that these share what is made of them."""
    by_test: dict[str, list[str]] = {}
    for cell in alike:
        by_test.setdefault(cell.partition("[")[0], []).append(cell)
    for cells_of_test in by_test.values():
        number = min(PARTS, len(cells_of_test))
        yield from cells_of_test[part % number :: number]


def shared() -> set[str]:
    """The files whose tests share what is expensive."""
    paths = (str(path.relative_to(TESTS)) for path in TESTS.rglob("test_*.py"))
    return {path for path in paths if path.startswith(SHARING)}


def units(files: Iterable[str]) -> set[str]:
    """What is drawn: these files, and tests elsewhere that take long.

    It is known before tests are collected, so that no file is imported of which nothing runs.
    """
    tests = (name for name, taken in recorded().items() if "::" in name and taken >= LONG)
    return {*files, *(test for test in tests if not test.startswith((*SHARING, *GUARDS)))}


def parts(units: Iterable[str], seconds: Mapping[str, float]) -> list[list[str]]:
    """Units in parts that take about the same time: each, from the longest on, goes to the part that has least so
    far."""
    divided: list[list[str]] = [[] for _ in range(PARTS)]
    totals = [0.0] * PARTS
    for unit in sorted(units, key=lambda unit: (-seconds.get(unit, 0), unit)):
        least = totals.index(min(totals))
        divided[least].append(unit)
        totals[least] += seconds.get(unit, 0)
    return divided


def drawn() -> int | None:
    """The part of the commit; None where there is none, and everything runs."""
    number = place()
    return number % PARTS if number else None


def place() -> int:
    """How many commits lead to this one. A shallow clone does not know it, and has the commit's name as a number; 0 if
    there is no commit."""
    if _git("rev-parse", "--is-shallow-repository") != "false":
        return commit()
    return int(_git("rev-list", "--count", "HEAD") or "0")


def commit() -> int:
    """The name of the commit as a number; 0 if there is none."""
    return int(_git("rev-parse", "--verify", "--quiet", "HEAD") or "0", 16)


def _git(*arguments: str) -> str:
    """The output of git in the repository; "" if it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def durations(tests: Iterable[str], seconds: Mapping[str, float]) -> dict[str, float]:
    """The seconds that each file takes in a run of these tests."""
    files: dict[str, float] = {}
    for test in tests:
        file = file_of(test)
        files.setdefault(file, seconds.get(file, 0))
        if not file.startswith(SHARING):
            files[file] += seconds.get(test, 0 if file in seconds else SHORT)
    return files


@cache
def recorded() -> dict[str, float]:
    """The seconds that files and long tests took when they were last recorded, by `file.py` and `file.py::name`, from
    `tests`."""
    seconds: dict[str, float] = json.loads(RECORD.read_text(encoding="utf-8"))
    return seconds


def record(seconds: Mapping[str, float]) -> None:
    """Record how long tests took, and by file the rest. What did not run keeps its time, unless its file is gone; so
    does what took about as long as is recorded, since two machines never agree on more."""
    rest: dict[str, float] = {}
    for test, taken in seconds.items():
        file = file_of(test)
        if test == file or taken < LONG or file.startswith(SHARING):
            rest[file] = rest.get(file, 0) + taken
    ran = {**seconds, **rest}
    before = recorded()
    known = before | {
        name: round(taken, 1)
        for name, taken in ran.items()
        if not before.get(name, 0) / ABOUT <= taken <= before.get(name, 0) * ABOUT
    }
    kept = {
        name: taken
        for name, taken in sorted(known.items())
        if taken >= LONG and (TESTS / file_of(name)).is_file()
    }
    RECORD.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
