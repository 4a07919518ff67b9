"""Hazards: what the settings of all layers come to, and whether that defeats the intent.

A hazard of an `error` stops the build until the policy is mended or accepts it in writing; where its
source does not speak of this platform or use, it only warns. An acceptance whose day has passed no
longer counts.
"""

from typing import NamedTuple

from setpoint.compiler.binding.context import Context
from setpoint.compiler.binding.facts import holds
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import IN_SCOPE, Box, Effect, Hazard, Knowledge
from setpoint.compiler.language.syntax import Accept
from setpoint.compiler.plan.model import EffectValue, Waiver


class Findings(NamedTuple):
    """Diagnostics of the hazards that stand or are accepted in vain, and the waivers of the policy.

    The subject of each diagnostic is the name of its hazard.
    """

    findings: tuple[Diagnostic, ...]
    waivers: tuple[Waiver, ...]


def effects_of(knowledge: Knowledge, bits: dict[str, int]) -> tuple[EffectValue, ...]:
    """The effects of a plan whose facts and settings are `bits`; one that nothing decides is left out."""
    found = []
    for effect in knowledge.effects.values():
        value = effect_value(effect, bits)
        if value:
            found.append(EffectValue(effect.name, effect.title, value, effect.citation))
    return tuple(found)


def effect_value(effect: Effect, bits: dict[str, int]) -> str:
    """The value of the case that holds, else the `otherwise`."""
    return next((value for value, box in effect.cases if holds(box, bits)), effect.otherwise)


def arising(knowledge: Knowledge, bits: dict[str, int], effects: tuple[EffectValue, ...]) -> dict[str, int]:
    """The hazards that arise where facts and settings are `bits`, each with how far out of its source's scope."""
    whole = {**bits, **{e.name: knowledge.variables[e.name].bit(e.value) for e in effects}}
    found = {}
    for hazard in knowledge.hazards.values():
        steps = [reach.steps for reach in hazard.reaches if holds(reach.when, whole)]
        if steps and (hazard.severity == "error" or min(steps) == IN_SCOPE):
            found[hazard.name] = min(steps)  # a mere warning is not carried beyond what its source studied
    return found


def hazards_of(
    knowledge: Knowledge, context: Context, bits: dict[str, int], effects: tuple[EffectValue, ...], today: str
) -> Findings:
    """The hazards that stand (E0401, W0401, W0402), and what the policy accepts (W0403 if in vain)."""
    accepts = {statement.hazard.text: statement for statement in context.accepts}
    findings = []
    standing = arising(knowledge, bits, effects)
    for name, steps in standing.items():
        accept = accepts.get(name)
        if accept is None or is_expired(accept, today):
            findings.append(_standing(knowledge, context, knowledge.hazards[name], steps, accept))
    waivers = []
    for statement in context.accepts:
        name = statement.hazard.text
        until = statement.until.text if statement.until else ""
        waivers.append(
            Waiver(
                hazard=name,
                what=knowledge.hazards[name].because,
                because=statement.because.text,
                until=until,
                stands=name in standing,
                expired=is_expired(statement, today),
                span=statement.span,
            )
        )
        if name not in standing:
            findings.append(
                Diagnostic(
                    "W0403",
                    f"`{name}` does not arise here: there is nothing to accept",
                    statement.hazard.span,
                    "in vain",
                    help=(_instead_of_vain(name in context.inherited),),
                    subject=name,
                )
            )
    return Findings(tuple(findings), tuple(waivers))


def _instead_of_vain(inherited: bool) -> str:
    """What to do with an acceptance in vain; one of a wider level may be what another policy, group or host needs."""
    if inherited:
        return "move the line to the policy, group or host that needs it; if none does, drop it"
    return "drop the line, so that it cannot hide the hazard later"


def is_expired(accept: Accept, today: str) -> bool:
    """Whether the day of an acceptance lies before `today`. ISO dates compare as text."""
    return bool(accept.until and today and accept.until.text < today)


def opening(name: str) -> str:
    """What the message on a hazard that stands opens with; what the hazard is comes after it."""
    return f"hazard `{name}`: "


def _standing(
    knowledge: Knowledge, context: Context, hazard: Hazard, steps: int, accept: Accept | None
) -> Diagnostic:
    places = _places(context, hazard.when)
    at = places[0].span if places else context.intent(knowledge)
    notes = [
        f"says {hazard.citation.source}, {hazard.citation.at}",
        f"it arises where: {knowledge.box_text(hazard.when)}",
    ]
    help_ = [hazard.help] if hazard.help else []
    code = "E0401" if hazard.severity == "error" and steps == IN_SCOPE else "W0401"
    if steps != IN_SCOPE:
        code = "W0402" if hazard.severity == "error" else code
        only = ", so it only warns" if hazard.severity == "error" else ""
        notes.append(f"its source does not speak of this platform and use{only}")
    if accept is not None and accept.until is not None:
        notes.append(f"it was accepted until {accept.until.text}, which has passed")
        help_.append(f"renew the date of `accept {hazard.name}`, if the reason still holds")
    else:
        help_.append(f'to accept it in writing: `accept {hazard.name} because "…";`')
    return Diagnostic(
        code,
        opening(hazard.name) + hazard.because,
        at,
        places[0].text if places else "",
        tuple(places[1:]),
        tuple(notes),
        tuple(help_),
        hazard.name,
    )


def _places(context: Context, when: Box) -> list[Label]:
    """What the policy itself says of the hazard's conditions: its `set`s first, then its facts."""
    sets = {s.setting.text: s for s in context.sets}
    labels = [Label(sets[name].span, "sets it up") for name, _ in when if name in sets]
    for name, _ in when:
        entry = context.facts.get(name)
        if entry is not None and entry.origin == "stated":
            labels.append(Label(entry.span, "arises under this" if not labels else "together with this"))
    return labels
