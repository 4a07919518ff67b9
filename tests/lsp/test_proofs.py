"""What an editor shows of knowledge that holds for every policy: of its rules while it is typed, of everything once it
is saved."""

import json
from pathlib import Path

import pytest
from lsprotocol import types

from support.command import setpoint
from support.editor import Editor
from support.proven import library_memory

LAB = 'source lab { title "Bench notes"; publisher "Our lab"; }\n'
QUIET = 'rule quiet of lab at "1" {{ when {0}; use fans low; because "noise"; }}\n'
LOUD = 'rule loud of lab at "2" {{ when {0}; use fans high; because "heat"; }}\n'
FANS = (
    'setting fans { title "Fans"; layer firmware; values low, high; }\n'
    'options of lab when platform poweredge-11g { fans low, high default low menu "Fans" at "photo"; }\n'
)
DEAD = 'rule dead of lab at "3" { when cpu skylake, goal latency; use fans low; because "noise"; }\n'
WESTMERE, LATENCY = "cpu westmere, goal latency", "goal latency, workload comm-bound"


@pytest.fixture(scope="module", autouse=True)
def proven() -> None:
    """The library is in the user's cache, as after the first save."""
    library_memory()


def test_a_tie_is_shown_when_it_is_saved_and_goes_with_it(editor: Editor) -> None:
    tied = LAB + FANS + QUIET.format(WESTMERE) + LOUD.format(LATENCY)
    editor.saves(tied, "lab.tune")
    tie = editor.shows("lab.tune", "K01")
    assert tie.message.splitlines()[0] == "`loud` and `quiet` conflict on `fans`: neither takes precedence"
    assert tie.related_information

    mended = LOUD.format(LATENCY).replace("use fans", "exception to quiet; use fans")
    editor.saves(LAB + FANS + QUIET.format(WESTMERE) + mended + DEAD, "lab.tune")
    assert editor.shows("lab.tune", "K04").range.start.line == 5
    assert "K01" not in {each.code for each in editor.published[-1].diagnostics}


TABLE = """table "Table 1" of lab when goal latency {
    cpu   westmere  skylake;
    fans  high      low;
}
"""


def test_the_share_of_a_table_that_is_dead_is_shown_above_it(editor: Editor) -> None:
    """No server with Skylake offers the setting, so one of the two cells never decides."""

    text = LAB + FANS + TABLE
    before = editor.refreshes
    editor.saves(text, "table.tune")
    editor.shows("table.tune", "K04")
    editor.until(lambda: above(editor, "table.tune") == ["1 of 2 cells (50%) never decide"])
    # The editor may have asked by itself before it is told that there is something new to show.
    editor.until(lambda: editor.refreshes > before)


def above(editor: Editor, name: str) -> list[str]:
    """The titles above the tables of an open file."""
    document = types.TextDocumentIdentifier(editor.uri(name))
    asked = editor.requests.text_document_code_lens_async(types.CodeLensParams(document))
    return [each.command.title for each in editor.answer(asked) or () if each.command]


def test_of_two_saves_the_later_one_is_shown(editor: Editor) -> None:
    editor.saves(LAB + FANS + QUIET.format(WESTMERE), "twice.tune")
    editor.saves(LAB + FANS + DEAD, "twice.tune")
    dead = editor.shows("twice.tune", "K04")
    assert dead.message.startswith("`dead` never applies")


def test_an_open_file_that_is_saved_is_proven(editor: Editor) -> None:
    text = LAB + FANS + DEAD
    (editor.folder / "opened.tune").write_text(text, encoding="utf-8")
    editor.writes(text, "opened.tune")
    assert editor.shows("opened.tune", "K04").range.start.line == 3


