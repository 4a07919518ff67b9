"""The knowledge base in sections, of which a plan reads those for its server.

Most statements are about some servers: about a platform, a processor, an operating system. For any other server they do
not exist. So the statements that need the same values of one fact make a section, and for given facts the sections of
their values are enough, with those that need no fact: the other statements have a condition that does not hold. So a
plan costs what is known of its server, however many others the knowledge base has.

INVARIANT: the statements of the sections for some facts are in the order of the whole, and contain all whose conditions
on facts hold.
"""

from collections.abc import Iterable, Mapping
from functools import cache

from setpoint.compiler.hints import Any
from setpoint.compiler.knowledge.boxes import UNSTATED
from setpoint.compiler.knowledge.model import IN_SECTIONS, Knowledge, emptied, filled, statements_of
from setpoint.compiler.record import NamedTuple

ALWAYS = (("", 1),)
"""In place of the values that a section needs: it is for all servers."""

Key = tuple[tuple[str, int], ...]
"""The values of facts, each as the length of its bit, of which one is needed."""

Section = dict[str, list[tuple[int, Any]]]
"""The statements of a section by field, each with its place in the whole."""

Places = Mapping[str, Mapping[int, tuple[int, ...]]]
"""The sections for each value of a fact, by the fact."""


class DividedKnowledge(NamedTuple):
    """A knowledge base without statements, the sections for each value of a fact, and the sections."""

    frame: Knowledge
    places: Places
    sections: tuple[Section, ...]


def divided(knowledge: Knowledge) -> DividedKnowledge:
    """Divide a knowledge base into its sections."""
    sections: dict[Key, Section] = {}
    for field in IN_SECTIONS:
        for place, statement in enumerate(statements_of(knowledge, field)):
            section = sections.setdefault(_key(statement, knowledge), {})
            section.setdefault(field, []).append((place, statement))
    needing: dict[str, dict[int, list[int]]] = {}
    for number, key in enumerate(sections):
        for name, value in key:
            needing.setdefault(name, {}).setdefault(value, []).append(number)
    same: dict[tuple[int, ...], tuple[int, ...]] = {}  # most processors of a generation need the same
    places = {
        name: {value: same.setdefault(n := tuple(numbers), n) for value, numbers in values.items()}
        for name, values in needing.items()
    }
    return DividedKnowledge(knowledge._replace(**emptied(IN_SECTIONS)), places, tuple(sections.values()))


def numbers_for(places: Places, bits: Mapping[str, int]) -> tuple[int, ...]:
    """The numbers of the sections for these facts, sorted."""
    numbers: set[int] = set()
    for name, value in {**dict(ALWAYS), **bits}.items():
        needing = places.get(name, {})
        while value:
            number = value.bit_length()
            numbers.update(needing.get(number, ()))
            value ^= 1 << (number - 1)
    return tuple(sorted(numbers))


def joined(sections: Iterable[Section], field: str) -> Any:
    """A field with the statements of these sections."""
    placed = sorted(
        (pair for section in sections for pair in section.get(field, ())), key=lambda pair: pair[0]
    )
    return filled(field, (statement for _, statement in placed))


def _key(statement: Any, knowledge: Knowledge) -> Key:
    """The values of which a statement needs one: in each of its boxes, of the fact that excludes the most servers."""
    boxes = [applicability.when for applicability in getattr(statement, "applicabilities", ())] or [
        statement.when
    ]
    values: set[tuple[str, int]] = set()
    for box in boxes:
        needed = [
            (mask.bit_count() / len(knowledge.variables[name].values), name, mask)
            for name, mask in box
            if name in knowledge.kinds and not mask & UNSTATED
        ]
        if not needed:
            return ALWAYS
        _, name, mask = min(needed)
        values.update(_values_in(name, mask))
    return tuple(sorted(values))


@cache
def _values_in(name: str, mask: int) -> tuple[tuple[str, int], ...]:
    """The values of a set, as in a key."""
    return tuple((name, bit + 1) for bit in range(mask.bit_length()) if mask >> bit & 1)
