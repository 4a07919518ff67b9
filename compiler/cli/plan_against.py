"""`setpoint plan --against`: what a plan does to captured servers: what changes there, what is right, and what is there that nobody planned."""

import sys

from setpoint.compiler.cli import IN_ERROR, OK
from setpoint.compiler.cli.arguments import Options, Parser
from setpoint.compiler.cli.common import page_width, show
from setpoint.compiler.cli.pager import write_page
from setpoint.compiler.cli.planned_servers import RefusedCapture, compared, planned_servers, refusals
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.pipeline import Selection
from setpoint.compiler.plan.made_with import made_with
from setpoint.compiler.render.plan_against import changes_json, changes_markdown, changes_text
from setpoint.compiler.verification.changes import GroupedChanges, SpelledNames, changes


def show_against(options: Options, options_parser: Parser, choice: Selection) -> int:
    """Print what the plan does to the servers that the arguments name. What cannot be compared is an error, and the others are shown."""
    if options.inventory or options.registry or options.current:
        options_parser.error(
            "--against: without --inventory, --registry and --current, since a capture shows all of that"
        )
    if options.format == "html":
        options_parser.error("--against: with --format text, json or markdown")
    servers = planned_servers(options, options_parser, choice, everything=True, is_fitted=True)
    names, grouped = SpelledNames(servers.knowledge), GroupedChanges()
    refused: dict[RefusedCapture, list[str]] = {}
    unread: list[Diagnostic] = []
    for capture, asked in compared(servers, options.against, refused, unread):
        grouped.add(changes(asked, capture, names))
    found = grouped.whole()
    if options.format == "json":
        named = [(name, each.message) for each, hosts in refused.items() for name in hosts]
        sys.stdout.write(changes_json(found, made_with(servers.knowledge.digests), named))
    elif options.format == "markdown":
        write_page(changes_markdown(found), options)
    else:
        write_page(changes_text(found, page_width(), options.all), options)
    show([*refusals(refused), *unread], {})
    return IN_ERROR if refused or unread else OK
