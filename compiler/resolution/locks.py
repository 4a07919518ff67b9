"""Which settings of a plan lock which others, on the server at hand: by presets, and by constraints that say so.

A lock depends on the value of one other setting. It is stated for all values of that setting, whatever the plan has,
since a server may have another one when its settings are written.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.knowledge.locks import FREE, HIDDEN, KEPT
from setpoint.compiler.knowledge.model import UNSTATED, Constraint, Knowledge, Preset
from setpoint.compiler.knowledge.variable import Variable
from setpoint.compiler.plan.model import Lock
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.ground import Problem
from setpoint.compiler.resolution.profiles import MemberEffects, cells_of, governors_of


class Locks:
    """All locks of a problem. The facts have the values of `bits`."""

    def __init__(self, knowledge: Knowledge, problem: Problem, bits: dict[str, int]) -> None:
        self.knowledge = knowledge
        self.problem = problem
        self.bits = bits
        self._profiles = [_Profiles.of(problem, governor) for governor in governors_of(problem.presets)]
        self._stated: dict[str, list[Constraint]] = {}
        for constraint in knowledge.constraints:
            if constraint.lock and constraint.require is not None:
                self._stated.setdefault(constraint.require[0], []).append(constraint)

    def against(self, setting: str, bit: int) -> tuple[Lock, ...]:
        """What could lock a setting at another value than that of `bit`: no lock that goes with this one alone."""
        variable = self.knowledge.variables[setting]
        by_profile = [
            lock
            for profiles in self._profiles
            if profiles.withholds(setting, variable, bit) and (lock := profiles.lock(setting)) is not None
        ]
        by_setting = (
            lock
            for constraint in self._stated.get(setting, ())
            if self._withholds(constraint, bit)
            for lock in self._of_constraint(constraint)
        )
        return (*by_profile, *by_setting)

    def _withholds(self, constraint: Constraint, bit: int) -> bool:
        """Whether the setting that a constraint locks may then have another value than that of `bit`.

        If firmware keeps what is there, it may be any value but those that would keep the constraint from applying, as
        one of two settings that exclude each other does.
        """
        assert constraint.require is not None
        setting, required = constraint.require
        others = self.problem.domains[setting] & ~bit
        if constraint.lock != KEPT:
            return bool(others & required)
        for locking, mask in constraint.when:
            offered = self.problem.domains.get(locking, 0)
            for back in self._stated.get(locking, ()):
                sets_other = back.require is not None and not back.require[1] & mask & offered
                if back.lock != KEPT and sets_other and self._is_here(back):
                    others &= ~dict(back.when).get(setting, 0)
        return bool(others)

    def _is_here(self, constraint: Constraint) -> bool:
        """Whether the facts of a constraint hold."""
        about_facts = ((name, mask) for name, mask in constraint.when if name in self.knowledge.kinds)
        return all(self.bits.get(name, UNSTATED) & mask for name, mask in about_facts)

    def of(self, setting: str) -> tuple[Lock, ...]:
        """What locks a setting: profiles first, then other settings, those first that unlock it by a single value."""
        by_profile = [lock for profiles in self._profiles if (lock := profiles.lock(setting)) is not None]
        by_setting = (
            lock for constraint in self._stated.get(setting, ()) for lock in self._of_constraint(constraint)
        )
        return (*by_profile, *sorted(by_setting, key=lambda lock: (not lock.unless, lock.hides)))

    def _of_constraint(self, constraint: Constraint) -> Iterator[Lock]:
        """The lock that a constraint states, if its facts hold here and the server has the setting."""
        for name, mask in constraint.when if self._is_here(constraint) else ():
            if name not in self.problem.domains:
                continue
            variable, offered = self.knowledge.variables[name], self.problem.domains[name]
            locking, free = variable.names(offered & mask), variable.names(offered & ~mask)
            unless = bool(mask & UNSTATED) and len(free) == 1
            kept = locking if constraint.lock == KEPT else ()
            if locking:
                yield Lock(name, free if unless else locking, unless, constraint.lock == HIDDEN, kept)


class _Profiles(NamedTuple):
    """The profiles of a governing setting, each with its effects, and the tables that state them."""

    governor: str
    tables: tuple[Preset, ...]
    cells: dict[str, MemberEffects]
    members: frozenset[str]

    @classmethod
    def of(cls, problem: Problem, governor: str) -> "_Profiles":
        """Those of the tables that apply."""
        tables = tuple(preset for preset in problem.presets if preset.governor == governor)
        values = dict.fromkeys(value for preset in tables for value in preset.columns)
        cells = {value: cells_of(tables, governor, value) for value in values}
        return cls(
            governor, tables, cells, frozenset(member for effects in cells.values() for member in effects)
        )

    def withholds(self, member: str, variable: Variable, bit: int) -> bool:
        """Whether a member may have another value than that of `bit` under a profile that locks it."""
        left = {pair for table in self.tables for pair in (*table.kept, *table.undecided)}
        return any(
            (value, member) in left or variable.bit(cell) != bit
            for value, cells in self.cells.items()
            if (cell := cells.get(member, FREE)) != FREE
        )

    def lock(self, member: str) -> Lock | None:
        """The lock of the profiles on a member; None if none of them locks it.

        If only one value is known to leave the member free, that value is the key: of the others, some lock it and the
        rest may.
        """
        if member not in self.members:
            return None
        by_value = {value: cells.get(member, "") for value, cells in self.cells.items()}
        free = tuple(value for value, cell in by_value.items() if cell == FREE)
        locking = tuple(value for value, cell in by_value.items() if cell not in ("", FREE))
        if not locking:
            return None
        unless = len(free) == 1
        return Lock(
            self.governor,
            free if unless else locking,
            unless,
            kept=_among(locking, member, (preset.kept for preset in self.tables)),
            undecided=_among(locking, member, (preset.undecided for preset in self.tables)),
        )


def _among(
    values: tuple[str, ...], member: str, stated: Iterable[frozenset[tuple[str, str]]]
) -> tuple[str, ...]:
    """The values for which a table states something of the member."""
    pairs = {pair for table in stated for pair in table}
    return tuple(value for value in values if (value, member) in pairs)
