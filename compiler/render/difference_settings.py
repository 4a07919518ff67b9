"""The sentences for a changed setting: its value on both sides, and why it changes.

Text, Markdown and JSON share them.
"""

from setpoint.compiler.plan.difference import SettingChange, Trigger
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.render.words import place, weighed

KEPT = "; servers keep their current value"
"""After the reason for a value that nothing sets back."""


def setting_value(decision: Decision | None) -> str:
    """A value, and why no artifact sets it, if none does."""
    if decision is None:
        return "-"
    return decision.value + {
        "default": " (vendor default)",
        "locked": " (set by profile)",
        "profile": " (set by profile)",
        "unknown": " (may be locked)",
        "fixed": " (fixed on the server)",
        "once": " (performed once)",
    }.get(decision.unwritten, "")


def written_value(decision: Decision | None) -> str:
    """The value that is written, or that a profile has; "" for none."""
    if decision and (decision.written or decision.is_performed or decision.is_set_by_profile):
        return decision.value
    return ""


def left_value(decision: Decision | None) -> str:
    """What servers have where nothing is written, in words; "" if no source says so."""
    if decision is None or (decision.unwritten == "default" and not decision.default):
        return ""
    return setting_value(decision)


def cause_text(change: SettingChange) -> str:
    """Why a setting changes: the part of the change that causes it, then the source of the value."""
    if change.kind == "reason":
        is_, was = voice(change.new), voice(change.old)
        if is_ == was and change.new is not None and change.old is not None:
            return f"{is_}: {change.new.cause.because}; was: {change.old.cause.because}"
        return f"{is_}; was {was}"
    text = because(change)
    if change.kind == "performs" and change.old is not None and change.old.is_performed:
        text += f"; performed again, since it is another request (was: {change.old.cause.because})"
    if change.kind == "stops" and change.new is not None:
        text += f"; no longer managed{KEPT}"
    return text


def because(change: SettingChange) -> str:
    """The cause of the new value, its recommendation, and the reason of a `set` that another replaces."""
    parts = [trigger(t, change) for t in change.triggers]
    if parts == ["set"]:
        parts = []  # the reason says the same
    cited = why(change.new)
    text = f"{', '.join(parts)}: {cited}" if parts else cited
    was, is_ = (side.cause if side is not None else None for side in (change.old, change.new))
    if was and is_ and (was.kind, is_.kind) == ("set", "set") and change.kind == "value":
        text += f"; was set: “{was.because}”"
    return text


def voice(decision: Decision | None) -> str:
    """The source of a value: `dell-11g-hpc, Table 6 (vendor)`; for a `set` the user's reason."""
    if decision is None:
        return "there is no such setting there"
    cause = decision.cause
    if cause.kind == "set":
        return f"set: “{cause.because}”"
    if cause.kind == "default":
        return "vendor default"
    where = place(cause.source, cause.at, cause.profile) if cause.source else cause.because
    return weighed(where, cause.weight)


def why(decision: Decision | None) -> str:
    """Why a value is as it is: its source with the reason, and the advice that it overrides."""
    text = voice(decision)
    if decision is not None and decision.cause.kind == "rule" and decision.cause.because:
        text += f": {decision.cause.because}"
    if decision is not None and decision.cause.kind == "set" and (lost := against(decision)):
        text += f"; overrides {', '.join(lost)}"
    return text


def against(decision: Decision) -> tuple[str, ...]:
    """The advice that a decision overrides: each other value, and its source."""
    others = (
        f"{lost.value} ({lost.citation.source}, {lost.citation.at})" if lost.citation else lost.value
        for lost in decision.beat
        if lost.value != decision.value
    )
    return tuple(dict.fromkeys(others))


def cited(change: SettingChange) -> set[str]:
    """The names of the sources that the sentences for a change name."""
    decisions = [decision for decision in (change.old, change.new) if decision is not None]
    overridden = change.new.beat if change.new is not None and change.new.cause.kind == "set" else ()
    return {
        *(decision.cause.source for decision in decisions),
        *(lost.citation.source for lost in overridden if lost.citation),
    }


def trigger(part: Trigger, change: SettingChange) -> str:
    """A part of the change, in a few words."""
    if part.kind == "set" and part.name == change.setting:
        return "set" if part.new else f"no longer set (“{part.because}”)"
    cited = change.old.cause.citation if change.old else None
    before = f"{cited.source}, {cited.at}" if cited else "a rule"
    whose = f"{part.layer}: " if part.layer in ("library", "inventory") else ""
    return (
        whose
        + {
            "fact": f"{part.name} is {part.new} now" if part.new else f"{part.name} is no longer stated",
            "set": f"{part.name} is set to {part.new} now" if part.new else f"{part.name} is no longer set",
            "manage": "everything is written now" if part.new else "defaults are no longer written",
            "require": f"strength {part.new} is required now"
            if part.new
            else "no strength is required any more",
            "supersedes": f"{part.name} supersedes {part.old}",
            "new-rule": "a new rule",
            "applies": "a rule that did not apply before",
            "offered": "offered now" if part.new else "no longer offered",
            "compiler": f"Setpoint {part.new}, was {part.old}",
            "rule-gone": f"{before} is gone",
            "rule-changed": f"{before} has changed",
            "outweighed": f"{before} no longer decides",
        }[part.kind]
    )
