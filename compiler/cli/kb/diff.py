"""`setpoint kb diff`: the effects of a change to the knowledge base, and the contexts that have them."""

import os

from setpoint.compiler.cli import DIFFERENCE, OK
from setpoint.compiler.cli.arguments import Options, forms
from setpoint.compiler.cli.common import page_width, verb
from setpoint.compiler.cli.pager import write_form
from setpoint.compiler.comparison.revisions import at
from setpoint.compiler.knowledge.load import knowledge_of, measurements, standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.proof.difference import difference
from setpoint.compiler.render.knowledge import difference_json, difference_text

STANDARD = "standard"
"""The side that means the installed standard library."""


@verb(
    "kb diff",
    "Show which statements differ, in which contexts a setting gets another value, and what decides there. OLD and NEW "
    "are files or folders of knowledge, REV:PATH as git writes it, or `standard` for the standard library that is "
    "installed.",
    "kb diff HEAD:site site",
    {
        "old OLD": "",
        "new NEW": "",
        **forms("text", "json"),
    },
)
def run_diff(options: Options) -> int:
    """Compare two knowledge bases; exit 0 if they are equivalent, 3 if not."""
    differences = difference(_knowledge(options.old), _knowledge(options.new))
    write_form(
        options,
        text=lambda: difference_text(differences, page_width()),
        json=lambda: difference_json(differences),
    )
    return DIFFERENCE if differences.changes or differences.statements else OK


def _knowledge(side: str) -> Knowledge:
    """The knowledge base of a side."""
    if side == STANDARD and not os.path.lexists(side):
        return standard()._replace(measurements=measurements())
    with at(side) as there:
        return knowledge_of(rooted_files([there.path])).knowledge
