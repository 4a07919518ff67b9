"""The language has one meaning: resolution of all situations at once agrees with resolution of single policies.

On the standard library every twenty-fourth situation of every part is compared, by the policy that leads to it; which
contexts make one situation is compared on contexts at random. On knowledge bases at random, policies at random are
compared. `pytest --complete` compares all situations, and three times as many policies.
"""

from random import Random

import pytest
from hypothesis import assume, given, settings
from proof.both_forms import Result, context, set_valued, single
from proof.random_knowledge import built, policy, seeds, statements
from proof.real_policies import real_policies

from setpoint.compiler.proof.analysis import Analyses, Analysis
from setpoint.compiler.proof.sets.space import numbers
from setpoint.compiler.proof.situations import count_contexts
from support.effort import examples, is_complete
from support.policies import vocabulary

ONE_IN = 1 if is_complete() else 24

LIBRARY = vocabulary()
ANALYSES = Analyses(LIBRARY)
"""The analyses of the library: each is made when it is first asked for, and then serves all policies."""


@pytest.fixture(scope="module")
def analyses() -> Analyses:
    return ANALYSES


def test_every_component_represents_the_same_contexts(analyses: Analyses) -> None:
    spaces = [analyses.of(component).space for component in analyses.components]
    assert {space.all_contexts() for space in spaces} == {count_contexts((LIBRARY,), analyses.groups)}


def test_both_forms_agree_on_the_situations_of_the_standard_library(analyses: Analyses) -> None:
    compared = 0
    singly: dict[frozenset[tuple[str, str]], Result] = {}  # what leads to situations of several components
    for component in analyses.components:
        analysis = analyses.of(component)
        outcome = analysis.outcome
        for number in tried(analysis):
            stated = frozenset(analysis.space.situations[number].stated)
            if stated not in singly:
                one = context(analyses.knowledge, dict(stated), {})
                assert one is not None
                singly[stated] = single(analyses.knowledge, one)
            expected = singly[stated]
            assert expected.code == ""
            for name in component.own:
                if not analysis.space.scope((name,)) >> number & 1:
                    continue
                decided = [
                    analyses.knowledge.variables[name].name_of(bit)
                    for bit, where in outcome.choices[name].values.items()
                    if where >> number & 1
                ]
                assert decided == [v for n, v in expected.values.items() if n == name], (dict(stated), name)
            compared += 1
    assert compared == sum(len(tried(analyses.of(component))) for component in analyses.components)


def tried(analysis: Analysis) -> list[int]:
    """The situations that are compared, at least one."""
    return list(numbers(analysis.space.everywhere))[::ONE_IN]


@given(real_policies())
@settings(max_examples=examples(40), deadline=None)
def test_both_forms_agree_on_random_policies(drawn: tuple[dict[str, str], dict[str, str]]) -> None:
    """But for policies that build on a profile which stands: the proof leaves out what it gives to settings that nobody
    asks for."""
    one = context(ANALYSES.knowledge, *drawn)
    assume(one is not None and not any(ANALYSES.knowledge.settings[name].stands for name in drawn[1]))
    assert one is not None
    assert set_valued(ANALYSES, one) == coarse(single(ANALYSES.knowledge, one))


@given(seeds)
@settings(max_examples=examples(100), deadline=None)
def test_knowledge_at_random_means_the_same_in_both_forms(seed: int) -> None:
    knowledge = built(statements(seed))
    assume(knowledge is not None)
    assert knowledge is not None
    analyses, random = Analyses(knowledge), Random(seed)
    for _ in range(12):
        one = context(knowledge, *policy(random))
        if one is not None:
            assert set_valued(analyses, one) == coarse(single(knowledge, one))


def coarse(result: Result) -> Result:
    """E0501, E0502 and E0508 all mean that it is not offered."""
    return result._replace(code="E05" if result.code.startswith("E05") else result.code)
