"""Hazards that nobody caused (K10).

Where a policy sets nothing, the knowledge base has chosen everything, so that it must not end in a hazard
that stops the build.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import IN_SCOPE, UNSTATED, Box, Effect, Hazard
from setpoint.compiler.proof.bounds import each_of
from setpoint.compiler.proof.example import extent, note, policy
from setpoint.compiler.proof.parallel.narrow import within
from setpoint.compiler.proof.space import facts_of
from setpoint.compiler.proof.world import World, Worlds
from setpoint.compiler.resolution.ground import Proposal


def standing_hazards(worlds: Worlds) -> Iterator[Diagnostic]:
    """Hazards that stop the build of a policy that sets nothing (K10)."""
    stopping = [hazard for hazard in worlds.knowledge.hazards.values() if hazard.severity == "error"]
    yield from each_of(worlds.knowledge, stopping, lambda hazard: _standing(worlds, hazard))


def _standing(worlds: Worlds, hazard: Hazard) -> Iterator[Diagnostic]:
    knowledge = worlds.knowledge
    boxes = tuple(reach.when for reach in hazard.reaches if reach.steps == IN_SCOPE)
    effects = [knowledge.effects[name] for name, _ in hazard.when if name in knowledge.effects]
    cases = tuple(box for effect in effects for _, box in effect.cases)
    named = {name for box in (*boxes, *cases) for name, _ in box if name in knowledge.settings}
    world = worlds.around(named)
    where = 0
    for box in boxes:
        where |= holds(world, box)
    if where:
        one = world.space.simplest(where)
        here = 1 << world.space.situations.index(one)
        yield Diagnostic(
            "K10",
            f"hazard `{hazard.name}` stops policies that set nothing",
            hazard.span,
            "stands by itself",
            tuple(_advised(world, sorted(named), here)),
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
