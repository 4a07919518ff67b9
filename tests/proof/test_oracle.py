"""A second implementation, in another language and by another method, agrees with the compiler."""

from random import Random

from hypothesis import assume, given, settings

from proof.both_forms import context, single
from proof.oracle import Oracle
from proof.random_knowledge import built, policy, seeds, statements
from proof.real_policies import real_policies
from setpoint.compiler.binding.context import Context
from setpoint.compiler.knowledge.model import Knowledge
from support.policies import vocabulary

_oracle = Oracle(vocabulary())


def agree(oracle: Oracle, knowledge: Knowledge, one: Context) -> None:
    """Assert that the two come to the same plan, or to the same refusal."""
    result = single(knowledge, one)
    expected = result.values if not result.code else "E05" if result.code.startswith("E05") else result.code
    facts = {name: entry.value for name, entry in one.facts.items()}
    assert oracle.plan(facts, {s.setting.text: s.value.text for s in one.sets}) == expected


@given(real_policies())
@settings(max_examples=60, deadline=None)
def test_the_oracle_agrees_on_the_standard_library(drawn: tuple[dict[str, str], dict[str, str]]) -> None:
    one = context(_oracle.knowledge, *drawn)
    assume(one is not None)
    assert one is not None
    agree(_oracle, _oracle.knowledge, one)


@given(seeds)
@settings(max_examples=100, deadline=None)
def test_the_oracle_agrees_on_knowledge_at_random(seed: int) -> None:
    knowledge = built(statements(seed))
    assume(knowledge is not None)
    assert knowledge is not None
    oracle, random = Oracle(knowledge), Random(seed)
    for _ in range(6):
        one = context(knowledge, *policy(random))
        if one is not None:
            agree(oracle, knowledge, one)
