"""Compare two plans setting by setting: which values change, and which have only another reason."""

from collections.abc import Mapping

from setpoint.compiler.plan.difference import SettingChange
from setpoint.compiler.plan.model import Decision

RESTARTING = ("value", "starts", "profile", "performs")
"""The kinds of changes that need a restart, if their layer does."""

PERFORMED = "performed"
"""The kind of a one-time action that is not performed again."""

Settings = Mapping[str, Decision]
"""The settings of a plan, without those that its platform does not offer."""


def setting_changes(old: Settings, new: Settings) -> tuple[SettingChange, ...]:
    """The differences in the order of decision, without their causes."""
    changes = []
    for name in dict.fromkeys([*new, *old]):
        before, after = old.get(name), new.get(name)
        kind = _kind(before, after)
        if kind:
            reboot = kind in RESTARTING and after is not None and after.reboot
            changes.append(SettingChange(name, kind, before, after, reboot))
    if all(change.kind == PERFORMED for change in changes):
        return ()  # what was asked for already is worth a word beside other changes only
    return tuple(changes)


def _kind(old: Decision | None, new: Decision | None) -> str:
    """The kind of a change; "" if nothing changed. See `SettingChange`."""
    if old is None and new is None:
        return ""
    if new is not None and new.is_performed:
        is_same = old is not None and old.is_performed and old.request == new.request
        return PERFORMED if is_same else "performs"
    if old is not None and old.is_performed:
        return "over"
    expressed = old is not None and not old.unwritten
    if new is None:
        return "stops" if expressed else "default"
    same = old is not None and old.value == new.value
    if not new.unwritten:
        if not same:
            return "value"
        if expressed:
            return "" if _cause(old) == _cause(new) else "reason"
        return "written-out" if old is not None and old.is_set_by_profile else "starts"
    if new.is_set_by_profile:
        if not same:
            return "profile"
        asked = old is not None and "set" in (old.cause.kind, new.cause.kind)
        return "reason" if asked and _cause(old) != _cause(new) else ""
    if expressed:
        return "left" if same else "stops"
    return "" if same else "default"


def _cause(decision: Decision | None) -> tuple[str, ...]:
    """The parts of a cause that make another reason; the column of a table is not one of them."""
    if decision is None:
        return ()
    cause = decision.cause
    return cause.kind, cause.source, cause.at, cause.weight, cause.because, cause.profile
