"""Shared by all tests: what runs and in which order, the flag that rewrites expected outputs, and the knowledge base,
loaded once."""

import gc
import os
import signal
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from setpoint.compiler.knowledge.load import measurements, standard
from setpoint.compiler.knowledge.model import Knowledge
from support.effort import examples
from support.processor_time import Stopwatch
from support.schedule import choose, durations, file_of, record, recorded, today
from support.warm import server

TESTS = Path(__file__).parent

TAKEN: dict[str, float] = {}
"""The seconds of processor time of each test in this run, by `file.py::name`, from `tests`, and by `file.py` those of
what its tests share; only where they are recorded."""

WATCH = Stopwatch()
OWN, SHARED = "processor time", "processor time that is shared"
"""The properties of a report, by which a worker hands on what its test took, and what the fixtures took that it was the
first to need."""

SINCE = {OWN: 0.0, SHARED: 0.0}
"""What has been taken since the last report."""


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Do not import files of which nothing runs by day: many make plans on the way."""
    is_left = collection_path.suffix == ".py" and today().leaves(str(collection_path.relative_to(TESTS)))
    return True if is_left else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what this run does not want, and put the longest files first (`--no-loadscope-reorder`, or workers look at
    the number of tests).

    What another cell of a matrix covers is left to `--complete`, and so is what takes long and the commit does not
    draw.
    """
    name_of = {item: item.nodeid.removeprefix("tests/") for item in items}
    is_complete = config.getoption("--complete")
    repeated = {item for item in items if not is_complete and item.get_closest_marker("repeated")}
    alike = [name_of[item] for item in items if item.get_closest_marker("alike") and item not in repeated]
    chosen = today(alike)
    wanted: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        (left if item in repeated or chosen.leaves(name_of[item]) else wanted).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
    takes = durations((name_of[item] for item in wanted), recorded())
    items[:] = sorted(wanted, key=lambda item: -takes[file_of(name_of[item])])


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Note what fixtures of several tests take: to leave the first of these tests would save nothing."""
    if fixturedef.scope == "function" or not request.config.getoption("--record-durations"):
        return (yield)
    SINCE[OWN] += WATCH.lap()
    try:
        return (yield)
    finally:
        SINCE[SHARED] += WATCH.lap()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note what each step of a test takes."""
    report = yield
    if item.config.getoption("--record-durations"):
        SINCE[OWN] += WATCH.lap()
        report.user_properties += SINCE.items()
        SINCE.update(dict.fromkeys(SINCE, 0.0))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep what each test takes."""
    test = report.nodeid.removeprefix("tests/")
    of = {OWN: test, SHARED: file_of(test)}
    for name, taken in report.user_properties:
        if name in of and isinstance(taken, float):
            TAKEN[of[name]] = TAKEN.get(of[name], 0) + taken


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Record how long each test took, where that is wanted; a worker does not know it."""
    if session.config.getoption("--record-durations") and not hasattr(session.config, "workerinput"):
        record(TAKEN)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Have garbage collected rarely, and not looked for in what stays until the end.

    A knowledge base with a site's statements makes some 300,000 objects, which the next one frees without a collection.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000_000, 20, 50)
    gc.enable()
    if session.config.getoption("--record-durations"):
        server()  # which the first test that needs it would have to pay for
        WATCH.lap()


def pytest_configure(config: pytest.Config) -> None:
    """Let those who cannot ask a fixture know that all is wanted: numbers of examples, tables of which a sample is
    tried, plays of Ansible and runs of Puppet.
    """
    if config.getoption("--complete") and config.getoption("--record-durations"):
        raise pytest.UsageError(
            "--complete and --record-durations exclude each other: complete runs try more examples"
        )
    config.addinivalue_line(
        "markers", "repeated: what another cell of the matrix covers; run with --complete"
    )
    config.addinivalue_line(
        "markers", "alike: a test whose cells differ in nothing but their data; by day the commit draws some"
    )
    gc.disable()  # what tests are collected from stays, and to look for garbage in it takes a quarter of the collection
    _receive_signals()
    os.environ["COLUMNS"] = "110"  # what is printed is as wide as in a file, whoever runs the tests
    if not hasattr(config, "workerinput"):  # workers have what is found here
        is_named = config.args_source != pytest.Config.ArgsSource.TESTPATHS
        choose(is_named or config.getoption("--complete") or config.getoption("--update"))
    if config.getoption("--complete"):
        os.environ |= {"COMPLETE": "all", "PLANTED": "all", "ANSIBLE_FORKED": "all", "PUPPET_STARTED": "all"}
    # In CI the same examples each time: a change is judged by what it changed. Elsewhere they are new each time, and
    # look on.
    in_ci = os.environ.get("CI") == "true"
    settings.register_profile("this", max_examples=examples(100), derandomize=in_ci, deadline=None)
    settings.load_profile("this")


def _receive_signals() -> None:
    """Have SIGINT and SIGHUP arrive where they are ignored, as below `nohup` or in the background of a script.

    Programs inherit that, and tests that interrupt them would wait for an end that never comes.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_report_header() -> str:
    return str(today())


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite the expected outputs instead of comparing"
    )
    parser.addoption(
        "--complete",
        action="store_true",
        help="run all of each matrix, and all that takes long; otherwise cells that cover it, where a test says that others repeat them,"
        " and of what takes long the part that the commit draws",
    )
    parser.addoption(
        "--record-durations",
        action="store_true",
        help="keep how much processor time files and tests take, for what the next runs draw and for their order",
    )


@pytest.fixture(scope="session")
def complete(request: pytest.FixtureRequest) -> bool:
    """Whether the whole of each matrix is wanted, and not only cells that cover it."""
    return bool(request.config.getoption("--complete"))


@pytest.fixture(scope="session")
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expected outputs are to be rewritten."""
    return bool(request.config.getoption("--update"))


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    """The standard library, measurements and all."""
    return standard()._replace(measurements=measurements())
