"""The work of one request is bounded, and what was not examined is an error (decision 0045)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from setpoint.compiler.budget import MOST, MOST_AT_ONCE, PLAN, SPENT, BudgetSpentError, limited
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.boxes import Box, covers, narrowest
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.pipeline import plan_subject, read
from setpoint.compiler.policies import variations
from setpoint.compiler.policies.check import check_program
from setpoint.compiler.policies.known import Known
from setpoint.compiler.resolution.narrow import MOST_STEPS, Effort
from support.command import ROOT
from support.forgotten import forget_findings

SERVER = "goal latency; cpu westmere; workload comm-bound;\n"
WORK = ("hep", "olap", "nfv", "java", "web", "build", "rendering", "eclipse", "ansys")
MANY = "".join(f"expect turbo on or off under goal any, memory-need any, workload {each};\n" for each in WORK)
"""Expectations that ask for 216 plans."""


@pytest.fixture(autouse=True)
def nothing_is_known() -> None:
    """What was found before takes no work."""
    forget_findings()


def checked(text: str, most: int) -> list[Diagnostic]:
    with limited(most):
        return check_program(program_of_text(text), Known())


def errors(found: list[Diagnostic]) -> list[tuple[str, int]]:
    return sorted((each.code, each.at.line) for each in found if each.severity == "error")


def test_what_was_not_examined_is_an_error_and_the_rest_is_reported() -> None:
    text = (
        SERVER
        + "expect turbo off under goal latency;\nexpect turbo off under goal any;\nexpect smt on under goal any;\n"
    )
    assert errors(checked(text, 3 * PLAN)) == [("E0801", 2), (SPENT, 3), (SPENT, 4)]


def test_the_finding_says_what_the_work_was_spent_on() -> None:
    (finding,) = (each for each in checked(SERVER + MANY, 100 * PLAN) if each.at.line == 10)
    assert finding.message.startswith("cannot examine expectations under other facts: ")
    (note,) = finding.notes
    assert note.startswith("spent on comparisons of conditions: ")
    assert "plans: 2,100,000 steps" in note, (
        "a hundred, the one of the policy itself, and the one that was too much"
    )


def test_every_plan_after_the_last_step_is_an_error() -> None:
    """Also one that would have been cheap: no policy passes because another has spent the budget."""
    (error,) = (each for each in checked(SERVER, -PLAN) if each.severity == "error")
    assert (error.code, error.message.partition(":")[0]) == (SPENT, "cannot examine `policy`")


def test_what_was_not_examined_is_not_known_the_next_time() -> None:
    assert errors(checked(SERVER, -PLAN)) == [(SPENT, 1)]
    assert errors(checked(SERVER, MOST)) == []


def test_an_editor_waits_for_a_part_of_the_work_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0

    def counted(*arguments: object) -> object:
        nonlocal made
        made += 1
        return plan_subject(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(variations, "plan_subject", counted)
    path = str(tmp_path / "policy.tune")
    document = Document(path, {path: SERVER + MANY})
    assert SPENT in {each.code for each in document.findings}
    assert made <= MOST_AT_ONCE // PLAN + len(WORK)


def test_a_subject_brings_the_steps_of_its_own_plan() -> None:
    """So a file with many policies is a larger request and no harder one."""
    policies = "".join(
        f'policy p{n} {{ {SERVER} set turbo off because "{n}"; sockets {n}; }}\n' for n in (1, 2)
    )
    assert errors(checked(policies, PLAN // 2)) == []


class Condition:
    def __init__(self, number: int) -> None:
        self.when = self.closed = (("memory", 1 << number),)


def test_conditions_that_differ_are_refused_before_they_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three thousand have nine million pairs."""
    compared = []

    def counted(outer: Box, inner: Box) -> bool:
        compared.append(outer)
        return covers(outer, inner)

    monkeypatch.setattr("setpoint.compiler.knowledge.boxes.covers", counted)
    with limited(MOST), pytest.raises(BudgetSpentError):
        narrowest([Condition(number) for number in range(3000)])
    assert compared == []


def test_a_search_has_what_is_left() -> None:
    with limited(1000) as budget:
        first = Effort()
        first.spent = 400
        assert (first.most, Effort().most, budget.left) == (1000, 600, 600)
    assert Effort().most == MOST_STEPS, "without a request, only the search is limited"


def policies() -> Iterator[Path]:
    yield from sorted((ROOT / "examples").rglob("*.tune"))


@pytest.mark.parametrize("path", list(policies()), ids=lambda path: str(path.relative_to(ROOT / "examples")))
def test_real_policies_need_a_small_part_of_the_budget(path: Path) -> None:
    with limited(MOST) as budget:
        check_program(read(str(path)), Known())
    granted = budget.most - MOST
    assert budget.most - budget.left - granted < MOST // 100
