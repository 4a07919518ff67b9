"""What the script says: rows of data for its table.

Everything that becomes shell code is checked here to be of a shape that no shell reads as anything but a word.
Reasons are free text; they only ever become comments. The script is made by a template: the data changes, the mechanism never does.
"""

from typing import Annotated, Literal

import setpoint.targets.syscfg as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._linux import identity, part
from setpoint.targets._linux.table import OPTION, OptionRow, option_table
from setpoint.targets._shared.forms import WORD, Form, PolicyName, Word, matching
from setpoint.targets._shared.identity import Identification
from setpoint.targets._shared.templates import render

SyscfgCondition = Annotated[str, matching(rf"^{OPTION}!?={WORD.removeprefix('^')}")]


class SyscfgRow(OptionRow):
    """One option and its value.

    `kind` is `want`, or `held` where the firmware's system profile fixes the value and it is only looked at.
    The option can be written only while the `conditions` hold. `reason` is one line.
    """

    kind: Literal["want", "held"]
    setting: Word
    option: Word
    conditions: tuple[SyscfgCondition, ...]


class SyscfgScript(Form):
    """The script's data: for whom it is, and its table in the order of writing.

    `attributes` says that the options are BIOS attributes, which no reference of the tool backs; `redfish`, that the
    platform can be reached that way too.
    """

    policy: PolicyName
    platform: Word
    attributes: bool
    redfish: bool
    identification: Identification = Identification()
    rows: tuple[SyscfgRow, ...]


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
