"""The formatter changes only the layout of a text, and has one form for each text."""

import re
from itertools import pairwise, takewhile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.blocks import CELLS, FIGURES, kind_of
from setpoint.compiler.language.formatting.columns import WIDTH
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.language.formatting.layout import lines_of
from setpoint.compiler.language.formatting.token_groups import Entry, TokenGroup, entries_of, pieces_of
from setpoint.compiler.language.parse import parse, parsed_tokens
from setpoint.compiler.language.syntax import File
from strategies import files, layouts, soon
from support.command import ROOT
from support.effort import examples
from support.golden import compare

EXAMPLES = Path(__file__).parent / "format"
STDLIB = sorted((ROOT / "stdlib").rglob("*.tune"))
CANONICAL = sorted(
    path
    for room in ("stdlib", "examples", "compiler/cli/new", "tests/roles", "tests/library")
    for path in (ROOT / room).rglob("*.tune")
)
"""All files of the language but those whose form, or whose errors, are the case of a test."""


def formatted(text: str) -> str:
    return format_source(SourceText("a.tune", text))


def said(text: str) -> File:
    """The tree of a text, which equals that of each text that says the same."""
    return parse(SourceText("a.tune", text))


@given(layouts())
@soon(examples(120))
def test_a_text_says_the_same_once_formatted(text: str) -> None:
    assert said(formatted(text)) == said(text)


@given(layouts())
@soon(examples(120))
def test_formatting_is_idempotent(text: str) -> None:
    once = formatted(text)
    assert formatted(once) == once


@given(layouts())
@soon(examples(100))
def test_lines_are_clean(text: str) -> None:
    """No white space at the end of a line, no two blank lines, none at either end, a line break at the very end."""
    lines = formatted(text).split("\n")
    assert lines.pop() == ""
    assert all(line == line.rstrip(" \t\r") for line in lines)
    assert not any(a == b == "" for a, b in pairwise(lines))
    assert not lines or (lines[0] and lines[-1])


PLAIN_GAPS = st.sampled_from([" ", "\n", "   ", "\t\n  "])


@given(files(), st.lists(PLAIN_GAPS, min_size=1), st.lists(PLAIN_GAPS, min_size=1))
@soon(examples(120))
def test_one_text_has_one_form(pieces: list[str], some: list[str], other: list[str]) -> None:
    """Whatever the white space was; only one-line blocks and the line break before the items of a list are kept, so
    there are none here."""
    has_list = "," in pieces

    def gap(n: int, gaps: list[str]) -> str:
        before_items = has_list and n > 0 and pieces[n - 1] != ","
        return gaps[n % len(gaps)].replace("\n", " " if before_items else "\n")

    def laid_out(gaps: list[str]) -> str:
        return "".join(
            gap(n, gaps) + piece + ("\n" if piece == "{" else "") for n, piece in enumerate(pieces)
        )

    assert formatted(laid_out(some)) == formatted(laid_out(other))


def opened(text: str) -> str:
    """A text without blocks on one line, which would stay so."""
    return re.sub(r"\{(?= )", "{\n", text)


