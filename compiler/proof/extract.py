"""Extracts of the knowledge base: what a part of the proof can read.

The proof has parts: the facts; each component; the hazards that concern the same settings; each effect. A part gets an
extract in place of the knowledge base. So nothing outside its extract decides whether it finds anything, and a part whose
extract is unchanged need not be proven again (`memory`).

The fingerprint of an extract covers all of it with two exceptions, so that a statement elsewhere, or one that moves to
another line, does not change it. In place of a statement's span it has the order of the spans and whether the statement
is the library's: the checks read nothing else of a span before they have a finding. In place of a setting's position
in the order of decision it has the position among the settings of the extract.
"""

from collections.abc import Iterable
from hashlib import blake2b

from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.model import (
    Assumption,
    Box,
    Constraint,
    Effect,
    FactKind,
    FactValue,
    Hazard,
    Knowledge,
    Offer,
    Preset,
    Rule,
    Setting,
    Source,
)
from setpoint.compiler.resolution.sets.ground import settings_of_constraint

Statement = (
    Assumption
    | Constraint
    | Effect
    | FactKind
    | FactValue
    | Hazard
    | Offer
    | Preset
    | Rule
    | Setting
    | Source
)


def extract(
    knowledge: Knowledge,
    settings: frozenset[str] = frozenset(),
    hazards: Iterable[str] = (),
    effects: Iterable[str] = (),
) -> Knowledge:
    """All facts, and what concerns these settings, hazards and effects.

    `settings` must include every setting that a constraint, a profile, a rule, a hazard or an effect connects with them.
    """
    own = {name: knowledge.hazards[name] for name in hazards}
    read = {
        *effects,
        *effects_named(knowledge, (box for each in own.values() for box in conditions_of(each))),
    }
    rules = tuple(rule for rule in knowledge.rules if rule.setting in settings)
    presets = tuple(each for each in knowledge.presets if settings & {each.governor, *each.members})
    constraints = tuple(
        each for each in knowledge.constraints if settings_of_constraint(knowledge, each) <= settings
    )
    citing: tuple[Rule | Preset | Constraint | Hazard, ...] = (*rules, *presets, *constraints, *own.values())
    cited = {each.citation.source for each in citing}
    known = {*knowledge.kinds, *settings, *read}
    return Knowledge(
        kinds=knowledge.kinds,
        values=knowledge.values,
        assumptions=knowledge.assumptions,
        site=knowledge.site,
        variables={name: each for name, each in knowledge.variables.items() if name in known},
        sources={n: s for n, s in knowledge.sources.items() if n in cited or s.supersedes in cited},
        settings={name: each for name, each in knowledge.settings.items() if name in settings},
        effects={name: each for name, each in knowledge.effects.items() if name in read},
        offers={name: each for name, each in knowledge.offers.items() if name in settings},
        spellings={},
        presets=presets,
        rules=rules,
        constraints=constraints,
        hazards=own,
        measurements=(),
        aliases=(),
        services=(),
    )


def conditions_of(hazard: Hazard) -> tuple[Box, ...]:
    """The conditions of a hazard: as written, and wherever it applies."""
    return hazard.when, *(applicability.when for applicability in hazard.applicabilities)


def effects_named(knowledge: Knowledge, boxes: Iterable[Box]) -> frozenset[str]:
    """The effects that these conditions name."""
    return frozenset(name for box in boxes for name, _ in box if name in knowledge.effects)


def settings_named(knowledge: Knowledge, boxes: Iterable[Box]) -> frozenset[str]:
    """The settings that these conditions name, by themselves or in a case of an effect."""
    asked = list(boxes)
    for name in effects_named(knowledge, asked):
        asked += [box for _, box in knowledge.effects[name].cases]
    return frozenset(name for box in asked for name, _ in box if name in knowledge.settings)


def facts_fingerprint(knowledge: Knowledge) -> str:
    """The fingerprint of all facts, which is a part of every other one."""
    statements: tuple[Statement, ...] = (
        *knowledge.kinds.values(),
        *(value for values in knowledge.values.values() for value in values.values()),
        *knowledge.assumptions,
    )
    return _digest(
        _text(knowledge, statements), repr([knowledge.variables[fact] for fact in knowledge.kinds])
    )


def fingerprint(facts: str, question: tuple[str, ...], read: Knowledge) -> str:
    """The fingerprint of a question about an extract; `facts` is that of its facts."""
    in_order = sorted(read.settings.values(), key=lambda setting: setting.position)
    statements: tuple[Statement, ...] = (
        *(setting._replace(position=number) for number, setting in enumerate(in_order)),
        *read.sources.values(),
        *read.effects.values(),
        *(offer for offers in read.offers.values() for offer in offers),
        *read.presets,
        *read.rules,
        *read.constraints,
        *read.hazards.values(),
    )
    variables = [each for name, each in read.variables.items() if name not in read.kinds]
    return _digest(facts, repr(question), _text(read, statements), repr(variables))


def _text(knowledge: Knowledge, statements: tuple[Statement, ...]) -> str:
    """Statements as a text, without their places."""
    order = {span: number for number, span in enumerate(sorted({each.span for each in statements}))}
    return repr(
        [
            (order[each.span], knowledge.is_from_library(each.span), _sorted(each._replace(span=NOWHERE)))
            for each in statements
        ]
    )


def _sorted(statement: Statement) -> tuple[object, ...]:
    """What a statement is, and its fields. A set is in order: Python prints it in another one in each process."""
    fields = (sorted(each) if isinstance(each, frozenset) else each for each in statement)
    return type(statement).__name__, *fields


def _digest(*texts: str) -> str:
    made = blake2b(digest_size=16)
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        made.update(len(content).to_bytes(8) + content)
    return made.hexdigest()
