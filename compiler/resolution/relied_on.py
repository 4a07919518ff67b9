"""A vendor default on which a written value relies is written too.

If a setting is left at the vendor's default, the plan does not write it, and a server that had another policy before
may have another value. There are two ways in which a written value can rely on such a setting:

- Firmware takes no value for a setting while another one locks it. What opens the lock is written. It may be a
  member that a profile fixes; then it is the profile on which the value depends.
- The default is the only value that goes with the written one. Then they are written together, unless firmware itself
  sets the one with the other. If everything that requires the default is left at its own, nobody asks for it.

A lock that goes together with the very value that the plan has is no obstacle, and is left as it is: if the firmware
enables all cores while another setting is on, a plan with all cores has no reason to turn that off. What has no known
default is left as it is, too: its value in the plan is only assumed.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from setpoint.compiler.knowledge.locks import SETS
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.model import Decision, Lock, Note
from setpoint.compiler.resolution.fates import Fate
from setpoint.compiler.resolution.unasked import SatisfiedAlone


def requiring(
    knowledge: Knowledge, alone: Collection[SatisfiedAlone], names: Iterable[str]
) -> dict[str, set[str]]:
    """Those of these settings whose values in the plan exclude another value of it, where firmware does not set it."""
    required: dict[str, set[str]] = {name: set() for name in names}
    set_by = {
        constraint.name: constraint.require[0]
        for constraint in knowledge.constraints
        if constraint.require and constraint.lock in SETS
    }
    by_firmware = {
        satisfied.clause.literals
        for satisfied in alone
        if set_by.get(satisfied.clause.name) == satisfied.setting
    }
    for satisfied in alone:
        if satisfied.setting in required and satisfied.clause.literals not in by_firmware:
            required[satisfied.setting] |= satisfied.others
    return required


def with_relied_on(
    decisions: list[Decision],
    against: Callable[[str], tuple[Lock, ...]],
    required: Mapping[str, set[str]],
    requested: Callable[[str], Fate],
) -> list[Decision]:
    """The decisions; those on which a written value relies are written, with a note that names the first such value.

    Args:
        decisions: All of a plan.
        against: What locks a setting at another value than the plan's.
        required: The settings that can have no other value than their default, each with the settings that require it.
        requested: The fate of a setting's value if somebody requests it: a profile may lock it, for all that is known.
    """
    by_name = {decision.setting: decision for decision in decisions}
    waiting = [(decision, decision.setting) for decision in decisions if decision.written]
    seen = {decision.setting for decision, _ in waiting}
    for decision, first in waiting:
        needed = (
            _fixing(decision, by_name) if decision.unwritten else _opening(against(decision.setting), by_name)
        )
        set_here = _set_with(decision, by_name)
        together = (by_name[name] for name, others in required.items() if others & set_here)
        for other, note in (
            *((other, _opens) for other in needed),
            *((other, _goes_with) for other in together),
        ):
            if other.setting in seen or other.once:
                continue
            seen.add(other.setting)
            if other.unwritten == "default" and other.default:
                other = by_name[other.setting] = _with_fate(
                    other, requested(other.setting), note(other, first)
                )
            if other.written or other.unwritten == "locked":
                waiting.append((other, first))
    return list(by_name.values())


def _with_fate(decision: Decision, fate: Fate, note: Note) -> Decision:
    """The decision with another fate, and with a note if it is written now."""
    notes = (*decision.notes, *fate.notes, *(() if fate.unwritten else (note,)))
    return decision._replace(unwritten=fate.unwritten, notes=notes)


def _set_with(decision: Decision, by_name: dict[str, Decision]) -> set[str]:
    """The settings that get their values with a decision: its own, and those that it fixes as a profile."""
    fixed = {name for name in decision.governs if name in by_name and by_name[name].unwritten == "locked"}
    return {decision.setting, *fixed}


def _opening(locks: tuple[Lock, ...], by_name: dict[str, Decision]) -> Iterator[Decision]:
    """The decisions that open these locks, unless the plan's own end state has them closed."""
    for lock in locks:
        other = by_name.get(lock.setting)
        if other is not None and not _is_closed(lock, other):
            yield other


def _fixing(decision: Decision, by_name: dict[str, Decision]) -> Iterator[Decision]:
    """The profiles that fix a value which is not written by itself."""
    for lock in decision.locks:
        other = by_name.get(lock.setting)
        if other is not None and decision.setting in other.governs and _is_closed(lock, other):
            yield other


def _is_closed(lock: Lock, other: Decision) -> bool:
    return (other.value in lock.values) != lock.unless


def _opens(decision: Decision, written: str) -> Note:
    said = f"{decision.setting} {decision.value} is the vendor's default"
    return Note("opens", f"{said}; it is written since {written} may be locked under another value")


def _goes_with(decision: Decision, written: str) -> Note:
    said = f"{decision.setting} {decision.value} is the vendor's default"
    return Note("required", f"{said}; it is written since nothing else goes with {written} as it is here")
