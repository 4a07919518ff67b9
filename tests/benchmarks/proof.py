"""The cost of `kb check` on the library with one, four and ten vendors: CPU time and peak memory.

    make bench-proof

The vendors are copies of the library's servers (`support.copies`). What does not occur together should cost its sum,
so that the time for each vendor stays about the same.
"""

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.cost import Cost, cost
from support.copies import write

VENDORS = (1, 4, 10)
LIMIT = 180
"""The CPU seconds that a check may take."""


def checked(vendors: int) -> Cost:
    """What a check of the library with so many vendors costs, with nothing kept from earlier ones. Raises TooLongError."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        write(vendors, Path(folder))
        command = (sys.executable, "-m", "setpoint.compiler", "kb", "check", folder)
        env = {**os.environ, "XDG_CACHE_HOME": cache}
        cost(*command[:3], "plan", "-e", "goal latency", env=env)  # fills the cache of the library itself
        return cost(*command, statuses=(0, 1), limit=LIMIT, env=env)


def main() -> None:
    """Measure and print."""
    for vendors in map(int, sys.argv[1:]) if sys.argv[1:] else VENDORS:
        used = checked(vendors)
        print(
            f"{vendors:3} vendors: {used.cpu:6.1f} s CPU, {used.cpu / vendors:4.1f} s each; {used.memory:5.0f} MiB"
            + ("; it did not pass" if used.status else "")
        )


if __name__ == "__main__":
    main()
