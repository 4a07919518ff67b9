"""Differences as JSON for programs: versioned, with a schema beside this file (`diff.schema.json`)."""

from typing import Any

from setpoint.compiler.plan.difference import (
    Comparison,
    HazardChange,
    PolicyDifference,
    SettingChange,
    Trigger,
    WaiverChange,
    WaiverTerms,
)
from setpoint.compiler.plan.judge import HazardState
from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.render.difference_settings import against
from setpoint.compiler.render.difference_words import known
from setpoint.compiler.render.visible import json_text

SCHEMA = "setpoint.diff/1"


def comparison_json(comparison: Comparison) -> str:
    """The whole comparison, ended by a line break."""
    data = {
        "schema": SCHEMA,
        "policies": comparison.policies,
        "differences": [_policy(each) for each in comparison.differences],
        "unplanned": list(comparison.unplanned),
        "sources": {
            s.name: {"title": s.title, "publisher": s.publisher, "date": s.date or None, "url": s.url or None}
            for s in comparison.sources
        },
        "made_with": made_with_json(*comparison.made_with),
    }
    return json_text(data)


def made_with_json(old: MadeWith | None, new: MadeWith | None) -> dict[str, dict[str, str] | None]:
    """What the plans of two sides are made with; None if it is not known."""
    return {"old": old and old.document, "new": new and new.document}


def _policy(each: PolicyDifference) -> dict[str, Any]:
    return {
        "policy": each.policy,
        "was": each.was or None,
        "status": each.status,
        "facts": [
            {
                "name": fact.name,
                "old": fact.old,
                "new": fact.new,
                "how": known(fact),
                "was_known": fact.was_known,
            }
            for fact in each.facts
        ],
        "settings": [_setting(change) for change in each.settings],
        "hazards": [hazard_json(change) for change in each.hazards],
        "waivers": [waiver_json(change) for change in each.waivers],
        "effects": [effect._asdict() for effect in each.effects],
        "errors": [error.with_place for error in each.errors],
        "artifacts": {carrier.target: list(carrier.settings) for carrier in each.artifacts},
        "by_hand": list(each.by_hand),
        "reboots": each.reboots,
        "stops": each.stops,
    }


def hazard_json(change: HazardChange) -> dict[str, Any]:
    """The change of a hazard."""
    return {
        "hazard": change.hazard,
        "kind": change.kind,
        "what": change.what,
        "old": _state(change.old),
        "new": _state(change.new),
    }


def waiver_json(change: WaiverChange) -> dict[str, Any]:
    """The change of a waiver of warnings."""
    return {"name": change.name, "old": _terms(change.old), "new": _terms(change.new)}


def _setting(change: SettingChange) -> dict[str, Any]:
    return {
        "setting": change.setting,
        "layer": change.either.layer,
        "kind": change.kind,
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
    cause = decision.cause
    optional = {
        "rule": cause.name,
        "source": cause.source,
        "at": cause.at,
        "strength": cause.weight,
        "because": cause.because,
        "profile": cause.profile,
    }
    return {
        "value": decision.value,
        "unwritten": decision.unwritten or None,
        "cause": cause.kind,
        **{key: text for key, text in optional.items() if text},
        "against": list(against(decision)),
    }


def _state(state: HazardState) -> dict[str, Any]:
    return {"state": state.state, "until": state.until or None, "because": state.because or None}


def _terms(terms: WaiverTerms | None) -> dict[str, Any] | None:
    if terms is None:
        return None
    return {"until": terms.until or None, "because": terms.because, "expired": terms.is_expired}
