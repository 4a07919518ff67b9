"""The part of the knowledge base that is relevant for given facts.

Once the facts are fixed, most of the knowledge base is irrelevant. The rest is a small problem over the settings that
the platform offers: a set of possible values for each, clauses that must be satisfied, and weighed recommendations that
may apply.

A clause is a disjunction: at least one of its literals must be true, and each literal states that a setting is in a
set. "When A, B must be" becomes "not A, or B". A constraint does not apply if a setting that it names is absent.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, Label, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.knowledge.boxes import holds
from setpoint.compiler.knowledge.model import (
    FREE,
    IN_SCOPE,
    MEASURED,
    PRACTICE,
    STRENGTHS,
    TEST_FIRST,
    UNSTATED,
    VENDOR,
    Applicability,
    Box,
    Citation,
    Constraint,
    Knowledge,
    Offer,
    Preset,
    Rule,
    counting,
    narrower,
)
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.profiles import governors_of, set_by


class Clause(NamedTuple):
    """A condition that must be satisfied: one of the literals, each a setting and a set of its values. `statement` says
    so, if one does."""

    literals: tuple[tuple[str, int], ...]
    name: str = ""
    because: str = ""
    statement: Constraint | Preset | None = None

    @property
    def kind(self) -> str:
        """`constraint` or `preset`."""
        return "preset" if isinstance(self.statement, Preset) else "constraint"

    @property
    def citation(self) -> Citation:
        """The source of its statement."""
        return self.statement.citation if self.statement else Citation("", "")

    @property
    def span(self) -> Span:
        """The place of its statement."""
        return self.statement.span if self.statement else NOWHERE


class Grade(NamedTuple):
    """The criteria by which recommendations are compared, most important first; greater is stronger."""

    in_scope: int
    site: int
    strength: int
    nearness: int
    own: int


class Proposal(NamedTuple):
    """A recommendation that may apply in this context, weighed.

    `grade` orders proposals; the narrower condition decides only between equal grades. `preset` names the profile value
    that implies the advice, "" for a rule about the setting itself. `reads` are the conditions on settings, checked
    when those are decided. `withdrawn` names the rule that withdraws the advice on a profile, and with it everything
    that the profile implies; "" if none does. `is_withheld` says whether it is too weak for the policy; what a profile
    implies is where the profile is.
    """

    rule: Rule
    setting: str
    value: str
    steps: int
    strength: str
    grade: "Grade"
    preset: str
    reads: Box
    withdrawn: str = ""
    is_withheld: bool = False

    def beats(self, other: "Proposal") -> bool:
        """Strength before narrowness: only the last criterion may be a partial order, or circles were possible."""
        if self.grade != other.grade:
            return self.grade > other.grade
        return narrower(self, other)

    def withdraws(self, other: "Proposal") -> bool:
        """Whether it withdraws the other: its rule says so, and is at least as much in scope."""
        return other.rule.name in self.rule.withdraws and self.steps <= other.steps

    @property
    def when(self) -> Box:
        """The condition of its rule."""
        return self.rule.when

    @property
    def closed(self) -> Box:
        """What follows from the condition of its rule."""
        return self.rule.closed

    @property
    def is_tentative(self) -> bool:
        """Whether it is too weak to override a vendor default: out of scope, and no vendor's word where in scope."""
        return self.steps != IN_SCOPE and self.rule.strength in (TEST_FIRST, PRACTICE)


