"""What an earlier bundle wrote, and what of it cannot be set back.

A policy that no longer asks for a value leaves the setting at its default, and a server that has the earlier bundle keeps
the value. Who compiles `--since` that bundle has such settings written at their defaults. For that only the names are
needed: which value was written does not matter, nor why.
"""

from collections.abc import Iterable, Mapping

from setpoint.compiler.comparison.sides import Side
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.plan.model import Plan

Wrote = Mapping[str, str]
"""The settings that were written, each with its layer."""


def wrote(earlier: Side) -> dict[str, Wrote]:
    """What each policy of a side wrote. What could not be compiled wrote nothing."""
    return {
        name: {s: d.layer for s, d in entry.settings.items() if d.written and not entry.stopped}
        for name, entry in earlier.entries.items()
    }


def matched(policies: Iterable[str], wrote: Mapping[str, Wrote]) -> dict[str, Wrote]:
    """What was written before, for each of these policies that was there; one alone may have had another name."""
    names = tuple(policies)
    if len(names) == len(wrote) == 1:
        return dict(zip(names, wrote.values(), strict=True))
    return {name: wrote[name] for name in names if name in wrote}


def not_set_back(plan: Plan, before: Wrote) -> tuple[Diagnostic, ...]:
    """A warning (W0502) for what the earlier bundle wrote and this plan can neither keep nor set back.

    A value of the running system is no such: it goes with the profile that sets it.
    """
    decided = {decision.setting: decision for decision in plan.settings}
    found = []
    for name in sorted(name for name, layer in before.items() if layer != "os"):
        decision = decided.get(name)
        if decision is None:
            why = "this server or system does not offer it"
        elif decision.unwritten in ("default", "unknown"):
            why = "no source states its default here"
        else:
            continue
        message = f"`{name}` stays as the earlier bundle has set it: {why}"
        way_out = f'set it back by hand, or say what it is to be: `set {name} VALUE because "…"`'
        found.append(Diagnostic("W0502", message, plan.at, help=(way_out,)))
    return tuple(found)
