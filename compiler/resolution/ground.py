"""The knowledge base in the light of the facts.

With the facts fixed, most of the knowledge base falls away. What is left is a small problem over the
settings that the platform offers: a set of possible values for each, clauses that must hold, and the
recommendations that may apply, weighed.

A clause is a disjunction: at least one of its literals must hold, each saying that a setting lies in a
set. "When A, B must be" becomes "not A, or B". A constraint says nothing where a setting that it asks
for is absent.
"""

from collections.abc import Iterator
from typing import NamedTuple

from setpoint.compiler.binding.context import Context
from setpoint.compiler.binding.facts import holds
from setpoint.compiler.knowledge.model import (
    IN_SCOPE,
    STRENGTHS,
    UNSTATED,
    Box,
    Citation,
    Constraint,
    Knowledge,
    Offer,
    Preset,
    Rule,
    narrower,
)
from setpoint.compiler.language.source import Span


class Clause(NamedTuple):
    """What must hold: one of the literals, each a setting and a set of its values."""

    kind: str
    name: str
    literals: tuple[tuple[str, int], ...]
    because: str
    citation: Citation
    span: Span


class Proposal(NamedTuple):
    """A recommendation that may apply in this context, weighed.

    `grade` orders proposals; only among equal grades does the narrower condition count. `preset` names the
    profile value that brings the advice along, "" for a rule that speaks of the setting itself.
    `reads` are the conditions on settings, to be looked at when those are decided. `withdrawn` names the rule that takes
    back the advice on a profile, and with it all that the profile would bring along; "" if none does.
    """

    rule: Rule
    setting: str
    value: str
    steps: int
    strength: str
    grade: tuple[int, int, int, int]
    preset: str
    reads: Box
    withdrawn: str = ""

    def beats(self, other: "Proposal") -> bool:
        """Strength before narrowness: only the last criterion may be a partial order, or ranks would go in circles."""
        if self.grade != other.grade:
            return self.grade > other.grade
        return narrower(self.rule.when, other.rule.when)


class Problem(NamedTuple):
    """What is left to decide. `domains` has the settings that are there, and the values offered of each."""

    domains: dict[str, int]
    offers: dict[str, Offer]
    presets: tuple[Preset, ...]
    clauses: tuple[Clause, ...]
    proposals: dict[str, tuple[Proposal, ...]]
    defaults: dict[str, str]


def ground(knowledge: Knowledge, context: Context) -> Problem:
    """Read the knowledge base in the light of the context's facts."""
    bits = context.bits(knowledge)
    offers = _offers(knowledge, bits)
    domains = {name: knowledge.variables[name].within(offer.values) for name, offer in offers.items()}
    presets = tuple(p for p in knowledge.presets if p.governor in domains and holds(p.when, bits))
    clauses = [
        clause
        for constraint in knowledge.constraints
        if (clause := _clause_of(constraint, knowledge, bits, domains)) is not None
    ]
    for preset in presets:
        clauses.extend(clause for member, clause in preset_clauses(knowledge, preset) if member in domains)
    return Problem(
        domains=domains,
        offers=offers,
        presets=presets,
        clauses=tuple(clauses),
        proposals=_proposals(knowledge, bits, domains, presets),
        defaults=_defaults(offers, presets),
    )


def _offers(knowledge: Knowledge, bits: dict[str, int]) -> dict[str, Offer]:
    found = {}
    for name in sorted(knowledge.offers, key=lambda n: knowledge.settings[n].position):
        fitting = [offer for offer in knowledge.offers[name] if holds(offer.when, bits)]
        for offer in fitting:
            if not any(narrower(other.when, offer.when) for other in fitting):
                found[name] = offer
                break
    return found


def _clause_of(
    constraint: Constraint, knowledge: Knowledge, bits: dict[str, int], domains: dict[str, int]
) -> Clause | None:
    literals = []
    for name, mask in constraint.when:
        if name in knowledge.kinds:
            if not bits[name] & mask:
                return None
        elif name in domains:
            literals.append((name, knowledge.variables[name].everything & ~mask))
        elif not mask & UNSTATED:
            return None
    if constraint.require is not None:
        name, mask = constraint.require
        if name in knowledge.kinds:
            if bits[name] & mask:
                return None
        elif name not in domains:
            return None
        else:
            literals.append((name, mask))
    return constraint_clause(constraint, tuple(literals))


