"""The formatter changes only the layout of a text, and has one form for each text."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText, Span
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.language.parse import parse
from strategies import SOON, files, layouts
from support.command import ROOT
from support.effort import examples
from support.golden import compare

EXAMPLES = Path(__file__).parent / "format"
STDLIB = sorted((ROOT / "stdlib").rglob("*.tune"))


def formatted(text: str) -> str:
    return format_source(SourceText("a.tune", text))


def said(text: str) -> object:
    """The tree of a text without places."""

    def bare(node: object) -> object:
        if isinstance(node, Span):
            return None
        return (type(node), *map(bare, node)) if isinstance(node, tuple) else node

    return bare(parse(SourceText("a.tune", text)))


@given(layouts())
@settings(SOON, max_examples=examples(120))
def test_a_text_says_the_same_once_formatted(text: str) -> None:
    assert said(formatted(text)) == said(text)


@given(layouts())
@settings(SOON, max_examples=examples(120))
def test_formatting_is_idempotent(text: str) -> None:
    once = formatted(text)
    assert formatted(once) == once


@given(layouts())
@settings(SOON, max_examples=examples(100))
def test_lines_are_clean(text: str) -> None:
    """No white space at the end of a line, no two blank lines, none at either end, a line break at the very end."""
    lines = formatted(text).split("\n")
    assert lines.pop() == ""
    assert all(line == line.rstrip(" \t\r") for line in lines)
    assert not any(a == b == "" for a, b in pairwise(lines))
    assert not lines or (lines[0] and lines[-1])


PLAIN_GAPS = st.sampled_from([" ", "\n", "   ", "\t\n  "])


@given(files(), st.lists(PLAIN_GAPS, min_size=1), st.lists(PLAIN_GAPS, min_size=1))
@settings(SOON, max_examples=examples(120))
def test_one_text_has_one_form(pieces: list[str], some: list[str], other: list[str]) -> None:
    """Whatever the white space was; only one-line blocks are kept, so there are none here."""

    def laid_out(gaps: list[str]) -> str:
        return "".join(
            gaps[n % len(gaps)] + piece + ("\n" if piece == "{" else "") for n, piece in enumerate(pieces)
        )

    assert formatted(laid_out(some)) == formatted(laid_out(other))


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.in.tune")), ids=lambda path: path.name)
def test_examples(path: Path, update: bool) -> None:
    """`NAME.in.tune` becomes `NAME.tune`, which is not changed any more."""
    expected = path.with_name(path.name.replace(".in.tune", ".tune"))
    compare(formatted(path.read_text(encoding="utf-8")), expected, update)
    assert formatted(expected.read_text(encoding="utf-8")) == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", STDLIB, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_standard_library_is_in_its_canonical_form(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert formatted(text) == text, f"run: setpoint fmt {path.relative_to(ROOT)}"


def test_comments_are_kept_in_place() -> None:
    text = "# above\n\ngoal latency # behind\n; # late\n# below"
    assert formatted(text) == "# above\n\ngoal latency;  # behind\n# late\n# below\n"


def test_a_text_with_errors_is_not_formatted() -> None:
    with pytest.raises(SetpointError) as caught:
        formatted("goal latency; set turbo off;")
    assert [d.code for d in caught.value.diagnostics] == ["E0104"]
