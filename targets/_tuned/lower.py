"""From a plan to a tuned profile: the option for each setting, and the settings that tuned cannot express."""

from typing import Any

import setpoint.targets._tuned as package
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.targets._linux import reason
from setpoint.targets._shared.data import data, nearest
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import identification
from setpoint.targets._tuned.model import Ktune, Step, Sysctl, TunedOption, TunedProfile


def unsupported_reason(plan: Plan) -> str:
    """Why the plan's OS has no tuned; "" if it has."""
    lineage = plan.lineage("os")
    if not lineage:
        return "the plan names no operating system"
    if _layout(plan):
        return ""
    return nearest(data(package)["lacking"], lineage) or f"`{lineage[0]}` has no tuned"


def _layout(plan: Plan) -> str:
    return nearest(data(package)["layouts"], plan.lineage("os")) or ""


def _os(plan: Plan) -> tuple[Decision, ...]:
    return tuple(d for d in plan.written if d.layer == "os")


def _row(plan: Plan, decision: Decision) -> dict[str, Any] | None:
    """The spelling of a setting in this tuned, with `value` for the plan's; None if there is none."""
    row = data(package)[_layout(plan)].get(decision.setting)
    if row is None or decision.value in row.get("unspelled", ()):
        return None
    older = nearest(row.get("spelled", {}), plan.lineage("os")) or {}
    return {**row, "value": decision.label, **older.get(decision.value, {})}


def _governed_by_stopped_service(plan: Plan, decision: Decision) -> bool:
    return (
        _layout(plan) == "ktune"
        and decision.setting == "governor"
        and plan.value("cpuspeed-service") == "off"
    )


def _left_out(plan: Plan) -> dict[str, str]:
    """The OS settings that the profile does not express, and why."""
    table, reasons = data(package), {}
    for decision in _os(plan):
        by_hand = table["by-hand"].get(decision.setting, {}).get(decision.value)
        if _governed_by_stopped_service(plan, decision):
            reasons[decision.setting] = (
                "tuned 0.2 sets the governor by restarting the cpuspeed service, which this plan keeps stopped"
            )
        elif _row(plan, decision) is None:
            reasons[decision.setting] = (
                by_hand
                or table["left-out"].get(decision.setting)
                or f"tuned has no word for `{decision.setting}`"
            )
    return reasons


def lower(plan: Plan) -> Lowered[TunedProfile | Ktune]:
    """The profile of a plan whose OS has tuned."""
    left_out = _left_out(plan)
    asked = tuple(d for d in _os(plan) if d.setting not in left_out)
    profile = _profile(plan, asked) if asked else None
    expressed = frozenset(d.setting for d in (*asked, *_no_limit(plan, asked)))
    return Lowered(profile, expressed, left_out)


def _profile(plan: Plan, expressed: tuple[Decision, ...]) -> TunedProfile | Ktune:
    facts = ", ".join(f"{f.name} {f.value}" for f in plan.intent)
    common: dict[str, Any] = {
        "name": f"setpoint-{plan.policy}",
        "policy": plan.policy,
        "purpose": facts,
        "folder": nearest(data(package)["folders"], plan.lineage("os")) or "",
        "identification": identification(plan),
    }
    decisions = [(d, _row(plan, d) or {}) for d in expressed]
    if _layout(plan) == "ktune":
        return _ktune(plan, common, decisions)
    options = [_option(plan, d, row) for d, row in decisions]
    neutral = [option for d, row in decisions for option in _neutral(d, row)]
    why = "The plan limits no idle state; by itself tuned would (dynamic tuning asks for 100 or 1000 us)"
    no_limit = [
        _option(plan, d, _row(plan, d) or {}).model_copy(update={"reason": why})
        for d in _no_limit(plan, expressed)
    ]
    return TunedProfile(**common, options=(*options, *neutral, *no_limit))


def _option(plan: Plan, decision: Decision, row: dict[str, Any]) -> TunedOption:
    sysctls = [f"/proc/sys/{name.replace('.', '/')}" for name in row["options"] if row["section"] == "sysctl"]
    return TunedOption(
        setting=decision.setting,
        section=row["section"],
        names=tuple(row["options"]),
        value=row["value"],
        reason=_ascii(reason(plan, decision)),
        checks=row.get("checks", "expect"),
        files=tuple(sysctls or row["files"]),
    )


def _neutral(decision: Decision, row: dict[str, Any]) -> list[TunedOption]:
    """The options that keep a section from doing what the plan did not decide: see the package's essay."""
    what = "Keeps tuned's dynamic tuning from managing these devices"
    return [
        TunedOption(
            setting=decision.setting,
            section=row["section"],
            names=(name,),
            value=value,
            reason=f"{what} (for {decision.setting})",
        )
        for name, value in row.get("neutral", {}).items()
    ]


def _no_limit(plan: Plan, asked: tuple[Decision, ...]) -> tuple[Decision, ...]:
    """A neutral limit of idle states, if the plan has none and a [cpu] section would add one: see the package's essay."""
    decision = plan.setting("force-latency")
    if decision is None or decision.written or decision.value != "none" or _layout(plan) == "ktune":
        return ()
    row = _row(plan, decision)
    sections = {(_row(plan, d) or {}).get("section") for d in asked}
    return (decision,) if row and row["section"] in sections else ()


def _ktune(plan: Plan, common: dict[str, Any], decisions: list[tuple[Decision, dict[str, Any]]]) -> Ktune:
    steps, sysctls = [], []
    for decision, row in decisions:
        common_fields: dict[str, Any] = {
            "setting": decision.setting,
            "value": row["value"],
            "reason": _ascii(reason(plan, decision)),
            "checks": row.get("checks", "expect"),
            "files": tuple(row["files"]),
        }
        if "sysctl" in row:
            sysctls.append(Sysctl(name=row["sysctl"], **common_fields))
        else:
            steps.append(Step(does=row["does"], undoes=row["undoes"], **common_fields))
    return Ktune(**common, steps=tuple(steps), sysctls=tuple(sysctls))


def _ascii(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode("ascii")
