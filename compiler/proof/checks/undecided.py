"""Settings that nothing decides (K02), and facts that leave a setting without a value (K03).

Both are checked for policies that set nothing, since a decision needs a reason. A setting without a rule and without a
stated default would get the first value of a list; if no source states the default, the author of the offer writes
`default unknown`. A default that a constraint forbids would be replaced by the next value of the list, which nobody
chose.

If a statement of a site and one of the library cause a finding together, it points to the site's, which its reader can
correct.
"""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.proof.analysis import Analysis
from setpoint.compiler.proof.example import extent, note, policy
from setpoint.compiler.proof.sets.ground import ScopedClause
from setpoint.compiler.proof.sets.narrow import SituationClauses


def undecided(analysis: Analysis, setting: str) -> Iterator[Diagnostic]:
    """The offers of a setting under which nothing decides it (K02)."""
    choice = analysis.outcome.choices[setting]
    knowledge = analysis.knowledge
    for offer, where in analysis.problem.offers:
        if offer.setting != setting:
            continue
        unknown = 0 if offer.unknown else where & choice.how["first"]
        if unknown:
            yield Diagnostic(
                "K02",
                f"`{setting}` has neither a rule nor a default",
                offer.span,
                f"{extent(analysis.space, unknown)}",
                (),
                (note(policy(knowledge, analysis.space.simplest(unknown).stated)),),
                (
                    f"state the default: `default {offer.values[0]}` or as the source has it",
                    "`default unknown` if no source states it: the plan then says so",
                    "or write a rule for it",
                ),
            )
        fallen = where & choice.how["fallback"]
        if fallen:
            clauses = [live.clause for live in analysis.index.of.get(setting, ()) if live.where & fallen]
            first, *others = _site_first(
                knowledge,
                Label(offer.span, f"{extent(analysis.space, fallen)}"),
                *dict.fromkeys(Label(clause.span, "forbids it") for clause in clauses),
            )
            yield Diagnostic(
                "K02",
                f"nothing decides `{setting}`: its default is not possible, and no rule gives another value",
                first.span,
                first.text,
                tuple(others),
                (note(policy(knowledge, analysis.space.simplest(fallen).stated)),),
                (f"write a rule for `{setting}` under these conditions, or correct the constraint",),
            )


def unsatisfiable(analysis: Analysis) -> Iterator[Diagnostic]:
    """The smallest sets of constraints that facts alone contradict (K03)."""
    left = analysis.unsatisfiable
    while left:
        situation = left & -left
        core = minimal_core(analysis.index.clauses, analysis.problem.domains, situation)
        clauses = sorted(
            (live.clause for live in core), key=lambda clause: analysis.knowledge.is_from_library(clause.span)
        )
        first, *others = clauses
        affected = left & ~SituationClauses(core).possible(analysis.problem.domains, left)
        settings = ", ".join(
            sorted({f"`{name}`" for clause in (first, *others) for name, _ in clause.literals})
        )
        stated = analysis.space.simplest(affected).stated
        yield Diagnostic(
            "K03",
            f"these facts leave no value for {settings}"
            if settings
            else "these facts contradict a constraint",
            first.span,
            "cannot hold here",
            tuple(Label(clause.span, "because of this") for clause in others),
            (
                f"{extent(analysis.space, affected)}",
                note(policy(analysis.knowledge, stated)),
            ),
            ("narrow the conditions of a constraint, or offer a value that satisfies them",),
        )
        left &= ~affected


def _site_first(knowledge: Knowledge, *labels: Label) -> list[Label]:
    return sorted(labels, key=lambda label: knowledge.is_from_library(label.span))


def minimal_core(
    clauses: tuple[ScopedClause, ...], domains: dict[str, dict[int, int]], where: int
) -> tuple[ScopedClause, ...]:
    """A smallest subset of clauses that is unsatisfiable in each of these situations; later clauses are preferred."""
    core = tuple(live for live in clauses if live.where & where)
    for live in core:
        without = tuple(other for other in core if other is not live)
        if not SituationClauses(without).possible(domains, where):
            core = without
    return core
