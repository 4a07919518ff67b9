"""The knowledge base in components that can be analysed one by one.

Settings that a constraint or a profile connects are decided together and form a *component*. The rules of a component
may read settings of earlier components, which are then analysed with it. Later components have no influence, since a
recommendation never removes a value. So what holds for each component, in every situation of that component and of what
it reads, holds for the whole knowledge base.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from setpoint.compiler.knowledge.model import UNSTATED, Box, Knowledge
from setpoint.compiler.proof.bounds import (
    MOST_RULES,
    PAIRS,
    TOO_MANY,
    TooManyRulesError,
    TooManySituationsError,
    UnprovenError,
)
from setpoint.compiler.proof.extract import settings_named
from setpoint.compiler.proof.links import connected
from setpoint.compiler.proof.reachable import Group, reachable
from setpoint.compiler.proof.regions import (
    Region,
    connected_within,
    connections,
    divided_spaces,
    regions,
    regions_within,
    space_of_region,
    ties_within,
)
from setpoint.compiler.proof.sets.cascade import SituationOutcomes, cascade
from setpoint.compiler.proof.sets.ground import (
    SituationDomains,
    SituationProblems,
    conditions,
    ground,
)
from setpoint.compiler.proof.sets.masks import any_left, union
from setpoint.compiler.proof.sets.narrow import SituationClauses, restricted
from setpoint.compiler.proof.sets.space import Space, facts_of, numbers
from setpoint.compiler.proof.situations import count_contexts
from setpoint.compiler.record import NamedTuple


class Component(NamedTuple):
    """Settings that are decided together (`own`), and these with everything that they depend on (`settings`)."""

    own: tuple[str, ...]
    settings: frozenset[str]


class Restriction(NamedTuple):
    """The domains left if settings have certain values: of the situations `asked`, those `left` after narrowing."""

    domains: SituationDomains
    asked: int
    left: int


class Analysis:
    """Some settings with everything that they depend on, in every situation that concerns them."""

    def __init__(
        self, knowledge: Knowledge, space: Space, settings: frozenset[str], whole: Knowledge | None = None
    ) -> None:
        self.knowledge = knowledge
        self.whole = whole or knowledge
        """The knowledge base that `knowledge` is an extract of. Findings show examples that are planned on it."""
        self.space = space
        self.settings = settings if space.scopes is None else settings & space.scopes.keys()
        self.problem: SituationProblems = ground(knowledge, space, self.settings)
        self.index = SituationClauses(self.problem.clauses)
        self.domains: SituationDomains = restricted(self.problem.domains, space.everywhere)
        self.dead = self.index.narrow(self.domains, space.everywhere)
        """Situations in which the facts alone leave a setting without a value."""

    @property
    def feasible(self) -> int:
        """The situations in which the facts leave every setting a value, as far as narrowing shows."""
        return self.space.everywhere & ~self.dead

    @cached_property
    def outcome(self) -> SituationOutcomes:
        """The decisions if the policy sets nothing."""
        return cascade(self.problem, self.index, self.domains, self.feasible)

    def blocks(self, smallest: int) -> Iterator[tuple[int, "Analysis"]]:
        """The analysis in blocks of neighbouring situations, each with the number of its first situation.

        Neighbours are merged into blocks of at least the `smallest` size. A block contains only the settings that it is
        about and the knowledge that can apply in it, so that hardware which cannot occur together is not analysed
        together.
        """
        for first, size in self._extents(smallest):
            space = self.space.block(first, size)
            about = frozenset(name for name in self.settings if space.scope((name,)))
            yield first, Analysis(self._applying(space, about), space, about, self.whole)

    def _applying(self, space: Space, about: frozenset[str]) -> Knowledge:
        """The knowledge of these settings that can apply in some situation."""
        knowledge = self.knowledge
        live = {box for box, where in space.situations_by_condition.items() if where}

        def applies(box: Box) -> bool:
            return facts_of(knowledge, box) in live

        return knowledge._replace(
            offers={
                name: tuple(offer for offer in knowledge.offers.get(name, ()) if applies(offer.when))
                for name in about
            },
            presets=tuple(preset for preset in knowledge.presets if applies(preset.when)),
            rules=tuple(
                rule
                for rule in knowledge.rules
                if rule.setting in about
                and any(applies(applicability.when) for applicability in rule.applicabilities)
            ),
            constraints=tuple(constraint for constraint in knowledge.constraints if applies(constraint.when)),
        )

    def _extents(self, smallest: int) -> Iterator[tuple[int, int]]:
        """The first situation and the size of each block. Values on offer are the same throughout a large block."""
        changes = 0
        for _, where in self.problem.offers:
            changes |= where ^ where >> 1
        first, count = 0, len(self.space.situations)
        for last in numbers(changes):
            if last + 1 - first >= smallest and last + 1 < count:
                yield first, last + 1 - first
                first = last + 1
        yield first, count - first

    @property
    def unsatisfiable(self) -> int:
        """The situations whose facts alone contradict the constraints."""
        return self.dead | self.outcome.impossible

    def restricted_to(self, box: Box) -> Restriction:
        """The domains if a condition on settings holds: each has one of the values, or is absent if that is enough."""
        asked = self.feasible & self.space.scope(name for name, _ in box)
        domains = dict(self.domains)
        for name, values in box:
            absent = ~self.problem.present.get(name, 0) if values & UNSTATED else 0
            if name in domains:
                domains[name] = {bit: mask for bit, mask in domains[name].items() if bit & values}
                asked &= any_left(domains[name]) | absent
            else:
                asked &= absent
        domains = restricted(domains, asked)
        dead = self.index.narrow(domains, asked, (name for name, _ in box))
        return Restriction(domains, asked, asked & ~dead)


class Reached(NamedTuple):
    """The values of a setting in a region if policies set nothing, UNSTATED where it is absent; whether advice decides.

    The region is known by the connections that can hold there, which a further value of a fact does not change.
    """

    setting: str
    ties: int
    values: int
    is_advised: bool


def values_reached(analysis: Analysis, own: Iterable[str], regions: Iterable[Region]) -> Iterator[Reached]:
    """What some settings of an analysis get, region by region."""
    settings = [name for name in own if name in analysis.outcome.choices]
    for region in regions:
        (condition,) = region.conditions
        inside = analysis.feasible & analysis.space.where(condition)
        ties = ties_within(analysis.knowledge, condition)
        for name in settings:
            choice = analysis.outcome.choices[name]
            here = inside & analysis.space.scope((name,))
            values = union(bit for bit, where in choice.values.items() if where & here)
            absent = UNSTATED if here & ~analysis.problem.present[name] else 0
            yield Reached(name, ties, values | absent, bool(choice.how["rule"] & here))


class Analyses:
    """The components of a knowledge base, and the analysis of each.

    Args:
        knowledge: The knowledge base.
        groups: Makes its groups of facts, else `reachable` does.
        whole: The knowledge base that it is an extract of.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        groups: Callable[[], tuple[Group, ...]] | None = None,
        whole: Knowledge | None = None,
    ) -> None:
        self.knowledge = knowledge
        self.whole = whole or knowledge
        self._make_groups = groups or (lambda: reachable((knowledge,)))
        self._of: dict[Component, Analysis] = {}

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """All facts in their groups. Raises TooManyCombinationsError."""
        return self._make_groups()

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """The regions that the contexts are divided into."""
        return regions((self.knowledge,), self.groups)

    @cached_property
    def contexts(self) -> int:
        """The number of contexts."""
        return count_contexts((self.knowledge,), self.groups)

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """The components, in the order in which they are decided."""
        return components(self.knowledge)

    def within(self, part: Knowledge) -> "Analyses":
        """The analyses of an extract, which has the same facts."""
        return Analyses(part, lambda: self.groups, self.whole)

    def of(self, component: Component) -> Analysis:
        """The analysis of a component, in the situations that its own rules and constraints distinguish."""
        if component not in self._of:
            self._of[component] = self._analysis(
                self.knowledge, component.settings, (), frozenset(component.own), self.regions
            )
        return self._of[component]

    def closure(self, settings: Iterable[str]) -> frozenset[str]:
        """Some settings with everything that they depend on."""
        return frozenset(name for component in self._parts_of(settings) for name in component.settings)

    def regions_with(self, where: Iterable[Box]) -> Iterator[Region]:
        """The regions, cut to what the conditions on facts of these boxes have in common."""
        return regions_within(self.knowledge, self.regions, [facts_of(self.knowledge, box) for box in where])

    def extended(self, closure: frozenset[str], boxes: tuple[Box, ...], here: tuple[Region, ...]) -> Analysis:
        """The analysis of those settings of a closure that these conditions name, in some regions.

        It distinguishes all of these conditions. It is not cached, since it serves one question only.
        """
        return self._analysis(self.knowledge, closure, boxes, settings_named(self.knowledge, boxes), here)

    def without_rules(
        self, settings: frozenset[str], stated: Box, further: Iterable[Box]
    ) -> Iterator[Analysis]:
        """The analyses of some settings and of those connected with them, without advice: all that policies can set.

        There is one for each region, in the contexts in which a condition on facts holds. It distinguishes the facts of
        further conditions.
        """
        knowledge = self.knowledge._replace(rules=())
        own = tuple(facts_of(knowledge, box) for box in further)
        for region in regions_within(knowledge, self.regions, (stated,)):
            together = connected_within(knowledge, region, settings)
            asked = (*conditions(knowledge, together), *own)
            try:
                space = space_of_region(knowledge, region, asked, together)
            except TooManySituationsError:
                raise UnprovenError(together, asked, TOO_MANY) from None
            yield Analysis(knowledge, space, together, self.whole)

    def _parts_of(self, settings: Iterable[str]) -> list[Component]:
        named = set(settings)
        return [component for component in self.components if set(component.own) & named]

    def _analysis(
        self,
        knowledge: Knowledge,
        settings: frozenset[str],
        further: tuple[Box, ...],
        wanted: frozenset[str],
        divisions: tuple[Region, ...],
    ) -> Analysis:
        try:
            (space,) = divided_spaces((knowledge,), divisions, (settings,), (further,), wanted)
        except TooManySituationsError:
            asked = (*conditions(knowledge, settings), *(facts_of(knowledge, box) for box in further))
            raise UnprovenError(settings, asked, TOO_MANY) from None
        return Analysis(knowledge, space, settings, self.whole)


