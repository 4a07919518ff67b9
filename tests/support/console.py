"""The console blocks of the manual: commands after `$`, and what they print, run in a shell in a folder of the test's.

    $ setpoint plan web.tune
    Policy web
    ...
      turbo  off  dell-11g-hpc, Table 6 (vendor)

The digest of the library is shown as its placeholder (`golden`), since each commit to the library changes it.

A line of three dots stands for any number of lines, but not for all of them. A command goes on in the lines after it
that begin with `> `, as a shell shows it. The day is that of TODAY, whatever the clock says: a waiver in an example
should not run out.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from support.command import ROOT, at_home
from support.golden import steady
from support.limits import PATIENCE, limited
from support.warm import CLIENT, server

TODAY = "2026-11-20"
ELIDED = "..."
WIDTH = "100"

COMMAND = f"""#!/bin/sh
verb=$1
case $verb in plan | compile | fleet | check | diff | explain | waivers) shift && set -- "$verb" --today {TODAY} "$@" ;; esac
exec {sys.executable} -IS {CLIENT} "$@"
"""


class Step(NamedTuple):
    """A command, and the lines that a page shows it to print."""

    command: str
    shown: tuple[str, ...]


def steps(block: str) -> list[Step]:
    """The commands of a console block. Fails for one that begins with something else."""
    read: list[Step] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            read.append(Step(line.removeprefix("$ "), ()))
            continue
        assert read, f"a console block begins with a command, not with {line!r}"
        command, shown = read[-1]
        if line.startswith("> ") and not shown:
            read[-1] = Step(f"{command}\n{line.removeprefix('> ')}", shown)
        else:
            read[-1] = Step(command, (*shown, line))
    return read


class Shell:
    """A shell in `folder`, with `setpoint` among its programs; `cd` leads it elsewhere, even to its home.

    `programs` are further programs, as the texts of scripts.
    """

    def __init__(self, folder: Path, programs: Mapping[str, str] | None = None) -> None:
        tools, home = (folder.parent / f"{folder.name}-{what}" for what in ("tools", "home"))
        for place in (tools, home):
            place.mkdir(exist_ok=True)
        for name, text in {"setpoint": COMMAND, **(programs or {})}.items():
            (tools / name).write_text(text, encoding="utf-8")
            (tools / name).chmod(0o755)
        self.folder = folder
        self._left = tools / "folder"
        self._env = {
            **os.environ,
            **at_home(home),
            "LEFT": str(self._left),
            "SETPOINT_SERVER": server(),
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / ".dev"),
            "COLUMNS": WIDTH,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_AUTHOR_NAME": "A. Architect",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A. Architect",
            "GIT_COMMITTER_EMAIL": "a@example.org",
        }

    def run(self, command: str) -> tuple[str, ...]:
        """The output of a command on both streams, as on a terminal, without empty lines at the end.

        Fails if a program crashed, so that no update can make that the expected output.
        """
        done = subprocess.run(
            limited(["sh", "-c", f"trap 'pwd >\"$LEFT\"' EXIT\n{command}"]),
            cwd=self.folder,
            env=self._env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert "Traceback (most recent call last)" not in done.stdout, done.stdout
        self.folder = Path(self._left.read_text(encoding="utf-8").rstrip("\n"))
        return tuple(line.rstrip() for line in steady(done.stdout).rstrip().splitlines())

    def session(self, block: str, after: Callable[[], None] = lambda: None) -> str:
        """A console block with its real output; unchanged if its own output, including dots, is true.

        `after` is called after each command.
        """
        lines: list[str] = []
        for step in steps(block):
            printed = self.run(step.command)
            after()
            shown = tuple(line.rstrip() for line in step.shown)
            lines += [
                "$ " + step.command.replace("\n", "\n> "),
                *(shown if fits(shown, printed) else renewed(shown, printed)),
            ]
        return "".join(f"{line}\n" for line in lines)


def examples(folder: Path) -> None:
    """Put the examples there, without their bundles."""
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("expected"))


def fits(shown: tuple[str, ...], printed: tuple[str, ...]) -> bool:
    """Whether the lines shown are those printed, dots standing for any."""
    if ELIDED not in shown:
        return shown == printed
    return set(shown) != {ELIDED} and _fits(shown, printed)


def _fits(shown: tuple[str, ...], printed: tuple[str, ...]) -> bool:
    if ELIDED not in shown:
        return shown == printed
    cut = shown.index(ELIDED)
    if shown[:cut] != printed[:cut]:
        return False
    rest = shown[cut + 1 :]
    return any(_fits(rest, printed[start:]) for start in range(cut, len(printed) + 1))


def renewed(shown: tuple[str, ...], printed: tuple[str, ...]) -> tuple[str, ...]:
    """The printed lines, with dots where the shown lines had them, as far as possible."""
    if set(shown) <= {ELIDED}:
        return printed
    lines: list[str] = []
    matcher = SequenceMatcher(a=shown, b=printed, autojunk=False)
    for kind, a, a_end, b, b_end in matcher.get_opcodes():
        old, new = shown[a:a_end], printed[b:b_end]
        if kind == "equal" or ELIDED not in old:
            lines += new
        else:
            before, after = old.index(ELIDED), old[::-1].index(ELIDED)
            lines += [*new[:before], ELIDED, *new[max(before, len(new) - after) :]]
    return tuple(lines)
