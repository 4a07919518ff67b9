"""Everything that a knowledge base decides, to see whether two of them differ in anything at all.

For each setting which value holds by whose word in how many contexts, and what was advised besides; for each hazard in
how many contexts a policy can bring it about; for each constraint in how many it forbids what no other forbids.
"""

from collections import Counter
from collections.abc import Iterator

from setpoint.compiler.knowledge.model import Hazard
from setpoint.compiler.proof.checks.unused import forbids_alone
from setpoint.compiler.proof.difference import deciders
from setpoint.compiler.proof.world import World, Worlds
from setpoint.compiler.resolution.sets.space import facts_of


def ledger(worlds: Worlds) -> frozenset[str]:
    """The whole of it, in lines."""
    lines: set[str] = set()
    for part in worlds.parts:
        world = worlds.of(part)
        for name in part.own:
            lines |= {f"{name} {line}" for line in _decided(world, name)}
        for live in world.problem.clauses:
            number = world.space.contexts(forbids_alone(world, live))
            lines.add(f"{live.clause.name} {live.clause.literals} forbids {number}")
    lines |= {f"{hazard.name} {_arises(worlds, hazard)}" for hazard in worlds.knowledge.hazards.values()}
    return frozenset(lines)


def _decided(world: World, name: str) -> Iterator[str]:
    choice = world.outcome.choices[name]
    for bit, where in choice.values.items():
        value = world.knowledge.variables[name].name_of(bit)
        for by, there in deciders(choice, value, where):
            yield f"{value} by {by} in {world.space.contexts(there)}"
    advised: Counter[tuple[str, ...]] = Counter()
    for weighed, counts in zip(choice.proposals, choice.standing, strict=True):
        p = weighed.proposal
        advised[p.rule.name, p.value, p.strength, str(p.reads)] += world.space.contexts(counts)
    yield from (f"advised {key} in {number}" for key, number in advised.items())


def _arises(worlds: Worlds, hazard: Hazard) -> str:
    """In how many contexts a hazard can arise, within its source's scope and beyond."""
    knowledge = worlds.knowledge
    named = {n for reach in hazard.reaches for n, _ in reach.when if n in knowledge.settings}
    world = worlds.open(named)
    numbers: Counter[bool] = Counter()
    for reach in hazard.reaches:
        settings = tuple((n, m) for n, m in reach.when if n not in knowledge.kinds)
        supposed = world.supposing(tuple((n, m) for n, m in settings if n in knowledge.settings))
        where = supposed.left & world.space.where(facts_of(knowledge, reach.when))
        numbers[reach.steps < 0] += world.space.contexts(where)
    return f"{hazard.severity} {numbers[True]} {numbers[False]} {settings}"
