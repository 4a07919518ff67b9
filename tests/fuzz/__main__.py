"""The long run: `python -m fuzz`, in the folder `tests`. Each reader in turn, from a seed onwards, until time is up.

A defect is reported with its seed and does not end the run. The exit status is 1 if there was one.
"""

import argparse
import sys
import time
import traceback
from itertools import count

from fuzz.readers import READERS, run


def main() -> int:
    """Run the readers that the command line names."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument(
        "readers", nargs="*", metavar="READER", help=f"of {', '.join(READERS)} (default: all)"
    )
    parser.add_argument(
        "--seconds", type=float, default=600, help="how long, all readers together (default: 600)"
    )
    parser.add_argument("--seed", type=int, default=0, help="where to begin (default: 0)")
    parser.add_argument(
        "--runs", type=int, default=0, help="at most so many runs a reader (default: no limit)"
    )
    options = parser.parse_args()
    chosen = options.readers or list(READERS)
    if unknown := sorted({*chosen} - {*READERS}):
        parser.error(f"no reader: {', '.join(unknown)}")
    end = time.monotonic() + options.seconds
    defects = runs = 0
    for seed in count(options.seed):
        if time.monotonic() >= end or (options.runs and seed >= options.seed + options.runs):
            break
        for reader in chosen:
            runs += 1
            try:
                run(reader, seed)
            except Exception:
                defects += 1
                print(f"--- {reader}, seed {seed}: python -m fuzz {reader} --seed {seed} --runs 1")
                print(
                    traceback.format_exc()[-3_000:].encode("ascii", "backslashreplace").decode(), flush=True
                )
    print(f"{runs} runs from seed {options.seed} on, {defects} with a defect")
    return 1 if defects else 0


sys.exit(main())
