"""Profile to files."""

import setpoint.targets.tuned as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._linux import identity, part
from setpoint.targets._shared.templates import render
from setpoint.targets._tuned.model import Ktune, TunedProfile

PROFILE = (("tuned.conf", "tuned.conf.j2", 0o644),)
"""The file of a profile of tuned 2, its template and mode."""

CARDS = (("network-cards.sh", "network-cards.sh.j2", 0o755),)
"""The script of a profile that has values for network cards."""

KTUNE = (
    ("tuned.conf", "ktune.tuned.conf.j2", 0o644),
    ("ktune.sh", "ktune.sh.j2", 0o755),
    ("ktune.sysconfig", "ktune.sysconfig.j2", 0o644),
    ("sysctl.ktune", "sysctl.ktune.j2", 0o644),
)
"""The files of a profile of tuned 0.2. ktune runs the script only if it may be executed."""


def artifacts(model: TunedProfile | Ktune) -> tuple[Artifact, ...]:
    """apply.sh, which has the files of the profile in it, and the profile's folder."""
    files = KTUNE if isinstance(model, Ktune) else PROFILE + (CARDS if model.cards else ())
    values = {"m": model, "files": files, "identity": identity(model.identification), "part": part}

    def artifact(path: str, template: str, mode: int) -> Artifact:
        return Artifact(f"tuned/{path}", render(package, template, **values), mode)

    return (
        artifact("apply.sh", "apply.sh.j2", 0o755),
        *(artifact(f"{model.name}/{name}", template, mode) for name, template, mode in files),
    )
