"""Two plans compared hazard by hazard: which appear, are accepted in writing, expire or are gone."""

from collections.abc import Mapping
from typing import Any

from setpoint.compiler.plan.difference import HazardChange, HazardState
from setpoint.compiler.resolution.hazards import opening

ABSENT = HazardState("absent", "", "", "")

STANDING = {"E0401": "stops", "W0401": "warns", "W0402": "warns"}
"""What a standing hazard does to the build, by the code of its diagnostic."""

GRAVEST = ("stops", "warns", "in-vain", "accepted", "absent")
"""The states, those that a reader should see first in front."""


def hazard_changes(
    old: Mapping[str, HazardState], new: Mapping[str, HazardState]
) -> tuple[HazardChange, ...]:
    """What differs between the hazards of two plans, the gravest first."""
    found = []
    for name in sorted({*old, *new}):
        was, is_ = old.get(name, ABSENT), new.get(name, ABSENT)
        kind = _kind(was, is_)
        if kind:
            found.append(HazardChange(name, kind, was, is_))
    return tuple(sorted(found, key=lambda change: GRAVEST.index(change.new.state)))


def hazard_states(plan: dict[str, Any]) -> dict[str, HazardState]:
    """How each hazard of a plan in the form of plan.json stands, by its name."""
    found = {
        w["hazard"]: HazardState(
            "accepted" if w["stands"] else "in-vain", w["until"] or "", w["because"], w["what"]
        )
        for w in plan["waivers"]
    }
    for diagnostic in plan["diagnostics"]:
        if diagnostic["code"] in STANDING:
            name = diagnostic["subject"]
            what = diagnostic["message"].removeprefix(opening(name))
            expired = found.get(name, ABSENT)
            found[name] = HazardState(STANDING[diagnostic["code"]], expired.until, expired.because, what)
    return found


def _kind(old: HazardState, new: HazardState) -> str:
    """Of which kind a change is; "" if it is none. See `HazardChange`."""
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
    return {"accepted": "accepted", "in-vain": "in-vain", "absent": "resolved"}[new.state]
