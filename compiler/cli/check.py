"""`setpoint check`: all errors and warnings of policies and knowledge files."""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from setpoint.compiler.cli.arguments import Options, forms
from setpoint.compiler.cli.common import (
    INVENTORY,
    PATHS,
    ROOT,
    SERVERS,
    TODAY,
    page_width,
    server_named,
    status_of,
    terminal_width,
    text_source,
    today_of,
    verb,
    write_findings,
)
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.policies.check import Checked, check_files
from setpoint.compiler.policies.findings import once
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.render.reports import FORMATS, report
from setpoint.compiler.render.table import table
from setpoint.compiler.render.visible import visible, visible_lines

if TYPE_CHECKING:
    from setpoint.compiler.cli.check_inventory import CheckedHosts
    from setpoint.compiler.fitting.server import Server


@verb(
    "check",
    "Find the errors and warnings of policies and knowledge files.",
    "check policies --inventory hosts.csv --since origin/main",
    {
        **PATHS,
        **forms(*sorted(FORMATS)),
        "--also FORM=FILE…": "write the findings in this form, too, into a file; may be repeated",
        "--may-be-gone": "a missing path, or one without .tune files, has no findings",
        "--since REV": "only findings that this git revision does not have",
        "--statistics": "count the findings by code, the most frequent first",
        "--fix": "mend spelling and punctuation in the files; report the remaining findings",
        "--unsafe-fixes": "as --fix; also apply verified repairs that drop or change a `set`, and drop an `accept` of what does not occur",
        **SERVERS,
        **INVENTORY,
        **ROOT,
        **TODAY,
    },
)
def run(options: Options) -> int:
    """Check files; the findings go to standard output in the selected form."""
    also = [word.partition("=")[::2] for word in options.also]
    for form, path in also:
        if form not in FORMATS or not path:
            options.error(f"--also {form}={path}: not one of {', '.join(sorted(FORMATS))}, `=` and a file")
    paths = [p for p in options.paths if os.path.lexists(p)] if options.may_be_gone else options.paths
    files = rooted_files(paths, options.root)
    if not files and not options.may_be_gone:
        options.error(f"there is no .tune file in {', '.join(options.paths)}")
    today = today_of(options)
    is_fixing = options.fix or options.unsafe_fixes
    if options.inventory and (is_fixing or options.current):
        options.error("--inventory: not together with --fix, --unsafe-fixes or --current")
    server = None if options.inventory else server_named(options)
    hosts = None
    if options.inventory:
        from setpoint.compiler.cli.check_inventory import on_inventory  # only needed for an inventory

        hosts = on_inventory(files, options, today)
        checked = hosts.checked
    elif is_fixing:
        checked = _fixed(files, today, server, options.unsafe_fixes)
    else:
        checked = check_files(files, today, server)
    everything = checked.findings  # which code scanners compare with earlier ones themselves
    if options.since:
        checked = checked._replace(findings=_new(checked, paths, options, today, server))
    home = options.inventory if os.path.isfile(options.inventory) else next(iter(files), "")
    waived = hosts.waived if hosts else None
    for form, path in also:
        findings = everything if form == "sarif" else checked.findings
        text = report(
            form, findings, text_source(checked.sources), len(checked.files), home=home, waived=waived
        )
        write_text(path, text)
    _write(checked, options, home, {} if options.inventory else files, hosts)
    return status_of(checked.findings)


def _write(
    checked: Checked, options: Options, home: str, fixable: Mapping[str, str], hosts: "CheckedHosts | None"
) -> None:
    """Write the findings in the selected form; text ends with the number of fixable ones, and the waivers of hosts."""
    is_text = options.format == "text"
    findings = once(checked.findings) if is_text else checked.findings
    source, width, waived = text_source(checked.sources), terminal_width(sys.stdout), hosts and hosts.waived
    text = report(options.format, findings, source, len(checked.files), width, home, waived)
    if not is_text:
        sys.stdout.write(text)
        return
    write_findings(sys.stdout, text + _fixable(findings, fixable))
    if hosts:
        from setpoint.compiler.fleet.waivers import waived_text  # only needed for an inventory

        sys.stdout.write(visible_lines(waived_text(hosts.waivers, page_width())))
    if options.statistics:
        sys.stdout.write(_statistics(findings))


