"""All questions, asked of a whole knowledge base."""

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.results import Proof, ProofStatistics
from setpoint.compiler.proof.analysis import Analyses, Component
from setpoint.compiler.proof.bounds import (
    TooManyCombinationsError,
    UnprovenError,
    too_hard,
    too_many_combinations,
    unproven,
)
from setpoint.compiler.proof.checks.assumptions import conflicting_assumptions, unused_assumptions
from setpoint.compiler.proof.checks.contradictions import contradictory_constraints
from setpoint.compiler.proof.checks.effects import ambiguous_effects, idle_effects
from setpoint.compiler.proof.checks.evidence import (
    impossible_measurements,
    uncited_sources,
    unknown_places,
    unmeasured_rules,
)
from setpoint.compiler.proof.checks.facts import isolated_values, redundant_implications
from setpoint.compiler.proof.checks.goals import rules_without_goal
from setpoint.compiler.proof.checks.hazards import uncaused_hazards
from setpoint.compiler.proof.checks.policies import ambiguous_offers, survey
from setpoint.compiler.proof.checks.profiles import ambiguous_profiles
from setpoint.compiler.proof.checks.repeated import repeated_statements
from setpoint.compiler.proof.checks.scopes import (
    hazards_out_of_scope,
    idle_supersessions,
    idle_withdrawals,
    rules_out_of_scope,
)
from setpoint.compiler.proof.checks.ties import outranked_by_strength, ties
from setpoint.compiler.proof.checks.undecided import undecided, unsatisfiable
from setpoint.compiler.proof.checks.unused import (
    dead_hazards,
    dead_rules,
    idle_constraints,
    idle_values,
    overridden,
    unread_facts,
    unused_vocabulary,
)
from setpoint.compiler.proof.situations import count_contexts
from setpoint.compiler.record import distinct
from setpoint.compiler.resolution.narrow import TooHardError


def prove(knowledge: Knowledge) -> Proof:
    """Ask every question of a knowledge base. Never raises: what is wrong is in the findings."""
    start = perf_counter()
    try:
        proof = check_all(Analyses(knowledge))
    except TooManyCombinationsError as error:
        proof = Proof(
            Diagnostics.of([too_many_combinations(knowledge, error)]), _initial_statistics(knowledge), ()
        )
    return proof._replace(figures=proof.figures._replace(seconds=perf_counter() - start))


@distinct
class _ComponentResult(NamedTuple):
    """What was found in one part, and the figures of that."""

    findings: tuple[Diagnostic, ...]
    overridden: tuple[str, ...] = ()
    situations: int = 0
    plans: int = 0
    conflicts: int = 0


def check_all(analyses: Analyses) -> Proof:
    """The same of a knowledge base whose situations are known already; how long it took is not told."""
    knowledge = analyses.knowledge
    asked = [_check_component(analyses, component) for component in analyses.components]
    found: list[Diagnostic] = [
        *unused_vocabulary(knowledge, analyses.groups),
        *unread_facts(knowledge),
        *unused_assumptions(knowledge, analyses.groups),
        *conflicting_assumptions(knowledge, analyses.groups),
        *redundant_implications(knowledge),
        *isolated_values(knowledge),
        *unmeasured_rules(knowledge),
        *unknown_places(knowledge),
        *impossible_measurements(knowledge),
        *uncited_sources(knowledge),
        *rules_without_goal(knowledge),
        *repeated_statements(knowledge),
        *(finding for each in asked for finding in each.findings),
        *idle_supersessions(analyses),
        *hazards_out_of_scope(analyses),
        *dead_hazards(analyses),
        *uncaused_hazards(analyses),
        *ambiguous_effects(analyses),
        *idle_effects(analyses),
    ]
    figures = _initial_statistics(knowledge)._replace(
        contexts=count_contexts((knowledge,), analyses.groups),
        situations=sum(each.situations for each in asked),
        parts=len(analyses.components),
        plans=sum(each.plans for each in asked),
        conflicts=sum(each.conflicts for each in asked),
    )
    return Proof(
        _deduplicated(found), figures, tuple(sorted(name for each in asked for name in each.overridden))
    )


def _check_component(analyses: Analyses, component: Component) -> _ComponentResult:
    """All that is asked of one part; that it was not proven, if it is too much."""
    knowledge = analyses.knowledge
    try:
        analysis = analyses.of(component)
        tied = {setting: list(ties(analysis, setting)) for setting in component.own}
        done = survey(analysis, component, frozenset(setting for setting in component.own if tied[setting]))
        found = [*done.findings]
        for setting in component.own:
            found.extend(tied[setting])
            found.extend(outranked_by_strength(analysis, setting, done.cited))
            found.extend(undecided(analysis, setting))
            found.extend(ambiguous_offers(analysis, setting))
            found.extend(ambiguous_profiles(analysis, setting))
        found.extend(unsatisfiable(analysis))
        found.extend(dead_rules(analysis, component, done.cited))
        found.extend(idle_constraints(analysis, component))
        found.extend(idle_values(analysis, component, done.possible))
        found.extend(contradictory_constraints(analysis, component))
        found.extend(rules_out_of_scope(analysis, component))
        found.extend(idle_withdrawals(analysis, component))
    except UnprovenError as error:
        return _ComponentResult((unproven(knowledge, error),))
    except TooHardError as error:
        return _ComponentResult((unproven(knowledge, too_hard(component.settings, error)),))
    return _ComponentResult(
        tuple(found),
        tuple(overridden(knowledge, component, done.cited)),
        len(analysis.space.situations),
        done.plans,
        done.conflicts,
    )


def _deduplicated(findings: Sequence[Diagnostic]) -> Diagnostics:
    """The findings in the order of the text; what was not proven is told once, whatever it was asked for."""
    told: dict[str, Diagnostic] = {}
    for finding in findings:
        if finding.code == "K20":
            told.setdefault(finding.message, finding)
    return Diagnostics.of(f for f in findings if f.code != "K20" or told[f.message] is f)


def _initial_statistics(knowledge: Knowledge) -> ProofStatistics:
    """The figures before anything was gone through."""
    return ProofStatistics(
        contexts=0,
        situations=0,
        parts=0,
        settings=len(knowledge.settings),
        rules=len(knowledge.rules),
        constraints=len(knowledge.constraints),
        presets=len(knowledge.presets),
        hazards=len(knowledge.hazards),
        plans=0,
        conflicts=0,
        seconds=0.0,
    )
