"""Hosts in words: how many, the first of them, and the reasons that each of them has."""

from collections.abc import Callable, Mapping, Sequence

from setpoint.compiler.render.words import count

MOST_NAMED = 5
"""How many hosts a message names."""

EACH_ITS_OWN = "each host's own, see fleet.json"
"""The reason in a plan for hosts that have different ones. Comments in artifacts have room for it."""

MOST_TOLD = 3
"""How many reasons, and how many hosts of each, people are shown."""

ReasonOfHost = Mapping[str, str]
"""The reason of each host for one statement."""


def named_hosts(names: Sequence[str]) -> str:
    """How many hosts, and the first of them."""
    return f"{count(len(names), 'host')}: {some(sorted(names))}"


def number_of_hosts(number: int) -> str:
    """`12 hosts`."""
    return count(number, "host")


def some(names: Sequence[str], shown: Callable[[str], str] = str) -> str:
    """The first of some names, each as it is `shown`, and how many more there are."""
    more = len(names) - MOST_NAMED
    return ", ".join(map(shown, names[:MOST_NAMED])) + (f" and {more:,} more" if more > 0 else "")


def told(text: str, reasons: ReasonOfHost) -> str:
    """A text with the hosts' reasons in place of the sentence for them: the first, and the number of the others."""
    if EACH_ITS_OWN not in text or not reasons:
        return text
    different = {*reasons.values()}
    if len(different) == 1:
        return text.replace(EACH_ITS_OWN, different.pop())
    shown = _told(reasons)
    return text.replace(f"“{EACH_ITS_OWN}”", shown).replace(EACH_ITS_OWN, shown)


def _told(reasons: ReasonOfHost) -> str:
    hosts: dict[str, list[str]] = {}
    for host, reason in sorted(reasons.items()):
        hosts.setdefault(reason, []).append(host)
    shown = [f"“{reason}” ({_some(names)})" for reason, names in [*hosts.items()][:MOST_TOLD]]
    more = f" and {len(hosts) - MOST_TOLD:,} more" if len(hosts) > MOST_TOLD else ""
    alike = "each with its reason" if len(hosts) == len(reasons) else f"with {count(len(hosts), 'reason')}"
    return f"{count(len(reasons), 'host')}, {alike}: {', '.join(shown)}{more}"


def _some(hosts: list[str]) -> str:
    more = f" and {len(hosts) - MOST_TOLD:,} more" if len(hosts) > MOST_TOLD else ""
    return ", ".join(hosts[:MOST_TOLD]) + more
