"""`setpoint plan --inventory`: what all hosts of an inventory get, for each policy that the arguments name."""

from setpoint.compiler.cli import IN_ERROR, OK, PARTLY
from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.cli.chosen import chosen
from setpoint.compiler.cli.common import page_width, show_all, status_of
from setpoint.compiler.cli.inventory import DividedHosts, PlansOfHosts, fleet_findings, of_their_hosts
from setpoint.compiler.cli.pager import write_form
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.fleet.outcomes import PlannedFleet
from setpoint.compiler.fleet.overview import FleetOverview, overview, overview_text, overviews_json
from setpoint.compiler.pipeline import Selection


def on_hosts(options: Options, selection: Selection) -> int:
    """Plan the hosts of an inventory and print what they get; findings go to the error stream.

    Exit 5 if some hosts have no plan, 1 if none has one.
    """
    if options.group or options.current:
        options.error("--inventory: with --group or --current, name one of its hosts by --host")
    if options.format not in ("text", "json"):
        options.error(f"--format {options.format}: with --inventory, that of one host, named by --host")
    asked = chosen(options)
    plans = PlansOfHosts(options, selection)
    every: list[tuple[DividedHosts, PlannedFleet]] = []
    failed = [d for error in asked.failed.values() for d in error.diagnostics]
    sources: dict[str, str] = {}
    for program in asked.programs:
        sources |= program.sources
        try:
            every += plans.fleets(program)
        except SetpointError as error:
            failed += error.diagnostics
            sources |= error.sources
    planned = of_their_hosts(every)
    findings = [*failed, *fleet_findings(planned, options)]
    is_json = options.format == "json"
    overviews = [
        overview(
            fleet, fleet.left_out + len(division.read.census.left_out), options.all, options.all or is_json
        )
        for division, fleet in planned
    ]
    write_form(
        options,
        text=lambda: "\n".join(overview_text(of_fleet, page_width()) for of_fleet in overviews),
        json=lambda: overviews_json(overviews),
    )
    show_all(findings, sources)
    return _status(overviews, failed, findings)


def _status(overviews: list[FleetOverview], failed: list[Diagnostic], findings: list[Diagnostic]) -> int:
    if failed or not any(of_fleet.fleet.hosts for of_fleet in overviews):
        return status_of(failed) or IN_ERROR
    return PARTLY if any(finding.severity == "error" for finding in findings) else OK
