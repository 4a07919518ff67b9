"""From a context to a plan: ground, narrow, cascade, find hazards, and write down the reasons.

There is a plan if some choice of values satisfies every constraint and every `set`. The hazards of these values are
part of it; whether they stop the build is judged later (`plan/judge.py`).
"""

from setpoint.compiler.binding.context import Context
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Evidence
from setpoint.compiler.plan.made_with import made_with
from setpoint.compiler.plan.model import Plan, RequiredStrength
from setpoint.compiler.plan.waivers import Coverage
from setpoint.compiler.resolution.advisories import advisories
from setpoint.compiler.resolution.decided import DecidedSettings, decide
from setpoint.compiler.resolution.decisions import references
from setpoint.compiler.resolution.expectations import unmet
from setpoint.compiler.resolution.hazards import effects_of, hazards_of, waivers_of
from setpoint.compiler.resolution.identity import service_of


def resolve(knowledge: Knowledge, context: Context) -> Plan:
    """The plan for a context. Raises SetpointError if there is none: E03xx conflicts, E05xx unsupported settings."""
    return plan_of(knowledge, context, decide(knowledge, context))


def plan_of(knowledge: Knowledge, context: Context, decided: DecidedSettings) -> Plan:
    """The plan for a context, from what is decided of all settings."""
    settings, bits, here = decided.settings, decided.bits, decided.here
    effects = effects_of(here, bits)
    hazards = hazards_of(here, context, decided.choices, bits, effects)
    coverage = Coverage(waivers := waivers_of(knowledge, context, hazards, settings))
    plan = Plan(
        policy=context.policy,
        facts=tuple(context.facts.values()),
        settings=settings,
        effects=effects,
        hazards=hazards,
        advisories=tuple(advisories(knowledge, context, decided, coverage)),
        waivers=tuple(map(coverage.waived, waivers)),
        sources=references(here, decided.cited),
        identity=decided.reports,
        service=service_of(here, bits, context.intent(knowledge)),
        registry=context.registry,
        evidence=_required_strength(context.evidence),
        made_with=made_with(knowledge.digests),
        places=context.places._replace(whole=context.intent(knowledge)),
    )
    return plan._replace(advisories=(*plan.advisories, *unmet(knowledge, context, plan)))


def _required_strength(statement: Evidence | None) -> RequiredStrength | None:
    return RequiredStrength(statement.strength.text, statement.because.text) if statement else None
