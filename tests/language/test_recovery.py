"""Reading ends soon for every text, with a tree or syntax errors, and nothing else."""

import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.language.parse import parse
from strategies import layouts, soon, soup
from support.command import ROOT
from support.effort import examples

STDLIB = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "stdlib").rglob("*.tune"))]
WINDOW = 1500
"""How many characters of a library file are damaged at a time: some forty lines."""


def findings(text: str) -> tuple[Diagnostic, ...]:
    try:
        parse(SourceText("a.tune", text))
    except SetpointError as error:
        found = error.diagnostics
    else:
        return ()
    assert found
    return found


def assert_well_formed(found: Diagnostic, text: str) -> None:
    """A code of syntax, a message without loose ends, and a place within the text."""
    lines = re.split("\r\n?|\n", text)  # as editors count them
    assert found.code in ("E0101", "E0102", "E0103", "E0104", "E0105", "E0106")
    assert found.message == found.message.strip()
    assert "``" not in found.message
    assert 1 <= found.at.line <= len(lines)
    assert 1 <= found.at.column <= len(lines[found.at.line - 1]) + 1
    assert (found.at.end_line, found.at.end_column) > (found.at.line, found.at.column)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A part of the standard library with some characters or lines removed, doubled, moved or inserted."""
    whole = draw(st.sampled_from(STDLIB))
    start = draw(st.integers(0, max(0, len(whole) - WINDOW)))
    text = whole[start : start + WINDOW]
    for _ in range(draw(st.integers(1, 4))):
        a, b = sorted(draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
        b = min(b, a + 60)
        what = draw(st.sampled_from(["delete", "double", "insert", "swap"]))
        if what == "delete":
            text = text[:a] + text[b:]
        elif what == "double":
            text = text[:b] + text[a:]
        elif what == "swap":
            text = text[:a] + text[a:b][::-1] + text[b:]
        else:
            text = (
                text[:a]
                + draw(st.sampled_from(["{", "}", ";", '"', "#", ",", "\n", "because", "é"]))
                + text[a:]
            )
    return text


@given(soup())
@soon(examples(250))
def test_any_words_in_any_order(text: str) -> None:
    for found in findings(text):
        assert_well_formed(found, text)


@given(st.text(max_size=80))
@soon(examples(120))
def test_any_characters(text: str) -> None:
    for found in findings(text):
        assert_well_formed(found, text)


@given(damaged())
@soon(examples(150))
def test_a_damaged_library_file(text: str) -> None:
    for found in findings(text):
        assert_well_formed(found, text)


@given(damaged())
@soon(examples(60))
def test_a_damaged_file_that_still_reads_can_be_formatted(text: str) -> None:
    if not findings(text):
        format_source(SourceText("a.tune", text))


@given(layouts())
@soon(examples(100))
def test_a_right_text_has_no_findings(text: str) -> None:
    assert findings(text) == ()


@given(layouts(), st.sampled_from(["set turbo off;", "cpu;", "policy {", "!", '"']))
@soon(examples(100))
def test_an_error_after_a_valid_text_is_the_only_one(text: str, wrong: str) -> None:
    """Nothing before it is blamed: the error is on the last line."""
    whole = f"{text}\nmanage all;\n{wrong}" if text.rstrip().endswith("}") or not text.strip() else ""
    if whole:
        assert {found.at.line for found in findings(whole)} == {whole.count("\n") + 1}


@pytest.mark.parametrize(
    "wrong", ["!;", "}", "{", "set turbo off;\n", '"', "policy a {", "for ", "cpu x\n", "\\", ";"]
)
def test_a_long_text_of_errors_is_read_soon(wrong: str) -> None:
    """Linear in the length of the text: see `MOST_ERRORS` for what bounds the number of findings."""
    before = process_time()
    assert findings(wrong * 20_000)
    assert process_time() - before < 10
