"""From the table to the script, by the template `racadm.sh.j2`: the data changes, the mechanism never does."""

import os

import setpoint.targets.racadm as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._linux import identity, part
from setpoint.targets._linux.table import option_table
from setpoint.targets._shared.data import folder
from setpoint.targets._shared.templates import render
from setpoint.targets.racadm.model import RacadmScript


def artifacts(script: RacadmScript) -> tuple[Artifact, ...]:
    """The script, executable."""
    with open(os.path.join(folder(package), "server.sh"), encoding="utf-8") as file:
        report = file.read()
    text = render(
        package,
        "racadm.sh.j2",
        script=script,
        table=option_table(script.rows),
        identity=identity(script.identification, report, others=("staged",)),
        part=part,
    )
    return (Artifact("racadm/racadm.sh", text, 0o755),)
