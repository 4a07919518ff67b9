"""What was found about the policies, groups and hosts of a program, so that each is planned once.

A site writes the same exception for many hosts, each with a reason of its own; and an editor checks a file again after
each keystroke, which changes one statement of many. So findings are remembered by what decides them: the statements of
all levels. Their places decide nothing, and the findings are moved to where the statements are now. Reasons and names
decide nothing either, as long as no finding quotes them (`same_blocks`).
"""

from collections.abc import Iterator

from setpoint.compiler.binding.levels import Subject
from setpoint.compiler.budget import SPENT, grant
from setpoint.compiler.diagnostics import Diagnostics
from setpoint.compiler.diagnostics.fixes import Edit, Fix
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.remembered import remembered
from setpoint.compiler.language.meaning import is_unmoved
from setpoint.compiler.language.program import Program
from setpoint.compiler.language.syntax import Accept, File
from setpoint.compiler.pipeline import ALL_POLICIES, Planned, Selection, knowledge_for, plan_subject
from setpoint.compiler.plan.judge import UNNEEDED
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.policies.knowledge import KnowledgeOfRun
from setpoint.compiler.policies.same_blocks import places, quotes, statements, text, words, words_of_host
from setpoint.compiler.record import NamedTuple

KEPT = 16_384
"""About how many subjects it is remembered what is found: more than a file of ten thousand hosts has."""


class CheckedSubject(NamedTuple):
    """What was found about a subject; `needed` are its waivers of what occurs, by number."""

    subject: Subject
    findings: Diagnostics
    needed: frozenset[int]

    @property
    def needed_at(self) -> frozenset[Span]:
        """The places of the needed waivers."""
        stated = _waivers(self.subject) if self.needed else ()
        return frozenset(stated[number].waiver_span for number in self.needed)

    @property
    def lacks_what_is_required(self) -> bool:
        """Whether its only errors are missing required facts (E0205): it is there to be extended or narrowed."""
        return lacks_what_is_required(self.findings)


class Known:
    """What is found with one selection, and the knowledge base that it is found with."""

    def __init__(self, selection: Selection = ALL_POLICIES) -> None:
        self.selection = selection
        self._site: tuple[File, ...] = ()
        self._knowledge: Knowledge | None = None

    def knowledge(self, program: Program) -> Knowledge:
        """The knowledge of a program. Raises SetpointError for errors in the site's own."""
        if self._knowledge is None or not program.site or not is_unmoved(program.site, self._site):
            self._knowledge = self._knowledge_for(program)
        self._site = program.site
        return self._knowledge

    def _knowledge_for(self, program: Program) -> Knowledge:
        return knowledge_for(program)

    def checked(self, subject: Subject, knowledge: Knowledge) -> CheckedSubject:
        """What is found about a subject; it is planned unless it is known. `knowledge` is that of its program."""
        section = remembered(knowledge).section(CheckedSubject, KEPT)
        asked = self if self.selection.server else self.selection.today  # a server has no meaning to compare
        known: CheckedSubject | None = section.known(bare := (asked, text(subject)))
        if known is None:
            said = words(subject)
            known = section.known(with_words := (said, bare))
        if known is not None:
            return _at(subject, known)
        grant()
        planned = plan_subject(subject, knowledge, self.selection)
        findings = _with_drops(planned)
        if planned.context is not None and any(expect.under for expect in planned.context.expects):
            from setpoint.compiler.policies.variations import varied  # only needed for such expectations

            findings = Diagnostics.of((*findings, *varied(subject, knowledge, self.selection)))
        checked = CheckedSubject(subject, findings, frozenset(_needed(planned)))
        is_whole = all(finding.code != SPENT for finding in findings)
        if is_whole and not quotes(findings, words_of_host(subject)):
            section.keep(with_words if quotes(findings, said) else bare, checked)
        return checked


class KnownInRun(Known):
    """What was found in a run over files that do not change meanwhile."""

    def __init__(self, selection: Selection = ALL_POLICIES) -> None:
        super().__init__(selection)
        self._of_run = KnowledgeOfRun()

    def _knowledge_for(self, program: Program) -> Knowledge:
        return self._of_run.of(program)


def lacks_what_is_required(findings: Diagnostics) -> bool:
    """Whether the only errors are missing required facts (E0205)."""
    return {d.code for d in findings} == {"E0205"}


def _at(subject: Subject, other: CheckedSubject) -> CheckedSubject:
    """What was found about another subject, at the places of this one."""
    to = dict(zip(places(other.subject), places(subject), strict=True)) if other.findings else {}
    return CheckedSubject(
        subject, Diagnostics.of(finding.moved(to) for finding in other.findings), other.needed
    )


def _with_drops(planned: Planned) -> Diagnostics:
    """The findings of a subject; those of waivers without effect with the fix that drops the statement.

    Only if all that the hazard depends on is known: on a server that an inventory describes, it may occur.
    """
    if planned.context is None or planned.plan is None:
        return planned.findings
    accepts = {accept.waiver_span: accept for accept in planned.context.accepts}
    findings = []
    for finding in planned.findings:
        accept = accepts.get(finding.at) if finding.code == UNNEEDED else None
        if accept and _is_known(planned.knowledge, planned.plan, accept):
            drop = Fix(f"drop `accept {accept.waiver}`", (Edit(accept.span, ""),))
            finding = finding._replace(fixes=(drop,))
        findings.append(finding)
    return Diagnostics.of(findings)


def _is_known(knowledge: Knowledge, plan: Plan, accept: Accept) -> bool:
    """Whether a plan has what a hazard depends on, or the setting whose warnings are waived."""
    known = {d.setting for d in plan.settings} | {f.name for f in plan.facts} | {e.name for e in plan.effects}
    if accept.is_of_hazard:
        return all(name in known for name, _ in knowledge.hazards[accept.waiver].when)
    named = {word.text for word in (accept.of, accept.about) if word} & knowledge.settings.keys()
    return named <= known


def _waivers(subject: Subject) -> list[Accept]:
    """The waivers of a subject; those of subjects that say the same correspond to each other."""
    return [statement for statement in statements(subject) if isinstance(statement, Accept)]


def _needed(planned: Planned) -> Iterator[int]:
    """The numbers of a subject's waivers of hazards and warnings that occur; of all its waivers if it has no plan."""
    occur = planned.plan and {waiver.name for waiver in planned.plan.waivers if waiver.stands}
    taken = planned.context and {accept.waiver_span for accept in planned.context.accepts}
    for number, waiver in enumerate(_waivers(planned.subject)):
        if (taken is None or waiver.waiver_span in taken) and (occur is None or waiver.waiver in occur):
            yield number
