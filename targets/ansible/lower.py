"""From a plan to the role: other targets are asked for what they spell, and their files are taken apart as far as needed."""

import json
from functools import lru_cache
from typing import Any, NamedTuple

import setpoint.targets.ansible as package
from setpoint.compiler.knowledge.model import LAYERS
from setpoint.compiler.lowering.target import Artifact, Emission, emission_of, identifier, one_line
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import distinct
from setpoint.compiler.render.words import reason_of, voice_of
from setpoint.targets._shared.data import data, nearest
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import identification
from setpoint.targets.ansible.model import (
    Along,
    Bios,
    Boot,
    Host,
    Left,
    Line,
    Lock,
    Opens,
    ProfileFile,
    Role,
    Tuned,
    Value,
)

NAMES = ("redfish", "syscfg", "kernel-args", "tuned", "cpuspeed")
"""The targets whose artifacts the role carries."""

GRUBBY, DROPIN, IMAGE, VERIFY = (
    f"kernel-args/{name}"
    for name in ("grubby.sh", "default-grub.d/50-setpoint.cfg", "kargs.d/50-setpoint.toml", "verify.sh")
)


@distinct
class Parts(NamedTuple):
    """What the other targets made of the plan, as far as the role has a use for it."""

    emissions: dict[str, Emission]

    def file(self, target: str, name: str) -> Artifact | None:
        """A file of a target, by its path in the bundle."""
        emission = self.emissions.get(target)
        return next((a for a in emission.artifacts if a.path == name), None) if emission else None

    def document(self, name: str) -> Any:
        """A JSON file of the target `redfish`; None if it did not make it."""
        found = self.file("redfish", f"redfish/{name}")
        return json.loads(found.text) if found else None


def lacks(plan: Plan) -> str:
    """Why there is nothing to set through Ansible, in a sentence; "" if there is something."""
    if lower(plan).model:
        return ""
    if not plan.lineage("platform") and not plan.lineage("os"):
        return "the policy names neither a platform nor an operating system"
    return f"none of the targets {', '.join(NAMES)} makes anything here that a role could use"


@lru_cache(maxsize=64)
def lower(plan: Plan) -> Lowered[Role]:
    """The role of a plan. It is kept, since whether there is one is asked before it is wanted."""
    parts = _parts(plan)
    bios = _bios(parts)
    boot = _boot(parts)
    syscfg = None if bios else parts.file("syscfg", "syscfg/apply.sh")
    tuned = _tuned(parts)
    cpuspeed = parts.file("cpuspeed", "cpuspeed/cpuspeed.sh")
    used = {
        "redfish": bios is not None,
        "syscfg": syscfg is not None,
        "kernel-args": boot is not None,
        "tuned": True,
        "cpuspeed": True,
    }
    serving = {name: e for name, e in parts.emissions.items() if used[name]}
    carried = frozenset(name for emission in serving.values() for name in emission.carried)
    left_out = _left_out(plan, parts, carried)
    files = tuple(
        a for name, e in serving.items() if name != "redfish" for a in e.artifacts if _needed(a, boot)
    )
    if not bios and not files:
        return Lowered(None, carried, left_out)
    role = Role(
        name=f"setpoint_{identifier(plan.policy)}",
        policy=plan.policy,
        platform=plan.fact("platform"),
        os=plan.fact("os"),
        host=_host(plan),
        identification=identification(plan),
        bios=bios,
        syscfg=syscfg.path if syscfg else None,
        boot=boot,
        tuned=tuned,
        cpuspeed=cpuspeed.path if cpuspeed else None,
        files=files,
        values=tuple(_value(d) for layer in LAYERS for d in plan.settings if _told(d, layer, carried, bios)),
        left=tuple(_left(d, left_out[d.setting]) for d in plan.written if d.setting in left_out),
    )
    return Lowered(role, carried, left_out)


def _parts(plan: Plan) -> Parts:
    emissions = {name: emission_of(name, plan) for name in NAMES}
    return Parts({name: emission for name, emission in emissions.items() if emission is not None})


