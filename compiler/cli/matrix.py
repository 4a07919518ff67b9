"""`setpoint matrix`: the settings of a server under every goal, or under each value of another fact, side by side.

The policy needs no goal: each column states one, in place of that of the policy if it has one.
"""

from setpoint.compiler.cli import IN_ERROR, OK
from setpoint.compiler.cli.arguments import Options, Parser
from setpoint.compiler.cli.chosen import program_of
from setpoint.compiler.cli.common import (
    add_policy,
    no_such,
    page_width,
    parser,
    show_all,
    today_of,
)
from setpoint.compiler.cli.pager import add_no_pager, write_page
from setpoint.compiler.comparison.matrix import matrix
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.pipeline import Selection, chosen_subjects, knowledge_for, reading
from setpoint.compiler.plan.matrix import Matrix
from setpoint.compiler.render.matrix import matrix_json, matrix_markdown, matrix_text


def matrix_parser() -> Parser:
    """The parser of the arguments of `setpoint matrix`."""
    made = parser(
        "matrix",
        "Show the settings of a server under every goal, or under each value of another fact. The policy needs no goal.",
        "matrix -e 'platform r650; os debian 12; workload storage'",
    )
    add_policy(made)
    made.add_argument("--by", default="", metavar="NAME", help="the fact of the columns (default: the goal)")
    made.add_argument(
        "--value",
        action="append",
        default=[],
        metavar="NAME",
        help="a column; several times (default: all values)",
    )
    made.add_argument("--all", action="store_true", help="also list the settings that do not differ")
    made.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    add_no_pager(made)
    return made


def run(arguments: list[str]) -> int:
    """Print the matrix of one policy; exit 1 if none of its columns has a plan."""
    options_parser = matrix_parser()
    options = options_parser.parse_args(arguments)
    program = program_of(options, options_parser)
    knowledge = knowledge_for(program)
    fact = options.by or min(knowledge.required)
    if fact not in knowledge.kinds:
        return no_such("unknown fact", fact, knowledge.kinds)
    for value in options.value:
        if value not in knowledge.values[fact]:
            return no_such(f"unknown {fact}", value, knowledge.values[fact])
    selection = Selection(options.only, options.group, options.host, today_of(options, options_parser))
    with reading(program):
        subjects = chosen_subjects(program, knowledge, selection)
    if len(subjects) != 1:
        names = ", ".join(each.name for each in subjects)
        options_parser.error(f"choose one policy with --policy, --group or --host; there are: {names}")
    values = options.value or knowledge.variables[fact].outermost
    found = matrix(subjects[0], knowledge, selection, fact, values)
    if not found.columns:
        show_all(next(iter(found.failed.values())), program.sources)
        return IN_ERROR
    write_page(_page(found, knowledge, options), options)
    return OK


def _page(found: Matrix, knowledge: Knowledge, options: Options) -> str:
    if options.format == "json":
        return matrix_json(found, knowledge)
    if options.format == "markdown":
        return matrix_markdown(found, knowledge, options.all)
    return matrix_text(found, knowledge, options.all, page_width())
