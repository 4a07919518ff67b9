"""The typed form of a capture: the readings of one server, with their places.

A *place* is where something was read: a file (`/proc/cmdline`), a register of all CPUs (`msr 0x1fc`), what a program
printed (`run uname -r`), or the path of a resource of the server's controller. A `*` in a place stands for what differs
between the CPUs, nodes or devices that have it. Readings with the same text are one `Reading`, which says where it
holds. The places of a capture have one star at most, for the CPU or node if there is one:
`/sys/devices/system/cpu/cpu*/cpuidle/state2/disable`. `Readings.at` finds them by a pattern.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from setpoint.compiler.record import NamedTuple

REASONS = {
    "absent": "the server has no such file, register or device",
    "no permission": "it needs other rights than those of the user who read",
    "lockdown": "the kernel is locked down, and refuses even root",
    "guest": "the server is a virtual machine, which does not pass it on",
    "no module": "the kernel module that shows it is not loaded",
    "no program": "reading it takes a program that is not installed",
    "timed out": "it did not answer in time",
    "too large": "it is larger than a capture stores",
    "not text": "it is not a text",
    "failed": "reading it failed in another way",
}
"""Why a place was not read, in the words of a capture."""

MOST_CPUS = 1 << 14
"""Numbers of CPUs and nodes are smaller: twice the most that Linux is built for."""

MOST_STARS = 2
"""A pattern with fewer stars is a place itself."""

OF_ALL_CPUS = re.compile(r"msr 0x|.*?/(cpu|node)\*")
"""The beginning of a place whose readings are of CPUs or nodes, which have numbers."""

MOST_REMEMBERED = 4096
"""How many places are remembered: several times what captures of all kinds have."""

RANGE = re.compile(r"[0-9]{1,5}(-[0-9]{1,5})?")


class Reading(NamedTuple):
    """A text, and where it was read: "" for one place, a list of CPUs or nodes (`0-63,128`), or names."""

    text: str
    where: str = ""


class Readings(NamedTuple):
    """The texts of a host by place, and one of REASONS for each place that could not be read, at least in part."""

    read: dict[str, tuple[Reading, ...]]
    unread: dict[str, str]

    def text(self, place: str) -> str | None:
        """The text of a place that is read once; None if it was not read."""
        readings = self.read.get(place, ())
        return readings[0].text if len(readings) == 1 and not readings[0].where else None

    def at(self, pattern: str) -> dict[str, tuple[Reading, ...]]:
        """The readings of all places that a pattern such as `…/cpu*/cpuidle/state*/disable` describes, by place."""
        if pattern.count("*") < MOST_STARS:
            return {pattern: self.read[pattern]} if pattern in self.read else {}
        form = re.compile("[^/]*".join(map(re.escape, pattern.split("*"))))
        return {place: readings for place, readings in self.read.items() if form.fullmatch(place)}


class Controller(NamedTuple):
    """What a controller answered: the resources by path, as JSON data, and why others could not be read."""

    read: dict[str, Any]
    unread: dict[str, str]


class Capture(NamedTuple):
    """A server as it was read, called as its file is; `host` or `controller` is None if that side was not read."""

    name: str
    host: Readings | None
    controller: Controller | None


@lru_cache(MOST_REMEMBERED)
def is_numbered(place: str) -> bool:
    """Whether the readings of a place are of CPUs or nodes, so that `where` is a list of numbers."""
    return OF_ALL_CPUS.match(place) is not None


def ranges(where: str) -> Iterator[tuple[int, int]]:
    """The first and last number of each part of a list such as `0-63,128`. Raises ValueError for what is not one."""
    for part in where.split(","):
        first, dash, last = part.partition("-")
        if not RANGE.fullmatch(part):
            raise ValueError(f"not a list of CPUs or nodes, such as 0-63,128: {part!r}")
        if not int(first) <= int(last if dash else first) < MOST_CPUS:
            raise ValueError(f"not numbers of CPUs or nodes, from 0 to {MOST_CPUS - 1}: {part!r}")
        yield int(first), int(last if dash else first)


def numbers(where: str) -> Iterator[int]:
    """The numbers in a list such as `0-63,128`. Raises ValueError for what is not one."""
    for first, last in ranges(where):
        yield from range(first, last + 1)


def number_list(members: Iterable[int]) -> str:
    """Numbers as a list such as `0-63,128`, sorted."""
    runs: list[list[int]] = []
    for number in sorted(set(members)):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
