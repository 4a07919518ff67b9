"""`setpoint audit`: check settings that somebody else has written down against the knowledge base."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from setpoint.compiler.audit.check import Audit, audit
from setpoint.compiler.binding.levels import Subject
from setpoint.compiler.binding.stated import NOTHING_FOUND, HostFacts
from setpoint.compiler.cli.arguments import Options, argument, forms
from setpoint.compiler.cli.common import (
    INVENTORY,
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
from setpoint.compiler.diagnostics import Diagnostics, SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.entries.read import FORMS
from setpoint.compiler.files.reading import STDIN
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.language.program import Program
from setpoint.compiler.language.program import read as read_file
from setpoint.compiler.pipeline import chosen_subjects, knowledge_for, read, read_text
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.reports import FORMATS, report

if TYPE_CHECKING:
    from setpoint.compiler.audit.captured import CapturedFile
    from setpoint.compiler.fitting.server import Server


@verb(
    "audit",
    "Check a boot line, sysctls, a tuned profile or BIOS settings that somebody else has written down. With an inventory, for each of "
    "its hosts: `setpoint audit 99-tuning.conf --for site.tune --inventory hosts.csv`. With a capture, that server, with the files "
    "laid over what it has: `setpoint audit 99-tuning.conf --against captures/c042.json`.",
    "audit /proc/cmdline -e 'goal latency; platform r740; os rhel 9'",
    {
        "files FILE*": "files of settings, or - for standard input",
        "-e TEXT": argument("the server, and its goal if it has one: facts as in a policy", dest="text"),
        "--for POLICY": argument("a policy file that states them, in place of -e", dest="policy"),
        "--as": argument("what the files are (default: by content)", dest="form", choices=FORMS),
        **forms(*sorted(FORMATS)),
        "--export FILE": "write the settings as a policy with the reasons left open; - for standard output",
        "--against CAPTURE": "a captured server: what it is, and what it has already, over which the files are laid; without files, that itself",
        **SERVERS,
        **INVENTORY,
        **ROOT,
        **TODAY,
    },
)
def run(options: Options) -> int:
    """Check the files together; the findings go to standard output in the selected form."""
    _refuse_contradictions(options)
    program = read(options.policy, options.root) if options.policy else read_text(options.text, options.root)
    named = [STDIN if path == "-" else path for path in options.files]
    sources = [SourceText(path, read_file(path)) for path in named]
    texts = {**program.sources, **{source.name: source.text for source in sources}}
    today = today_of(options)
    try:
        if options.inventory:
            return _on_hosts(options, program, sources, texts, today)
        subjects = chosen_subjects(program, knowledge_for(program))
        if len(subjects) > 1:
            options.error(
                "the policy describes several servers: name one that describes one, or an --inventory"
            )
        capture = _captured(options, program, subjects[0])
        texts |= {file.source.name: file.source.text for file in capture.files}
        server = capture.server if options.against else server_named(options)
        knowledge = knowledge_for(program)
        audited = audit(
            knowledge, subjects[0], sources, options.form, today, server, capture.facts, capture.files
        )
    except SetpointError as error:
        error.sources = texts
        raise
    stream = _exported(options, audited) if options.export else sys.stdout
    from setpoint.compiler.audit.summary import json_of, summary  # loaded after errors of the files

    return _write(
        stream,
        options,
        texts,
        audited.findings,
        lambda: json_of(audited),
        lambda: summary(audited, page_width()),
    )


def _on_hosts(
    options: Options, program: Program, sources: list[SourceText], texts: dict[str, str], today: str
) -> int:
    from setpoint.compiler.cli.audit_inventory import on_hosts  # only needed for an inventory
    from setpoint.compiler.fleet.audits import audits_json, audits_text

    fleet, findings = on_hosts(options, program, sources, today)
    return _write(
        sys.stdout,
        options,
        texts,
        findings,
        lambda: audits_json(fleet, findings),
        lambda: audits_text(fleet, page_width()),
    )


def _exported(options: Options, audited: Audit) -> TextIO:
    """Write the policy that was asked for; the stream that is left for the findings."""
    from setpoint.compiler.audit.export import policy_of  # only needed here

    if options.export == "-":
        sys.stdout.write(policy_of(audited))
        return sys.stderr
    write_text(options.export, policy_of(audited))
    return sys.stdout


def _refuse_contradictions(options: Options) -> None:
    """Report options that exclude each other, or of which one is missing, as wrong usage."""
    if options.text and options.policy:
        options.error("-e TEXT and --for POLICY both state the server: give one of them")
    if options.inventory and (options.export or options.current):
        options.error("--inventory: not together with --export or --current, which are about one server")
    if not options.files and not options.against:
        options.error("name files of settings, or a captured server by --against")
    if options.against and options.inventory:
        options.error("--against: without --inventory, since it is about one server")
    if len(set(options.files)) < len(options.files):
        options.error("a file is named twice")


class _CapturedServer(NamedTuple):
    """The server of an audit, as captured: its facts, its settings as files, and its registry with current values if a
    controller was read."""

    facts: HostFacts = NOTHING_FOUND
    files: "tuple[CapturedFile, ...]" = ()
    server: "Server | None" = None


def _captured(options: Options, program: Program, subject: Subject) -> _CapturedServer:
    """The server that `--against` names. Raises SetpointError (E0622, E0624, E0628) if the audit cannot be of it."""
    if not options.against:
        return _CapturedServer()
    from setpoint.compiler.audit.captured import captured_files
    from setpoint.compiler.audit.check import described
    from setpoint.compiler.cli.planned_servers import check_is_of, one_captured, recognized, shows_nothing
    from setpoint.compiler.fitting.server import captured_server

    knowledge = knowledge_for(program)
    capture = one_captured(options, knowledge)
    facts = recognized(knowledge)(capture)
    check_is_of(described(knowledge, subject), capture, facts, knowledge)
    files = captured_files(capture)
    if not files:
        nothing = "no settings: no boot line, no files of sysctls, no tuned profile, no BIOS attributes"
        raise shows_nothing(capture, nothing, "capture the server again")
    return _CapturedServer(facts, files, captured_server(capture))


def _write(
    stream: TextIO,
    options: Options,
    texts: dict[str, str],
    findings: Diagnostics,
    json: Callable[[], str],
    summary: Callable[[], str],
) -> int:
    """Write the findings in the selected form, in text with the summary before their number; 1 if there are errors."""
    named = options.files or [options.against]
    if options.format == "json":
        stream.write(json())
        return status_of(findings)
    width, home = terminal_width(stream), STDIN if named[0] == "-" else named[0]
    text = report(options.format, findings, text_source(texts), len(named), width, home)
    if options.format == "text":
        shown, _, tally = text.rstrip("\n").rpartition("\n")
        write_findings(stream, f"{shown}\n" if shown else "")
        text = f"{summary()}\n{tally}\n"
    stream.write(text)
    return status_of(findings)
