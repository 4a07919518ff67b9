"""Hazards that the knowledge base itself causes (K10), and hazards that nothing can cause (K04).

If a policy sets nothing, the knowledge base has decided everything, so the result must not contain a hazard that stops
the build, nor a warning of what a rule recommends. A warning of defaults and facts alone tells the reader something
that no rule knows; and one that asks for what only the site can say is meant to stand until somebody has answered.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import IN_SCOPE, UNSTATED, Box, Effect, Hazard, Knowledge, Variable
from setpoint.compiler.proof.analysis import Analyses, Analysis, Reached
from setpoint.compiler.proof.bounds import answer_each
from setpoint.compiler.proof.checks.satisfiable import is_satisfiable
from setpoint.compiler.proof.example import extent, note, policy
from setpoint.compiler.proof.extract import settings_named
from setpoint.compiler.proof.regions import Region, can_hold
from setpoint.compiler.proof.sets.masks import union
from setpoint.compiler.proof.sets.narrow import allowing
from setpoint.compiler.proof.sets.space import facts_of
from setpoint.compiler.resolution.ground import Proposal


class ReachedValues:
    """What settings get if policies set nothing, where that is known: a hazard is only looked for where it can occur.

    Each setting is looked at by itself, so what can occur need not.
    """

    def __init__(self, reached: Iterable[tuple[Box, Reached]]) -> None:
        self._of: dict[str, list[tuple[Box, Reached]]] = {}
        for region, entry in reached:
            self._of.setdefault(entry.setting, []).append((region, entry))
        self._here = cache(self._found)

    def allow(self, knowledge: Knowledge, hazard: Hazard, region: Region) -> bool:
        """Whether a hazard can occur in a region, and, unless it stops, where advice decides one of its settings."""
        (condition,) = region.conditions

        def can_be(name: str, values: int) -> bool:
            here = self._here(name, condition)
            return here is None or bool(here[0] & values)

        def is_advised(name: str) -> bool:
            here = self._here(name, condition)
            return here is None or here[1]

        is_possible = any(
            can_hold(box, condition) and all(can_be(*pair) for pair in box if pair[0] in knowledge.settings)
            for box in _in_scope(hazard)
        )
        return is_possible and (
            hazard.severity == "error" or any(map(is_advised, _settings(knowledge, hazard)))
        )

    def _found(self, name: str, condition: Box) -> tuple[int, bool] | None:
        """The values that a setting gets where a condition on facts holds, and whether advice decides some; None if
        nothing is known."""
        if name not in self._of:
            return None
        entries = [entry for region, entry in self._of[name] if can_hold(region, condition)]
        return union(entry.values for entry in entries), any(entry.is_advised for entry in entries)


def uncaused_hazards(analyses: Analyses, reached: ReachedValues) -> Iterator[Diagnostic]:
    """Hazards that stop the build of a policy that sets nothing, or warn it of recommendations (K10)."""
    knowledge = analyses.knowledge
    together: dict[tuple[frozenset[str], Box], list[Hazard]] = {}
    for hazard in knowledge.hazards.values():
        is_excused = hazard.asks or knowledge.is_from_library(hazard.span)
        if _in_scope(hazard) and (hazard.severity == "error" or not is_excused):
            closure = analyses.closure(_settings(knowledge, hazard))
            together.setdefault((closure, facts_of(knowledge, hazard.when)), []).append(hazard)
    yield from answer_each(
        knowledge, together.items(), lambda pair: _uncaused_among(analyses, reached, pair[0][0], pair[1])
    )


def _in_scope(hazard: Hazard) -> list[Box]:
    """The conditions under which a hazard occurs in scope."""
    return [applied.when for applied in hazard.applicabilities if applied.steps == IN_SCOPE]


def _cases(knowledge: Knowledge, hazard: Hazard) -> Iterator[Box]:
    """The cases of the effects that a hazard names."""
    for name, _ in hazard.when:
        if name in knowledge.effects:
            yield from (box for _, box in knowledge.effects[name].cases)


def _settings(knowledge: Knowledge, hazard: Hazard) -> frozenset[str]:
    """The settings that a hazard names in scope, by itself or by its effects."""
    return settings_named(knowledge, (*_in_scope(hazard), *_cases(knowledge, hazard)))


def _uncaused_among(
    analyses: Analyses, reached: ReachedValues, closure: frozenset[str], hazards: list[Hazard]
) -> Iterator[Diagnostic]:
    """The findings for hazards whose settings have the same closure, where their conditions on facts hold."""
    knowledge = analyses.knowledge
    where = [box for hazard in hazards for box in _in_scope(hazard)]
    cases = [box for hazard in hazards for box in _cases(knowledge, hazard)]
    regions = tuple(
        region
        for region in analyses.regions_with(where)
        if any(reached.allow(knowledge, hazard, region) for hazard in hazards)
    )
    if not regions:
        return
    analysis = analyses.extended(closure, (*where, *cases), regions)
    for hazard in hazards:
        yield from _uncaused(analyses, analysis, hazard)


def _uncaused(analyses: Analyses, analysis: Analysis, hazard: Hazard) -> Iterator[Diagnostic]:
    knowledge, stops = analysis.knowledge, hazard.severity == "error"
    where = union(situations_where(analysis, box) for box in _in_scope(hazard))
    settings = _settings(knowledge, hazard)
    if not stops:
        where &= _recommended(analysis, settings)
    if where:
        situation = analysis.space.simplest(where)
        here = 1 << analysis.space.situations.index(situation)
        ways = "correct the advice, write the rule that avoids it, narrow the hazard, or "
        yield Diagnostic(
            "K10",
            f"hazard `{hazard.name}` stops policies that set nothing"
            if stops
            else f"hazard `{hazard.name}` warns policies that set nothing of what is recommended to them",
            hazard.span,
            "occurs without any `set`",
            tuple(_advice(analysis, sorted(settings), here)),
            (
                extent(analysis.space._replace(total=analyses.contexts), where),
                note(policy(knowledge, situation.stated)),
            ),
            (
                ways + "let it warn: `severity warning;`"
                if stops
                else ways + 'write what only the site can say: `asks "whether …";`',
            ),
        )


def _recommended(analysis: Analysis, settings: Iterable[str]) -> int:
    """The situations in which a recommendation decides one of these settings."""
    choices = analysis.outcome.choices
    return union(choices[name].how["rule"] for name in settings if name in choices)


def _advice(analysis: Analysis, settings: Iterable[str], here: int) -> Iterator[Label]:
    """The recommendations that decide these settings in one situation, and so may cause the hazard."""
    for name in settings:
        choice = analysis.outcome.choices.get(name)
        if choice:
            for weighed, top in zip(choice.proposals, choice.top, strict=True):
                if top & here:
                    yield Label(weighed.proposal.rule.span, f"recommends {_advice_text(weighed.proposal)}")


def _advice_text(proposal: Proposal) -> str:
    """What a recommendation says, and which profile implies it."""
    implied = f", which implies {proposal.setting} {proposal.value}" if proposal.preset else ""
    return f"{proposal.rule.setting} {proposal.rule.value}{implied}"


def situations_where(analysis: Analysis, box: Box) -> int:
    """The situations in which a condition on facts, settings and effects holds without any `set`."""
    knowledge = analysis.knowledge
    where = analysis.feasible & analysis.space.where(facts_of(knowledge, box))
    where &= analysis.space.scope(settings_named(knowledge, (box,)))
    for name, mask in box:
        if name in knowledge.effects:
            where &= _effect_is(analysis, knowledge.effects[name], mask)
        elif name not in knowledge.kinds:
            choice = analysis.outcome.choices.get(name)
            true = allowing(choice.values, mask) if choice else 0
            where &= true | ~analysis.problem.present.get(name, 0) if mask & UNSTATED else true
    return where


def _effect_is(analysis: Analysis, effect: Effect, mask: int) -> int:
    """The situations in which an effect has one of these values: of the first case that holds, else `otherwise`."""
    variable = analysis.knowledge.variables[effect.name]
    left, situations = analysis.feasible, 0
    for value, box in (*effect.cases, (effect.otherwise, ())):
        here = left & situations_where(analysis, box)
        left &= ~here
        if _bit(variable, value) & mask:
            situations |= here
    return situations


def _bit(variable: Variable, value: str) -> int:
    """The value of an effect as a set, also where it has none."""
    return variable.bit(value) if value else UNSTATED


def dead_hazards(analyses: Analyses) -> Iterator[Diagnostic]:
    """The hazards that no policy can cause (K04)."""
    knowledge = analyses.knowledge
    own = [hazard for hazard in knowledge.hazards.values() if not knowledge.is_from_library(hazard.span)]
    yield from answer_each(knowledge, own, lambda hazard: _dead_hazard(analyses, hazard))


def _dead_hazard(analyses: Analyses, hazard: Hazard) -> Iterator[Diagnostic]:
    knowledge = analyses.knowledge
    conditions = [
        applicability.when
        for applicability in hazard.applicabilities
        if hazard.severity == "error" or applicability.steps == IN_SCOPE
    ]
    if not any(
        is_satisfiable(analyses, *boxes) for box in conditions for boxes in without_effects(knowledge, box)
    ):
        yield Diagnostic(
            "K04",
            f"hazard `{hazard.name}` can never occur",
            hazard.span,
            "no policy meets its conditions",
            notes=(f"condition: {knowledge.box_text(hazard.when)}",),
            help=("correct its conditions, or drop it",),
        )


def without_effects(knowledge: Knowledge, box: Box) -> Iterator[tuple[Box, ...]]:
    """Conditions on facts and settings only that are at most weaker than this one: an effect is replaced by its cases.

    They do not require that no earlier case holds, and ask nothing where an `otherwise` applies. So if none of them can
    be met, the condition cannot be met either.
    """
    choices: list[list[Box]] = [[tuple(pair for pair in box if pair[0] not in knowledge.effects)]]
    for name, mask in box:
        if name in knowledge.effects:
            effect, variable = knowledge.effects[name], knowledge.variables[name]
            cases = [case for value, case in effect.cases if variable.bit(value) & mask]
            choices.append([*cases, ()] if _bit(variable, effect.otherwise) & mask else cases)
    yield from product(*choices)
