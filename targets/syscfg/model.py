"""What the plan for the program for hosts says: a row for each option, in the order of writing.

Every word is checked here to be of a shape that neither a shell nor the program reads as anything but a word. Reasons
are free text; they only ever become comments.
"""

from typing import Annotated, Literal

from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._host import columns, plan_text, program
from setpoint.targets._linux.table import OPTION, OptionRow
from setpoint.targets._shared.forms import WORD, Form, PolicyName, Word, matching
from setpoint.targets._shared.identity import Identification

PATH = "syscfg/syscfg.plan"

HEAD = (
    "# want: set while the condition holds. held: fixed by what the condition is about, compared and never set.",
)
"""What the words of the lines mean, for whoever reads them at night."""

OF_ATTRIBUTES = (
    "# The options are BIOS attributes by name, as public scripts for the R720 and the R630 have them. No reference of the options",
    "# could be had, and none that says how far beyond the 14th generation the toolkit reaches: try this on one server first.",
)
OF_OPTIONS = (
    "# The options are those of Appendix B of Dell's paper on HPC settings of the 11th generation (2010).",
)
REDFISH = ("# Where the server's iDRAC can be reached, prefer Redfish (target `redfish`).",)

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


class SyscfgPlan(Form):
    """The plan's data: for whom it is, and its lines in the order of writing.

    `attributes` says that the options are BIOS attributes, which no reference of the tool backs; `redfish`, that the
    platform can be reached that way too.
    """

    policy: PolicyName
    platform: Word
    attributes: bool
    redfish: bool
    identification: Identification = Identification()
    rows: tuple[SyscfgRow, ...]


def artifacts(plan: SyscfgPlan) -> tuple[Artifact, ...]:
    """The program for hosts, and its plan."""
    head = [*HEAD, *(OF_ATTRIBUTES if plan.attributes else OF_OPTIONS), *(REDFISH if plan.redfish else ())]
    lines = [*head, "", *columns([row.words for row in plan.rows])]
    title = f"The BIOS settings ({plan.platform}, by syscfg)"
    text = plan_text("syscfg", plan.policy, title, plan.identification, lines)
    return (program(), Artifact(PATH, text))
