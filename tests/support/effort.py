"""How much is tried by default, and how much with `--complete`.

By default a change is judged within minutes: by cells that cover a matrix, and by as many random examples as find most
faults. At night all cells are tried, and the whole number of examples.
"""

import os


def is_complete() -> bool:
    """Whether all is wanted (`--complete`)."""
    return "COMPLETE" in os.environ


def examples(number: int) -> int:
    """The number of random examples of a property: this one with `--complete`, by default a quarter of it."""
    return number if is_complete() else max(number // 4, 10)


def calls(number: int, one_in: int) -> range:
    """The calls of a run, from 1, that meet a fault: each with `--complete`, by default one in so many."""
    return range(1, number + 1, 1 if is_complete() else one_in)
