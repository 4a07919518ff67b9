"""Hazards that nobody caused (K10).

Where a policy sets nothing, the knowledge base has chosen everything, so that it must not end in a hazard
that stops the build.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import IN_SCOPE, UNSTATED, Box, Effect, Hazard, Knowledge
from setpoint.compiler.proof.analysis import Analyses, Analysis
from setpoint.compiler.proof.bounds import answer_each
from setpoint.compiler.proof.example import extent, note, policy
from setpoint.compiler.resolution.ground import Proposal
from setpoint.compiler.resolution.sets.narrow import allowing
from setpoint.compiler.resolution.sets.space import facts_of


def uncaused_hazards(analyses: Analyses) -> Iterator[Diagnostic]:
    """Hazards that stop the build of a policy that sets nothing (K10)."""
    knowledge = analyses.knowledge
    stopping: dict[frozenset[str], list[Hazard]] = {}
    for hazard in knowledge.hazards.values():
        if hazard.severity == "error":
            closure = analyses.closure(_settings(knowledge, hazard))
            stopping.setdefault(closure, []).append(hazard)
    yield from answer_each(knowledge, stopping.items(), lambda pair: _standing_among(analyses, *pair))


def _boxes(knowledge: Knowledge, hazard: Hazard) -> Iterator[Box]:
    """The conditions in which a hazard arises in scope, and the cases of the effects that they name."""
    yield from (reach.when for reach in hazard.reaches if reach.steps == IN_SCOPE)
    for name, _ in hazard.when:
        if name in knowledge.effects:
            yield from (box for _, box in knowledge.effects[name].cases)


def _settings(knowledge: Knowledge, hazard: Hazard) -> frozenset[str]:
    """The settings that these conditions name."""
    return frozenset(n for box in _boxes(knowledge, hazard) for n, _ in box if n in knowledge.settings)


def _standing_among(
    analyses: Analyses, closure: frozenset[str], hazards: list[Hazard]
) -> Iterator[Diagnostic]:
    """Those of some hazards that stand by themselves; they are about settings that have the same closure."""
    knowledge = analyses.knowledge
    analysis = analyses.extended(closure, (box for hazard in hazards for box in _boxes(knowledge, hazard)))
    for hazard in hazards:
        yield from _standing(analysis, hazard)


def _standing(analysis: Analysis, hazard: Hazard) -> Iterator[Diagnostic]:
    knowledge = analysis.knowledge
    where = 0
    for reach in hazard.reaches:
        if reach.steps == IN_SCOPE:
            where |= holds(analysis, reach.when)
    if where:
        one = analysis.space.simplest(where)
        here = 1 << analysis.space.situations.index(one)
        yield Diagnostic(
            "K10",
            f"hazard `{hazard.name}` stops policies that set nothing",
            hazard.span,
            "stands by itself",
            tuple(_advised(analysis, sorted(_settings(knowledge, hazard)), here)),
            (extent(analysis.space, where), note(policy(knowledge, one.stated))),
            (
                "correct the advice, write the rule that avoids it, narrow the hazard, or let it warn: `severity warning;`",
            ),
        )


def _advised(analysis: Analysis, settings: Iterable[str], here: int) -> Iterator[Label]:
    """The recommendations that decide these settings in one situation: there the hazard may be another's doing."""
    for name in settings:
        choice = analysis.outcome.choices.get(name)
        if choice:
            for weighed, top in zip(choice.proposals, choice.top, strict=True):
                if top & here:
                    yield Label(weighed.proposal.rule.span, f"recommends {_as_said(weighed.proposal)}")


def _as_said(proposal: Proposal) -> str:
    """What a recommendation wants, and what brings it along if it is a profile."""
    brought = f", which brings {proposal.setting} {proposal.value}" if proposal.preset else ""
    return f"{proposal.rule.setting} {proposal.rule.value}{brought}"


def holds(analysis: Analysis, box: Box) -> int:
    """Where facts and what is decided without any `set` meet a condition, effects included."""
    knowledge = analysis.knowledge
    where = analysis.feasible & analysis.space.where(facts_of(knowledge, box))
    for name, mask in box:
        if name in knowledge.effects:
            where &= _comes_to(analysis, knowledge.effects[name], mask)
        elif name not in knowledge.kinds:
            choice = analysis.outcome.choices.get(name)
            true = allowing(choice.values, mask) if choice else 0
            where &= true | ~analysis.problem.present.get(name, 0) if mask & UNSTATED else true
    return where


def _comes_to(analysis: Analysis, effect: Effect, mask: int) -> int:
    """Where an effect has one of these values: that of the first case that holds, else the `otherwise`."""
    variable = analysis.knowledge.variables[effect.name]
    left, found = analysis.feasible, 0
    for value, box in (*effect.cases, (effect.otherwise, ())):
        here = left & holds(analysis, box)
        left &= ~here
        if variable.bit(value) & mask:
            found |= here
    return found
