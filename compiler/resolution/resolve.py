"""From a context to a plan: ground, narrow, cascade, find hazards, and write down the reasons.

There is a plan if some choice of values satisfies every constraint and every `set`. The hazards of these values are
part of it; whether they stop the build is judged later (`plan/judge.py`).
"""

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.knowledge.model import Knowledge, absent, covered
from setpoint.compiler.language.syntax import Evidence, Set
from setpoint.compiler.plan.made_with import made_with
from setpoint.compiler.plan.model import THIS_SERVER, Plan, RequiredStrength
from setpoint.compiler.plan.waivers import Coverage
from setpoint.compiler.resolution.advisories import advisories
from setpoint.compiler.resolution.decisions import explain_decisions, references
from setpoint.compiler.resolution.expectations import unmet
from setpoint.compiler.resolution.ground import Problem, ground
from setpoint.compiler.resolution.hazards import effects_of, hazards_of, waivers_of
from setpoint.compiler.resolution.identity import identity
from setpoint.compiler.resolution.services import service_of
from setpoint.compiler.resolution.solution import Solution, attempt


def resolve(knowledge: Knowledge, context: Context) -> Plan:
    """The plan for a context. Raises SetpointError if there is none: E03xx conflicts, E05xx unsupported settings."""
    solution = solve(knowledge, context)
    bits = solution.bits(knowledge, context)
    here = knowledge.near(context.bits(knowledge))
    effects = effects_of(here, bits)
    hazards = hazards_of(here, context, solution, bits, effects)
    settings = explain_decisions(here, context, solution)
    reports = identity(here, context)
    coverage = Coverage(waivers := waivers_of(knowledge, context, hazards, settings))
    plan = Plan(
        policy=context.policy,
        facts=tuple(context.facts.values()),
        settings=settings,
        effects=effects,
        hazards=hazards,
        advisories=tuple(advisories(knowledge, context, solution, settings, reports, coverage)),
        waivers=tuple(map(coverage.waived, waivers)),
        sources=references(here, settings),
        identity=reports,
        service=service_of(here, bits, context.intent(knowledge)),
        registry=context.registry,
        evidence=_required_strength(context.evidence),
        made_with=made_with(knowledge.digests),
    )
    return plan._replace(advisories=(*plan.advisories, *unmet(knowledge, context, plan)))


def _required_strength(statement: Evidence | None) -> RequiredStrength | None:
    return RequiredStrength(statement.strength.text, statement.because.text) if statement else None


def solve(knowledge: Knowledge, context: Context) -> Solution:
    """Narrow and cascade. Raises SetpointError (E03xx, E05xx)."""
    problem = ground(knowledge, context)
    lacking = [d for statement in context.sets if (d := _lacking(knowledge, context, problem, statement))]
    if lacking:
        raise SetpointError(*lacking)
    solution = attempt(knowledge, context, problem)
    if solution is None:
        from setpoint.compiler.resolution.conflict import conflict  # only needed on the error path

        found = (_with_limits(context, each) for each in conflict(knowledge, context, problem))
        raise SetpointError(*found, *context.findings)
    return solution


def _with_limits(context: Context, conflict: Diagnostic) -> Diagnostic:
    """A conflict, with what the server's registry says of the settings that it names."""
    limited = context.registry.limited if context.registry else ()
    told = (context.says(each.setting) for each in limited if f"`{each.setting}" in conflict.message)
    return conflict._replace(notes=(*conflict.notes, *told))


def _not_offered(knowledge: Knowledge, context: Context, statement: Set) -> Diagnostic:
    """The diagnostic for a `set` of what no offer has here: a source says that it is absent (E0501), or none covers it (E0508)."""
    name, at = statement.setting.text, statement.setting.span
    where = covered(knowledge, name)
    server = THIS_SERVER + ", ".join(f"{f.name} {f.text}" for f in context.facts.values())
    lacks = absent(knowledge, name, context.bits(knowledge))
    if lacks is not None:
        notes = (f"source: {lacks.source}, {lacks.at}", f"available where: {where}", server)
        help_ = f"drop `set {name}`, or correct the fact that is wrong"
        return Diagnostic("E0501", f"`{name}` does not exist here", at, "absent", notes=notes, help=(help_,))
    return Diagnostic(
        "E0508",
        f"`{name}` is not covered here: no source says whether this server has it",
        at,
        "not covered",
        notes=(f"covered where: {where}", server),
        help=(
            f"drop `set {name}`, or state the fact that is missing",
            "if this server has it, add its `options` to the knowledge of your site",
        ),
    )


def _lacking(knowledge: Knowledge, context: Context, problem: Problem, statement: Set) -> Diagnostic | None:
    """The diagnostic for a `set` that the platform does not support (E0501, E0502)."""
    name, value = statement.setting.text, statement.value.text
    limited = context.limit(name)
    if name not in problem.offers and limited is not None:
        return Diagnostic(
            "E0501",
            f"`{name}` is not available on this server",
            statement.setting.span,
            "not offered",
            notes=(context.says(name),),
            help=(f"drop `set {name}`",),
        )
    if name not in problem.offers:
        return _not_offered(knowledge, context, statement)
    offer = problem.offers[name]
    if not knowledge.variables[name].listed(offer.values, value):
        notes: tuple[str, ...] = (
            f"offered: {', '.join(offer.values)} [{offer.citation.source}, {offer.citation.at}]",
        )
        if limited is not None:
            notes = (f"offered: {', '.join(offer.values)}", context.says(name))
        return Diagnostic(
            "E0502",
            f"`{name} {value}` is not supported here",
            statement.value.span,
            "not offered",
            notes=notes,
            help=(f"set {name} to one of: {', '.join(offer.values)}",),
        )
    return None
