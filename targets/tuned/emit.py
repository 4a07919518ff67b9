"""Profile to files."""

import setpoint.targets.tuned as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._linux import identity
from setpoint.targets._shared.templates import render
from setpoint.targets._tuned.model import Ktune, Profile

KTUNE = (
    ("tuned.conf", "ktune.tuned.conf.j2", 0o644),
    ("ktune.sh", "ktune.sh.j2", 0o755),
    ("ktune.sysconfig", "ktune.sysconfig.j2", 0o644),
    ("sysctl.ktune", "sysctl.ktune.j2", 0o644),
)
"""The files of a profile of tuned 0.2, their templates and modes. ktune runs the script only if it may be executed."""


def artifacts(model: Profile | Ktune) -> tuple[Artifact, ...]:
    """The files of the profile's folder."""
    shell = identity(model.identification)
    files = KTUNE if isinstance(model, Ktune) else (("tuned.conf", "tuned.conf.j2", 0o644),)
    return tuple(
        Artifact(f"tuned/{model.name}/{name}", render(package, template, m=model, identity=shell), mode)
        for name, template, mode in files
    )
