"""Chains of names in which each has at most one successor: values within others, values that follow others, superseded sources.

Code that walks along such a chain would not terminate on a cycle, so cycles are reported and cut when the names are read.
"""

from collections.abc import Iterator, Mapping

MOST_LEVELS = 100
"""The maximum depth of values within others: far more than hardware needs, and cheap to walk repeatedly."""


def cycles(next_names: Mapping[str, str]) -> Iterator[str]:
    """One name of each cycle: the first that a walk through the names, in their order, reaches twice."""
    done: set[str] = set()
    for name in next_names:
        trail: dict[str, None] = {}
        at = name
        while at and at not in done and at not in trail:
            trail[at] = None
            at = next_names.get(at, "")
        if at in trail:
            yield at
        done.update(trail)


def too_deep(next_names: Mapping[str, str]) -> list[str]:
    """The names with more than MOST_LEVELS others above them. There must be no cycles."""
    return [name for name in next_names if _levels(name, next_names) > MOST_LEVELS]


def _levels(name: str, next_names: Mapping[str, str]) -> int:
    """The number of names above this one, counted no further than needed."""
    levels, at = 0, next_names[name]
    while at and levels <= MOST_LEVELS:
        levels, at = levels + 1, next_names.get(at, "")
    return levels
