"""`setpoint kb coverage`: knowledge that no policy exercises."""

from setpoint.compiler.cli.arguments import Options, forms
from setpoint.compiler.cli.common import page_width, show, status_of, verb
from setpoint.compiler.cli.pager import write_form
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.pipeline import knowledge_for
from setpoint.compiler.policies.check import gather
from setpoint.compiler.policies.coverage import Exercised, coverage, exercised, recorded
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.render.knowledge import coverage_json, coverage_text


@verb(
    "kb coverage",
    "List the knowledge that no policy in PATH exercises, and the share that is exercised.",
    "kb coverage policies",
    {
        "paths PATH+": "policy files, folders of them, or records of test runs",
        **forms("text", "json"),
    },
)
def run_coverage(options: Options) -> int:
    """List the rules, table cells, constraints and hazards that none of these policies exercises.

    A file in error exercises nothing; it is reported, and determines the exit status.
    """
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
    write_form(options, text=lambda: coverage_text(shares, page_width()), json=lambda: coverage_json(shares))
    show(failed, gathered.sources)
    return status_of(failed)
