"""The processes beside the server are those of the package, whatever a workspace has."""

import os
import subprocess
from pathlib import Path

import pytest

from setpoint.compiler.lsp import proofs, while_typing
from support.command import ROOT


@pytest.mark.parametrize("command", [proofs.COMMAND, while_typing.COMMAND])
def test_a_folder_of_the_name_is_not_run(command: tuple[str, ...], tmp_path: Path) -> None:
    """Whoever opens a repository does not run what it has in a folder called `setpoint`."""
    (tmp_path / "setpoint").mkdir()
    (tmp_path / "setpoint" / "__init__.py").write_text(
        "print('theirs')\nraise SystemExit(3)\n", encoding="utf-8"
    )
    ours = {**os.environ, "PYTHONPATH": str(ROOT / ".dev")}
    theirs = {**ours, "PYTHONPATH": str(tmp_path)}

    def printed(environment: dict[str, str]) -> str:
        done = subprocess.run(
            [*command, *(["--help"] if "check" in command else [])],
            cwd=tmp_path, env=environment, input="", capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.stdout

    assert printed(theirs) == "theirs\n", "if somebody asks for it"
    assert "theirs" not in printed(ours)
