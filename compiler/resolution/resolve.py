"""From a context to a plan: ground, narrow, cascade, find hazards, and write down the reasons.

The first plans of a process are decided from nothing, and need nothing of what decides by parts (`memory`). What has to
be read for that takes as long as a few plans.

There is a plan if some choice of values satisfies every constraint and every `set`. The hazards of these values are
part of it; whether they stop the build is judged later (`plan/judge.py`).
"""

from contextlib import suppress

from setpoint.compiler.binding.context import Context
from setpoint.compiler.hints import TYPE_CHECKING
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.remembered import remembered
from setpoint.compiler.language.syntax import Evidence
from setpoint.compiler.plan.made_with import made_with
from setpoint.compiler.plan.model import Plan, RequiredStrength
from setpoint.compiler.plan.waivers import Coverage
from setpoint.compiler.resolution.advisories import advisories
from setpoint.compiler.resolution.decided import ApartError, DecidedSettings, decided_from_nothing
from setpoint.compiler.resolution.decisions import references
from setpoint.compiler.resolution.expectations import unmet
from setpoint.compiler.resolution.hazards import effects_of, hazards_of, waivers_of
from setpoint.compiler.resolution.identity import service_of

if TYPE_CHECKING:
    from setpoint.compiler.resolution.memory import KnownParts

FROM_NOTHING = 4
"""How many plans are made from nothing before the parts of a knowledge base are worth finding."""


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


def decide(knowledge: Knowledge, context: Context) -> DecidedSettings:
    """All decisions for a context. Raises SetpointError (E03xx, E05xx) and BudgetSpentError."""
    if context.registry is None:
        base: _Base = remembered(knowledge).of(_Base, lambda: _Base(knowledge))
        if (parts := base.parts(context)) is not None:
            with suppress(ApartError):
                return parts.decided(context)
    return decided_from_nothing(knowledge, context)


class _Base:
    """A knowledge base that plans are made with. Its parts are divided once that is worth it: for the servers that were
    asked for, of a large one; and again for more of them, once twice as many plans were not for those as before.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._values = dict.fromkeys(sorted(knowledge.dividing), 0)
        self._asked, self._from_nothing = 0, FROM_NOTHING
        self._parts: KnownParts | None = None

    def parts(self, context: Context) -> "KnownParts | None":
        """The parts, for one more plan; None while that is made from nothing."""
        bits = context.bits(self._knowledge) if self._values else {}
        if self._parts is not None and self._parts.are_of(bits):
            return self._parts
        for name in self._values:
            self._values[name] |= bits[name]
        self._asked += 1
        if self._asked <= self._from_nothing:
            return None
        from setpoint.compiler.resolution.memory import KnownParts  # not needed for a few plans

        self._asked, self._from_nothing = 0, 2 * self._from_nothing
        self._parts = KnownParts(self._knowledge, self._values)
        return self._parts
