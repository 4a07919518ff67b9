"""Which `set`s a server does not support: the setting is absent (E0501), the value (E0502), or not covered (E0508)."""

from collections.abc import Iterator

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import Knowledge, absent, covered
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.plan.model import THIS_SERVER
from setpoint.compiler.resolution.ground import Problem


def unsupported(knowledge: Knowledge, context: Context, problem: Problem) -> Iterator[Diagnostic]:
    """The diagnostics for the `set`s of a policy that its server does not support."""
    return filter(None, (_lacking(knowledge, context, problem, statement) for statement in context.sets))


def _not_offered(knowledge: Knowledge, context: Context, statement: Set) -> Diagnostic:
    """The diagnostic for a `set` without an offer: a source says it is absent (E0501), or none covers it (E0508)."""
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
