"""The knowledge base in parts that can be looked at one by one.

Settings that a clause or a profile ties together are decided together: they make a *part*. A part's rules may
read settings of earlier parts; those come along, but nothing later bears on it, since a recommendation
never removes a value. So what is shown of each part, in every situation of that part and of what it
reads, holds of the whole.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from setpoint.compiler.knowledge.model import UNSTATED, Box, Knowledge
from setpoint.compiler.proof.bounds import TOO_MANY, TooManySituationsError, UnprovenError
from setpoint.compiler.proof.reachable import Group, connected, reachable
from setpoint.compiler.proof.situations import spaces
from setpoint.compiler.record import distinct
from setpoint.compiler.resolution.sets.cascade import SituationOutcomes, cascade
from setpoint.compiler.resolution.sets.ground import (
    SituationDomains,
    SituationProblems,
    conditions,
    ground,
    settings_of_constraint,
)
from setpoint.compiler.resolution.sets.narrow import SituationClauses, any_left, restricted
from setpoint.compiler.resolution.sets.space import Space, facts_of, numbers

SMALLEST_BLOCK = 200
"""Neighbouring situations are looked at together until they are as many: fewer would not be worth the reading."""


@distinct
class Component(NamedTuple):
    """Settings that are decided together, and with them all that they depend on."""

    own: tuple[str, ...]
    settings: frozenset[str]


@distinct
class Restriction(NamedTuple):
    """What is left where settings have some values: of the situations `asked`, those `left` after narrowing."""

    domains: SituationDomains
    asked: int
    left: int


class Analysis:
    """Some settings with all that they depend on, in every situation that bears on them."""

    def __init__(self, knowledge: Knowledge, space: Space, settings: frozenset[str]) -> None:
        self.knowledge = knowledge
        self.space = space
        self.settings = settings
        self.problem: SituationProblems = ground(knowledge, space, settings)
        self.watch = SituationClauses(self.problem.clauses)
        self.domains: SituationDomains = restricted(self.problem.domains, space.everywhere)
        self.dead = self.watch.narrow(self.domains, space.everywhere)
        """Situations whose facts alone leave a setting without a value."""

    @property
    def feasible(self) -> int:
        """The situations in which the facts, as far as narrowing sees, leave every setting a value."""
        return self.space.everywhere & ~self.dead

    @cached_property
    def outcome(self) -> SituationOutcomes:
        """What is decided where the policy sets nothing."""
        return cascade(self.problem, self.watch, self.domains, self.feasible)

    def blocks(self) -> Iterator[tuple[int, "Analysis"]]:
        """The same in blocks of neighbouring situations, each with the number of its first.

        What never applies in a block is left out of it, so that hardware which cannot occur together is not looked at
        together.
        """
        for first, size in self._extents():
            space = self.space.block(first, size)
            yield first, Analysis(self._applying(space), space, self.settings)

    def _applying(self, space: Space) -> Knowledge:
        """The knowledge of these settings that can apply in some situation."""
        knowledge = self.knowledge
        live = {box for box, where in space.situations_by_condition.items() if where}

        def applies(box: Box) -> bool:
            return facts_of(knowledge, box) in live

        return knowledge._replace(
            offers={
                name: tuple(offer for offer in knowledge.offers.get(name, ()) if applies(offer.when))
                for name in self.settings
            },
            presets=tuple(preset for preset in knowledge.presets if applies(preset.when)),
            rules=tuple(
                rule
                for rule in knowledge.rules
                if rule.setting in self.settings and any(applies(reach.when) for reach in rule.reaches)
            ),
            constraints=tuple(constraint for constraint in knowledge.constraints if applies(constraint.when)),
        )

    def _extents(self) -> Iterator[tuple[int, int]]:
        """The first situation and the size of each block: the same is offered throughout, or it is small."""
        changes = 0
        for _, where in self.problem.offers:
            changes |= where ^ where >> 1
        first, count = 0, len(self.space.situations)
        for last in numbers(changes):
            if last + 1 - first >= SMALLEST_BLOCK and last + 1 < count:
                yield first, last + 1 - first
                first = last + 1
        yield first, count - first

    @property
    def unsatisfiable(self) -> int:
        """The situations whose facts alone contradict the constraints."""
        return self.dead | self.outcome.impossible

    def restricted_to(self, box: Box) -> Restriction:
        """The domains where a condition on settings holds: a setting has one of some values, or is absent and may be."""
        asked = self.feasible
        domains = dict(self.domains)
        for name, values in box:
            absent = ~self.problem.present.get(name, 0) if values & UNSTATED else 0
            if name in domains:
                domains[name] = {bit: mask for bit, mask in domains[name].items() if bit & values}
                asked &= any_left(domains[name]) | absent
            else:
                asked &= absent
        domains = restricted(domains, asked)
        dead = self.watch.narrow(domains, asked, (name for name, _ in box))
        return Restriction(domains, asked, asked & ~dead)


class Analyses:
    """The parts of a knowledge base, each with its situations."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.groups: tuple[Group, ...] = reachable((knowledge,))
        self.components = components(knowledge)
        self._of: dict[Component, Analysis] = {}
        self._open: dict[frozenset[str], Analysis] = {}

    def of(self, component: Component) -> Analysis:
        """The world of a part, in the situations that its own rules and constraints tell apart."""
        if component not in self._of:
            self._of[component] = self._analysis(self.knowledge, component.settings, ())
        return self._of[component]

    def closure(self, settings: Iterable[str]) -> frozenset[str]:
        """Some settings with all that they depend on."""
        return frozenset(name for component in self._parts_of(settings) for name in component.settings)

    def extended(self, closure: frozenset[str], further: Iterable[Box]) -> Analysis:
        """The world of a closure; it tells apart what these further conditions ask of the facts.

        It is not kept: such worlds are large, and one question at a time needs one.
        """
        return self._analysis(self.knowledge, closure, (facts_of(self.knowledge, box) for box in further))

    def without_rules(self, settings: Iterable[str]) -> Analysis:
        """The world of some settings and what they are tied to, with no recommendation: all that policies can set.

        Most conditions are those of rules, so that without them there are far fewer situations.
        """
        whole = frozenset(name for component in self._parts_of(settings) for name in component.own)
        if whole not in self._open:
            self._open[whole] = self._analysis(
                self.knowledge._replace(rules=()), whole, _outcomes(self.knowledge, whole)
            )
        return self._open[whole]

    def _parts_of(self, settings: Iterable[str]) -> list[Component]:
        named = set(settings)
        return [component for component in self.components if set(component.own) & named]

    def _analysis(self, knowledge: Knowledge, settings: frozenset[str], further: Iterable[Box]) -> Analysis:
        asked = (*conditions(knowledge, settings), *further)
        try:
            (space,) = spaces((self.knowledge,), self.groups, (asked,))
        except TooManySituationsError:
            raise UnprovenError(settings, asked, TOO_MANY) from None
        return Analysis(knowledge, space, settings)


