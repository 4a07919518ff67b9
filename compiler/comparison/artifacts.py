"""Which artifacts a change touches: those of the targets that carry a setting that is another.

What was planned here is emitted, so that the answer is that of the targets themselves. A bundle says by
which targets it was made; each of these is then taken to carry all of its layers.
"""

from setpoint.compiler.comparison.changes import Carrier, SettingChange
from setpoint.compiler.comparison.sides import Entry
from setpoint.compiler.plan import Plan


def carriers(
    old: Entry | None, new: Entry | None, changes: tuple[SettingChange, ...]
) -> tuple[tuple[Carrier, ...], tuple[str, ...]]:
    """The artifacts that these changes touch, and the settings that have to be changed by hand."""
    changed = [c.setting for c in changes if c.acts]
    if not changed:
        return (), ()
    carried: dict[str, set[str]] = {}
    former = old if new is None or any(c.kind == "stops" for c in changes) else None
    for entry in (former, new):
        for target, all_of_it in _carried(entry).items():
            carried.setdefault(target, set()).update(all_of_it)
    found = tuple(
        Carrier(target, touched)
        for target in sorted(carried)
        if (touched := tuple(s for s in changed if s in carried[target]))
    )
    asked = [c.setting for c in changes if c.kind in ("value", "starts")] if carried else []
    return found, tuple(s for s in asked if not any(s in each.settings for each in found))


def _carried(entry: Entry | None) -> dict[str, frozenset[str]]:
    """For each target what it carries of a plan."""
    if entry is None:
        return {}
    if entry.origin is not None:
        return _emitted(entry.origin.plan)
    if not entry.targets:
        return {}
    from setpoint.compiler.target import targets

    written = {name: s["layer"] for name, s in entry.plan["settings"].items() if s["written"]}
    known = targets()
    return {
        name: frozenset(setting for setting, layer in written.items() if layer in known[name].layers)
        for name in entry.targets
        if name in known and known[name].layers
    }


def _emitted(plan: Plan) -> dict[str, frozenset[str]]:
    from setpoint.compiler.target import (
        emission_of,
        targets,
    )  # their templates are only wanted where something changes

    emissions = {name: emission_of(name, plan) for name, target in targets().items() if target.layers}
    return {name: made.carried for name, made in emissions.items() if made is not None}
