"""Our automaton reads like lark, whose tables it runs on: the same texts, with the same trees."""

from functools import cache
from pathlib import Path
from typing import Any

import lark
import pytest
from hypothesis import given
from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText, Span
from setpoint.compiler.language import tables, tokens
from setpoint.compiler.language.build import Build
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.syntax import File
from strategies import layouts, soup
from support.command import ROOT

TEXTS = sorted((ROOT / "stdlib").rglob("*.tune")) + sorted((ROOT / "examples").rglob("*.tune"))


@cache
def lark_parser() -> Lark:
    """Lark with our grammar; it is made in seconds, by the worker that needs it."""
    text = Path(tables.grammar_file()).read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer="basic", propagate_positions=True, maybe_placeholders=True)


@v_args(meta=True)
class ByLark(Transformer[Token, Any]):
    """Our nodes from lark's tree."""

    def __init__(self) -> None:
        super().__init__(visit_tokens=True)
        self.build = Build("a.tune")

    def __default__(self, data: Any, children: list[Any], meta: Any) -> Any:
        empty = Span("a.tune", 1, 1, 1, 1)
        span = empty if meta.empty else Span("a.tune", meta.line, meta.column, meta.end_line, meta.end_column)
        return self.build.node(str(data), span, children)

    def __default_token__(self, token: Token) -> Any:
        start, end = token.start_pos or 0, token.end_pos or 0
        return self.build.leaf(
            tokens.Token(token.type, str(token), token.line or 1, token.column or 1, start, end)
        )


def by_lark(text: str) -> File | None:
    """The tree by lark alone; None if the text is not in the language."""
    try:
        return File("a.tune", ByLark().transform(lark_parser().parse(text)))
    except (UnexpectedToken, UnexpectedCharacters):
        return None


OURS_ALONE = {"E0103", "E0105", "E0106"}
"""What is an error although it could be read: hidden characters, a forgotten `;`, a day that no calendar has."""


def assert_both_agree(text: str) -> None:
    """Assert that both give the same tree, or both an error, or only we report one of our additional errors."""
    try:
        assert parse(SourceText("a.tune", text)) == by_lark(text)
    except SetpointError as error:
        assert by_lark(text) is None or {d.code for d in error.diagnostics} <= OURS_ALONE


@pytest.mark.alike
@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_both_parsers_agree_on_the_library_and_the_examples(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert by_lark(text) is not None
    assert_both_agree(text)


def test_the_version_of_lark_is_known_without_importing_it() -> None:
    """It is part of the key of both caches."""
    assert tables.lark_version() == lark.__version__


@given(layouts())
def test_both_parsers_agree_on_random_layouts(text: str) -> None:
    assert_both_agree(text)


@given(soup())
def test_both_parsers_agree_on_random_tokens(text: str) -> None:
    assert_both_agree(text)
