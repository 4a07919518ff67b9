"""Compare two plans: which hazards appear, are waived, expire or disappear, and which waivers of warnings change."""

from collections.abc import Mapping

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.plan.difference import HazardChange, WaiverChange, WaiverTerms
from setpoint.compiler.plan.judge import HazardState, Judged
from setpoint.compiler.plan.waivers import HAZARD

ABSENT = HazardState("absent", "", "", "")

GRAVEST = ("stops", "warns", "unused", "accepted", "absent")
"""The states, most serious first."""


def hazard_changes(
    old: Mapping[str, HazardState], new: Mapping[str, HazardState]
) -> tuple[HazardChange, ...]:
    """The differences between the hazards of two plans, most serious first."""
    changes = []
    for name in sorted({*old, *new}):
        was, is_ = old.get(name, ABSENT), new.get(name, ABSENT)
        kind = _kind(was, is_)
        if kind:
            changes.append(HazardChange(name, kind, was, is_))
    return tuple(sorted(changes, key=lambda change: GRAVEST.index(change.new.state)))


def _kind(old: HazardState, new: HazardState) -> str:
    """The kind of a change; "" if nothing changed. See `HazardChange`."""
    if old[:3] == new[:3]:
        return ""
    if new.state in ("stops", "warns"):
        if new.until and not (old.state == new.state and old.until):
            return "expired"
        if old.state in ("stops", "warns"):
            return "reworded"
        return "reopened" if old.state == "accepted" else "appears"
    if old.state == new.state:
        return "reworded"
    return {"accepted": "accepted", "unused": "unused", "absent": "resolved"}[new.state]


def waiver_changes(old: Judged | None, new: Judged | None) -> tuple[WaiverChange, ...]:
    """The changed terms of waivers of warnings, by name. Those of hazards are changes of the hazard."""
    before, after = _terms(old), _terms(new)
    return tuple(
        WaiverChange(name, before.get(name), after.get(name))
        for name in sorted({*before, *after})
        if _without_what(before.get(name)) != _without_what(after.get(name))
    )


def _without_what(terms: WaiverTerms | None) -> WaiverTerms | None:
    """The terms alone: what a waiver covers depends on the rest of the plan."""
    return terms and terms._replace(what="")


def _terms(judged: Judged | None) -> dict[str, WaiverTerms]:
    if judged is None:
        return {}
    return {
        w.name: WaiverTerms(
            w.until, w.because, w.name in judged.expired, "; ".join(map(_in_full, w.covers)) or w.what
        )
        for w in judged.plan.waivers
        if w.kind != HAZARD
    }


def _in_full(warning: Diagnostic) -> str:
    """A warning with its first note, which names what its message counts."""
    return f"{warning.message} ({warning.notes[0]})" if warning.notes else warning.message
