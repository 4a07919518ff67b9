"""`setpoint kb coverage`: what of the knowledge base no policy exercises."""

import sys

from setpoint.compiler.checking import gather
from setpoint.compiler.cli import OK
from setpoint.compiler.cli.common import page_width, parser
from setpoint.compiler.cli.files import rooted_files
from setpoint.compiler.knowledge.load import standard, with_site
from setpoint.compiler.proof.coverage import Exercised, coverage, exercised
from setpoint.compiler.proof.text import coverage_json, coverage_text, recorded


def run_coverage(arguments: list[str]) -> int:
    """List the rules, table cells, constraints and hazards that none of these policies exercises."""
    options_parser = parser(
        "kb coverage",
        "List what of the knowledge base no policy in PATH exercises, and what share is exercised.",
    )
    options_parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="policy files, folders of them, or records that a test run has left",
    )
    options_parser.add_argument("--format", choices=("text", "json"), default="text")
    options = options_parser.parse_args(arguments)
    records = [path for path in options.paths if path.endswith(".json")]
    gathered = gather(rooted_files([path for path in options.paths if path not in records]))
    bases = [standard()]
    done = Exercised()
    for program in gathered.programs.values():
        knowledge = with_site(program.site) if program.site else bases[0]
        done = done.joined(exercised(knowledge, program))
        bases.append(knowledge)
    for path in records:
        try:
            done = done.joined(recorded(path))
        except ValueError:
            options_parser.error(f"{path} is no record of a test run")
    shares = coverage(bases, done)
    sys.stdout.write(
        coverage_json(shares) if options.format == "json" else coverage_text(shares, page_width())
    )
    return OK
