"""Valid and invalid texts: each case of `cases/` states the error on its line."""

from pathlib import Path

import pytest

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.blocks import BLOCKS
from setpoint.compiler.language.complaints import statement_keywords
from setpoint.compiler.language.forms import FIELDS, STATEMENTS
from setpoint.compiler.language.parse import MOST_ERRORS, parse
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.language.tables import reserved_words
from setpoint.compiler.language.written import quote, unquote
from support.chunks import Chunk, check, chunks, parse_only

CASES = chunks(Path(__file__).parent / "cases")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_finding_is_expected_and_every_expectation_is_found(case: Chunk) -> None:
    check(case, parse_only)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("goal\u00a0latency;", (1, 5), "the character U+00A0 has no meaning here"),
        ("goal latency;\x00", (1, 14), "the character U+0000 has no meaning here"),
        ("os rhel\u200b 6.4;", (1, 8), "the character U+200B has no meaning here"),
        ('set turbo off because "a\x1b[2J";', (1, 25), "a text cannot contain the character U+001B"),
        ('set turbo off because "a\u202e";', (1, 25), "a text cannot contain the character U+202E"),
        ('set turbo off because "a\u2028set smt on";', (1, 25), "a text cannot contain the character U+2028"),
        ('set turbo off because "a\ud800";', (1, 25), "a text cannot contain the character U+D800"),
    ],
)
def test_invisible_characters_are_refused(text: str, place: tuple[int, int], message: str) -> None:
    (found,) = parse_only(SourceText("a.tune", text))
    assert (found.code, (found.at.line, found.at.column), found.message) == ("E0103", place, message)


def test_a_tab_in_a_text_is_a_tab() -> None:
    (statement,) = parse(SourceText("a.tune", 'set turbo off because "a\tb";')).body
    assert isinstance(statement, Set)
    assert statement.because.text == "a\tb"


@pytest.mark.parametrize(
    "text", ["", "plain", 'the "edge" case', "C:\\bios\\", '\\"', "\\\\", "# no comment"]
)
def test_quoting_a_text_and_reading_it_gives_the_text(text: str) -> None:
    assert unquote(quote(text)) == text


def test_a_backslash_before_another_character_is_itself() -> None:
    assert unquote(r'"C:\bios\new"') == r"C:\bios\new"


@pytest.mark.parametrize(
    ("text", "help_"),
    [
        ("goal latency\ncpu x5670;", "a statement ends at its `;`, not with its line"),
        ('ste turbo off because "x";', "did you mean `set` for `ste`?"),
        ("polcy web { goal latency; }", "did you mean `policy` for `polcy`?"),
        ('source lab { titel "Lab"; }', "did you mean `title`?"),
        ("for host row { goal latency; }", "`row` is a word of the language and cannot be a name"),
        ('set turbo off because "the "edge" case";', 'write `\\"` for a quote inside a text'),
        ("policy web { goal latency;", "is a `}` missing?"),
        (
            "policy web { goal latency; policy mail { goal latency; } }",
            "`policy` belongs at the top of a file, not in a block: is a `}` missing above?",
        ),
        (
            "for group web { for host c042 { goal latency; } }",
            "`for` blocks cannot be nested: put them side by side",
        ),
        ("goal latency; }", "no block is open here: is this `}` one too many?"),
        ("policy web { goal latency; };", "a block needs no `;` after its `}`"),
        ("goal = latency;", "a name and its value are separated by a space"),
        ("set turbo off because ‘x’;", 'texts are written in straight double quotes: "…"'),
        ("// a comment", "comments begin with #"),
        (
            'measurement a of b at "c" { value 2 - 8; }',
            "a hyphen is part of a name or directly precedes a number; a range is written `2 to 8`",
        ),
        (
            "cpu (x5670);",
            "names are letters, digits and hyphens; texts are written in double quotes; comments begin with #",
        ),
        ('accept x because "y" until tomorrow;', "a date is a year, a month and a day: 2027-03-31"),
        ("goal;", "a fact has a name and a value: `goal VALUE;`"),
        ('set turbo because "x";', 'the form is: `set SETTING VALUE because "REASON";`'),
        ('set turbo off "x";', '`because` gives the reason: `set SETTING VALUE because "REASON";`'),
        (
            "rule fast of lab { }",
            '`at` names the table, figure or section of the source: `rule NAME of SOURCE at "PLACE" { … }`',
        ),
        ("hazard hot { }", '`of` names the source: `hazard NAME of SOURCE at "PLACE" { … }`'),
        ("source lab { title Bench; }", 'the form is: `title "TEXT";`'),
        ("setting fan { values low high; }", "the form is: `values VALUE, VALUE;`"),
        (
            'measurement m of lab at "1" { vary turbo on; }',
            "`from` names the value that it was compared with: `vary SETTING VALUE from VALUE;`",
        ),
        (
            'measurement m of lab at "1" { value -18%; }',
            'a figure has no unit: it stands with the metric, as in `metric NAME in "%"; value -18;`',
        ),
        (
            "options of lab { smt on off; }",
            'the form is: `SETTING VALUE "LABEL", VALUE "LABEL" default VALUE menu "MENU > ITEM" at "PLACE";`',
        ),
        ("set turbo off;", 'add `because "…"`: a reader in a year will want the reason'),
    ],
)
def test_the_help_guesses_what_was_meant(text: str, help_: str) -> None:
    first = next(iter(parse_only(SourceText("a.tune", text))))
    assert first.help == (help_,)


