"""`setpoint lsp` where its library is missing, and as editors start it."""

import json
import os
import subprocess
import sys

import pytest

from setpoint.compiler.cli import OK, OUTSIDE, extras, lsp
from support.command import ROOT


def test_without_its_library_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    assert lsp.run(["--stdio"]) == OUTSIDE
    assert capsys.readouterr().err == (
        "error: the language server needs the library pygls\n"
        "help: install Setpoint with its extra `lsp`; from a checkout: `pipx install '.[lsp]'`\n"
    )


def test_it_ends_as_the_protocol_has_it() -> None:
    """Without a word on the error stream, which editors show to their users."""
    asked: tuple[tuple[str, object], ...] = (
        ("initialize", {"capabilities": {}}),
        ("shutdown", None),
        ("exit", None),
    )
    messages = [
        json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **({"id": n} if n < 2 else {})})
        for n, (method, params) in enumerate(asked)
    ]
    done = subprocess.run(
        [sys.executable, "-m", "setpoint.compiler", "lsp", "--stdio"],
        env={**os.environ, "PYTHONPATH": str(ROOT / ".dev")},
        input="".join(f"Content-Length: {len(each)}\r\n\r\n{each}" for each in messages),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (OK, "")
    assert '"id": 1' in done.stdout
