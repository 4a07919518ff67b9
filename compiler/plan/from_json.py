"""Read a plan from its JSON, so that a bundle can be compared, explained and carried out like a policy.

The result equals the original plan except for places in files: the JSON has only those of the policy's own `set`s, and
those of findings. Its JSON is the same again, and so are the artifacts of the targets.
"""

from typing import Any

from pydantic import ValidationError

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, Label
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.knowledge.model import IN_SCOPE, Citation
from setpoint.compiler.plan import document
from setpoint.compiler.plan.document_findings import FindingDocument, WaiverDocument
from setpoint.compiler.plan.identity import Identity
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import (
    ArisingHazard,
    Cause,
    Decision,
    EffectValue,
    FactEntry,
    Lock,
    Loser,
    Note,
    Plan,
    Reference,
    RequiredStrength,
    Shown,
    SpelledValue,
    Waiver,
)
from setpoint.compiler.plan.registry import Limited, RegistryEntry
from setpoint.compiler.plan.service import RedfishService


class NotAPlanError(ValueError):
    """Data that does not have the form. The message says where it differs, and how."""


def plan_from_json(data: Any) -> Judged:
    """The plan in JSON data, as it was judged when the data was written. Raises NotAPlanError."""
    try:
        read = document.PlanDocument.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        raise NotAPlanError(f"at {_path(first['loc'])}: {first['msg'][:200]}") from None
    findings = [_finding(each) for each in read.diagnostics]
    judged = {number for number, each in enumerate(read.diagnostics) if each.judged}
    plan = Plan(
        policy=read.policy,
        facts=tuple(_fact(name, each) for name, each in read.facts.items()),
        settings=tuple(_decision(name, each) for name, each in read.settings.items()),
        effects=tuple(
            EffectValue(name, each.title, each.value, Citation(each.source, each.at))
            for name, each in read.effects.items()
        ),
        hazards=tuple(map(_hazard, read.hazards)),
        waivers=tuple(map(_waiver, read.waivers)),
        sources=tuple(
            Reference(name, each.title, each.publisher, each.date or "", each.url or "")
            for name, each in read.sources.items()
        ),
        advisories=tuple(each for number, each in enumerate(findings) if number not in judged),
        identity=tuple(map(_identity, read.identity)),
        service=_service(read.service) if read.service is not None else None,
        registry=_registry(read.registry) if read.registry else None,
        evidence=RequiredStrength(read.evidence.strength, read.evidence.because) if read.evidence else None,
    )
    expired = frozenset(each.hazard or each.name for each in read.waivers if each.expired)
    return Judged(plan, expired, Diagnostics.of(findings))


def _path(location: tuple[int | str, ...]) -> str:
    """A place in the data as a JSON Path: `$.settings.smt.because[0]`."""
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)


def _fact(name: str, fact: document.FactDocument) -> FactEntry:
    text = fact.value if fact.written is None else fact.written
    return FactEntry(name, fact.value, text, fact.origin, fact.because, NOWHERE, fact.within, fact.role)


def _service(service: document.ServiceDocument) -> RedfishService:
    return RedfishService(
        service.name,
        service.title,
        tuple(service.addresses.items()),
        tuple(service.applies.items()),
        service.because,
        Citation(service.source, service.at),
    )


def _identity(each: document.IdentityDocument) -> Identity:
    return Identity(each.reports, each.fact, each.value, each.origin, each.names, each.or_later)


def _registry(each: document.RegistryDocument) -> RegistryEntry:
    limited = tuple(Limited(one.setting, one.kind, one.because) for one in each.limited)
    return RegistryEntry(
        each.file, each.product, each.firmware, limited, tuple(each.current.items()), each.right
    )


def _decision(name: str, setting: document.SettingDocument) -> Decision:
    return Decision(
        setting=name,
        title=setting.title,
        layer=setting.layer,
        value=setting.value,
        label=setting.label,
        origin=setting.origin,
        because=tuple(map(_cause, setting.because)),
        beat=tuple(map(_loser, setting.beat)),
        position=setting.order,
        menu=setting.menu or "",
        default=setting.default or "",
        unwritten=setting.unwritten or "",
        notes=tuple(Note(note.kind, note.text) for note in setting.notes),
        rests_on=setting.rests_on,
        governs=setting.governs,
        spelled=tuple(map(_spelled, setting.spelled)),
        locks=tuple(map(_lock, setting.locks)),
        once=setting.once,
    )


def _lock(lock: document.LockDocument) -> Lock:
    return Lock(lock.setting, lock.values, lock.unless, lock.hides, lock.kept, lock.undecided)


def _spelled(spelled: document.SpelledDocument) -> SpelledValue:
    shown = (Shown(one.file, one.compare or "", one.text, not one.differs) for one in spelled.shown)
    texts = tuple(spelled.texts.items())
    return SpelledValue(
        spelled.interface,
        spelled.names,
        spelled.text,
        spelled.absent,
        tuple(shown),
        texts,
        spelled.place,
        spelled.type or "",
    )


def _cause(cause: document.CauseDocument) -> Cause:
    return Cause(
        kind=cause.kind,
        span=Span(cause.file, cause.line, 0, cause.line, 0) if cause.file else NOWHERE,
        name=cause.rule,
        citation=None if cause.source is None else Citation(cause.source, cause.at),
        strength=cause.strength,
        claimed=cause.strength if cause.claimed is None else cause.claimed,
        steps=IN_SCOPE if cause.out_of_scope is None else cause.out_of_scope,
        studied=cause.studied,
        because=cause.because,
        note=cause.note,
        written_for=cause.where,
        profile=cause.profile,
    )


def _loser(lost: document.LoserDocument) -> Loser:
    citation = None if lost.source is None else Citation(lost.source, lost.at)
    return Loser(
        lost.rule, lost.value, lost.reason, lost.by, citation, lost.strength, lost.because, lost.profile
    )


def _hazard(hazard: document.HazardDocument) -> ArisingHazard:
    return ArisingHazard(
        hazard=hazard.hazard,
        what=hazard.what,
        stops=hazard.stops,
        graded=hazard.graded,
        steps=IN_SCOPE if hazard.out_of_scope is None else hazard.out_of_scope,
        citation=Citation(hazard.source, hazard.at),
        condition=hazard.where,
        help=hazard.help,
        at=NOWHERE,
    )


def _waiver(waiver: WaiverDocument) -> Waiver:
    return Waiver(
        kind=waiver.kind,
        name=waiver.hazard or waiver.name,
        what=waiver.what,
        because=waiver.because,
        until=waiver.until or "",
        stands=waiver.stands,
        span=NOWHERE,
        inherited=waiver.inherited,
        source=waiver.source,
        setting=waiver.setting,
        covers=tuple(map(_finding, waiver.covers)),
    )


def findings_from_json(data: Any) -> tuple[Diagnostic, ...]:
    """The findings of any command that prints them as JSON. Raises ValueError if they have another form."""
    return tuple(_finding(FindingDocument.model_validate(each)) for each in data)


def _finding(finding: FindingDocument) -> Diagnostic:
    return Diagnostic(
        finding.code,
        finding.message,
        Span(finding.file, finding.line, finding.column, finding.end_line, finding.end_column),
        finding.label,
        tuple(Label(Span(o.file, o.line, o.column, o.line, o.column), o.text) for o in finding.related),
        finding.notes,
        finding.help,
        finding.subject,
    )
