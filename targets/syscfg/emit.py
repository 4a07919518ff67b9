"""From the table to the script, by the template `apply.sh.j2`: the data changes, the mechanism never does."""

import setpoint.targets.syscfg as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._linux import identity, part
from setpoint.targets._shared.templates import render
from setpoint.targets.syscfg.model import Script


def artifact(script: Script) -> Artifact:
    """The script, executable."""
    text = render(
        package,
        "apply.sh.j2",
        script=script,
        table=_table(script),
        identity=identity(script.identification),
        part=part,
    )
    return Artifact("syscfg/apply.sh", text, 0o755)


def _table(script: Script) -> list[tuple[str, str]]:
    """The rows in columns, each with its reason; where there is none, no blanks before it."""
    rows = [(row.kind, row.setting, row.option, row.value, " ".join(row.conditions)) for row in script.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [" ".join(map(str.ljust, row, widths)) for row in rows]
    return [
        (line if row.reason else line.rstrip(), row.reason)
        for line, row in zip(lines, script.rows, strict=True)
    ]
