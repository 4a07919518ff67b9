"""All checks of a knowledge base."""

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
from setpoint.compiler.proof.checks.hazards import dead_hazards, uncaused_hazards
from setpoint.compiler.proof.checks.policies import ambiguous_offers, survey
from setpoint.compiler.proof.checks.profiles import ambiguous_profiles
from setpoint.compiler.proof.checks.repeated import repeated_statements
from setpoint.compiler.proof.checks.scopes import (
    hazards_out_of_scope,
    idle_supersessions,
    idle_withdrawals,
    rules_out_of_scope,
)
from setpoint.compiler.proof.checks.spellings import doubtful_spellings
from setpoint.compiler.proof.checks.ties import outranked_by_strength, ties
from setpoint.compiler.proof.checks.undecided import undecided, unsatisfiable
from setpoint.compiler.proof.checks.unused import (
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
    """Check a knowledge base. Never raises: all errors are findings."""
    start = perf_counter()
    try:
        proof = check_all(Analyses(knowledge))
    except TooManyCombinationsError as error:
        proof = Proof(
            Diagnostics.of([too_many_combinations(knowledge, error)]), _initial_statistics(knowledge), ()
        )
    return proof._replace(statistics=proof.statistics._replace(seconds=perf_counter() - start))


@distinct
class _ComponentResult(NamedTuple):
    """The findings and statistics of one component."""

    findings: tuple[Diagnostic, ...]
    overridden: tuple[str, ...] = ()
    situations: int = 0
    plans: int = 0
    conflicts: int = 0


def check_all(analyses: Analyses) -> Proof:
    """Check a knowledge base whose analyses exist already; the duration stays 0."""
    knowledge = analyses.knowledge
    results = [_check_component(analyses, component) for component in analyses.components]
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
        *doubtful_spellings(knowledge),
        *repeated_statements(knowledge),
        *(finding for each in results for finding in each.findings),
        *idle_supersessions(analyses),
        *hazards_out_of_scope(analyses),
        *dead_hazards(analyses),
        *uncaused_hazards(analyses),
        *ambiguous_effects(analyses),
        *idle_effects(analyses),
    ]
    statistics = _initial_statistics(knowledge)._replace(
        contexts=count_contexts((knowledge,), analyses.groups),
        situations=sum(each.situations for each in results),
        parts=len(analyses.components),
        plans=sum(each.plans for each in results),
        conflicts=sum(each.conflicts for each in results),
    )
    return Proof(
        _deduplicated(found), statistics, tuple(sorted(name for each in results for name in each.overridden))
    )


def _check_component(analyses: Analyses, component: Component) -> _ComponentResult:
    """The checks of one component; a single finding if it is too large."""
    knowledge = analyses.knowledge
    try:
        analysis = analyses.of(component)
        tied = {setting: list(ties(analysis, setting)) for setting in component.own}
        surveyed = survey(
            analysis, component, frozenset(setting for setting in component.own if tied[setting])
        )
        found = [*surveyed.findings]
        for setting in component.own:
            found.extend(tied[setting])
            found.extend(outranked_by_strength(analysis, setting, surveyed.cited))
            found.extend(undecided(analysis, setting))
            found.extend(ambiguous_offers(analysis, setting))
            found.extend(ambiguous_profiles(analysis, setting))
        found.extend(unsatisfiable(analysis))
        found.extend(dead_rules(analysis, component, surveyed.cited))
        found.extend(idle_constraints(analysis, component))
        found.extend(idle_values(analysis, component, surveyed.possible))
        found.extend(contradictory_constraints(analysis, component))
        found.extend(rules_out_of_scope(analysis, component))
        found.extend(idle_withdrawals(analysis, component))
    except UnprovenError as error:
        return _ComponentResult((unproven(knowledge, error),))
    except TooHardError as error:
        return _ComponentResult((unproven(knowledge, too_hard(component.settings, error)),))
    return _ComponentResult(
        tuple(found),
        tuple(overridden(knowledge, component, surveyed.cited)),
        len(analysis.space.situations),
        surveyed.plans,
        surveyed.conflicts,
    )


def _deduplicated(findings: Sequence[Diagnostic]) -> Diagnostics:
    """The findings in the order of the text; each component that was not proven is reported once."""
    first: dict[str, Diagnostic] = {}
    for finding in findings:
        if finding.code == "K20":
            first.setdefault(finding.message, finding)
    return Diagnostics.of(f for f in findings if f.code != "K20" or first[f.message] is f)


def _initial_statistics(knowledge: Knowledge) -> ProofStatistics:
    """The statistics before any analysis."""
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
