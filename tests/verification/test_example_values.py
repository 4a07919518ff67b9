"""How many values of the example policies a capture decides: at least 93 of 100, and of each other one it says why not.

A value counts as decided by the host if the boot line, a file or a register tells it from others, and by the controller
if an attribute has it. A place that shows other values only, and messages that no shell can send, do not count; nor
does `auto`, which no attribute resolves.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from setpoint.compiler.binding.levels import all_subjects
from setpoint.compiler.captures.model import Capture, Readings
from setpoint.compiler.cli.inventory import final_policies
from setpoint.compiler.knowledge.boxes import ANY
from setpoint.compiler.pipeline import ALL_POLICIES, knowledge_for, plan_subject, read
from setpoint.compiler.verification.questions import PlanQuestions, SettingQuestion, questions
from setpoint.compiler.verification.verdicts import verdicts
from support.command import ROOT

EXAMPLES = sorted(each for each in (ROOT / "examples").rglob("*.tune") if each.parent.name != "site")
LEAST_BY_HOST, LEAST = 0.75, 0.93


@cache
def asked(path: Path) -> tuple[PlanQuestions, ...]:
    """What the plans of an example ask, each policy with all of its groups and hosts."""
    found = []
    program = read(str(path))
    knowledge = knowledge_for(program)
    for subject in all_subjects(final_policies(program, ""), knowledge.required):
        done = plan_subject(subject, knowledge, ALL_POLICIES)
        assert done.plan is not None, (path, done.findings.errors)
        found.append(questions(done.plan, knowledge))
    return tuple(found)


def decided_by(question: SettingQuestion) -> str:
    """The first side that decides the value: host, controller, or none."""
    value = question.decision.value
    tells = (
        any(text == value or (text == ANY and value[:1].isdigit()) for _, text in each.texts)
        for each in question.observed.observations
        if not each.place.startswith("hsmp ")
    )
    if question.words or question.ways or any(tells):
        return "host"
    return "controller" if question.attributes and value != "auto" else "none"


def values() -> Iterator[SettingQuestion]:
    """All values of all layers."""
    return (question for path in EXAMPLES for each in asked(path) for question in each.settings)


def test_most_values_of_the_examples_are_decided_by_reading() -> None:
    found = Counter(decided_by(each) for each in values())
    total = found.total()
    assert total > 350
    assert found["host"] / total >= LEAST_BY_HOST, found
    assert (found["host"] + found["controller"]) / total >= LEAST, found


UNDECIDED = {
    "cpu-power-management", "cpuspeed-service", "data-reuse", "memory-voltage", "qpi-bandwidth-priority", "smt-placement",
    "x2apic"
}  # fmt: skip
"""Presets and others of servers whose controller has no attributes, services without a state of their own, and two that
are `auto`."""


def test_the_values_that_nothing_decides_are_these() -> None:
    assert {each.decision.setting for each in values() if decided_by(each) == "none"} == UNDECIDED


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_what_no_host_shows_is_never_as_planned_and_has_its_reason(path: Path) -> None:
    silent = Capture("c042", Readings({}, {}), None)
    told = [
        pair
        for plan in asked(path)
        for pair in zip(plan.settings, verdicts(plan, silent).verdicts, strict=True)
    ]
    assert told
    for question, verdict in told:
        if decided_by(question) == "host":
            continue
        assert verdict.state in ("controller-only", "unresolved", "unreadable"), verdict
        assert verdict.change, verdict
        unseen = question.observed.unseen
        seen = (
            question.observed.observations or question.attributes
        )  # at another kind of processor, or by the controller
        assert verdict.reason.startswith(unseen) if unseen else seen, verdict
