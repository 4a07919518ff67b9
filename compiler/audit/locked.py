"""Firmware settings of the files that another one locks, by its value in the files or by its default.

A maker's profile sets its members, and locks them: a server refuses them beside it, or overwrites them, even if the
value is the same. So a list that names both has entries without effect, and so has one that names a member alone while
the profile is as the maker ships it.
"""

from collections.abc import Iterator, Sequence, Set

from setpoint.compiler.audit.model import Stated
from setpoint.compiler.audit.words import source_note
from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.model import Lock
from setpoint.compiler.resolution.ground import Problem, ground
from setpoint.compiler.resolution.locks import Locks
from setpoint.compiler.resolution.spellings import spellings_here

FIRMWARE = "firmware"


def locked(
    knowledge: Knowledge,
    context: Context,
    stated: Sequence[Stated],
    beneath: Sequence[Stated] = (),
    conflicting: Set[Span] = frozenset(),
) -> Iterator[Diagnostic]:
    """The findings about settings that are locked, together for each cause (W0908). `beneath` are the values of the
    server that they are for; of entries that are `conflicting` with what locks them, that is said already.
    """
    firmware = [one for one in stated if knowledge.settings[one.setting].layer == FIRMWARE]
    if not firmware:
        return
    problem = ground(knowledge._replace(rules=()), context)
    locks = Locks(knowledge, problem, context.bits(knowledge))
    values = {one.setting: one for one in (*beneath, *firmware)}
    found: dict[tuple[str, str, bool], list[Stated]] = {}
    for one in firmware:
        lock = next((lock for lock in locks.of(one.setting) if _locks(problem, lock, values, locks)), None)
        locking = values.get(lock.setting) if lock is not None else None
        is_said = locking is not None and {locking.entry.span, one.entry.span} <= conflicting
        if lock is not None and not is_said:
            key = (
                lock.setting,
                lock.values[0] if lock.unless and lock.values else "",
                lock.setting in values,
            )
            found.setdefault(key, []).append(one)
    for (by, key_value, _), members in found.items():
        yield _finding(knowledge, context, members, by, key_value, values.get(by))


def _locks(problem: Problem, lock: Lock, values: dict[str, Stated], locks: Locks) -> bool:
    """Whether a lock is closed with the values of the files; of a setting that they do not mention, with its default,
    unless another one that they do mention governs that."""
    stated = values.get(lock.setting)
    if stated is None and any(each.setting in values for each in locks.of(lock.setting)):
        return False
    value = stated.value if stated is not None else problem.defaults.get(lock.setting, "")
    if lock.unless:
        return value not in lock.values
    return value in lock.values


def _finding(
    knowledge: Knowledge,
    context: Context,
    members: Sequence[Stated],
    by: str,
    free: str,
    locking: Stated | None,
) -> Diagnostic:
    """The finding about the entries that one setting locks; `free` is the one value of that which locks nothing, "" if
    there are several."""
    first, *others = sorted(members, key=lambda one: one.entry.span)
    name = _spelt(knowledge, context, by, free)
    needed = f"`{name}`" if free else f"another `{by}`"
    cause = f"`{locking.entry.short}` locks" if locking else f"the default of `{by}` locks"
    written = f"`{first.entry.short}`"
    what = f"{written} is without effect: {cause} it"
    if others:
        what = f"{written} and {len(others)} more are without effect: {cause} them"
    labels = (Label(locking.entry.span, "locked by this"),) if locking else ()
    names = ", ".join(f"`{one.entry.name}`" for one in members)
    notes = (f"locked: {names}",) if others else ()
    help_ = f"add {needed}, or leave {'them' if others else 'it'} out"
    if locking is not None:
        help_ = f"set {needed} in place of `{locking.entry.short}`, or leave {'them' if others else 'it'} out"
    return Diagnostic(
        "W0908", what, first.entry.span, "locked", labels, (*notes, source_note(first.citation)), (help_,)
    )


def _spelt(knowledge: Knowledge, context: Context, setting: str, value: str) -> str:
    """A setting with a value as the server's firmware has it."""
    spelled = spellings_here(knowledge, setting, context.bits(knowledge), context.intent(knowledge))
    for one in spelled:
        text = one.text_of(value)
        if one.interface == "attribute" and text is not None and text.text:
            return f"{one.names[0]} = {text.text}"
    return f"{setting} {value}"
