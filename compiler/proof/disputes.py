"""Where the sources of a knowledge base disagree, in which contexts, and what plans have there.

A *dispute* is two recommendations of different sources for one setting that want different values and apply together,
each within the scope of its source. It is no fault: sources disagree, and the order of recommendations decides. But
whoever relies on a value wants to know that somebody else recommends another one. Where a source makes an exception to
a recommendation of its own, it does not recommend that; where another source does, or a later edition has other advice,
they disagree.

Disputes are found as ties are, by pairs, in the situations that the proof distinguishes. So they are complete, and
counts of contexts are exact. Cells of one row of a table with one value are one recommendation. What plans have is
decided for policies that set nothing. If a recommendation reads another setting, which has a value for it only if a
policy sets that, the fewest such `set`s are found, and the plan is the one with them. Each context is counted once. Why
a recommendation does not decide is said as a plan says it, in the same order: it is withdrawn, a stronger one that
decides beats it, or its value is not possible.
"""

from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations, product

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.applicability import superseded
from setpoint.compiler.knowledge.model import IN_SCOPE, STRENGTHS, Box, Knowledge, meet
from setpoint.compiler.knowledge.results import (
    Dispute,
    DisputeLoss,
    DisputeOutcome,
    Disputes,
    DisputeSide,
)
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from setpoint.compiler.proof.analysis import Analyses, Analysis, Component
from setpoint.compiler.proof.bounds import (
    NothingProvenError,
    UnprovenError,
    too_hard,
    unproven,
)
from setpoint.compiler.proof.difference import deciders
from setpoint.compiler.proof.example import Sets, confirmed, policy, settable
from setpoint.compiler.proof.extract import Fingerprints
from setpoint.compiler.proof.memory import Memory
from setpoint.compiler.proof.sets.cascade import SituationOutcomes, applies, cascade
from setpoint.compiler.proof.sets.masks import include, union
from setpoint.compiler.proof.sets.narrow import overlapping_pairs
from setpoint.compiler.proof.sets.space import numbers
from setpoint.compiler.proof.situations import count_contexts
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.cascade import criterion
from setpoint.compiler.resolution.ground import Proposal
from setpoint.compiler.resolution.narrow import TooHardError

MOST_EXAMPLES = 20
"""How many policies are tried for one that shows a dispute. The first does, unless a plan fails for another reason."""


class SideKey(NamedTuple):
    """What identifies a side of a dispute; the fields are those of `DisputeSide`."""

    source: str
    at: str
    value: str
    name: str
    profile: str


def side_of(proposal: Proposal) -> SideKey:
    """The side that a recommendation belongs to."""
    rule = proposal.rule
    return SideKey(rule.citation.source, rule.citation.at, proposal.value, rule.row, proposal.preset)


Pair = tuple[int, int]
"""The numbers of two recommendations among those for a setting."""

Sides = tuple[SideKey, SideKey]
"""The two sides of a dispute, in order."""


class DisputePart(NamedTuple):
    """Contexts of a dispute with the same outcome; the fields are those of `DisputeOutcome`."""

    sets: Sets
    value: str
    by: tuple[str, ...]
    losses: tuple[DisputeLoss, ...]


def disputes(knowledge: Knowledge, memory: Memory | None = None) -> Disputes:
    """All disputes of a knowledge base. Raises SetpointError (K20) if there are too many situations."""
    kept, fingerprints = memory or Memory(), Fingerprints(knowledge)
    analyses = Analyses(knowledge, lambda: kept.groups(knowledge, fingerprints.combinations))
    try:
        all_disputes = [
            dispute for component in analyses.components for dispute in _disputes(analyses, component)
        ]
        contexts = count_contexts((knowledge,), analyses.groups)
    except NothingProvenError as error:
        raise SetpointError(error.finding(knowledge)) from None
    except UnprovenError as error:
        raise SetpointError(unproven(knowledge, error)) from None
    all_disputes.sort(key=lambda dispute: (knowledge.settings[dispute.setting].position, dispute.sides))
    return Disputes(tuple(all_disputes), contexts)


