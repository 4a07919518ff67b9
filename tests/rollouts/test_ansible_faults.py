"""The role when one request of a run goes wrong: what it reports is so, and the next run ends well.

`support.fault_matrix` has the scenarios and their cases. A default run has its `sample`: every kind of fault and every
kind of step; and of those that leave their servers in the same state, one is run again. With `--complete` every request
of every scenario meets every fault, and the sample runs with Ansible's own workers. `-k` limits what is run:
`-k restarts`.
"""

from __future__ import annotations

import pytest

from consumers.ansible_run import programs
from support.fault_matrix import LOCKED, SCENARIOS, Case, Faults, every, run_cases, sample


def cases(complete: bool) -> list[Case]:
    """The cases of the default run, or all."""
    return [case for name in SCENARIOS for case in every(name)] if complete else sample()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each case, with the case as its name."""
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", cases(metafunc.config.getoption("complete")), ids=str)


@pytest.fixture(scope="module")
def faults(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest, complete: bool
) -> Faults:
    """What came of the cases that are to be run."""
    programs()
    wanted = [
        case
        for item in request.session.items
        if isinstance(item, pytest.Function)
        and item.path == request.path
        and "case" in item.fixturenames
        and isinstance(case := item.callspec.params["case"], Case)
    ]
    found, sampled = Faults({}, {}), sample()
    for forked in (False, True):
        some = [case for case in wanted if (complete and case in sampled) == forked]
        folder = tmp_path_factory.mktemp("faults")
        ran = run_cases(some, folder, in_process=not forked, all_again=complete)
        found.ran.update(ran.ran)
        found.clean.update(ran.clean)
    return found


def test_the_sample_has_every_kind_of_fault_and_every_step() -> None:
    all_cases = [case for name in SCENARIOS for case in every(name)]
    assert {case.step for case in all_cases} == {case.step for case in sample()}
    assert {case.kind for case in all_cases} == {case.kind for case in sample()}


def test_the_cases_are_of_all_requests_of_a_run(faults: Faults) -> None:
    """Where this fails, `SCENARIOS` has to have the requests that the role makes now."""
    assert faults.clean == {name: SCENARIOS[name].requests for name in faults.clean}


def test_what_a_run_reports_is_so_and_the_next_ends_well(faults: Faults, case: Case, complete: bool) -> None:
    """Or says why it cannot: where the BIOS rejects a value, it does so again."""
    first, second, boots = faults.ran[case]
    assert first.untrue == [], first.failed
    if first.failed and second is None and not complete:
        return  # Another case has left its server in this state.
    end = second or first
    assert end.untrue == [], end.failed
    if case.request is None:
        assert LOCKED in end.failed
    else:
        assert end.failed == ""
        assert boots == SCENARIOS[case.scenario].boots, "a restart that was not needed, or none"
