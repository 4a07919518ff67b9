"""The verdict on a setting of the firmware, from the controller's side and the host's.

The controller says what is configured and what waits, the host what is in effect. Where both answer, both have to be
right: a value that is in effect by chance is gone with the next restart, and one that is configured may never have come
into effect.
"""

from collections.abc import Mapping
from typing import Any

from setpoint.compiler.knowledge.interfaces import TypedValue, value_text
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.verification.configured import Configured
from setpoint.compiler.verification.live import InEffect
from setpoint.compiler.verification.model import (
    CONFIGURED,
    CONTROLLER_ONLY,
    DIFFERS,
    INCONSISTENT,
    LOCKED,
    NOT_APPLICABLE,
    OK,
    OVERRIDDEN,
    PENDING,
    PENDING_READING,
    UNREADABLE,
    UNRESOLVED,
    SettingVerdict,
    VerdictReading,
)
from setpoint.compiler.verification.observed import Sighting
from setpoint.compiler.verification.questions import ATTRIBUTE, AttributeWanted, SettingQuestion

AUTOMATIC = "auto"
"""The value by which a setting leaves its value to the firmware."""

RESTART = "restart the server"
READ_CONTROLLER = "capture the controller as well"
LOOK_UP = "look it up in the setup menus of the server"
NO_ATTRIBUTE = "no attribute of a controller is known for it"
FIRMWARE = "firmware"


class _Attributes(NamedTuple):
    """The attributes of a setting as the controller shows them; `is_right` and `stays` are None if it does not."""

    is_right: bool | None
    stays: bool | None
    found: str | None
    pending: str | None
    readings: tuple[VerdictReading, ...]
    why: str


def firmware_verdict(question: SettingQuestion, controller: Configured, sighting: Sighting) -> SettingVerdict:
    """The verdict on a setting, by what the controller and the host show."""
    seen = sighting.seen
    shown = _attributes(question.attributes, controller)
    state, reason, decided = _judged(question, shown, sighting)
    in_effect = seen.found if state in (OK, INCONSISTENT, OVERRIDDEN) or shown.found is None else None
    return question.verdict(state, reason)._replace(
        found=in_effect or shown.found,
        pending=shown.pending,
        readings=(*shown.readings, *seen.readings),
        decided=decided,
        change=_change(question, state, decided, seen, shown),
    )


def _attributes(wanted: tuple[AttributeWanted, ...], controller: Configured) -> _Attributes:
    values = controller.values
    if not wanted:
        return _Attributes(None, None, None, None, (), NO_ATTRIBUTE)
    if values is None:
        return _Attributes(None, None, None, None, (), controller.why)
    missing = [attribute.name for attribute in wanted if attribute.name not in values]
    if missing:
        return _Attributes(
            None, None, None, None, (), f"the controller shows no attribute {', '.join(missing)}"
        )
    waits = {attribute.name: controller.waits(attribute.name) for attribute in wanted}
    after = {
        attribute.name: values[attribute.name] if waits[attribute.name] is None else waits[attribute.name]
        for attribute in wanted
    }
    readings = [
        VerdictReading(CONFIGURED, f"{controller.place} {attribute.name}", _text(values[attribute.name]))
        for attribute in wanted
    ]
    readings += [
        VerdictReading(PENDING_READING, f"{controller.pending_place} {name}", _text(value))
        for name, value in waits.items()
        if value is not None
    ]
    pending = ", ".join(dict.fromkeys(_text(value) for value in waits.values() if value is not None))
    return _Attributes(
        all(_is(attribute.value, values[attribute.name]) for attribute in wanted),
        all(_is(attribute.value, after[attribute.name]) for attribute in wanted),
        ", ".join(dict.fromkeys(_text(values[attribute.name]) for attribute in wanted)),
        pending or None,
        tuple(readings),
        "",
    )


