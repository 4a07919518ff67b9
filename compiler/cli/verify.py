"""`setpoint verify`: captured servers, compared with what their policy plans for them."""

import sys

from setpoint.compiler.captures.wanted import wanted
from setpoint.compiler.cli import IN_ERROR
from setpoint.compiler.cli.arguments import Parser
from setpoint.compiler.cli.common import add_policy, page_width, parser, show, today_of
from setpoint.compiler.cli.planned_servers import RefusedCapture, captures_named, planned_servers, refusals
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.pipeline import Selection
from setpoint.compiler.plan.made_with import made_with
from setpoint.compiler.render.verified import verified_json, verified_junit, verified_text
from setpoint.compiler.render.verified_metrics import verified_metrics
from setpoint.compiler.verification.grouped import Grouping
from setpoint.compiler.verification.verdicts import verdicts
from setpoint.compiler.verification.waived import DifferenceWaivers


def verify_parser() -> Parser:
    """The parser of the arguments of `setpoint verify`."""
    made = parser(
        "verify",
        "Compare captured servers with the plan of a policy, with that of a bundle, or each with its own in a fleet's folder: one verdict "
        "for each setting, with the reading it rests on. The status is 0 if all is as planned, 3 if something is not, and 4 if nothing differs "
        "but something could not be decided. It is 4, too, if a file cannot be read or written; then there is no report.",
    )
    add_policy(made)
    made.add_argument(
        "--against",
        action="append",
        default=[],
        required=True,
        metavar="CAPTURE",
        help="a capture, an archive of support data, or a folder of them; may be repeated",
    )
    made.add_argument("--format", choices=("text", "json", "junit", "metrics", "html"), default="text")
    made.add_argument("--all", action="store_true", help="in text, list what is as planned as well")
    made.add_argument("-o", dest="output", default="", metavar="FILE", help="write to this file")
    return made


def run(arguments: list[str]) -> int:
    """Compare, and print: 0 if all is as planned, 3 if something is not, 4 if something could not be read."""
    options_parser = verify_parser()
    options = options_parser.parse_args(arguments)
    selection = Selection(options.only, options.group, options.host, today_of(options, options_parser))
    servers = planned_servers(options, options_parser, selection)
    grouping, waivers = Grouping(), DifferenceWaivers(selection.today)
    refused: dict[RefusedCapture, list[str]] = {}
    unread: list[Diagnostic] = []
    for capture in captures_named(options.against, wanted(servers.knowledge), unread):
        asked = servers.of(capture)
        if isinstance(asked, RefusedCapture):
            refused.setdefault(asked, []).append(capture.name)
        else:
            grouping.add(waivers.applied(asked.plan, verdicts(asked, capture)))
    found = grouping.verification()
    named = [(name, each.message) for each, names in refused.items() for name in names]
    if options.format == "json":
        text = verified_json(found, made_with(servers.knowledge.digests), named)
    elif options.format == "junit":
        text = "".join(verified_junit(found, named))
    elif options.format == "html":
        from setpoint.compiler.render.verified_html import verified_html  # it loads jinja2

        text = verified_html(found, made_with(servers.knowledge.digests), named)
    elif options.format == "metrics":
        text = "".join(verified_metrics(found, named))
    else:
        text = verified_text(found, page_width(), options.all)
    if options.output:
        write_text(options.output, text)
    else:
        sys.stdout.write(text)
    show([*refusals(refused), *unread, *waivers.unneeded()], servers.sources)
    return IN_ERROR if refused or unread else found.status
