"""Lines and columns are the same for the compiler, for the server and for an editor, whatever characters a text has."""

import sys

from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol.types import Position, Range

from setpoint.compiler.diagnostics.fixes import Edit, edited
from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of, offset_of, place_of
from setpoint.compiler.language.tokens import END, tokens
from setpoint.compiler.lsp.positions import at_offset, place, replaced, to_range
from support.effort import examples
from support.text_model import TextModel

ENDS = ["\n", "\r\n", "\r"]
ODD = [
    *("\t", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x1f", "\0", "\x85", "\u2028", "\u2029", "\ufeff", "\u00a0", "\u200b"),  # no ends
    *("e\u0301", "🐇", "\U0010ffff", "👩‍🚀", "\ud83d", "\udc07", "ß", "漢"),
]  # fmt: skip
WORDS = ["# see", "set turbo on", '"a text"', "goal latency;", "{", "}", " "]

texts = st.lists(
    st.one_of(st.sampled_from(ENDS), st.sampled_from(ODD), st.sampled_from(WORDS), st.characters()),
    max_size=30,
).map("".join)
numbers = st.one_of(st.integers(0, 12), st.integers(0, 2**31 - 1))
positions = st.builds(Position, numbers, numbers)
ranges = st.builds(Range, positions, positions)


def data(range_: Range) -> dict[str, dict[str, int]]:
    ends = {"start": range_.start, "end": range_.end}
    return {name: {"line": each.line, "character": each.character} for name, each in ends.items()}


def same(text: str) -> str:
    """The text without pairs of surrogates that are one character."""
    return TextModel(text).text


@given(texts, st.lists(st.tuples(ranges, texts), max_size=5))
@settings(max_examples=examples(2_000))
def test_a_document_is_what_the_editor_has(text: str, changes: list[tuple[Range, str]]) -> None:
    model = TextModel(text)
    for range_, new in changes:
        text = replaced(text, range_, new)
        model.change({"range": data(range_), "text": new})
        assert text == model.text


@given(texts)
@settings(max_examples=examples(1_000))
def test_lines_are_those_of_the_editor(text: str) -> None:
    units = "".join(TextModel(text)._units)
    assert [same(line) for line in lines_of(text)] == [same(units[a:b]) for a, b in TextModel(text).lines]


@given(texts)
@settings(max_examples=examples(1_000))
def test_each_word_is_where_the_compiler_says(text: str) -> None:
    text = same(text)
    lines = lines_of(text)
    for token in tokens(SourceText("a.tune", text)):
        if token.kind == END:
            continue
        assert place_of(text, token.start) == (token.line, token.column)
        assert offset_of(text, token.line, token.column) == token.start
        range_ = to_range(token.span("a.tune"), lines)
        assert at_offset(token.start, text) == range_.start
        assert place(range_.start, lines) == (token.line, token.column)
        if token.text != "\r":  # which is the end of its line, and a token
            model = TextModel(text)
            model.edit([{"range": data(range_), "newText": "x"}])
            assert (
                model.text
                == edited(text, [Edit(token.span("a.tune"), "x")])
                == text[: token.start] + "x" + text[token.end :]
            )


def test_no_other_character_ends_a_line() -> None:
    every = [chr(code) for code in range(sys.maxunicode + 1) if chr(code) not in "\r\n"]
    text = "".join(f"# {each}\n" for each in every) + "set"
    *_, last, _ = tokens(SourceText("a.tune", text))
    assert last.span("") == Span("", len(every) + 1, 1, len(every) + 1, 4)
    assert len(lines_of(text)) == len(every) + 1
