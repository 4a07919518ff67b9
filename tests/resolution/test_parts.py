"""A plan by parts is the plan from nothing, in all its fields: values, reasons, places, notes, and the choices behind
them."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from knowledge.test_every_context import GOALS, SERVERS, WORKLOADS
from meaning import comparison, compiled

from setpoint.compiler.binding.context import Context, bind
from setpoint.compiler.binding.levels import subjects
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge import stored
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.stored import StoredKnowledge
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.language.syntax import Reason
from setpoint.compiler.resolution.decided import ApartError, decided_from_nothing
from setpoint.compiler.resolution.memory import KnownParts
from setpoint.compiler.resolution.resolve import _Base, plan_of
from support.effort import examples
from support.policies import Draft, policies, quarrels, vocabulary

SETS = ("", "smt off", "c-states on", "turbo off", "busy-poll 77us", "numa-balancing off", "base-profile powersave",
        "swappiness 10")  # fmt: skip
"""What sites set beside what is recommended."""


def context_of(text: str) -> Context:
    """The context of a policy text."""
    (subject,) = subjects(program_of_text(text).body, "p", vocabulary().required)
    return bind(subject, vocabulary())


def on_every_server() -> Iterator[str]:
    """Policies for each server with each of its systems: each goal in turn, each workload in turn, and each of the
    `set`s."""
    drawn = Random(1)
    for server, systems in SERVERS.items():
        for os, (goal, workload), what in product(systems, zip(GOALS * 2, WORKLOADS, strict=False), SETS):
            if drawn.random() < 0.11:
                said = [
                    f"goal {goal}",
                    server,
                    f"workload {workload}" * bool(workload),
                    f"os {os}" * bool(os),
                ]
                said.append(f'set {what} because "ticket {drawn.random()}"' * bool(what))
                yield "; ".join(filter(None, said)) + ";"


def compared(knowledge: Knowledge, contexts: Iterable[Context], parts: KnownParts | None = None) -> int:
    """How many contexts have a plan by parts, which is the one from nothing. All others have no plan at all, or are
    hard to decide."""
    parts, found = parts or KnownParts(knowledge), 0
    for context in contexts:
        try:
            from_nothing = decided_from_nothing(knowledge, context)
        except SetpointError:
            with pytest.raises(ApartError):
                parts.decided(context)
            continue
        try:
            by_parts = parts.decided(context)
        except ApartError:
            continue
        assert list(by_parts.choices) == list(from_nothing.choices)
        assert by_parts.choices == from_nothing.choices
        for statement in context.sets:
            assert by_parts.without(statement) == from_nothing.without(statement)
        assert plan_of(knowledge, context, by_parts) == plan_of(knowledge, context, from_nothing)
        found += 1
    return found


def drawn(both: comparison.Both, seed: int, servers: tuple[str, ...] = ()) -> Iterator[Context]:
    """Contexts at random that state the same facts. Each `set` has a reason and a place of its own."""
    for number, policy in enumerate(both.drawn(Random(seed), servers)):
        prepared = compiled.prepare(both.compiler, policy.facts)
        if not isinstance(prepared, str):
            context = compiled.context_of(prepared, policy)
            sets = (s._replace(because=Reason(f"for {number}", span=NOWHERE)) for s in context.sets)
            # What an earlier bundle wrote is written again.
            before = [name for name in both.compiler.settings if number % 2]
            yield context._replace(sets=tuple(sets), before=frozenset(before[::3]))


# ---------------------------------------------------------------------------------- it is the same plan


def test_the_policies_of_sites_have_the_same_plans() -> None:
    texts = list(on_every_server())
    assert len(texts) > 300
    contexts = []
    for text in texts:
        try:
            contexts.append(context_of(text))
        except SetpointError:
            continue  # the facts contradict each other
    assert compared(vocabulary(), contexts) > 250


def test_parts_of_some_servers_make_the_same_plans() -> None:
    """Of a large library the parts are those of the servers that were asked for, until others are."""
    knowledge = standard()
    contexts = []
    for text in list(on_every_server())[::12]:
        with suppress(SetpointError):
            contexts.append(context_of(text))
    values: dict[str, int] = dict.fromkeys(("platform", "cpu", "workload"), 0)
    for context in contexts[::2]:
        bits = context.bits(knowledge)
        values = {name: of_all | bits[name] for name, of_all in values.items()}
    parts = KnownParts(knowledge, values)
    assert len(parts.statements.rules) < len(knowledge.rules)
    its = [each for each in contexts if parts.are_of(each.bits(knowledge))]
    assert contexts[::2] == [each for each in contexts[::2] if each in its]
    assert compared(knowledge, its, parts) > len(its) / 2
    assert len(its) < len(contexts)


def test_parts_are_found_again_for_more_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four plans come from nothing, then eight of other servers, then sixteen."""
    monkeypatch.setattr(stored, "READ_WHOLE", 0)
    knowledge = _fresh()
    servers = [context_of(f"goal latency; platform {name};") for name in ("r640", "r740", "c6420")]
    base = _Base(knowledge)
    are_there = [base.parts(servers[0]) is not None for _ in range(6)]
    assert are_there == [False] * 4 + [True] * 2
    are_there = [base.parts(servers[1]) is not None for _ in range(10)]
    assert are_there == [False] * 8 + [True] * 2
    found = base.parts(servers[0])
    assert found is base.parts(servers[1]) and found is not None
    assert base.parts(servers[2]) is None


def _fresh() -> StoredKnowledge:
    """The standard library, as if nobody had asked for any of it."""
    known = standard()
    assert isinstance(known, StoredKnowledge)
    return StoredKnowledge(known._frame, known._places, known._count, known._section, known._aside)


def test_policies_at_random_have_the_same_plans() -> None:
    both, found = comparison.library(), 0
    parts = KnownParts(both.compiler)
    for seed in range(examples(80)):
        found += compared(both.compiler, drawn(both, seed, comparison.SERVERS), parts)
    assert found > 100


def test_policies_have_the_same_plans_on_knowledge_at_random() -> None:
    found = 0
    for seed in range(examples(160)):
        if (both := comparison.knowledge_of(seed)) is not None:
            found += compared(both.compiler, drawn(both, seed))
    assert found > 50


@given(policies() | quarrels())
@settings(max_examples=examples(60), deadline=None)
def test_what_differs_slightly_has_the_same_plans(draft: Draft) -> None:
    """One statement less at a time, so that most parts are remembered, with the words of others."""
    variants = [draft, *(draft.without(each) for each in draft.statements)]
    contexts = []
    for each in variants:
        try:
            contexts.append(context_of(each.text))
        except SetpointError:
            continue
    compared(vocabulary(), contexts, _PARTS)


_PARTS = KnownParts(vocabulary())
