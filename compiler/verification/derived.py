"""What is counted over a whole system from several readings: threads for each core, cores and nodes for each package.

Numbers of what is present are wanted, and the kernel counts what is online; so where some processors are offline, and
the count could be another with them, there is no number. A node without processors is memory, and does not count.
"""

import re
from collections.abc import Callable
from fractions import Fraction

from setpoint.compiler.captures.texts import CPUINFO_PLACE, processor_fields
from setpoint.compiler.verification.host import Host
from setpoint.compiler.verification.texts import cpus_of

DERIVED_PLACE = "derived "
PACKAGES = "/sys/devices/system/cpu/cpu*/topology/physical_package_id"
CORES = "/sys/devices/system/cpu/cpu*/topology/core_id"
NODES = "/sys/devices/system/node/node*/cpulist"
LINKS = "/sys/bus/pci/devices/*/link/l1_aspm"
UNCORE = re.compile(
    r"/sys/devices/system/cpu/[a-z]+_uncore_frequency/[^/]*\*[^/]*/initial_(min|max)_freq_khz"
)
CACHES = "/sys/devices/system/cpu/cpu*/cache/index3/shared_cpu_list"

LONGEST_NUMBER = 12
"""How many digits a number of a file has at most."""

NUMBER = re.compile(r"^[ \t]*([A-Z][A-Za-z ]*): (\d{1,9})\b", re.MULTILINE)
"""A line of dmidecode with a number."""

COUNTS = ("physical id", "core id", "siblings", "cpu cores")
"""The fields of /proc/cpuinfo that are numbers of something."""


def derived(host: Host, name: str) -> str | None:
    """What is counted under a name, a number or a fraction in its lowest terms; None if the readings do not tell."""
    counted = COUNTED[name](host) if name in COUNTED else None
    return None if counted is None else str(counted)


CPU_TABLE, MEMORY_TABLE = "run dmidecode -t 4", "run dmidecode -t 17"
"""What dmidecode prints of processors, and of memory modules."""

SOURCES = {
    "threads-per-core": (PACKAGES, CORES),
    "cores-per-package": (PACKAGES, CORES),
    "nodes-per-package": (PACKAGES, NODES),
    "caches-per-node": (CACHES, NODES),
    "links-in-power-saving": (LINKS,),
    "uncore-minimum-per-maximum": (),
    "enabled-cores-per-core": (CPU_TABLE,),
    "memory-clock-per-rated": (MEMORY_TABLE,),
}
"""The places that each number is counted from; those of the uncore are found by a pattern, since their names differ."""


def _by_cpu(host: Host, place: str) -> dict[int, str]:
    """The text of each processor that is online."""
    return {cpu: reading.text.strip() for reading in host.at(place) for cpu in cpus_of(reading.where) or ()}


def _cores(host: Host) -> dict[tuple[str, str], int]:
    """How many threads that are online each core has."""
    package_of, cores = _by_cpu(host, PACKAGES), _by_cpu(host, CORES)
    threads: dict[tuple[str, str], int] = {}
    for cpu in package_of.keys() & cores.keys():
        core = package_of[cpu], cores[cpu]
        threads[core] = threads.get(core, 0) + 1
    return threads


def _info(host: Host) -> dict[str, set[int]]:
    """The counts of /proc/cpuinfo: the different ones of each field."""
    counts: dict[str, set[int]] = {}
    for text in {reading.text for reading in host.at(CPUINFO_PLACE)}:
        for name, number in processor_fields(text):
            if name in COUNTS and re.fullmatch(r"[0-9]{1,9}", number):
                counts.setdefault(name, set()).add(int(number))
    return counts


def packages(host: Host) -> int:
    """The number of packages; 0 if it is not known."""
    return len(set(_by_cpu(host, PACKAGES).values()) or _info(host).get("physical id", ()))


def _threads(host: Host) -> Fraction | None:
    if cores := _cores(host):
        most = max(cores.values())
    else:
        info = _info(host)
        siblings, core_counts = info.get("siblings", set()), info.get("cpu cores", set())
        if len(siblings) != 1 or len(core_counts) != 1 or not min(core_counts):
            return None
        most = max(siblings) // max(core_counts)
    return None if host.offline and most == 1 else Fraction(most)


def _cores_of_package(host: Host) -> Fraction | None:
    if host.offline:
        return None
    counts: dict[str, int] = {}
    for package, _ in _cores(host):
        counts[package] = counts.get(package, 0) + 1
    numbers = set(counts.values()) or _info(host).get("cpu cores", set())
    return Fraction(numbers.pop()) if len(numbers) == 1 else None


def _nodes(host: Host) -> int:
    """The number of nodes that have processors."""
    return sum(len(cpus_of(reading.where) or ()) for reading in host.at(NODES) if reading.text.strip())


def _nodes_of_package(host: Host) -> Fraction | None:
    nodes, sockets = _nodes(host), packages(host)
    return Fraction(nodes, sockets) if nodes and sockets else None


def _caches_of_node(host: Host) -> Fraction | None:
    nodes, caches = _nodes(host), {reading.text.strip() for reading in host.at(CACHES)}
    return Fraction(len(caches), nodes) if nodes and caches else None


def _links(host: Host) -> Fraction | None:
    readings = host.at(LINKS)
    on = (reading.where.split() for reading in readings if reading.text.strip() == "1")
    return Fraction(sum(map(len, on))) if readings else None


def _uncore(host: Host) -> Fraction | None:
    """The largest ratio of all dies."""
    limits: dict[str, dict[str, int]] = {"min": {}, "max": {}}
    for place in host.readings.read:
        if match := UNCORE.fullmatch(place):
            for reading in host.at(place):
                text = reading.text.strip()
                if text.isdecimal() and len(text) <= LONGEST_NUMBER:
                    limits[match[1]].update(dict.fromkeys(reading.where.split(), int(text)))
    lowest, highest = limits["min"], limits["max"]
    ratios = [Fraction(lowest[die], highest[die]) for die in lowest if highest.get(die)]
    return max(ratios) if ratios and len(ratios) == len(highest) else None


def _enabled_cores(host: Host) -> Fraction | None:
    return _smallest_ratio(host.text(CPU_TABLE), ("Core Enabled",), "Core Count")


def _memory_clock(host: Host) -> Fraction | None:
    """The ratio of the modules; older versions call the clock at which they run by another name."""
    return _smallest_ratio(
        host.text(MEMORY_TABLE), ("Configured Memory Speed", "Configured Clock Speed"), "Speed"
    )


def _smallest_ratio(table: str | None, numerators: tuple[str, ...], denominator: str) -> Fraction | None:
    """The smallest ratio of two numbers of a table's structures; None if one lacks a number. Empty slots have none."""
    ratios = []
    for structure in re.split(r"\n\s*\n", table or ""):
        numbers = dict(NUMBER.findall(structure))
        above = next((int(numbers[name]) for name in numerators if name in numbers), 0)
        below = int(numbers.get(denominator, 0))
        if bool(above) != bool(below):
            return None
        if below:
            ratios.append(Fraction(above, below))
    return min(ratios, default=None)


COUNTED: dict[str, Callable[[Host], Fraction | None]] = {
    "threads-per-core": _threads,
    "cores-per-package": _cores_of_package,
    "nodes-per-package": _nodes_of_package,
    "caches-per-node": _caches_of_node,
    "links-in-power-saving": _links,
    "uncore-minimum-per-maximum": _uncore,
    "enabled-cores-per-core": _enabled_cores,
    "memory-clock-per-rated": _memory_clock,
}
"""How each number is counted."""
