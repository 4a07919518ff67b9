"""The situations in which some policy meets conditions on facts and settings, with any `set`s."""

from collections.abc import Iterable, Iterator

from setpoint.compiler.knowledge.model import UNSTATED, Box, meet
from setpoint.compiler.proof.analysis import Analyses, Analysis
from setpoint.compiler.proof.bounds import too_hard
from setpoint.compiler.proof.extract import settings_named
from setpoint.compiler.proof.sets.ground import ScopedClause
from setpoint.compiler.proof.sets.narrow import SituationClauses
from setpoint.compiler.proof.sets.space import facts_of
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.ground import Clause
from setpoint.compiler.resolution.narrow import TooHardError


class Satisfaction(NamedTuple):
    """The situations of an analysis in which the conditions can be met, and what they ask of settings."""

    analysis: Analysis
    where: int
    asked: Box


def is_satisfiable(analyses: Analyses, *boxes: Box, but: Iterable[Box] = ()) -> bool:
    """Whether some policy meets all of these conditions, and none of those in `but`."""
    return any(True for _ in satisfied_by(analyses, *boxes, but=but))


def satisfied_by(analyses: Analyses, *boxes: Box, but: Iterable[Box] = ()) -> Iterator[Satisfaction]:
    """Where some policy meets all of these conditions, and none of those in `but`, by region. Raises UnprovenError."""
    knowledge = analyses.knowledge
    without = tuple(but)
    both: Box = ()
    for box in boxes:
        met = meet(both, box)
        if met is None:
            return
        both = met
    asked = tuple((name, mask) for name, mask in both if name in knowledge.settings)
    named = settings_named(knowledge, (both, *without))
    for analysis in analyses.without_rules(named, facts_of(knowledge, both), without):
        supposed = analysis.restricted_to(asked)
        index: SituationClauses = analysis.index
        changed: tuple[str, ...] | None = ()  # nothing more than what `restricted_to` has narrowed
        if without:
            negated = (_negation(analysis, box) for box in without)
            index, changed = SituationClauses([*analysis.problem.clauses, *negated]), None
        try:
            where = index.possible(supposed.domains, supposed.left, changed)
        except TooHardError as error:
            raise too_hard(analysis.settings, error) from None
        if where:
            yield Satisfaction(analysis, where, asked)


def _negation(analysis: Analysis, box: Box) -> ScopedClause:
    """The clause that a condition does not hold."""
    knowledge = analysis.knowledge
    where = analysis.space.where(facts_of(knowledge, box))
    literals = []
    for name, mask in box:
        if name in knowledge.settings:
            where &= analysis.space.everywhere if mask & UNSTATED else analysis.problem.present[name]
            literals.append((name, knowledge.variables[name].everything & ~mask))
    return ScopedClause(Clause(tuple(literals)), where)
