"""Grounding on sets of situations: what the knowledge base means in each of them.

Where `resolution.ground` keeps or drops an offer, a clause or a recommendation, here each has the set of situations in
which it is kept. A clause keeps all its literals. Where a setting is absent, none of its values is possible, so that
its literal cannot hold there, which has the same effect as dropping it.
"""

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Iterator
from typing import TypeVar

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
from setpoint.compiler.proof.sets.masks import include, repeating, replace, several_left
from setpoint.compiler.proof.sets.profiles import ProfileEffects, joined_tables
from setpoint.compiler.proof.sets.space import Space, facts_of
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.ground import (
    Clause,
    Proposal,
    constraint_clause,
    implied_by_profile,
    preset_clauses,
    weigh,
)

Key = TypeVar("Key", bound=Hashable)

SituationDomains = dict[str, dict[int, int]]
"""For each setting and each value's bit: the situations in which the value is still possible."""


class ScopedClause(NamedTuple):
    """A clause, and the situations in which it must hold."""

    clause: Clause
    where: int


class ScopedProposal(NamedTuple):
    """A recommendation, and the situations in which its facts hold; its `reads` are checked later."""

    proposal: Proposal
    where: int


class SituationProblems(NamedTuple):
    """The decisions left in each situation.

    `present[setting]` are the situations that have the setting, `offers` the offers with the situations in which each
    applies, `profiles` the effects by governing setting, and `defaults[setting][bit]` the situations in which the value
    is the vendor's default. `requested` has those in which a policy sets the setting, and `starting` those in which a
    member has the value at first, under a profile that a policy sets.
    """

    knowledge: Knowledge
    space: Space
    settings: tuple[str, ...]
    present: dict[str, int]
    domains: SituationDomains
    offers: tuple[tuple[Offer, int], ...]
    profiles: dict[str, ProfileEffects]
    clauses: tuple[ScopedClause, ...]
    proposals: dict[str, tuple[ScopedProposal, ...]]
    defaults: SituationDomains
    starting: SituationDomains
    requested: dict[str, int]

    def usual(self, name: str) -> dict[int, int]:
        """The values of a setting that nobody asks for: under the profile that a policy sets, or vendor defaults."""
        values = dict(self.defaults[name])
        for bit, where in self.starting.get(name, {}).items():
            replace(values, bit, where)
        return values

    def requesting(self, sets: Iterable[tuple[str, str, int]]) -> "SituationProblems":
        """The problems of policies that set these settings to these values in these situations."""
        starting: SituationDomains = {}
        requested: dict[str, int] = {}
        for setting, value, where in sets:
            include(requested, setting, where)
            if setting in self.profiles:
                for member, start, there in self.profiles[setting].set_by(value):
                    if member in self.domains:
                        bit = self.knowledge.variables[member].bit(start)
                        include(starting.setdefault(member, {}), bit, where & there)
        return self._replace(starting=starting, requested=requested)

    def repeated(self, times: int) -> "SituationProblems":
        """Several copies of the problem: situation i of copy k is number k·n + i of n·times.

        The copies can differ in what a policy sets, and are decided together.
        """
        copies = repeating(len(self.space.situations), times)

        def spread(domains: SituationDomains) -> SituationDomains:
            return {name: {bit: mask * copies for bit, mask in m.items()} for name, m in domains.items()}

        return self._replace(
            present={name: mask * copies for name, mask in self.present.items()},
            domains=spread(self.domains),
            offers=tuple((offer, where * copies) for offer, where in self.offers),
            profiles={name: profiles.repeated(copies) for name, profiles in self.profiles.items()},
            clauses=tuple(ScopedClause(clause, where * copies) for clause, where in self.clauses),
            proposals={
                name: tuple(ScopedProposal(p, where * copies) for p, where in weighed)
                for name, weighed in self.proposals.items()
            },
            defaults=spread(self.defaults),
            starting=spread(self.starting),
            requested={name: mask * copies for name, mask in self.requested.items()},
        )


