"""What opens the lock of a written value is written too, even if it is the vendor's default.

Firmware takes no value for a setting while another one locks it. If the other one is left at the vendor's default, the plan relies
on what it does not write: on a server that had another policy before, the lock is still closed, and the value is
refused. What opens it may be a member that a profile fixes. Then it is the profile on which the value depends.

A lock that goes together with the very value that the plan has is no obstacle, and is left as it is: if the firmware enables all
cores while another setting is on, a plan with all cores has no reason to turn that off. What has no known default is left as it
is, too: its value in the plan is only assumed.
"""

from collections.abc import Callable, Iterator

from setpoint.compiler.plan.model import Decision, Lock, Note


def with_openers(decisions: list[Decision], against: Callable[[str], tuple[Lock, ...]]) -> list[Decision]:
    """The decisions; those on which a written value depends are written, with a note that names the first such value.

    Args:
        decisions: All of a plan.
        against: What locks a setting at another value than the plan's.
    """
    by_name = {decision.setting: decision for decision in decisions}
    opened: dict[str, str] = {}
    waiting = [(decision, decision.setting) for decision in decisions if decision.written]
    seen = {decision.setting for decision, _ in waiting}
    for decision, first in waiting:
        needed = (
            _fixing(decision, by_name) if decision.unwritten else _opening(against(decision.setting), by_name)
        )
        for other in needed:
            if other.setting in seen:
                continue
            seen.add(other.setting)
            if other.unwritten == "default" and other.default:
                opened[other.setting] = first
                waiting.append((other._replace(unwritten=""), first))
            elif other.unwritten == "locked":
                waiting.append((other, first))
    return [
        decision._replace(unwritten="", notes=(*decision.notes, _note(decision, opened[decision.setting])))
        if decision.setting in opened
        else decision
        for decision in decisions
    ]


def _opening(locks: tuple[Lock, ...], by_name: dict[str, Decision]) -> Iterator[Decision]:
    """The decisions that open these locks, unless the plan's own end state has them closed."""
    for lock in locks:
        other = by_name.get(lock.setting)
        if other is not None and not other.once and not _is_closed(lock, other):
            yield other


def _fixing(decision: Decision, by_name: dict[str, Decision]) -> Iterator[Decision]:
    """The profiles that fix a value which is not written by itself."""
    for lock in decision.locks:
        other = by_name.get(lock.setting)
        if (
            other is not None
            and not other.once
            and decision.setting in other.governs
            and _is_closed(lock, other)
        ):
            yield other


def _is_closed(lock: Lock, other: Decision) -> bool:
    return (other.value in lock.values) != lock.unless


def _note(decision: Decision, opened: str) -> Note:
    said = f"{decision.setting} {decision.value} is the vendor's default"
    return Note("opens", f"{said}; it is written since {opened} may be locked under another value")
