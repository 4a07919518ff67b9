"""The attributes that have the plan's values already, and keep them while the rest of the plan is written.

A value is right only if it stays right. What is written may set it: a dependency may force a value, which the registry
says; else a profile may seed its members, which the library says. Where neither knows what a changed profile does to a
member, the member is written. The same is true of what is staged on the server: an attribute for which another value
waits is written, and so are members of a profile for which one waits that the plan does not replace.
"""

from collections.abc import Mapping

from setpoint.compiler.fitting.fit import INTERFACE
from setpoint.compiler.fitting.offers import same
from setpoint.compiler.fitting.server import Server
from setpoint.compiler.knowledge.interfaces import TypedValue, typed_value
from setpoint.compiler.knowledge.model import FREE, Knowledge
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.registries.state import state
from setpoint.compiler.resolution.profiles import cells_of, set_by


def in_place(knowledge: Knowledge, plan: Plan, server: Server) -> Plan:
    """The plan with the attributes that are right; `knowledge` is what it was made with."""
    if plan.registry is None:
        return plan
    wanted = {decision.setting: _attributes(decision) for decision in plan.settings}
    becomes = [decision for decision in plan.settings if decision.written or decision.unwritten == "locked"]
    after = {name: value for decision in becomes for name, value in wanted[decision.setting].items()}
    becoming = {**server.current, **server.staged}
    changed = {
        decision.setting
        for decision in plan.written
        if any(not _stays(server, name, value) for name, value in wanted[decision.setting].items())
    }
    replaced = {
        decision.setting
        for decision in plan.settings
        if decision not in becomes
        and any(
            name in server.staged and not same(value, server.staged[name])
            for name, value in wanted[decision.setting].items()
        )
    }
    at_risk = {name for p in knowledge.presets if p.governor in replaced for name in p.members}
    forced = state(server.registry, {**becoming, **after})
    right = [
        name
        for decision in becomes
        for name, value in wanted[decision.setting].items()
        if name in forced and _stays(server, name, value) and decision.setting not in at_risk
        if (
            same(value, forced[name].forced[0])
            if forced[name].forced
            else not _is_seeded(knowledge, plan, server, decision.setting, changed)
        )
    ]
    return plan._replace(registry=plan.registry._replace(right=tuple(right)))


def _stays(server: Server, name: str, value: TypedValue) -> bool:
    """Whether a server has a value now, and nothing else waits for its next restart."""
    return same(value, server.current.get(name)) and name not in server.staged


def _attributes(decision: Decision) -> dict[str, TypedValue]:
    return {
        name: typed_value(spelled.text, spelled.type)
        for spelled in decision.spelled_in(INTERFACE)
        if spelled.text is not None
        for name in spelled.names
    }


def _is_seeded(knowledge: Knowledge, plan: Plan, server: Server, setting: str, changed: set[str]) -> bool:
    """Whether a profile that changes may give the setting another value at first."""
    presets = [p for p in knowledge.presets if setting in p.members and p.governor in changed]
    for preset in presets:
        profile = plan.value(preset.governor)
        cell = cells_of(presets, preset.governor, profile).get(setting, "")
        at_first: Mapping[str, str] = set_by(presets, preset.governor, profile)
        if cell == FREE and at_first.get(setting, plan.value(setting)) == plan.value(setting):
            continue
        if (profile, setting) in preset.undecided or (cell and at_first.get(setting) != plan.value(setting)):
            return True
        if not cell and not _is_governed(plan, server, preset.governor):
            return True
    return False


def _is_governed(plan: Plan, server: Server, governor: str) -> bool:
    """Whether the registry states what a governing setting does to others."""
    decision = plan.setting(governor)
    return decision is not None and any(name in server.effects.of for name in _attributes(decision))
