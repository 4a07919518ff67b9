"""Combined effects and hazards: what the settings of all layers do together, and whether that defeats the intent.

Hazards that occur become part of the plan, together with the policy's waivers. Whether they stop the build is judged
later (`plan/judge.py`). A hazard out of scope yields to advice that is nearer to the server, as advice does: a plan
does not warn of what is recommended for its server because of what was seen on an older one.
"""

from collections.abc import Iterator, Mapping

from setpoint.compiler.binding.context import Context
from setpoint.compiler.knowledge.boxes import holds
from setpoint.compiler.knowledge.model import IN_SCOPE, Box, Effect, Hazard, Knowledge
from setpoint.compiler.language.syntax import Accept
from setpoint.compiler.plan.model import ArisingHazard, Decision, EffectValue, Waiver
from setpoint.compiler.plan.waivers import ADVICE, DIFFERENCE, HAZARD, OMISSION
from setpoint.compiler.resolution.cascade import Choice


def effects_of(knowledge: Knowledge, bits: Mapping[str, int]) -> tuple[EffectValue, ...]:
    """The effects of a plan whose facts and settings are `bits`, without those that have no value."""
    effects = []
    for effect in knowledge.effects.values():
        value = effect_value(effect, bits)
        if value:
            effects.append(EffectValue(effect.name, effect.title, value, effect.citation))
    return tuple(effects)


def effect_value(effect: Effect, bits: Mapping[str, int]) -> str:
    """The value of the first case that is true, else the `otherwise`; "" if there is none."""
    return next((value for value, box in effect.cases if holds(box, bits)), effect.otherwise)


def arising(
    knowledge: Knowledge, bits: Mapping[str, int], effects: tuple[EffectValue, ...]
) -> dict[str, int]:
    """The hazards that occur for these facts and settings, each with its distance from its source's scope."""
    whole = {**bits, **{e.name: knowledge.variables[e.name].bit(e.value) for e in effects}}
    hazards = {}
    for hazard in knowledge.hazards.values():
        steps = [
            applicability.steps
            for applicability in hazard.applicabilities
            if holds(applicability.when, whole)
        ]
        if steps and (hazard.severity == "error" or min(steps) == IN_SCOPE):
            hazards[hazard.name] = min(steps)  # a warning is not reported out of scope
    return hazards


def stops(hazard: Hazard, steps: int) -> bool:
    """Whether a hazard stops the build unless it is waived: it is graded an error, and is in scope."""
    return hazard.severity == "error" and steps == IN_SCOPE


def hazards_of(
    knowledge: Knowledge,
    context: Context,
    choices: Mapping[str, Choice],
    bits: Mapping[str, int],
    effects: tuple[EffectValue, ...],
) -> tuple[ArisingHazard, ...]:
    """The hazards that occur, waived or not, in the order of the knowledge base."""
    return tuple(
        _arising(knowledge, context, knowledge.hazards[name], steps)
        for name, steps in arising(knowledge, bits, effects).items()
        if not _is_settled_nearer(knowledge.hazards[name], steps, context, choices)
    )


def _is_settled_nearer(hazard: Hazard, steps: int, context: Context, choices: Mapping[str, Choice]) -> bool:
    """Whether nearer advice asks for a setting of a hazard that is out of scope, and the policy sets none of them."""
    about = [choices[name] for name, _ in hazard.when if name in choices]
    sets = {statement.setting.text for statement in context.sets}
    return not any(choice.setting in sets for choice in about) and any(
        proposal.steps < steps
        for choice in about
        if choice.how in ("rule", "only", "derived")
        for proposal in choice.winners
    )


def waivers_of(
    knowledge: Knowledge,
    context: Context,
    hazards: tuple[ArisingHazard, ...],
    settings: tuple[Decision, ...],
) -> tuple[Waiver, ...]:
    """What the policy waives. Which warnings each waiver covers is found with these (plan/waivers.py).

    One of an omission is good for every value that artifacts should set: whether one of them can, only targets know.
    One of a difference is good for every setting that the server has: whether it differs, only a capture shows.
    """
    if not context.accepts:
        return ()
    there = {
        HAZARD: {hazard.hazard for hazard in hazards},
        OMISSION: {d.setting for d in settings if d.written or d.is_performed},
        DIFFERENCE: {d.setting for d in settings},
    }
    return tuple(_waiver(knowledge, context, statement, there) for statement in context.accepts)


def _waiver(knowledge: Knowledge, context: Context, statement: Accept, there: dict[str, set[str]]) -> Waiver:
    kind, name = HAZARD if statement.is_of_hazard else statement.what.text, statement.waiver
    of, about = (word.text if word else "" for word in (statement.of, statement.about))
    source, setting = (of, about) if kind == ADVICE else ("", of)
    what = knowledge.hazards[name].because if kind == HAZARD else ""
    if kind == DIFFERENCE:
        what = f"servers may have another value of `{setting}` than planned"
    return Waiver(
        kind=kind,
        name=name,
        what=what,
        because=statement.because.text,
        until=statement.until.text if statement.until else "",
        stands=(name if kind == HAZARD else setting) in there.get(kind, ()),
        inherited=name in context.inherited,
        source=source,
        setting=setting,
    )


def _arising(knowledge: Knowledge, context: Context, hazard: Hazard, steps: int) -> ArisingHazard:
    return ArisingHazard(
        hazard=hazard.name,
        what=hazard.because,
        stops=stops(hazard, steps),
        graded=hazard.severity,
        steps=steps,
        citation=hazard.citation,
        condition=knowledge.box_text(hazard.when),
        help=hazard.help,
        stated=tuple(_stated(context, hazard.when)),
    )


def _stated(context: Context, when: Box) -> Iterator[tuple[str, str]]:
    """The policy's statements about the hazard's conditions: its `set`s first, then its facts."""
    sets = {statement.setting.text for statement in context.sets}
    yield from (("set", name) for name, _ in when if name in sets)
    for name, _ in when:
        entry = context.facts.get(name)
        if entry is not None and entry.origin == "stated":
            yield "fact", entry.follows
