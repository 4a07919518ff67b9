"""Repairs of what stops a build: the fewest changes to the policy's own `set` statements.

A repair drops statements or gives one another value. Each one is resolved before it is offered, including hazards and
what profiles may lock, so that it is known to work and how many other settings it changes. A waived hazard stops
nothing; the end of a waiver matters only for a hazard whose waiver has expired. The search takes a bounded number of
steps (`narrow.Effort`); if these are not enough, the repairs found so far are offered.
"""

from itertools import combinations

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, SetpointError
from setpoint.compiler.diagnostics.fixes import OPEN_REASON, Edit, Fix
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Name, Set
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.waivers import HAZARD
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.ground import ground
from setpoint.compiler.resolution.hazards import arising, effects_of, stops
from setpoint.compiler.resolution.narrow import Effort
from setpoint.compiler.resolution.profiles import unknown_members
from setpoint.compiler.resolution.solution import Solution, attempt

MOST_REPAIRS = 3
"""How many repairs a message shows: more would be a list, not advice."""


class Attempt(NamedTuple):
    """Statements to remove, their replacements, and a description.

    `distance` is how far another number is from the one that the policy has.
    """

    dropped: tuple[Set, ...]
    instead: tuple[Set, ...]
    text: str
    distance: int = 0

    @property
    def fix(self) -> Fix:
        """The change as a fix of the policy's text."""
        if self.instead:
            values = [Edit(s.value.span, s.value.text) for s in self.instead]
            reasons = [Edit(s.because.span, OPEN_REASON) for s in self.instead]
            return Fix(self.text, (*values, *reasons))
        return Fix(self.text, tuple(Edit(s.span, "") for s in self.dropped))

    def applied(self, context: Context) -> Context:
        """The context after this change."""
        kept = tuple(s for s in context.sets if s not in self.dropped)
        return context._replace(sets=(*kept, *self.instead))


class Repair(NamedTuple):
    """A change that ends the conflict, and the number of other settings that it changes.

    `hazards` are the names of those that stop the build all the same; the change does not cause them.
    """

    hazards: tuple[str, ...]
    moved: int
    text: str
    change: Attempt


class _Resolved(NamedTuple):
    """The result of resolving: the solution, and what stops the build: hazards, and `set`s of locked settings."""

    solution: Solution
    hazards: frozenset[str]
    unwritable: frozenset[str]


def repairs(knowledge: Knowledge, context: Context, core: tuple[Set, ...]) -> tuple[Repair, ...]:
    """The smallest repairs of a conflict; those after which the policy compiles first, then those that change least.

    The settings that a repair changes, and the hazards that it does not cause, are found by comparison with the same
    policy without the core. Dropping the whole core always works, so there is at least one repair, if the effort is
    enough.
    """
    effort = Effort()
    waived = frozenset(s.what.text for s in context.accepts if s.is_of_hazard)
    without = context._replace(sets=tuple(s for s in context.sets if s not in core))
    plain = _outcome(knowledge, without, waived, effort)
    if plain is None:
        return ()
    for size in range(1, len(core) + 1):
        ways = []
        for chosen in combinations(core, size):
            if effort.is_spent:
                break
            for change in changes(knowledge, chosen):
                outcome = _outcome(knowledge, change.applied(context), waived, effort)
                if outcome is not None and _stops_no_more(outcome, plain.hazards, plain.unwritable):
                    moved = _moved(outcome, plain, core)
                    ways.append(Repair(tuple(sorted(outcome.hazards)), moved, change.text, change))
        if ways or effort.is_spent:
            return tuple(sorted(ways, key=lambda r: (len(r.hazards), r.moved, r.change.distance, r.text)))
    return ()


def hazard_repairs(knowledge: Knowledge, context: Context, judged: Judged) -> Judged:
    """Add to a plan that hazards stop each change of one `set` that removes one without causing another (E0401)."""
    stopping = frozenset(name for name, hazard in judged.hazards.items() if hazard.state == "stops")
    if not stopping:
        return judged  # it is not a hazard that stops it
    waived = frozenset(w.name for w in judged.plan.waivers if w.kind == HAZARD) - judged.expired
    unwritable = frozenset(d.setting for d in judged.plan.settings if d.unwritten == "unknown")
    effort = Effort()
    outcomes = [
        (change, outcome)
        for statement in sorted(context.sets, key=lambda s: s.setting.text)
        for change in changes(knowledge, (statement,))
        if (outcome := _outcome(knowledge, change.applied(context), waived, effort)) is not None
    ]

    def repaired(error: Diagnostic) -> Diagnostic:
        left = stopping - {error.subject}
        removals = [change for change, outcome in outcomes if _stops_no_more(outcome, left, unwritable)]
        ways = removals[:MOST_REPAIRS]
        help_ = (*(f"{way.text} (verified)" for way in ways), *error.help)
        return error._replace(help=help_, fixes=tuple(way.fix for way in ways))

    diagnostics = (
        repaired(d) if d.code == "E0401" and d.subject in stopping else d for d in judged.diagnostics
    )
    return judged._replace(diagnostics=Diagnostics.of(diagnostics))


def changes(knowledge: Knowledge, chosen: tuple[Set, ...]) -> list[Attempt]:
    """The possible changes of these statements: drop them or, for a single one, give it another value."""
    attempts = [
        Attempt(chosen, (), "drop " + " and ".join(f"`set {s.setting.text} {s.value.text}`" for s in chosen))
    ]
    if len(chosen) == 1:
        (statement,) = chosen
        name, old = statement.setting.text, statement.value
        variable = knowledge.variables[name]
        for value in variable.named:
            if value != old.text:
                other = statement._replace(value=Name(value, span=old.span))
                text = f"`set {name} {value}` instead of {old.text}"
                attempts.append(Attempt(chosen, (other,), text, variable.distance(value, old.text)))
    return sorted(attempts, key=lambda change: change.distance)


def _outcome(
    knowledge: Knowledge, context: Context, waived: frozenset[str], effort: Effort
) -> _Resolved | None:
    """The result of a changed policy; None if it is impossible or undecided, or the effort is not enough to know."""
    if effort.is_spent:
        return None
    effort.spent += len(knowledge.rules)  # iterate once to see which apply
    try:
        solution = attempt(knowledge, context, ground(knowledge, context), effort)
    except SetpointError:
        return None
    if solution is None:
        return None
    bits = solution.bits(knowledge, context)
    hazards = arising(knowledge, bits, effects_of(knowledge, bits))
    stopping = (name for name, steps in hazards.items() if stops(knowledge.hazards[name], steps))
    problem = solution.problem
    locking = tuple(preset for preset in problem.presets if preset.governor not in problem.standing)
    unwritable = unknown_members(
        locking, solution.values(knowledge, context), [s.setting.text for s in context.sets]
    )
    return _Resolved(solution, frozenset(stopping) - waived, unwritable)


def _stops_no_more(outcome: _Resolved, hazards: frozenset[str], unwritable: frozenset[str]) -> bool:
    """Whether nothing else stops the build after a change than these."""
    return outcome.hazards <= hazards and outcome.unwritable <= unwritable


def _moved(outcome: _Resolved, plain: _Resolved, core: tuple[Set, ...]) -> int:
    """How many settings outside the core are decided differently than without the core."""
    named = {s.setting.text for s in core}
    return sum(
        1
        for name, choice in outcome.solution.choices.items()
        if name not in named and choice.bit != plain.solution.choices[name].bit
    )
