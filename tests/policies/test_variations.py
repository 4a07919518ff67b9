"""`expect … under`: the plans of other intents and servers."""

from typing import Any

import pytest

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import plan_subject
from setpoint.compiler.policies import variations
from setpoint.compiler.policies.check import check_program
from setpoint.compiler.policies.known import Known

SERVER = "goal latency; cpu westmere; workload comm-bound;\n"


def errors(text: str) -> list[Diagnostic]:
    found = check_program(program_of_text(SERVER + text), Known())
    return [each for each in found if each.severity == "error"]


def test_each_value_is_planned() -> None:
    assert errors("expect turbo on under goal latency or performance;") == []
    (error,) = errors('expect turbo on under goal any because "the desk";')
    assert error.message == "expected `turbo on`, but `turbo` is `off`"
    assert error.notes == (
        "under goal efficiency",
        "dell-11g-hpc, Figure 13: off, because its 2 to 8% of performance cost 12 to 21% more power",
        "expected because: the desk",
    )


def test_all_combinations_of_several_facts_are_planned() -> None:
    (error,) = errors(
        "expect hazard not c-state-idle-power under goal latency or efficiency, os rhel-5 or rhel-6;"
    )
    assert error.notes[0] == "under goal latency, os rhel-5; goal latency, os rhel-6"


def test_a_server_that_cannot_be_is_passed_over() -> None:
    assert errors("platform r710; expect turbo on under cpu skylake or westmere;") == []


def test_an_expectation_for_which_no_server_can_be_is_an_error() -> None:
    (error,) = errors("platform r710; expect turbo off under cpu skylake;")
    assert (error.code, error.message) == ("E0802", "`policy` cannot be such a server, so nothing is tried")


def test_a_server_without_a_plan_is_a_finding() -> None:
    (error,) = errors('set smt off because "x"; expect smt off under cpu westmere or epyc-rome;')
    assert error.message.startswith("expected `smt off`, but there is no plan: ")
    assert error.notes == ("under cpu epyc-rome",)


def test_a_group_is_varied_as_it_is() -> None:
    text = 'for group calm { set turbo off because "noise"; }\nexpect turbo off under goal latency or performance;'
    (error,) = errors(text)  # of the policy, and not of the group
    assert error.notes[0] == "under goal latency; goal performance"


def test_too_many_plans_are_not_made() -> None:
    (error,) = errors("expect turbo on under cpu any, goal any;")
    assert error.code == "E0802"
    assert error.message == "`under` asks for 156 plans, and at most 100 are made"


def test_expectations_share_the_plans_that_they_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counted(*arguments: Any) -> Any:
        made.append(arguments)
        return plan_subject(*arguments)

    monkeypatch.setattr(variations, "plan_subject", counted)
    found = errors("expect turbo on under goal any;\n" * 400)
    assert len(made) == 6, "one for each goal"
    assert [each.at.line for each in found] == list(range(2, 402)), "each finding is at its own expectation"


def test_a_shared_plan_shows_the_places_of_each_expectation() -> None:
    """The hazard's places are those of the facts that bring it about, which stand in the expectation itself."""
    expect = "expect hazard not c-state-idle-power under goal latency;"
    first, second = errors(f"{expect}\n{expect}")
    (alone,) = errors(f"\n{expect}")
    assert {label.span for label in second.others} == {label.span for label in alone.others}
    assert (first.at.line, second.at.line) == (2, 3)