def _outcomes(knowledge: Knowledge, settings: frozenset[str]) -> Iterator[Box]:
    """What hazards and effects ask of the facts, those that name none but these settings."""
    boxes = [reach.when for hazard in knowledge.hazards.values() for reach in hazard.reaches]
    boxes += [box for effect in knowledge.effects.values() for _, box in effect.cases]
    for box in boxes:
        if all(name in settings for name, _ in box if name in knowledge.settings):
            yield facts_of(knowledge, box)


def components(knowledge: Knowledge) -> tuple[Component, ...]:
    """The parts, in the order in which they are decided."""
    tied = connected(knowledge.settings, _ties(knowledge))
    reads: dict[str, set[str]] = {name: set() for name in knowledge.settings}
    for rule in knowledge.rules:
        reads[rule.setting] |= {name for name, _ in rule.when if name in knowledge.settings}
    found = []
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
        found.append(Component(own, frozenset(whole)))
    return tuple(sorted(found, key=lambda component: knowledge.settings[component.own[0]].position))


def _ties(knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    """The pairs of settings that a profile or a constraint ties together."""
    for preset in knowledge.presets:
        yield from ((preset.governor, member) for member in preset.members)
    for constraint in knowledge.constraints:
        yield from pairwise(sorted(settings_of_constraint(knowledge, constraint)))
