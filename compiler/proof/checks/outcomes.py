"""Hazards that nobody caused (K10).

Where a policy sets nothing, the knowledge base has chosen everything, so that it must not end in a hazard
that stops the build.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import IN_SCOPE, UNSTATED, Box, Effect, Hazard, Knowledge
from setpoint.compiler.proof.bounds import each_of
from setpoint.compiler.proof.example import extent, note, policy
from setpoint.compiler.proof.world import World, Worlds
from setpoint.compiler.resolution.ground import Proposal
from setpoint.compiler.resolution.sets.narrow import within
from setpoint.compiler.resolution.sets.space import facts_of


def standing_hazards(worlds: Worlds) -> Iterator[Diagnostic]:
    """Hazards that stop the build of a policy that sets nothing (K10)."""
    knowledge = worlds.knowledge
    stopping: dict[frozenset[str], list[Hazard]] = {}
    for hazard in knowledge.hazards.values():
        if hazard.severity == "error":
            closure = worlds.closure(_settings(knowledge, hazard))
            stopping.setdefault(closure, []).append(hazard)
    yield from each_of(knowledge, stopping.items(), lambda pair: _standing_among(worlds, *pair))


def _boxes(knowledge: Knowledge, hazard: Hazard) -> Iterator[Box]:
    """The conditions in which a hazard arises in scope, and the cases of the effects that they name."""
    yield from (reach.when for reach in hazard.reaches if reach.steps == IN_SCOPE)
    for name, _ in hazard.when:
        if name in knowledge.effects:
            yield from (box for _, box in knowledge.effects[name].cases)


def _settings(knowledge: Knowledge, hazard: Hazard) -> frozenset[str]:
    """The settings that these conditions name."""
    return frozenset(n for box in _boxes(knowledge, hazard) for n, _ in box if n in knowledge.settings)


def _standing_among(worlds: Worlds, closure: frozenset[str], hazards: list[Hazard]) -> Iterator[Diagnostic]:
    """Those of some hazards that stand by themselves; they are about settings that have the same closure."""
    knowledge = worlds.knowledge
    world = worlds.around(closure, (box for hazard in hazards for box in _boxes(knowledge, hazard)))
    for hazard in hazards:
        yield from _standing(world, hazard)


def _standing(world: World, hazard: Hazard) -> Iterator[Diagnostic]:
    knowledge = world.knowledge
    where = 0
    for reach in hazard.reaches:
        if reach.steps == IN_SCOPE:
            where |= holds(world, reach.when)
    if where:
        one = world.space.simplest(where)
        here = 1 << world.space.situations.index(one)
        yield Diagnostic(
            "K10",
            f"hazard `{hazard.name}` stops policies that set nothing",
            hazard.span,
            "stands by itself",
            tuple(_advised(world, sorted(_settings(knowledge, hazard)), here)),
            (extent(world.space, where), note(policy(knowledge, one.stated))),
            (
                "correct the advice, write the rule that avoids it, narrow the hazard, or let it warn: `severity warning;`",
            ),
        )


def _advised(world: World, settings: Iterable[str], here: int) -> Iterator[Label]:
    """The recommendations that decide these settings in one situation: there the hazard may be another's doing."""
    for name in settings:
        choice = world.outcome.choices.get(name)
        if choice:
            for weighed, top in zip(choice.proposals, choice.top, strict=True):
                if top & here:
                    yield Label(weighed.proposal.rule.span, f"recommends {_as_said(weighed.proposal)}")


def _as_said(proposal: Proposal) -> str:
    """What a recommendation wants, and what brings it along if it is a profile."""
    brought = f", which brings {proposal.setting} {proposal.value}" if proposal.preset else ""
    return f"{proposal.rule.setting} {proposal.rule.value}{brought}"


def holds(world: World, box: Box) -> int:
    """Where facts and what is decided without any `set` meet a condition, effects included."""
    knowledge = world.knowledge
    where = world.alive & world.space.where(facts_of(knowledge, box))
    for name, mask in box:
        if name in knowledge.effects:
            where &= _comes_to(world, knowledge.effects[name], mask)
        elif name not in knowledge.kinds:
            choice = world.outcome.choices.get(name)
            true = within(choice.values, mask) if choice else 0
            where &= true | ~world.problem.present.get(name, 0) if mask & UNSTATED else true
    return where


def _comes_to(world: World, effect: Effect, mask: int) -> int:
    """Where an effect has one of these values: that of the first case that holds, else the `otherwise`."""
    variable = world.knowledge.variables[effect.name]
    left, found = world.alive, 0
    for value, box in (*effect.cases, (effect.otherwise, ())):
        here = left & holds(world, box)
        left &= ~here
        if variable.bit(value) & mask:
            found |= here
    return found
