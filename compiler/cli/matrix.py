"""`setpoint matrix`: the settings of a server under every goal, or under each value of another fact, side by side.

The policy needs no goal: each column states one, in place of that of the policy if it has one.
"""

from setpoint.compiler.cli import IN_ERROR, OK
from setpoint.compiler.cli.arguments import Options, forms
from setpoint.compiler.cli.chosen import program_of, selection_of
from setpoint.compiler.cli.common import POLICY, no_such, page_width, show_all, verb
from setpoint.compiler.cli.pager import NO_PAGER, write_form
from setpoint.compiler.comparison.matrix import matrix
from setpoint.compiler.pipeline import chosen_subjects, knowledge_for, reading
from setpoint.compiler.render.matrix import matrix_json, matrix_markdown, matrix_text


@verb(
    "matrix",
    "Show the settings of a server under every goal, or under each value of another fact. The policy needs no goal.",
    "matrix -e 'platform r650; os debian 12; workload storage'",
    {
        **POLICY,
        "--by NAME": "the fact of the columns (default: the goal)",
        "--value NAME…": "a column; several times (default: all values)",
        "--all": "also list the settings that do not differ",
        **forms("text", "json", "markdown"),
        **NO_PAGER,
    },
)
def run(options: Options) -> int:
    """Print the matrix of one policy; exit 1 if none of its columns has a plan."""
    program = program_of(options)
    knowledge = knowledge_for(program)
    fact = options.by or min(knowledge.required)
    if fact not in knowledge.kinds:
        return no_such("unknown fact", fact, knowledge.kinds)
    for value in options.value:
        if value not in knowledge.values[fact]:
            return no_such(f"unknown {fact}", value, knowledge.values[fact])
    selection = selection_of(options)
    with reading(program):
        subjects = chosen_subjects(program, knowledge, selection)
    if len(subjects) != 1:
        names = ", ".join(subject.name for subject in subjects)
        options.error(f"choose one policy with --policy, --group or --host; there are: {names}")
    values = options.value or knowledge.variables[fact].outermost
    compared = matrix(subjects[0], knowledge, selection, fact, values)
    if not compared.columns:
        show_all(next(iter(compared.failed.values())), program.sources)
        return IN_ERROR
    write_form(
        options,
        text=lambda: matrix_text(compared, knowledge, options.all, page_width()),
        json=lambda: matrix_json(compared, knowledge),
        markdown=lambda: matrix_markdown(compared, knowledge, options.all),
    )
    return OK
