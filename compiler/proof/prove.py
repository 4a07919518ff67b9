"""All questions, asked of a whole knowledge base."""

from time import perf_counter
from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.knowledge.model import Knowledge
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
    idle_values,
    idle_words,
    overruled,
)
from setpoint.compiler.proof.space import counted
from setpoint.compiler.proof.world import Worlds


class Figures(NamedTuple):
    """What was gone through.

    `situations` are summed over the parts; `plans` and `conflicts` are what the single `set`s end in, a `set` in a
    situation counting once.
    """

    contexts: int
    situations: int
    parts: int
    settings: int
    rules: int
    constraints: int
    presets: int
    hazards: int
    plans: int
    conflicts: int
    seconds: float


class Proof(NamedTuple):
    """The findings, what they were looked for in, and the library's rules that a site's statements overrule everywhere."""

    findings: Diagnostics
    figures: Figures
    overruled: tuple[str, ...]


def prove(knowledge: Knowledge) -> Proof:
    """Ask every question of a knowledge base. Never raises: what is wrong is in the findings."""
    start = perf_counter()
    proof = asked_of(Worlds(knowledge))
    return proof._replace(figures=proof.figures._replace(seconds=perf_counter() - start))


def asked_of(worlds: Worlds) -> Proof:
    """The same of a knowledge base whose situations are known already; how long it took is not told."""
    knowledge = worlds.knowledge
    found: list[Diagnostic] = [
        *idle_words(knowledge, worlds.groups),
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
    ]
    over: list[str] = []
    situations = plans = conflicts = 0
    for part in worlds.parts:
        world = worlds.of(part)
        situations += len(world.space.situations)
        tied = {setting: list(ties(world, setting)) for setting in part.own}
        done = survey(world, part, frozenset(setting for setting in part.own if tied[setting]))
        plans += done.plans
        conflicts += done.conflicts
        found.extend(done.findings)
        for setting in part.own:
            found.extend(tied[setting])
            found.extend(opposed(world, setting, done.cited))
            found.extend(undecided(world, setting))
            found.extend(doubtful_offers(world, setting))
            found.extend(doubtful_profiles(world, setting))
        found.extend(unsatisfiable(world))
        found.extend(dead_rules(world, part, done.cited))
        over.extend(overruled(knowledge, part, done.cited))
        found.extend(idle_constraints(world, part))
        found.extend(idle_values(world, part, done.possible))
        found.extend(contradictory_constraints(world, part))
        found.extend(rules_out_of_scope(world, part))
        found.extend(idle_withdrawals(world, part))
    found.extend(idle_editions(worlds))
    found.extend(hazards_out_of_scope(worlds))
    found.extend(dead_hazards(worlds))
    found.extend(standing_hazards(worlds))
    found.extend(doubtful_effects(worlds))
    found.extend(idle_effects(worlds))
    figures = Figures(
        contexts=counted((knowledge,), worlds.groups),
        situations=situations,
        parts=len(worlds.parts),
        settings=len(knowledge.settings),
        rules=len(knowledge.rules),
        constraints=len(knowledge.constraints),
        presets=len(knowledge.presets),
        hazards=len(knowledge.hazards),
        plans=plans,
        conflicts=conflicts,
        seconds=0.0,
    )
    return Proof(Diagnostics.of(found), figures, tuple(sorted(over)))