@pytest.mark.parametrize("form", STATEMENTS.values())
def test_the_form_of_a_statement_is_as_the_grammar_has_it(form: str) -> None:
    assert parse_only(SourceText("a.tune", form.replace("…", ""))) == ()


@pytest.mark.parametrize(("key", "form"), FIELDS.items())
def test_the_form_of_a_field_is_as_the_grammar_has_it(key: str, form: str) -> None:
    figures = "columns SETTING METRIC;" if key in ("columns", "row", "label", "derive") else ""
    block = 'measurements "T"' if figures else 'table "T"' if key == "footnote" else "rule NAME"
    at = ' at "PLACE"' if block == "rule NAME" else ""
    assert parse_only(SourceText("a.tune", f"{block} of SOURCE{at} {{ {form} }}")) == ()


@pytest.mark.parametrize(
    ("block", "form"), [(keyword, kind.row) for keyword, kind in BLOCKS.items() if kind.row]
)
def test_the_form_of_a_row_is_as_the_grammar_has_it(block: str, form: str) -> None:
    head = {"options": block, "observe": block, "spelling": "spelling INTERFACE"}.get(block, f'{block} "T"')
    assert parse_only(SourceText("a.tune", f"{head} of SOURCE {{ {form} }}")) == ()


def test_every_statement_of_the_language_has_a_form() -> None:
    assert set(statement_keywords()) == set(STATEMENTS)
    others = {
        "above",
        "absent",
        "and",
        "any",
        "as",
        "at",
        "below",
        "bit",
        "bits",
        "by",
        "default",
        "extends",
        "from",
        "if",
        "in",
        "initially",
        "kept",
        "line",
        "menu",
        "not",
        "nowhere",
        "of",
        "or",
        "overwritten",
        "per",
        "shown",
        "step",
        "times",
        "to",
        "under",
        "until",
        "while",
    }
    assert set(reserved_words()) - set(STATEMENTS) - others == {
        *FIELDS,
        "forbid",
        "required",
        "locked",
        "hidden",
    } - set(STATEMENTS)


def test_the_words_that_help_looks_for_at_the_start_of_a_statement_are_those_of_the_grammar() -> None:
    def parses(word: str) -> bool:
        (found,) = parse_only(SourceText("a.tune", f"{word} {{"))
        return not found.message.startswith("expected a statement")

    assert [word for word in reserved_words() if parses(word)] == list(statement_keywords())


def test_an_unclosed_block_is_shown_with_its_brace() -> None:
    (found,) = parse_only(SourceText("a.tune", "policy web {\n    goal latency;\n"))
    (label,) = found.others
    assert (label.span.line, label.span.column, label.text) == (1, 12, "this block is open")


def test_reading_stops_after_too_many_errors() -> None:
    """So that another kind of file, taken for a policy, does not fill the screen."""
    with pytest.raises(SetpointError) as caught:
        parse(SourceText("a.tune", "!;" * 10_000))
    assert len(caught.value.diagnostics) == MOST_ERRORS


def test_blocks_nested_without_end_are_an_error_as_any_other() -> None:
    found = parse_only(SourceText("a.tune", "policy a {" * 5_000))
    assert {finding.code for finding in found} == {"E0101"}
