"""`preset`: the members that a governing value fixes, those that it leaves free, and the unknown ones."""

from typing import NamedTuple

from meaning.conditions import State, all_hold
from meaning.knowledge import Knowledge

FREE = "free"
UNKNOWN = "_"


class Governed(NamedTuple):
    """The applicable presets of one governor, as one table: for each value and member all statements except `UNKNOWN`.

    `loose` has those whose member is locked, but not at a known value.
    """

    governor: str
    members: tuple[str, ...]
    said: dict[tuple[str, str], frozenset[str]]
    initial: dict[tuple[str, str], str]
    loose: frozenset[tuple[str, str]]

    def cell(self, value: str, member: str) -> str:
        """The effect of a governing value on a member: a value, `FREE` or `UNKNOWN`. A fixed value takes precedence
        over free.
        """
        said = self.said.get((value, member), frozenset())
        return min(said - {FREE}, default=FREE if said else UNKNOWN)

    def fixed(self, value: str) -> dict[str, str]:
        """The members that a governing value fixes, and at what."""
        cells = {member: self.cell(value, member) for member in self.members}
        return {member: cell for member, cell in cells.items() if cell not in (FREE, UNKNOWN)}

    def given(self, value: str) -> dict[str, str]:
        """The members that a governing value sets: to what it fixes them at, or to what they are at first."""
        starts = {member: start for (when, member), start in self.initial.items() if when == value}
        return {m: start for m, start in starts.items() if self.cell(value, m) == FREE} | self.fixed(value)


def governed(knowledge: Knowledge, state: State, present: frozenset[str]) -> dict[str, Governed]:
    """*`preset`*: all presets of one governor that apply are one table. Settings that are not there do not matter."""
    tables: dict[str, dict[tuple[str, str], frozenset[str]]] = {}
    members: dict[str, set[str]] = {}
    loose: dict[str, frozenset[tuple[str, str]]] = {}
    initial: dict[str, dict[tuple[str, str], str]] = {}
    for preset in knowledge.presets:
        if preset.governor not in present or not all_hold(preset.when, state):
            continue
        table = tables.setdefault(preset.governor, {})
        among = members.setdefault(preset.governor, set())
        starts = {each: start for each, start in preset.initial.items() if each[1] in present}
        initial[preset.governor] = starts | initial.get(preset.governor, {})
        loose[preset.governor] = loose.get(preset.governor, frozenset()) | preset.loose
        for value, cells in preset.cells.items():
            for member in cells.keys() & present:
                among.add(member)
                said = table.get((value, member), frozenset())
                table[value, member] = said | ({cells[member]} - {UNKNOWN})
    return {
        governor: Governed(
            governor, tuple(sorted(members[governor])), said, initial[governor], loose[governor]
        )
        for governor, said in tables.items()
    }
