"""Mistakes in the standard library are caught.

`mutants.txt` records for each small change to the library whether a test or `kb check` notices it; `make mutants` tries
all of them, which takes long. Here a fixed sample is tried again, and the score in the ledger must not fall.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from proof.mutants import Mutant, mutants, sample
from proof.mutants.fates import Fate, digest, reason_of, recorded, score, write
from proof.mutants.trial import NOTHING, SURVIVES
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.load import standard, trees
from support.command import ROOT

LEAST = 0.99
"""The share of the mutants tried that is caught, at least."""

TRIED = 3
"""How many mutants the sample has at most, each of another kind."""


@pytest.fixture(scope="module")
def every_mutant() -> list[Mutant]:
    return list(mutants(trees(), standard()))


def test_names_are_unique(every_mutant: list[Mutant]) -> None:
    assert len({digest(mutant.name) for mutant in every_mutant}) == len(every_mutant)


def test_a_mutant_is_another_library(every_mutant: list[Mutant]) -> None:
    for mutant in sample(every_mutant, 1):
        assert mutant.trees() != trees(), mutant.name


@pytest.mark.parametrize(
    "kind",
    ["default", "label", "menu", "preset-swap-cell", "strength", "severity", "implies", "allows", "within",
     "follows", "effect-case", "effect-otherwise", "assumed-value", "figure", "vary", "locator", "scope",
     "require-condition", "number-in-because", "number-in-note", "footnote", "date", "title", "drop-edge"],
)  # fmt: skip
def test_there_are_mutants_of_each_kind_that_makes_wrong_plans(kind: str, every_mutant: list[Mutant]) -> None:
    assert any(mutant.kind.startswith(kind) for mutant in every_mutant)


def test_an_invalid_mutant_reports_its_error(every_mutant: list[Mutant]) -> None:
    (broken,) = [m for m in every_mutant if m.name == "turbo without the value off"]
    with pytest.raises(SetpointError):
        broken.knowledge()


def test_a_sample_of_slips_meets_its_fate_again(every_mutant: list[Mutant]) -> None:
    known = {fate.mutant: fate.fate for fate in recorded() if fate.fate not in (SURVIVES, NOTHING)}
    each_kind = sample([mutant for mutant in every_mutant if digest(mutant.name) in known], 1)
    tried = each_kind[:: -(-len(each_kind) // TRIED)]
    done = subprocess.run(
        [sys.executable, "-m", "proof.mutants", "--named", *(mutant.name for mutant in tried)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / '.dev'}{os.pathsep}{ROOT / 'tests'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    shown = [line.split("\t") for line in done.stdout.splitlines()]
    found = {name: fate for fate, _, name in (line for line in shown if len(line) == 3)}
    assert found == {mutant.name: known[digest(mutant.name)] for mutant in tried}, done.stderr


def test_the_ledger_is_of_this_library(every_mutant: list[Mutant]) -> None:
    names = {name for mutant in every_mutant for name in (mutant.name, digest(mutant.name))}
    assert {fate.mutant for fate in recorded()} <= names, "run `make mutants`"


def test_a_ledger_is_read_as_it_was_written(tmp_path: Path) -> None:
    fates = [*recorded(), Fate("rule", "rule `a`: without the condition b", SURVIVES)]
    write(fates, len(fates), tmp_path / "ledger")
    assert sorted(recorded(tmp_path / "ledger")) == sorted(fates)
    assert "  survives: rule `a`: without the condition b\n" in (tmp_path / "ledger").read_text("utf-8")


def test_nearly_all_slips_are_caught_and_the_rest_has_its_reason() -> None:
    fates = recorded()
    caught, total = score(fates)
    assert caught >= LEAST * total
    assert [fate.mutant for fate in fates if fate.fate == SURVIVES and not reason_of(fate.mutant)] == []
