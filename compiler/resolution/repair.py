"""Ways out of what stops a build: the fewest changes to the user's own `set` statements.

A repair drops statements or gives one another value. Each is resolved before it is offered, with the
same hazards looked for as in any plan, so that it is known to work and how much else it moves. A hazard that the policy
waives stops nothing; on which day its waiver ends is not asked here, but for a hazard that stands since its waiver has. The search takes a
bounded number of steps (`narrow.Effort`); where they do not suffice, what was found by then is offered.
"""

from itertools import combinations
from typing import NamedTuple

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, SetpointError
from setpoint.compiler.diagnostics.fixes import Edit, Fix
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Name, Set
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.record import distinct
from setpoint.compiler.resolution.ground import ground
from setpoint.compiler.resolution.hazards import arising, effects_of, stops
from setpoint.compiler.resolution.narrow import Effort
from setpoint.compiler.resolution.solution import Solution, attempt

MOST_REPAIRS = 3
"""How many ways out a message shows: more would be a list, not advice."""


@distinct
class Change(NamedTuple):
    """Statements to take out, what to put in their place, and how to say so."""

    dropped: tuple[Set, ...]
    instead: tuple[Set, ...]
    text: str

    @property
    def fix(self) -> Fix:
        """The change as one of the policy's text."""
        if self.instead:
            return Fix(self.text, tuple(Edit(s.value.span, s.value.text) for s in self.instead))
        return Fix(self.text, tuple(Edit(s.span, "") for s in self.dropped))

    def applied(self, context: Context) -> Context:
        """The context with this change made."""
        kept = tuple(s for s in context.sets if s not in self.dropped)
        return context._replace(sets=(*kept, *self.instead))


@distinct
class Repair(NamedTuple):
    """A change that ends the conflict, and how many settings it moves beside those that it names.

    `hazards` are the names of those that stop the build all the same; the conflict is not what brings them about.
    """

    hazards: tuple[str, ...]
    moved: int
    text: str
    change: Change


@distinct
class _Outcome(NamedTuple):
    """What resolving came to: the solution, and the names of the hazards that stop the build."""

    solution: Solution
    hazards: frozenset[str]


def repairs(knowledge: Knowledge, context: Context, core: tuple[Set, ...]) -> tuple[Repair, ...]:
    """The smallest ways out of a conflict; those after which the policy compiles first, then those that move least.

    What a repair moves, and which hazards are not of its making, is seen against the same policy without
    any of the core. Dropping the whole core always works, so there is at least one way, if the effort suffices.
    """
    effort = Effort()
    waived = frozenset(statement.hazard.text for statement in context.accepts)
    without = context._replace(sets=tuple(s for s in context.sets if s not in core))
    plain = _outcome(knowledge, without, waived, effort)
    if plain is None:
        return ()
    for size in range(1, len(core) + 1):
        found = []
        for chosen in combinations(core, size):
            if effort.is_spent:
                break
            for change in changes(knowledge, chosen):
                outcome = _outcome(knowledge, change.applied(context), waived, effort)
                if outcome is not None and outcome.hazards <= plain.hazards:
                    moved = _moved(outcome, plain, core)
                    found.append(Repair(tuple(sorted(outcome.hazards)), moved, change.text, change))
        if found or effort.is_spent:
            return tuple(sorted(found, key=lambda r: (len(r.hazards), r.moved, r.text)))
    return ()


def hazard_repairs(knowledge: Knowledge, context: Context, judged: Judged) -> Judged:
    """A plan that hazards stop, with the changes of a single `set` that make each go and bring no other (E0401)."""
    standing = frozenset(name for name, hazard in judged.hazards.items() if hazard.state == "stops")
    if not standing:
        return judged  # what stops it is no hazard
    waived = frozenset(waiver.hazard for waiver in judged.plan.waivers) - judged.expired
    effort = Effort()
    outcomes = [
        (change, outcome.hazards)
        for statement in sorted(context.sets, key=lambda s: s.setting.text)
        for change in changes(knowledge, (statement,))
        if (outcome := _outcome(knowledge, change.applied(context), waived, effort)) is not None
    ]

    def repaired(error: Diagnostic) -> Diagnostic:
        found = [change for change, hazards in outcomes if hazards <= standing - {error.subject}]
        ways = found[:MOST_REPAIRS]
        help_ = (*(f"{way.text} (verified)" for way in ways), *error.help)
        return error._replace(help=help_, fixes=tuple(way.fix for way in ways))

    found = (repaired(d) if d.subject in standing else d for d in judged.diagnostics)
    return judged._replace(diagnostics=Diagnostics.of(found))


def changes(knowledge: Knowledge, chosen: tuple[Set, ...]) -> list[Change]:
    """What one may do with these statements: drop them; or, if it is one, give it another value."""
    found = [
        Change(chosen, (), "drop " + " and ".join(f"`set {s.setting.text} {s.value.text}`" for s in chosen))
    ]
    if len(chosen) == 1:
        (statement,) = chosen
        name, old = statement.setting.text, statement.value
        for value in knowledge.settings[name].values:
            if value != old.text:
                other = statement._replace(value=Name(value, old.span))
                found.append(Change(chosen, (other,), f"`set {name} {value}` instead of {old.text}"))
    return found


def _outcome(
    knowledge: Knowledge, context: Context, waived: frozenset[str], effort: Effort
) -> _Outcome | None:
    """What a changed policy comes to; None if it cannot be, is undecided, or the effort does not suffice to say."""
    if effort.is_spent:
        return None
    effort.taken += len(knowledge.rules)  # read once to see which apply
    try:
        solution = attempt(knowledge, context, ground(knowledge, context), effort)
    except SetpointError:
        return None
    if solution is None:
        return None
    bits = solution.bits(knowledge, context)
    found = arising(knowledge, bits, effects_of(knowledge, bits))
    stopping = (name for name, steps in found.items() if stops(knowledge.hazards[name], steps))
    return _Outcome(solution, frozenset(stopping) - waived)


def _moved(outcome: _Outcome, plain: _Outcome, core: tuple[Set, ...]) -> int:
    """How many settings, those of the core aside, are decided otherwise than without the core."""
    named = {s.setting.text for s in core}
    return sum(
        1
        for name, choice in outcome.solution.choices.items()
        if name not in named and choice.bit != plain.solution.choices[name].bit
    )
