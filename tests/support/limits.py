"""How long a command of a test may take: in CPU time, which a busy machine does not change. The clock only ends what
hangs."""

import shutil
from collections.abc import Sequence
from functools import cache

MOST_CPU = 300
"""The CPU time of one process, in seconds: several times that of a proof of the whole library."""

PATIENCE = 900
"""The time by the clock, in seconds."""


def limited(command: Sequence[str]) -> list[str]:
    """The command with this limit, for its process and for those that it starts, each by itself.

    Python could set it in the new process before the program starts (`preexec_fn`), but would have to copy its page
    tables for that: tens of milliseconds in a process that has a knowledge base. A system without prlimit(1) has the
    clock alone.
    """
    return [*_limiting(), *command]


@cache
def _limiting() -> tuple[str, ...]:
    program = shutil.which("prlimit")
    return (program, f"--cpu={MOST_CPU}") if program else ()
