"""The findings on random knowledge bases are true: the compiler that plans policies confirms them."""

from itertools import combinations, product
from random import Random

from hypothesis import assume, given, settings

from proof.both_forms import context, single
from proof.random_knowledge import FACTS, SETTINGS, built, policy, seeds, statements
from proof.small import example
from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from setpoint.compiler.policies.coverage import exercised_by
from setpoint.compiler.proof.prove import prove
from setpoint.compiler.resolution.decided import solve
from setpoint.compiler.resolution.ground import ground
from support.effort import examples

SHOWN = {"K01": "E0303", "K03": "E0301", "K06": "E0303"}
"""What the compiler must find in the policy that a finding shows."""


def proven(seed: int) -> tuple[Knowledge, list[Diagnostic]]:
    """A knowledge base and what the checks find in it."""
    knowledge = built(statements(seed))
    assume(knowledge is not None)
    assert knowledge is not None
    return knowledge, list(prove(knowledge).findings)


def every_context(knowledge: Knowledge, sets: dict[str, str]) -> list[Context]:
    """Every policy on the facts that sets just this, where it can."""
    found = []
    for values in product(*(("", *FACTS[name]) if name != "goal" else FACTS[name] for name in FACTS)):
        facts = {name: value for name, value in zip(FACTS, values, strict=True) if value}
        one = context(knowledge, facts, sets)
        if one is not None and set(sets) <= set(ground(knowledge, one).domains):
            found.append(one)
    return found


@given(seeds)
@settings(max_examples=examples(60), deadline=None)
def test_example_policies_demonstrate_their_findings(seed: int) -> None:
    knowledge, found = proven(seed)
    for finding in found:
        shown = [note for note in finding.notes if note.startswith("for example: ")]
        if shown and finding.code in SHOWN and "conflicting offers" not in finding.message:
            (done,) = planned(program_of_text(example(finding)), knowledge)
            assert SHOWN[finding.code] in {d.code for d in done.findings}, finding
        if shown and finding.code == "K02":
            (done,) = planned(program_of_text(example(finding)), knowledge)
            if done.plan is None:
                continue  # another setting ties
            setting = finding.message.split("`")[1]
            decision = done.plan.setting(setting)
            assert decision is not None
            assert decision.origin in ("default", "forced", "preset")
            assert decision.value != decision.default


@given(seeds)
@settings(max_examples=examples(25), deadline=None)
def test_the_rules_that_no_policy_cites_are_those_found_dead(seed: int) -> None:
    """All policies that set nothing or one value are tried; for a rule that none of them cites, those that set two."""
    knowledge, found = proven(seed)
    dead = {d.message.split("`")[1] for d in found if d.code == "K04"}
    values = [(name, value) for name, (_, values) in SETTINGS.items() for value in values]
    cited: set[str] = set()
    for sets in ({}, *({name: value} for name, value in values)):
        cited |= _cited(knowledge, sets)
    assert not dead & cited
    if any(d.code == "K03" for d in found):
        return  # where the facts leave nothing to decide, no rule of any part is cited
    retired = {source.supersedes for source in knowledge.sources.values()}
    left = {r.name for r in knowledge.rules if r.citation.source not in retired} - cited - dead
    for a, b in combinations(values, 2):
        if left and a[0] != b[0]:
            left -= _cited(knowledge, dict((a, b)))
    assert not left


def _cited(knowledge: Knowledge, sets: dict[str, str]) -> set[str]:
    """The rules that some policy cites which sets just this, for settings that it leaves open."""
    return {
        name
        for one in every_context(knowledge, sets)
        for name in _decided_by_rules(knowledge, one, set(sets))
    }


def _decided_by_rules(knowledge: Knowledge, one: Context, pinned: set[str]) -> set[str]:
    """The rules that a plan cites for settings that the policy leaves to it."""
    try:
        solution = solve(knowledge, one)
    except SetpointError:
        return set()
    return {
        p.rule.name for name, choice in solution.choices.items() if name not in pinned for p in choice.winners
    }


@given(seeds)
@settings(max_examples=examples(40), deadline=None)
def test_idle_statements_can_be_removed(seed: int) -> None:
    """Without an idle constraint every policy ends as before."""
    knowledge, found = proven(seed)
    idle = [d.message.split("`")[1] for d in found if d.code == "K09" and d.message.startswith("constraint")]
    for name in idle[:1]:
        without = knowledge._replace(constraints=tuple(c for c in knowledge.constraints if c.name != name))
        random = Random(seed)
        for _ in range(20):
            one = context(knowledge, *policy(random, most_sets=3))
            if one is not None:
                assert single(without, one) == single(knowledge, one)


@given(seeds)
@settings(max_examples=examples(40), deadline=None)
def test_what_policies_exercise_is_what_the_proof_calls_alive(seed: int) -> None:
    knowledge, found = proven(seed)
    dead = {d.message.split("`")[1] for d in found if d.code == "K04"}
    random = Random(seed)
    for _ in range(10):
        one = context(knowledge, *policy(random, most_sets=1))
        if one is not None and not one.sets:
            assert not exercised_by(knowledge, one).rules & dead
