"""Profile to files."""

import setpoint.targets.tuned as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._linux import identity, part
from setpoint.targets._shared.templates import render
from setpoint.targets._tuned.model import Ktune, TunedProfile

KTUNE = (
    ("tuned.conf", "ktune.tuned.conf.j2", 0o644),
    ("ktune.sh", "ktune.sh.j2", 0o755),
    ("ktune.sysconfig", "ktune.sysconfig.j2", 0o644),
    ("sysctl.ktune", "sysctl.ktune.j2", 0o644),
)
"""The files of a profile of tuned 0.2, their templates and modes. ktune runs the script only if it may be executed."""


def artifacts(model: TunedProfile | Ktune) -> tuple[Artifact, ...]:
    """The files of the profile's folder."""
    shell = identity(model.identification)
    if isinstance(model, Ktune):
        return tuple(
            _artifact(model, f"{model.name}/{name}", template, mode, shell) for name, template, mode in KTUNE
        )
    return (
        _artifact(model, "apply.sh", "apply.sh.j2", 0o755, shell),
        _artifact(model, f"{model.name}/tuned.conf", "tuned.conf.j2", 0o644, shell),
    )


def _artifact(model: TunedProfile | Ktune, path: str, template: str, mode: int, shell: str) -> Artifact:
    return Artifact(f"tuned/{path}", render(package, template, m=model, identity=shell, part=part), mode)
