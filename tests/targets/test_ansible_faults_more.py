"""Faults in runs with two restarts, in rollbacks and in verification: what is reported is so, and the next run ends well.

`support.fault_matrix` has the scenarios and their cases, and `test_ansible_faults` the runs with one restart. A run by default
takes a few cases of each scenario; `--complete` takes all, with Ansible's own workers.
"""

from __future__ import annotations

import pytest

from consumers.ansible_run import programs
from support.fault_matrix import LOCKED, SCENARIOS, Case, Faults, every, few, run_cases

NAMES = ("restarts", "rollback", "rollback-staged", "verify")


def cases(complete: bool) -> list[Case]:
    """The cases of the default run, or all."""
    return [case for name in NAMES for case in (every if complete else few)(name)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each case, with the case as its name."""
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", cases(metafunc.config.getoption("complete")), ids=str)


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Faults:
    programs()
    complete = bool(request.config.getoption("complete"))
    return run_cases(cases(complete), tmp_path_factory.mktemp("faults"), in_process=not complete)


@pytest.mark.parametrize("name", NAMES)
def test_the_scenario_has_the_requests_of_a_run(name: str, faults: Faults) -> None:
    assert faults.clean[name] == SCENARIOS[name].requests


def test_what_a_run_reports_is_so(faults: Faults, case: Case) -> None:
    ran = faults.ran[case]
    assert ran.untrue == [], ran.said


def test_the_next_run_ends_well_or_says_why_not(faults: Faults, case: Case) -> None:
    ran = faults.ran[case]
    assert ran.untrue_again == [], ran.said_again
    if case.request is None:
        assert LOCKED in ran.said_again
    else:
        assert ran.said_again == ""
        assert ran.boots == SCENARIOS[case.scenario].boots, "a restart that was not needed, or none"
