"""`mutants.txt`, the ledger of all mutants: one line each, and the score of each kind at its head.

`unnoticed.txt` beside it gives the reason for each survivor: a line has the beginning of a name and, after a tab, the
reason, which the ledger repeats. It is written by hand.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from proof.mutants.trial import BUILD, NOTHING, PROOF, SUITE, SURVIVES

LEDGER = Path(__file__).parents[1] / "mutants.txt"
REASONS = Path(__file__).with_name("unnoticed.txt")


class Fate(NamedTuple):
    """The result for a mutant, a line of the file. `reason` is why it survives."""

    kind: str
    name: str
    fate: str
    reason: str = ""


def recorded() -> list[Fate]:
    """The fates in the ledger."""
    lines = LEDGER.read_text(encoding="utf-8").splitlines() if LEDGER.exists() else []
    return [Fate(*line.split("\t")) for line in lines if not line.startswith("#")]


def write(fates: Iterable[Fate], every: int) -> None:
    """Write the ledger: sorted, with the scores at its head and a reason with each survivor; `every` is how many exist."""
    lines = sorted(fate._replace(reason=reason_of(fate)) for fate in fates)
    body = ("\t".join(fate).rstrip("\t") for fate in lines)
    LEDGER.write_text("\n".join([*_head(lines, every), *body]) + "\n", encoding="utf-8")


def reason_of(fate: Fate) -> str:
    """Why a mutant survives, according to `unnoticed.txt`; "" if it does not survive, or there is no reason yet."""
    if fate.fate != SURVIVES:
        return ""
    return next((reason for start, reason in reasons() if fate.name.startswith(start)), "")


def reasons() -> list[tuple[str, str]]:
    """The lines of `unnoticed.txt`: how names begin, and the reason."""
    lines = REASONS.read_text(encoding="utf-8").splitlines() if REASONS.exists() else []
    return [(start, reason) for start, _, reason in (line.partition("\t") for line in lines) if reason]


def score(fates: Iterable[Fate]) -> tuple[int, int]:
    """How many of the mutants that change something are caught, and how many there are."""
    counted = [fate for fate in fates if fate.fate != NOTHING]
    return sum(fate.fate != SURVIVES for fate in counted), len(counted)


def _head(fates: list[Fate], every: int) -> Iterator[str]:
    caught, total = score(fates)
    number = Counter(fate.fate for fate in fates)
    yield f"# Of {every} small changes to the standard library {len(fates)} have been tried (make mutants)."
    yield f"# {number[NOTHING]} of them change nothing. Of the other {total} are caught: {caught}"
    yield f"# (suites {number[SUITE]}, kb check {number[PROOF]}, no knowledge base any more {number[BUILD]})."
    yield "#"
    yield "# kind, caught of tried, where not all: how many survive"
    for kind in sorted({fate.kind for fate in fates}):
        caught, total = score(fate for fate in fates if fate.kind == kind)
        yield f"# {kind:<20} {caught:5} of {total:5}{f'  {total - caught:5}' if caught < total else ''}"
