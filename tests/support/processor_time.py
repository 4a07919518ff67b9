"""The processor time of a process and of all that it has started: what a busy machine does not change.

The kernel adds the time of a process to its parent's when it has ended and the parent has asked for it. Much of what
tests start stays until the end of the run (`warm`, the servers of `consumers`), so what is running is looked up in
`/proc`, with all that it has started.
"""

import os
from pathlib import Path

PROC = Path("/proc")
USER, SYSTEM, USER_OF_CHILDREN, SYSTEM_OF_CHILDREN = range(11, 15)
"""Where `/proc/PID/stat` has them, in ticks, behind the name of the program: utime, stime, cutime and cstime
(proc(5))."""


def processor_time(process: int | None = None) -> float:
    """The seconds of processor time of a process, by default this one, and of its descendants; 0 if it is gone.

    Where the kernel does not list children, those that run count once they have ended.
    """
    place = PROC / str(process or os.getpid())
    try:
        fields = (place / "stat").read_text(errors="replace").rpartition(")")[2].split()
        lists = [thread / "children" for thread in (place / "task").iterdir()]
        children = [int(child) for path in lists if path.exists() for child in path.read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    ticks = sum(int(field) for field in fields[USER : SYSTEM_OF_CHILDREN + 1])
    return ticks / os.sysconf("SC_CLK_TCK") + sum(map(processor_time, children))


class Stopwatch:
    """Measures what lies between two laps."""

    def __init__(self) -> None:
        self._last = 0.0

    def lap(self) -> float:
        """The seconds since the last lap; in the first, since this process started."""
        last, self._last = self._last, processor_time()
        return self._last - last