def components(knowledge: Knowledge) -> tuple[Component, ...]:
    """The components, in the order in which they are decided. Raises TooManyRulesError."""
    tied = connected(
        knowledge.settings, (pair for _, names in connections(knowledge) for pair in pairwise(names))
    )
    reads: dict[str, set[str]] = {name: set() for name in knowledge.settings}
    for rule in knowledge.rules:
        reads[rule.setting] |= {name for name, _ in rule.when if name in knowledge.settings}
    parts = []
    for own in sorted(
        {tuple(sorted(names, key=lambda n: knowledge.settings[n].position)) for names in tied.values()}
    ):
        whole = set(own)
        ahead = set(own)
        while ahead:
            name = ahead.pop()
            more = {other for read in reads[name] for other in tied[read]} - whole
            whole |= more
            ahead |= more
        parts.append(Component(own, frozenset(whole)))
    _limit(knowledge, parts)
    return tuple(sorted(parts, key=lambda component: knowledge.settings[component.own[0]].position))


def _limit(knowledge: Knowledge, parts: Iterable[Component]) -> None:
    """Count how often rules are examined together. Raises TooManyRulesError."""
    rules = Counter(rule.setting for rule in knowledge.rules)
    efforts = {
        component.own[0]: sum(1 + rules[name] for name in component.settings)
        + sum(rules[name] ** 2 for name in component.own) // PAIRS
        for component in parts
    }
    if sum(efforts.values()) > MOST_RULES:
        raise TooManyRulesError(max(efforts, key=lambda name: (efforts[name], name)))
