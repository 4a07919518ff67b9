"""What policies expect, plan by plan, with the expectations that fail; and the statements that no expectation
covers."""

from collections.abc import Iterator, Mapping, Sequence

from setpoint.compiler.binding.levels import Subject, candidates
from setpoint.compiler.budget import limited
from setpoint.compiler.diagnostics import Diagnostics
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import Knowledge, Rule
from setpoint.compiler.language.program import Program
from setpoint.compiler.language.syntax import Expect, Set
from setpoint.compiler.pipeline import Planned, Selection, chosen_subjects, knowledge_for, plan_subject
from setpoint.compiler.plan.expected import Decided, Expected, Outcome
from setpoint.compiler.policies.check import without_bases
from setpoint.compiler.policies.findings import with_commands
from setpoint.compiler.policies.variations import VariedPlans
from setpoint.compiler.resolution.expectations import compared


def outcome(program: Program, selection: Selection) -> Outcome:
    """Compare a program's plans with what it expects. Raises SetpointError for errors in subjects and knowledge."""
    knowledge = knowledge_for(program)
    chosen = chosen_subjects(program, knowledge, selection)
    planned = without_bases(program, tuple(plan_subject(subject, knowledge, selection) for subject in chosen))
    hosts = (
        plan_subject(host, knowledge, selection)
        for candidate in candidates(program.body, program.stem)
        for host in candidate.hosts()
    )
    every = (*planned, *without_bases(program, tuple(hosts)))
    with limited():
        expected = tuple(expectation for plan in every for expectation in _expected(program, plan, selection))
    return Outcome(expected, tuple(_decided(program, knowledge, every)))


def outcome_on_hosts(
    program: Program, knowledge: Knowledge, planned: Mapping[str, tuple[Planned, Sequence[str]]]
) -> Outcome:
    """Compare the plans of the classes of an inventory, each with its hosts, with what a program expects. What it
    expects under other facts is not about these hosts.
    """
    expected = (
        Expected(
            expect,
            name,
            Diagnostics.of(with_commands(_compared(plan, expect), program, plan.subject)),
            (*hosts,),
        )
        for name, (plan, hosts) in planned.items()
        for expect in _of(plan.subject)
        if not expect.under
    )
    every = tuple(plan for plan, _ in planned.values())
    return Outcome(tuple(expected), tuple(_decided(program, knowledge, every)))


def _expected(program: Program, planned: Planned, selection: Selection) -> Iterator[Expected]:
    plans = VariedPlans(planned.subject, planned.knowledge, selection)
    for expect in _of(planned.subject):
        findings = with_commands(_findings(planned, expect, plans), program, planned.subject)
        yield Expected(expect, planned.subject.name, Diagnostics.of(findings))


def _findings(planned: Planned, expect: Expect, plans: VariedPlans) -> Diagnostics:
    """What of an expectation does not hold, which can be about other facts."""
    if expect.under and planned.plan is not None:
        return Diagnostics.of(plans.unmet(expect))
    return _compared(planned, expect)


def _compared(planned: Planned, expect: Expect) -> Diagnostics:
    """What of an expectation of a plan does not hold; without a plan, what stands in its way."""
    if planned.plan is None or planned.context is None:
        return Diagnostics.of(planned.findings.errors)
    return Diagnostics.of(compared(planned.knowledge, planned.context, planned.plan, expect))


def _decided(program: Program, knowledge: Knowledge, every: tuple[Planned, ...]) -> Iterator[Decided]:
    """The site's own statements that decide a setting of some plan."""
    own = {rule.name: rule for rule in knowledge.rules if rule.span.file in program.sources}
    statements: dict[Span, Set | Rule] = {}
    expected: set[Span] = set()
    for planned in every:
        if planned.plan is None or planned.context is None:
            continue
        asked = {c.name.text for expect in planned.context.expects for c in expect.conditions}
        sets = {statement.setting.text: statement for statement in planned.context.sets}
        for decision in planned.plan.settings:
            for cause in decision.because:
                is_set = cause.kind == "set"
                statement = sets[decision.setting] if is_set else own.get(cause.strength and cause.name)
                if statement:
                    statements[statement.span] = statement
                    expected |= {statement.span} if decision.setting in asked else set()
    yield from (Decided(statements[span], span in expected) for span in sorted(statements))


def _of(subject: Subject) -> Iterator[Expect]:
    for level in subject.levels:
        yield from (statement for statement in level.statements if isinstance(statement, Expect))
