"""Contexts are counted by equivalence classes; on small knowledge bases they are also counted one by one.

Two contexts differ by what is known, or by what is known before anything is assumed of a fact that an assumption about
unlinked facts asks for: the server that a policy states and the same server that is assumed may leave other facts to be
assumed.
"""

from collections.abc import Mapping
from itertools import product
from random import Random

from hypothesis import assume, given, settings

from proof.both_forms import context, numbers_of
from proof.random_knowledge import FACTS, SETTINGS, WORDS, built, seeds, statements, when
from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.load import with_site
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.parse import parse
from setpoint.compiler.proof.analysis import Analyses
from setpoint.compiler.proof.combinations import BEFORE
from setpoint.compiler.proof.prove import prove
from setpoint.compiler.proof.situations import count_contexts
from support.effort import examples

Known = tuple[tuple[str, str], ...]


def every_context(
    knowledge: Knowledge, words: Mapping[str, tuple[str, ...]] = FACTS
) -> set[tuple[Known, Known]]:
    """What is known in each context that some policy states, and what before anything is assumed of the facts that
    count."""
    groups = Analyses(knowledge).groups
    asked = {
        column.removesuffix(BEFORE) for group in groups for column in set(group.columns) - {*group.facts}
    }
    bare = knowledge._replace(assumptions=())
    found = set()
    for values in product(*(("", *words[name]) if name != "goal" else words[name] for name in words)):
        stated = {n: v for n, v in zip(words, values, strict=True) if v}
        one, before = context(knowledge, stated, {}), context(bare, stated, {})
        if one is not None and before is not None:
            found.add((known(one), tuple(each for each in known(before) if each[0] in asked)))
    return found


def known(one: Context) -> Known:
    """The facts of a context."""
    return tuple(sorted((name, entry.value) for name, entry in one.facts.items()))


def test_assumed_facts_are_enumerated_as_assumed() -> None:
    """A stated `site` implies `fans`, an assumed one does not: so they differ, although no rule reads it."""
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
    assert count_contexts((knowledge,), Analyses(knowledge).groups) == len(every_context(knowledge))


def test_contexts_are_counted_where_nothing_is_to_be_decided() -> None:
    knowledge = build(
        [
            LayeredFile(
                parse(SourceText("facts.tune", 'fact goal { title "Goal"; values fast, cool; }')), "stdlib"
            )
        ]
    )
    assert prove(knowledge).statistics.contexts == 3


def assert_situations_have_contexts(knowledge: Knowledge, analyses: Analyses, number: int) -> None:
    """All contexts are counted, and each situation is found again by a context of it."""
    assert count_contexts((knowledge,), analyses.groups) == number
    for component in analyses.components:
        space = analyses.of(component).space
        assert {space.contexts(space.scope((name,))) for name in component.own} == {number}
        for i, situation in enumerate(space.situations):
            one = context(knowledge, dict(situation.stated), {})
            assert one is not None
            assert i in numbers_of(analyses, component, one)


def assumptions(random: Random) -> list[str]:
    """Up to four assumptions, of any facts but the one that must be stated, that hang on any facts, assumed ones
    too."""
    found = []
    for _ in range(random.randint(1, 4)):
        fact = random.choice([name for name in FACTS if name != "goal"])
        others = random.sample([*FACTS], random.randint(0, 2))
        asked = [f"{name} {random.choice(('', 'not '))}{random.choice(FACTS[name])}" for name in others]
        found.append(f'assume {fact} {random.choice(FACTS[fact])} {when(asked)} because "usual";')
    return found


@given(seeds)
@settings(max_examples=examples(80), deadline=None)
def test_every_context_is_counted_once_whatever_is_assumed(seed: int) -> None:
    knowledge = built([*statements(seed), *assumptions(Random(seed))])
    assume(knowledge is not None)
    assert knowledge is not None
    analyses = Analyses(knowledge)
    assert_situations_have_contexts(knowledge, analyses, len(every_context(knowledge)))


def exclusions(random: Random) -> list[str]:
    """A model, a site and fans that go with some values of other facts only, or imply some."""
    found = []
    for fact in ("model", "site", "fans"):
        said = []
        for name in random.sample([name for name in FACTS if name != fact], random.randint(1, 3)):
            value = random.choice(FACTS[name])
            said.append(f"{random.choice(('allows', 'allows', 'implies'))} {name} {value};")
        found.append(f'{fact} {fact}-x {{ title "X"; {" ".join(said)} }}')
    return found


@given(seeds)
@settings(max_examples=examples(80), deadline=None)
def test_every_context_is_counted_once_whatever_excludes_what(seed: int) -> None:
    random = Random(seed)
    knowledge = built([*statements(seed), *exclusions(random), *assumptions(random)])
    assume(knowledge is not None)
    assert knowledge is not None
    analyses = Analyses(knowledge)
    values = {name: tuple(knowledge.variables[name].values) for name in FACTS}
    assert_situations_have_contexts(knowledge, analyses, len(every_context(knowledge, values)))


@given(seeds)
@settings(max_examples=examples(80), deadline=None)
def test_every_context_is_counted_once(seed: int) -> None:
    knowledge = built(statements(seed))
    assume(knowledge is not None)
    assert knowledge is not None
    analyses = Analyses(knowledge)
    number = len(every_context(knowledge))
    assert count_contexts((knowledge,), analyses.groups) == number
    for component in analyses.components:
        space = analyses.of(component).space
        assert space.all_contexts() == number
        assert {space.contexts(space.scope((name,))) for name in component.own} == {number}


def test_assumptions_that_hang_on_many_facts_are_still_few_combinations(knowledge: Knowledge) -> None:
    """What is assumed of one fact for each value of others does not multiply these."""
    others = (
        "platform poweredge-11g",
        "platform poweredge-14g, goal throughput",
        "goal latency",
        "cpu skylake",
    )
    site = [
        f'assume {fact} {value} when {condition} because "usual";'
        for fact, value in (("interconnect", "infiniband"), ("workload", "hpc"), ("memory-need", "all"))
        for condition in others
    ]
    with_all = with_site([parse(SourceText("site.tune", "\n".join(site)))])
    of_all = [sum(len(v.combinations) for v in g.variants.values()) for g in Analyses(with_all).groups]
    of_library = [sum(len(v.combinations) for v in g.variants.values()) for g in Analyses(knowledge).groups]
    assert sum(of_all) < 1.1 * sum(of_library)