def _judged(question: SettingQuestion, shown: _Attributes, sighting: Sighting) -> tuple[str, str, str]:
    """The state, what explains it, and what decided the value."""
    seen, unseen = sighting.seen, question.observed.unseen
    if shown.is_right is False:
        if shown.stays:
            return PENDING, "it waits for a restart", FIRMWARE
        by_chance = "the host shows the planned value by chance" if seen.state == OK else ""
        return DIFFERS, by_chance, FIRMWARE
    if shown.stays is False:
        return DIFFERS, "another value waits for the next restart", FIRMWARE
    if seen.state == INCONSISTENT:
        return INCONSISTENT, seen.why, sighting.owner or FIRMWARE
    if seen.state == DIFFERS:
        return _differing(shown, sighting)
    if seen.state == OK:
        return OK, "", FIRMWARE
    if shown.is_right:
        if question.decision.value == AUTOMATIC:
            return UNRESOLVED, seen.why or unseen or "nothing shows what the firmware makes of it", FIRMWARE
        return OK, seen.why or unseen, FIRMWARE
    if seen.state == NOT_APPLICABLE:
        state = CONTROLLER_ONLY if question.attributes else UNRESOLVED
        return state, "; ".join(filter(None, (unseen or seen.why, shown.why))), ""
    return seen.state, "; ".join(filter(None, (seen.why, shown.why))), ""


def _differing(shown: _Attributes, sighting: Sighting) -> tuple[str, str, str]:
    """What is said of a value that is in effect in place of the planned one.

    Something later is to blame only if the firmware is known to have the planned value.
    """
    seen, owner = sighting.seen, sighting.owner
    if owner and (shown.is_right or sighting.was_set):
        return OVERRIDDEN, seen.why, owner
    if shown.is_right:
        why = "it is configured, and not in effect: the server has not restarted since, or its firmware did not take it"
        return DIFFERS, "; ".join(filter(None, (why, seen.why))), FIRMWARE
    return DIFFERS, seen.why, f"{FIRMWARE}, or {owner}" if owner else FIRMWARE


def _change(question: SettingQuestion, state: str, decided: str, seen: InEffect, shown: _Attributes) -> str:
    if state == PENDING:
        return RESTART
    if state == OVERRIDDEN:
        return f"keep this from writing it: {decided}"
    if state in (DIFFERS, INCONSISTENT):
        if shown.is_right and shown.stays:
            return RESTART
        return f"write {_assignments(question)}, then {RESTART}"
    if state in (CONTROLLER_ONLY, UNRESOLVED):
        return READ_CONTROLLER if question.attributes else LOOK_UP
    return access(seen.why) if state == UNREADABLE else ""


def access(why: str) -> str:
    """What makes a place readable, by why it was not."""
    if "permission" in why or "rights" in why:
        return "collect as root"
    if "locked down" in why:
        return READ_CONTROLLER
    return "capture the server again, with a collector that reads this place"


def _assignments(question: SettingQuestion) -> str:
    pairs = [f"{attribute.name}={value_text(attribute.value)}" for attribute in question.attributes]
    return ", ".join(pairs) or f"{question.decision.setting} {question.decision.value}"


def with_locks(plan: Plan, verdict: SettingVerdict, values: Mapping[str, str]) -> SettingVerdict:
    """The verdict, or that the setting is locked by another one's value among the controller's `values`."""
    decision = plan.setting(verdict.setting)
    if verdict.state != DIFFERS or decision is None:
        return verdict
    for lock in decision.locks:
        if lock.setting in values and (values[lock.setting] in lock.values) != lock.unless:
            reason = f"{lock.setting} is {values[lock.setting]}"
            change = f"set {lock.setting} first: {verdict.change}"
            return verdict._replace(state=LOCKED, reason=reason, decided=lock.setting, change=change)
    return verdict


def configured_values(plan: Plan, controller: Configured) -> dict[str, str]:
    """The value of each setting whose attributes the controller shows, in the terms of the policy."""
    if controller.values is None:
        return {}
    values = {decision.setting: _value(decision, controller.values) for decision in plan.settings}
    return {name: value for name, value in values.items() if value}


def _value(decision: Decision, values: Mapping[str, Any]) -> str:
    for spelled in decision.spelled_in(ATTRIBUTE):
        by_text = {text: value for value, text in spelled.texts}
        for name in spelled.names:
            if name in values and (value := by_text.get(_text(values[name]))):
                return value
    return ""


def _text(value: Any) -> str:
    return value_text(value) if isinstance(value, str | int) else str(value)[:80]


def _is(wanted: TypedValue, now: Any) -> bool:
    return type(now) is type(wanted) and now == wanted
