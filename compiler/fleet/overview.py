"""What all hosts of a fleet get: each value that is written, why, and on how many hosts; then the hazards, waivers and
restarts.

A fleet has as many plans as it has different servers. Most of what they say is the same, so it is shown setting by
setting: a value is there once for each different reason. Which hosts these are, `explain` says of one setting, and JSON
of all, class by class.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from setpoint.compiler.fleet.outcomes import FleetOutcome, PlannedFleet
from setpoint.compiler.fleet.setting import Reasons, by_value
from setpoint.compiler.fleet.tables import restarts
from setpoint.compiler.fleet.waivers import (
    ExposedHosts,
    exposed,
    hazards_json,
    hazards_text,
    waived_json,
    waived_text,
)
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.difference_settings import setting_value, why
from setpoint.compiler.render.grouping import is_listed
from setpoint.compiler.render.hosts import number_of_hosts
from setpoint.compiler.render.table import INDENT, has_room, paragraph, table
from setpoint.compiler.render.visible import json_object, json_text, visible_lines
from setpoint.compiler.render.words import LAYER_TITLES, TAKES_EFFECT, count, weighed

SCHEMA = "setpoint.fleet-plan/1"


class ValueOfFleet(NamedTuple):
    """A value on hosts with its reasons; `unwritten` is as in a `Decision`, and `shown` has both."""

    value: str
    unwritten: str
    shown: str
    reasons: Reasons


class SettingOfFleet(NamedTuple):
    """A setting, and its values on the hosts of a fleet."""

    setting: str
    title: str
    layer: str
    values: tuple[ValueOfFleet, ...]


class FleetOverview(NamedTuple):
    """The settings and the exposure of a fleet.

    `left_out` is the number of hosts without a plan, `is_whole` whether every setting is there.
    """

    fleet: PlannedFleet
    settings: tuple[SettingOfFleet, ...]
    exposed: ExposedHosts
    left_out: int
    is_whole: bool

    @property
    def restarts(self) -> int:
        """The number of hosts that need a restart."""
        return sum(self.fleet.number_of(outcome) for outcome in self.fleet.outcomes if restarts(outcome))


def overview(
    fleet: PlannedFleet, left_out: int, is_whole: bool = False, is_reason_full: bool = False
) -> FleetOverview:
    """What the hosts of a fleet get: the settings that something is written of, or all if it `is_whole`. A reason that
    is not in full is the source of the value.
    """
    by_setting: dict[str, list[tuple[FleetOutcome, str, str]]] = {}
    decisions: dict[str, dict[str, Decision]] = {}
    for outcome in fleet.outcomes:
        for decision in outcome.plan.settings:
            if is_whole or is_listed(decision):
                shown = setting_value(decision)
                reason = why(decision) if is_reason_full else _source(decision)
                by_setting.setdefault(decision.setting, []).append((outcome, shown, reason))
                decisions.setdefault(decision.setting, {}).setdefault(shown, decision)
    settings = tuple(
        _setting(of_setting, by_value(fleet, name, by_setting[name]))
        for name, of_setting in decisions.items()
    )
    plans = ((outcome.judged, fleet.hosts_of(outcome)) for outcome in fleet.outcomes)
    return FleetOverview(fleet, settings, exposed(plans), left_out, is_whole)


def _source(decision: Decision) -> str:
    """The source of a value, without the place so that more hosts share it; in full for the policy's own reason."""
    cause = decision.cause
    if decision.origin == "set" or not cause.source or cause.kind == "default":
        return why(decision)
    return weighed(cause.source, cause.weight)


def _setting(decisions: Mapping[str, Decision], values: Mapping[str, Reasons]) -> SettingOfFleet:
    """A setting, from a decision on each of its values."""
    first = next(iter(decisions.values()))
    return SettingOfFleet(
        first.setting,
        first.title,
        first.layer,
        tuple(
            ValueOfFleet(decisions[shown].value, decisions[shown].unwritten, shown, reasons)
            for shown, reasons in values.items()
        ),
    )


