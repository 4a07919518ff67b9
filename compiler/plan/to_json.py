"""A plan as JSON, in the form that `document.py` describes (`plan.schema.json` is its schema).

A policy without a plan has the same form: the known facts, no settings, and the diagnostics that say why. It is written
without the models of that form, since they are slow to load and `plan` is run in loops.
"""

from collections.abc import Callable, Iterable
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import IN_SCOPE
from setpoint.compiler.plan.identity import Identity
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import (
    ArisingHazard,
    Cause,
    Decision,
    FactEntry,
    Lock,
    Loser,
    Shown,
    SpelledValue,
    Waiver,
)
from setpoint.compiler.plan.registry import RegistryEntry
from setpoint.compiler.plan.service import RedfishService
from setpoint.compiler.plan.waivers import HAZARD

SCHEMA = "setpoint.plan/2"


def plan_json(judged: Judged) -> dict[str, Any]:
    """A judged plan as JSON data, with keys in a fixed order."""
    plan, states = judged.plan, judged.hazards
    data = {
        "schema": SCHEMA,
        "policy": plan.policy,
        "facts": {fact.name: _fact(fact) for fact in plan.facts},
        "identity": [_identity(each) for each in plan.identity],
        **({"service": _service(plan.service)} if plan.service is not None else {}),
        "settings": {decision.setting: _decision(decision) for decision in plan.settings},
        "effects": {
            effect.name: {
                "title": effect.title,
                "value": effect.value,
                "source": effect.citation.source,
                "at": effect.citation.at,
            }
            for effect in plan.effects
        },
        "hazards": [_hazard(hazard, states[hazard.hazard].state) for hazard in plan.hazards],
        "waivers": [_waiver(waiver, judged) for waiver in plan.waivers],
        "sources": {
            s.name: {"title": s.title, "publisher": s.publisher, "date": s.date or None, "url": s.url or None}
            for s in plan.sources
        },
        "diagnostics": _findings(judged),
    }
    if plan.registry:
        data["registry"] = _registry(plan.registry)
    if plan.evidence:
        data["evidence"] = plan.evidence._asdict()
    return data


def failed_json(policy: str, facts: Iterable[FactEntry], diagnostics: Iterable[Diagnostic]) -> dict[str, Any]:
    """The same shape for a policy that has no plan."""
    return {
        "schema": SCHEMA,
        "policy": policy,
        "facts": {fact.name: _fact(fact) for fact in facts},
        "settings": {},
        "effects": {},
        "hazards": [],
        "waivers": [],
        "sources": {},
        "diagnostics": diagnostics_json(diagnostics),
    }