def _disputes(analyses: Analyses, component: Component) -> Iterator[Dispute]:
    """The disputes about the settings of a component."""
    wanted = [name for name in component.own if len(_sources(analyses.knowledge, name)) > 1]
    if not wanted:
        return
    try:
        decided = _DecidedComponent(analyses.of(component))
        for name in wanted:
            for sides, pairs in _pairs(decided.analysis, name).items():
                collected = _Collected(decided, name, sides)
                collected.collect(pairs)
                yield from collected.dispute()
    except TooHardError as error:
        raise too_hard(component.settings, error) from None


def _sources(knowledge: Knowledge, setting: str) -> set[str]:
    """The sources of the recommendations for a setting, and for the profiles that imply its value."""
    governors = {preset.governor for preset in knowledge.presets if setting in preset.members}
    return {rule.citation.source for rule in knowledge.rules if rule.setting in {setting, *governors}}


def _pairs(analysis: Analysis, setting: str) -> dict[Sides, list[Pair]]:
    """The pairs of recommendations that can apply together and disagree, by the sides that they belong to."""
    proposals = analysis.problem.proposals[setting]
    pairs: dict[Sides, list[Pair]] = {}
    for pair in sorted(overlapping_pairs([weighed.where for weighed in proposals])):
        first, second = sorted(pair, key=lambda number: side_of(proposals[number].proposal))
        a, b = proposals[first].proposal, proposals[second].proposal
        if (
            a.rule.citation.source != b.rule.citation.source
            and a.value != b.value
            and a.steps == b.steps == IN_SCOPE
            and meet(a.reads, b.reads) is not None
        ):
            pairs.setdefault((side_of(a), side_of(b)), []).append((first, second))
    return pairs


