"""What an editor shows of knowledge once it is saved: what holds for every policy, which takes the proof some seconds."""

import pytest
from lsprotocol import types

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

    # It is about the text that was saved, and not about another one.
    assert "K01" not in {each.code for each in editor.writes("# more\n" + tied, "lab.tune")}

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

    def above(text: str) -> list[str]:
        editor.writes(text, "table.tune")
        document = types.TextDocumentIdentifier(editor.uri("table.tune"))
        asked = editor.requests.text_document_code_lens_async(types.CodeLensParams(document))
        return [each.command.title for each in editor.answer(asked) or () if each.command]

    text = LAB + FANS + TABLE
    before = editor.refreshes
    editor.saves(text, "table.tune")
    editor.shows("table.tune", "K04")
    assert above(text) == ["1 of 2 cells (50%) never decide"]
    assert editor.refreshes > before, "the editor is told that there is something new to show"
    assert above(f"# not saved\n{text}") == []


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
