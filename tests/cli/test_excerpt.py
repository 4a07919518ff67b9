"""The excerpt of the text that a finding is about."""

import pytest

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.render.excerpt import BEFORE, LONG, diagnostic_text

LENGTH = 3 * LONG


def shown(column: int, *others: int) -> list[str]:
    """The lines of the excerpt of a finding about single characters of one long line, an `x` each."""
    text = "".join("x" if n + 1 in (column, *others) else "." for n in range(LENGTH))
    labels = tuple(Label(Span("a.tune", 1, other, 1, other + 1), "the other") for other in others)
    finding = Diagnostic("E0302", "message", Span("a.tune", 1, column, 1, column + 1), "this", labels)
    return diagnostic_text(finding, lambda name: text).splitlines()[3:]


@pytest.mark.parametrize("column", [1, BEFORE, BEFORE + 1, BEFORE + 2, LONG, LONG + 1, LENGTH - 1, LENGTH])
def test_a_long_line_is_clipped_around_the_marked_place(column: int) -> None:
    line, mark = shown(column)
    assert len(line) <= LONG + len(" 1 | ……")
    assert line[mark.index("^")] == "x"


def test_two_places_far_apart_are_shown_one_after_the_other() -> None:
    line, mark, other_line, other_mark = shown(LENGTH - 5, 7)
    assert line[mark.index("-")] == "x"
    assert other_line[other_mark.index("^")] == "x"


@pytest.mark.parametrize(
    ("character", "escape"),
    [("\x1b", r"\x1b"), ("\u202e", r"\u202e"), ("\x00", r"\x00"), ("\u2028", r"\u2028"), ("\x85", r"\x85")],
)
def test_control_and_invisible_characters_are_shown_as_escapes(character: str, escape: str) -> None:
    """The mark is below it, however long the escape is."""
    text = f"a{character}b {character} # {character}[2J"
    finding = Diagnostic(
        "E0103", f"no {character}", Span("a.tune", 1, 5, 1, 6), character, notes=(character,)
    )
    output = diagnostic_text(finding, lambda name: text)
    assert character not in output
    line, mark = output.splitlines()[3:5]
    assert line == f" 1 | a{escape}b {escape} # {escape}[2J"
    assert mark == f"   | {' ' * len(f'a{escape}b ')}{'^' * len(escape)} {escape}"


def test_a_tab_takes_one_place() -> None:
    finding = Diagnostic("E0202", "message", Span("a.tune", 1, 2, 1, 3))
    line, mark = diagnostic_text(finding, lambda name: "\tx").splitlines()[3:5]
    assert line[mark.index("^")] == "x"