class _DecidedComponent:
    """The decisions of a component for policies with certain `set`s, each made once."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.outcome = cache(partial(_outcome, analysis))
        self.plan = cache(partial(_planned, analysis))


def _outcome(analysis: Analysis, sets: Sets) -> SituationOutcomes:
    """The decisions if policies have these `set`s, wherever they can be stated."""
    if not sets:
        return analysis.outcome
    variables = analysis.knowledge.variables
    supposed = analysis.restricted_to(tuple((name, variables[name].bit(value)) for name, value in sets))
    problem = analysis.problem.requesting((*request, supposed.left) for request in sets)
    return cascade(problem, analysis.index, supposed.domains, supposed.left)


def _planned(analysis: Analysis, text: str, setting: str) -> tuple[str, frozenset[str]]:
    """The value of a setting in the plan of a policy, and the rules that recommend one; "" without a plan."""
    try:
        (subject,) = planned(program_of_text(text), analysis.whole)
    except SetpointError:
        return "", frozenset()
    decision = subject.plan.setting(setting) if subject.plan else None
    if decision is None:
        return "", frozenset()
    variable = analysis.knowledge.variables[setting]
    names = [*(cause.name for cause in decision.because), *(lost.name for lost in decision.beat)]
    return variable.name_of(variable.bit(decision.value)), frozenset(names)


class _Collected:
    """One dispute: its contexts are collected, first those of policies without `set`, then those with the fewest."""

    def __init__(self, decided: _DecidedComponent, setting: str, sides: Sides) -> None:
        self.decided = decided
        self.analysis = decided.analysis
        self.setting = setting
        self.sides = sides
        self.proposals = decided.analysis.problem.proposals[setting]
        self._taken = 0
        self._parts: dict[DisputePart, int] = {}
        self._applying: tuple[set[int], set[int]] = (set(), set())

    def collect(self, pairs: list[Pair]) -> None:
        """Collect the contexts in which both recommendations of one of these pairs apply."""
        possible = union(self._possible(pair) for pair in pairs)
        for sets in self._policies(pairs):
            if not possible & ~self._taken:
                return
            reader = DisputeReader(self.analysis, self.setting, self.decided.outcome(sets), self.sides)
            for pair in pairs:
                for part, where in reader.parts(pair, sets):
                    self._take(pair, part, where & ~self._taken)

    def _reads(self, pair: Pair) -> Box:
        """The conditions on other settings that both of a pair read."""
        first, second = (self.proposals[number].proposal for number in pair)
        return meet(first.reads, second.reads) or ()

    def _possible(self, pair: Pair) -> int:
        """The situations in which both can apply, as far as narrowing shows."""
        where = self.proposals[pair[0]].where & self.proposals[pair[1]].where
        return where & self.analysis.restricted_to(self._reads(pair)).left

    def _take(self, pair: Pair, part: DisputePart, where: int) -> None:
        if where:
            self._taken |= where
            include(self._parts, part, where)
            for numbers_, number in zip(self._applying, pair, strict=True):
                numbers_.add(number)

    def _policies(self, pairs: list[Pair]) -> Iterator[Sets]:
        """The `set`s to suppose, the fewest first: none, then values of settings that the recommendations read."""
        boxes = dict.fromkeys(map(self._reads, pairs))
        for size in range(max(map(len, boxes)) + 1):
            some = [conditions for box in boxes for conditions in combinations(box, size)]
            for conditions in dict.fromkeys(some):
                yield from product(*(self._values(*condition) for condition in conditions))

    def _values(self, name: str, mask: int) -> list[tuple[str, str]]:
        """The values of a setting that a condition accepts and that can be set somewhere."""
        offered = self.analysis.domains.get(name, {})
        variable = self.analysis.knowledge.variables[name]
        return [(name, variable.name_of(bit)) for bit, where in offered.items() if where and bit & mask]

    def dispute(self) -> Iterator[Dispute]:
        """The dispute, if the recommendations apply together in some context."""
        if not self._taken:
            return
        space = self.analysis.space
        outcomes = [
            DisputeOutcome(
                part.value, part.by, part.losses, part.sets, space.contexts(where), self._example(part, where)
            )
            for part, where in self._parts.items()
        ]
        yield Dispute(
            self.setting,
            (self._shown(0), self._shown(1)),
            space.contexts(self._taken),
            tuple(sorted(outcomes, key=lambda outcome: (len(outcome.sets), -outcome.contexts, outcome))),
        )

    def _shown(self, number: int) -> DisputeSide:
        side = self.sides[number]
        proposals = [self.proposals[index].proposal for index in self._applying[number]]
        strengths = {proposal.strength for proposal in proposals}
        return DisputeSide(
            *side,
            tuple(strength for strength in reversed(STRENGTHS) if strength in strengths),
            tuple(sorted({proposal.rule.name for proposal in proposals})),
        )

    def _example(self, part: DisputePart, where: int) -> str:
        """A smallest policy whose plan has this value, and both recommendations among the winners and losers."""
        knowledge, space = self.analysis.knowledge, self.analysis.space
        situations = [space.situations[number] for number in numbers(where)]
        situations.sort(key=lambda situation: (len(situation.stated), situation.stated))
        sets = tuple((name, settable(knowledge, name, value)) for name, value in part.sets)
        texts = [policy(knowledge, situation.stated, sets) for situation in situations[:MOST_EXAMPLES]]
        if not part.value:
            return confirmed(self.analysis.whole, texts, "E0303")
        return next((text for text in texts if self._is_shown(part, text)), "")

    def _is_shown(self, part: DisputePart, text: str) -> bool:
        """Whether the plan of a policy has the value of a part, and a recommendation of each side."""
        value, names = self.decided.plan(text, self.setting)
        sides = (
            {self.proposals[number].proposal.rule.name for number in applying} for applying in self._applying
        )
        return value == part.value and all(map(names.intersection, sides))


class DisputeReader:
    """What was decided on a setting where two recommendations disagree."""

    def __init__(self, analysis: Analysis, setting: str, outcome: SituationOutcomes, sides: Sides) -> None:
        self.analysis = analysis
        self.sides = sides
        self.choice = outcome.choices[setting]
        self.variable = analysis.knowledge.variables[setting]
        self.proposals = analysis.problem.proposals[setting]
        domains = {name: choice.values for name, choice in outcome.choices.items()}
        self.applying = [applies(weighed, domains, analysis.problem) for weighed in self.proposals]

    def _recommends(self, number: int) -> int:
        """The situations in which a recommendation applies, and its own source makes no exception to it."""
        own = self.proposals[number].proposal
        where = self.applying[number]
        for other, applying in zip(self.proposals, self.applying, strict=True):
            rule = other.proposal.rule
            if rule.citation.source == own.rule.citation.source and other.proposal.withdraws(own):
                where &= ~applying
        return where

    def parts(self, pair: Pair, sets: Sets) -> Iterator[tuple[DisputePart, int]]:
        """The situations in which both of a pair apply, by outcome."""
        both = self._recommends(pair[0]) & self._recommends(pair[1])
        if both & self.choice.tied:
            yield DisputePart(sets, "", (), ()), both & self.choice.tied
        for bit, there in self.choice.values.items():
            if both & there:
                value = self.variable.name_of(bit)
                for losses, where in self._losses(pair, value, both & there):
                    for by, here in self._deciders(pair, value, where):
                        yield DisputePart(sets, value, by, losses), here

    def _deciders(self, pair: Pair, value: str, where: int) -> Iterator[tuple[tuple[str, ...], int]]:
        """What decides the value: the side of the pair that has it, else others."""
        for side, number in zip(self.sides, pair, strict=True):
            if side.value == value and self.choice.top[number] & where:
                yield (side.name,), self.choice.top[number] & where
                where &= ~self.choice.top[number]
        yield from deciders(self.choice, value, where)

    def _losses(self, pair: Pair, value: str, where: int) -> Iterator[tuple[tuple[DisputeLoss, ...], int]]:
        """Why those of the pair that want another value do not decide."""
        reasons: dict[tuple[DisputeLoss, ...], int] = {(): where}
        for side in (0, 1):
            if self.sides[side].value != value:
                split: dict[tuple[DisputeLoss, ...], int] = {}
                for losses, there in reasons.items():
                    for loss, here in self._loss(pair, side, value, there):
                        include(split, (*losses, loss), here)
                reasons = split
        yield from reasons.items()

    def _loss(self, pair: Pair, side: int, value: str, where: int) -> Iterator[tuple[DisputeLoss, int]]:
        """Why one of the pair does not decide: the other is asked first, then the rest of the recommendations."""
        own, other = pair[side], pair[1 - side]
        loser = self.proposals[own].proposal
        rivals = dict.fromkeys((other, *range(len(self.proposals))))
        for number in rivals:
            rival = self.proposals[number].proposal
            by = self.sides[1 - side].name if number == other else rival.rule.name
            here = 0
            if rival.withdraws(loser):
                here = where & ~self.choice.effective[own] & self.applying[number]
                reason = self._withdrawal(rival, loser)
            elif rival.value == value and rival.beats(loser):
                here = where & self.choice.effective[own] & self.choice.top[number]
                reason = criterion(rival, loser)
            if here:
                yield DisputeLoss(side, reason, by), here
                where &= ~here
        if where:
            yield DisputeLoss(side, "blocked", ""), where

    def _withdrawal(self, rival: Proposal, loser: Proposal) -> str:
        older = superseded(rival.rule.citation.source, self.analysis.knowledge.sources)
        return "superseded" if loser.rule.citation.source in older else "exception"
