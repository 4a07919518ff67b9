"""A file whose analysis takes minutes: the editor is answered about every other file meanwhile, and can end what it has
asked.

No test waits for the end of the analysis. What comes before it is what is expected.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from support.editor import Editor

SERVER = "goal latency; cpu westmere; workload comm-bound;\n"
GROUP = 'for group g{0} {{ set swappiness {1} because "PERF"; set busy-poll {2}us because "PERF"; }}\n'
GROUPS = SERVER + "".join(GROUP.format(number, number % 100, 10 + number // 100) for number in range(4_000))
"""Each group has a plan of its own."""

CANCELLED, MODIFIED = -32800, -32801


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    """A server of its own for each test, which ends while it is at work."""
    running = Editor(tmp_path)
    yield running
    running.close()


def is_shown(editor: Editor, name: str, version: int) -> bool:
    return (editor.uri(name), version) in {(each.uri, each.version) for each in editor.published}


def at(editor: Editor, name: str, line: int, character: int) -> types.HoverParams:
    return types.HoverParams(types.TextDocumentIdentifier(editor.uri(name)), types.Position(line, character))


def test_other_files_are_answered_and_checked_meanwhile(editor: Editor) -> None:
    slow = [editor.tells(GROUPS, name) for name in ("a.tune", "b.tune")]
    (wrong,) = [
        each
        for each in editor.writes(SERVER + 'set trubo off because "x";', "small.tune")
        if each.code == "E0201"
    ]
    assert wrong.range.start == types.Position(1, 4)
    hovered = editor.answer(editor.requests.text_document_hover_async(at(editor, "small.tune", 0, 15)))
    assert hovered is not None
    for number in range(3):  # while one types as well
        editor.writes(SERVER + f'set turbo off because "PERF-{number}";', "small.tune")
    # The slow file itself has its words and its outline.
    hovered = editor.answer(editor.requests.text_document_hover_async(at(editor, "a.tune", 0, 1)))
    assert hovered is not None
    assert not any(
        is_shown(editor, name, version) for name, version in zip(("a.tune", "b.tune"), slow, strict=True)
    )


def actions_of(editor: Editor, name: str) -> types.CodeActionParams:
    whole = types.Range(types.Position(0, 0), types.Position(9, 0))
    document = types.TextDocumentIdentifier(editor.uri(name))
    return types.CodeActionParams(document, whole, types.CodeActionContext([]))


def test_a_cancelled_request_is_answered_at_once(editor: Editor) -> None:
    version = editor.tells(GROUPS, "slow.tune")
    asked = [
        editor.asks(types.TEXT_DOCUMENT_CODE_ACTION, actions_of(editor, "slow.tune"), f"actions {number}")
        for number in range(3)  # one is under way, and others wait
    ]
    editor.writes(SERVER, "small.tune")
    for number in (1, 0, 2):
        editor.cancels(f"actions {number}")
    for each in asked:
        with pytest.raises(JsonRpcException) as refused:
            editor.answer(each)
        assert refused.value.code == CANCELLED
    assert not is_shown(editor, "slow.tune", version)


def test_a_newer_text_ends_what_was_begun(editor: Editor) -> None:
    old = editor.tells(GROUPS, "slow.tune")
    asked = editor.asks(types.TEXT_DOCUMENT_CODE_ACTION, actions_of(editor, "slow.tune"), "actions")
    editor.writes(SERVER, "small.tune")
    assert editor.writes(SERVER, "slow.tune")
    with pytest.raises(JsonRpcException) as refused:
        editor.answer(asked)
    assert refused.value.code == MODIFIED
    assert not is_shown(editor, "slow.tune", old)


def test_what_was_found_before_an_interruption_is_not_sought_again(editor: Editor) -> None:
    """Each text is overtaken before its findings are complete, and yet they come."""
    text = SERVER + "".join(GROUP.format(number, number % 100, 10) for number in range(60))
    for number in count():
        version = editor.tells(f"# {number}\n{text}", "groups.tune")
        editor.writes(SERVER + f"# {number}\n", "small.tune")
        if is_shown(editor, "groups.tune", version):
            break
