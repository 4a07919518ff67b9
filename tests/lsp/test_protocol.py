"""Whatever an editor sends, the server answers each request once, and has the texts that the editor has."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fuzz.protocol import converse

from setpoint.compiler.lsp.server import SHOW_CHANGES
from support.effort import is_complete
from support.wire import Wire, framed

MESSAGES = 10_000 if is_complete() else 300

PARSE_ERROR, NO_REQUEST, NO_METHOD, NO_PARAMS = -32700, -32600, -32601, -32602


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    running = Wire()
    running.ask({"id": 0, "method": "initialize", "params": {"capabilities": {}}})
    yield running
    running.close()


def hover(**place: Any) -> dict[str, Any]:
    document = {"uri": "untitled:none"}
    return {"method": "textDocument/hover", "params": {"textDocument": document, "position": place}}


def deep(levels: int) -> dict[str, Any]:
    inner: dict[str, Any] = {}
    for _ in range(levels):
        inner = {"x": inner}
    return inner


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        ({"id": 1, **hover(line=0, character=0)}, {"id": 1, "result": None}),  # about a closed document
        ({"id": "1", **hover(line=2.0, character=2**31 - 1)}, {"id": "1", "result": None}),
        ({"id": 1, **hover(line="0", character=0)}, {"id": 1, "code": NO_PARAMS}),
        ({"id": 1, **hover(line=0)}, {"id": 1, "code": NO_PARAMS}),
        ({"id": 1, "method": "textDocument/hover"}, {"id": 1, "code": NO_PARAMS}),
        ({"id": 1, "method": "textDocument/moniker", "params": {}}, {"id": 1, "code": NO_METHOD}),
        ({"id": 1, "method": "textDocument/hover", "params": deep(900)}, {"id": 1, "code": NO_PARAMS}),
        (
            {"id": 1, "method": "workspace/executeCommand", "params": {"command": "x"}},
            {"id": 1, "code": NO_PARAMS},
        ),
        (
            {"id": 1, "method": "workspace/executeCommand", "params": {"command": SHOW_CHANGES}},
            {"id": 1, "code": NO_PARAMS},
        ),
        ({"id": 1, "method": 7}, {"id": 1, "code": NO_REQUEST}),
        ({"id": True, **hover(line=0, character=0)}, {"id": None, "code": NO_REQUEST}),
        ({"id": None, **hover(line=0, character=0)}, {"id": None, "code": NO_REQUEST}),
        ({"id": 1, "jsonrpc": "1.0", **hover(line=0, character=0)}, {"id": None, "code": NO_REQUEST}),
        ([{"id": 1, "jsonrpc": "2.0"}], {"id": None, "code": NO_REQUEST}),  # the protocol has no batches
        ("}", {"id": None, "code": PARSE_ERROR}),
        ("[" * 100_000, {"id": None, "code": PARSE_ERROR}),
        (hover(line=0, character=0), None),  # a notification
        ({"method": "textDocument/moniker"}, None),
        ({"method": "textDocument/didChange", "params": {"textDocument": {"uri": ["x"]}}}, None),
        ({"method": "textDocument/didChange", "params": []}, None),
        ({"method": "window/workDoneProgress/cancel", "params": {"token": [1]}}, None),
        ({"method": "$/cancelRequest", "params": {"id": 99}}, None),
        ({"method": "$/cancelRequest", "params": [[]]}, None),
        ({"id": 99, "result": {}}, None),
        ({"id": 99, "error": {"code": 1, "message": "no"}}, None),
        ({"id": None, "error": {"code": NO_REQUEST, "message": "no"}}, None),  # two could go on like this
    ],
)
def test_what_is_a_request_is_answered_and_nothing_else(wire: Wire, sent: Any, answer: Any) -> None:
    before = len(wire.received)
    if isinstance(sent, dict):
        sent = {"jsonrpc": "2.0", **sent}
    wire.send(framed((sent if isinstance(sent, str) else json.dumps(sent)).encode()))
    wire.ask({"id": f"after {before}", **hover(line=0, character=0)})
    (*given, _) = wire.received[before:]
    assert [_in_short(each) for each in given] == ([answer] if answer else [])


def _in_short(message: dict[str, Any]) -> dict[str, Any]:
    told = {"code": message["error"]["code"]} if "error" in message else {"result": message["result"]}
    return {"id": message["id"], **told}


def test_edits_and_malformed_messages_leave_the_server_answering(tmp_path: Path) -> None:
    converse(Random(42), tmp_path, MESSAGES)
