"""`setpoint lsp` where its library is missing, and as editors start it."""

import pytest

from setpoint.compiler.cli import OUTSIDE, lsp


def test_without_its_library_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lsp, "find_spec", lambda name: None)
    assert lsp.run(["--stdio"]) == OUTSIDE
    assert capsys.readouterr().err == (
        "error: the language server needs the library pygls\n"
        "help: install Setpoint with its extra `lsp`; from a checkout: `pipx install '.[lsp]'`\n"
    )
