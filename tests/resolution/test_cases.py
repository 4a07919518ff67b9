"""Policies with the finding that each must give, on the line that causes it. `cases/errors` look at errors alone."""

from pathlib import Path

import pytest

from support.chunks import Chunk, check, chunks, plan, plan_errors

CASES = Path(__file__).parent / "cases"


@pytest.mark.parametrize("case", chunks(CASES / "errors"), ids=lambda case: case.name)
def test_errors(case: Chunk) -> None:
    check(case, plan_errors)


@pytest.mark.parametrize("case", chunks(CASES / "warnings"), ids=lambda case: case.name)
def test_every_finding(case: Chunk) -> None:
    check(case, plan)
