"""What the plan for the program for hosts says: a row for each attribute, in the order of writing.

Every word is checked here to be of a shape that neither a shell nor the program reads as anything but a word. Reasons
are free text; they only ever become comments.
"""

from typing import Annotated, Literal

from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._host import columns, plan_text, program
from setpoint.targets._linux.table import OPTION, OptionRow
from setpoint.targets._shared.forms import WORD, Form, PolicyName, Word, matching
from setpoint.targets._shared.identity import Identification

PATH = "racadm/racadm.plan"

HEAD = (
    "# want: set while the conditions hold. held: fixed by what the condition is about, compared and never set. first: to be right,",
    "# after a restart, before the rest is set; open lets it be written. keeps: a profile that locks it may leave it as it is.",
    "# The commands are those of Dell's RACADM guide and of published sessions.",
)
"""What the words of the lines mean, and how far to trust them, for whoever reads them at night."""

RacadmCondition = Annotated[str, matching(rf"^(unless:)?{OPTION}!?={WORD.removeprefix('^')}|^keeps$")]
RacadmOption = Annotated[str, matching(r"^BIOS\.[A-Za-z][A-Za-z0-9]*\.[A-Za-z][A-Za-z0-9]*$")]
SettingWord = Word | Literal["-"]
RacadmName = Annotated[str, matching(f"^{OPTION}$")]


class RacadmRow(OptionRow):
    """One attribute and its value.

    `kind` is `want`; `first` where it must be in effect before the rest is staged, and `open` for what lets such a one
    be written; or `held` where something else brings it. `conditions` say when it can be written. `reason` is one line.
    """

    kind: Literal["open", "first", "want", "held"]
    setting: SettingWord
    option: RacadmOption
    conditions: tuple[RacadmCondition, ...]


class RacadmPlan(Form):
    """The plan's data: for whom it is, its lines in the order of writing, and the groups that are read."""

    policy: PolicyName
    platform: Word
    identification: Identification
    groups: tuple[RacadmName, ...]
    rows: tuple[RacadmRow, ...]


def artifacts(plan: RacadmPlan) -> tuple[Artifact, ...]:
    """The program for hosts, and its plan."""
    lines = [*HEAD, f"groups {' '.join(plan.groups)}", "", *columns([row.words for row in plan.rows])]
    title = f"The BIOS settings ({plan.platform}, by racadm)"
    text = plan_text("racadm", plan.policy, title, plan.identification, lines)
    return (program(), Artifact(PATH, text))
