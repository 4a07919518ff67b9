"""Which settings of a plan lock which others, on the server at hand: from presets, and from the constraints that say so.

A lock depends on the value of one other setting. It is stated for all values of that setting, whatever the plan has, since
a server may have another one when its settings are written.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.knowledge.locks import FREE, HIDDEN, KEPT
from setpoint.compiler.knowledge.model import UNSTATED, Constraint, Knowledge
from setpoint.compiler.plan.model import Lock
from setpoint.compiler.resolution.ground import Problem
from setpoint.compiler.resolution.profiles import cells_of, governors_of


def locks_of(knowledge: Knowledge, problem: Problem, bits: dict[str, int], setting: str) -> tuple[Lock, ...]:
    """What locks a setting: profiles first, then other settings, those first that unlock it by a single value."""
    by_profile = (_of_profile(problem, governor, setting) for governor in governors_of(problem.presets))
    by_setting = (
        lock
        for constraint in knowledge.constraints
        if constraint.lock and constraint.require is not None and constraint.require[0] == setting
        for lock in _of_constraint(knowledge, problem, bits, constraint)
    )
    profiles = [lock for lock in by_profile if lock is not None]
    return (*profiles, *sorted(by_setting, key=lambda lock: (not lock.unless, lock.hides)))


def _of_profile(problem: Problem, governor: str, member: str) -> Lock | None:
    """The lock of a profile on a member; None if no profile locks it.

    If only one value leaves the member free, and every other is known to lock it, that value is the key.
    """
    tables = [preset for preset in problem.presets if preset.governor == governor]
    values = list(dict.fromkeys(value for preset in tables for value in preset.columns))
    cells = {value: cells_of(tables, governor, value).get(member, "") for value in values}
    free = tuple(value for value in values if cells[value] == FREE)
    locking = tuple(value for value in values if cells[value] not in ("", FREE))
    if not locking:
        return None
    unless = len(free) == 1 and len(locking) == len(values) - 1
    return Lock(
        governor,
        free if unless else locking,
        unless,
        kept=_among(locking, member, (preset.kept for preset in tables)),
        undecided=_among(locking, member, (preset.undecided for preset in tables)),
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