def constraint_clause(constraint: Constraint, literals: Box) -> Clause:
    """The clause of a constraint, its literals worked out."""
    return Clause(
        "constraint", constraint.name, literals, constraint.because, constraint.citation, constraint.span
    )


def preset_clauses(knowledge: Knowledge, preset: Preset) -> Iterator[tuple[str, Clause]]:
    """For each value and member of a profile the clause that fixes it, with the member's name."""
    governor = knowledge.variables[preset.governor]
    for value, members in sorted(preset.columns.items()):
        for member, fixed in sorted(members.items()):
            literals = (
                (preset.governor, governor.everything & ~governor.bit(value)),
                (member, knowledge.variables[member].bit(fixed)),
            )
            because = f"{preset.governor} {value} fixes {member} {fixed}"
            name = f"{preset.governor} {value}"
            yield member, Clause("preset", name, literals, because, preset.citation, preset.span)


def _proposals(
    knowledge: Knowledge, bits: dict[str, int], domains: dict[str, int], presets: tuple[Preset, ...]
) -> dict[str, tuple[Proposal, ...]]:
    speaking = [
        proposal
        for rule in knowledge.rules
        if rule.setting in domains and (proposal := _speaking(rule, bits, domains)) is not None
    ]
    # What governs others is decided by facts alone, so that what is taken back of it is known already.
    taken = {name: proposal.rule.name for proposal in speaking for name in proposal.rule.withdraws}
    found: dict[str, list[Proposal]] = {}
    for proposal in speaking:
        found.setdefault(proposal.setting, []).append(proposal)
        for preset in presets:
            if preset.governor == proposal.setting:
                for member, value in sorted(preset.columns.get(proposal.value, {}).items()):
                    if member in domains:
                        along = brought(proposal, member, value)
                        along = along._replace(withdrawn=taken.get(proposal.rule.name, ""))
                        found.setdefault(member, []).append(along)
    return {name: tuple(proposals) for name, proposals in found.items()}


def _speaking(rule: Rule, bits: dict[str, int], domains: dict[str, int]) -> Proposal | None:
    """A rule weighed by the nearest of its reaches that the facts are in; None if they are in none."""
    for reach in rule.reaches:
        reads = []
        for name, mask in reach.when:
            if name in bits:
                if not bits[name] & mask:
                    break
            elif name in domains:
                reads.append((name, mask))
            elif not mask & UNSTATED:
                break
        else:
            return weigh(rule, reach.steps, tuple(reads))
    return None


def weigh(rule: Rule, steps: int, reads: Box) -> Proposal:
    strength = rule.strength if steps == IN_SCOPE else STRENGTHS[0]
    grade = (int(rule.layer == "site"), STRENGTHS.index(strength), -max(steps, 0), 1)
    return Proposal(rule, rule.setting, rule.value, steps, strength, grade, "", reads)


def brought(proposal: Proposal, member: str, value: str) -> Proposal:
    """What a recommended profile brings along for a member.

    A measurement of the profile is none of the member, so it weighs as the vendor's word at most; and
    less than what is said of the member itself.
    """
    site, strength, nearness, _ = proposal.grade
    strength = min(strength, STRENGTHS.index("vendor"))
    return proposal._replace(
        setting=member,
        value=value,
        strength=STRENGTHS[strength],
        grade=(site, strength, nearness, 0),
        preset=f"{proposal.rule.setting} {proposal.rule.value}",
    )


def _defaults(offers: dict[str, Offer], presets: tuple[Preset, ...]) -> dict[str, str]:
    """The vendor's defaults; a member of a preset has the one that the default profile gives it."""
    defaults = {name: offer.default for name, offer in offers.items() if offer.default}
    for preset in presets:
        profile = defaults.get(preset.governor, "")
        for member, value in preset.columns.get(profile, {}).items():
            if member in offers:
                defaults[member] = value
    return defaults