@pytest.mark.parametrize("path", STDLIB, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_statement_can_be_broken(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever that is: a line that could begin a statement would be taken for one (E0105)."""
    monkeypatch.setattr("setpoint.compiler.language.formatting.layout.WIDTH", 30)
    monkeypatch.setattr("setpoint.compiler.language.formatting.columns.WIDTH", 30)
    text = path.read_text(encoding="utf-8")
    narrow = formatted(text)
    assert formatted(narrow) == narrow
    monkeypatch.undo()
    assert formatted(opened(narrow)).split() == formatted(opened(text)).split()  # lists stay on several lines


# ------------------------------------------------------------------------- a change of one thing


def changed(before: list[str], after: list[str]) -> tuple[int, int]:
    """How many lines go and come, between those at the start and at the end that stay."""
    start = alike(before, after)
    end = alike(before[start:][::-1], after[start:][::-1])
    return len(before) - start - end, len(after) - start - end


def alike(some: list[str], other: list[str]) -> int:
    """How many lines at the start are the same."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(some, other, strict=False))))


def without_one(body: tuple[Entry, ...], at: int) -> tuple[tuple[Entry, ...], str]:
    """The statements without one of them, counted through all blocks, and the kind of the block that had it."""
    left = at
    for index, entry in enumerate(body):
        if not left:
            return (*body[:index], *body[index + 1 :]), ""
        left -= 1
        if isinstance(entry, TokenGroup) and entry.body is not None:
            if left < (inside := count(entry.body)):
                rest, kind = without_one(entry.body, left)
                return (*body[:index], entry._replace(body=rest), *body[index + 1 :]), kind or entry.kind
            left -= inside
    raise IndexError(at)


def count(body: tuple[Entry, ...]) -> int:
    return sum(1 + count(entry.body or ()) if isinstance(entry, TokenGroup) else 1 for entry in body)


def entries(text: str) -> tuple[Entry, ...]:
    source = SourceText("a.tune", text)
    return entries_of(pieces_of(source, parsed_tokens(source)))


def in_columns(kind: str) -> bool:
    """Whether a block's rows are aligned."""
    block = kind_of(kind)
    return block is not None and block.layout in (CELLS, FIGURES)


def one_goes(text: str, draw: st.DataObject) -> None:
    """Without one statement, the lines of all others stay as they are; rows of a table may move, and have the same
    words."""
    body = entries(text)
    if not count(body):
        return
    rest, kind = without_one(body, draw.draw(st.integers(0, count(body) - 1)))
    before, after = list(lines_of(body)), list(lines_of(rest))
    if in_columns(kind):
        before, after = ([" ".join(line.split()) for line in lines] for lines in (before, after))
    gone, come = changed(before, after)
    assert gone
    assert come == 0


@given(files(), st.data())
@soon(examples(120))
def test_a_statement_that_goes_changes_no_other_line(pieces: list[str], data: st.DataObject) -> None:
    one_goes("".join(f" {piece}" + ("\n" if piece == "{" else "") for piece in pieces), data)


@given(st.sampled_from(STDLIB), st.data())
@soon(examples(60))
def test_a_statement_that_leaves_the_library_changes_no_other_line(path: Path, data: st.DataObject) -> None:
    """Blocks on one line have one that changes, so here each is on several."""
    one_goes(opened(path.read_text(encoding="utf-8")), data)


LISTS = {
    "contents": ('source s {{ title "T"; publisher "P"; contents {}; }}', '"{}"'),
    "values": ('setting s {{ title "T"; layer os; values {}; }}', "{}"),
    "when": ('rule r of s at "P" {{ when {}; use t on; because "b"; }}', "goal {}"),
    "rule's case": ('rule r of s at "P" {{ when goal latency; use t on; strength measured when {}; because "b"; }}', "goal {}"),
    "offer": ("options of s {{\n t {} at \"P\"; }}", 'on "{}"'),
    "head": ("options of s when {} {{\n t on at \"P\"; }}", "goal {}"),
}  # fmt: skip
"""Statements with a list, and an item of each."""


@pytest.mark.parametrize("kind", LISTS)
@given(st.lists(st.integers(2, 30), min_size=8, max_size=20), st.data())
@soon(examples(40))
def test_an_item_that_goes_or_comes_changes_one_line(
    kind: str, lengths: list[int], data: st.DataObject
) -> None:
    """If the list had several lines, whether or not it still needs them; the new last item has the end of the
    statement, and so changes as well."""
    statement, item = LISTS[kind]
    items = [item.format("v" * length + str(number)) for number, length in enumerate(lengths)]
    at = data.draw(st.integers(0, len(items) - 1))
    rest = [*items[:at], *items[at + 1 :]]
    before = formatted(statement.format(", ".join(items))).splitlines()
    after = formatted(statement.format("\n" + ",\n".join(rest))).splitlines()
    assert max(map(len, before)) <= WIDTH
    if any(line.strip() == f"{items[0]}," for line in before):
        last = at == len(items) - 1
        assert changed(before, after) == ((2, 1) if last else (1, 0))


@given(st.lists(st.text("abc", min_size=1, max_size=40), min_size=2, max_size=8), st.data())
@soon(examples(60))
def test_a_row_moves_others_only_by_the_longest_cell(names: list[str], data: st.DataObject) -> None:
    rows = [f"{name} on;" for name in names]
    at = data.draw(st.integers(0, len(rows) - 1))
    rest = [*rows[:at], *rows[at + 1 :]]
    before, after = (
        formatted(f'table "T" of s {{ goal latency;\n{"".join(some)} }}').splitlines()
        for some in (rows, rest)
    )
    others = max(len(row) for row in (*rest, "goal on;"))
    if len(rows[at]) <= others:
        assert changed(before, after) == (1, 0)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.in.tune")), ids=lambda path: path.name)
def test_examples(path: Path, update: bool) -> None:
    """`NAME.in.tune` becomes `NAME.tune`, which is not changed any more."""
    expected = path.with_name(path.name.replace(".in.tune", ".tune"))
    compare(formatted(path.read_text(encoding="utf-8")), expected, update)
    assert formatted(expected.read_text(encoding="utf-8")) == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", CANONICAL, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_in_its_canonical_form(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert formatted(text) == text, f"run: setpoint fmt {path.relative_to(ROOT)}"


def test_comments_are_kept_in_place() -> None:
    text = "# above\n\ngoal latency # behind\n; # late\n# below"
    assert formatted(text) == "# above\n\ngoal latency;  # behind\n# late\n# below\n"


def test_a_text_with_errors_is_not_formatted() -> None:
    with pytest.raises(SetpointError) as caught:
        formatted("goal latency; set turbo off;")
    assert [d.code for d in caught.value.diagnostics] == ["E0104"]