def _fixed(files: Mapping[str, str], today: str, server: "Server | None", unsafe: bool) -> Checked:
    """The findings after fixes, each of which is reported with the decisions and reasons that are gone."""
    from setpoint.compiler.policies.fix import Fixing  # only needed here

    checked, applied = Fixing(files, today, server, unsafe).run()
    for finding, fix, gone in applied:
        place = f"{fix.edits[0].span.file}:{fix.edits[0].span.line}"
        sys.stderr.write(f"{visible(f'fixed {place}: {fix.title} ({finding.code})')}\n")
        sys.stderr.write("".join(f"  no longer there: {visible(text)}\n" for text in gone))
    return checked


def _fixable(findings: Iterable[Diagnostic], files: Mapping[str, str]) -> str:
    """How many findings `--fix` mends, and how many only `--unsafe-fixes`; "" if neither does any."""
    safe = unsafe = 0
    for finding in findings:
        written = [fix for fix in finding.fixes if all(edit.span.file in files for edit in fix.edits)]
        safe += any(fix.is_safe for fix in written)
        unsafe += bool(written) and not any(fix.is_safe for fix in written)
    parts = [f"`--fix` can mend {safe:,}"] if safe else []
    if unsafe:
        parts.append(
            f"`--unsafe-fixes` can repair {unsafe:,}, by dropping or changing a `set` or an `accept`"
        )
    return "; ".join(parts) + "\n" * bool(parts)


def _statistics(findings: Diagnostics) -> str:
    """The number of findings of each code, with its title; most frequent first."""
    from setpoint.compiler.diagnostics.pages import page

    numbers = Counter(finding.code for finding in findings)
    rows = []
    for code, number in sorted(numbers.items(), key=lambda entry: (-entry[1], entry[0])):
        title = (page(code) or "").partition("\n")[0].partition(": ")[2]
        rows.append((f"{number:,}", code, title))
    return table(rows, page_width(), indent=0)


def _new(
    checked: Checked, paths: list[str], options: Options, today: str, server: "Server | None"
) -> Diagnostics:
    """The findings that the same paths did not have at a revision, wherever they were in their files.

    A path that does not exist in the revision had none. Raises SetpointError (E0607) if git has no such revision.
    """
    from setpoint.compiler.cli.at_revision import files_read, inventory_at  # only needed here
    from setpoint.compiler.comparison.revisions import Repository

    repository = Repository(".")
    commit = repository.commit(options.since)
    before: Counter[tuple[str, ...]] = Counter()
    with files_read(options) as files:
        there = {path: place for path in paths if (place := files.path(repository, commit, path))}
        called = {place.path: path for path, place in there.items()}
        if options.inventory:
            from setpoint.compiler.cli.check_inventory import findings_before

            then = inventory_at(files, repository, commit, options)
            earlier = findings_before(there, then, today) if then else ()
            called |= {then.inventory: options.inventory} if then else {}
        else:
            earlier = [
                finding
                for place in there.values()
                for finding in check_files(rooted_files([place.path], place.root), today, server).findings
            ]
        before.update(_key(finding, called, not options.inventory) for finding in earlier)
    new = []
    for finding in checked.findings:
        key = _key(finding, {}, not options.inventory)
        before[key] -= 1
        if before[key] < 0:
            new.append(finding)
    return Diagnostics(new)


def _key(finding: Diagnostic, called: Mapping[str, str], with_notes: bool) -> tuple[str, ...]:
    """Identifies a finding, wherever it is in its file; `called` has what places of another revision are called.

    On an inventory, notes say how many hosts it is about, which may change.
    """

    def named(text: str) -> str:
        for place, path in called.items():
            text = text.replace(place, path)
        return text

    notes = finding.notes if with_notes else ()
    return (finding.code, os.path.normpath(named(finding.at.file)), *map(named, (finding.message, *notes)))
