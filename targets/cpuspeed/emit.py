"""From the service to the script."""

import setpoint.targets.cpuspeed as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._linux import identity, part
from setpoint.targets._shared.templates import render
from setpoint.targets.cpuspeed.model import Service


def artifacts(service: Service) -> tuple[Artifact, ...]:
    """The script, executable."""
    text = render(package, "cpuspeed.sh.j2", m=service, identity=identity(service.identification), part=part)
    return (Artifact("cpuspeed/cpuspeed.sh", text, 0o755),)
