"""The example of a rehearsal, run as its script says: each step, for the servers of two makers, and one that fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from consumers.requirement import require
from support.command import ROOT, at_home
from support.limits import PATIENCE

FOLDER = ROOT / "examples/rehearsal"

SAID = {
    "dell": """\
Dell iDRAC 9, 22 attributes
as found: 13 attributes differ
restart 1: 1 attributes
restart 1: 12 attributes
applied: 0 attributes differ
by hand: 1 attribute differs, CorrEccSmi
1 differs, 15 unreadable, 20 ok
restart 1: 1 attributes
applied again: 0 attributes differ
restart 1: 3 attributes
undone: as found
""",
    "hpe": """\
HPE iLO 5, 20 attributes
as found: 15 attributes differ
restart 1: 2 attributes
applied: 0 attributes differ
by hand: 1 attribute differs, ProcSMT
1 differs, 1 unresolved, 12 unreadable, 18 ok
restart 1: 1 attributes
applied again: 0 attributes differ
restart 1: 15 attributes
undone: as found
""",
}


def rehearse(folder: Path, policy: str, registry: Path) -> subprocess.CompletedProcess[str]:
    """Run the script in a folder, with `setpoint` as a program of this Python."""
    for program in ("curl", "jq", "openssl"):
        require(program)
    programs = folder / "bin"
    programs.mkdir()
    (programs / "setpoint").write_text(f'#!/bin/sh\nexec {sys.executable} -m setpoint.compiler "$@"\n')
    (programs / "setpoint").chmod(0o755)
    environment = {"PATH": f"{programs}:/usr/bin:/bin", **at_home(folder), "PYTHONPATH": str(ROOT / ".dev")}
    return subprocess.run(
        ["sh", str(FOLDER / "rehearse.sh"), str(FOLDER / "rehearsal.tune"), policy, str(registry)],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(("policy", "registry"), [("dell", "r750.json"), ("hpe", "dl385.json")])
def test_a_rehearsal_ends_as_it_began(tmp_path: Path, policy: str, registry: str) -> None:
    done = rehearse(tmp_path, policy, FOLDER / registry)
    assert (done.returncode, done.stdout) == (0, SAID[policy]), done.stderr


def test_the_guide_shows_what_the_script_says() -> None:
    assert SAID["dell"] in (ROOT / "docs/guides/rehearsal.md").read_text(encoding="utf-8")


def test_a_policy_for_another_server_fails(tmp_path: Path) -> None:
    """The twin of one maker has none of the addresses of another's."""
    done = rehearse(tmp_path, "hpe", FOLDER / "r750.json")
    assert done.returncode != 0
    assert "applied" not in done.stdout
