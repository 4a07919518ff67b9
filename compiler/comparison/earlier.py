"""What an earlier bundle wrote, and which of it cannot be set back.

A policy that no longer requests a value leaves the setting at its default, but a server with the earlier bundle keeps
the value. `compile --since` that bundle writes such settings at their defaults. It only needs their names, not the
values that were written, nor the reasons.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from setpoint.compiler.comparison.sides import Side
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.plan.model import Plan

Wrote = Mapping[str, str]
"""The written settings, each with its layer."""


def written_settings(earlier: Side) -> dict[str, Wrote]:
    """The settings that each policy of a side wrote. A policy that could not be compiled wrote nothing."""
    return {
        name: {s: d.layer for s, d in entry.planned().settings.items() if d.written and not entry.stopped}
        for name, entry in earlier.entries.items()
    }


Earlier = TypeVar("Earlier")
"""What a policy wrote before: to its servers, or to each of them."""


def matched(policies: Iterable[str], written_settings: Mapping[str, Earlier]) -> dict[str, Earlier]:
    """The settings that were written before, by policy that existed; a single policy may have been renamed."""
    names = tuple(policies)
    if len(names) == len(written_settings) == 1:
        return dict(zip(names, written_settings.values(), strict=True))
    return {name: written_settings[name] for name in names if name in written_settings}


def not_set_back(plan: Plan, before: Wrote) -> tuple[Diagnostic, ...]:
    """A warning (W0502) for what the earlier bundle wrote and this plan can neither keep nor set back.

    Values of the running system are excluded if the plan has some: its profile replaces the earlier one, and with that
    its values. So are boot arguments of which the kernel's default is known: artifacts remove them.
    """
    decided = {decision.setting: decision for decision in plan.settings}
    is_replaced = any(decision.layer == "os" for decision in plan.written)
    warnings = []
    for name in sorted(name for name, layer in before.items() if layer != "os" or not is_replaced):
        decision = decided.get(name)
        if before[name] == "os":
            why = "the plan writes nothing to the running system that would replace the earlier profile"
        elif decision is None:
            why = "this server or system does not offer it"
        elif decision.unwritten == "fixed":
            why = "the server takes no other value"
        elif decision.unwritten == "default" and decision.default:
            if decision.layer == "boot":
                continue
            why = f"its default, {decision.value}, is not written unless the policy asks for it"
        elif decision.unwritten in ("default", "unknown"):
            why = "no source states its default here"
        else:
            continue
        message = f"`{name}` stays as the earlier bundle has set it: {why}"
        way_out = f'set it back by hand, or say what it is to be: `set {name} VALUE because "…";`'
        warnings.append(Diagnostic("W0502", message, plan.at, help=(way_out,)))
    return tuple(warnings)
