"""From plans to the role: what other targets spell comes from the spelling that they share; their files are carried as
they are."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

import setpoint.targets.ansible as package
from setpoint.compiler.knowledge.interfaces import TypedValue
from setpoint.compiler.lowering.target import (
    KEPT,
    Artifact,
    Emission,
    Fleet,
    Variant,
    emission_of,
    identifier,
    one_line,
)
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.words import voice_of
from setpoint.targets._bios.actions import Action, actions
from setpoint.targets._client import PATH
from setpoint.targets._kernel.files import PLAN, files_of, ways_of
from setpoint.targets._redfish.model import FOR_CLIENT
from setpoint.targets._shared.data import data, nearest
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import identification
from setpoint.targets.ansible.model import (
    Boot,
    File,
    HostSettings,
    Left,
    Line,
    Lock,
    Once,
    Planned,
    Remote,
    Role,
)

FOLDER = PATH.rpartition("/")[0]
"""The folder of a bundle with the client and its files."""

NAMES = ("redfish", "syscfg", "kernel-args", "tuned", "systemd", "cpuspeed")
"""The targets whose artifacts the role carries."""

Condition = tuple[str, TypedValue, bool]
"""What locks something: an attribute, a value, and whether that is the one with which the lock is shut (`unless`)."""


class Parts(NamedTuple):
    """What the other targets made of the plan, as far as the role has a use for it."""

    emissions: dict[str, Emission]

    def files(self, target: str) -> tuple[Artifact, ...]:
        """The files of a target, if it made any."""
        emission = self.emissions.get(target)
        return emission.artifacts if emission else ()

    def plan(self, target: str) -> File | None:
        """The path of the plan by which a target's artifacts are applied, if it made one."""
        return next((artifact.path for artifact in self.files(target) if _applies(artifact)), None)


def unsupported_reason(plan: Plan) -> str:
    """Why there is nothing to set through Ansible, in a sentence; "" if there is something."""
    if lower(plan).model:
        return ""
    if not plan.lineage("platform") and not plan.lineage("os"):
        return "the policy names neither a platform nor an operating system"
    return f"none of the targets {', '.join(NAMES)} makes anything here that a role could use"


def role_of(fleet: Fleet) -> Role | None:
    """The role of a policy, with all of its plans; None if a role can carry nothing of any of them."""
    plans = tuple(map(_server_plan, fleet.variants))
    if len(plans) > 1 or plans[0].group or plans[0].host:
        plans = tuple(plan.among_others() for plan in plans)
    if all(plan.nothing for plan in plans):
        return None
    return Role(
        name=f"setpoint_{identifier(fleet.policy)}",
        policy=fleet.policy,
        plans=plans,
        is_listed=fleet.is_listed,
    )


def _server_plan(variant: Variant) -> Planned:
    """A plan and the servers that it is for. One that sets nothing is kept: its host must not get the plan of its
    group."""
    planned = lower(variant.plan).model
    if planned is None:
        planned = Planned(name=variant.name, nothing=unsupported_reason(variant.plan))
    return planned.replaced(group=variant.group, host=variant.host)


@lru_cache(maxsize=KEPT)
def lower(plan: Plan) -> Lowered[Planned]:
    """A plan as the role has it. It is kept, since whether there is one is asked before it is wanted."""
    parts = _parts(plan)
    documents = _documents(parts.files("redfish"))
    once = tuple(_once(plan, action) for action in actions(plan)) if documents else ()
    boot = _boot(parts.files("kernel-args"))
    syscfg = None if documents else parts.plan("syscfg")
    is_used = {
        "redfish": bool(documents),
        "syscfg": syscfg is not None,
        "kernel-args": boot is not None,
    }
    serving = {name: e for name, e in parts.emissions.items() if is_used.get(name, True)}
    expressed = frozenset(name for emission in serving.values() for name in emission.expressed)
    expressed |= {action.setting for action in actions(plan)} if documents else set()
    left_out = _left_out(plan, parts, expressed)
    files = tuple(a for name, e in serving.items() if name != "redfish" for a in e.artifacts if _applies(a))
    if not documents and not files:
        return Lowered(None, expressed, left_out)
    planned = Planned(
        name=plan.policy,
        digest=plan.digest,
        remote=_remote(plan),
        identification=identification(plan, firmware=bool(documents or syscfg)),
        bios=FOLDER if documents else None,
        once=once,
        syscfg=syscfg,
        boot=boot,
        tuned=parts.plan("tuned"),
        systemd=parts.plan("systemd"),
        cpuspeed=parts.plan("cpuspeed"),
        on_host=_on_host(plan, serving),
        files=(*documents, *files),
        left=tuple(
            Left(setting=d.setting, layer=d.layer, value=d.value, reason=one_line(left_out[d.setting]))
            for d in plan.applied
            if d.setting in left_out
        ),
    )
    return Lowered(planned, expressed, left_out, frozenset(serving))


