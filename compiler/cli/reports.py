"""The reports that artifacts write about servers, joined. Their verdicts are those that a capture would have.

The Ansible role writes a report for each server (`setpoint.verify/1`), and the program for hosts prints one. A report
has the planned values, so no policy is needed. With a fleet's folder, hosts without a report are found, and reports of
other plans.
"""

import os
from collections.abc import Iterable, Iterator, Mapping

from setpoint.compiler.cli.planned_servers import RefusedCapture
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.files.reading import names_in, read_text
from setpoint.compiler.language.program import unreadable
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.verification.model import HostVerdicts, SettingVerdict

NO_REPORT = "E0660"
OTHER_PLAN = "E0661"
WITHOUT = "E0662"

DOCUMENT = ".json"


class ReportOfServer(NamedTuple):
    """The verdicts of one report, and the digest of the plan that it is of; "" if it does not say."""

    verdicts: HostVerdicts
    plan: str


def reports_in(folders: Iterable[str], unread: list[Diagnostic]) -> Iterator[ReportOfServer]:
    """The reports in folders, or in folders in them, in the order of their names; what is none is added to `unread`."""
    for folder in folders:
        has_reports = False
        for path in _documents(folder):
            has_reports = True
            try:
                yield _report(path, folder)
            except (OSError, UnicodeDecodeError) as error:
                unread.append(unreadable(path, error))
            except ValueError:
                unread.append(_no_report(path, "it is not in form setpoint.verify/1"))
        if not has_reports:
            unread.append(_no_report(folder, "it has no reports"))


def _no_report(path: str, why: str) -> Diagnostic:
    help_ = ("name the folder `reports` beside the playbooks of the role",)
    return Diagnostic(NO_REPORT, f"no report in `{path}`: {why}", NOWHERE, help=help_, subject=path)


def _documents(folder: str) -> Iterator[str]:
    try:
        for name in names_in(folder):
            path = os.path.join(folder, name)
            if name.endswith(DOCUMENT):
                yield path
            elif os.path.isdir(path) and not name.startswith("."):
                inner = names_in(path, folder)
                yield from (os.path.join(path, document) for document in inner if document.endswith(DOCUMENT))
    except OSError as error:
        raise SetpointError(unreadable(folder, error)) from None


def _report(path: str, within: str) -> ReportOfServer:
    """A report. Raises ValueError for what is none."""
    from setpoint.compiler.render.verification import Report  # it loads pydantic

    read = Report.model_validate_json(read_text(path, within))
    verdicts = (
        SettingVerdict(
            setting=verdict.setting,
            layer=verdict.layer,
            value=verdict.wanted,
            wanted=verdict.wanted,
            found=verdict.found,
            pending=verdict.pending,
            state=verdict.state,
            reason=verdict.reason,
        )
        for verdict in read.results
    )
    return ReportOfServer(HostVerdicts(read.host, read.policy, tuple(verdicts), read.notes), read.plan)


def missing(
    fleet: Mapping[str, Plan], reports: Iterable[ReportOfServer], refused: dict[RefusedCapture, list[str]]
) -> Iterator[ReportOfServer]:
    """The reports of the plans that hosts have in a fleet. Hosts with a report of another plan, or with none, are added
    to `refused`."""
    left = {host.casefold(): host for host in fleet}
    plans = {host.casefold(): plan.digest for host, plan in fleet.items()}
    other = RefusedCapture(
        OTHER_PLAN, "a report of another plan than the fleet has", (), ("run verify.yml of this fleet",)
    )
    for report in reports:
        name = report.verdicts.host.casefold()
        left.pop(name, None)
        if report.plan and plans.get(name, report.plan) != report.plan:
            refused.setdefault(other, []).append(report.verdicts.host)
        else:
            yield report
    without = RefusedCapture(WITHOUT, "no report of this host of the fleet", (), ("run verify.yml for it",))
    for host in left.values():
        refused.setdefault(without, []).append(host)


def plans_of_fleet(folder: str, today: str) -> dict[str, Plan]:
    """The plan of each host of a fleet's folder. Raises SetpointError, as `read_fleet` does."""
    from setpoint.compiler.fleet.folder import read_fleet  # only needed for a fleet

    fleet = read_fleet(folder, today).fleet
    return {
        host: outcome.plan
        for outcome in fleet.outcomes
        for host_class in outcome.classes
        for host in fleet.members[host_class]
    }
