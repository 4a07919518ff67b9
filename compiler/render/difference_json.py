"""Differences as JSON for programs: versioned, with schemas (`diff.schema.json` beside this file; `fleet.schema.json`
with an inventory)."""

from typing import Any

from setpoint.compiler.plan.difference import (
    ComparedHosts,
    Comparison,
    HazardChange,
    PolicyDifference,
    SettingChange,
    Trigger,
    WaiverChange,
    WaiverTerms,
    WhyLeftOut,
)
from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.render.difference_groups import (
    DifferenceGroup,
    GroupedHosts,
    grouped_differences,
    values_written,
)
from setpoint.compiler.render.difference_hosts import numbers_of
from setpoint.compiler.render.difference_settings import against, written_value
from setpoint.compiler.render.difference_words import known
from setpoint.compiler.render.visible import json_object, json_text

SCHEMA = "setpoint.diff/1"
"""The form of a comparison of policies: each with all that changes."""

SCHEMA_OF_HOSTS = "setpoint.fleet-diff/1"
"""The form of a comparison with an inventory: what changes alike, with its hosts."""


def comparison_json(comparison: Comparison) -> str:
    """The whole comparison, ended by a line break; with an inventory, in the form that has hosts."""
    if comparison.hosts is not None:
        return json_text(_of_hosts(comparison, comparison.hosts))
    data = {
        "schema": SCHEMA,
        "policies": comparison.policies,
        "differences": [_policy(difference) for difference in comparison.differences],
        "unplanned": list(comparison.unplanned),
        "sources": {
            source.name: json_object(source, "title publisher date? url?") for source in comparison.sources
        },
        "made_with": _made_with(*comparison.made_with),
    }
    return json_text(data)


def _made_with(old: MadeWith | None, new: MadeWith | None) -> dict[str, dict[str, str] | None]:
    """What the plans of two sides are made with; None if it is not known."""
    return {"old": old and old.document, "new": new and new.document}


def _policy(difference: PolicyDifference) -> dict[str, Any]:
    return {
        **json_object(difference, "policy was? status"),
        "facts": [
            {**json_object(fact, "name old new"), "how": known(fact), "was_known": fact.was_known}
            for fact in difference.facts
        ],
        "settings": [_setting(change) for change in difference.settings],
        "hazards": [_hazard(change) for change in difference.hazards],
        "waivers": [_waiver(change) for change in difference.waivers],
        "effects": [effect._asdict() for effect in difference.effects],
        "errors": [error.with_place for error in difference.errors],
        "artifacts": {carrier.target: list(carrier.settings) for carrier in difference.artifacts},
        **json_object(difference, "by_hand reboots stops"),
    }


def _hazard(change: HazardChange) -> dict[str, Any]:
    """The change of a hazard."""
    old, new = (json_object(state, "state until? because?") for state in (change.old, change.new))
    return {**json_object(change, "hazard kind what"), "old": old, "new": new}


def _waiver(change: WaiverChange) -> dict[str, Any]:
    """The change of a waiver of warnings."""
    return {"name": change.name, "old": _terms(change.old), "new": _terms(change.new)}


def _setting(change: SettingChange) -> dict[str, Any]:
    return {
        **json_object(change, "setting layer=either.layer kind"),
        "old": _value(change.old),
        "new": _value(change.new),
        "triggers": [_trigger(trigger) for trigger in change.triggers],
        "reboot": change.reboot,
    }


def _trigger(part: Trigger) -> dict[str, str]:
    return {name: text for name, text in part._asdict().items() if text or name != "layer"}


def _value(decision: Decision | None) -> dict[str, Any] | None:
    if decision is None:
        return None
    optional = json_object(decision.cause, "rule=name source at strength=weight because profile")
    return {
        **json_object(decision, "value unwritten? cause=cause.kind"),
        **{key: text for key, text in optional.items() if text},
        "against": list(against(decision)),
    }


def _terms(terms: WaiverTerms | None) -> dict[str, Any] | None:
    return json_object(terms, "until? because expired=is_expired") if terms else None


# --------------------------------------------------------------------------------------------- hosts


def _of_hosts(comparison: Comparison, hosts: ComparedHosts) -> dict[str, Any]:
    groups = grouped_differences(comparison)
    of = {s: [g for g in groups if g.difference.status == s] for s in ("added", "removed", "changed")}
    gone = [g for g in of["removed"] if g.hosts and g.hosts.of_inventory]
    changed, restarts, reviewed = numbers_of(groups)
    return {
        "schema": SCHEMA_OF_HOSTS,
        "hosts": {
            "changed": changed,
            "same": hosts.same,
            "restart": restarts,
            "hazards_or_waivers": reviewed,
            "without_plan": hosts.without[1],
        },
        "sides": {
            side: {"planned": planned, "without_plan": left_out}
            for side, planned, left_out in zip(("old", "new"), hosts.planned, hosts.without, strict=True)
        },
        "gained": _names(of["added"]),
        "gained_plans": [_gained(group, group.hosts) for group in of["added"] if group.hosts],
        "lost": _names(of["removed"]),
        "gone": _names(gone),
        "left_out": [_left_out(reason) for reason in hosts.reasons],
        "changes": [_change(group, group.hosts) for group in of["changed"] if group.hosts],
        "made_with": _made_with(*comparison.made_with),
    }


def _names(groups: list[DifferenceGroup]) -> list[str]:
    return sorted({host for group in groups for host in group.names})


def _gained(group: DifferenceGroup, hosts: GroupedHosts) -> dict[str, Any]:
    difference = group.difference
    return {
        "policy": difference.policy,
        "group": hosts.groups[0],
        "new": hosts.of_inventory,
        "values": values_written(difference),
        "restart": difference.reboots,
        "hazards": [_hazard(change) for change in group.hazards],
        "waivers": [_waiver(change) for change in group.waivers],
        "hosts": hosts.names,
    }


def _left_out(why: WhyLeftOut) -> dict[str, Any]:
    return json_object(
        why,
        "code=error.code message=error.message file=error.at.file? line=error.at.line? hosts had_a_plan=had_one",
    )


def _change(group: DifferenceGroup, hosts: GroupedHosts) -> dict[str, Any]:
    difference = group.difference
    stays = dict(difference.hosts.stays) if difference.hosts else {}
    return {
        "policies": group.policies,
        "groups": hosts.groups,
        "former_group": hosts.moved[0] if hosts.moved else None,
        "only": hosts.kinds,
        "facts": {fact.name: json_object(fact, "old? new?") for fact in difference.facts},
        "restart": difference.reboots,
        "settings": {
            change.setting: {
                "old": written_value(change.old) or None,
                "new": written_value(change.new) or None,
                "restart": change.reboot,
                "stays": change.setting in stays,
                "because": shown.because,
            }
            for change, shown in zip(difference.settings, group.settings, strict=True)
        },
        **({"own_reasons": hosts.own} if hosts.own else {}),
        "not_undone": [*stays.values()],
        "hazards": [_hazard(change) for change in group.hazards],
        "waivers": [_waiver(change) for change in group.waivers],
        "hosts": hosts.names,
    }
