"""Long output on a terminal goes through a pager; tried on a real one, with less as it is and with programs that stand
in."""

import errno
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import sys
import termios
import time
from pathlib import Path

import pytest

from support.command import ROOT, setpoint
from support.limits import PATIENCE

POLICY = ("plan", "-e", "goal latency; cpu westmere; workload latency-bound")
LINES = 24
STAND_IN = """#!/bin/sh
{ echo "arguments: $*"; echo "LESS: $LESS"; cat; } > {folder}/paged
echo PAGER ENDED
"""


LEFT = "\x1b[?1l"
"""What less writes when it ends: the cursor keys are as before."""


class Terminal:
    """A command on a terminal of its own, which it controls."""

    def __init__(self, *arguments: str, lines: int = LINES, **variables: str) -> None:
        names = {"PYTHONPATH": str(ROOT / ".dev"), "TERM": "xterm", "COLUMNS": "110", "LESSHISTFILE": "-"}
        kept = {
            k: v for k, v in os.environ.items() if k not in ("PAGER", "SETPOINT_PAGER", "LESS", "NO_COLOR")
        }
        self.text = ""
        self.process, self._own = pty.fork()
        if not self.process:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", lines, 110, 0, 0))
            command = [sys.executable, "-m", "setpoint.compiler", *arguments]
            os.execve(sys.executable, command, {**kept, **names, **variables})

    def read(self, until: str = "", seconds: float = PATIENCE) -> str:
        """Read until a text comes, or until the command has ended."""
        end = time.monotonic() + seconds
        while not until or until not in self.text:
            ready, _, _ = select.select([self._own], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"after {seconds} seconds there is only:\n{self.text}"
            try:
                piece = os.read(self._own, 65536)
            except OSError as error:  # Linux: the other end has been closed
                assert error.errno == errno.EIO
                piece = b""
            if not piece:
                break
            self.text += piece.decode(errors="replace").replace("\r\n", "\n")
        return self.text

    def press(self, keys: str) -> None:
        os.write(self._own, keys.encode())

    def press_until(self, key: str, text: str, times: int = 120) -> None:
        """Press a key until a text comes: less drops keys that are pressed before it has dealt with Ctrl-C."""
        for _ in range(times):
            if text in self.text:
                return
            self.press(key)
            if select.select([self._own], [], [], 0.5)[0]:
                self.text += os.read(self._own, 65536).decode(errors="replace").replace("\r\n", "\n")
        raise AssertionError(f"after {times} keys there is only:\n{self.text}")

    def status(self) -> int:
        """Its exit status, once it has ended."""
        self.read()
        os.close(self._own)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


@pytest.fixture
def pager(tmp_path: Path) -> Path:
    """A program that stands in for a pager: it keeps what it is given in the file `paged`."""
    program = tmp_path / "pager"
    program.write_text(STAND_IN.replace("{folder}", str(tmp_path)))
    program.chmod(0o755)
    return program


def paged(pager: Path) -> list[str]:
    """What the pager was given, with its arguments and $LESS before it; nothing if it did not run."""
    kept = pager.parent / "paged"
    return kept.read_text().splitlines() if kept.exists() else []


@pytest.mark.parametrize(
    "arguments",
    [
        POLICY,
        ("explain", "W0301"),
        ("explain", "smt"),
        ("kb", "list"),
        ("kb", "show", "smt"),
        ("help", "plan"),
        ("help", "W0301"),
    ],
)
def test_the_pager_gets_what_a_pipe_would(pager: Path, arguments: tuple[str, ...]) -> None:
    terminal = Terminal(*arguments, lines=10, SETPOINT_PAGER=f"{pager} -x 'two words'")
    assert terminal.status() == 0
    assert paged(pager)[:2] == ["arguments: -x two words", "LESS: FRX"]
    piped = setpoint(*arguments, env={"COLUMNS": "110"})
    assert paged(pager)[2:] == piped.out.splitlines()
    shown, _, after = terminal.text.partition("PAGER ENDED\n")
    assert shown == ""
    assert re.sub("\x1b\\[[0-9;]*m", "", after).count("warning[") == piped.err.count("warning[")


@pytest.mark.parametrize(
    ("arguments", "variables", "lines"),
    [
        (("--no-pager",), {}, LINES),
        ((), {"SETPOINT_PAGER": ""}, LINES),
        ((), {"TERM": "dumb"}, LINES),
        ((), {}, 500),  # it fits
        ((), {"SETPOINT_PAGER": "'unclosed"}, LINES),
        ((), {"SETPOINT_PAGER": "/nowhere/pager"}, LINES),
        (("--format", "json"), {}, LINES),
    ],
)
def test_where_no_pager_is_wanted_or_none_works_all_is_written(
    pager: Path, arguments: tuple[str, ...], variables: dict[str, str], lines: int
) -> None:
    terminal = Terminal(*POLICY, *arguments, lines=lines, **{"PAGER": str(pager), **variables})
    assert (terminal.status(), paged(pager)) == (0, [])
    assert "cpu-power-management" in terminal.text


def test_a_pipe_is_never_paged(pager: Path) -> None:
    ran = setpoint(*POLICY, env={"PAGER": str(pager)})
    assert (paged(pager), "cpu-power-management" in ran.out) == ([], True)


def test_the_own_variable_outranks_the_common_one(pager: Path) -> None:
    assert Terminal(*POLICY, PAGER=str(pager)).status() == 0
    assert paged(pager)
    (pager.parent / "paged").unlink()
    assert Terminal(*POLICY, PAGER=str(pager), SETPOINT_PAGER="").status() == 0
    assert not paged(pager)


def test_options_of_less_that_somebody_has_set_stay(pager: Path) -> None:
    assert Terminal(*POLICY, PAGER=str(pager), LESS="-S").status() == 0
    assert paged(pager)[1] == "LESS: -S"


def test_without_less_all_is_written(tmp_path: Path) -> None:
    terminal = Terminal(*POLICY, PATH=str(tmp_path))
    assert terminal.status() == 0
    assert "cpu-power-management" in terminal.text


def test_who_leaves_the_pager_early_has_read_enough(tmp_path: Path) -> None:
    """A pager that reads nothing: no message of a broken pipe, and the warnings all the same."""
    terminal = Terminal("plan", "-e", "goal latency; cpu westmere", SETPOINT_PAGER="true")
    assert terminal.status() == 0
    assert "warning" in terminal.text and "roken" not in terminal.text


def test_an_error_keeps_its_exit_status_behind_the_pager(pager: Path) -> None:
    policy = 'goal efficiency; cpu westmere; set turbo on because "OPS-77"'
    terminal = Terminal("plan", "-e", policy, PAGER=str(pager))
    assert terminal.status() == 1
    assert "E0401" in terminal.text.partition("PAGER ENDED")[2]


needs_less = pytest.mark.skipif(not shutil.which("less"), reason="less is not installed")


@needs_less
def test_less_shows_a_page_and_the_rest_on_request() -> None:
    terminal = Terminal(*POLICY)
    first = terminal.read(until=":")
    terminal.read(until="\x1b[K")
    assert "Restart:" not in terminal.text
    terminal.press("G")
    terminal.read(until="Restart:")
    terminal.press("q")
    assert terminal.status() == 0
    assert "warning[" in terminal.text.partition("Restart:")[2]
    assert "Policy" in first or "goal" in first


@needs_less
def test_ctrl_c_is_for_less() -> None:
    """It stops neither the command, which still has warnings to show, nor less."""
    terminal = Terminal(*POLICY)
    terminal.read(until=":")
    terminal.read(until="\x1b[K")
    terminal.press("\x03")
    terminal.press_until("q", LEFT)
    assert terminal.status() == 0
    assert "warning[" in terminal.text
