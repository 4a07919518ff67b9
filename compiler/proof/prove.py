"""All questions, asked of a whole knowledge base."""

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.results import Proof, ProofStatistics
from setpoint.compiler.proof.bounds import (
    TooManyCombinationsError,
    UnprovenError,
    too_hard,
    too_linked,
    unproven,
)
from setpoint.compiler.proof.checks.assumed import dead_assumptions, tied_assumptions
from setpoint.compiler.proof.checks.contradictions import contradictory_constraints
from setpoint.compiler.proof.checks.decided import undecided, unsatisfiable
from setpoint.compiler.proof.checks.effects import doubtful_effects, idle_effects
from setpoint.compiler.proof.checks.evidence import (
    impossible_measurements,
    uncited_sources,
    unknown_places,
    unmeasured_rules,
)
from setpoint.compiler.proof.checks.facts import idle_implications, lonely_values
from setpoint.compiler.proof.checks.goals import rules_without_goal
from setpoint.compiler.proof.checks.outcomes import standing_hazards
from setpoint.compiler.proof.checks.profiles import doubtful_profiles
from setpoint.compiler.proof.checks.repeated import repeated_statements
from setpoint.compiler.proof.checks.scopes import (
    hazards_out_of_scope,
    idle_editions,
    idle_withdrawals,
    rules_out_of_scope,
)
from setpoint.compiler.proof.checks.statements import doubtful_offers, survey
from setpoint.compiler.proof.checks.ties import opposed, ties
from setpoint.compiler.proof.checks.unused import (
    dead_hazards,
    dead_rules,
    idle_constraints,
    idle_facts,
    idle_values,
    idle_words,
    overruled,
)
from setpoint.compiler.proof.situations import counted
from setpoint.compiler.proof.world import Part, Worlds
from setpoint.compiler.record import distinct
from setpoint.compiler.resolution.narrow import TooHardError


def prove(knowledge: Knowledge) -> Proof:
    """Ask every question of a knowledge base. Never raises: what is wrong is in the findings."""
    start = perf_counter()
    try:
        proof = asked_of(Worlds(knowledge))
    except TooManyCombinationsError as error:
        proof = Proof(Diagnostics.of([too_linked(knowledge, error)]), _figures(knowledge), ())
    return proof._replace(figures=proof.figures._replace(seconds=perf_counter() - start))


@distinct
class _Asked(NamedTuple):
    """What was found in one part, and the figures of that."""

    findings: tuple[Diagnostic, ...]
    overruled: tuple[str, ...] = ()
    situations: int = 0
    plans: int = 0
    conflicts: int = 0


def asked_of(worlds: Worlds) -> Proof:
    """The same of a knowledge base whose situations are known already; how long it took is not told."""
    knowledge = worlds.knowledge
    asked = [_asked_of_part(worlds, part) for part in worlds.parts]
    found: list[Diagnostic] = [
        *idle_words(knowledge, worlds.groups),
        *idle_facts(knowledge),
        *dead_assumptions(knowledge, worlds.groups),
        *tied_assumptions(knowledge, worlds.groups),
        *idle_implications(knowledge),
        *lonely_values(knowledge),
        *unmeasured_rules(knowledge),
        *unknown_places(knowledge),
        *impossible_measurements(knowledge),
        *uncited_sources(knowledge),
        *rules_without_goal(knowledge),
        *repeated_statements(knowledge),
        *(finding for each in asked for finding in each.findings),
        *idle_editions(worlds),
        *hazards_out_of_scope(worlds),
        *dead_hazards(worlds),
        *standing_hazards(worlds),
        *doubtful_effects(worlds),
        *idle_effects(worlds),
    ]
    figures = _figures(knowledge)._replace(
        contexts=counted((knowledge,), worlds.groups),
        situations=sum(each.situations for each in asked),
        parts=len(worlds.parts),
        plans=sum(each.plans for each in asked),
        conflicts=sum(each.conflicts for each in asked),
    )
    return Proof(_once(found), figures, tuple(sorted(name for each in asked for name in each.overruled)))


def _asked_of_part(worlds: Worlds, part: Part) -> _Asked:
    """All that is asked of one part; that it was not proven, if it is too much."""
    knowledge = worlds.knowledge
    try:
        world = worlds.of(part)
        tied = {setting: list(ties(world, setting)) for setting in part.own}
        done = survey(world, part, frozenset(setting for setting in part.own if tied[setting]))
        found = [*done.findings]
        for setting in part.own:
            found.extend(tied[setting])
            found.extend(opposed(world, setting, done.cited))
            found.extend(undecided(world, setting))
            found.extend(doubtful_offers(world, setting))
            found.extend(doubtful_profiles(world, setting))
        found.extend(unsatisfiable(world))
        found.extend(dead_rules(world, part, done.cited))
        found.extend(idle_constraints(world, part))
        found.extend(idle_values(world, part, done.possible))
        found.extend(contradictory_constraints(world, part))
        found.extend(rules_out_of_scope(world, part))
        found.extend(idle_withdrawals(world, part))
    except UnprovenError as error:
        return _Asked((unproven(knowledge, error),))
    except TooHardError as error:
        return _Asked((unproven(knowledge, too_hard(part.settings, error)),))
    return _Asked(
        tuple(found),
        tuple(overruled(knowledge, part, done.cited)),
        len(world.space.situations),
        done.plans,
        done.conflicts,
    )


def _once(findings: Sequence[Diagnostic]) -> Diagnostics:
    """The findings in the order of the text; what was not proven is told once, whatever it was asked for."""
    told: dict[str, Diagnostic] = {}
    for finding in findings:
        if finding.code == "K20":
            told.setdefault(finding.message, finding)
    return Diagnostics.of(f for f in findings if f.code != "K20" or told[f.message] is f)


def _figures(knowledge: Knowledge) -> ProofStatistics:
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
