"""From a plan to kernel arguments: the boot settings that it writes, as words of the command line."""

import setpoint.targets._kernel as package
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.targets._kernel.files import file_of
from setpoint.targets._kernel.model import (
    FormName,
    KernelArgument,
    KernelArguments,
    ShownContent,
    WayName,
    excess,
)
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
    """The kernel arguments of a plan for Linux. If a person edits the line, the words are information and set
    nothing."""
    words, left_out = _words(plan), _left_out(plan)
    if not words:
        return Lowered(None, frozenset(), left_out)
    table, lineage = data(package), plan.lineage("os")
    longest, most = nearest(table["longest"], lineage) or 0, nearest(table["most"], lineage) or 0
    if why := excess(words, longest, most):
        return Lowered(None, frozenset(), {d.setting: why for d in _boot(plan)})
    arguments = KernelArguments(
        policy=plan.policy,
        forms=_forms(plan),
        ways=_ways(plan),
        words=words,
        longest=longest,
        most=most,
        menu=nearest(table["menu"], lineage) or "",
        identification=identification(plan),
    )
    expressed = {w.setting for w in words} | {d.setting for d in _boot(plan) if d.spelled_in("argument")}
    return Lowered(arguments, frozenset() if _by_hand(plan) else frozenset(expressed), left_out)


def _forms(plan: Plan) -> tuple[FormName, ...]:
    """The forms that the plan's OS can use; none if it is unknown or not Linux."""
    return tuple(nearest(data(package)["forms"], plan.lineage("os")) or ())


def _ways(plan: Plan) -> tuple[WayName, ...]:
    """How the boot loader of the plan's OS can be told; none if that is not known."""
    return tuple(nearest(data(package)["ways"], plan.lineage("os")) or ())


def _by_hand(plan: Plan) -> str:
    """Why only a person can add the words to the command line, in a sentence; "" if one of the forms can.

    A text that somebody has to read and follow sets nothing: if there is no other form, the setting is a manual step.
    """
    used = [file_of(form) for form in _forms(plan)]
    if _ways(plan) or any(file.sets for file in used):
        return ""
    return [file.by_hand for file in used if file.by_hand][-1]


def _boot(plan: Plan) -> tuple[Decision, ...]:
    return tuple(d for d in plan.written if d.layer == "boot")


def _words(plan: Plan) -> tuple[KernelArgument, ...]:
    """The words of written settings, and those of settings left to the kernel, whose arguments an earlier policy added.

    If no source states the kernel's default, the argument is not managed: one that is there stays.
    """
    words: list[KernelArgument] = []
    for decision in plan.settings:
        if decision.layer != "boot" or decision.unwritten not in ("", "default"):
            continue
        if decision.unwritten and not decision.default:
            continue
        words.extend(
            KernelArgument(
                setting=decision.setting,
                argument=f"{name}={spelled.text}" if spelled.text else name,
                wanted=not spelled.is_absent,
                shows=tuple(
                    ShownContent(file=shown.file, content=shown.text, same=shown.is_same)
                    for shown in spelled.shown
                ),
                reason=reason(plan, decision),
            )
            for spelled in decision.spelled_in("argument")
            for name in spelled.names
        )
    return _one_for_each_name(words)


def _one_for_each_name(words: list[KernelArgument]) -> tuple[KernelArgument, ...]:
    """The words without those that another one of the same name stands for.

    Settings share a name if a constraint leaves it to one of them. Where it is on the line for that one, none of the
    others has it there, and where no setting has it, it is removed once.
    """
    wanted = {word.name for word in words if word.wanted}
    gone = {word.name: word for word in reversed(words) if not word.wanted and word.name not in wanted}
    return tuple(word for word in words if word.wanted or gone.get(word.name) is word)


def _left_out(plan: Plan) -> dict[str, str]:
    """The boot settings that no form sets: those without an argument; all of them if a person edits the line."""
    why = _by_hand(plan)
    return {d.setting: _unspelled(d) or why for d in _boot(plan) if why or not d.spelled_in("argument")}


def _unspelled(decision: Decision) -> str:
    """Why a decision has no argument; "" if it has one."""
    if decision.spelled_in("argument"):
        return ""
    return f"no kernel argument is known for `{decision.setting} {decision.value}`"
