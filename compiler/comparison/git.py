"""Run git on a repository that somebody else may have made.

A repository can name programs: in its configuration, its attributes and its hooks. Git runs them for whoever asks about
the files of the folder, as `git status` does. So this asks about objects only, with commands made for scripts: these
read no file of the folder, so no filter and no file-system monitor is for them, and run neither pager nor alias. `OFF`
switches off what is left, also for a git that should run more of it one day. Nothing is fetched, since a remote names
programs as well; only `pins` clones, which takes over no configuration and no hook. Which git directory is meant, and
whose may be trusted, git decides by the user's own environment and configuration (`safe.directory`).

An answer ends soon: what takes too long or answers too much is stopped.
"""

import os
import subprocess
import tempfile

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.files.printed import PIECE, printed
from setpoint.compiler.record import NamedTuple

OFF = (
    "--no-pager",
    "--no-optional-locks",
    "--no-replace-objects",
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "safe.bareRepository=explicit"),
)
"""What git is told before each command. A bare repository could lie in the folder of another one, as files of a pull
request."""

ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
"""Over the user's environment: nothing is fetched or asked, and reasons are in English like ours."""

RENAMES = (
    *("--name-status", "-z", "--find-renames", "--diff-filter=R", "-l1000"),
    *("--no-ext-diff", "--no-textconv", "--ignore-submodules=all"),
)
"""Ask a comparison for renamed files, of at most a thousand, by name and content alone."""

MOST_BYTES = 256 << 20
"""The maximum size of an answer: a tree can name itself again and again, and a small file contain a very large one."""

MOST_SECONDS = 120
"""How long an answer may take."""


class GitAnswer(NamedTuple):
    """What a command of git did: its exit status, what it printed, and the end of what it complained of."""

    status: int
    out: bytes
    err: bytes


class GitUse(NamedTuple):
    """How git is run: the options before the command, variables over the user's environment and those that are taken
    from it, how many seconds an answer may take, and what to do instead where there is none ("" for what a comparison
    can do).
    """

    options: tuple[str, ...] = OFF
    environment: tuple[tuple[str, str], ...] = tuple(ENVIRONMENT.items())
    without: frozenset[str] = frozenset()
    seconds: int = MOST_SECONDS
    instead: str = ""


HERE = GitUse()
"""Ask about the objects of a repository that is there, as the user would."""


def git(folder: str, *command: str, text: bytes = b"", use: GitUse | None = None) -> GitAnswer:
    """The answer to a command of git in a folder, run as `HERE` or `use` says; `text` is its standard input.

    Raises SetpointError (E0607) if there is no git, or no end of its answer.
    """
    use = use or HERE
    environment = {name: value for name, value in os.environ.items() if name not in use.without}
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as complaints:
        asked.write(text)
        asked.seek(0)
        try:
            process = subprocess.Popen(
                ["git", *use.options, "-C", folder, *command],
                stdin=asked,
                stdout=subprocess.PIPE,
                stderr=complaints,
                env={**environment, **dict(use.environment)},
            )
        except FileNotFoundError:
            help_ = use.instead or "name two files, folders or bundles instead"
            raise refused("git is not installed", b"", help_) from None
        out = _answered(process, command[0], use)
        complaints.seek(max(0, complaints.seek(0, os.SEEK_END) - PIECE))
        return GitAnswer(process.returncode, out, complaints.read())


def _answered(process: "subprocess.Popen[bytes]", verb: str, use: GitUse) -> bytes:
    """All that a process prints, until it ends. Raises SetpointError (E0607) if that is too much, or too late."""
    out = printed(process, use.seconds, MOST_BYTES)
    if out.is_late or out.is_too_much:
        limit = (
            f"takes more than {use.seconds} seconds"
            if out.is_late
            else f"has more than {MOST_BYTES >> 20} MiB"
        )
        raise refused(
            f"the answer of `git {verb}` {limit}",
            b"",
            use.instead or "compare a folder of your own checkout instead",
        )
    return out.content


def refused(message: str, complaint: bytes, help_: str, wrong: str = "") -> SetpointError:
    """The error (E0607) for a failure of git; `wrong` is the wrong name on the command line, if that is the cause."""
    reason = complaint.decode(errors="replace").strip().splitlines()
    return SetpointError.of(
        "E0607",
        message,
        notes=tuple(f"git: {r}" for r in reason[-1:]),
        help=(help_,),
        subject=wrong,
    )
