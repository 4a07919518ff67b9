"""From a context to a plan: ground, narrow, cascade, look for hazards, and write down why.

Raises SetpointError with the errors; a plan always comes whole. What does not stop the build is in
the plan's own diagnostics.
"""

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.resolution.account import account, references
from setpoint.compiler.resolution.ground import Problem, ground
from setpoint.compiler.resolution.hazards import effects_of, hazards_of
from setpoint.compiler.resolution.identity import identity
from setpoint.compiler.resolution.remarks import remarks
from setpoint.compiler.resolution.solution import Solution, attempt


def resolve(knowledge: Knowledge, context: Context, today: str = "") -> Plan:
    """The plan for a context. `today` (ISO) is what the expiry of waivers is compared with; "" for never.

    Raises SetpointError: E03xx conflicts, E04xx hazards, E05xx what the platform lacks.
    """
    solution = solve(knowledge, context, today)
    bits = solution.bits(knowledge, context)
    effects = effects_of(knowledge, bits)
    hazards = hazards_of(knowledge, context, bits, effects, today)
    errors = tuple(d for d in hazards.findings if d.severity == "error")
    if errors:
        from setpoint.compiler.resolution.repair import hazard_repairs  # only wanted on the error path

        raise SetpointError(
            *(hazard_repairs(knowledge, context, errors, error, today) for error in errors), *context.findings
        )
    settings = account(knowledge, context, solution)
    in_doubt = _maybe_locked(context, settings)
    if in_doubt:
        raise SetpointError(*in_doubt, *context.findings)
    findings = [*context.findings, *hazards.findings, *remarks(knowledge, context, solution, settings)]
    return Plan(
        policy=context.policy,
        facts=tuple(context.facts.values()),
        settings=settings,
        effects=effects,
        waivers=hazards.waivers,
        sources=references(knowledge, settings),
        diagnostics=Diagnostics.of(findings),
        identity=identity(knowledge, context),
    )


def _maybe_locked(context: Context, settings: tuple[Decision, ...]) -> list[Diagnostic]:
    """The `set`s of values that cannot be written, since a profile may lock them (E0505)."""
    unknown = {d.setting: d for d in settings if d.unwritten == "unknown"}
    return [
        Diagnostic(
            "E0505",
            f"`{statement.setting.text} {statement.value.text}` may be locked, so no artifact can set it",
            statement.span,
            "asked for here",
            notes=tuple(
                note.text for note in unknown[statement.setting.text].notes if note.kind == "unknown"
            ),
            help=(
                "say in the `preset` what the profile does to it: a value, or `free`",
                "or set the profile to one of which it is known",
            ),
        )
        for statement in context.sets
        if statement.setting.text in unknown
    ]


def solve(knowledge: Knowledge, context: Context, today: str = "") -> Solution:
    """Narrow and cascade. Raises SetpointError (E03xx, E05xx)."""
    problem = ground(knowledge, context)
    lacking = [d for statement in context.sets if (d := _lacking(knowledge, context, problem, statement))]
    if lacking:
        raise SetpointError(*lacking)
    solution = attempt(knowledge, context, problem)
    if solution is None:
        from setpoint.compiler.resolution.conflict import conflict  # only wanted on the error path

        raise SetpointError(*conflict(knowledge, context, problem, today), *context.findings)
    return solution


def _lacking(knowledge: Knowledge, context: Context, problem: Problem, statement: Set) -> Diagnostic | None:
    """The diagnostic for a `set` that asks what the platform has not (E0501, E0502)."""
    name, value = statement.setting.text, statement.value.text
    if name not in problem.offers:
        conditions = sorted({knowledge.box_text(offer.when) for offer in knowledge.offers.get(name, ())})
        where = "; or ".join(conditions) or "nowhere"
        known = ", ".join(f"{f.name} {f.text}" for f in context.facts.values())
        return Diagnostic(
            "E0501",
            f"there is no `{name}` here",
            statement.setting.span,
            "not offered",
            notes=(f"it is offered where: {where}", f"this policy has: {known}"),
            help=(f"drop `set {name}`, or state the fact that is missing",),
        )
    offer = problem.offers[name]
    if value not in offer.values:
        return Diagnostic(
            "E0502",
            f"`{name}` cannot be {value} here",
            statement.value.span,
            "not offered",
            notes=(f"offered: {', '.join(offer.values)} [{offer.citation.source}, {offer.citation.at}]",),
            help=(f"set {name} to one of: {', '.join(offer.values)}",),
        )
    return None
