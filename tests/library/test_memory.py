"""Slips in the library are found with a memory of it as without one (`proof.reference`)."""

from proof.mutants import mutants, sample
from proof.reference import agrees

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.load import standard, trees
from support.proven import library_memory

MUTANTS = 1
"""How many slips in the library are tried; `--complete` tries one of each kind."""


def test_slips_in_the_library_are_found_as_without_a_memory(complete: bool) -> None:
    candidates = sample(list(mutants(trees(), standard())), 1)
    tried = candidates if complete else candidates[:: -(-len(candidates) // MUTANTS)]
    built_ones = 0
    for mutant in tried:
        try:
            changed = mutant.knowledge()
        except SetpointError:
            continue
        built_ones += 1
        agrees(changed, library_memory())
    assert built_ones >= MUTANTS