class Problem(NamedTuple):
    """The decisions to make. `domains` has the available settings, each with its offered values.

    `standing` names the governing settings that are not derived from their members. `requested` are the settings that
    the policy sets, and `starting` has the values that members have at first under a profile among these. `given` has
    settings that are decided apart from these, and that advice reads.
    """

    domains: dict[str, int]
    offers: dict[str, Offer]
    presets: tuple[Preset, ...]
    clauses: tuple[Clause, ...]
    proposals: dict[str, tuple[Proposal, ...]]
    defaults: dict[str, str]
    standing: frozenset[str]
    starting: dict[str, str]
    requested: frozenset[str]
    given: Mapping[str, int] = MappingProxyType({})

    def usual(self, name: str) -> str:
        """The value of a setting that nobody asks for: under the profile that the policy sets, or the default."""
        return self.starting.get(name) or self.defaults.get(name, "")

    def requesting(self, sets: tuple[Set, ...]) -> "Problem":
        """The problem of a policy with these `set`s; profiles among them give their members a value at first."""
        governors = governors_of(self.presets)
        starting = {
            member: value
            for statement in sets
            if statement.setting.text in governors
            for member, value in set_by(self.presets, statement.setting.text, statement.value.text).items()
        }
        return self._replace(
            starting=starting, requested=frozenset(statement.setting.text for statement in sets)
        )


def ground(
    knowledge: Knowledge, context: Context, given: Mapping[str, int] = MappingProxyType({})
) -> Problem:
    """Ground the knowledge base for the facts of a context, and for what is decided of settings without an offer."""
    bits = context.bits(knowledge)
    knowledge = knowledge.near(bits)
    offers = offers_here(knowledge, bits, context)
    domains = {name: knowledge.variables[name].offered(offer.values) for name, offer in offers.items()}
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
        proposals=_proposals(knowledge, context, bits, domains, presets, given),
        defaults=_defaults(offers, presets),
        standing=frozenset(name for name in governors_of(presets) if knowledge.settings[name].stands),
        starting={},
        requested=frozenset(),
        given=given,
    )


def offers_here(knowledge: Knowledge, bits: dict[str, int], context: Context) -> dict[str, Offer]:
    """The offer of each setting that is there for these facts, in the order of decision. Raises E0304."""
    offers: dict[str, Offer] = {}
    for name in sorted(knowledge.offers, key=lambda n: knowledge.settings[n].position):
        used = counting(knowledge, name, bits)
        if any(not are_interchangeable(used[0], other) for other in used[1:]):
            advice = "narrow the condition of one of them: add `if …`, or move it to `options` of a model"
            spans = [offer.span for offer in used]
            raise SetpointError(
                neither_narrower(f"offers of `{name}`", spans, context.intent(knowledge), advice)
            )
        offers.update((name, offer) for offer in used[:1] if offer.values)
    return offers


def are_interchangeable(a: Offer, b: Offer) -> bool:
    """Whether two offers are interchangeable."""
    return (a.values, a.labels, a.default, a.menu) == (b.values, b.labels, b.default, b.menu)


def neither_narrower(what: str, spans: Sequence[Span], at: Span, advice: str) -> Diagnostic:
    """The diagnostic for statements that apply together and differ, none with the narrowest condition (E0304)."""
    first, *others = spans
    return Diagnostic(
        "E0304",
        f"conflicting {what}: neither has the narrower condition",
        at,
        "both apply here",
        (Label(first, "one of them"), *(Label(other, "another") for other in others)),
        help=(advice,),
    )


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
        else:
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
    """The clause of a constraint with these literals."""
    return Clause(literals, constraint.name, constraint.because, constraint)


def preset_clauses(knowledge: Knowledge, preset: Preset) -> Iterator[tuple[str, Clause]]:
    """For each value, the clause for each member that it fixes, with the member's name."""
    governor = knowledge.variables[preset.governor]
    for value, members in sorted(preset.columns.items()):
        for member, fixed in sorted(members.items()):
            if fixed == FREE:
                continue
            literals = (
                (preset.governor, governor.everything & ~governor.bit(value)),
                (member, knowledge.variables[member].bit(fixed)),
            )
            because = f"{preset.governor} {value} fixes {member} {fixed}"
            name = f"{preset.governor} {value}"
            yield member, Clause(literals, name, because, preset)


