"""Expectations: what they are about, when they hold, and what is said where they do not."""

import pytest
from hypothesis import given, settings

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from support.effort import examples
from support.policies import Draft, policies, vocabulary

SERVER = "goal latency; cpu westmere; workload comm-bound; os rhel-9;\n"


def errors(text: str) -> list[Diagnostic]:
    """The errors of a policy for this server."""
    (done,) = planned(program_of_text(SERVER + text), vocabulary())
    return list(done.findings.errors)


HOLDS = [
    "expect turbo on;",
    "expect turbo on, c-states off;",
    "expect turbo on or off;",
    "expect turbo not off;",
    "expect turbo on from dell-11g-hpc;",
    "expect hazard c-state-idle-power;",
    "expect hazard not c-states-vs-latency;",
    'accept c-state-idle-power because "never idle"; expect hazard c-state-idle-power;',  # a waiver waives, no more
    "expect cpu westmere;",
    "expect platform poweredge-11g;",
    "expect workload hpc;",  # what comm-bound lies within
    "expect goal any;",
    "expect interconnect not infiniband;",  # unknown here
    "expect sub-numa-cluster not on;",  # this server has no such setting
    'set swappiness 7 because "x"; expect swappiness 7;',
    'set swappiness 7 because "x"; expect swappiness 0 to 10;',
    'set swappiness 7 because "x"; expect swappiness below 8;',
    'set swappiness 7 because "x"; expect swappiness not above 7;',
    'set isolated-cpus 2-5 because "x"; expect isolated-cpus 2-5;',
    'set isolated-cpus 2-5,8 because "x"; expect isolated-cpus cpu-list;',
]

DOES_NOT = {
    "expect turbo off;": "expected `turbo off`, but `turbo` is `on`",
    "expect turbo not on;": "expected `turbo not on`, but `turbo` is `on`",
    "expect c-states off, turbo off;": "expected `turbo off`, but `turbo` is `on`",
    "expect turbo on from cern-nehalem;": (
        "expected `turbo on from cern-nehalem`, but `turbo on` comes from dell-11g-hpc, Table 6"
    ),
    'set turbo on because "x"; expect turbo on from dell-11g-hpc;': (
        "expected `turbo on from dell-11g-hpc`, but `turbo on` comes from the policy"
    ),
    "expect hazard c-states-vs-latency;": (
        "expected `hazard c-states-vs-latency`, but hazard `c-states-vs-latency` does not occur"
    ),
    "expect hazard not c-state-idle-power;": (
        "expected `hazard not c-state-idle-power`, but hazard `c-state-idle-power` occurs"
    ),
    "expect cpu nehalem;": "expected `cpu nehalem`, but `cpu` is `westmere`",
    "expect sub-numa-cluster on;": (
        "expected `sub-numa-cluster on`, but `sub-numa-cluster` is not covered on this server"
    ),
    'set swappiness 7 because "x"; expect swappiness 8;': "expected `swappiness 8`, but `swappiness` is `7`",
    'set swappiness 7 because "x"; expect swappiness above 7;': (
        "expected `swappiness above 7`, but `swappiness` is `7`"
    ),
    'set isolated-cpus 2-5 because "x"; expect isolated-cpus none;': (
        "expected `isolated-cpus none`, but `isolated-cpus` is `2-5`"
    ),
}

WRONG = {
    "expect trubo on;": "E0201",
    "expect turbo maybe;": "E0202",
    "expect swappiness 9us;": "E0212",
    "expect hazard trubo;": "E0201",
    "expect turbo on from nobody;": "E0201",
    "expect goal latency from dell-11g-hpc;": "E0802",
    'expect turbo on because "";': "E0209",
    "expect turbo on under turbo on;": "E0201",
    "expect turbo on under goal speed;": "E0202",
    "expect turbo on under goal not latency;": "E0802",
}


@pytest.mark.parametrize("text", HOLDS)
def test_it_holds(text: str) -> None:
    assert errors(text) == []


@pytest.mark.parametrize(("text", "message"), DOES_NOT.items(), ids=list(DOES_NOT))
def test_it_does_not_hold(text: str, message: str) -> None:
    (error,) = errors(text)
    assert (error.code, error.message) == ("E0801", message)


@pytest.mark.parametrize(("text", "code"), WRONG.items(), ids=list(WRONG))
def test_what_it_names_must_exist(text: str, code: str) -> None:
    assert [error.code for error in errors(text)] == [code]


def test_who_decides_otherwise_is_told_and_why_it_was_expected() -> None:
    (by_library,) = errors('expect turbo off because "PERF-212";')
    assert by_library.notes == ("dell-11g-hpc, Table 6: on", "expected because: PERF-212")
    (by_policy,) = errors('set turbo off because "noise";\nexpect turbo on;')
    assert [(label.text, label.span.line) for label in by_policy.others] == [("decided here", 2)]


def test_a_level_expects_what_the_wider_ones_do() -> None:
    text = (
        SERVER
        + 'expect turbo on;\nfor group calm { set turbo off because "noise"; expect smt off; }\n'
        + "for group fast { expect c-states on; }\n"
    )
    done = planned(program_of_text(text), vocabulary())
    found = {each.subject.name: [d.message for d in each.findings.errors] for each in done}
    assert found == {
        "policy": [],
        "policy-calm": ["expected `turbo on`, but `turbo` is `off`"],
        "policy-fast": ["expected `c-states on`, but `c-states` is `off`"],
    }


@given(policies())
@settings(max_examples=examples(30), deadline=None)
def test_what_a_plan_has_can_be_expected_of_it_and_changes_nothing(draft: Draft) -> None:
    (before,) = planned(program_of_text(draft.text), vocabulary())
    if before.plan is None:
        return
    expected = [
        f"expect {d.setting} {d.value}" + (f" from {d.cause.source};" if d.cause.source else ";")
        for d in before.plan.settings
        if "," not in d.value  # a comma would begin another condition
    ]
    (after,) = planned(program_of_text(draft.text + "\n".join(expected)), vocabulary())
    assert after.plan is not None
    assert after.plan.settings == before.plan.settings
    assert [d for d in after.findings if d.code == "E0801"] == []
