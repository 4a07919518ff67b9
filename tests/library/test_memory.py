"""Slips in the library are found with a memory of it as without one (`proof.reference`)."""

import pytest
from proof.mutants import mutants, sample
from proof.reference import agrees

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.load import standard, trees
from support.proven import library_memory

LEAST = 10
"""How many slips can be built at least, of one of each kind."""


@pytest.mark.repeated
def test_slips_in_the_library_are_found_as_without_a_memory() -> None:
    """By default those in knowledge at random are enough: `proof.test_memory`."""
    built_ones = 0
    for mutant in sample(list(mutants(trees(), standard())), 1):
        try:
            changed = mutant.knowledge()
        except SetpointError:
            continue
        built_ones += 1
        agrees(changed, library_memory())
    assert built_ones >= LEAST
