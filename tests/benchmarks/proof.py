"""The cost of `kb check` on the library with one, four and ten vendors: CPU time and peak memory.

    make bench-proof

The vendors are copies of the library's servers (`support.copies`). What does not occur together should cost its sum,
so that the time for each vendor stays about the same.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.copies import write

VENDORS = (1, 4, 10)


def main() -> None:
    """Measure and print."""
    for vendors in map(int, sys.argv[1:]) if sys.argv[1:] else VENDORS:
        with tempfile.TemporaryDirectory() as folder:
            write(vendors, Path(folder))
            command = [sys.executable, "-m", "setpoint.compiler", "kb", "check", folder]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(process.pid, 0)
        seconds, megabytes = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
        print(
            f"{vendors:3} vendors: {seconds:6.1f} s CPU, {seconds / vendors:4.1f} s each; {megabytes:5.0f} MB"
            + ("" if os.waitstatus_to_exitcode(status) == 0 else "; it did not pass")
        )


if __name__ == "__main__":
    main()
