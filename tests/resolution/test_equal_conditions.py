"""Many recommendations with one condition: each condition is compared once, however many state it."""

import pytest

from setpoint.compiler.knowledge import boxes
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import knowledge_for, planned

SOURCE = 'source lab { title "Bench notes"; publisher "Example Ltd"; }\n'
SERVER = "goal performance; cpu westmere; workload comm-bound;"


def rules(values: list[str]) -> str:
    return "".join(
        f'rule r{number} of lab at "Run {number}" {{ when goal performance; use turbo {value}; because "x"; }}\n'
        for number, value in enumerate(values)
    )


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        (["on"] * 400, set()),
        (["on", "off"] * 200, {"E0303"}),  # both apply, and neither takes precedence
    ],
)
def test_pairs_of_equal_conditions_are_not_compared(
    values: list[str], codes: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = program_of_text(SOURCE + rules(values) + SERVER)
    knowledge = knowledge_for(program)
    compared = 0

    def counted(outer: boxes.Box, within: dict[str, int]) -> bool:
        nonlocal compared
        compared += 1
        return covers(outer, within)

    covers = boxes._covers
    monkeypatch.setattr(boxes, "_covers", counted)
    (one,) = planned(program, knowledge)
    assert {each.code for each in one.findings.errors} == codes
    assert compared < 2000, "400 rules have 160,000 pairs"
