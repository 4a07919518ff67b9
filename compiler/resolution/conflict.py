"""Explain why there is no solution: the smallest set of statements that contradict each other.

Candidates are the policy's own `set` statements; facts are shown but never offered as a repair. The core is found by
deletion: leave out one statement after another, and keep it out if the rest is still impossible. Then the constraints
that lead to the contradiction are reduced in the same way, so that every cited one is needed. `repair` finds the
repairs. If there are several cores, the choice among them depends on what the statements say and not on their order;
the message lists them in their order.

All of this takes a bounded number of steps (`narrow.Effort`). If these are not enough, statements that were not shown
to be superfluous stay, and the message says that a smaller set may be enough.
"""

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.resolution.ground import Clause, Problem
from setpoint.compiler.resolution.narrow import ClauseIndex, Effort, TooHardError
from setpoint.compiler.resolution.repair import MOST_REPAIRS, repairs
from setpoint.compiler.resolution.search import is_possible
from setpoint.compiler.resolution.solution import with_sets


def conflict(knowledge: Knowledge, context: Context, problem: Problem) -> tuple[Diagnostic, ...]:
    """One diagnostic (E0301) for each of the disjoint cores."""
    effort = Effort()
    cores = disjoint_cores(knowledge, problem, context.sets, effort)
    diagnostics = []
    for core in cores:
        elsewhere = [s for other in cores if other is not core for s in other]
        alone = context._replace(sets=tuple(s for s in context.sets if s not in elsewhere))
        diagnostics.append(_diagnostic(knowledge, alone, problem, core, len(cores) - 1, effort))
    return tuple(diagnostics)


def disjoint_cores(
    knowledge: Knowledge, problem: Problem, sets: tuple[Set, ...], effort: Effort | None = None
) -> tuple[tuple[Set, ...], ...]:
    """Minimal cores that share no statement; without all of them the rest is possible.

    There is at least one. It is empty if the facts alone contradict a constraint.
    """
    effort = effort or Effort()
    remaining = sorted(sets, key=lambda s: s.setting.text)
    cores: list[tuple[Set, ...]] = []
    while not cores or _is_refuted(knowledge, problem, tuple(remaining), problem.clauses, effort):
        core = minimal_core(knowledge, problem, tuple(remaining), effort)
        if not core:
            return (core,)
        cores.append(core)
        remaining = [s for s in remaining if s not in core]
    return tuple(cores)


def minimal_core(
    knowledge: Knowledge, problem: Problem, sets: tuple[Set, ...], effort: Effort
) -> tuple[Set, ...]:
    """A subset of these statements that is impossible and has no smaller one, as far as the effort allows."""
    core = list(sets)
    for statement in sets:
        without = [s for s in core if s is not statement]
        if _is_refuted(knowledge, problem, tuple(without), problem.clauses, effort):
            core = without
    return tuple(core)


def _is_refuted(
    knowledge: Knowledge,
    problem: Problem,
    sets: tuple[Set, ...],
    clauses: tuple[Clause, ...],
    effort: Effort,
) -> bool:
    """Whether these statements are known to be impossible under these clauses; False if the effort is not enough."""
    domains = with_sets(knowledge, problem, sets)
    if not all(domains.values()):
        return True
    if effort.is_spent:
        return False
    try:
        return not is_possible(ClauseIndex(clauses, effort), domains)
    except TooHardError:
        return False


def needed_clauses(
    knowledge: Knowledge, problem: Problem, core: tuple[Set, ...], effort: Effort | None = None
) -> tuple[Clause, ...]:
    """The clauses that are each needed to make the core impossible, as far as the effort allows."""
    effort = effort or Effort()
    needed = list(problem.clauses)
    for clause in problem.clauses:
        without = [c for c in needed if c is not clause]
        if _is_refuted(knowledge, problem, core, tuple(without), effort):
            needed = without
    return tuple(needed)


def _impossible_facts(context: Context, settings: list[str], notes: tuple[str, ...]) -> Diagnostic:
    """The diagnostic of a conflict of which no statement of the policy is a part."""
    return Diagnostic(
        "E0301",
        f"these facts leave no value for {', '.join(f'`{name}`' for name in settings) or 'any setting'}",
        min(
            (context.places.of_fact(f) for f in context.facts.values() if f.origin == "stated"),
            default=NOWHERE,
        ),
        notes=notes,
    )


def _diagnostic(
    knowledge: Knowledge,
    context: Context,
    problem: Problem,
    core: tuple[Set, ...],
    aside: int,
    effort: Effort,
) -> Diagnostic:
    """The diagnostic of a core; `aside` is the number of other cores, which the context does not contain."""
    clauses = needed_clauses(knowledge, problem, core, effort)
    notes = (*(_reason(clause) for clause in clauses), f"given: {_given(context)}")
    if effort.is_spent:
        notes += (f"a smaller set may be enough: the search for it was stopped after {effort.most:,} steps",)
    if not core:
        settings = sorted({name for clause in clauses for name, _ in clause.literals})
        return _impossible_facts(context, settings, notes)
    as_they_stand = sorted(core, key=lambda s: s.span)
    what = [f"`{s.setting.text} {s.value.text}`" for s in as_they_stand]
    *others, last = as_they_stand
    ways = repairs(knowledge, context, core)
    checked = f"verified without the other conflict{'s' * (aside > 1)}" if aside else "verified"
    return Diagnostic(
        "E0301",
        f"{what[0]} is not possible here"
        if len(core) == 1
        else f"{', '.join(what[:-1])} and {what[-1]} contradict each other",
        last.span,
        "not possible" if not others else "conflicts with the other" + "s" * (len(others) > 1),
        tuple(Label(s.span, "requested here") for s in others),
        notes,
        tuple(
            f"{way.text} ({checked}; {_moved(way.moved)}{_remaining(way.hazards)})"
            for way in ways[:MOST_REPAIRS]
        ),
        fixes=tuple(way.change.fix for way in ways[:MOST_REPAIRS]),
    )


def _reason(clause: Clause) -> str:
    """What a clause says, and who says so. The text of a preset already names its source."""
    named = f"{clause.name}: " if clause.kind == "constraint" else ""
    return f"{named}{clause.because} [{clause.citation.source}, {clause.citation.at}]"


def _given(context: Context) -> str:
    facts = context.facts.values()
    return ", ".join(f"{f.name} {f.text}" + (f" ({f.origin})" if f.origin != "stated" else "") for f in facts)


def _moved(count: int) -> str:
    return f"changes {count} other setting{'s' * (count > 1)}" if count else "changes no other setting"


def _remaining(hazards: tuple[str, ...]) -> str:
    """The hazards that still stop the build after the repair; the conflict concealed them."""
    if not hazards:
        return ""
    named = " and ".join(f"`{name}`" for name in hazards)
    return f"; hazard {named} then remains" if len(hazards) == 1 else f"; hazards {named} then remain"
