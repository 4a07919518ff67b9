"""From plans to the role: what other targets spell comes from the spelling that they share; their files are carried as
they are."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import setpoint.targets.ansible as package
from setpoint.compiler.knowledge.interfaces import TypedValue
from setpoint.compiler.knowledge.redfish import BIOS, JOB, JOBS, SETTINGS, SYSTEM
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
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.words import voice_of
from setpoint.targets._bios.actions import Action, actions
from setpoint.targets._bios.forms import ALONG, FIRST, THEN
from setpoint.targets._kernel.files import PLAN, files_of, ways_of
from setpoint.targets._redfish import lower as redfish
from setpoint.targets._redfish.model import Apply
from setpoint.targets._shared.data import data, nearest
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import identification
from setpoint.targets.ansible.model import (
    Along,
    Bios,
    Boot,
    File,
    HostSettings,
    Left,
    Line,
    Lock,
    Once,
    Opens,
    Planned,
    Remote,
    Role,
    Value,
)

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
    bios = _bios(plan)
    boot = _boot(parts.files("kernel-args"))
    syscfg = None if bios else parts.plan("syscfg")
    is_used = {"redfish": bios is not None, "syscfg": syscfg is not None, "kernel-args": boot is not None}
    serving = {name: e for name, e in parts.emissions.items() if is_used.get(name, True)}
    expressed = frozenset(name for emission in serving.values() for name in emission.expressed)
    expressed |= {action.setting for action in bios.once} if bios else set()
    left_out = _left_out(plan, parts, expressed)
    files = tuple(a for name, e in serving.items() if name != "redfish" for a in e.artifacts if _applies(a))
    if not bios and not files:
        return Lowered(None, expressed, left_out)
    planned = Planned(
        name=plan.policy,
        digest=plan.digest,
        remote=_remote(plan),
        identification=identification(plan, firmware=bool(bios or syscfg)),
        bios=bios,
        syscfg=syscfg,
        boot=boot,
        tuned=parts.plan("tuned"),
        systemd=parts.plan("systemd"),
        cpuspeed=parts.plan("cpuspeed"),
        on_host=_on_host(plan, serving),
        files=files,
        values=tuple(map(_value, plan.settings)) if bios else (),
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


def _bios(plan: Plan) -> Bios | None:
    update = None if redfish.unsupported_reason(plan) else redfish.lower(plan).model
    if update is None:
        return None

    def lines(step: str) -> tuple[Line, ...]:
        return tuple(
            Line(attribute=name, value=update.expected.attributes[name], setting=reason.setting)
            for name, reason in update.reasons.attributes.items()
            if reason.step == step
        )

    apply = update.apply
    service = plan.service
    assert service is not None
    performed = actions(plan)
    return Bios(
        first=lines(FIRST),
        write=lines(THEN),
        fixed=lines(ALONG),
        opens=tuple(
            Opens(attribute=name, governor=governor, value=value)
            for name, values in (apply.first.opens.items() if apply.first else ())
            for governor, value in values.items()
        ),
        along=tuple(
            Along(attribute=name, governor=governor)
            for name, governors in apply.along.items()
            for governor in governors
        ),
        locks=_locks((*_locked(apply), *_locked_actions(performed))),
        once=tuple(map(_once, performed)),
        assumed=apply.assumed,
        firmware=plan.registry.firmware if plan.registry else "",
        system=service.address(SYSTEM),
        bios=service.address(BIOS),
        settings=service.address(SETTINGS),
        jobs=service.address(JOBS) if service.seen(JOB) is not None else None,
        reported=dict(service.reported),
    )


def _locks(locked: Iterable[tuple[str, Condition]]) -> tuple[Lock, ...]:
    """A lock for each condition, with the attributes that have it."""
    locks: dict[tuple[type, Condition], dict[str, None]] = {}
    for name, condition in locked:
        locks.setdefault((type(condition[1]), condition), {})[name] = None
    return tuple(
        Lock(attributes=tuple(names), governor=governor, value=value, unless=unless)
        for (_, (governor, value, unless)), names in locks.items()
    )


def _locked(apply: Apply) -> Iterator[tuple[str, Condition]]:
    """The attributes that are written and locked, with what locks them."""
    for name, needs in apply.writable.items():
        for need in needs:
            for value in (need.be, need.be_not):
                if value is not None:
                    yield name, (need.attribute, value, need.be is None)


def _locked_actions(performed: Iterable[Action]) -> Iterator[tuple[str, Condition]]:
    """What has to be so before one-time actions can be performed."""
    for action in performed:
        for line in action.lines:
            for condition in line.conditions:
                yield line.attribute, (condition.attribute, condition.value, not condition.equal)


def _once(action: Action) -> Once:
    """A one-time action, with the attributes that perform it."""
    lines = (Line(attribute=x.attribute, value=x.value, setting=action.setting) for x in action.lines)
    return Once(record=action.request, setting=action.setting, lines=tuple(lines))


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


def _value(decision: Decision) -> Value:
    cause = decision.because[0]
    return Value(
        setting=decision.setting,
        title=one_line(decision.title),
        value=decision.value,
        who=one_line(voice_of(cause)),
    )
