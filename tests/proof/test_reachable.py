"""The contexts of a knowledge base are counted by class; on small ones they are counted one by one as well."""

from itertools import product

from hypothesis import assume, given, settings

from proof.both_forms import context
from proof.random_knowledge import FACTS, built, seeds, statements
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.proof.world import Worlds


def every_context(knowledge: Knowledge) -> set[tuple[tuple[str, str], ...]]:
    """The facts that are known in each context that some policy states."""
    found = set()
    for values in product(*(("", *FACTS[name]) if name != "goal" else FACTS[name] for name in FACTS)):
        one = context(knowledge, {n: v for n, v in zip(FACTS, values, strict=True) if v}, {})
        if one is not None:
            found.add(tuple(sorted((name, entry.value) for name, entry in one.facts.items())))
    return found


@given(seeds)
@settings(max_examples=80, deadline=None)
def test_every_context_is_counted_once(seed: int) -> None:
    knowledge = built(statements(seed))
    assume(knowledge is not None)
    assert knowledge is not None
    worlds = Worlds(knowledge)
    number = len(every_context(knowledge))
    for part in worlds.parts:
        space = worlds.of(part).space
        assert space.contexts(space.everywhere) == number
