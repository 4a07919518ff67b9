"""Plans to module: which parts each plan has, from what other targets make of it.

A plan of a fleet that Puppet cannot serve is part of the module, too: on its servers the class reports the reason.
"""

from functools import lru_cache

import setpoint.targets.puppet as package
from setpoint.compiler.lowering.target import (
    KEPT,
    Artifact,
    Emission,
    Fleet,
    Variant,
    cite,
    emission_of,
    identifier,
)
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.targets._kernel.files import ways_of
from setpoint.targets._linux import reason
from setpoint.targets._shared.data import data, nearest
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import identification
from setpoint.targets._tuned import lower as tuned
from setpoint.targets.puppet.model import (
    Carried,
    Cpuspeed,
    Kernel,
    Module,
    Row,
    ServerPlan,
    SystemFiles,
    Tuned,
)

LEFT_TO_SITE = "Puppet leaves the BIOS settings to Redfish unless a site sets `manage_firmware` to true"
"""Where a management controller serves the settings, the tool is rarely installed, and each run would fail without it."""

NOTHING = Emission((), frozenset(), {})

NOTHING_TO_DO = "it has no setting that Puppet can apply"

CPUSPEED = "cpuspeed-service"

FIRMWARE = ("racadm", "syscfg")
"""The targets that can set the BIOS settings on the server. The module carries the plan of the first that serves it."""

PARTS = {
    "kernel-args": "kernel arguments",
    "cpuspeed": "cpuspeed service",
    "tuned": "tuned profile",
    "systemd": "files for systemd",
    **dict.fromkeys(FIRMWARE, "BIOS settings"),
}
"""The targets that the module carries, and the names of their parts. If two express a setting, the first one sets it."""


def unsupported_reason(plan: Plan) -> str:
    """Why there is no module for the plan's operating system, in a sentence; "" if there is."""
    os = plan.lineage("os")
    if not os:
        return "the plan names no operating system"
    return "" if nearest(data(package)["releases"], os) is not None else f"`{os[0]}` is no Linux"


def lower_fleet(fleet: Fleet) -> Module | None:
    """The module of a policy; None where there is nothing for Puppet to do in any of its plans."""
    plans = tuple(map(_server_plan, fleet.variants))
    if all(each.nothing for each in plans):
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
    made = None if why else lower(variant.plan).model
    if made is None:
        made = ServerPlan(name=variant.name, nothing=why or NOTHING_TO_DO, releases={}, support={})
    return made.replaced(group=variant.group, host=variant.host)


@lru_cache(maxsize=KEPT)
def lower(plan: Plan) -> Lowered[ServerPlan]:
    """A plan's part of the module. `unsupported_reason` must be "" for the plan. It is kept, since it is asked for twice."""
    made = {name: emission_of(name, plan) or NOTHING for name in _targets(plan)}
    tool = next(name for name in FIRMWARE if name in made)
    firmware = _plan(made[tool]) if made[tool].artifacts else None
    redfish = emission_of("redfish", plan) is not None
    of_site = made[tool].expressed if firmware and redfish else frozenset[str]()
    if of_site:
        left_out_of_tool = {**made[tool].left_out, **dict.fromkeys(of_site, LEFT_TO_SITE)}
        made[tool] = Emission((), frozenset(), left_out_of_tool)
    expressed = frozenset(setting for emission in made.values() for setting in emission.expressed)
    left_out = {d.setting: _why_not(d, made) for d in plan.applied if d.setting not in expressed}
    if not expressed and not firmware:
        return Lowered(None, expressed, left_out)
    table, os = data(package), plan.lineage("os")
    made_of = ServerPlan(
        name=plan.policy,
        digest=plan.digest,
        facts=tuple(f"{f.name} {f.text}" for f in plan.facts),
        releases=_listed(nearest(table["releases"], os)),
        support=_listed(nearest(table["support"], os)),
        identification=identification(plan, firmware=firmware is not None),
        agent=nearest(table["agents"], os) or "",
        kernel=_kernel(made["kernel-args"]),
        tuned=_tuned(plan, made["tuned"]),
        systemd=_systemd(plan, made["systemd"]),
        lacks_profile=not made["tuned"].expressed and emission_of("tuned", plan) is not None,
        cpuspeed=_cpuspeed(plan, made["cpuspeed"]),
        firmware=firmware,
        manages_firmware=not redfish,
        rows=tuple(_row(plan, d, _part(d, made)) for d in plan.written if d.setting in expressed),
        left=tuple(_row(plan, d, left_out[d.setting]) for d in plan.applied if d.setting in left_out),
        of_site=tuple(sorted(of_site)),
        redfish=redfish,
    )
    return Lowered(made_of, expressed, left_out)


def _listed(table: dict[str, list[str]] | None) -> dict[str, tuple[str, ...]]:
    """A table of releases, as the module has it."""
    return {family: tuple(releases) for family, releases in (table or {}).items()}


def _targets(plan: Plan) -> list[str]:
    """The targets that the module carries for a plan: of those for the firmware, one."""
    tool = next((name for name in FIRMWARE if emission_of(name, plan) is not None), FIRMWARE[-1])
    return [name for name in PARTS if name == tool or name not in FIRMWARE]


def _why_not(decision: Decision, made: dict[str, Emission]) -> str:
    """Why no part carries a setting: the reason of the target that it was for."""
    order = (*FIRMWARE, "kernel-args", "tuned", "systemd", "cpuspeed")
    reasons = (made[name].left_out.get(decision.setting) for name in order if name in made)
    nothing = f"no part of the module can set `{decision.setting}` here"
    return next((why for why in reasons if why), nothing)


def _part(decision: Decision, made: dict[str, Emission]) -> str:
    return next(PARTS[name] for name, emission in made.items() if decision.setting in emission.expressed)


def _row(plan: Plan, decision: Decision, part: str) -> Row:
    return Row(
        setting=decision.setting,
        layer=decision.layer,
        title=decision.title,
        value=decision.value,
        part=part,
        reason=cite(plan, decision.setting),
    )


def _carry(artifact: Artifact) -> Carried:
    return Carried(
        target=artifact.path.split("/", 1)[0],
        name=artifact.path.rsplit("/", 1)[-1],
        text=artifact.text,
    )


def _kernel(emission: Emission) -> Kernel | None:
    if not emission.expressed:
        return None
    families = data(package)["ways"]
    return Kernel(
        ways=tuple((way, families[way]) for way in ways_of(emission.artifacts) if way in families),
        plan=_plan(emission),
    )


def _plan(emission: Emission) -> Carried:
    """The plan of a target for the program for hosts."""
    return next(_carry(each) for each in emission.artifacts if each.path.endswith(".plan"))


def _tuned(plan: Plan, emission: Emission) -> Tuned | None:
    profile = tuned.lower(plan).model if emission.expressed else None
    if profile is None:
        return None
    return Tuned(profile=profile.name, plan=_plan(emission))


def _systemd(plan: Plan, emission: Emission) -> SystemFiles | None:
    if not emission.artifacts:
        return None
    return SystemFiles(name=f"setpoint_{identifier(plan.policy)}", plan=_plan(emission))


def _cpuspeed(plan: Plan, emission: Emission) -> Cpuspeed | None:
    decision = plan.setting(CPUSPEED)
    if decision is None or CPUSPEED not in emission.expressed:
        return None
    return Cpuspeed(running=decision.value == "on", reason=reason(plan, decision), plan=_plan(emission))
