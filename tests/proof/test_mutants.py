"""A slip of the hand in the standard library does not pass: who catches which share of them.

Mutants are asked of `kb check`, and those that it lets through of the suites that hold the knowledge base against the
papers. Mutants that change nothing at all (an `exception` that narrowness makes needless, say) are not counted.
`mutants.txt` has the fate of some of each kind; here a few of these are tried again. More of them:

    MUTANTS=25 pytest tests/proof/test_mutants.py --update

tries 25 of each kind and writes down what came of them.
"""

import json
import os
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from proof.ledger import ledger
from proof.mutants import Mutant, mutants, sample
from proof.suites import run_suites
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.load import standard, trees
from setpoint.compiler.proof.prove import asked_of
from setpoint.compiler.proof.world import Worlds

FATES = Path(__file__).with_name("mutants.txt")
TRIED = 2
"""How many of each kind are tried, unless `MUTANTS` says otherwise."""

PROOF, SUITE, SURVIVES, NOTHING = "kb check", "suites", "survives", "changes nothing"

LEAST = 0.95
"""The share of mutants that is caught, at least."""


class Fate(NamedTuple):
    """What came of a mutant; a line of the file."""

    kind: str
    name: str
    fate: str


def recorded() -> list[Fate]:
    """The fates in the file."""
    lines = FATES.read_text(encoding="utf-8").splitlines()
    return [Fate(*line.split("\t")) for line in lines if not line.startswith("#")]


@pytest.fixture(scope="module")
def every_mutant() -> list[Mutant]:
    return list(mutants(trees(), standard()))


def test_slips_in_the_standard_library_are_caught(
    every_mutant: list[Mutant], tmp_path: Path, update: bool
) -> None:
    tried = sample(every_mutant, int(os.environ.get("MUTANTS", TRIED)))
    unchanged = ledger(Worlds(standard()))
    came = {mutant.name: by_proof(mutant, unchanged) for mutant in tried}
    came |= by_suites([name for name, fate in came.items() if fate == SURVIVES], tmp_path)
    found = [Fate(mutant.kind, mutant.name, came[mutant.name]) for mutant in tried]
    if update:
        write(found, {mutant.name for mutant in every_mutant})
    known = {fate.name: fate for fate in recorded()}
    assert found == [known.get(fate.name) for fate in found], "run --update and read the diff"


def test_the_share_of_slips_that_is_caught_does_not_fall(every_mutant: list[Mutant]) -> None:
    fates = recorded()
    assert {fate.name for fate in fates} <= {mutant.name for mutant in every_mutant}, "run --update"
    counted = [fate for fate in fates if fate.fate != NOTHING]
    caught = [fate for fate in counted if fate.fate != SURVIVES]
    assert len(caught) >= LEAST * len(counted)


def write(found: list[Fate], names: set[str]) -> None:
    """Put these fates into the file, and drop what is no mutant any more."""
    fates = {fate.name: fate for fate in recorded() if fate.name in names} | {f.name: f for f in found}
    lines = sorted(fates.values())
    number = Counter(fate.fate for fate in lines)
    total = len(lines) - number[NOTHING]
    head = (
        f"# {total} small changes to the standard library: {number[PROOF]} caught by kb check, {number[SUITE]} more\n"
        f"# by the suites, {number[SURVIVES]} by neither. {number[NOTHING]} others change nothing at all.\n"
    )
    FATES.write_text(head + "".join("\t".join(fate) + "\n" for fate in lines), encoding="utf-8")


def by_proof(mutant: Mutant, unchanged: frozenset[str]) -> str:
    """Whether `kb check` finds something in a mutant, or cannot even build it; or whether it changes nothing."""
    try:
        worlds = Worlds(mutant.knowledge())
    except SetpointError:
        return PROOF
    if asked_of(worlds).findings:
        return PROOF
    return NOTHING if ledger(worlds) == unchanged else SURVIVES


def by_suites(names: list[str], folder: Path) -> dict[str, str]:
    """For each of these mutants whether a test of the suites fails on it."""
    asked = folder / "mutants.json"
    asked.write_text(json.dumps(names), encoding="utf-8")
    said = run_suites("proof.mutation_plugin", ASKED=str(asked))
    outcome = asked.with_suffix(".outcome")
    assert outcome.is_file(), said
    killers: dict[str, str] = json.loads(outcome.read_text(encoding="utf-8"))
    return {name: SUITE if killer else SURVIVES for name, killer in killers.items()}
