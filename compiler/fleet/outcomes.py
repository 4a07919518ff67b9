"""Outcomes: classes whose plans set the same, for the same reasons, are carried out by one plan.

Two classes often differ in a fact that no recommendation reads, such as the model of a processor. Their plans then
differ in that fact only. Such classes share the plan of the first of them, without the facts in which they differ: a
plan must not state a processor that half of its servers do not have. Groups and purposes are never mixed, and what a
server must report is the same for all, as is its registry: models of a processor that report the same are told by the
generation that they have in common.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from setpoint.compiler.binding.context import bind
from setpoint.compiler.binding.levels import Candidate
from setpoint.compiler.comparison.earlier import Wrote
from setpoint.compiler.comparison.entries import PlanInputs
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.fleet.classes import Classes, Excluded, HostClass, is_for_others
from setpoint.compiler.fleet.reasons import content_of, own_reasons, subject_of, with_reasons
from setpoint.compiler.fleet.registries import NO_REGISTRIES, Registries
from setpoint.compiler.fleet.since import ClassPart, WroteToHosts, parts
from setpoint.compiler.inventory.names import HostNames
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import Program
from setpoint.compiler.lowering.target import identifier
from setpoint.compiler.pipeline import Planned, Selection, plan_subject
from setpoint.compiler.plan.judge import UNNEEDED, Judged
from setpoint.compiler.plan.made_with import MadeWith, made_with
from setpoint.compiler.plan.model import THIS_SERVER, OwnReasons, Plan
from setpoint.compiler.plan.server import Identity
from setpoint.compiler.policies.findings import with_commands
from setpoint.compiler.record import NamedTuple


class FleetOutcome(NamedTuple):
    """A plan, and the classes that it is for. It is called as the first of them."""

    judged: Judged
    group: str
    classes: tuple[HostClass, ...]

    @property
    def plan(self) -> Plan:
        """The plan, with the facts that all of its classes have."""
        return self.judged.plan

    @property
    def name(self) -> str:
        """What the plan is called."""
        return self.plan.policy


class FleetOrigin(NamedTuple):
    """What the plans of a fleet were made from."""

    knowledge: Knowledge
    candidate: Candidate

    def inputs(self, class_: HostClass) -> PlanInputs:
        """The inputs of the plan of a class."""
        subject = subject_of(self.candidate, class_.group, class_.block, class_.apart)
        context = bind(subject, self.knowledge, class_.stated)
        return PlanInputs(self.knowledge, context, (self.knowledge.digests.site,))


class PlannedFleet(NamedTuple):
    """A fleet, as far as it could be planned.

    It has the hosts of each class, the outcomes, the hosts that are left out, and the warnings, each with the number of
    hosts that it is about. `made_with` is None for knowledge without a digest, `origin` for a fleet that was planned
    earlier.
    """

    policy: str
    members: Mapping[HostClass, Sequence[str]]
    outcomes: tuple[FleetOutcome, ...]
    excluded: tuple[Excluded, ...]
    warnings: Mapping[Diagnostic, int]
    made_with: MadeWith | None = None
    origin: "FleetOrigin | None" = None

    @property
    def hosts(self) -> int:
        """The number of hosts with a plan."""
        return sum(map(self.number_of, self.outcomes))

    @property
    def left_out(self) -> int:
        """The number of hosts without one."""
        return sum(len(excluded.hosts) for excluded in self.excluded)

    def planned_hosts(self) -> Iterator[str]:
        """The hosts with a plan."""
        for outcome in self.outcomes:
            for class_ in outcome.classes:
                yield from self.members[class_]

    def without_foreign(self, planned: Collection[str]) -> "PlannedFleet":
        """The fleet without hosts of other policies, which are left out here and `planned` there."""
        kept = []
        for excluded in self.excluded:
            if planned and is_for_others(excluded.why):
                excluded = excluded._replace(
                    hosts=tuple(host for host in excluded.hosts if host not in planned)
                )
            if excluded.hosts:
                kept.append(excluded)
        return self._replace(excluded=tuple(kept))

    def number_of(self, outcome: FleetOutcome) -> int:
        """The number of hosts of a plan."""
        return sum(len(self.members[class_]) for class_ in outcome.classes)

    def hosts_of(self, outcome: FleetOutcome) -> Sequence[str]:
        """The hosts of a plan, sorted by name."""
        if len(outcome.classes) == 1:
            return self.members[outcome.classes[0]]
        return tuple(sorted(host for class_ in outcome.classes for host in self.members[class_]))

    def wrote(self) -> WroteToHosts:
        """What its plans write to each host."""
        settings: dict[str, Wrote] = {}
        for outcome in self.outcomes:
            layers = {decision.setting: decision.layer for decision in outcome.plan.written}
            settings |= dict.fromkeys(self.hosts_of(outcome), layers)
        return settings


KnownPlans = dict[object, Planned]
"""Plans by what is said of their classes, for comparisons: a change leaves most plans as they are. Places in them are
those of the first side."""


class HostsByPlan(Mapping[str, Sequence[str]]):
    """The hosts of each plan, by its identifier, put together on demand: they can be many."""

    def __init__(self, fleet: PlannedFleet) -> None:
        self._fleet = fleet
        self._outcomes = {identifier(outcome.name): outcome for outcome in fleet.outcomes}

    def __getitem__(self, plan: str) -> Sequence[str]:
        return self._fleet.hosts_of(self._outcomes[plan])

    def __iter__(self) -> Iterator[str]:
        return iter(self._outcomes)

    def __len__(self) -> int:
        return len(self._outcomes)


def plan_fleet(
    program: Program,
    knowledge: Knowledge,
    candidate: Candidate,
    divided: Classes,
    selection: Selection,
    progress: Callable[[int, int], None] = lambda done, of: None,
    registries: Registries = NO_REGISTRIES,
    wrote: WroteToHosts = MappingProxyType({}),
    known: KnownPlans | None = None,
) -> PlannedFleet:
    """Plan each class once, unless `known`; tell `progress` how many are done, and set back what a fleet `wrote`."""
    excluded = list(divided.excluded)
    needed: set[Span] = set()
    warnings: dict[Diagnostic, int] = {}
    outcomes: dict[object, FleetOutcome] = {}
    members: dict[HostClass, Sequence[str]] = {}
    planner = _planner(knowledge, candidate, selection, registries, known)
    for class_, hosts, planned in _planned_parts(divided, wrote, planner, progress):
        members[class_] = HostNames.of(sorted((*members[class_], *hosts))) if class_ in members else hosts
        findings = tuple(with_commands(planned.findings, program, planned.subject))
        needed |= needed_waivers(planned.judged)
        if planned.judged is None or planned.is_stopped:
            errors = tuple(d for d in findings if d.severity == "error")
            excluded.append(Excluded((*hosts,), errors, class_.registry))
            continue
        for finding in findings:
            warnings[finding] = warnings.get(finding, 0) + len(hosts)
        key = _key(class_, planned.judged.plan)
        own = own_reasons(candidate, divided.blocks, hosts) if class_.apart else ()
        outcomes[key] = _with(outcomes.get(key), class_, planned.judged, own)
    return PlannedFleet(
        candidate.name,
        members,
        tuple(outcomes.values()),
        tuple(_together(excluded)),
        without_needed(warnings, needed),
        made_with(knowledge.digests),
        FleetOrigin(knowledge, candidate),
    )


def _planner(
    knowledge: Knowledge,
    candidate: Candidate,
    selection: Selection,
    registries: Registries,
    known: KnownPlans | None,
) -> Callable[[HostClass, Wrote], Planned]:
    """Plans a class unless its plan is known, and adds plans to those that are."""

    def plan(class_: HostClass, before: Wrote) -> Planned:
        if known is None:
            return plan_class(knowledge, candidate, class_, selection, registries, before)
        said = _said(candidate, class_, before)
        if said in known:
            return known[said]
        planned = plan_class(knowledge, candidate, class_, selection, registries, before)
        if planned.judged is not None and not planned.is_stopped:  # errors have places
            known[said] = planned._replace(context=None)  # only the plan is wanted, and contexts are large
        return planned

    return plan


def needed_waivers(judged: Judged | None) -> set[Span]:
    """The places of the waivers that have an effect in a plan."""
    standing = (waiver.name for waiver in judged.plan.waivers if waiver.stands) if judged else ()
    return {judged.plan.places.of("accept", name) for name in standing} if judged else set()


def without_needed(warnings: Mapping[Diagnostic, int], needed: Collection[Span]) -> Mapping[Diagnostic, int]:
    """Warnings without those that a waiver has no effect on some hosts, if other hosts need it."""
    return {
        warning: hosts
        for warning, hosts in warnings.items()
        if warning.code != UNNEEDED or warning.at not in needed
    }


def _said(candidate: Candidate, class_: HostClass, before: Wrote) -> object:
    """What decides a plan, beside the knowledge and the day: what is said of a class, wherever it stands."""
    return candidate.name, _statements(candidate, class_), class_, tuple(sorted(before.items()))


def _statements(candidate: Candidate, class_: HostClass) -> tuple[object, ...]:
    """What a policy states for a class, level by level."""
    levels = subject_of(candidate, class_.group, class_.block, class_.apart).levels
    return tuple((level.kind, level.name, content_of(level.statements)) for level in levels)


def _planned_parts(
    classes: Classes,
    wrote: WroteToHosts,
    plan: Callable[[HostClass, Wrote], Planned],
    progress: Callable[[int, int], None],
) -> Iterator[ClassPart]:
    """Each class with its plan; those that have something to set back, divided by that."""
    for number, (class_, hosts) in enumerate(classes.members.items()):
        progress(number, len(classes.members))
        planned = plan(class_, {})
        yield from (
            parts(class_, hosts, planned, wrote, plan) if wrote else (ClassPart(class_, hosts, planned),)
        )


def plan_class(
    knowledge: Knowledge,
    candidate: Candidate,
    class_: HostClass,
    selection: Selection,
    registries: Registries = NO_REGISTRIES,
    before: Wrote = MappingProxyType({}),
) -> Planned:
    """Plan a class: with its registry, if it has one; with what an earlier fleet wrote `before`, which is set back."""
    if class_.registry:
        selection = selection._replace(server=registries.servers[class_.registry])
    subject = subject_of(candidate, class_.group, class_.block, class_.apart)
    if before:
        selection = selection._replace(before={subject.name: before})
    return plan_subject(subject, knowledge, selection, class_.stated, class_.name)


def _with(
    outcome: FleetOutcome | None, class_: HostClass, judged: Judged, own: tuple[OwnReasons, ...]
) -> FleetOutcome:
    """An outcome with a further class, whose own plan is not kept, and the reasons of its hosts; a new one for None."""
    if outcome is None:
        outcome = FleetOutcome(judged, class_.group, (class_,))
    plan = with_reasons(outcome.plan, own) if own else outcome.plan
    if class_ not in outcome.classes:
        outcome = outcome._replace(classes=(*outcome.classes, class_))
        plan = plan._replace(
            facts=tuple(fact for fact in plan.facts if fact in judged.plan.facts),
            identity=tuple(_of_both(identity, plan, judged.plan) for identity in plan.identity),
        )
    return outcome._replace(judged=outcome.judged._replace(plan=plan))


def _of_both(identity: Identity, plan: Plan, other: Plan) -> Identity:
    """What servers must report for one of two plans, with the narrowest value of its fact that both have."""
    own, others = (
        [value for fact in of.facts if fact.name == identity.fact for value in (fact.value, *fact.above)]
        for of in (plan, other)
    )
    both = (value for value in (identity.value, *own) if value in others)
    return identity._replace(value=next(both, identity.value))


def _together(excluded: list[Excluded]) -> Iterator[Excluded]:
    """The hosts that are left out, by their reasons, whatever the other facts of their classes are."""
    by_reason: dict[tuple[tuple[Diagnostic, ...], str], list[str]] = {}
    for entry in excluded:
        why = tuple(map(_of_all, entry.why))
        by_reason.setdefault((why, entry.registry), []).extend(entry.hosts)
    for (why, registry), hosts in by_reason.items():
        yield Excluded(tuple(sorted(hosts)), why, registry)


def _of_all(why: Diagnostic) -> Diagnostic:
    """An error without the facts of one class."""
    return why._replace(notes=tuple(note for note in why.notes if not note.startswith(THIS_SERVER)))


def _key(class_: HostClass, plan: Plan) -> object:
    """What two plans have in common if one can stand for both: all but the names of facts that change nothing.

    The value of a fact that servers report is one of these if others that they report are the same.
    """
    named = {identity.fact for identity in plan.identity if not identity.is_compared}
    return (
        class_.group,
        tuple((f.name, f.value, f.above) for f in plan.facts if f.role == "intent" or f.name in named),
        tuple(
            identity._replace(value="") if identity.is_compared else identity for identity in plan.identity
        ),
        plan.registry,
        plan.service and plan.service._replace(),
        plan.settings,
        tuple((hazard.hazard, hazard.stops) for hazard in plan.hazards),
        tuple((waiver.name, waiver.because, waiver.until, waiver.stands) for waiver in plan.waivers),
        tuple((effect.name, effect.value) for effect in plan.effects),
    )
