"""From a plan of the compiler to the rows of the one for the program for hosts: options of the 11th generation, or BIOS
attributes from the 12th on."""

from typing import Any

import setpoint.targets.syscfg as package
from setpoint.compiler.knowledge.interfaces import value_text
from setpoint.compiler.lowering.target import cite, emission_of
from setpoint.compiler.plan.model import Plan
from setpoint.targets._bios.attributes import spell, unrecorded, why_unknown
from setpoint.targets._bios.forms import FIXED, AttributeLine
from setpoint.targets._linux.table import not_plain
from setpoint.targets._shared.data import data
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import identification
from setpoint.targets.syscfg.model import SyscfgPlan, SyscfgRow

OPTIONS = "syscfg's options"


def unsupported_reason(plan: Plan) -> str:
    """Why there is no syscfg for the plan's platform or its system, in a sentence; "" if there is."""
    if os := _foreign(plan):
        return f"the program for hosts needs Linux to run on, and `{os}` is no Linux"
    return "" if _older(plan) else why_unknown(plan, "racadm", OPTIONS, f"{OPTIONS} on {{}} are not known")


def _foreign(plan: Plan) -> str:
    """The plan's operating system if the program for hosts cannot run on it; "" if it can, or if the plan names
    none."""
    os = plan.lineage("os")
    return os[0] if os and _data()["program"]["os"] not in os else ""


def lower(plan: Plan) -> Lowered[SyscfgPlan]:
    """The plan's data. `unsupported_reason` must be "" for the plan."""
    if older := _older(plan):
        return _options(plan, older)
    spelling = spell(plan)
    others = not_plain(spelling.lines, "syscfg")
    rows = tuple(_row(line) for line in spelling.lines if line.setting not in others)
    left_out = {
        **spelling.left_out,
        **{name: why for name, why in others.items() if name in spelling.expressed},
    }
    expressed = spelling.expressed - others.keys()
    return Lowered(_host_plan(plan, rows, attributes=True), expressed, dict(sorted(left_out.items())))


def _row(line: AttributeLine) -> SyscfgRow:
    return SyscfgRow(
        kind="held" if line.role == FIXED else "want",
        setting=line.setting,
        option=line.attribute,
        value=value_text(line.value),
        conditions=tuple(map(str, line.conditions)),
        reason=line.cause,
    )


def _options(plan: Plan, older: str) -> Lowered[SyscfgPlan]:
    """The 11th generation: a few options of its own. No setting of these locks another there."""
    table = _data()["options"][older]
    left_out = unrecorded(plan)
    rows = {}
    for decision in plan.written:
        if decision.layer != "firmware":
            continue
        option = table.get(decision.setting)
        if option is None:
            left_out[decision.setting] = f"syscfg on {older} has no option for {decision.title}"
        elif decision.value not in option["values"]:
            unsupported_reason = option.get("lacks", {}).get(decision.value)
            left_out[decision.setting] = (
                unsupported_reason or f"--{option['option']} has no value for {decision.value}"
            )
        else:
            reason = cite(plan, decision.setting)
            value = option["values"][decision.value]
            rows[decision.setting] = SyscfgRow(
                kind="want",
                setting=decision.setting,
                option=option["option"],
                value=value,
                conditions=(),
                reason=reason,
            )
    ordered = tuple(rows[setting] for setting in table if setting in rows)
    return Lowered(
        _host_plan(plan, ordered, attributes=False), frozenset(rows), dict(sorted(left_out.items()))
    )


def _host_plan(plan: Plan, rows: tuple[SyscfgRow, ...], attributes: bool) -> SyscfgPlan | None:
    """The plan's data; None where it has nothing to set or to compare."""
    if not rows:
        return None
    return SyscfgPlan(
        policy=plan.policy,
        platform=plan.lineage("platform")[0],
        attributes=attributes,
        redfish=emission_of("redfish", plan) is not None,
        identification=identification(plan, firmware=True),
        rows=rows,
    )


def _older(plan: Plan) -> str:
    """The generation of the plan's platform that has options of its own; "" if it has not."""
    return next((name for name in plan.lineage("platform") if name in _data()["options"]), "")


def _data() -> dict[str, Any]:
    return data(package, "options.toml")
