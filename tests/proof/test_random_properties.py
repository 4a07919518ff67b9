"""What is promised of every knowledge base, asked of knowledge bases at random.

That the order of statements decides nothing; that a value set to what it is anyway moves nothing; that each policy ends
in a plan or a coded refusal; that the statements blamed for a conflict are as few as can be, and each way out leads
out. What can be and what cannot is asked of the second implementation, not of the resolver.
"""

from random import Random

import pytest
from hypothesis import assume, given, settings
from meaning.knowledge import Knowledge as Declared
from meaning.plan import Meaning, Policy

from proof.both_forms import context, single
from proof.random_knowledge import built, policy, seeds, statements
from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.parse import parse
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.proof.checks import policies
from setpoint.compiler.proof.prove import prove
from setpoint.compiler.resolution.conflict import disjoint_cores
from setpoint.compiler.resolution.ground import ground
from setpoint.compiler.resolution.repair import repairs
from setpoint.compiler.resolution.resolve import resolve
from support.effort import examples

Drawn = tuple[Knowledge, Random]


def knowledge_of(seed: int) -> Drawn:
    """A knowledge base whose structure is right, and the numbers for its policies."""
    knowledge = built(statements(seed))
    assume(knowledge is not None)
    assert knowledge is not None
    return knowledge, Random(seed)


def contexts(knowledge: Knowledge, random: Random, number: int, most_sets: int = 2) -> list[Context]:
    """Policies at random whose facts can be together."""
    drawn = [context(knowledge, *policy(random, most_sets)) for _ in range(number)]
    return [one for one in drawn if one is not None]


@given(seeds)
@settings(max_examples=examples(150), deadline=None)
def test_every_policy_ends_in_a_complete_plan_or_a_coded_refusal(seed: int) -> None:
    knowledge, random = knowledge_of(seed)
    for one in contexts(knowledge, random, 8):
        result = single(knowledge, one)
        if result.code:
            assert result.code in ("E0301", "E0303", "E0501", "E0502", "E0508")
        else:
            assert set(result.values) == set(ground(knowledge, one).domains)


def is_member_of_unknown_profile(knowledge: Knowledge, name: str) -> bool:
    """Whether there is a profile for which no source says whether it locks this setting."""
    return any(
        name in preset.members and any(name not in cells for cells in preset.columns.values())
        for preset in knowledge.presets
    )


@given(seeds)
@settings(max_examples=examples(100), deadline=None)
def test_the_order_of_statements_decides_nothing(seed: int) -> None:
    knowledge, random = knowledge_of(seed)
    text = statements(seed)
    random.shuffle(text)
    shuffled = built(text)
    assert shuffled is not None
    for facts, sets in (policy(random) for _ in range(6)):
        one, other = context(knowledge, facts, sets), context(shuffled, facts, sets)
        if one is not None and other is not None:
            assert _decisions_or_errors(knowledge, one) == _decisions_or_errors(shuffled, other)
        else:
            assert one is None
            assert other is None


def _decisions_or_errors(knowledge: Knowledge, one: Context) -> object:
    """The plan's content about each setting: its value, who decided it, and what lost to whom; or the codes of its
    errors.
    """
    try:
        plan: Plan = resolve(knowledge, one)
    except SetpointError as error:
        return sorted(d.code for d in error.diagnostics)
    return [
        (
            d.setting,
            d.value,
            d.origin,
            sorted(c.name for c in d.because),
            sorted((b.name, b.reason) for b in d.beat),
        )
        for d in plan.settings
    ]


@given(seeds)
@settings(max_examples=examples(100), deadline=None)
def test_setting_a_value_that_holds_anyway_changes_nothing(seed: int) -> None:
    knowledge, random = knowledge_of(seed)
    for facts, sets in (policy(random) for _ in range(4)):
        one = context(knowledge, facts, sets)
        if one is None:
            continue
        result = single(knowledge, one)
        for name, value in result.values.items():
            if is_member_of_unknown_profile(knowledge, name):
                continue  # requesting it requests a profile for which it is known whether it locks the member
            pinned = context(knowledge, facts, {**sets, name: value})
            assert pinned is not None
            assert single(knowledge, pinned) == result


@given(seeds)
@settings(max_examples=examples(150), deadline=None)
def test_the_statements_blamed_are_as_few_as_can_be_and_each_way_out_leads_out(seed: int) -> None:
    knowledge, random = knowledge_of(seed)
    meaning = Meaning(Declared([parse(SourceText("random.tune", "\n".join(statements(seed))))]))
    for one in contexts(knowledge, random, 8, most_sets=4):
        if single(knowledge, one).code != "E0301":
            continue
        facts = {name: entry.value for name, entry in one.facts.items()}

        def can_be(sets: dict[str, str], facts: dict[str, str] = facts) -> bool:
            return "E0301" not in meaning.plan(Policy(facts, sets)).errors

        for core in disjoint_cores(knowledge, ground(knowledge, one), one.sets):
            named = {s.setting.text: s.value.text for s in core}
            assert not can_be(named)
            for name in named:
                assert can_be({n: v for n, v in named.items() if n != name})
            alone = one._replace(sets=core)
            for way in repairs(knowledge, alone, core):
                assert single(knowledge, way.change.applied(alone)).code == ""


@given(seeds)
@settings(max_examples=examples(60), deadline=None)
def test_a_proof_without_ties_is_kept_by_every_policy(seed: int) -> None:
    """Where K01 finds nothing, no policy ties, however many values it sets."""
    knowledge, random = knowledge_of(seed)
    found = {d.code for d in prove(knowledge).findings}
    for one in contexts(knowledge, random, 20, most_sets=4):
        code = single(knowledge, one).code
        assert code != "E0303" or "K01" in found
        if not one.sets:
            assert code != "E0301" or "K03" in found


@given(seeds)
@settings(max_examples=examples(60), deadline=None)
def test_of_values_alike_one_is_enough_in_pairs(seed: int) -> None:
    knowledge, _ = knowledge_of(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(policies, "_alike", lambda analysis: set())
        of_all_pairs = prove(knowledge)
    found = prove(knowledge)
    assert found.findings == of_all_pairs.findings
    assert found.overridden == of_all_pairs.overridden
    assert found.statistics._replace(seconds=0) == of_all_pairs.statistics._replace(seconds=0)
