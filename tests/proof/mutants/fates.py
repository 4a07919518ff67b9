"""`mutants.txt`, the ledger of all mutants that have been tried: for each kind how many, how many are caught, and by
what.

Below a kind stands a line for each fate with the digests of its mutants' names, by which nobody has to try them again.
The names would be twelve thousand lines, which nobody reads. A survivor is for people: it has its name, and its reason
from `unnoticed.txt`, whose lines have the beginning of a name and, after a tab, the reason. That file is written by
hand.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from proof.mutants.trial import BUILD, NOTHING, PROOF, SUITE, SURVIVES

LEDGER = Path(__file__).parents[1] / "mutants.txt"
REASONS = Path(__file__).with_name("unnoticed.txt")

FATES = (SUITE, PROOF, BUILD, NOTHING)
"""The fates of which the ledger has digests."""

LENGTH = 10
"""How many digits a digest has: among a hundred thousand names, two with one digest are a matter of one in two
hundred."""


class Fate(NamedTuple):
    """The result for a mutant: its kind, the digest of its name, or its name if it survives, and what came of it."""

    kind: str
    mutant: str
    fate: str


def digest(name: str) -> str:
    """What the ledger has for the name of a mutant."""
    return sha256(name.encode()).hexdigest()[:LENGTH]


def recorded(ledger: Path = LEDGER) -> list[Fate]:
    """The fates in a ledger."""
    found, kind = [], ""
    for line in ledger.read_text(encoding="utf-8").splitlines() if ledger.exists() else ():
        fate, _, its = line.strip().partition(": ")
        if line.startswith(f"  {SURVIVES}: "):
            found.append(Fate(kind, its.partition("\t")[0], SURVIVES))
        elif line.startswith("  "):
            found += [Fate(kind, each, fate) for each in its.split()]
        elif not line.startswith("#"):
            kind = fate
    return found


def write(fates: Iterable[Fate], every: int, ledger: Path = LEDGER) -> None:
    """Write a ledger: sorted by kind, with a reason for each survivor; `every` is how many mutants exist."""
    fates = sorted(fates)
    its: dict[str, dict[str, list[str]]] = {}
    for each in fates:
        its.setdefault(each.kind, {}).setdefault(each.fate, []).append(each.mutant)
    lines = [*_head(fates, every), *(line for kind, of_kind in its.items() for line in _lines(kind, of_kind))]
    ledger.write_text("\n".join(lines) + "\n", encoding="utf-8")


def reason_of(name: str) -> str:
    """Why a mutant survives, according to `unnoticed.txt`; "" if there is no reason yet."""
    lines = REASONS.read_text(encoding="utf-8").splitlines() if REASONS.exists() else []
    reasons = (line.split("\t") for line in lines if "\t" in line and not line.startswith("#"))
    return next((reason for start, reason in reasons if name.startswith(start)), "")


def score(fates: Iterable[Fate]) -> tuple[int, int]:
    """How many of the mutants that change something are caught, and how many there are."""
    counted = [fate for fate in fates if fate.fate != NOTHING]
    return sum(fate.fate != SURVIVES for fate in counted), len(counted)


def _head(fates: Collection[Fate], every: int) -> Iterator[str]:
    caught, total = score(fates)
    number = {fate: sum(each.fate == fate for each in fates) for fate in FATES}
    yield f"# Of {every} small changes to the standard library {len(fates)} have been tried (make mutants)."
    yield f"# {number[NOTHING]} of them change nothing. Of the other {total} are caught: {caught}"
    yield f"# (suites {number[SUITE]}, kb check {number[PROOF]}, no knowledge base any more {number[BUILD]})."


def _lines(kind: str, its: Mapping[str, list[str]]) -> Iterator[str]:
    """The lines of a kind: its score, the digests of its mutants by fate, and its survivors by name."""
    changing = sum(len(names) for fate, names in its.items() if fate != NOTHING)
    survivors = its.get(SURVIVES, [])
    yield f"{kind}: {changing - len(survivors)} of {changing} caught"
    yield from (f"  {fate}: {' '.join(sorted(its[fate]))}" for fate in FATES if fate in its)
    yield from (f"  {SURVIVES}: {name}\t{reason_of(name)}".rstrip() for name in survivors)