def _proposals(
    knowledge: Knowledge,
    context: Context,
    bits: dict[str, int],
    domains: dict[str, int],
    presets: tuple[Preset, ...],
    given: Mapping[str, int],
) -> dict[str, tuple[Proposal, ...]]:
    there = {**given, **domains}
    own: dict[str, list[Proposal]] = {}
    for rule in knowledge.rules:
        if rule.setting in domains and (proposal := _weighed(rule, bits, there)) is not None:
            value = knowledge.variables[rule.setting].as_offered(rule.value, domains[rule.setting])
            is_withheld = context.withholds(proposal.strength)
            own.setdefault(rule.setting, []).append(proposal._replace(value=value, is_withheld=is_withheld))
    by_setting = {name: list(proposals) for name, proposals in own.items()}
    for governor in (name for name in governors_of(presets) if name in own):
        # Only facts decide governing settings, so it is already known which advice on them is withdrawn.
        withdrawn_by = withdrawn(own[governor])
        for proposal in own[governor]:
            for member, value in sorted(set_by(presets, governor, proposal.value).items()):
                if member in domains:
                    along = implied_by_profile(proposal, member, value)
                    along = along._replace(withdrawn=withdrawn_by.get(proposal.rule.name, ""))
                    by_setting.setdefault(member, []).append(along)
    return {name: tuple(proposals) for name, proposals in by_setting.items()}


def withdrawn(proposals: Iterable[Proposal]) -> dict[str, str]:
    """The withdrawn rules among proposals for one setting, each with the name of a rule that withdraws it."""
    proposals = tuple(proposals)
    steps: dict[str, int] = {}
    for p in proposals:
        steps[p.rule.name] = max(p.steps, steps.get(p.rule.name, p.steps))
    return {
        name: p.rule.name for p in proposals for name in p.rule.withdraws if p.steps <= steps.get(name, -1)
    }


def _weighed(rule: Rule, bits: dict[str, int], domains: dict[str, int]) -> Proposal | None:
    """A rule, weighed in the first of its boxes that the facts satisfy; None if they satisfy none."""
    for applicability in rule.applicabilities:
        reads = []
        for name, mask in applicability.when:
            if name in bits:
                if not bits[name] & mask:
                    break
            elif name in domains:
                reads.append((name, mask))
            elif not mask & UNSTATED:
                break
        else:
            return weigh(rule, applicability, tuple(reads))
    return None


def weigh(rule: Rule, applicability: Applicability, reads: Box) -> Proposal:
    """A rule as a proposal, in one of the boxes where it applies.

    Out of scope, a measurement is no more than its author's word.
    """
    in_scope = applicability.steps == IN_SCOPE
    strength = STRENGTHS.index(applicability.strength if in_scope else rule.strength)
    if not in_scope:
        strength = min(strength, STRENGTHS.index(VENDOR))
    grade = Grade(int(in_scope), int(rule.layer == "site"), strength, -max(applicability.steps, 0), 1)
    return Proposal(
        rule, rule.setting, rule.value, applicability.steps, applicability.strength, grade, "", reads
    )


def implied_by_profile(proposal: Proposal, member: str, value: str) -> Proposal:
    """The advice on a member that a recommended profile implies.

    A measurement of the profile does not measure the member, so its strength is at most `vendor`; advice on the member
    itself is stronger.
    """
    strength = proposal.strength if proposal.strength != MEASURED else VENDOR
    weight = min(proposal.grade.strength, STRENGTHS.index(VENDOR))
    return proposal._replace(
        setting=member,
        value=value,
        strength=strength,
        grade=proposal.grade._replace(strength=weight, own=0),
        preset=f"{proposal.rule.setting} {proposal.rule.value}",
    )


def _defaults(offers: dict[str, Offer], presets: tuple[Preset, ...]) -> dict[str, str]:
    """The vendor's defaults; the default profile gives those of its members."""
    defaults = {name: offer.default for name, offer in offers.items() if offer.default}
    for preset in presets:
        profile = defaults.get(preset.governor, "")
        for member, value in set_by(presets, preset.governor, profile).items():
            if member in offers:
                defaults[member] = value
    return defaults
