"""Chains of names in which each has at most one successor: nested values, values that follow, superseded sources.

Code that walks along such a chain would not terminate on a cycle, so cycles are reported and cut when the names are
read.

Names may also have several successors: rules withdraw others, and settings are decided after others. There a name that
is its own successor, over whatever others, is in a *circle* with them.
"""

from collections.abc import Collection, Iterator, Mapping

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


def circles(successors: Mapping[str, Collection[str]]) -> dict[str, frozenset[str]]:
    """The names that are their own successors, directly or not, each with all names of its circle.

    Every successor must be one of the names. This is Tarjan's algorithm, without recursion: each name and each
    successor is looked at once. A name is on the `trail` from when it is reached until its circle is complete, and
    `lowest` has the earliest name on the trail that it leads back to.
    """
    members: dict[str, frozenset[str]] = {}
    lowest: dict[str, int] = {}
    trail: dict[str, int] = {}
    for start in successors:
        ahead = [(start, iter(successors[start]))] if start not in lowest else []
        lowest.setdefault(start, 0)
        trail.update({start: 0} if ahead else {})
        while ahead:
            name, others = ahead[-1]
            other = next(others, None)
            if other is None:
                ahead.pop()
                if ahead:
                    lowest[ahead[-1][0]] = min(lowest[ahead[-1][0]], lowest[name])
                if lowest[name] == trail[name]:
                    members.update(_circle(name, trail, successors))
            elif other not in lowest:
                lowest[other] = trail[other] = len(trail)
                ahead.append((other, iter(successors[other])))
            elif other in trail:
                lowest[name] = min(lowest[name], trail[other])
    return members


def _circle(
    first: str, trail: dict[str, int], successors: Mapping[str, Collection[str]]
) -> Iterator[tuple[str, frozenset[str]]]:
    """Take the names from the first on off the trail: a circle, unless it is one name that does not follow itself."""
    members = []
    while first in trail:
        members.append(trail.popitem()[0])
    if len(members) > 1 or first in successors[first]:
        yield from dict.fromkeys(members, frozenset(members)).items()
