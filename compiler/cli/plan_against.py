"""`setpoint plan --against`: the effect of a plan on captured servers: changed, right and unplanned values."""

from setpoint.compiler.cli import IN_ERROR, OK
from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.cli.common import page_width, show
from setpoint.compiler.cli.pager import write_form
from setpoint.compiler.cli.planned_servers import RefusedCapture, compared, planned_servers, refusals
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.pipeline import Selection
from setpoint.compiler.plan.made_with import made_with
from setpoint.compiler.render.plan_against import changes_json, changes_markdown, changes_text
from setpoint.compiler.verification.changes import GroupedChanges, SpelledNames, changes


def show_against(options: Options, choice: Selection) -> int:
    """Print the effect of the plan on the named servers. A server that cannot be compared is an error."""
    if options.inventory or options.registry or options.current:
        options.error(
            "--against: without --inventory, --registry and --current, since a capture shows all of that"
        )
    if options.format == "html":
        options.error("--against: with --format text, json or markdown")
    servers = planned_servers(options, choice, to_change=True)
    names, grouped = SpelledNames(servers.knowledge), GroupedChanges()
    refused: dict[RefusedCapture, list[str]] = {}
    unread: list[Diagnostic] = []
    for capture, asked in compared(servers, options.against, refused, unread):
        grouped.add(changes(asked, capture, names))
    effect = grouped.whole()
    named = [(name, refusal.message) for refusal, hosts in refused.items() for name in hosts]
    write_form(
        options,
        text=lambda: changes_text(effect, page_width(), options.all),
        json=lambda: changes_json(effect, made_with(servers.knowledge.digests), named),
        markdown=lambda: changes_markdown(effect),
    )
    show([*refusals(refused), *unread], {})
    return IN_ERROR if refused or unread else OK
