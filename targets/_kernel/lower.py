"""From a plan to kernel arguments: the boot settings that it writes, as words of the command line."""

from typing import Any

import setpoint.targets._kernel as package
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.targets._kernel.files import file_of
from setpoint.targets._kernel.model import FormName, KernelArgument, KernelArguments, Shown
from setpoint.targets._linux import reason
from setpoint.targets._shared.data import data, nearest
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import identification


def unsupported_reason(plan: Plan) -> str:
    """Why there is no command line to write to, in a sentence; "" if there is."""
    if _forms(plan):
        return ""
    os = plan.fact("os")
    return f"`{os}` is not Linux" if os else "the plan names no operating system"


def lower(plan: Plan) -> Lowered[KernelArguments]:
    """The kernel arguments of a plan for Linux. If a person edits the line, the words are information and set nothing."""
    words, left_out = _words(plan), _left_out(plan)
    if not words:
        return Lowered(None, frozenset(), left_out)
    table, lineage = data(package), plan.lineage("os")
    arguments = KernelArguments(
        policy=plan.policy,
        forms=_forms(plan),
        words=words,
        longest=nearest(table["longest"], lineage) or 0,
        most=nearest(table["most"], lineage) or 0,
        menu=nearest(table["menu"], lineage) or "",
        identification=identification(plan),
    )
    expressed = frozenset(w.setting for w in words) if not _by_hand(plan) else frozenset()
    return Lowered(arguments, expressed, left_out)


def _forms(plan: Plan) -> tuple[FormName, ...]:
    """The forms that the plan's OS can use; none if it is unknown or not Linux."""
    return tuple(nearest(data(package)["forms"], plan.lineage("os")) or ())


def _by_hand(plan: Plan) -> str:
    """Why only a person can add the words to the command line, in a sentence; "" if one of the forms can.

    A text that somebody has to read and follow sets nothing: if there is no other form, the setting is a manual step.
    """
    used = [file_of(form) for form in _forms(plan)]
    if any(file.sets for file in used):
        return ""
    return [file.by_hand for file in used if file.by_hand][-1]


def _rows(decision: Decision) -> dict[str, Any] | None:
    """The spelling of a setting's value; None if there is none."""
    row: dict[str, Any] | None = data(package)["arguments"].get(decision.setting, {}).get(decision.value)
    return row


def _boot(plan: Plan) -> tuple[Decision, ...]:
    return tuple(d for d in plan.written if d.layer == "boot")


def _words(plan: Plan) -> tuple[KernelArgument, ...]:
    """The words of written settings, and those of settings left to the kernel, whose arguments an earlier policy added."""
    words = []
    for decision in plan.settings:
        if decision.layer != "boot" or decision.unwritten not in ("", "default"):
            continue
        row = _rows(decision)
        if row is None:
            continue
        words.append(
            KernelArgument(
                setting=decision.setting,
                argument=row.get("add") or row["remove"],
                wanted="add" in row,
                shows=tuple(_shown(each) for each in row.get("shows", ())),
                reason=reason(plan, decision),
            )
        )
    return tuple(words)


def _shown(row: dict[str, str]) -> Shown:
    return Shown(file=row["file"], content=row.get("is") or row["is-not"], same="is" in row)


def _left_out(plan: Plan) -> dict[str, str]:
    """The boot settings that no form sets: those without an argument; all of them if a person edits the line."""
    why = _by_hand(plan)
    return {d.setting: _unspelled(d) or why for d in _boot(plan) if why or _rows(d) is None}


def _unspelled(decision: Decision) -> str:
    """Why `spelling.toml` has no argument for a decision; "" if it has one."""
    if _rows(decision) is not None:
        return ""
    return f"no kernel argument is known for `{decision.setting} {decision.value}`"
