"""Texts of the running system: what a file shows, and whether that is what was wanted.

The kernel shows one value in several forms: the word in force in brackets beside the others, numbers between tabs, a
processor list as ranges. The comparisons are those of `COMPARISONS` (`compiler/knowledge/interfaces.py`), as the
program for hosts makes them.
"""

import re
from collections.abc import Callable, Iterable

from setpoint.compiler.record import NamedTuple

CPU_LIST = re.compile(r"\d{1,5}(?:-\d{1,5})?(?:,\d{1,5}(?:-\d{1,5})?)*")
BRACKETED = re.compile(r"\[([^\[\]]*)\]")
STATE_LATENCY = re.compile(r"cstate\.(id|name)(_no_zero)?:(\w+)")

BIASES = dict(
    pair.split(":")
    for pair in (
        "performance:0", "balance-performance:4", "normal:6", "balance-power:8", "power:15", "powersave:15",
    )
)  # fmt: skip
"""The numbers of the names of the energy bias: Documentation/admin-guide/pm/intel_epb.rst."""

NOBODY_ASKS = 2_000_000_000
"""The latency in µs that the kernel shows if nobody asks for one."""

MOST_CPUS = 1 << 16
"""A processor number beyond this is none."""


class LiveFile(NamedTuple):
    """A place that shows a value: `text` as the comparison reads it, and it must be that (`is_same`), or anything else.

    `name` is what is written there, such as the sysctl.
    """

    interface: str
    name: str
    place: str
    comparison: str
    text: str
    is_same: bool = True


class IdleState(NamedTuple):
    """An idle state of the processors: its number, its name, and its exit latency in µs."""

    number: str
    name: str
    latency: int


def shown(text: str) -> str:
    """The value that a file of the kernel shows: the word in brackets if any; blanks for tabs and line ends."""
    text = text.strip()
    if "[" in text and (match := BRACKETED.search(text)):
        return match[1].strip()
    return " ".join(text.split()) if "\t" in text or "\n" in text or "  " in text else text


def choices(text: str) -> tuple[str, ...]:
    """The words of a file that shows all of them, with the one in force in brackets."""
    return tuple(text.replace("[", " ").replace("]", " ").split())


def cpus_of(text: str) -> frozenset[int] | None:
    """The numbers in a list such as `0-3,8`, empty for none; None if the text is no such list."""
    text = text.strip()
    if not text:
        return frozenset()
    if not CPU_LIST.fullmatch(text):
        return None
    numbers: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        if high < low or high >= MOST_CPUS:
            return None
        numbers.update(range(low, high + 1))
    return frozenset(numbers)


def is_same(text: str, wanted: str) -> bool:
    """Whether two texts have one value: equal but for the case of hexadecimal numbers and the form of lists."""
    if text == wanted:
        return True
    if not text or not wanted or not ("-" in text or "," in text or "-" in wanted or "," in wanted):
        return False
    numbers, asked = cpus_of(text), cpus_of(wanted)
    return numbers is not None and numbers == asked


def is_at_least(text: str, wanted: str) -> bool:
    """Whether a number is the wanted one, or above it if that begins with `>`."""
    if not wanted.startswith(">"):
        return text == wanted
    return text.isdecimal() and wanted[1:].isdecimal() and int(text) >= int(wanted[1:])


def is_bias(text: str, wanted: str) -> bool:
    """Whether an energy bias, a number or a name, is one of the wanted ones."""
    return any(text in (name, BIASES.get(name, name)) for name in wanted.split("|"))


def first_offered(wanted: str, offered: Iterable[str]) -> str:
    """Of alternatives the first that is offered; the last if none is."""
    alternatives = wanted.split("|")
    offered = set(offered)
    return next((alternative for alternative in alternatives if alternative in offered), alternatives[-1])


def latency_of(wanted: str, states: Iterable[IdleState]) -> int | None:
    """The exit latency in µs that alternatives ask for with these idle states; None if the server has none."""
    for choice in wanted.split("|"):
        if choice == "none":
            return NOBODY_ASKS
        match = STATE_LATENCY.fullmatch(choice)
        if not match:
            if choice.isdecimal():
                return int(choice)
            continue
        for state in states:
            if match[3] == (state.number if match[1] == "id" else state.name):
                if state.latency or not match[2]:
                    return state.latency
                break
    return None


COMPARED: dict[str, Callable[[str, str], bool]] = {
    "": is_same,
    "at-least": is_at_least,
    "energy-bias": is_bias,
}
"""The comparisons that need nothing but the two texts."""