def overview_text(shown: FleetOverview, width: int) -> str:
    """What the hosts get, for a terminal."""
    fleet = shown.fleet
    classes = sum(len(outcome.classes) for outcome in fleet.outcomes)
    head = f"Policy {fleet.policy} on {number_of_hosts(fleet.hosts)} in {count(classes, 'class', 'classes')}, with {count(len(fleet.outcomes), 'plan')}"
    parts = [paragraph(head, width, 0)]
    for layer, title in LAYER_TITLES.items():
        if rows := [
            list(_rows(setting, fleet.hosts)) for setting in shown.settings if setting.layer == layer
        ]:
            parts.append(f"{title} (takes effect {TAKES_EFFECT[layer]})\n" + _table(rows, width))
    parts += [hazards_text(shown.exposed.hazards, width), waived_text(shown.exposed.waived, width)]
    parts.append("".join(paragraph(sentence, width, 0) for sentence in _sentences(shown)))
    return visible_lines("\n".join(filter(None, parts)))


def _table(settings: list[list[tuple[str, ...]]], width: int) -> str:
    """The rows of settings as a table, with the values below their setting if reasons had too little room."""
    rows = list(chain.from_iterable(settings))
    if has_room(rows, width):
        return table(rows, width)
    return "".join(
        f"{' ' * INDENT}{setting[0][0]}\n" + table([row[1:] for row in setting], width, 2 * INDENT)
        for setting in settings
    )


def _rows(setting: SettingOfFleet, hosts: int) -> Iterator[tuple[str, ...]]:
    """A row for each reason of each value; what is as in the row before is left out."""
    name = setting.setting
    for value in setting.values:
        shown = value.shown
        for reason, with_reason in value.reasons.items():
            number = "all hosts" if with_reason.number == hosts else number_of_hosts(with_reason.number)
            yield name, shown, number, reason
            name = shown = ""


def _sentences(shown: FleetOverview) -> Iterator[str]:
    if not shown.fleet.hosts:
        yield "No host has a plan."
    elif shown.restarts:
        is_single = shown.restarts == 1
        yield f"Restart: {number_of_hosts(shown.restarts)} need{'s' * is_single} one. Nothing here restarts by itself."
    else:
        yield "No restart is needed."
    if shown.left_out:
        yield f"{number_of_hosts(shown.left_out)} without a plan: `setpoint check --inventory` says why."
    if not shown.is_whole:
        yield "`--all` lists every setting, with the reasons in full; `setpoint explain POLICY SETTING --inventory` names the hosts."


# -------------------------------------------------------------------------------------------- JSON


def overviews_json(overviews: Sequence[FleetOverview]) -> str:
    """What the hosts get of each policy, for programs."""
    return json_text({"schema": SCHEMA, "policies": [_document(of_policy) for of_policy in overviews]})


def _document(shown: FleetOverview) -> dict[str, Any]:
    fleet = shown.fleet
    return {
        "policy": fleet.policy,
        "hosts": {"planned": fleet.hosts, "restart": shown.restarts, "without_plan": shown.left_out},
        "classes": {
            class_.name: {
                "group": class_.group,
                "facts": dict(class_.facts),
                "hosts": list(fleet.members[class_]),
            }
            for outcome in fleet.outcomes
            for class_ in outcome.classes
        },
        "settings": [
            {**json_object(setting, "setting title layer"), "values": [*map(_value, setting.values)]}
            for setting in shown.settings
        ],
        "hazards": hazards_json(shown.exposed.hazards),
        "waivers": waived_json(shown.exposed.waived),
        "made_with": fleet.made_with.document if fleet.made_with else None,
    }


def _value(value: ValueOfFleet) -> dict[str, Any]:
    return {
        "value": value.value,
        "written": not value.unwritten,
        "reasons": [
            {
                "because": reason,
                "hosts": with_reason.number,
                "classes": [class_.name for class_, _ in with_reason.classes],
            }
            | ({"own_reasons": dict(with_reason.own)} if with_reason.own else {})
            for reason, with_reason in value.reasons.items()
        ],
    }
