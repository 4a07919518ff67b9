"""Families that contradict what the knowledge base describes (K26).

A family speaks for every name that its patterns fit. What is described by itself is found before any family, but shows
whether the patterns are right: for each title and each name that servers report, the family must say what is known of
that value.
"""

from collections.abc import Iterator

from setpoint.compiler.binding.facts import Completion, related
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.lookup import essence
from setpoint.compiler.knowledge.model import FactValue, Family, Knowledge
from setpoint.compiler.knowledge.recognition import recognized


def contradictory_families(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The families that imply contradictory facts, or other facts than the values do whose names fit (K26)."""
    completion = Completion(knowledge)
    for family in knowledge.families:
        if _joined(completion, {}, family) is None:
            message = f"what family `{family.name}` implies contradicts itself"
            yield Diagnostic("K26", message, family.span, "no server has all of this")
    reported: set[tuple[str, str]] = set()
    for fact in dict.fromkeys(family.fact for family in knowledge.families):
        for value in knowledge.values[fact].values():
            for name in _printed(value):
                recognition = recognized(knowledge.families, fact, essence(knowledge, fact, name))
                if recognition is None or (recognition.family.name, value.name) in reported:
                    continue
                if why := _contradiction(knowledge, completion, value, recognition.family):
                    reported.add((recognition.family.name, value.name))
                    yield _finding(recognition.family, value, name, why)


def _printed(value: FactValue) -> Iterator[str]:
    """The names of a value as machines print them."""
    if value.title:
        yield value.title
    for report in value.reported:
        yield from (name for name in report.names if not name.endswith("*"))


def _contradiction(knowledge: Knowledge, completion: Completion, value: FactValue, family: Family) -> str:
    """The fact that a family gets wrong about a value; "" if there is none."""
    for fact, implied in family.implies:
        if fact == value.fact and not related(knowledge, fact, value.name, implied):
            return f"{fact} {implied}"
    known = completion.derived({}, value.fact, value.name)
    if known is None:
        return ""  # K09 reports a value that contradicts itself
    for fact, implied in family.implies:
        if fact != value.fact and completion.derived(known, fact, implied) is None:
            return f"{fact} {implied}"
    return ""


def _joined(completion: Completion, known: dict[str, str], family: Family) -> dict[str, str] | None:
    """Known values with all that a family implies; None if they contradict one another."""
    for fact, implied in family.implies:
        joined = completion.derived(known, fact, implied)
        if joined is None:
            return None
        known = joined
    return known


def _finding(family: Family, value: FactValue, name: str, why: str) -> Diagnostic:
    return Diagnostic(
        "K26",
        f"family `{family.name}` takes `{name}` for {family.title}, of which {why} is not true",
        family.span,
        "fits this name",
        (Label(value.span, "described here"),),
        help=("narrow the patterns, or leave out what not all of the family have",),
    )