def _on_host(plan: Plan, serving: Mapping[str, Emission]) -> tuple[HostSettings, ...]:
    """The settings that the program for hosts writes, by the target whose plan it reads."""
    return tuple(
        HostSettings(
            target=name,
            settings={d.setting: d.value for d in plan.settings if d.written and d.setting in e.expressed},
        )
        for name, e in serving.items()
        if name != "redfish" and e.artifacts
    )


def _parts(plan: Plan) -> Parts:
    emissions = {name: emission_of(name, plan) for name in NAMES}
    return Parts({name: emission for name, emission in emissions.items() if emission is not None})


def _documents(files: Iterable[Artifact]) -> tuple[Artifact, ...]:
    """The files of the requests that the client reads: those that it has a plan of."""
    return tuple(file for file in files if file.path.rpartition("/")[2] in FOR_CLIENT)


def _once(plan: Plan, action: Action) -> Once:
    """A one-time action, with what performs it."""
    decision = plan.setting(action.setting)
    said = f"{decision.title}: {decision.value}; {voice_of(decision.because[0])}" if decision else ""
    return Once(
        record=action.request,
        lines=tuple(Line(attribute=line.attribute, value=line.value) for line in action.lines),
        locks=_locks(action),
        cause=one_line(said),
    )


def _locks(action: Action) -> tuple[Lock, ...]:
    """A lock for each condition of what performs an action, with the attributes that have it."""
    locks: dict[tuple[type, Condition], dict[str, None]] = {}
    for line in action.lines:
        for needed in line.conditions:
            condition = (needed.attribute, needed.value, not needed.equal)
            locks.setdefault((type(needed.value), condition), {})[line.attribute] = None
    return tuple(
        Lock(attributes=tuple(names), governor=governor, value=value, unless=unless)
        for (_, (governor, value, unless)), names in locks.items()
    )


def _boot(artifacts: tuple[Artifact, ...]) -> Boot | None:
    """The way to the command line; None where it is a human's (GRUB before version 2), or there is none."""
    forms, ways = files_of(artifacts), ways_of(artifacts)
    return Boot(plan=forms[PLAN].path, ways=ways, image="kargs-d" in forms) if ways else None


def _applies(artifact: Artifact) -> bool:
    """Whether the role has it carried out: a plan for the program."""
    return artifact.path.endswith(".plan")


def _remote(plan: Plan) -> Remote:
    hosts, lineage = data(package, "hosts.toml"), plan.lineage("os")
    python = nearest(hosts["python"], lineage) or ""
    note = hosts["too-old"].format(python) if python else nearest(hosts["note"], lineage) or ""
    return Remote(modules=hosts["with-modules"] in lineage and not python, note=note)


def _left_out(plan: Plan, parts: Parts, expressed: frozenset[str]) -> dict[str, str]:
    """The written settings that the role does not carry, each with the reason of the target whose layer it is."""
    reasons = {name: why for e in parts.emissions.values() for name, why in e.left_out.items()}
    other = "no artifact that a role could carry sets it here"
    return {d.setting: reasons.get(d.setting, other) for d in plan.applied if d.setting not in expressed}
