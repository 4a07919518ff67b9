"""What plans have where two recommendations disagree, and why each that does not decide loses.

The reasons are those that a plan gives, in the same order: a recommendation is withdrawn, or a stronger one that decides
beats it, or its value is not possible.
"""

from collections.abc import Iterator

from setpoint.compiler.knowledge.applicability import superseded
from setpoint.compiler.knowledge.results import DisputeLoss
from setpoint.compiler.proof.analysis import Analysis
from setpoint.compiler.proof.difference import deciders
from setpoint.compiler.proof.example import Sets
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.cascade import criterion
from setpoint.compiler.resolution.ground import Proposal
from setpoint.compiler.resolution.sets.cascade import SituationOutcomes, applies
from setpoint.compiler.resolution.sets.masks import include


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


class DisputeReader:
    """What was decided on a setting where two recommendations disagree."""

    def __init__(self, analysis: Analysis, setting: str, outcome: SituationOutcomes, sides: Sides) -> None:
        self.analysis = analysis
        self.sides = sides
        self.choice = outcome.choices[setting]
        self.variable = analysis.knowledge.variables[setting]
        self.proposals = analysis.problem.proposals[setting]
        domains = {name: choice.values for name, choice in outcome.choices.items()}
        self.applying = [applies(each, domains, analysis.problem) for each in self.proposals]

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
        found: dict[tuple[DisputeLoss, ...], int] = {(): where}
        for side in (0, 1):
            if self.sides[side].value != value:
                split: dict[tuple[DisputeLoss, ...], int] = {}
                for losses, there in found.items():
                    for loss, here in self._loss(pair, side, value, there):
                        include(split, (*losses, loss), here)
                found = split
        yield from found.items()

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
