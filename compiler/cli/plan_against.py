"""`setpoint plan --against`: a plan beside a captured server, of which it says what changes there."""

import sys

from setpoint.compiler.captures.carriers import captures_in
from setpoint.compiler.captures.join import joined
from setpoint.compiler.captures.wanted import wanted
from setpoint.compiler.cli import IN_ERROR, OK
from setpoint.compiler.cli.arguments import Options, Parser
from setpoint.compiler.cli.common import page_width, show
from setpoint.compiler.cli.planned_servers import RefusedCapture, planned_servers, refusals
from setpoint.compiler.pipeline import Selection
from setpoint.compiler.plan.as_json import plan_json
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.render.plan_against import against_json, plan_against_text
from setpoint.compiler.render.visible import json_text
from setpoint.compiler.verification.verdicts import verdicts


def show_against(options: Options, options_parser: Parser, choice: Selection) -> int:
    """Print the plan beside each server that the argument names, as text or JSON."""
    if options.format not in ("text", "json") or options.inventory:
        options_parser.error("--against: with --format text or json, and without --inventory")
    servers = planned_servers(options, options_parser, choice, everything=True)
    refused: dict[RefusedCapture, list[str]] = {}
    texts, data = [], []
    for capture in joined(captures_in([options.against], places=wanted(servers.knowledge))):
        asked = servers.of(capture)
        if isinstance(asked, RefusedCapture):
            refused.setdefault(asked, []).append(capture.name)
            continue
        found = verdicts(asked, capture)
        texts.append(plan_against_text(asked.plan, found, page_width()))
        if options.format == "json":
            data.append({**plan_json(judge(asked.plan, choice.today)), "against": against_json(found)})
    if options.format == "json":
        sys.stdout.write(json_text(data[0] if len(data) == 1 else data))
    else:
        sys.stdout.write("\n".join(texts))
    show(refusals(refused), {})
    return IN_ERROR if refused else OK
