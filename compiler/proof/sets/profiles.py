"""The effects of profiles on sets of situations: what each value of a governing setting does to its members, and where.

All tables of a governing setting are read into one.
"""

from collections.abc import Callable, Iterable, Iterator

from setpoint.compiler.knowledge.model import FREE, Preset
from setpoint.compiler.proof.sets.masks import include, union
from setpoint.compiler.record import NamedTuple


class ProfileEffects(NamedTuple):
    """The effects of one governing setting's values on its members, over all tables.

    `where` are the situations with such a table, `members` those in which each member is present,
    `cells[value][member]` those in which the value fixes the member to a value or leaves it `FREE`, and
    `initial[value][member]` those in which it sets a free member to a value at first.
    """

    where: int
    members: dict[str, int]
    cells: dict[str, dict[str, dict[str, int]]]
    initial: dict[str, dict[str, dict[str, int]]]

    def repeated(self, copies: int) -> "ProfileEffects":
        """The effects in several copies of the situations."""

        def spread(effects: dict[str, dict[str, dict[str, int]]]) -> dict[str, dict[str, dict[str, int]]]:
            return {
                value: {m: {cell: w * copies for cell, w in cells.items()} for m, cells in members.items()}
                for value, members in effects.items()
            }

        members = {member: where * copies for member, where in self.members.items()}
        return ProfileEffects(self.where * copies, members, spread(self.cells), spread(self.initial))

    def set_by(self, value: str) -> Iterator[tuple[str, str, int]]:
        """What a value sets: members, their values, and the situations, for those that it fixes or leaves free."""
        members = self.cells.get(value, {})
        for member, cells in sorted(members.items()):
            yield from ((member, cell, where) for cell, where in cells.items() if cell != FREE)
        for member, starts in sorted(self.initial.get(value, {}).items()):
            for start, where in starts.items():
                yield member, start, where & members[member].get(FREE, 0)

    def does(self, value: str, member: str, cells: Callable[[str], bool]) -> int:
        """The situations in which a value has an effect on a member that satisfies `cells`."""
        effects = self.cells.get(value, {}).get(member, {})
        return union(where for cell, where in effects.items() if cells(cell))


def joined_tables(tables: Iterable[tuple[Preset, int, dict[str, int]]]) -> ProfileEffects:
    """The effects of several tables. A fixed value precedes `FREE`; else the first one applies.

    Args:
        tables: Each with the situations in which it applies, and those in which each of its members is there.
    """
    everywhere = 0
    members: dict[str, int] = {}
    cells: dict[str, dict[str, dict[str, int]]] = {}
    initial: dict[str, dict[str, dict[str, int]]] = {}
    for preset, where, present in tables:
        everywhere |= where
        for member in preset.members:
            include(members, member, where & present[member])
        for value, column in preset.columns.items():
            of_value = cells.setdefault(value, {})
            for member, cell in column.items():
                effects = of_value.setdefault(member, {})
                here = where & present[member]
                if cell != FREE and FREE in effects:
                    effects[FREE] &= ~here
                include(effects, cell, here & ~union(effects.values()))
        for (value, member), start in preset.initial.items():
            effects = initial.setdefault(value, {}).setdefault(member, {})
            include(effects, start, where & present[member] & ~union(effects.values()))
    return ProfileEffects(everywhere, members, cells, initial)
