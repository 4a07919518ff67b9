"""Plans for roles, read as somebody would who runs such servers.

Each file is a role: what the work is, and on servers of several makers what its guides, and what the servers' own
documents say of it, expect of a plan. The expectations are the sources' words, read before any plan; each names where
it is said. Where a plan does not have one of them, the plan is to be mended, or the source disagrees with another one,
and then the expectation names both.
"""

from pathlib import Path

import pytest

from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.language.syntax import Expect, Policy
from setpoint.compiler.pipeline import Selection, knowledge_for, planned
from setpoint.compiler.policies.check import check_program
from setpoint.compiler.policies.known import Known

ROLES = sorted(Path(__file__).parent.glob("*.tune"))

PRESENT = 26
"""The least number of roles."""


@pytest.mark.alike
@pytest.mark.parametrize("path", ROLES, ids=lambda path: path.stem)
def test_a_plan_has_what_the_role_expects(path: Path) -> None:
    program = program_of_text(path.read_text(encoding="utf-8"))
    errors = [each for each in check_program(program, Known()) if each.severity == "error"]
    assert [(each.at.line, each.message, each.notes) for each in errors] == []


@pytest.mark.alike
@pytest.mark.parametrize("path", ROLES, ids=lambda path: path.stem)
def test_a_role_is_expected_on_several_servers_and_says_where_that_is_from(path: Path) -> None:
    body = program_of_text(path.read_text(encoding="utf-8")).body
    policies = [each for each in body if isinstance(each, Policy)]
    expected = [
        each for part in (body, *(p.body for p in policies)) for each in part if isinstance(each, Expect)
    ]
    assert len(policies) >= 2
    assert expected
    assert all(each.because is not None for each in expected)


@pytest.mark.alike
@pytest.mark.parametrize("path", ROLES, ids=lambda path: path.stem)
def test_a_plan_for_a_role_does_not_warn_of_its_own_advice(path: Path) -> None:
    """But for what only somebody who knows the site can say."""
    program = program_of_text(path.read_text(encoding="utf-8"))
    knowledge = knowledge_for(program)
    plans = [each.plan for each in planned(program, knowledge, Selection()) if each.plan is not None]
    assert plans
    arising = {hazard.hazard for plan in plans for hazard in plan.hazards}
    assert [name for name in sorted(arising) if not knowledge.hazards[name].asks] == []


@pytest.mark.alike
@pytest.mark.parametrize("path", ROLES, ids=lambda path: path.stem)
def test_a_role_is_expected_on_servers_of_three_makers(path: Path) -> None:
    program = program_of_text(path.read_text(encoding="utf-8"))
    done = planned(program, knowledge_for(program), Selection())
    makers = {each.plan.fact("vendor") for each in done if each.plan is not None}
    assert len(makers) >= 3


def test_there_are_many_roles() -> None:
    assert len(ROLES) >= PRESENT