def test_policies_are_not_proven(editor: Editor) -> None:
    editor.saves("goal latency; cpu westmere;\n", "policy.tune")
    editor.saves(LAB + FANS + DEAD, "after.tune")
    editor.shows("after.tune", "K04")
    shown = [
        each
        for params in editor.published
        if params.uri == editor.uri("policy.tune")
        for each in params.diagnostics
    ]
    assert not [each for each in shown if str(each.code).startswith("K")]


# ------------------------------------------------------------------------------------ while one types


def checked(text: str, folder: Path, *codes: str) -> list[tuple[str, str, int]]:
    """What `setpoint kb check` finds in a file with this text: codes, messages and lines."""
    path = folder / "checked.tune"
    path.write_text(text, encoding="utf-8")
    done = setpoint("kb", "check", str(path), "--format", "json")
    found = json.loads(done.out)["diagnostics"]
    return sorted((each["code"], each["message"], each["line"]) for each in found if each["code"] in codes)


def shown(editor: Editor, name: str, *codes: str) -> list[tuple[str, str, int]]:
    """What the editor shows of a file at last."""
    last = next(each for each in reversed(editor.published) if each.uri == editor.uri(name))
    return sorted(
        (str(each.code), each.message.split("\n")[0], each.range.start.line + 1)
        for each in last.diagnostics
        if each.code in codes
    )


def test_a_tie_arises_and_is_mended_while_one_types(editor: Editor, tmp_path: Path) -> None:
    """Nothing is saved; and what is shown is what `setpoint kb check` finds in the same text."""
    start = LAB + FANS + QUIET.format(WESTMERE)
    editor.writes(start, "typed.tune")
    tied = start + LOUD.format(LATENCY)
    editor.writes(tied, "typed.tune")
    tie = editor.shows("typed.tune", "K01")
    assert tie.message.startswith("`loud` and `quiet` conflict on `fans`: neither takes precedence")
    assert shown(editor, "typed.tune", "K01") == checked(tied, tmp_path, "K01")

    # It moves with its rule, and goes when one of the two takes precedence.
    moved = tied.replace("rule quiet", "# a comment\nrule quiet")
    editor.writes(moved, "typed.tune")
    assert editor.shows("typed.tune", "K01").range.start.line == tie.range.start.line + 1
    mended = tied.replace("use fans high", "exception to quiet; use fans high")
    editor.writes(mended, "typed.tune")
    editor.lacks("typed.tune", "K01")
    assert checked(mended, tmp_path, "K01") == []


def test_the_dead_share_of_a_table_follows_what_is_typed(editor: Editor, tmp_path: Path) -> None:
    """The table gets a third column, for servers that offer the setting, and a rule that always takes precedence over
    it."""
    text = LAB + FANS + TABLE
    editor.writes(text, "share.tune")
    editor.shows("share.tune", "K04")
    wider = text.replace("skylake;", "skylake  nehalem;").replace("low;\n}", "low  low;\n}")
    editor.writes(wider, "share.tune")
    editor.until(lambda: above(editor, "share.tune") == ["1 of 3 cells (33%) never decide"])
    ruled = wider + QUIET.format("cpu nehalem, goal latency").replace("low", "high")
    ruled = ruled.replace("use fans", "strength measured; use fans")
    editor.writes(ruled, "share.tune")
    editor.until(lambda: above(editor, "share.tune") == ["2 of 3 cells (67%) never decide"])
    # Asked at the right moment, lenses are there before the findings are.
    found = checked(ruled, tmp_path, "K04")
    editor.until(lambda: shown(editor, "share.tune", "K04") == found)


def test_what_cannot_be_read_has_no_ties(editor: Editor) -> None:
    tied = LAB + FANS + QUIET.format(WESTMERE) + LOUD.format(LATENCY)
    editor.writes(tied, "broken.tune")
    editor.shows("broken.tune", "K01")
    found = editor.writes(tied.replace("use fans low", "use fanz low"), "broken.tune")
    assert {each.code for each in found} == {"E0201"}
    editor.writes(tied, "broken.tune")
    editor.shows("broken.tune", "K01")
