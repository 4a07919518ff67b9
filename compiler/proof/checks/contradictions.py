"""Contradictory constraints (K13): where one applies, nothing satisfies it together with the others.

"When A, require B" and "when A, require not B" together mean "never A". If that is intended, a `forbid` should say it,
so that policies with A get the true reason. Two constraints on facts alone contradict each other in every plan, which
K03 reports.
"""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import UNSTATED, Box, Constraint
from setpoint.compiler.proof.analysis import Analysis, Component
from setpoint.compiler.proof.checks.undecided import minimal_core
from setpoint.compiler.proof.example import note, policy, sets_for
from setpoint.compiler.proof.sets.ground import ScopedClause
from setpoint.compiler.proof.sets.narrow import SituationClauses, restricted


def contradictory_constraints(analysis: Analysis, component: Component) -> Iterator[Diagnostic]:
    """The constraints of a component that the others make unsatisfiable wherever their conditions are met."""
    seen: set[frozenset[str]] = set()
    for live in analysis.problem.clauses:
        constraint = live.clause.statement
        if (
            not isinstance(constraint, Constraint)
            or not live.where
            or not {n for n, _ in live.clause.literals} <= set(component.own)
        ):
            continue
        core = _core(analysis, constraint, live)
        names = frozenset(scoped.clause.name for scoped in core)
        if core and names not in seen:
            seen.add(names)
            yield _finding(analysis, constraint, live, core)


def _settings_condition(analysis: Analysis, constraint: Constraint) -> Box:
    """The condition of a constraint on settings, if it requires something of a setting; else nothing."""
    if constraint.require is None or constraint.require[0] not in analysis.knowledge.settings:
        return ()
    return tuple(pair for pair in constraint.when if pair[0] in analysis.knowledge.settings)


def _core(analysis: Analysis, constraint: Constraint, live: ScopedClause) -> tuple[ScopedClause, ...]:
    """A smallest set of clauses, with this constraint, that forbids its conditions wherever it applies; () for none."""
    asked = _settings_condition(analysis, constraint)
    where = live.where & ~analysis.unsatisfiable
    domains = restricted(analysis.domains, where)
    for name, mask in asked:
        if mask & UNSTATED:
            return ()  # where it is absent the constraint says nothing
        domains[name] = {bit: there for bit, there in domains[name].items() if bit & mask}
    if not asked or analysis.index.possible(domains, where, [name for name, _ in asked]):
        return ()
    others = tuple(scoped for scoped in analysis.problem.clauses if scoped is not live)
    without = SituationClauses(others).possible(domains, where)
    return minimal_core((*others, live), domains, without & -without) if without else ()


def _finding(
    analysis: Analysis, constraint: Constraint, live: ScopedClause, core: tuple[ScopedClause, ...]
) -> Diagnostic:
    knowledge = analysis.knowledge
    asked = _settings_condition(analysis, constraint)
    spans = dict.fromkeys(scoped.clause.span for scoped in core if scoped.clause.span != constraint.span)
    places = sorted([constraint.span, *spans], key=knowledge.is_from_library)
    others = ", ".join(sorted({f"`{scoped.clause.name}`" for scoped in core if scoped.clause.span in spans}))
    message = f"constraint `{constraint.name}` " + (
        f"contradicts {others}: together they rule out {knowledge.box_text(asked)}"
        if others
        else f"cannot be satisfied: it rules out {knowledge.box_text(asked)}"
    )
    stated = analysis.space.simplest(live.where & ~analysis.unsatisfiable).stated
    return Diagnostic(
        "K13",
        message,
        places[0],
        "cannot be satisfied where it applies",
        tuple(Label(span, "contradicts it") for span in places[1:]),
        (note(policy(knowledge, stated, sets_for(knowledge, asked))),),
        (
            "correct what one of them requires, or narrow its conditions",
            "to exclude this combination, use `forbid`",
        ),
    )
