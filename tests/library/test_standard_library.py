"""The standard library is proven: there is no finding in any context that a policy can state."""

import pytest
from proof.both_forms import context

from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.results import Proof
from setpoint.compiler.proof.extract import Fingerprints
from setpoint.compiler.proof.prove import prove
from support.proven import library_memory


@pytest.fixture(scope="module")
def proof(knowledge: Knowledge) -> Proof:
    return prove(knowledge, library_memory())


def test_nothing_is_found(proof: Proof) -> None:
    assert [(d.code, d.message, *d.notes) for d in proof.findings] == []


def test_it_goes_through_every_part_and_every_set(knowledge: Knowledge, proof: Proof) -> None:
    figures = proof.statistics
    assert figures.settings == len(knowledge.settings)
    assert figures.contexts > 10**11
    assert figures.situations > 5_000
    assert figures.plans > 10_000
    assert figures.conflicts > 100


def test_the_statements_of_a_combination_lead_to_it(knowledge: Knowledge) -> None:
    """Stating all known facts of a combination has the same result as the few statements shown for it."""
    groups = library_memory().groups(knowledge, Fingerprints(knowledge).facts)
    group = max(groups, key=lambda group: len(group.facts))
    # What is assumed of other facts, as of the system, makes the conditions on these true.
    variant = group.variants[tuple(True for _ in group.outside_conditions)]
    for (values,), combination in list(variant.combinations.items())[::50]:
        # What a fact was before assumptions is known of it, too, and cannot be stated.
        columns = zip(group.columns, values, strict=True)
        known = {fact: value for fact, value in columns if value and fact in knowledge.kinds}
        few = context(knowledge, dict(combination.stated), {})
        all_ = context(knowledge, known, {})
        assert few is not None
        assert all_ is not None
        assert {n: e.value for n, e in few.facts.items() if n in group.facts} == known
        assert {n: e.value for n, e in all_.facts.items() if n in group.facts} == known
