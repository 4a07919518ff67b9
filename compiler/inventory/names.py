"""What a host can be called: the one rule for all inventories.

A name gets into artifacts, where it is a key of YAML, a word of commands, and for Ansible a pattern that selects hosts. So it has few
characters, and none that is taken is a host's: names for all hosts, for the machine that rolls out, and for our own groups.
"""

import re
from collections.abc import Iterable, Iterator

CHARACTERS = r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252}[A-Za-z0-9_])?"
"""The characters of a name."""

ORDINARY = re.compile(
    rf"(?!all\b|ungrouped\b|setpoint_|ip6-lo|localhost|[0-9]){CHARACTERS}(?<!\.localhost)", re.IGNORECASE
)
"""Names that nothing else is called, except for some that `why_no_host` has to look at. Of a million hosts, nearly all are these."""

GROUPS = ("all", "ungrouped")
"""What Ansible calls the group of all hosts, and that of those in no other."""

OURS = "setpoint_"
"""How the groups of artifacts begin."""

LOOPBACK = re.compile(r"(ip6-)?localhost[46]?(\.localdomain[46]?)?|ip6-loopback|.*\.localhost", re.IGNORECASE)
"""What systems call themselves."""

ADDRESS = re.compile(r"[0-9][0-9a-fx.]*", re.IGNORECASE)
"""The characters of an IPv4 address, in any of the forms that systems take."""


def why_no_host(name: str) -> str:
    """Why nothing can be a host of this name; "" if it can."""
    plain = name.casefold()
    if not name:
        return "it has no name"
    if not re.fullmatch(CHARACTERS, name):
        return "its name is not that of a host"
    if plain in GROUPS:
        return "its name is that of a group of Ansible"
    if plain.startswith(OURS):
        return "its name begins like those of groups in artifacts"
    if LOOPBACK.fullmatch(name) or (ADDRESS.fullmatch(name) and _is_here(name)):
        return "its name means the machine that rolls out"
    return ""


def _is_here(address: str) -> bool:
    """Whether systems take a text for an address of their own: 127.0.0.1, 127.1, 0."""
    from socket import inet_aton  # few inventories have addresses in place of names

    try:
        number = inet_aton(address)
    except OSError:
        return False
    return number[0] == 127 or number == bytes(4)


def spelled_twice(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The names that differ only in the case of letters: for DNS, Puppet and blocks of policies these are one."""
    names = list(names)
    lower = {name.lower(): [name] for name in names if name != name.lower()}
    if not lower:
        return
    for name in names:
        if (found := lower.get(name.lower())) and name not in found:
            found.append(name)
    yield from (tuple(each) for each in lower.values() if len(each) > 1)
