"""`setpoint verify`: captured servers, compared with what their policy plans for them."""

import os
from datetime import UTC, datetime

from setpoint.compiler.cli import IN_ERROR
from setpoint.compiler.cli.arguments import Options, argument, forms
from setpoint.compiler.cli.chosen import selection_of
from setpoint.compiler.cli.common import POLICY, page_width, show, verb, write_output
from setpoint.compiler.cli.guard import guarded
from setpoint.compiler.cli.planned_servers import RefusedCapture, compared, planned_servers, refusals
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.plan.made_with import MadeWith, made_with
from setpoint.compiler.render.verified import verified_json, verified_junit, verified_text
from setpoint.compiler.render.verified_metrics import verified_metrics
from setpoint.compiler.verification.grouped import Grouping, Verification
from setpoint.compiler.verification.verdicts import verdicts
from setpoint.compiler.verification.waived import DifferenceWaivers


@verb(
    "verify",
    "Compare captured servers with the plan of a policy, with that of a bundle, or each with its own in a fleet's folder: one verdict "
    "for each setting, with the reading it rests on. The status is 0 if all is as planned, 3 if something is not, and 4 if nothing differs "
    "but something could not be decided. It is 1 if a file cannot be read or written, or a capture compared with no plan.",
    "verify web.tune --against captures",
    {
        **POLICY,
        "--against CAPTURE…": "a capture, an archive of support data, or a folder of them; may be repeated",
        "--reports DIR…": "in place of captures: a folder of reports that the Ansible role has written; without a policy, or with a fleet's folder",
        **forms("text", "json", "junit", "metrics", "html", "oscal"),
        "--collected TIME": "for oscal: when the captures were made, such as 2027-03-01T12:00:00Z (default: SOURCE_DATE_EPOCH)",
        "--all": "in text, list what is as planned as well",
        "-o FILE": argument("write to this file", dest="output"),
    },
)
def run(options: Options) -> int:
    """Compare, and print: 0 if all is as planned, 3 if something is not, 4 if something could not be decided.

    A file that cannot be read or written is 1 here, not 4 as elsewhere: whoever counts undecided servers by 4 must not
    count it.
    """
    return guarded(_compare, options, IN_ERROR)


def _compare(options: Options) -> int:
    if bool(options.against) == bool(options.reports):
        options.error("one of --against and --reports is needed")
    selection = selection_of(options)
    if options.reports:
        return _join(options, selection.today)
    collected = _collected(options) if options.format == "oscal" else ""
    servers = planned_servers(options, selection)
    grouping, waivers = Grouping(), DifferenceWaivers(selection.today)
    refused: dict[RefusedCapture, list[str]] = {}
    unread: list[Diagnostic] = []
    for capture, asked in compared(servers, options.against, refused, unread):
        grouping.add(waivers.applied(asked.plan, verdicts(asked, capture)))
    verification = grouping.verification()
    named = [(name, refusal.message) for refusal, names in refused.items() for name in names]
    unneeded = tuple(waivers.unneeded())
    text = _written(options, verification, named, unneeded, made_with(servers.knowledge.digests), collected)
    write_output(options.output, text)
    show([*refusals(refused), *unread, *unneeded], servers.sources)
    return IN_ERROR if refused or unread else verification.status


def _join(options: Options, today: str) -> int:
    """Join the reports of servers, and print."""
    from setpoint.compiler.cli.reports import (
        missing,
        plans_of_fleet,
        reports_in,
    )  # only where there are reports
    from setpoint.compiler.lowering.bundle import is_fleet

    fleet = options.policy or ""
    if options.text or (fleet and not is_fleet(fleet)):
        options.error("--reports: without a policy, or with a fleet's folder")
    refused: dict[RefusedCapture, list[str]] = {}
    unread: list[Diagnostic] = []
    reports = reports_in(options.reports, unread)
    if fleet:
        reports = missing(plans_of_fleet(fleet, today), reports, refused)
    grouping = Grouping()
    for report in reports:
        grouping.add(report.verdicts)
    joined = grouping.verification()
    named = [(name, refusal.message) for refusal, names in refused.items() for name in names]
    collected = _collected(options) if options.format == "oscal" else ""
    write_output(options.output, _written(options, joined, named, (), None, collected))
    show([*refusals(refused), *unread], {})
    return IN_ERROR if refused or unread else joined.status


def _written(
    options: Options,
    verification: Verification,
    refused: list[tuple[str, str]],
    unneeded: tuple[Diagnostic, ...],
    versions: MadeWith | None,
    collected: str,
) -> str:
    """What was found, in the form that the arguments name."""
    if options.format == "json":
        return verified_json(verification, versions, refused, unneeded)
    if options.format == "junit":
        return "".join(verified_junit(verification, refused))
    if options.format == "metrics":
        return "".join(verified_metrics(verification, refused))
    if options.format == "html":
        from setpoint.compiler.render.verified_html import verified_html  # it loads jinja2

        return verified_html(verification, versions, refused)
    if options.format == "oscal":
        from setpoint.compiler.render.verified_oscal import verified_oscal  # only needed for this form

        return verified_oscal(verification, versions, refused, collected)
    return verified_text(verification, page_width(), options.all)


def _collected(options: Options) -> str:
    """The time of the captures, in UTC, as stated: with the clock, two outputs of one capture would differ."""
    stated, epoch = options.collected, os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        time = datetime.fromisoformat(stated) if stated else datetime.fromtimestamp(int(epoch), UTC)
        if time.tzinfo is None:
            raise ValueError(stated)
        return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        wrong = f"--collected {stated}: not" if stated else "--format oscal needs"
        options.error(f"{wrong} a time with a zone, such as --collected 2027-03-01T12:00:00Z")
