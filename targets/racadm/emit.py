"""From the table to the script, by the template `racadm.sh.j2`: the data changes, the mechanism never does."""

import os

import setpoint.targets.racadm as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._linux import identity, part
from setpoint.targets._shared.data import folder
from setpoint.targets._shared.templates import render
from setpoint.targets.racadm.model import Row, Script


def artifact(script: Script) -> Artifact:
    """The script, executable."""
    with open(os.path.join(folder(package), "server.sh"), encoding="utf-8") as file:
        report = file.read()
    text = render(
        package,
        "racadm.sh.j2",
        script=script,
        table=_table(script.rows),
        identity=identity(script.identification, report, others=("staged",)),
        part=part,
    )
    return Artifact("racadm/racadm.sh", text, 0o755)


def _table(rows: tuple[Row, ...]) -> list[tuple[str, str]]:
    """The rows in columns, each with its reason; where there is none, no blanks before it."""
    words = [(row.kind, row.setting, row.option, row.value, " ".join(row.conditions)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*words, strict=True)]
    lines = [" ".join(map(str.ljust, row, widths)) for row in words]
    return [
        (line if row.reason else line.rstrip(), row.reason) for line, row in zip(lines, rows, strict=True)
    ]
