"""The contexts of a knowledge base are counted by class; on small ones they are counted one by one as well."""

from itertools import product

from hypothesis import assume, given, settings

from proof.both_forms import context
from proof.random_knowledge import FACTS, SETTINGS, WORDS, built, seeds, statements
from setpoint.compiler.knowledge.build import Layered, build
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.source import Source
from setpoint.compiler.proof.prove import prove
from setpoint.compiler.proof.reachable import contexts
from setpoint.compiler.proof.world import Worlds


def every_context(knowledge: Knowledge) -> set[tuple[tuple[str, str], ...]]:
    """The facts that are known in each context that some policy states."""
    found = set()
    for values in product(*(("", *FACTS[name]) if name != "goal" else FACTS[name] for name in FACTS)):
        one = context(knowledge, {n: v for n, v in zip(FACTS, values, strict=True) if v}, {})
        if one is not None:
            found.add(tuple(sorted((name, entry.value) for name, entry in one.facts.items())))
    return found


def test_a_fact_that_is_assumed_is_counted_as_assumed() -> None:
    """What is stated of `site` brings `fans` along, what is assumed of it does not: so they differ, though no rule asks."""
    assumed = [
        'model m3 { title "Three"; }',
        'assume site here because "usual";',
        'assume fans one when site here or there because "usual";',
    ]
    offers = [
        f'options of old {{ {name} {", ".join(values)} at "Offer"; }}'
        for name, (_, values) in SETTINGS.items()
    ]
    knowledge = built([*WORDS.strip().splitlines(), *offers, *assumed])
    assert knowledge is not None
    assert contexts(Worlds(knowledge).groups) == len(every_context(knowledge))


def test_contexts_are_counted_where_nothing_is_to_be_decided() -> None:
    knowledge = build(
        [Layered(parse(Source("facts.tune", 'fact goal { title "Goal"; values fast, cool; }')), "stdlib")]
    )
    assert prove(knowledge).figures.contexts == 3


@given(seeds)
@settings(max_examples=80, deadline=None)
def test_every_context_is_counted_once(seed: int) -> None:
    knowledge = built(statements(seed))
    assume(knowledge is not None)
    assert knowledge is not None
    worlds = Worlds(knowledge)
    number = len(every_context(knowledge))
    assert contexts(worlds.groups) == number
    for part in worlds.parts:
        space = worlds.of(part).space
        assert space.contexts(space.everywhere) == number
