"""From the table to the script, by the template `apply.sh.j2`: the data changes, the mechanism never does."""

import setpoint.targets.syscfg as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._linux import identity, part
from setpoint.targets._linux.table import option_table
from setpoint.targets._shared.templates import render
from setpoint.targets.syscfg.model import SyscfgScript


def artifacts(script: SyscfgScript) -> tuple[Artifact, ...]:
    """The script, executable."""
    text = render(
        package,
        "apply.sh.j2",
        script=script,
        table=option_table(script.rows),
        identity=identity(script.identification),
        part=part,
    )
    return (Artifact("syscfg/apply.sh", text, 0o755),)
