"""The essence of a bundle: its values and who decides them, its files, and the data that a server gets.

Whole bundles are not kept: a sentence that all of them have would change thousands of lines, in which nobody finds a
changed value. What is kept changes where a server would be set otherwise. Two examples show more (`READ`): what is
written for a server in each form, and the pages for people. Their other files have a digest each, which a test compares
and names; `make changes` shows their lines.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

DATA = (
    "kernel-args/cmdline",
    "redfish/settings-first.json",
    "redfish/settings.json",
)
"""The files of a bundle that are copied to a server unchanged and have no comments."""

READ = (
    *DATA,
    "redfish/expected.json",
    "*/*.plan",
    "scp/settings.xml",
    "report.md",
    "manual-steps.md",
)
"""The files of the two examples that show more."""

PROGRAMS = ("setpoint-host", "setpoint_bmc.py", "setpoint_host.py", "setpoint_rollout.py")
"""Programs that are the same in every bundle. Their tests are elsewhere, and a change of theirs changes no example."""

MASKED = "0" * 64
"""Stands for the digest of a program."""

DIGITS = 12
"""Of a digest, as many as make a chance match unlikely and a line readable."""


def gist(bundle: Path, folder: Path, steady: Callable[[str], str], whole: bool = False) -> None:
    """Make the gist of a bundle, or of each bundle in it where there are several; of a `whole` one with digests and
    what people read.

    Args:
        bundle: The folder that was compiled.
        folder: Where the gist is written.
        steady: What a text is without what each commit changes.
        whole: Whether each of its files counts.
    """
    for plan in sorted(bundle.rglob("plan.json")):
        part = plan.parent
        place = folder / part.relative_to(bundle)
        place.mkdir(parents=True, exist_ok=True)
        values_text = values(json.loads(plan.read_text(encoding="utf-8")))
        (place / "values.txt").write_text(values_text, encoding="utf-8")
        (place / "files.txt").write_text(
            files(part, digests(part, steady) if whole else {}), encoding="utf-8"
        )
        for path in sorted({path for pattern in (READ if whole else DATA) for path in part.glob(pattern)}):
            copied = place / path.relative_to(part)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copied)


def values(plan: dict[str, Any]) -> str:
    """A line for each setting: its value, what decides it, and the overridden advice; then the codes of the
    findings."""
    lines = []
    for name, decision in plan["settings"].items():
        line = f"{name} {decision['value']}{'' if decision['written'] else ' (not written)'}"
        line += f" <- {', '.join(map(_named, decision['because']))}"
        if decision["beat"]:
            losers = [f"{_named(loser)} {loser['value']}" for loser in decision["beat"]]
            line += f" over {', '.join(losers)}"
        lines.append(line)
    lines += sorted(f"{finding['severity']} {finding['code']}" for finding in plan["diagnostics"])
    return "".join(f"{line}\n" for line in lines)


def files(bundle: Path, digest_of: dict[str, str]) -> str:
    """The files of a bundle, those that can be executed with a star, and the digests that are known."""
    lines = []
    for path in sorted(path for path in bundle.rglob("*") if path.is_file()):
        name = path.relative_to(bundle).as_posix()
        starred = f"{name}{'*' * is_executable(path)}"
        lines.append(f"{starred} {digest_of[name]}\n" if name in digest_of else f"{starred}\n")
    return "".join(lines)


def digests(bundle: Path, steady: Callable[[str], str]) -> dict[str, str]:
    """The digest of each text of a bundle once: neither of what `READ` has, nor of programs, nor of copies of what is
    less deep.

    The manifest has none, since it consists of the digests of the others (`check_manifest`).
    """
    texts = {
        path.relative_to(bundle).as_posix(): path.read_bytes()
        for path in sorted(bundle.rglob("*"))
        if path.is_file()
    }
    programs = [
        hashlib.sha256(text).hexdigest() for path, text in texts.items() if Path(path).name in PROGRAMS
    ]
    shown = {path.relative_to(bundle).as_posix() for pattern in READ for path in bundle.glob(pattern)}
    known: dict[str, str] = {}
    seen = {texts[path] for path in shown}
    for path in sorted(texts.keys() - shown - {"manifest.json"}, key=lambda path: (path.count("/"), path)):
        if Path(path).name in PROGRAMS or texts[path] in seen:
            continue
        seen.add(texts[path])
        text = steady(texts[path].decode())
        for program in programs:
            text = text.replace(program, MASKED)
        known[path] = hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
    return known


def check_manifest(bundle: Path) -> None:
    """The manifest has exactly the files that are there, with their digests and modes; those of bundles in it have
    their own."""
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    listed = {file["path"]: (file["sha256"], file["mode"]) for file in manifest["files"]}
    others = [path.parent for path in bundle.rglob("manifest.json") if path.parent != bundle]
    there = {
        path.relative_to(bundle).as_posix(): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            "0755" if is_executable(path) else "0644",
        )
        for path in bundle.rglob("*")
        if path.is_file() and path.name != "manifest.json" and not any(map(path.is_relative_to, others))
    }
    assert listed == there


def is_executable(path: Path) -> bool:
    """Whether a file can be executed."""
    return bool(path.stat().st_mode & 0o100)


def _named(cause: dict[str, Any]) -> str:
    """What decides: the name of a statement, else its kind."""
    return str(cause.get("rule") or cause.get("kind"))
