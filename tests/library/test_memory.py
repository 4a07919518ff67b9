"""Slips in the library are found with a memory of it as without one (`proof.reference`)."""

import pytest
from proof.mutants import mutants, sample
from proof.reference import agrees

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.load import standard, trees
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.proof.memory import Memory
from setpoint.compiler.proof.prove import Proving

MUTANTS = 2
"""How many slips in the library are tried; `--complete` tries one of each kind."""


@pytest.fixture(scope="module")
def of_library(knowledge: Knowledge) -> Memory:
    """A memory that has seen the library."""
    memory = Memory()
    Proving(knowledge, memory).parts()
    return memory


def test_slips_in_the_library_are_found_as_without_a_memory(of_library: Memory, complete: bool) -> None:
    candidates = sample(list(mutants(trees(), standard())), 1)
    tried = candidates if complete else candidates[:: -(-len(candidates) // MUTANTS)]
    built_ones = 0
    for mutant in tried:
        try:
            changed = mutant.knowledge()
        except SetpointError:
            continue
        built_ones += 1
        agrees(changed, of_library)
    assert built_ones >= MUTANTS