def conditions(knowledge: Knowledge, settings: frozenset[str]) -> tuple[Box, ...]:
    """The conditions on facts that concern these settings.

    The conditions of offers come first, beginning with the most frequent fact. Situations are numbered by them, so that
    those with the same offers are neighbours.
    """
    offered = {
        facts_of(knowledge, offer.when) for name in settings for offer in knowledge.offers.get(name, ())
    }
    boxes = [preset.when for preset in knowledge.presets if preset.governor in settings]
    boxes += [
        applicability.when
        for rule in knowledge.rules
        if rule.setting in settings
        for applicability in rule.applicabilities
    ]
    for constraint in knowledge.constraints:
        if is_within(knowledge, constraint, settings):
            boxes += [constraint.when, (constraint.require,) if constraint.require else ()]
    others = {facts_of(knowledge, box) for box in boxes} - offered
    about = Counter(name for box in offered for name, _ in box)
    return (
        *sorted(offered, key=lambda box: (-max((about[n] for n, _ in box), default=0), box)),
        *sorted(others),
    )


def settings_of_constraint(knowledge: Knowledge, constraint: Constraint) -> frozenset[str]:
    """The settings that a constraint names."""
    return frozenset(name for name, _ in _named(constraint) if name in knowledge.settings)


def is_within(knowledge: Knowledge, constraint: Constraint, settings: Container[str]) -> bool:
    """Whether a constraint names no settings but these."""
    return all(name in settings or name not in knowledge.settings for name, _ in _named(constraint))


def _named(constraint: Constraint) -> Box:
    return (constraint.require, *constraint.when) if constraint.require else constraint.when


def ground(knowledge: Knowledge, space: Space, settings: frozenset[str]) -> SituationProblems:
    """Ground the knowledge base for these settings; `space` must distinguish their `conditions`."""
    reader = _Grounding(knowledge, space, settings)
    reader.read_offers()
    reader.read_presets()
    reader.read_constraints()
    return SituationProblems(
        knowledge=knowledge,
        space=space,
        settings=reader.settings,
        present=reader.present,
        domains=reader.domains,
        offers=tuple(reader.offers),
        profiles=reader.profiles,
        clauses=tuple(reader.clauses),
        proposals=reader.proposals(),
        defaults=reader.defaults,
        starting={},
        requested={},
    )


