"""`setpoint test`: what policies expect of their plans."""

from collections.abc import Callable

from setpoint.compiler.cli.arguments import Options, argument, forms
from setpoint.compiler.cli.common import (
    PATHS,
    ROOT,
    TODAY,
    WITH_REGISTRIES,
    page_width,
    show,
    status_of,
    today_of,
    verb,
)
from setpoint.compiler.cli.pager import write_form
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.language.program import Program
from setpoint.compiler.pipeline import Selection
from setpoint.compiler.plan.expected import Expected, Outcome
from setpoint.compiler.policies.check import gather
from setpoint.compiler.policies.expected import outcome, outcome_on_hosts
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.render.expected import outcomes_json, outcomes_junit, outcomes_text, whose


@verb(
    "test",
    "Compare the plans of policies with what they `expect`: for every policy, group and host. `check` reports what does not "
    "hold as well; this command also lists what holds. With an inventory, for its hosts: `setpoint test site.tune --inventory hosts.csv`.",
    "test policies --junit expectations.xml",
    {
        **PATHS,
        **forms("text", "json"),
        "--junit FILE": argument("write the outcome as JUnit's XML as well, for pipelines", default=None),
        "--coverage": "list the `set`s and the rules of your own that decide something of which nothing is expected",
        **WITH_REGISTRIES,
        **ROOT,
        **TODAY,
    },
)
def run(options: Options) -> int:
    """Compare; exit 1 if an expectation does not hold or a file is in error, 2 if nothing is expected anywhere."""
    selection = Selection(today=today_of(options))
    gathered = gather(rooted_files(options.paths, options.root))
    compare = _on_inventory(options, selection) if options.inventory else lambda p: outcome(p, selection)
    outcomes, problems = gathered.each(compare)
    if not problems and not any(tested.expected for tested in outcomes.values()):
        options.error(f"no policy in {', '.join(options.paths)} has an `expect`")
    if options.junit:
        write_text(options.junit, outcomes_junit(outcomes))
    write_form(
        options,
        text=lambda: outcomes_text(outcomes, page_width(), options.coverage),
        json=lambda: outcomes_json(outcomes),
    )
    failed = _once(outcomes)
    show([*problems, *failed], gathered.sources)
    return status_of([*problems, *failed])


def _on_inventory(options: Options, selection: Selection) -> Callable[[Program], Outcome]:
    """A function that compares the plans of the hosts of an inventory with what a program expects."""
    from setpoint.compiler.cli.inventory import PlansOfHosts  # only needed for an inventory

    plans = PlansOfHosts(options, selection)

    def compare(program: Program) -> Outcome:
        knowledge, planned = plans.of(program)
        return outcome_on_hosts(
            program, knowledge, {host_class.name: pair for host_class, pair in planned.items()}
        )

    return compare


def _once(outcomes: dict[str, Outcome]) -> list[Diagnostic]:
    """The findings without repetition, with the plans or hosts that each is about."""
    expectations: dict[Diagnostic, list[Expected]] = {}
    first: dict[Diagnostic, Diagnostic] = {}
    for expectation in (expected for of_file in outcomes.values() for expected in of_file.expected):
        for finding in expectation.findings:
            bare = finding._replace(help=())  # the commands in it name one plan
            expectations.setdefault(bare, []).append(expectation)
            first.setdefault(bare, bare if expectation.hosts else finding)
    return [first[bare]._replace(notes=(*bare.notes, *_about(group))) for bare, group in expectations.items()]


def _about(expected: list[Expected]) -> tuple[str, ...]:
    """The plans of a finding, in a note."""
    if any(expectation.hosts for expectation in expected):
        return (whose(expected),)
    names = dict.fromkeys(expectation.subject for expectation in expected)
    return (f"for {', '.join(names)}",) if len(names) > 1 else ()
