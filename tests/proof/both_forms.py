"""The two forms of the meaning side by side: one policy at a time, and all situations at once."""

from typing import NamedTuple

from setpoint.compiler.binding.context import Context
from setpoint.compiler.binding.facts import complete, holds
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Name, Set
from setpoint.compiler.plan.model import FactEntry
from setpoint.compiler.proof.world import World, Worlds
from setpoint.compiler.resolution.resolve import solve
from setpoint.compiler.resolution.sets.cascade import cascade


class Result(NamedTuple):
    """What came out: the value of every setting that is there; or the code of what stopped it."""

    code: str
    values: dict[str, str]


def context(knowledge: Knowledge, facts: dict[str, str], sets: dict[str, str]) -> Context | None:
    """The context of a policy; None where its facts contradict each other."""
    entries = {name: FactEntry(name, value, value, "stated", "", NOWHERE) for name, value in facts.items()}
    completed = complete(knowledge, entries)
    if completed.errors:
        return None
    statements = tuple(
        Set(Name(name, NOWHERE), Name(value, NOWHERE), Name("why", NOWHERE), NOWHERE._replace(line=number))
        for number, (name, value) in enumerate(sorted(sets.items()), 1)
    )
    return Context("p", completed.facts, statements, (), False, ())


def single(knowledge: Knowledge, one: Context) -> Result:
    """By the form that plans policies."""
    try:
        return Result("", solve(knowledge, one, "").values(knowledge))
    except SetpointError as error:
        return Result(error.diagnostics[0].code, {})


def parallel(worlds: Worlds, one: Context) -> Result:
    """By the form that decides all situations, looked up for this one."""
    knowledge = worlds.knowledge
    sets = {s.setting.text: knowledge.variables[s.setting.text].bit(s.value.text) for s in one.sets}
    codes, values = set(), {}
    for part in worlds.parts:
        world = worlds.of(part)
        bit = 1 << number_of(world, one)
        asked = tuple(sorted((name, mask) for name, mask in sets.items() if name in part.settings))
        if any(not world.problem.domains[name].get(mask, 0) & bit for name, mask in asked):
            codes.add("E05")
            continue
        supposed = world.supposing(asked)
        outcome = cascade(world.problem, world.watch, supposed.domains, supposed.left)
        if not supposed.left & bit or outcome.impossible & bit:
            codes.add("E0301")
        elif outcome.tied & bit:
            codes.add("E0303")
        else:
            for name in part.own:
                found = [b for b, where in outcome.choices[name].values.items() if where & bit]
                for b in found:
                    values[name] = knowledge.variables[name].name_of(b)
                assert len(found) == bool(world.problem.present[name] & bit)
    first = next((code for code in ("E05", "E0301", "E0303") if code in codes), "")
    return Result(first, {} if first else values)


def number_of(world: World, one: Context) -> int:
    """The situation that a context is in: the one in which the same conditions hold."""
    bits = one.bits(world.knowledge)
    where = world.space.everywhere
    for box, mask in world.space.held.items():
        where &= mask if holds(box, bits) else ~mask
    assert where and where & (where - 1) == 0, "a context is in exactly one situation"
    return where.bit_length() - 1
