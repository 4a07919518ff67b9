"""`setpoint kb check` and `kb disputes`: errors of the knowledge base for every possible policy, and sources that
disagree."""

import gc
import sys

from setpoint.compiler.cli import IN_ERROR, OK
from setpoint.compiler.cli.arguments import Options, forms
from setpoint.compiler.cli.common import (
    ROOT,
    page_width,
    status_of,
    terminal_width,
    text_source,
    verb,
    write_findings,
)
from setpoint.compiler.cli.pager import NO_PAGER, write_form
from setpoint.compiler.diagnostics import Diagnostics, SetpointError
from setpoint.compiler.knowledge.load import knowledge_of
from setpoint.compiler.knowledge.results import Proof
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.proof.disputes import disputes
from setpoint.compiler.proof.memory import KeptMemory
from setpoint.compiler.proof.prove import prove
from setpoint.compiler.render.disputes import disputes_json, disputes_text
from setpoint.compiler.render.excerpt import diagnostics_text
from setpoint.compiler.render.knowledge import figures_text, overridden_text, proof_json, verdict
from setpoint.compiler.render.reports import FORMATS, report


@verb(
    "kb check",
    "Prove the knowledge base: no ties, no gaps, nothing dead, in any context. With PATHs, the standard library "
    "and the knowledge in them together; files that declare facts of their own are a separate knowledge base.",
    "kb check site",
    {
        "paths PATH*": "files, or folders of .tune files",
        **forms(*sorted(FORMATS)),
        **ROOT,
        "--quiet": "findings only, without the figures",
    },
)
def run_check(options: Options) -> int:
    """Prove the standard library, or a site's knowledge together with it."""
    try:
        read = knowledge_of(rooted_files(options.paths, options.root))
    except SetpointError as error:
        if options.format == "text":
            raise
        sys.stdout.write(
            report(options.format, Diagnostics.of(error.diagnostics), text_source(error.sources), 0)
        )
        return status_of(error.diagnostics)
    gc.disable()  # a proof makes millions of tuples and hardly a cycle: to look for these takes a tenth of its time
    memory = KeptMemory()
    proof = prove(read.knowledge, memory)
    memory.keep()
    gc.enable()
    if options.format == "json":
        sys.stdout.write(proof_json(proof))
    elif options.format == "text":
        write_findings(sys.stdout, _text(proof, read.sources, options.quiet))
    else:
        sys.stdout.write(report(options.format, proof.findings, text_source(read.sources), len(read.files)))
    return IN_ERROR if proof.findings.errors else OK


def _text(proof: Proof, sources: dict[str, str], quiet: bool) -> str:
    findings = diagnostics_text(proof.findings, text_source(sources), terminal_width(sys.stdout))
    if quiet:
        return findings
    overridden = overridden_text(proof.overridden, page_width())
    return f"{findings}{figures_text(proof.statistics)}{overridden}{verdict(proof)}"


@verb(
    "kb disputes",
    "List where two sources recommend different values of a setting, each within its scope: in how many contexts, "
    "what plans have there and why, and a smallest policy to try. With PATHs, in the standard library and the "
    "knowledge in them together, as for `kb check`.",
    "kb disputes",
    {
        "paths PATH*": "files, or folders of .tune files",
        **forms("text", "json"),
        **ROOT,
        **NO_PAGER,
    },
)
def run_disputes(options: Options) -> int:
    """List the disputes; they are no errors."""
    knowledge = knowledge_of(rooted_files(options.paths, options.root)).knowledge
    disagreements = disputes(knowledge, KeptMemory())
    write_form(
        options,
        text=lambda: disputes_text(disagreements, knowledge.site, page_width()),
        json=lambda: disputes_json(disagreements),
    )
    return OK
