"""`setpoint kb disputes`: where the sources of the knowledge base disagree."""

import sys

from setpoint.compiler.cli import OK
from setpoint.compiler.cli.arguments import Parser
from setpoint.compiler.cli.common import add_root, page_width, parser
from setpoint.compiler.cli.pager import add_no_pager, write_page
from setpoint.compiler.knowledge.load import knowledge_of
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.proof.disputes import disputes
from setpoint.compiler.proof.memory import KeptMemory
from setpoint.compiler.render.disputes import disputes_json, disputes_text


def disputes_parser() -> Parser:
    """The parser of the arguments of `setpoint kb disputes`."""
    made = parser(
        "kb disputes",
        "List where two sources recommend different values of a setting, each within its scope: in how many contexts, "
        "what plans have there and why, and a smallest policy to try. With PATHs, in the standard library and the "
        "knowledge in them together, as for `kb check`.",
        "kb disputes",
    )
    made.add_argument("paths", nargs="*", metavar="PATH", help="files, or folders of .tune files")
    made.add_argument("--format", choices=("text", "json"), default="text")
    add_root(made)
    add_no_pager(made)
    return made


def run_disputes(arguments: list[str]) -> int:
    """List the disputes; they are no errors."""
    options = disputes_parser().parse_args(arguments)
    knowledge = knowledge_of(rooted_files(options.paths, options.root)).knowledge
    found = disputes(knowledge, KeptMemory())
    if options.format == "json":
        sys.stdout.write(disputes_json(found))
    else:
        write_page(disputes_text(found, knowledge.site, page_width()), options)
    return OK
