"""One setting on the hosts of a fleet: the values that it has, the reasons of each, and the classes with each reason.

A plan has one reason for a value; a fleet has as many as its classes. Reasons that read the same are one, so that the
hosts of a long inventory are a few lines: which value, why, on how many hosts, and which hosts these are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from setpoint.compiler.fleet.classes import HostClass
from setpoint.compiler.fleet.outcomes import FleetOutcome, PlannedFleet
from setpoint.compiler.fleet.reasons import reasons_about
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.difference_settings import setting_value, why
from setpoint.compiler.render.hosts import ReasonOfHost, number_of_hosts, some, told
from setpoint.compiler.render.table import paragraph
from setpoint.compiler.render.visible import visible_lines

NOT_THERE = "not on these servers"
"""The value of a setting that a server does not have, or of which no source says that it has it."""

MOST_CLASSES = 5
"""How many classes with one reason are named."""


class HostsWithReason(NamedTuple):
    """The classes whose hosts have a value for one reason, each with its hosts, those with most hosts first.

    `own` has the reason of each host if the one of their plan stands for those.
    """

    classes: tuple[tuple[HostClass, Sequence[str]], ...]
    own: ReasonOfHost

    @property
    def hosts(self) -> tuple[str, ...]:
        """All their hosts, sorted by name."""
        return tuple(sorted(host for _, hosts in self.classes for host in hosts))

    @property
    def number(self) -> int:
        """The number of their hosts."""
        return sum(len(hosts) for _, hosts in self.classes)


Reasons = Mapping[str, HostsWithReason]
"""The hosts with each reason, most first."""


def values_of(fleet: PlannedFleet, setting: str) -> dict[str, Reasons]:
    """The values that a setting has on hosts, each with its reasons; what most hosts have is first."""
    decided = ((outcome, outcome.plan.setting(setting)) for outcome in fleet.outcomes)
    return by_value(
        fleet,
        setting,
        ((outcome, setting_value(d), why(d)) if d else (outcome, NOT_THERE, "") for outcome, d in decided),
    )


def by_value(
    fleet: PlannedFleet, setting: str, found_in: Iterable[tuple[FleetOutcome, str, str]]
) -> dict[str, Reasons]:
    """The hosts of each value and reason that outcomes have for a setting; what most hosts have is first."""
    values: dict[str, dict[str, list[FleetOutcome]]] = {}
    for outcome, value, reason in found_in:
        values.setdefault(value, {}).setdefault(reason, []).append(outcome)
    ordered = {
        value: _most_first(
            [_with_reason(fleet, setting, reason, outcomes) for reason, outcomes in reasons.items()]
        )
        for value, reasons in values.items()
    }
    return dict(sorted(ordered.items(), key=lambda pair: (-number_with(pair[1]), pair[0])))


def _with_reason(
    fleet: PlannedFleet, setting: str, reason: str, outcomes: Iterable[FleetOutcome]
) -> tuple[str, HostsWithReason]:
    """A reason, told with those of the hosts, and these hosts."""
    classes = [(class_, fleet.members[class_]) for outcome in outcomes for class_ in outcome.classes]
    own = {host: text for outcome in outcomes for host, text in reasons_about(outcome.plan, setting).items()}
    by_number = sorted(classes, key=lambda pair: (-len(pair[1]), pair[0].name))
    return told(reason, own), HostsWithReason(tuple(by_number), own if told(reason, own) != reason else {})


def _most_first(reasons: Iterable[tuple[str, HostsWithReason]]) -> Reasons:
    return dict(sorted(reasons, key=lambda pair: (-pair[1].number, pair[0])))


def number_with(reasons: Reasons) -> int:
    """The number of hosts with any of the reasons."""
    return sum(with_reason.number for with_reason in reasons.values())


def setting_text(fleet: PlannedFleet, setting: str, title: str, left_out: int, width: int) -> str:
    """A setting on the hosts of a fleet, for a terminal; `left_out` is the number of hosts without a plan."""
    text = f"{setting}    {title}, on {number_of_hosts(fleet.hosts)}\n"
    for value, reasons in values_of(fleet, setting).items():
        text += f"\n{value}: {number_with(reasons):,} of {number_of_hosts(fleet.hosts)}\n"
        for reason, with_reason in reasons.items():
            text += "".join(paragraph(line, width, indent) for line, indent in _lines(reason, with_reason))
    if left_out:
        text += f"\n{number_of_hosts(left_out)} without a plan: `setpoint check --inventory` says why\n"
    return visible_lines(text)


def _lines(reason: str, with_reason: HostsWithReason) -> Iterator[tuple[str, int]]:
    """A reason and its classes, each with its indentation."""
    yield f"{number_of_hosts(with_reason.number)}{f': {reason}' if reason else ''}", 2
    for class_, hosts in with_reason.classes[:MOST_CLASSES]:
        facts = ", ".join(" ".join(fact) for fact in class_.facts)
        group = f"group {class_.group}" if class_.group else ""
        yield f"{class_.name} ({'; '.join(filter(None, (group, facts)))}): {some(hosts)}", 4
    if more := with_reason.classes[MOST_CLASSES:]:
        number = sum(len(names) for _, names in more)
        yield f"and {len(more):,} more class{'es' * (len(more) > 1)}, with {number_of_hosts(number)}", 4
