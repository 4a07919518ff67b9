"""Service to script."""

import setpoint.targets.cpuspeed as package
from setpoint.compiler.target import Artifact
from setpoint.targets._shared.templates import render
from setpoint.targets.cpuspeed.model import Service


def artifact(service: Service) -> Artifact:
    """The script, executable."""
    return Artifact("cpuspeed/cpuspeed.sh", render(package, "cpuspeed.sh.j2", m=service), 0o755)
