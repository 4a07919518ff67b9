"""Which settings of a plan lock which others, on the server at hand: from presets, and from the constraints that say so.

A lock depends on the value of one other setting. It is stated for all values of that setting, whatever the plan has, since
a server may have another one when its settings are written.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.knowledge.locks import FREE, HIDDEN, KEPT
from setpoint.compiler.knowledge.model import UNSTATED, Constraint, Knowledge, Preset
from setpoint.compiler.plan.model import Lock
from setpoint.compiler.record import NamedTuple, distinct
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

    def of(self, setting: str) -> tuple[Lock, ...]:
        """What locks a setting: profiles first, then other settings, those first that unlock it by a single value."""
        by_profile = [lock for profiles in self._profiles if (lock := profiles.lock(setting)) is not None]
        by_setting = (
            lock
            for constraint in self._stated.get(setting, ())
            for lock in _of_constraint(self.knowledge, self.problem, self.bits, constraint)
        )
        return (*by_profile, *sorted(by_setting, key=lambda lock: (not lock.unless, lock.hides)))


@distinct
class _Profiles(NamedTuple):
    """The profiles of a governing setting, each with its effects, and the tables that state them."""

    governor: str
    tables: tuple[Preset, ...]
    cells: dict[str, MemberEffects]

    @classmethod
    def of(cls, problem: Problem, governor: str) -> "_Profiles":
        """Those of the tables that apply."""
        tables = tuple(preset for preset in problem.presets if preset.governor == governor)
        values = dict.fromkeys(value for preset in tables for value in preset.columns)
        return cls(governor, tables, {value: cells_of(tables, governor, value) for value in values})

    def lock(self, member: str) -> Lock | None:
        """The lock of the profiles on a member; None if none of them locks it.

        If only one value leaves the member free, and every other is known to lock it, that value is the key.
        """
        found = {value: cells.get(member, "") for value, cells in self.cells.items()}
        free = tuple(value for value, cell in found.items() if cell == FREE)
        locking = tuple(value for value, cell in found.items() if cell not in ("", FREE))
        if not locking:
            return None
        unless = len(free) == 1 and len(locking) == len(found) - 1
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
    pairs = {pair for each in stated for pair in each}
    return tuple(value for value in values if (value, member) in pairs)


def _of_constraint(
    knowledge: Knowledge, problem: Problem, bits: dict[str, int], constraint: Constraint
) -> Iterator[Lock]:
    """The lock that a constraint states, if its facts hold here and the server has the setting."""
    about_facts = ((name, mask) for name, mask in constraint.when if name in knowledge.kinds)
    if any(not bits.get(name, UNSTATED) & mask for name, mask in about_facts):
        return
    for name, mask in constraint.when:
        if name not in problem.domains:
            continue
        variable, offered = knowledge.variables[name], problem.domains[name]
        locking, free = variable.names(offered & mask), variable.names(offered & ~mask)
        unless = bool(mask & UNSTATED) and len(free) == 1
        kept = locking if constraint.lock == KEPT else ()
        if locking:
            yield Lock(name, free if unless else locking, unless, constraint.lock == HIDDEN, kept)
