"""`setpoint lsp` where its library is missing, and as editors start it."""

import json
import os
import subprocess
import sys

import pytest

from setpoint.compiler.cli import OK, OUTSIDE, lsp
from support.command import ROOT
from support.limits import PATIENCE


def test_without_its_library_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert lsp.run(["--stdio"]) == OUTSIDE
    assert capsys.readouterr().err == (
        "error: the language server needs the library pygls\n"
        "help: install Setpoint with its extra `lsp`; from a checkout: `pipx install '.[lsp]'`\n"
    )


Message = dict[str, object]

INITIALIZE: Message = {"id": 0, "method": "initialize", "params": {"capabilities": {}}}
SHUTDOWN: Message = {"id": 1, "method": "shutdown", "params": None}
EXIT: Message = {"method": "exit", "params": None}


def test_it_ends_as_the_protocol_has_it() -> None:
    """Without a word on the error stream, which editors show to their users."""
    done = spoken([INITIALIZE, SHUTDOWN, EXIT])
    assert (done.returncode, done.stderr) == (OK, "")
    assert '"id": 1' in done.stdout


def test_it_ends_while_it_is_at_work() -> None:
    """So do the processes beside it, and before it: none is left of which asyncio complains."""
    text = 'source lab { title "Our lab"; publisher "Lab"; }\n'
    opened = {"uri": "untitled:lab", "languageId": "tune", "version": 1, "text": text}
    open_: Message = {"method": "textDocument/didOpen", "params": {"textDocument": opened}}
    done = spoken([INITIALIZE, open_, SHUTDOWN, EXIT])
    assert (done.returncode, done.stderr) == (OK, "")
    assert '"id": 1, "jsonrpc": "2.0", "result": null' in done.stdout


def spoken(messages: list[Message]) -> "subprocess.CompletedProcess[str]":
    """A server that reads these messages, one behind the other."""
    written = [json.dumps({"jsonrpc": "2.0", **each}) for each in messages]
    return subprocess.run(
        [sys.executable, "-m", "setpoint.compiler", "lsp", "--stdio"],
        env={**os.environ, "PYTHONPATH": str(ROOT / ".dev")},
        input="".join(f"Content-Length: {len(each)}\r\n\r\n{each}" for each in written),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
