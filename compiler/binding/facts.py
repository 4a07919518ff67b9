"""What follows from the facts that are stated, and whether they can be together.

Facts imply facts (a model its generation, a generation its platform); what nobody stated the
knowledge base may assume. Policies have their facts completed here, and so has every combination of
facts that the proof of the knowledge base goes through: there is one meaning of *reachable*.
"""

from collections.abc import Iterable
from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import UNSTATED, Box, FactValue, Knowledge
from setpoint.compiler.plan import FactEntry


class Completed(NamedTuple):
    """The stated facts with those that follow, and what contradicts itself (E0204)."""

    facts: dict[str, FactEntry]
    errors: tuple[Diagnostic, ...]


def holds(box: Box, bits: dict[str, int]) -> bool:
    """Whether the facts of a context (or the values of a plan) lie in a box."""
    return all(bits.get(name, UNSTATED) & mask for name, mask in box)


def complete(knowledge: Knowledge, stated: dict[str, FactEntry]) -> Completed:
    """Add implied and assumed facts to those stated, and check that all can be together."""
    facts = _Facts(knowledge, dict(stated))
    facts.imply(sorted(stated))
    facts.imply(facts.assume())
    facts.check_allowed()
    return Completed(facts.known, tuple(facts.errors))


def related(knowledge: Knowledge, fact: str, a: str, b: str) -> bool:
    """Whether one of two values of a fact lies within the other, or they are the same."""
    return any(value.name == b for value in lineage(knowledge, fact, a)) or any(
        value.name == a for value in lineage(knowledge, fact, b)
    )


def lineage(knowledge: Knowledge, fact: str, value: str) -> Iterable[FactValue]:
    """A value and all that it lies within, nearest first."""
    values = knowledge.values[fact]
    at = value
    while at:
        yield values[at]
        at = values[at].within


def described(knowledge: Knowledge, entry: FactEntry) -> FactEntry:
    """The entry with its role, and with what its value lies within."""
    above = tuple(v.name for v in lineage(knowledge, entry.name, entry.value))[1:]
    return entry._replace(above=above, role=knowledge.kinds[entry.name].role)


class _Facts:
    def __init__(self, knowledge: Knowledge, known: dict[str, FactEntry]) -> None:
        self.knowledge = knowledge
        self.known = known
        self.errors: list[Diagnostic] = []

    def imply(self, waiting: list[str]) -> None:
        """Add what follows from these facts, and from what is added."""
        while waiting:
            entry = self.known[waiting.pop(0)]
            for value in lineage(self.knowledge, entry.name, entry.value):
                for fact, implied in value.implies:
                    known = self.known.get(fact)
                    if known is None:
                        because = f"{entry.name} {entry.text}"
                        self.known[fact] = FactEntry(fact, implied, implied, "implied", because, entry.span)
                        waiting.append(fact)
                    elif not related(self.knowledge, fact, known.value, implied):
                        why = f"{entry.name} {entry.text} means {fact} {implied}"
                        self._contradiction(entry, known, why, value)

    def assume(self) -> list[str]:
        """Add what is assumed where nobody states it, if it fits; no assumption rests on another. Says what was added."""
        bits = {name: self.knowledge.variables[name].bit(e.value) for name, e in self.known.items()}
        added = []
        for assumption in self.knowledge.assumptions:
            if assumption.fact not in self.known and holds(assumption.when, bits):
                entry = FactEntry(
                    assumption.fact,
                    assumption.value,
                    assumption.value,
                    "assumed",
                    assumption.because,
                    assumption.span,
                )
                if not any(self._refusals({**self.known, entry.name: entry})):
                    self.known[assumption.fact] = entry
                    added.append(assumption.fact)
        return added

    def _refusals(self, facts: dict[str, FactEntry]) -> Iterable[tuple[FactEntry, FactEntry, FactValue, int]]:
        for entry in facts.values():
            for value in lineage(self.knowledge, entry.name, entry.value):
                for fact, mask in value.allows:
                    other = facts.get(fact)
                    if other is not None and not self.knowledge.variables[fact].below(other.value) & mask:
                        yield entry, other, value, mask

    def check_allowed(self) -> None:
        for entry, other, value, mask in self._refusals(self.known):
            why = f"{entry.name} {value.name} goes with {self.knowledge.box_text(((other.name, mask),))}"
            self._contradiction(entry, other, why, value)

    def _contradiction(self, a: FactEntry, b: FactEntry, why: str, value: FactValue) -> None:
        notes = [why + (f" [{value.citation.source}, {value.citation.at}]" if value.citation else "")]
        notes += [f"{e.name} {e.text} is {e.origin}: {e.because}" for e in (a, b) if e.origin != "stated"]
        self.errors.append(
            Diagnostic(
                "E0204",
                f"{a.name} {a.text} and {b.name} {b.text} cannot be together",
                max(a.span, b.span),
                "contradicts the other" if a.span != b.span else "contradicts itself",
                (Label(min(a.span, b.span), "the other"),) if a.span != b.span else (),
                tuple(notes),
                ("drop or correct one of the two",),
            )
        )
