"""What the script says: rows of data for its table.

Everything that becomes shell code is checked here to be of a shape that no shell reads as anything but a word.
Reasons are free text; they only ever become comments. The script is made by a template: the data changes, the mechanism never does.
"""

import os
from typing import Annotated, Literal

import setpoint.targets.racadm as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._linux import identity, part
from setpoint.targets._linux.table import OPTION, OptionRow, option_table
from setpoint.targets._shared.data import folder
from setpoint.targets._shared.forms import WORD, Form, PolicyName, Word, matching
from setpoint.targets._shared.identity import Identification
from setpoint.targets._shared.templates import render

RacadmCondition = Annotated[str, matching(rf"^(unless:)?{OPTION}!?={WORD.removeprefix('^')}|^keeps$")]
RacadmOption = Annotated[str, matching(r"^BIOS\.[A-Za-z][A-Za-z0-9]*\.[A-Za-z][A-Za-z0-9]*$")]
SettingWord = Word | Literal["-"]
RacadmName = Annotated[str, matching(f"^{OPTION}$")]


class RacadmRow(OptionRow):
    """One attribute and its value.

    `kind` is `want`; `first` where it must be in effect before the rest is staged, and `open` for what lets such a one be
    written; or `held` where something else brings it. `conditions` say when it can be written. `reason` is one line.
    """

    kind: Literal["open", "first", "want", "held"]
    setting: SettingWord
    option: RacadmOption
    conditions: tuple[RacadmCondition, ...]


class RacadmScript(Form):
    """The script's data: for whom it is, its table in the order of writing, and the groups and attributes that it reads."""

    policy: PolicyName
    platform: Word
    identification: Identification
    groups: tuple[RacadmName, ...]
    attributes: tuple[RacadmName, ...]
    rows: tuple[RacadmRow, ...]


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
