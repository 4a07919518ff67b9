"""`setpoint kb coverage`: knowledge that no policy exercises."""

import sys

from setpoint.compiler.cli.arguments import Parser
from setpoint.compiler.cli.common import page_width, parser, show, status_of
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.pipeline import knowledge_for
from setpoint.compiler.policies.check import gather
from setpoint.compiler.policies.coverage import Exercised, coverage, exercised, recorded
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.render.knowledge import coverage_json, coverage_text


def coverage_parser() -> Parser:
    """The parser of the arguments of `setpoint kb coverage`."""
    made = parser(
        "kb coverage",
        "List the knowledge that no policy in PATH exercises, and the share that is exercised.",
        "kb coverage policies",
    )
    made.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="policy files, folders of them, or records of test runs",
    )
    made.add_argument("--format", choices=("text", "json"), default="text")
    return made


def run_coverage(arguments: list[str]) -> int:
    """List the rules, table cells, constraints and hazards that none of these policies exercises.

    A file in error exercises nothing; it is reported, and determines the exit status.
    """
    options = coverage_parser().parse_args(arguments)
    records = [path for path in options.paths if path.endswith(".json")]
    gathered = gather(rooted_files([path for path in options.paths if path not in records]))
    bases = [standard()]
    done = Exercised()
    failed = gathered.errors
    for program in gathered.programs.values():
        try:
            knowledge = knowledge_for(program)
        except SetpointError as error:
            failed += error.diagnostics
            continue
        done = done.joined(exercised(knowledge, program))
        bases.append(knowledge)
    for path in records:
        done = done.joined(recorded(path))
    shares = coverage(bases, done)
    sys.stdout.write(
        coverage_json(shares) if options.format == "json" else coverage_text(shares, page_width())
    )
    show(failed, gathered.sources)
    return status_of(failed)
