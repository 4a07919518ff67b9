"""`setpoint adopt`: a policy that describes captured servers as they are."""

import os
import sys

from setpoint.compiler.captures.wanted import wanted
from setpoint.compiler.cli import OK, PARTLY
from setpoint.compiler.cli.arguments import Options, argument
from setpoint.compiler.cli.common import show, verb, write_output
from setpoint.compiler.cli.planned_servers import captures_named
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.render.visible import visible


@verb(
    "adopt",
    "Write a policy for captured servers: the intent that gives most of the values that they have, and a `set` for each of the others, with "
    "its reason left open.",
    "adopt captures/web1.json -o web.tune",
    {
        "captures CAPTURE+": "captures, archives of support data, or folders of them",
        "-o FILE": argument("write to this file", dest="output"),
    },
)
def run(options: Options) -> int:
    """Print the policy, and what it has and has not on standard error."""
    from setpoint.compiler.adoption.arranged import Adoption  # only needed after the arguments
    from setpoint.compiler.adoption.written import adopted_text, summary

    knowledge = standard()
    unread: list[Diagnostic] = []
    adoption = Adoption(knowledge)
    for capture in captures_named(options.captures, wanted(knowledge), unread):
        adoption.add(capture)
    try:
        adopted = adoption.adopted()
    except SetpointError as error:
        raise SetpointError(*error.diagnostics, *unread) from None
    is_there = os.path.lexists(options.output)
    write_output(options.output, adopted_text(adopted))
    if options.output:
        sys.stderr.write(f"{visible(options.output)} {'replaced' if is_there else 'written'}\n")
    sys.stderr.write(summary(adopted))
    left_out = [*adopted.left_out, *unread]
    show(left_out, {})
    return PARTLY if left_out else OK
