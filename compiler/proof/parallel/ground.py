"""The knowledge base in the light of every situation's facts: `resolution.ground`, lifted.

Where a single context keeps or drops an offer, a clause, a recommendation, here each has the set of
situations in which it is kept. A clause keeps all its literals; where a setting is absent no value of it
is possible, so that its literal cannot hold there, which is what dropping it means.
"""

from collections.abc import Iterator
from typing import NamedTuple

from setpoint.compiler.knowledge.model import (
    UNSTATED,
    Box,
    Constraint,
    Knowledge,
    Offer,
    Preset,
    Rule,
    narrower,
)
from setpoint.compiler.proof.space import Space, facts_of
from setpoint.compiler.resolution.ground import (
    Clause,
    Proposal,
    brought,
    constraint_clause,
    preset_clauses,
    weigh,
)

Domains = dict[str, dict[int, int]]
"""For each setting and each value's bit: the situations in which that value is still possible."""


class Live(NamedTuple):
    """A clause, and the situations in which it must hold."""

    clause: Clause
    where: int


class Weighed(NamedTuple):
    """A recommendation, and the situations in which its facts hold; whether its `reads` do is seen later."""

    proposal: Proposal
    where: int


class Problem(NamedTuple):
    """What is left to decide in each situation.

    `present[setting]` are the situations that have it; `offers` with those in which each counts.
    `defaults[setting][bit]` are those in which the value is the vendor's default.
    """

    knowledge: Knowledge
    space: Space
    settings: tuple[str, ...]
    present: dict[str, int]
    domains: Domains
    offers: tuple[tuple[Offer, int], ...]
    clauses: tuple[Live, ...]
    proposals: dict[str, tuple[Weighed, ...]]
    defaults: Domains

    def repeated(self, times: int) -> "Problem":
        """The same problem side by side with itself: situation i of copy k is number k·n + i of n·times.

        The copies can then differ in what a policy sets, and are decided together.
        """
        size = len(self.space.situations)
        copies = sum(1 << size * k for k in range(times))

        def spread(domains: Domains) -> Domains:
            return {name: {bit: mask * copies for bit, mask in m.items()} for name, m in domains.items()}

        return self._replace(
            present={name: mask * copies for name, mask in self.present.items()},
            domains=spread(self.domains),
            offers=tuple((offer, where * copies) for offer, where in self.offers),
            clauses=tuple(Live(clause, where * copies) for clause, where in self.clauses),
            proposals={
                name: tuple(Weighed(p, where * copies) for p, where in weighed)
                for name, weighed in self.proposals.items()
            },
            defaults=spread(self.defaults),
        )


def conditions(knowledge: Knowledge, settings: frozenset[str]) -> tuple[Box, ...]:
    """The conditions on facts that bear on these settings."""
    boxes = [offer.when for name in settings for offer in knowledge.offers.get(name, ())]
    boxes += [preset.when for preset in knowledge.presets if preset.governor in settings]
    boxes += [reach.when for rule in knowledge.rules if rule.setting in settings for reach in rule.reaches]
    for constraint in knowledge.constraints:
        if spoken_of(knowledge, constraint) <= settings:
            boxes += [constraint.when, (constraint.require,) if constraint.require else ()]
    return tuple(sorted({facts_of(knowledge, box) for box in boxes}))


def spoken_of(knowledge: Knowledge, constraint: Constraint) -> frozenset[str]:
    """The settings that a constraint names."""
    required = (constraint.require,) if constraint.require else ()
    return frozenset(name for name, _ in (*constraint.when, *required) if name in knowledge.settings)


def ground(knowledge: Knowledge, space: Space, settings: frozenset[str]) -> Problem:
    """Read the knowledge base for these settings; `space` tells their `conditions` apart."""
    reader = _Reader(knowledge, space, settings)
    reader.read_offers()
    reader.read_presets()
    reader.read_constraints()
    return Problem(
        knowledge=knowledge,
        space=space,
        settings=reader.settings,
        present=reader.present,
        domains=reader.domains,
        offers=tuple(reader.offers),
        clauses=tuple(reader.clauses),
        proposals=reader.proposals(),
        defaults=reader.defaults,
    )