class _Grounding:
    def __init__(self, knowledge: Knowledge, space: Space, settings: frozenset[str]) -> None:
        self.knowledge = knowledge
        self.space = space
        self.settings = tuple(sorted(settings, key=lambda name: knowledge.settings[name].position))
        self.present = dict.fromkeys(self.settings, 0)
        self.domains: SituationDomains = {name: {} for name in self.settings}
        self.defaults: SituationDomains = {name: {} for name in self.settings}
        self.offers: list[tuple[Offer, int]] = []
        self.profiles: dict[str, ProfileEffects] = {}
        self.clauses: list[ScopedClause] = []

    def where(self, box: Box) -> int:
        """The situations in which the facts of a condition hold."""
        return self.space.where(facts_of(self.knowledge, box))

    def present_or_absent(self, name: str, mask: int) -> int:
        """The situations in which a condition on a setting can hold: it is present, or absent where that is enough."""
        present = self.present.get(name, 0)
        return self.space.everywhere if mask & UNSTATED else present

    def read_offers(self) -> None:
        for name in self.settings:
            variable = self.knowledge.variables[name]
            offers = self.knowledge.offers.get(name, ())
            scope = self.space.scope((name,))
            fitting = [(offer, self._fits(offer) & scope) for offer in offers]
            taken = 0
            for offer, fits in fitting:
                where = fits & ~taken
                for other, there in fitting:
                    if where & there and narrower(other, offer):
                        where &= ~there
                taken |= where
                if offer.values:
                    self.present[name] |= where
                self.offers.append((offer, where))
                for value in variable.names(variable.offered(offer.values)):
                    include(self.domains[name], variable.bit(value), where)
                if offer.default:
                    include(self.defaults[name], variable.bit(offer.default), where)

    def _fits(self, offer: Offer) -> int:
        """The situations in which an offer's conditions hold. Those on other settings hold if they accept *absent*."""
        others = [mask for name, mask in offer.when if name not in self.knowledge.kinds]
        return self.where(offer.when) if all(mask & UNSTATED for mask in others) else 0

    def read_presets(self) -> None:
        tables: dict[str, list[tuple[Preset, int, dict[str, int]]]] = {}
        for preset in self.knowledge.presets:
            if preset.governor not in self.present:
                continue
            where = self.where(preset.when) & self.present[preset.governor]
            if not where:
                continue
            for member, clause in preset_clauses(self.knowledge, preset):
                if member in self.present:
                    self.clauses.append(ScopedClause(clause, where & self.present[member]))
            there = {member: self.present.get(member, 0) for member in preset.members}
            tables.setdefault(preset.governor, []).append((preset, where, there))
        for governor, own in tables.items():
            self.profiles[governor] = joined_tables(own)
            self._default_members(governor, self.profiles[governor])

    def _default_members(self, governor: str, profiles: ProfileEffects) -> None:
        variable = self.knowledge.variables[governor]
        for value in profiles.cells:
            chosen = self.defaults[governor].get(variable.bit(value), 0)
            for member, cell, where in profiles.set_by(value):
                if member in self.defaults and chosen & where:
                    replace(self.defaults[member], self.knowledge.variables[member].bit(cell), chosen & where)

    def read_constraints(self) -> None:
        for constraint in self.knowledge.constraints:
            if not is_within(self.knowledge, constraint, self.present):
                continue
            where = self.where(constraint.when)
            literals = []
            for name, mask in constraint.when:
                if name not in self.knowledge.kinds:
                    where &= self.present.get(name, 0)
                    literals.append((name, self.knowledge.variables[name].everything & ~mask))
            if constraint.require is not None:
                name, mask = constraint.require
                if name in self.knowledge.kinds:
                    where &= ~self.where((constraint.require,))
                else:
                    where &= self.present.get(name, 0)
                    literals.append((name, mask))
            self.clauses.append(ScopedClause(constraint_clause(constraint, tuple(literals)), where))

    def proposals(self) -> dict[str, tuple[ScopedProposal, ...]]:
        weighed_rules = [
            weighed
            for rule in self.knowledge.rules
            if rule.setting in self.present
            for weighed in self._scoped_proposals(rule)
            for weighed in self._as_offered(weighed)
        ]
        own: dict[str, list[ScopedProposal]] = {name: [] for name in self.settings}
        for weighed in weighed_rules:
            own[weighed.proposal.setting].append(weighed)
        all_proposals = {name: list(proposals) for name, proposals in own.items()}
        for governor, profiles in self.profiles.items():
            for proposal, where in own[governor]:
                effective_in = where & ~withdrawn(own[governor], [w.where for w in own[governor]], proposal)
                for member, cell, there in profiles.set_by(proposal.value):
                    if effective_in & there:
                        along = implied_by_profile(proposal, member, cell)
                        all_proposals[member].append(ScopedProposal(along, effective_in & there))
        return {name: tuple(weighed) for name, weighed in all_proposals.items()}

    def _as_offered(self, weighed: ScopedProposal) -> Iterator[ScopedProposal]:
        """A recommendation with the value that is offered: its own, or the only one that is within it."""
        variable = self.knowledge.variables[weighed.proposal.setting]
        domain = self.domains[weighed.proposal.setting]
        own, left = variable.bit(weighed.proposal.value), weighed.where
        nested = {bit: where & ~domain.get(own, 0) for bit, where in domain.items() if bit != own}
        nested = {bit: where for bit, where in nested.items() if bit & variable.below(weighed.proposal.value)}
        several = several_left(nested)
        for bit, where in nested.items():
            here = weighed.where & where & ~several
            if here:
                left &= ~here
                value = variable.name_of(bit)
                yield ScopedProposal(weighed.proposal._replace(value=value), here)
        if left:
            yield ScopedProposal(weighed.proposal, left)

    def _scoped_proposals(self, rule: Rule) -> Iterator[ScopedProposal]:
        """A rule weighed in each of its boxes of applicability, without the situations of the nearer boxes."""
        left = self.present[rule.setting]
        for applicability in rule.applicabilities:
            reads = tuple((n, m) for n, m in applicability.when if n not in self.knowledge.kinds)
            where = left & self.where(applicability.when)
            for name, mask in reads:
                where &= self.present_or_absent(name, mask)
            left &= ~where
            if where:
                yield ScopedProposal(weigh(rule, applicability, reads), where)


def withdrawn(proposals: Iterable[ScopedProposal], true: Iterable[int], proposal: Proposal) -> int:
    """The situations in which one of these recommendations withdraws this one; each applies where `true` says."""
    taken = 0
    for weighed, where in zip(proposals, true, strict=True):
        if weighed.proposal.withdraws(proposal):
            taken |= where
    return taken
