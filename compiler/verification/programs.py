"""Values in what programs print: systemctl of units and options, ethtool of the parameters of a card.

`systemctl show` prints `Name=value`. ethtool prints a value behind a colon, those in force behind the line
`Current hardware settings:` where it prints the maximum as well, and two switches in one line for adaptive coalescing.
A text without the value shows nothing.
"""

import re

from setpoint.compiler.verification.texts import cpus_of

CURRENT = "Current hardware settings:"
"""The line before the values in force, where ethtool prints the maxima first."""

MASKED = "masked"
RUNNING = ("activ", "reload")
"""How the states of a unit begin that runs, or is about to."""

ADAPTIVE = re.compile(r"adaptive-(rx|tx)")


def printed_value(interface: str, name: str, text: str) -> str | None:
    """The value that an interface has under a name, in what a program prints; None if that does not show it."""
    return READERS[interface](name, text)


def _unit(name: str, text: str) -> str | None:
    """`masked` for a unit that is masked and does not run, else its states."""
    fields = _fields(text)
    load, active = fields.get("LoadState"), fields.get("ActiveState")
    if load is None:
        return None
    if load != MASKED:
        return load
    return f"masked, and still {active}" if active and active.startswith(RUNNING) else MASKED


def _option(name: str, text: str) -> str | None:
    """The value of an option: of an environment that of its variable, of a limit both, of processors a list."""
    option, _, variable = name.split(" ")[-1].partition("=")
    fields = _fields(text)
    value = fields.get(option)
    if value is None:
        return None
    if variable:
        pairs = (word.partition("=") for word in value.split())
        return next((value for key, _, value in pairs if key == variable), "")
    soft = fields.get(f"{option}Soft")
    if soft is not None:
        return value if soft == value else f"{soft}:{value}"
    return _list_of_cpus(value)


def _list_of_cpus(value: str) -> str:
    """Numbers between blanks as a list; anything else as it is."""
    joined = ",".join(value.split())
    return joined if joined and cpus_of(joined) is not None else value


def _card(name: str, text: str) -> str | None:
    """The value of a parameter of a network card."""
    parameter = name.partition(" ")[2]
    in_force = text.partition(CURRENT)[2] or text
    if adaptive := ADAPTIVE.fullmatch(parameter):
        match = re.search(r"^Adaptive RX:\s*(\S+)\s+TX:\s*(\S+)", in_force, re.MULTILINE)
        return (match[1] if adaptive[1] == "rx" else match[2]) if match else None
    for line in in_force.splitlines():
        head, colon, value = line.partition(":")
        if colon and head.strip().casefold() == parameter:
            return value.strip()
    return None


def _fields(text: str) -> dict[str, str]:
    lines = (line.partition("=") for line in text.splitlines())
    return {name: value for name, equals, value in lines if equals}


READERS = {"unit": _unit, "drop-in": _option, "ethtool": _card}
"""How the value of each interface is read."""