def _bios(parts: Parts) -> Bios | None:
    apply = parts.document("apply.json")
    if apply is None:
        return None
    reasons = parts.document("reasons.json")["attributes"]
    expected = parts.document("expected.json")["Attributes"]

    def lines(step: str) -> tuple[Line, ...]:
        return tuple(
            Line(attribute=name, value=expected[name], setting=reason["setting"])
            for name, reason in reasons.items()
            if reason["step"] == step
        )

    way = next(way for way in apply["ways"] if way["name"] == "job")
    patch, post = way["requests"]
    return Bios(
        first=lines("first"),
        write=lines("then"),
        fixed=lines("along"),
        opens=tuple(
            Opens(attribute=name, governor=governor, value=value)
            for name, values in apply.get("first", {}).get("opens", {}).items()
            for governor, value in values.items()
        ),
        along=tuple(
            Along(attribute=name, governor=governor)
            for name, governors in apply["along"].items()
            for governor in governors
        ),
        locks=tuple(
            Lock(
                attribute=name,
                governor=need["attribute"],
                value=need.get("is") or need["is-not"],
                unless="is-not" in need,
            )
            for name, needs in apply["writable"].items()
            for need in needs
        ),
        assumed=apply["assumed"],
        bios=apply["verify"]["uri"],
        settings=patch["uri"],
        jobs=post["uri"],
    )


def _boot(parts: Parts) -> Boot | None:
    """The way to the command line; None where it is a human's (GRUB before version 2), or there is none."""
    grubby, dropin = (parts.file("kernel-args", name) for name in (GRUBBY, DROPIN))
    if not (grubby or dropin):
        return None
    return Boot(
        grubby=GRUBBY if grubby else None,
        dropin=DROPIN if dropin else None,
        verify=GRUBBY if grubby else VERIFY,
        image=parts.file("kernel-args", IMAGE) is not None,
    )


def _tuned(parts: Parts) -> Tuned | None:
    emission = parts.emissions.get("tuned")
    if emission is None or not emission.artifacts:
        return None
    name = emission.artifacts[0].path.split("/")[1]
    files = tuple(
        ProfileFile(name=artifact.path.rpartition("/")[2], mode=f"{artifact.mode:04o}")
        for artifact in emission.artifacts
    )
    return Tuned(name=name, files=files, ktune=any(file.name == "ktune.sh" for file in files))


def _needed(artifact: Artifact, boot: Boot | None) -> bool:
    """Whether the role runs or copies the file. The words alone, and the form for images, are for others."""
    if not artifact.path.startswith("kernel-args/"):
        return True
    return boot is not None and artifact.path in (boot.grubby, boot.dropin, boot.verify)


def _host(plan: Plan) -> Host:
    hosts, lineage = data(package, "hosts.toml"), plan.lineage("os")
    python = nearest(hosts["python"], lineage) or ""
    note = nearest(hosts["note"], lineage) or ""
    return Host(modules=hosts["with-modules"] in lineage and not python, python=python, note=note)


def _left_out(plan: Plan, parts: Parts, carried: frozenset[str]) -> dict[str, str]:
    """The written settings that the role does not carry, each with the reason of the target whose layer it is."""
    reasons = {name: why for e in parts.emissions.values() for name, why in e.left_out.items()}
    other = "no artifact that a role could carry sets it here"
    return {d.setting: reasons.get(d.setting, other) for d in plan.written if d.setting not in carried}


def _told(decision: Decision, layer: str, carried: frozenset[str], bios: Bios | None) -> bool:
    fixed = {line.setting for line in (*bios.first, *bios.fixed)} if bios else frozenset[str]()
    return decision.layer == layer and (decision.setting in carried or decision.setting in fixed)


def _value(decision: Decision) -> Value:
    cause = decision.because[0]
    return Value(
        setting=decision.setting,
        title=one_line(decision.title),
        layer=decision.layer,
        value=decision.value,
        who=one_line(voice_of(cause)),
        because=one_line(reason_of(cause)),
    )


def _left(decision: Decision, reason: str) -> Left:
    return Left(
        setting=decision.setting,
        value=decision.value,
        menu=one_line(decision.menu),
        reason=one_line(reason),
    )
