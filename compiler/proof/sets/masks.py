"""Sets of situations as integers with a bit for each, and one such set for each value of something."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


def union(masks: Iterable[int]) -> int:
    """The situations in any of these sets."""
    situations = 0
    for mask in masks:
        situations |= mask
    return situations


def any_left(masks: dict[int, int]) -> int:
    """The situations in which a setting has some value left."""
    return union(masks.values())


def several_left(masks: dict[int, int]) -> int:
    """The situations in which a setting has more than one value left."""
    once = twice = 0
    for mask in masks.values():
        twice |= once & mask
        once |= mask
    return twice


def include(masks: dict[Key, int], key: Key, where: int) -> None:
    masks[key] = masks.get(key, 0) | where


def replace(masks: dict[int, int], bit: int, where: int) -> None:
    """Make this value the only one in some situations."""
    for other in masks:
        masks[other] &= ~where
    include(masks, bit, where)


def repeating(size: int, times: int) -> int:
    """The factor that makes several copies of a set, each in `size` bits, of the set."""
    return sum(1 << size * k for k in range(times))
