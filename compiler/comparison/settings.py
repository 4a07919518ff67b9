"""Two plans compared setting by setting, in the form of plan.json, which is all that a bundle has."""

from collections.abc import Mapping
from typing import Any

from setpoint.compiler.comparison.changes import SettingChange, Value

Decided = Mapping[str, dict[str, Any]]
"""The settings of a plan: `plan["settings"]`."""


def setting_changes(old: Decided, new: Decided) -> tuple[SettingChange, ...]:
    """What differs, in the order of decision; what brings it about is not known yet."""
    found = []
    for name in dict.fromkeys([*new, *old]):
        before, after = value_of(old.get(name)), value_of(new.get(name))
        kind = _kind(before, after)
        if kind:
            decision = new.get(name) or old[name]
            reboot = decision["reboot"] and kind in ("value", "starts", "profile")
            found.append(
                SettingChange(
                    name, decision["layer"], kind, before, after, (), reboot, decision["menu"] or ""
                )
            )
    return tuple(found)


def value_of(decision: dict[str, Any] | None) -> Value | None:
    """What a plan has for a setting; None where the platform offers no such setting."""
    if decision is None:
        return None
    cause = decision["because"][0]
    return Value(
        value=decision["value"],
        unwritten=decision["unwritten"] or "",
        cause=cause["kind"],
        rule=cause.get("rule", ""),
        source=cause.get("source", ""),
        at=cause.get("at", ""),
        strength=_weight(cause),
        because=cause.get("because", ""),
        profile=cause.get("profile", ""),
        against=tuple(dict.fromkeys(_loser(b) for b in decision["beat"] if b["value"] != decision["value"])),
    )


def _weight(cause: dict[str, Any]) -> str:
    return "out of scope" if "out_of_scope" in cause else str(cause.get("strength", ""))


def _loser(lost: dict[str, Any]) -> str:
    return f"{lost['value']} ({lost['source']}, {lost['at']})" if "source" in lost else str(lost["value"])


def _kind(old: Value | None, new: Value | None) -> str:
    """Of which kind a change is; "" if it is none. See `SettingChange`."""
    if old is None and new is None:
        return ""
    carried = old is not None and not old.unwritten
    if new is None:
        return "stops" if carried else "default"
    same = old is not None and old.value == new.value
    if not new.unwritten:
        if not same:
            return "value"
        if carried:
            return "" if _cause(old) == _cause(new) else "reason"
        return "written-out" if old is not None and old.unwritten == "locked" else "starts"
    if new.unwritten == "locked":
        if not same:
            return "profile"
        asked = old is not None and "set" in (old.cause, new.cause)
        return "reason" if asked and _cause(old) != _cause(new) else ""
    if carried:
        return "left" if same else "stops"
    return "" if same else "default"


def _cause(value: Value | None) -> tuple[str, ...]:
    """What a reader would call another reason: the column of a table that says so is none."""
    if value is None:
        return ()
    return value.cause, value.source, value.at, value.strength, value.because, value.profile
