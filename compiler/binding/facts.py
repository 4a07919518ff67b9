"""Complete the stated facts, and check that they are consistent.

Facts imply facts: a model implies its generation, a generation its platform. Implied facts only narrow. If a policy
states a generation and something else implies a model of it, the model is known; if two facts imply values of which one
lies within the other, the narrower one is. So the result does not depend on any order, and stating an implied value, or
a wider one, changes nothing. The knowledge base may assume facts that are neither stated nor implied.

The proof of the knowledge base completes every combination of facts with the same function, so there is only one
meaning of *reachable*.
"""

from collections.abc import Iterable
from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import UNSTATED, Box, FactValue, Knowledge
from setpoint.compiler.plan.model import FactEntry
from setpoint.compiler.record import distinct


@distinct
class Completed(NamedTuple):
    """The stated facts with the implied and assumed ones, and the contradictions between them (E0204)."""

    facts: dict[str, FactEntry]
    errors: tuple[Diagnostic, ...]


def holds(box: Box, bits: dict[str, int]) -> bool:
    """Whether the facts of a context, or the values of a plan, lie in a box."""
    return all(bits.get(name, UNSTATED) & mask for name, mask in box)


def complete(knowledge: Knowledge, stated: dict[str, FactEntry]) -> Completed:
    """Add implied and assumed facts to the stated ones, and check that they are consistent."""
    known = _implied(knowledge, stated)
    errors = tuple(_contradictions(knowledge, known))
    return Completed(known if errors else _assumed(knowledge, known), errors)


def related(knowledge: Knowledge, fact: str, a: str, b: str) -> bool:
    """Whether two values of a fact are the same, or one lies within the other."""
    return a == b or _is_within(knowledge, fact, a, b) or _is_within(knowledge, fact, b, a)


def _is_within(knowledge: Knowledge, fact: str, inner: str, outer: str) -> bool:
    return any(value.name == outer for value in lineage(knowledge, fact, inner))


def lineage(knowledge: Knowledge, fact: str, value: str) -> Iterable[FactValue]:
    """A value and all values that it lies within, nearest first."""
    values = knowledge.values[fact]
    at = value
    while at:
        yield values[at]
        at = values[at].within


def described(knowledge: Knowledge, entry: FactEntry) -> FactEntry:
    """The entry with its role, and with the values that its value lies within."""
    above = tuple(v.name for v in lineage(knowledge, entry.name, entry.value))[1:]
    return entry._replace(above=above, role=knowledge.kinds[entry.name].role)


def _implied(knowledge: Knowledge, given: dict[str, FactEntry]) -> dict[str, FactEntry]:
    """The given facts and all facts that they imply, each with its narrowest value."""
    values = _narrowed(knowledge, {name: entry.value for name, entry in given.items()})
    found = {name: entry for name, entry in given.items() if entry.value == values[name]}
    known = found
    while missing := sorted(values.keys() - found.keys()):
        new = {name: reason for name in missing if (reason := _reason(knowledge, known, name, values[name]))}
        found.update(new)
        # The remaining ones follow from facts that were given with wider values than they have now.
        known = found if new else {**given, **found}
    return found


def _narrowed(knowledge: Knowledge, values: dict[str, str]) -> dict[str, str]:
    """These values and those that they imply; of two values where one lies within the other, the narrower.

    Of two other values one stays: the contradiction is found once everything is known.
    """
    waiting = sorted(values)
    while waiting:
        name = waiting.pop(0)
        for value in lineage(knowledge, name, values[name]):
            for fact, implied in value.implies:
                known = values.get(fact)
                if known is None or (known != implied and _is_within(knowledge, fact, implied, known)):
                    values[fact] = implied
                    waiting.append(fact)
    return values


def _reason(knowledge: Knowledge, found: dict[str, FactEntry], fact: str, value: str) -> FactEntry | None:
    """The entry of an implied fact, with the first known fact that implies exactly this value."""
    for _, entry in sorted(found.items()):
        if any((fact, value) in v.implies for v in lineage(knowledge, entry.name, entry.value)):
            return FactEntry(fact, value, value, "implied", f"{entry.name} {entry.text}", entry.span)
    return None


def _assumed(knowledge: Knowledge, known: dict[str, FactEntry]) -> dict[str, FactEntry]:
    """The facts with assumptions for unknown ones. An assumption neither builds on another nor contradicts a fact."""
    bits = {name: knowledge.variables[name].bit(entry.value) for name, entry in known.items()}
    for assumption in knowledge.assumptions:
        fact, value = assumption.fact, assumption.value
        if fact not in known and holds(assumption.when, bits):
            entry = FactEntry(fact, value, value, "assumed", assumption.because, assumption.span)
            trial = _implied(knowledge, {**known, fact: entry})
            if not any(_contradictions(knowledge, trial)):
                known = trial
    return known


def _contradictions(knowledge: Knowledge, facts: dict[str, FactEntry]) -> Iterable[Diagnostic]:
    """Implied or allowed values that contradict known ones (E0204)."""
    restrictions = [
        (entry, value)
        for _, entry in sorted(facts.items())
        for value in lineage(knowledge, entry.name, entry.value)
        if value.implies or value.allows
    ]
    for entry, value in restrictions:
        for fact, implied in value.implies:
            if not related(knowledge, fact, facts[fact].value, implied):
                why = f"{entry.name} {entry.text} means {fact} {implied}"
                yield _contradiction(entry, facts[fact], why, value)
    for entry, value in restrictions:
        for fact, mask in value.allows:
            other = facts.get(fact)
            if other is not None and not knowledge.variables[fact].below(other.value) & mask:
                why = f"{entry.name} {value.name} goes with {knowledge.box_text(((fact, mask),))}"
                yield _contradiction(entry, other, why, value)


def _contradiction(a: FactEntry, b: FactEntry, why: str, value: FactValue) -> Diagnostic:
    notes = [why + (f" [{value.citation.source}, {value.citation.at}]" if value.citation else "")]
    notes += [f"{e.name} {e.text} is {e.origin}: {e.because}" for e in (a, b) if e.origin != "stated"]
    return Diagnostic(
        "E0204",
        f"{a.name} {a.text} contradicts {b.name} {b.text}",
        max(a.span, b.span),
        "contradicts the other" if a.span != b.span else "contradicts itself",
        (Label(min(a.span, b.span), "the other"),) if a.span != b.span else (),
        tuple(notes),
        ("correct or remove one of them",),
    )
