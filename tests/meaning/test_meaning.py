"""The compiler agrees with the second implementation, which does not use the compiler and detects its faults.

The long runs are `python -m meaning`, as `docs/implementation.md` says.
"""

import ast
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from meaning import compiled
from meaning.comparison import (
    SERVERS,
    Both,
    difference,
    knowledge_of,
    library,
    random_knowledge_bases,
    standard_library,
)
from meaning.knowledge import Knowledge
from meaning.plan import Meaning, Policy
from meaning.policies import text
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.load import trees
from setpoint.compiler.language.syntax import Block, File, Statement
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.resolution.resolve import resolve

MEANING = (
    "advice",
    "conditions",
    "facts",
    "knowledge",
    "numbers",
    "offers",
    "plan",
    "possible",
    "presets",
    "scope",
)
"""The modules that restate the manual."""

OF_EACH_CONTEXT = 4
"""How many of the policies that state the same facts are compared where a fault is to be detected: most show by the
facts alone."""


@pytest.mark.parametrize("module", MEANING)
def test_it_shares_nothing_with_the_compiler_but_the_forms_of_the_syntax(module: str) -> None:
    tree = ast.parse(Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8"))
    imported = {
        f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    } | {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    foreign = {name for name in imported if name.startswith("setpoint")}
    assert foreign <= {
        "setpoint.compiler.language.syntax",
        "setpoint.compiler.language.syntax.ObservationStatement",
    }


def test_the_settings_are_decided_in_the_same_order() -> None:
    both = library()
    positions = {name: setting.position for name, setting in both.compiler.settings.items()}
    assert list(both.meaning.sequence) == sorted(positions, key=positions.__getitem__)


def test_they_agree_on_the_standard_library() -> None:
    tally = standard_library(range(60))
    assert not tally.disagreements, "\n".join(tally.disagreements)
    assert tally.outcomes["a plan"] > tally.policies / 3


def test_they_agree_on_knowledge_at_random() -> None:
    tally = random_knowledge_bases(range(25))
    assert not tally.disagreements, "\n".join(tally.disagreements)
    assert tally.outcomes["a plan"] > tally.policies / 4
    assert len(tally.outcomes) > 5


def test_the_stages_are_compared_as_resolving_runs_them() -> None:
    compared = 0
    both = library()
    for seed in range(24):
        for policy in both.drawn(Random(seed), SERVERS)[:3]:
            prepared = compiled.prepare(both.compiler, policy.facts)
            if isinstance(prepared, str):
                continue
            result = compiled.decide(both.compiler, prepared, policy)
            try:
                judged = judge(resolve(both.compiler, compiled.context_of(prepared, policy)))
            except SetpointError as error:
                assert {d.code for d in error.diagnostics if d.severity == "error"} <= result.errors
                continue
            assert {d.code for d in judged.diagnostics.errors} == result.errors
            assert {d.setting: compiled.converted(d) for d in judged.plan.settings} == result.settings
            assert compiled.hazards_in(judged) == result.hazards
            compared += 1
    assert compared > 10


# ------------------------------------------------------------------------- what it would not leave unseen


def _without(key: str) -> Callable[[Block], Block]:
    """Take a field out of every block that has it."""

    def change(block: Block) -> Block:
        return block._replace(fields=tuple(field for field in block.fields if field.key != key))

    return change


@pytest.mark.parametrize(
    ("changed", "seeds"),
    [
        (_without("scope"), 160),
        (_without("follows"), 20),
        (_without("exception"), 200),
        (_without("implies"), 20),
        (_without("allows"), 80),
    ],
)
def test_a_fault_in_reading_knowledge_is_detected(changed: Callable[[Block], Block], seeds: int) -> None:
    """Both forms of the compiler share these faults, so comparing them with each other would not show them."""
    both = misread(changed)
    drawn = (both.drawn(Random(seed), SERVERS)[:OF_EACH_CONTEXT] for seed in range(seeds))
    decided = (both.decide(policies) for policies in drawn if policies)
    assert any(tuple(difference(ours, theirs)) for results in decided for _, ours, theirs in results)


@pytest.mark.parametrize(
    ("key", "policy"),
    [
        ("related", Policy({"goal": "throughput", "platform": "sys-821ge-tnhr", "workload": "oltp"})),
        ("supersedes", Policy({"goal": "efficiency", "cpu": "x5570"})),
    ],
)
def test_a_fault_that_policies_at_random_seldom_show_is_detected(key: str, policy: Policy) -> None:
    """The strongest advice is the same, or few servers are concerned."""
    assert not [*library().differences(policy)]
    assert [*misread(_without(key)).differences(policy)]


def misread(changed: Callable[[Block], Block]) -> Both:
    """The library, of which the second form of the meaning reads some blocks otherwise."""

    def one(statement: Statement) -> Statement:
        return changed(statement) if isinstance(statement, Block) else statement

    faulty = [File(file.name, tuple(map(one, file.body))) for file in trees()]
    return Both(Meaning(Knowledge(faulty)), library().compiler)


def test_a_disagreement_is_shown_as_a_minimal_policy() -> None:
    both = knowledge_of(3)
    assert both is not None
    policy = Policy({"goal": "fast"}, {"a": "on"}, frozenset({"h0"}), manage=True, required="vendor")
    assert text(policy) == (
        'goal fast; set a on because "drawn"; accept h0 because "drawn"; manage all; '
        'require strength vendor because "drawn";'
    )
