"""What is shown of the text that a finding is about."""

import pytest

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.language.source import Span
from setpoint.compiler.render.excerpt import BEFORE, LONG, diagnostic_text

LENGTH = 3 * LONG


def shown(column: int, *others: int) -> list[str]:
    """The lines of the excerpt of a finding about single characters of one long line, an `x` each."""
    text = "".join("x" if n + 1 in (column, *others) else "." for n in range(LENGTH))
    labels = tuple(Label(Span("a.tune", 1, other, 1, other + 1), "the other") for other in others)
    finding = Diagnostic("E0302", "message", Span("a.tune", 1, column, 1, column + 1), "this", labels)
    return diagnostic_text(finding, lambda name: text).splitlines()[3:]


@pytest.mark.parametrize("column", [1, BEFORE, BEFORE + 1, BEFORE + 2, LONG, LONG + 1, LENGTH - 1, LENGTH])
def test_of_a_long_line_the_place_that_is_meant_is_shown_with_its_mark_below(column: int) -> None:
    line, mark = shown(column)
    assert len(line) <= LONG + len(" 1 | ……")
    assert line[mark.index("^")] == "x"


def test_two_places_far_apart_are_shown_one_after_the_other() -> None:
    line, mark, other_line, other_mark = shown(LENGTH - 5, 7)
    assert line[mark.index("-")] == "x"
    assert other_line[other_mark.index("^")] == "x"