class _Reader:
    def __init__(self, knowledge: Knowledge, space: Space, settings: frozenset[str]) -> None:
        self.knowledge = knowledge
        self.space = space
        self.settings = tuple(sorted(settings, key=lambda name: knowledge.settings[name].position))
        self.present = dict.fromkeys(self.settings, 0)
        self.domains: Domains = {name: {} for name in self.settings}
        self.defaults: Domains = {name: {} for name in self.settings}
        self.offers: list[tuple[Offer, int]] = []
        self.presets: list[tuple[Preset, int]] = []
        self.clauses: list[Live] = []

    def where(self, box: Box) -> int:
        """Where the facts of a condition hold."""
        return self.space.where(facts_of(self.knowledge, box))

    def absent_or(self, name: str, mask: int) -> int:
        """Where a condition on a setting may come to hold: where it is there, or absent and that will do."""
        present = self.present.get(name, 0)
        return self.space.everywhere if mask & UNSTATED else present

    def read_offers(self) -> None:
        for name in self.settings:
            variable = self.knowledge.variables[name]
            offers = self.knowledge.offers.get(name, ())
            fits = {offer: self._fits(offer) for offer in offers}
            taken = 0
            for offer in offers:
                where = fits[offer] & ~taken
                for other in offers:
                    if narrower(other.when, offer.when):
                        where &= ~fits[other]
                taken |= where
                self.offers.append((offer, where))
                for value in offer.values:
                    _add(self.domains[name], variable.bit(value), where)
                if offer.default:
                    _add(self.defaults[name], variable.bit(offer.default), where)
            self.present[name] = taken

    def _fits(self, offer: Offer) -> int:
        """Where an offer's conditions hold. Those on anything but facts hold if *absent* does."""
        others = [mask for name, mask in offer.when if name not in self.knowledge.kinds]
        return self.where(offer.when) if all(mask & UNSTATED for mask in others) else 0

    def read_presets(self) -> None:
        for preset in self.knowledge.presets:
            if preset.governor not in self.present:
                continue
            where = self.where(preset.when) & self.present[preset.governor]
            self.presets.append((preset, where))
            for member, clause in preset_clauses(self.knowledge, preset):
                if member in self.present:
                    self.clauses.append(Live(clause, where & self.present[member]))
            self._default_members(preset, where)

    def _default_members(self, preset: Preset, where: int) -> None:
        governor = self.knowledge.variables[preset.governor]
        for value, members in preset.columns.items():
            chosen = where & self.defaults[preset.governor].get(governor.bit(value), 0)
            for member, fixed in members.items():
                if member in self.present:
                    here = chosen & self.present[member]
                    defaults = self.defaults[member]
                    for bit in defaults:
                        defaults[bit] &= ~here
                    _add(defaults, self.knowledge.variables[member].bit(fixed), here)

    def read_constraints(self) -> None:
        for constraint in self.knowledge.constraints:
            if not spoken_of(self.knowledge, constraint) <= set(self.settings):
                continue
            where = self.where(constraint.when)
            literals = []
            for name, mask in constraint.when:
                if name not in self.knowledge.kinds:
                    where &= self.absent_or(name, mask)
                    literals.append((name, self.knowledge.variables[name].everything & ~mask))
            if constraint.require is not None:
                name, mask = constraint.require
                if name in self.knowledge.kinds:
                    where &= ~self.where((constraint.require,))
                else:
                    where &= self.present.get(name, 0)
                    literals.append((name, mask))
            self.clauses.append(Live(constraint_clause(constraint, tuple(literals)), where))

    def proposals(self) -> dict[str, tuple[Weighed, ...]]:
        speaking = [
            weighed
            for rule in self.knowledge.rules
            if rule.setting in self.present
            for weighed in self._speaking(rule)
        ]
        taken: dict[str, int] = {}
        for proposal, where in speaking:
            for name in proposal.rule.withdraws:
                taken[name] = taken.get(name, 0) | where
        found: dict[str, list[Weighed]] = {name: [] for name in self.settings}
        for proposal, where in speaking:
            found[proposal.setting].append(Weighed(proposal, where))
            for preset, there in self.presets:
                if preset.governor == proposal.setting:
                    for member, value in sorted(preset.columns.get(proposal.value, {}).items()):
                        here = where & there & self.present.get(member, 0) & ~taken.get(proposal.rule.name, 0)
                        if here:
                            found[member].append(Weighed(brought(proposal, member, value), here))
        return {name: tuple(weighed) for name, weighed in found.items()}

    def _speaking(self, rule: Rule) -> Iterator[Weighed]:
        """A rule, weighed by each of its reaches, with the situations that are in no nearer one."""
        left = self.present[rule.setting]
        for reach in rule.reaches:
            reads = tuple((n, m) for n, m in reach.when if n not in self.knowledge.kinds)
            where = left & self.where(reach.when)
            for name, mask in reads:
                where &= self.absent_or(name, mask)
            left &= ~where
            if where:
                yield Weighed(weigh(rule, reach.steps, reads), where)


def _add(masks: dict[int, int], bit: int, where: int) -> None:
    masks[bit] = masks.get(bit, 0) | where
