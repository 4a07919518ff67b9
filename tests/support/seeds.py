"""Long random runs: seeds in chunks, which several processes work off."""

from collections.abc import Callable, Iterator
from multiprocessing import Pool
from typing import TypeVar

Found = TypeVar("Found")

Work = tuple[Callable[[range], Found], range]
"""What is done with some seeds."""


def chunks(first: int, number: int, size: int) -> Iterator[range]:
    """The seeds, a chunk at a time."""
    for start in range(first, first + number, size):
        yield range(start, min(start + size, first + number))


def each(work: list[Work[Found]], jobs: int) -> Iterator[Found]:
    """The results of the chunks, in order."""
    if jobs == 1:
        yield from map(_run, work)
    else:
        with Pool(jobs) as pool:
            yield from pool.imap(_run, work)
            pool.close()
            pool.join()


def _run(work: Work[Found]) -> Found:
    """One chunk of work."""
    do, seeds = work
    return do(seeds)
