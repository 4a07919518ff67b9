"""Plans to module: which parts each plan has, from what other targets make of it.

A plan of a fleet that Puppet cannot serve is part of the module, too: on its servers the class reports the reason.
"""

from functools import lru_cache
from typing import Literal

import setpoint.targets.puppet as package
from setpoint.compiler.lowering.target import (
    KEPT,
    Emission,
    Fleet,
    Variant,
    emission_of,
    identifier,
)
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.targets._kernel.files import ways_of
from setpoint.targets._shared.data import data, nearest
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import identification
from setpoint.targets._tuned import lower as tuned
from setpoint.targets.puppet.model import TITLES, Carried, Module, Part, Row, ServerPlan

LEFT_TO_SITE = "Puppet leaves the BIOS settings to Redfish unless a site sets `manage_firmware` to true"
"""Where a management controller serves the settings, the tool is rarely installed, and each run would fail without
it."""

NOTHING = Emission((), frozenset(), {})

NOTHING_TO_DO = "it has no setting that Puppet can apply"

CPUSPEED = "cpuspeed-service"

FIRMWARE = ("racadm", "syscfg")
"""The targets that can set the BIOS settings on the server. The module carries the plan of the first that serves it."""


def unsupported_reason(plan: Plan) -> str:
    """Why there is no module for the plan's operating system, in a sentence; "" if there is."""
    os = plan.lineage("os")
    if not os:
        return "the plan names no operating system"
    return "" if nearest(data(package)["support"], os) is not None else f"`{os[0]}` is no Linux"


def lower_fleet(fleet: Fleet) -> Module | None:
    """The module of a policy; None where there is nothing for Puppet to do in any of its plans."""
    plans = tuple(map(_server_plan, fleet.variants))
    if all(plan.nothing for plan in plans):
        return None
    return Module(
        name=f"setpoint_{identifier(fleet.policy)}",
        policy=fleet.policy,
        plans=plans,
        is_listed=fleet.is_listed,
    )


def _server_plan(variant: Variant) -> ServerPlan:
    """A plan and the servers that it is for."""
    why = unsupported_reason(variant.plan)
    plan = None if why else lower(variant.plan).model
    if plan is None:
        plan = ServerPlan(name=variant.name, nothing=why or NOTHING_TO_DO, support={})
    return plan.replaced(group=variant.group, host=variant.host)


@lru_cache(maxsize=KEPT)
def lower(plan: Plan) -> Lowered[ServerPlan]:
    """A plan's part of the module. `unsupported_reason` must be "" for the plan. It is kept, since it is asked for
    twice."""
    emissions = {name: emission_of(name, plan) or NOTHING for name in _targets(plan)}
    tool = next(name for name in FIRMWARE if name in emissions)
    redfish = emission_of("redfish", plan) is not None
    to_site = emissions[tool].expressed if redfish else frozenset[str]()
    expressed = frozenset(s for e in emissions.values() for s in e.expressed) - to_site
    carried = tuple(_plan(emission) for emission in emissions.values() if emission.expressed)
    rows = tuple(_row(decision, emissions, to_site) for decision in plan.applied)
    left_out = {row.setting: row.why for row in rows if row.why}
    if not carried:
        return Lowered(None, expressed, left_out)
    table, os = data(package), plan.lineage("os")
    profile = tuned.lower(plan).model if emissions["tuned"].expressed else None
    service = plan.setting(CPUSPEED) if emissions["cpuspeed"].expressed else None
    server_plan = ServerPlan(
        name=plan.policy,
        digest=plan.digest,
        facts=tuple(f"{f.name} {f.text}" for f in plan.facts),
        support=_listed(nearest(table["support"], os)),
        identification=identification(plan, firmware=bool(emissions[tool].expressed)),
        agent=nearest(table["agents"], os) or "",
        carried=carried,
        ways=ways_of(emissions["kernel-args"].artifacts),
        profile=profile.name if profile else "",
        lacks_profile=not profile and emission_of("tuned", plan) is not None,
        cpuspeed="" if service is None else "running" if service.value == "on" else "stopped",
        manages_firmware=not redfish,
        rows=rows,
        redfish=redfish,
    )
    return Lowered(server_plan, expressed, left_out, frozenset(server_plan.parts))


def _listed(table: dict[str, list[str]] | None) -> dict[str, tuple[str, ...]]:
    """A table of releases, as the module has it."""
    return {family: tuple(releases) for family, releases in (table or {}).items()}


def _targets(plan: Plan) -> list[str]:
    """The targets that the module carries for a plan: of those for the firmware, one."""
    tool = next((name for name in FIRMWARE if emission_of(name, plan) is not None), FIRMWARE[-1])
    return [name for name in TITLES if name == tool or name not in FIRMWARE]


def _row(decision: Decision, emissions: dict[str, Emission], to_site: frozenset[str]) -> Row:
    """A setting: the part that has it, or the reason of the target that it was for why none has."""
    setting = decision.setting
    part: Literal["", Part] = next(
        (name for name in TITLES if name in emissions and setting in emissions[name].expressed), ""
    )
    reasons = (emissions[name].left_out.get(setting) for name in (*FIRMWARE, *TITLES) if name in emissions)
    nothing = f"no part of the module can set `{setting}` here"
    why = LEFT_TO_SITE if setting in to_site else "" if part else next(filter(None, reasons), nothing)
    return Row(
        setting=setting,
        layer=decision.layer,
        value=decision.value,
        part=part,
        why=why,
    )


def _plan(emission: Emission) -> Carried:
    """The plan of a target for the program for hosts."""
    path, text = next(
        (artifact.path, artifact.text) for artifact in emission.artifacts if artifact.path.endswith(".plan")
    )
    return Carried(
        target=next(part for part in TITLES if path.startswith(f"{part}/")),
        name=path.rpartition("/")[2],
        text=text,
    )
