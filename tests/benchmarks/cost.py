"""What a command costs, as the kernel accounts for it: CPU time of the user and the system together, and peak
memory."""

import math
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

BRIEF, ROUNDS = 1.0, 5
"""Runs of fewer CPU seconds are repeated until there are so many, and their median counts."""

LONGEST = 60
"""The CPU seconds after which a command is ended, unless it may take longer."""

CHILD = """
import resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), int(sys.argv[1]) + 1))
done = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(done.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""
"""Runs a command below a small process, since peak memory includes that of the process that starts it."""


class Cost(NamedTuple):
    """CPU seconds, and the peak of memory in MiB; and the exit status."""

    cpu: float
    memory: float
    status: int = 0


class TooLongError(Exception):
    """A command was ended since it took too much CPU time."""


class FailedError(Exception):
    """A command ended with another status than expected."""


def cost(
    *command: str,
    statuses: Sequence[int] = (0,),
    limit: int = LONGEST,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Cost:
    """What one run of a command costs.

    Raises TooLongError after `limit` CPU seconds, and FailedError for an exit status that is not one of `statuses`.
    """
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(limit), *command],
        capture_output=True,
        text=True,
        check=True,
        env=env,
        cwd=cwd,
    )
    status, cpu, memory = done.stdout.split()
    if int(status) < 0 and float(cpu) > limit - 1:
        raise TooLongError(command)
    if int(status) not in statuses:
        raise FailedError(status, *command)
    return Cost(float(cpu), int(memory) / 1024, int(status))


def typical(*command: str, **options: Any) -> Cost:
    """What a command costs, the median of several runs if they are brief. The options, and what it raises, are those of
    `cost`."""
    runs = [cost(*command, **options)]
    while runs[0].cpu < BRIEF and len(runs) < ROUNDS:
        runs.append(cost(*command, **options))
    return middle(runs)


def middle(runs: Sequence[Cost]) -> Cost:
    """The median of the CPU times, and the largest peak of memory."""
    return Cost(median(run.cpu for run in runs), max(run.memory for run in runs), runs[0].status)


def exponent(sizes: Sequence[int], costs: Sequence[float]) -> float:
    """How fast a cost grows from the first size to the last: 1 is linear, 0 is no growth."""
    return math.log(costs[-1] / costs[0]) / math.log(sizes[-1] / sizes[0])


def on_one_processor() -> None:
    """Keep this process, and all that it starts, on one processor where the system can do that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
