"""Where some policy meets conditions on facts and settings, whatever it has to set for that."""

from collections.abc import Iterable
from typing import NamedTuple

from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.model import UNSTATED, Box, Citation, meet
from setpoint.compiler.proof.bounds import too_hard
from setpoint.compiler.proof.world import World, Worlds
from setpoint.compiler.record import distinct
from setpoint.compiler.resolution.ground import Clause
from setpoint.compiler.resolution.narrow import TooHardError
from setpoint.compiler.resolution.sets.ground import Live
from setpoint.compiler.resolution.sets.narrow import Watch
from setpoint.compiler.resolution.sets.space import facts_of


@distinct
class Held(NamedTuple):
    """The situations of a world in which the conditions can be met, and what they ask of settings."""

    world: World
    where: int
    asked: Box


def can_hold(worlds: Worlds, *boxes: Box, but: Iterable[Box] = ()) -> bool:
    """Whether some policy meets all of these conditions, and none of those after `but`."""
    return bool(held(worlds, *boxes, but=but).where)


def held(worlds: Worlds, *boxes: Box, but: Iterable[Box] = ()) -> Held:
    """Where some policy meets all of these conditions, and none of those after `but`. Raises UnprovenError."""
    knowledge = worlds.knowledge
    without = tuple(but)
    world = worlds.open(name for box in (*boxes, *without) for name, _ in box if name in knowledge.settings)
    where = world.space.everywhere
    asked: Box = ()
    for box in boxes:
        where &= world.space.where(facts_of(knowledge, box))
        both = meet(asked, tuple((n, m) for n, m in box if n in knowledge.settings))
        if both is None:
            return Held(world, 0, asked)
        asked = both
    supposed = world.supposing(asked)
    watch = Watch([*world.problem.clauses, *(_not(world, box) for box in without)])
    try:
        return Held(world, watch.possible(supposed.domains, where & supposed.left), asked)
    except TooHardError as error:
        raise too_hard(world.settings, error) from None


def _not(world: World, box: Box) -> Live:
    """A clause that says that a condition does not hold."""
    knowledge = world.knowledge
    where = world.space.where(facts_of(knowledge, box))
    literals = []
    for name, mask in box:
        if name in knowledge.settings:
            where &= world.space.everywhere if mask & UNSTATED else world.problem.present[name]
            literals.append((name, knowledge.variables[name].everything & ~mask))
    return Live(Clause("condition", "", tuple(literals), "", Citation("", ""), NOWHERE), where)
