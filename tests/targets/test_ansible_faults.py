"""The role when one request of a run goes wrong: what it reports is so, and the next run reaches the end state.

`support.fault_matrix` has the scenarios and their cases. Here are the runs with one restart; `test_ansible_faults_more` has the
others. Every reading meets one of the faults, in turn, and each other request those that leave open what became of it. With
`--complete` all requests meet all faults, on a service of each kind, with Ansible's own workers.
"""

from __future__ import annotations

import pytest

from consumers.ansible_run import programs
from support.fault_matrix import LOCKED, SCENARIOS, Case, Faults, every, run_cases, usual


def cases(complete: bool) -> list[Case]:
    """The cases of the default run, or all."""
    return [*every("r740"), *every("r750")] if complete else usual("r740")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each case, with the case as its name."""
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", cases(metafunc.config.getoption("complete")), ids=str)


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Faults:
    programs()
    complete = bool(request.config.getoption("complete"))
    return run_cases(cases(complete), tmp_path_factory.mktemp("faults"), in_process=not complete)


def test_the_cases_are_of_all_requests_of_a_run(faults: Faults) -> None:
    """Where this fails, `SCENARIOS` has to have the requests that the role makes now."""
    assert faults.clean == {name: SCENARIOS[name].requests for name in faults.clean}
    assert {case.request for case in faults.ran} >= {
        number for name in faults.clean for number in range(len(SCENARIOS[name].requests))
    }


def test_what_a_run_reports_is_so(faults: Faults, case: Case) -> None:
    ran = faults.ran[case]
    assert ran.untrue == [], ran.said


def test_the_next_run_reaches_the_policy_or_says_why_not(faults: Faults, case: Case) -> None:
    ran = faults.ran[case]
    assert ran.untrue_again == [], ran.said_again
    if case.request is None:
        assert LOCKED in ran.said_again
    else:
        assert ran.said_again == ""
        assert ran.boots == 1, "a restart that was not needed, or none"
