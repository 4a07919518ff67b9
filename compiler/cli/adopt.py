"""`setpoint adopt`: a policy that describes captured servers as they are."""

import os
import sys

from setpoint.compiler.captures.wanted import wanted
from setpoint.compiler.cli import OK, PARTLY
from setpoint.compiler.cli.arguments import Parser
from setpoint.compiler.cli.common import parser, show
from setpoint.compiler.cli.planned_servers import captures_named
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.render.visible import visible


def adopt_parser() -> Parser:
    """The parser of the arguments of `setpoint adopt`."""
    made = parser(
        "adopt",
        "Write a policy for captured servers: the intent that gives most of the values that they have, and a `set` for each of the others, with "
        "its reason left open.",
        "adopt captures/web1.json -o web.tune",
    )
    made.add_argument(
        "captures",
        nargs="+",
        metavar="CAPTURE",
        help="captures, archives of support data, or folders of them",
    )
    made.add_argument("-o", dest="output", default="", metavar="FILE", help="write to this file")
    return made


def run(arguments: list[str]) -> int:
    """Print the policy, and what it has and has not on standard error."""
    options = adopt_parser().parse_args(arguments)
    from setpoint.compiler.adoption.arranged import Adoption  # only needed after the arguments
    from setpoint.compiler.adoption.written import adopted_text, summary

    knowledge = standard()
    unread: list[Diagnostic] = []
    adoption = Adoption(knowledge)
    for capture in captures_named(options.captures, wanted(knowledge), unread):
        adoption.add(capture)
    try:
        found = adoption.adopted()
    except SetpointError as error:
        raise SetpointError(*error.diagnostics, *unread) from None
    text = adopted_text(found)
    if options.output:
        is_there = os.path.lexists(options.output)
        write_text(options.output, text)
        sys.stderr.write(f"{visible(options.output)} {'replaced' if is_there else 'written'}\n")
    else:
        sys.stdout.write(text)
    sys.stderr.write(summary(found))
    left_out = [*found.left_out, *unread]
    show(left_out, {})
    return PARTLY if left_out else OK