def diagnostics_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Diagnostics as JSON data: code, severity, message, place and so on."""
    return [_diagnostic(d) for d in diagnostics]


def _findings(judged: Judged) -> list[dict[str, Any]]:
    """All findings, with a mark on those of the judgement."""
    made = set(judged.plan.advisories)
    data = diagnostics_json(judged.diagnostics)
    return [
        each if diagnostic in made else {**each, "judged": True}
        for diagnostic, each in zip(judged.diagnostics, data, strict=True)
    ]


def with_files(data: Any, name: Callable[[str], str], text: Callable[[str], str] = lambda text: text) -> Any:
    """The data of a plan or of diagnostics, with its file names changed by `name` and its other texts by `text`."""
    if isinstance(data, dict):
        return {
            key: name(value) if key == "file" and isinstance(value, str) else with_files(value, name, text)
            for key, value in data.items()
        }
    if isinstance(data, list):
        return [with_files(each, name, text) for each in data]
    return text(data) if isinstance(data, str) else data


def _diagnostic(d: Diagnostic) -> dict[str, Any]:
    data = {
        "code": d.code,
        "severity": d.severity,
        "message": d.message,
        "file": d.at.file,
        "line": d.at.line,
        "column": d.at.column,
        "end_line": d.at.end_line,
        "end_column": d.at.end_column,
        "label": d.label,
        "related": [
            {"file": o.span.file, "line": o.span.line, "column": o.span.column, "text": o.text}
            for o in d.others
        ],
        "notes": list(d.notes),
        "help": list(d.help),
    }
    if d.subject:
        data["subject"] = d.subject
    return data


def _service(service: RedfishService) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": service.name,
        "title": service.title,
        "addresses": dict(service.addresses),
        "applies": dict(service.ways),
    }
    if service.because:
        data["because"] = service.because
    return data | {"source": service.citation.source, "at": service.citation.at}


def _fact(fact: FactEntry) -> dict[str, Any]:
    data: dict[str, Any] = {"value": fact.value, "from": fact.origin}
    if fact.text != fact.value:
        data["written"] = fact.text
    if fact.because:
        data["because"] = fact.because
    if fact.above:
        data["within"] = list(fact.above)
    if fact.role != "fact":
        data["role"] = fact.role
    return data


def _identity(identity: Identity) -> dict[str, Any]:
    data: dict[str, Any] = {
        "reports": identity.kind,
        "fact": identity.fact,
        "value": identity.value,
        "from": identity.origin,
        "names": list(identity.names),
    }
    if identity.since:
        data["or_later"] = list(identity.since)
    return data


def _registry(entry: RegistryEntry) -> dict[str, Any]:
    return {
        "file": entry.file,
        "product": entry.product,
        "firmware": entry.firmware,
        "limited": [
            {"setting": each.setting, "kind": each.kind, "because": each.because} for each in entry.limited
        ],
        "current": dict(entry.current),
        "right": list(entry.right),
    }


def _decision(decision: Decision) -> dict[str, Any]:
    data: dict[str, Any] = {
        "title": decision.title,
        "value": decision.value,
        "from": decision.origin,
        "layer": decision.layer,
        "because": [_cause(cause) for cause in decision.because],
        "beat": [_loser(loser) for loser in decision.beat],
        "default": decision.default or None,
        "written": decision.written,
        "unwritten": decision.unwritten or None,
        "reboot": decision.reboot,
        "menu": decision.menu or None,
        "label": decision.label,
        "notes": [{"kind": note.kind, "text": note.text} for note in decision.notes],
        "order": decision.position,
    }
    if decision.rests_on:
        data["rests_on"] = list(decision.rests_on)
    if decision.governs:
        data["governs"] = list(decision.governs)
    if decision.spelled:
        data["spelled"] = [_spelled(spelled) for spelled in decision.spelled]
    if decision.locks:
        data["locks"] = [_lock(lock) for lock in decision.locks]
    if decision.once:
        data["once"] = True
    return data


def _lock(lock: Lock) -> dict[str, Any]:
    data: dict[str, Any] = {"setting": lock.setting, "values": list(lock.values)}
    data |= {name: True for name in ("unless", "hides") if getattr(lock, name)}
    data |= {name: list(getattr(lock, name)) for name in ("kept", "undecided") if getattr(lock, name)}
    return data


def _spelled(spelled: SpelledValue) -> dict[str, Any]:
    data: dict[str, Any] = {
        "interface": spelled.interface,
        "names": list(spelled.names),
        "text": spelled.text,
    }
    if spelled.type:
        data["type"] = spelled.type
    if spelled.texts:
        data["texts"] = dict(spelled.texts)
    if spelled.is_absent:
        data["absent"] = True
    if spelled.shown:
        data["shown"] = [_shown(shown) for shown in spelled.shown]
    if spelled.place:
        data["place"] = spelled.place
    return data


def _shown(shown: Shown) -> dict[str, Any]:
    data: dict[str, Any] = {"file": shown.file, "text": shown.text}
    if shown.comparison:
        data["compare"] = shown.comparison
    if not shown.is_same:
        data["differs"] = True
    return data


def _cause(cause: Cause) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": cause.kind}
    if cause.name:
        data["rule"] = cause.name
    if cause.citation is not None:
        data["source"] = cause.citation.source
        data["at"] = cause.citation.at
    if cause.strength:
        data["strength"] = cause.strength
    if cause.claimed != cause.strength:
        data["claimed"] = cause.claimed
    if cause.steps != IN_SCOPE:
        data["out_of_scope"] = cause.steps
    if cause.studied:
        data["studied"] = cause.studied
    if cause.written_for:
        data["where"] = cause.written_for
    if cause.because:
        data["because"] = cause.because
    if cause.profile:
        data["profile"] = cause.profile
    if cause.note:
        data["note"] = cause.note
    if cause.kind == "set":
        data["file"] = cause.span.file
        data["line"] = cause.span.line
    return data


def _hazard(hazard: ArisingHazard, state: str) -> dict[str, Any]:
    data: dict[str, Any] = {
        "hazard": hazard.hazard,
        "state": state,
        "what": hazard.what,
        "stops": hazard.stops,
        "graded": hazard.graded,
        "source": hazard.citation.source,
        "at": hazard.citation.at,
        "where": hazard.condition,
    }
    if hazard.steps != IN_SCOPE:
        data["out_of_scope"] = hazard.steps
    if hazard.help:
        data["help"] = hazard.help
    return data


def _waiver(waiver: Waiver, judged: Judged) -> dict[str, Any]:
    is_of_hazard = waiver.kind == HAZARD
    data: dict[str, Any] = (
        {"hazard": waiver.name} if is_of_hazard else {"kind": waiver.kind, "name": waiver.name}
    )
    data |= {
        "what": waiver.what,
        "because": waiver.because,
        "until": waiver.until or None,
        "stands": waiver.stands,
    }
    if waiver.inherited:
        data["inherited"] = True
    if waiver.name in judged.expired:
        data["expired"] = True
    if waiver.source:
        data["source"] = waiver.source
    if waiver.setting:
        data["setting"] = waiver.setting
    if waiver.covers:
        data["covers"] = diagnostics_json(waiver.covers)
    return data


def _loser(loser: Loser) -> dict[str, Any]:
    data: dict[str, Any] = {"rule": loser.name, "value": loser.value, "reason": loser.reason}
    if loser.by:
        data["by"] = loser.by
    if loser.citation is not None:
        data["source"] = loser.citation.source
        data["at"] = loser.citation.at
    if loser.strength:
        data["strength"] = loser.strength
    if loser.because:
        data["because"] = loser.because
    if loser.profile:
        data["profile"] = loser.profile
    return data
