"""Plan the policies of a side, each when a comparison asks for it.

Of ten thousand policies a change mostly touches a few. A policy that says the same on both sides does not change, so it
is enough to know whether anything can be compiled from it; and that is known of all policies that say the same. What
decides it is what `same_blocks` compares: places, names and reasons decide nothing.
"""

from setpoint.compiler.binding.levels import SCOPES, Subject
from setpoint.compiler.comparison.entries import PlanInputs, PlannedPolicy, build_errors
from setpoint.compiler.language.meaning import Meaning
from setpoint.compiler.language.program import Program
from setpoint.compiler.pipeline import Selection, plan_subject
from setpoint.compiler.policies.knowledge import KnowledgeOfRun, site_texts
from setpoint.compiler.policies.known import lacks_what_is_required
from setpoint.compiler.policies.same_blocks import text
from setpoint.compiler.record import NamedTuple


class PolicyVerdict(NamedTuple):
    """Whether nothing can be compiled from a policy, and whether that is only since it lacks required facts (E0205)."""

    stopped: bool
    lacks_what_is_required: bool


class UnplannedPolicy(NamedTuple):
    """A policy on one side, or one narrowed to a group or host, that can be planned.

    `file` is its file relative to the `folder` of its side.
    """

    subject: Subject
    program: Program
    file: str
    folder: str
    planner: "Planner"

    @property
    def policy(self) -> str:
        """Its name."""
        return self.subject.name

    @property
    def site(self) -> tuple[str, ...]:
        """The texts of the site's own knowledge."""
        return tuple(content for _, content in site_texts(self.program))

    def planned(self) -> PlannedPolicy:
        """Its plan, and the errors that stop the build."""
        return self.planner.planned(self)

    @property
    def verdict(self) -> PolicyVerdict:
        """What can be said of it without its plan."""
        return self.planner.verdict(self)

    @property
    def stopped(self) -> bool:
        """Whether nothing can be compiled from it."""
        return self.verdict.stopped

    def says_the_same(self, other: "Entry") -> bool:
        """Whether both have the same plan, and give the same reasons in it, because they say the same."""
        return isinstance(other, UnplannedPolicy) and self._decided_by == other._decided_by

    @property
    def _decided_by(self) -> tuple[object, ...]:
        """All that a plan and its reasons depend on, but for the standard library."""
        levels = [(level.kind, level.statements) for level in self.subject.levels]
        return self.planner.selection, self.site, levels


Entry = PlannedPolicy | UnplannedPolicy
"""A policy of a side; one of a bundle is planned already."""


def says_the_same(old: Entry | None, new: Entry | None) -> bool:
    """Whether a policy is on both sides and cannot have changed."""
    return isinstance(old, UnplannedPolicy) and new is not None and old.says_the_same(new)


class Planner:
    """Plans policies with one selection."""

    def __init__(self, selection: Selection) -> None:
        self.selection = selection
        self.knowledge = KnowledgeOfRun(selection.library)
        self._verdicts: dict[Meaning, PolicyVerdict] = {}

    def planned(self, entry: UnplannedPolicy) -> PlannedPolicy:
        """The plan of a policy as a comparison sees it, and the errors that stop the build."""
        planned = plan_subject(entry.subject, self.knowledge.of(entry.program), self.selection)
        self._verdicts[_key(entry)] = PolicyVerdict(
            planned.is_stopped, lacks_what_is_required(planned.findings)
        )
        return PlannedPolicy(
            planned.subject.name,
            planned.judged,
            planned.facts,
            build_errors(planned.findings, entry.folder),
            entry.file,
            PlanInputs(planned.knowledge, planned.context, entry.site)
            if planned.judged and planned.context
            else None,
            servers=tuple(level.title for level in planned.subject.levels if level.kind in SCOPES),
        )

    def verdict(self, entry: UnplannedPolicy) -> PolicyVerdict:
        """What can be said of a policy without its plan."""
        key = _key(entry)
        if key not in self._verdicts:
            self.planned(entry)
        return self._verdicts[key]


def _key(entry: UnplannedPolicy) -> Meaning:
    return site_texts(entry.program), text(entry.subject)
