"""`python -m support.changes [REVISION]`: what a change changes in what is made, line by line.

The bundles of the examples and the reference of the manual are not in git. Both are made twice, by the code of a
revision and by that of the folder, and compared: first the files, then their lines. Both times the folder's examples
are compiled, so that the difference is the code's and the library's; `setpoint diff` compares policies.

The revision is the last commit that the branch shares with `origin/main`, unless it is named.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from setpoint.compiler.plan.made_with import short
from support.command import ROOT

TODAY = "2026-11-20"
FORM = ("--stat=160,120", "--patch")
LIBRARY = "0" * 64
"""Stands for the digest of the library."""


def main(arguments: list[str]) -> int:
    """Print the difference; the status is 1 if there is one, as git's."""
    revision = arguments[0] if arguments else _git("merge-base", "origin/main", "HEAD")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        _git("worktree", "add", "--quiet", "--detach", str(folder / "code"), revision)
        try:
            make(folder / "code", folder / "before")
        finally:
            _git("worktree", "remove", "--force", str(folder / "code"))
        make(ROOT, folder / "after")
        command = ["git", "diff", "--no-index", *FORM, "before", "after"]
        return subprocess.run(command, cwd=folder, check=False).returncode


def make(code: Path, folder: Path) -> None:
    """Make everything by the code of a checkout."""
    environment = {**os.environ, "PYTHONPATH": str(code / ".dev")}
    for policy in sorted((ROOT / "examples").glob("*/*.tune")):
        bundle = folder / "bundles" / policy.parent.name
        bundle.parent.mkdir(parents=True, exist_ok=True)
        verb = ("compile", str(policy), "-o", str(bundle), "--today", TODAY)
        # A fleet is planned for an inventory, and has no bundle; what is wrong with the rest, the command says.
        _run(["-m", "setpoint.compiler", *verb], environment, code, policy.parent.name != "fleet")
        _without_digests(bundle)
    _run(["-m", "setpoint.docs.hooks.reference", str(folder / "reference")], environment, code, True)


def _without_digests(bundle: Path) -> None:
    """Remove what differs whenever anything does: manifests, and the digest of the library."""
    for manifest in bundle.rglob("manifest.json"):
        digest = json.loads(manifest.read_text(encoding="utf-8"))["made_with"]["library"]
        manifest.unlink()
        for path in manifest.parent.rglob("*"):
            if path.is_file():
                text = path.read_text(encoding="utf-8").replace(digest, LIBRARY)
                path.write_text(text.replace(short(digest), short(LIBRARY)), encoding="utf-8")


def _run(arguments: list[str], environment: dict[str, str], code: Path, must: bool) -> None:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=code, env=environment, capture_output=True, text=True, check=False
    )
    if must and done.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr}")


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
