"""What has to be set for attributes to be written that the end state locks.

Such attributes are written before the others, in a restart of their own, and what locks them (their governor) has
another value until then. A governor may have to be something: a profile must be the one whose members can be chosen. Or
it must not be something: then it gets, of its other values, the one that locks the most of what the plan's value locks
and the least beside, so that nothing else changes on the way. A governor may be locked itself, for which the same is
true.
"""

from collections.abc import Iterable, Mapping

from setpoint.compiler.knowledge.interfaces import TypedValue
from setpoint.targets._bios.forms import AttributeSpelling

Table = Mapping[str, AttributeSpelling]


def opening(
    table: Table,
    governor: str,
    planned: str,
    locked: Iterable[AttributeSpelling],
    seen: frozenset[str] = frozenset(),
) -> dict[str, TypedValue]:
    """The values with which a setting, `governor`, lets these attributes be written, and with which it can have them
    itself.

    Nothing if it has no such value, or locks itself by way of others. `planned` is the value that it has in the end.
    """
    if governor in seen or governor not in table:
        return {}
    spelling = table[governor]
    locks = [lock for attribute in locked for lock in attribute.locks if lock.setting == governor]
    usable = [
        value for value in spelling.values if all((value == lock.value) is lock.unless for lock in locks)
    ]
    if not usable:
        return {}
    in_the_end = _locked_by(table, governor, planned)
    value = min(usable, key=lambda value: len(_locked_by(table, governor, value) ^ in_the_end))
    unlocked = {
        name: value
        for lock in spelling.locks
        if lock.unless
        for name, value in opening(table, lock.setting, lock.value, (spelling,), seen | {governor}).items()
    }
    return {**unlocked, spelling.name: spelling.values[value]}


def _locked_by(table: Table, governor: str, value: str) -> set[str]:
    """The settings that a value of a governor locks."""
    return {
        attribute.setting
        for attribute in table.values()
        if any(
            lock.setting == governor and (lock.value == value) is not lock.unless for lock in attribute.locks
        )
    }
