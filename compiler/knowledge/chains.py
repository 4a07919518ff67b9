"""Chains of names, each with at most one further on: what a value lies within, or follows; what a source supersedes.

Whatever walks along such a chain would not come back from a circle, so circles are found and cut where the
names are read.
"""

from collections.abc import Iterator, Mapping

MOST_LEVELS = 100
"""How deep values may lie within one another: far beyond any hardware, and little enough to walk again and again."""


def circles(further: Mapping[str, str]) -> Iterator[str]:
    """One name of each circle: the one at which a walk through the names, in their order, comes back."""
    done: set[str] = set()
    for name in further:
        trail: dict[str, None] = {}
        at = name
        while at and at not in done and at not in trail:
            trail[at] = None
            at = further.get(at, "")
        if at in trail:
            yield at
        done.update(trail)


def too_deep(further: Mapping[str, str]) -> list[str]:
    """The names with more than MOST_LEVELS others above them. There must be no circles any more."""
    return [name for name in further if _levels(name, further) > MOST_LEVELS]


def _levels(name: str, further: Mapping[str, str]) -> int:
    """How many names there are above this one, counted no further than needed."""
    levels, at = 0, further[name]
    while at and levels <= MOST_LEVELS:
        levels, at = levels + 1, further.get(at, "")
    return levels
