"""`setpoint check --inventory`: the findings of policies on the hosts of an inventory, and what is waived on which of
them."""

from collections.abc import Iterable, Mapping

from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.cli.inventory import PlansOfHosts, fleet_findings, of_their_hosts
from setpoint.compiler.comparison.revisions import ReadablePath
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.fleet.waivers import StandingWaiver, exposed, waived_findings
from setpoint.compiler.pipeline import Selection
from setpoint.compiler.plan.judge import WaivedFinding
from setpoint.compiler.policies.check import Checked, gather
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.record import NamedTuple


class CheckedHosts(NamedTuple):
    """The findings of policies on hosts, what waivers keep back, and the hosts of each waiver with an effect."""

    checked: Checked
    waived: tuple[WaivedFinding, ...]
    waivers: Mapping[StandingWaiver, tuple[str, ...]]


def on_inventory(files: Mapping[str, str], options: Options, today: str) -> CheckedHosts:
    """Check files on the inventory that the arguments name, each with the folder that its includes stay inside."""
    gathered = gather(files)
    fleets, errors = gathered.each(PlansOfHosts(options, Selection(today=today)).fleets)
    planned = of_their_hosts(pair for of_file in fleets.values() for pair in of_file)
    findings = Diagnostics.of((*errors, *fleet_findings(planned, options)))
    plans = [(outcome.judged, fleet.hosts_of(outcome)) for _, fleet in planned for outcome in fleet.outcomes]
    return CheckedHosts(
        Checked(tuple(files), findings, gathered.sources), waived_findings(plans), exposed(plans).waived
    )


def findings_before(there: Mapping[str, ReadablePath], earlier: Options, today: str) -> Iterable[Diagnostic]:
    """The findings of the paths of a revision on the inventory of the same revision."""
    files: dict[str, str] = {}
    for place in there.values():
        files.update(rooted_files([place.path], place.root))
    return on_inventory(files, earlier, today).checked.findings
