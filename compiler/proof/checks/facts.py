"""Relations between facts: redundant implications, and values that no value of another fact goes with, or all (K16).

A value implies what it states itself, and what the values above it state. An implication that follows from others is
redundant: when one of them is corrected, the two contradict each other, or the narrower one goes unnoticed. If what a
value allows has nothing in common with what the values above it allow, no policy with the value can state that fact. If
a fact `fits` another one, as servers fit processors, a value that says nothing of that would go with each value of the
other: plans would be made of what cannot be, and advice for the only possible value would be lost. Values that
contradict themselves cannot be stated at all, which K09 reports.
"""

from collections.abc import Iterator

from setpoint.compiler.binding.facts import complete
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import FactValue, Knowledge, lineage
from setpoint.compiler.proof.combinations import fact_entries


def redundant_implications(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The implications that follow from others (K16)."""
    bare = knowledge._replace(assumptions=())
    for values in knowledge.values.values():
        for value in values.values():
            for pair in value.implies:
                if not knowledge.is_from_library(value.span) and _is_redundant(bare, value, pair):
                    fact, implied = pair
                    yield Diagnostic(
                        "K16",
                        f"`{value.fact} {value.name}` implies {fact} {implied}, which is implied already",
                        value.span,
                        "adds nothing",
                        tuple(_implied_by(bare, value, pair)),
                        (),
                        (f"drop `implies {fact} {implied};`, or correct what else the value implies",),
                    )


def _without(knowledge: Knowledge, value: FactValue, pair: tuple[str, str]) -> Knowledge:
    """The knowledge base without one implication of one value."""
    rest = list(value.implies)
    rest.remove(pair)
    changed = {**knowledge.values[value.fact], value.name: value._replace(implies=tuple(rest))}
    return knowledge._replace(values={**knowledge.values, value.fact: changed})


def _is_redundant(knowledge: Knowledge, value: FactValue, pair: tuple[str, str]) -> bool:
    stated = ((value.fact, value.name),)
    if complete(knowledge, fact_entries(stated)).errors:
        return False
    completed = complete(_without(knowledge, value, pair), fact_entries(stated))
    fact, implied = pair
    known = completed.facts.get(fact)
    return known is not None and any(v.name == implied for v in lineage(knowledge, fact, known.value))


def _implied_by(knowledge: Knowledge, value: FactValue, pair: tuple[str, str]) -> Iterator[Label]:
    """The values that imply the same: the value itself, those above it, and those that follow from it."""
    completed = complete(_without(knowledge, value, pair), fact_entries(((value.fact, value.name),)))
    fact, implied = pair
    for known in completed.facts.values():
        for other in lineage(knowledge, known.name, known.value):
            for named, word in other.implies:
                same = (other.fact, other.name, named, word) == (value.fact, value.name, *pair)
                within = any(v.name == implied for v in lineage(knowledge, named, word))
                if named == fact and within and not same:
                    yield Label(other.span, f"{other.fact} {other.name} implies {named} {word}")


def isolated_values(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The values that allow no value of some other fact (K16)."""
    for values in knowledge.values.values():
        for value in values.values():
            if knowledge.is_from_library(value.span):
                continue
            above = tuple(lineage(knowledge, value.fact, value.name))
            allowed: dict[str, int] = {}
            for wider in above:
                for fact, mask in wider.allows:
                    allowed[fact] = allowed.get(fact, knowledge.variables[fact].everything) & mask
            for fact, mask in sorted(allowed.items()):
                if not mask and _is_new(knowledge, above, fact):
                    places = [wider for wider in above[1:] if any(name == fact for name, _ in wider.allows)]
                    yield Diagnostic(
                        "K16",
                        f"no `{fact}` goes with `{value.fact} {value.name}`",
                        value.span,
                        "allows none that all of these allow",
                        tuple(Label(p.span, f"{p.fact} {p.name} allows others") for p in places),
                        (),
                        ("correct what one of them allows",),
                    )


def _is_new(knowledge: Knowledge, above: tuple[FactValue, ...], fact: str) -> bool:
    """Whether the value itself rules out the last value, and not already one above it, which has its own finding."""
    mask = knowledge.variables[fact].everything
    for value in above[1:]:
        for name, allowed in value.allows:
            mask &= allowed if name == fact else mask
    return bool(mask)


def unfitted_values(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The values of which nothing says what goes with them, although their fact `fits` another one (K16).

    A site need not know it: the registry of a server, which it imports, does not say which processors the server takes.
    """
    own = [kind for kind in knowledge.kinds.values() if not knowledge.is_from_library(kind.span)]
    for kind in own:
        for value in knowledge.values[kind.name].values() if kind.fits else ():
            said = {
                name
                for wider in lineage(knowledge, kind.name, value.name)
                for name, _ in (*wider.implies, *wider.allows)
            }
            if kind.fits not in said and not value.one_of and not knowledge.is_from_library(value.span):
                yield Diagnostic(
                    "K16",
                    f"`{kind.name} {value.name}` does not say which `{kind.fits}` goes with it",
                    value.span,
                    "goes with all of them",
                    help=(
                        f"state it: `implies {kind.fits} VALUE;`, or `allows {kind.fits} VALUE or VALUE;`",
                    ),
                )
