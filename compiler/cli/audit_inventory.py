"""`setpoint audit --inventory`: what files of settings do to the hosts of an inventory."""

from collections.abc import Sequence

from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.cli.inventory import final_policies, hosts_read
from setpoint.compiler.diagnostics import Diagnostics
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.fleet.audits import AuditedFleet, audit_fleet
from setpoint.compiler.fleet.classes import unused_blocks
from setpoint.compiler.fleet.registries import without_registry
from setpoint.compiler.fleet.summary import left_out_findings
from setpoint.compiler.inventory.places import HostPlaces
from setpoint.compiler.language.program import Program
from setpoint.compiler.pipeline import knowledge_for


def on_hosts(
    options: Options, program: Program, sources: Sequence[SourceText], today: str
) -> tuple[AuditedFleet, Diagnostics]:
    """What is wrong with files for each class of the hosts that the arguments name, and all findings.

    Raises SetpointError for an inventory, a policy or a file that cannot be read as one.
    """
    knowledge = knowledge_for(program)
    policies = final_policies(program, "")
    if len(policies) != 1:
        options.error("the file has several policies: name one that has one")
    hosts = hosts_read(options, knowledge, options.registry)
    classes = hosts.classes(policies[0])
    fleet = audit_fleet(knowledge, policies[0], classes, sources, options.form, today, hosts.registries)
    left_out = left_out_findings(fleet.excluded, hosts.census.left_out, HostPlaces(options.inventory))
    findings = (
        *fleet.findings,
        *left_out,
        *unused_blocks(classes.unused),
        *without_registry(classes.unfitted),
    )
    return fleet, Diagnostics.of(findings)
