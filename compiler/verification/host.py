"""The host's side of a capture, as verdicts ask about it: what is derived from readings is derived once.

A processor that is offline keeps its files of before, and what they show is not in force; its readings are left out.
Which processors are online is itself a reading; without it all count.
"""

import re
from collections.abc import Iterable
from functools import cached_property

from setpoint.compiler.captures.model import MOST_STARS, Reading, Readings, is_numbered, number_list
from setpoint.compiler.captures.next_boot import next_boot_line
from setpoint.compiler.captures.texts import CPUINFO_PLACE, processor_fields
from setpoint.compiler.verification.boot import words_of
from setpoint.compiler.verification.texts import IdleState, cpus_of

BOOT_LINE = "/proc/cmdline"
NEXT_BOOT = "the next boot entry"
ONLINE = "/sys/devices/system/cpu/online"
GOVERNORS = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_available_governors"
IDLE_NAME = "/sys/devices/system/cpu/cpu*/cpuidle/state{}/name"
IDLE_LATENCY = "/sys/devices/system/cpu/cpu*/cpuidle/state{}/latency"

MOST_STATES = 16
"""The kernel has ten idle states at most."""

OF_CPUS = ("msr 0x", "/sys/devices/system/cpu/cpu*/")
"""How places begin whose readings are of processors."""

ABSENT, NOT_CAPTURED = "absent", "not captured"
"""Why a place has no reading: the server has no such file, or the collector did not look for it."""


class Host:
    """The readings of a host. Those of processors that are offline are left out."""

    def __init__(self, readings: Readings) -> None:
        self.readings = readings

    def at(self, place: str) -> tuple[Reading, ...]:
        """The readings of a place; () if there is none."""
        readings = self.readings.read.get(place, ())
        if self.offline and readings and place.startswith(OF_CPUS):
            return tuple(reading for reading in map(self._online_part, readings) if reading is not None)
        return readings

    def matching(self, pattern: str) -> tuple[Reading, ...]:
        """The readings of all places that a pattern describes, as `at` has them."""
        if pattern.count("*") < MOST_STARS:
            return self.at(pattern)
        return tuple(reading for place in self.readings.at(pattern) for reading in self.at(place))

    def text(self, place: str) -> str | None:
        """The text of a place that is read once; None if it was not read."""
        readings = self.readings.read.get(place, ())
        return readings[0].text if len(readings) == 1 and not readings[0].where else None

    def why_unread(self, place: str) -> str:
        """Why a place was not read, at least on some CPUs: one of REASONS, or NOT_CAPTURED; "" if it was read."""
        unread = self.readings.unread
        if place in unread:
            return unread[place]
        if place in self.readings.read or (place.count("*") >= MOST_STARS and self.readings.at(place)):
            return ""
        if place.count("*") < MOST_STARS:
            return NOT_CAPTURED
        form = re.compile("[^/]*".join(map(re.escape, place.split("*"))))
        return next((unread[place] for place in sorted(unread) if form.fullmatch(place)), NOT_CAPTURED)

    @cached_property
    def offline(self) -> frozenset[int]:
        """The processors that are known to be offline."""
        online, present = (self.text(place) for place in (ONLINE, ONLINE.replace("online", "present")))
        if online is None or present is None:
            return frozenset()
        has, may = cpus_of(online), cpus_of(present)
        return frozenset() if has is None or may is None else may - has

    @cached_property
    def cpus(self) -> frozenset[int] | None:
        """The processors that are online; None if that was not read."""
        online = self.text(ONLINE)
        return None if online is None else cpus_of(online)

    @cached_property
    def boot_line(self) -> dict[str, tuple[str, ...]] | None:
        """The arguments that the running kernel was started with; None if they were not read."""
        line = self.text(BOOT_LINE)
        return None if line is None else words_of(line)

    @cached_property
    def next_line(self) -> dict[str, tuple[str, ...]] | None:
        """The arguments that the next start has; None if they were not read."""
        line = next_boot_line(self.readings)
        return None if line is None else words_of(line)

    @cached_property
    def flags(self) -> frozenset[str]:
        """The flags of the processors; of several kinds those that all have."""
        flags = [_flags(reading.text) for reading in self.at(CPUINFO_PLACE)]
        return frozenset.intersection(*flags) if flags else frozenset()

    @cached_property
    def idle_states(self) -> tuple[IdleState, ...]:
        """The idle states of the first processors that have any."""
        states = []
        for number in range(MOST_STATES):
            names, latencies = self.at(IDLE_NAME.format(number)), self.at(IDLE_LATENCY.format(number))
            if latencies and latencies[0].text.strip().isdecimal():
                name = names[0].text.strip() if names else ""
                states.append(IdleState(str(number), name, int(latencies[0].text)))
        return tuple(states)

    def _online_part(self, reading: Reading) -> Reading | None:
        """A reading without the processors that are offline; None if none is left."""
        has = cpus_of(reading.where)
        if has is None or not has & self.offline:
            return reading
        left = has - self.offline
        return reading._replace(where=number_list(left)) if left else None


def _flags(text: str) -> frozenset[str]:
    """The flags in /proc/cpuinfo that each processor has."""
    lines = {value for name, value in processor_fields(text) if name == "flags"}
    flags = [frozenset(line.split()) for line in lines]
    return frozenset.intersection(*flags) if flags else frozenset()


def of_cpus(place: str) -> bool:
    """Whether the readings of a place are of processors or nodes."""
    return is_numbered(place)


def has_all(host: Host, place: str, readings: Iterable[Reading]) -> bool:
    """Whether the readings of a place are of all processors that are online."""
    if host.cpus is None or not of_cpus(place) or "/node*" in place:
        return False
    have = {number for reading in readings for number in cpus_of(reading.where) or ()}
    return host.cpus <= have


def members(where: str) -> frozenset[int] | frozenset[str]:
    """What a reading is of: numbers of processors or nodes, or names of devices."""
    numbers = cpus_of(where)
    return frozenset(where.split()) if numbers is None else numbers


def members_text(parts: frozenset[int] | frozenset[str]) -> str:
    """The same as a reading says it."""
    numbers = [member for member in parts if isinstance(member, int)]
    return number_list(numbers) if numbers else " ".join(sorted(map(str, parts)))


def where_text(place: str, readings: Iterable[Reading]) -> str:
    """Where these readings are, in words: `CPUs 0-3`, `nodes 1`, `sda sdb`; "" for a place that is read once."""
    parts = [reading.where for reading in readings if reading.where]
    if not parts:
        return ""
    if not is_numbered(place):
        return " ".join(parts)
    numbers = number_list(n for part in parts for n in cpus_of(part) or ())
    return f"{'node' if '/node*' in place else 'CPU'}{'s' if not numbers.isdecimal() else ''} {numbers}"
