"""Compare the compiler with the meaning of the manual, on policies at random:

    PYTHONPATH=.dev:tests python -m meaning --policies 1000000 --seed 1 --jobs 2
    PYTHONPATH=.dev:tests python -m meaning --knowledge 2000

The first compares policies on the standard library, the second policies on so many knowledge bases at random. Each
disagreement is printed as a policy to paste, as small as it can be made. Exit status 3 where there is one.
"""

import argparse
import sys
import time

from meaning.comparison import Tally, random_knowledge_bases, standard_library
from meaning.policies import PER_CONTEXT
from support.seeds import Work, chunks, each

CHUNK = 250
"""Contexts, or knowledge bases, that a process compares before it reports."""


def main() -> int:
    """Run the requested comparison."""
    parser = argparse.ArgumentParser(prog="python -m meaning")
    parser.add_argument("--policies", type=int, default=0, help="policies on the standard library")
    parser.add_argument("--knowledge", type=int, default=0, help="knowledge bases at random")
    parser.add_argument(
        "--seed", type=int, default=0, help="the first of the seeds; the same seeds, the same policies"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    asked = parser.parse_args()
    contexts = -(-asked.policies // PER_CONTEXT)
    work: list[Work[Tally]] = [
        *((standard_library, seeds) for seeds in chunks(asked.seed, contexts, CHUNK)),
        *((random_knowledge_bases, seeds) for seeds in chunks(asked.seed, asked.knowledge, CHUNK // 10)),
    ]
    total, begin = Tally(), time.monotonic()
    for tally in each(work, asked.jobs):
        for line in tally.disagreements:
            print(line, flush=True)
        total = total.plus(tally)
    seconds = time.monotonic() - begin
    for outcome, count in sorted(total.outcomes.items(), key=lambda pair: -pair[1]):
        print(f"{count:10,}  {outcome}")
    speed = total.policies / seconds
    print(
        f"{total.policies:,} policies, {len(total.disagreements):,} disagreements, {speed:,.0f} policies a second"
    )
    return 3 if total.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
