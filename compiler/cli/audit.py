"""`setpoint audit`: check settings that somebody else has written down against the knowledge base."""

import sys

from setpoint.compiler.audit.check import audit
from setpoint.compiler.audit.read import FORMS
from setpoint.compiler.cli.arguments import Parser
from setpoint.compiler.cli.common import (
    add_root,
    add_server,
    add_today,
    page_width,
    parser,
    status_of,
    terminal_width,
    text_source,
    today_of,
    write_findings,
)
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.files.reading import STDIN
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.fitting.server import read_server
from setpoint.compiler.language.program import read as read_file
from setpoint.compiler.pipeline import chosen_subjects, knowledge_for, read, read_text
from setpoint.compiler.render.reports import FORMATS, report


def audit_parser() -> Parser:
    """The parser of the arguments of `setpoint audit`."""
    made = parser(
        "audit",
        "Check a boot line, sysctls, a tuned profile or BIOS settings that somebody else has written down.",
    )
    made.add_argument("files", nargs="+", metavar="FILE", help="files of settings, or - for standard input")
    made.add_argument(
        "-e",
        dest="text",
        default="",
        metavar="TEXT",
        help="the server, and its goal if it has one: facts as in a policy",
    )
    made.add_argument(
        "--for",
        dest="policy",
        default="",
        metavar="POLICY",
        help="a policy file that states them, in place of -e",
    )
    made.add_argument(
        "--as", dest="form", choices=FORMS, default="", help="what the files are (default: by content)"
    )
    made.add_argument("--format", choices=sorted(FORMATS), default="text")
    made.add_argument(
        "--export",
        default="",
        metavar="FILE",
        help="write the settings as a policy with the reasons left open; - for standard output",
    )
    add_server(made)
    add_root(made)
    add_today(made)
    return made


def run(arguments: list[str]) -> int:
    """Check the files together; the findings go to standard output in the selected form."""
    options_parser = audit_parser()
    options = options_parser.parse_args(arguments)
    if options.text and options.policy:
        options_parser.error("-e TEXT and --for POLICY both state the server: give one of them")
    if len(set(options.files)) < len(options.files):
        options_parser.error("a file is named twice")
    program = read(options.policy, options.root) if options.policy else read_text(options.text, options.root)
    knowledge = knowledge_for(program)
    named = [STDIN if path == "-" else path for path in options.files]
    sources = [SourceText(path, read_file(path)) for path in named]
    texts = {**program.sources, **{source.name: source.text for source in sources}}
    try:
        subjects = chosen_subjects(program, knowledge)
        if len(subjects) > 1:
            options_parser.error("the policy describes several servers: name one that describes one")
        one = read_server(options.registry, options.current) if options.registry or options.current else None
        found = audit(knowledge, subjects[0], sources, options.form, today_of(options, options_parser), one)
    except SetpointError as error:
        error.sources = texts
        raise
    stream = sys.stdout
    if options.export:
        from setpoint.compiler.audit.export import policy_of  # only needed here

        if options.export == "-":
            sys.stdout.write(policy_of(found))
            stream = sys.stderr
        else:
            write_text(options.export, policy_of(found))
    if options.format == "json":
        from setpoint.compiler.audit.summary import json_of  # only needed here

        stream.write(json_of(found))
        return status_of(found.findings)
    width = terminal_width(stream)
    text = report(options.format, found.findings, text_source(texts), len(sources), width, named[0])
    if options.format == "text":
        from setpoint.compiler.audit.summary import summary  # only needed here

        findings, _, tally = text.rstrip("\n").rpartition("\n")
        write_findings(stream, f"{findings}\n" if findings else "")
        stream.write(f"{summary(found, page_width())}\n{tally}\n")
    else:
        stream.write(text)
    return status_of(found.findings)
