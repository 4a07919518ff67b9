"""What must hold of a command, whatever it reads.

It ends, in time, with one of the documented statuses. It raises nothing. What it prints can be printed and is bounded.
Where it fails it says so by a code, or by what the system or the usage says, and leaves every file as it was; but `fmt`
goes on with the other files, and `--also` writes down what is wrong, as `--export` does what is there.
"""

import contextlib
import io
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from setpoint.compiler.cli import main
from support.command import Ran
from support.limits import PATIENCE

MOST_SECONDS = 30
"""The limit of processor time for a command: ten times the maximum so far."""

MOST_PRINTED = 4 << 20
"""How many characters it may print. Annotations of a large file are the longest."""

CODE = re.compile(r"\b(?:[EW]0\d{3}|K\d{2})\b")
"""A diagnostic's code."""


class DefectError(AssertionError):
    """The property was violated."""


class _OutOfTime(BaseException):
    """No OSError, as TimeoutError would be: nothing is to catch it on the way."""


def command(*words: str, folder: Path, **env: str) -> Ran:
    """Run a command in a folder, and check the property. Raises DefectError."""
    before = content(folder)
    ran = _run(words, folder, env)
    said = ran.out + ran.err
    told = f"{list(words)!r} ended with {ran.status}: {said[-2_000:]!r}"
    if ran.status not in range(6):
        raise DefectError(f"a status of its own: {told}")
    if len(said) > MOST_PRINTED:
        raise DefectError(f"{len(said)} characters printed: {told}")
    if not said.replace("\n", "").isprintable():
        raise DefectError(f"printed raw: {told}")
    named = (
        "as before" in said or '"unplanned": [\n' in said
    )  # by `diff`, for policies without a plan on both sides
    named |= words[:1] == ("verify",) and ran.status == 4  # its verdicts say what could not be read
    if ran.status in (1, 4) and not (CODE.search(said) or ran.err.startswith("setpoint: ") or named):
        raise DefectError(f"failed without a code: {told}")
    if ran.status == 2 and not (CODE.search(said) or "usage: " in said or ran.err.startswith("setpoint: ")):
        raise DefectError(f"refused without a word: {told}")
    after = content(folder)
    goes_on = bool(words) and (words[0] == "fmt" or not {"--also", "--export"}.isdisjoint(words))
    if ran.status in (1, 2, 4) and after != before and not goes_on:
        raise DefectError(
            f"failed, and yet changed {sorted({*before.items()} ^ {*after.items()})[:4]}: {told}"
        )
    if leftovers := [name for name in after if ".setpoint-" in name]:
        raise DefectError(f"left {leftovers}: {told}")
    return ran


def content(folder: Path) -> dict[str, bytes | None]:
    """All below a folder: files with their content, the rest by name. What git keeps for itself is left out."""
    found: dict[str, bytes | None] = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for name in (*folders, *names):
            path = Path(place, name)
            found[os.path.relpath(path, folder)] = path.read_bytes() if os.path.isfile(path) else None
    return found


def _run(words: tuple[str, ...], folder: Path, env: dict[str, str]) -> Ran:
    out, err = io.StringIO(), io.StringIO()
    try:
        with (
            _environment(env),
            contextlib.chdir(folder),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            _limited(),
        ):
            status = main(list(words))
    except SystemExit as exit_:
        status = exit_.code if isinstance(exit_.code, int) else 0 if exit_.code is None else 1
    except Exception as error:
        raise DefectError(f"{list(words)!r} raised {type(error).__name__}: {error}") from error
    except _OutOfTime:
        raise DefectError(f"{list(words)!r} does not end in time") from None
    return Ran(status, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def _environment(env: dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(env)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """Stop both clocks at the end, and restore the previous signal handlers."""

    def late(number: int, frame: FrameType | None) -> None:
        raise _OutOfTime

    before = {each: signal.signal(each, late) for each in (signal.SIGPROF, signal.SIGALRM)}
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        for each, handler in before.items():
            signal.signal(each, handler)
