"""The cascade: decide the settings one by one, in the published order.

Each setting takes the value of the strongest recommendation that applies and is still possible; then the others are
narrowed. A few criteria in a fixed order determine which recommendation is stronger: in scope before out of scope, site
before standard, then strength, then nearness to the source's scope, then advice on the setting itself before advice
implied by a profile, and last the strictly narrower condition. Advice that an exception or a later edition withdraws
does not apply, nor does the advice that it would imply. Equally strong recommendations of different values are an
error.

A governing setting is decided after its members. If nothing recommends its value, it is derived from theirs.
"""

from collections.abc import Callable, Iterator

from setpoint.compiler.diagnostics import Diagnostic, Label, SetpointError
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.boxes import narrowest, one_of_each_condition
from setpoint.compiler.knowledge.model import UNSTATED, Knowledge, several
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.ground import Problem, Proposal, withdrawn
from setpoint.compiler.resolution.narrow import ClauseIndex, DeadEndError, Domains, Removal
from setpoint.compiler.resolution.profiles import Member, derived, members_of
from setpoint.compiler.resolution.search import is_possible


class Rejected(NamedTuple):
    """A proposal that did not win, the reason, and the name of the proposal that beat it."""

    proposal: Proposal
    reason: str
    by: str


class Choice(NamedTuple):
    """The decision on a setting: the value's bit, how it was decided, the proposals that won, and those that lost.

    `how` is `rule` if proposals won, `only` if narrowing had left one value, `default`, `first` if no source states a
    default, `fallback` if the default itself was impossible, or `derived` from the members of a profile.
    """

    setting: str
    bit: int
    how: str
    winners: tuple[Proposal, ...]
    losers: tuple[Rejected, ...]


def cascade(
    knowledge: Knowledge, problem: Problem, index: ClauseIndex, start: Domains, at: Span, steps: list[Removal]
) -> dict[str, Choice]:
    """Decide every setting. Raises SetpointError (E0303) on a tie.

    `start` must be possible; `steps` receives the removals, for explanation.
    """
    fast_steps: list[Removal] = []
    try:
        choices = straight(knowledge, problem, index, start, at, fast_steps)
        steps.extend(fast_steps)
        return choices
    except (DeadEndError, SetpointError):
        # Narrowing alone reached a dead end, or a tie between values that may not all be possible: start again,
        # and check before each choice that it can be completed.
        return _walk(knowledge, problem, index, dict(start), at, steps, look_ahead=True)


def straight(
    knowledge: Knowledge, problem: Problem, index: ClauseIndex, start: Domains, at: Span, steps: list[Removal]
) -> dict[str, Choice]:
    """Decide every setting as `cascade`, without looking ahead. Raises SetpointError (E0303) and DeadEndError."""
    return _walk(knowledge, problem, index, dict(start), at, steps, look_ahead=False)


def _walk(
    knowledge: Knowledge,
    problem: Problem,
    index: ClauseIndex,
    domains: Domains,
    at: Span,
    steps: list[Removal],
    look_ahead: bool,
) -> dict[str, Choice]:
    choices: dict[str, Choice] = {}
    for name in sorted(problem.domains, key=lambda n: knowledge.settings[n].position):
        choice = _choose(knowledge, problem, index, domains, choices, name, at, look_ahead)
        choices[name] = choice
        if domains[name] != choice.bit:
            domains[name] = choice.bit
            index.narrow(domains, (name,), steps)
    return choices


def applicable(proposals: tuple[Proposal, ...], domains: Domains) -> tuple[list[Proposal], list[Rejected]]:
    """The proposals whose conditions on settings are true, without those that another one withdraws."""
    true = [p for p in proposals if all(domains.get(n, UNSTATED) & mask for n, mask in p.reads)]
    withdrawn_by = withdrawn(true) | {p.rule.name: p.withdrawn for p in true if p.withdrawn}
    effective = [p for p in true if p.rule.name not in withdrawn_by]
    rejected = [p for p in true if p.rule.name in withdrawn_by]
    return effective, [Rejected(p, "withdrawn", withdrawn_by[p.rule.name]) for p in rejected]


def _choose(
    knowledge: Knowledge,
    problem: Problem,
    index: ClauseIndex,
    domains: Domains,
    choices: dict[str, Choice],
    name: str,
    at: Span,
    look_ahead: bool,
) -> Choice:
    variable, values = knowledge.variables[name], domains[name]
    effective, retracted = applicable(problem.proposals.get(name, ()), domains)
    default = problem.usual(name)

    possible: dict[str, bool] = {}

    def can_be(value: str) -> bool:
        if value not in possible:
            bit = values & variable.bit(value)
            is_dead = look_ahead and bit and not is_possible(index, {**domains, name: bit}, (name,))
            possible[value] = bool(bit) and not is_dead
        return possible[value]

    def is_tentative(p: Proposal) -> bool:
        return bool(p.is_tentative and default) and can_be(p.value) and can_be(default)

    feasible = [p for p in effective if can_be(p.value)]
    tentative = [p for p in feasible if is_tentative(p)]
    # Also what is not possible: a profile may be so only because what it implies was withheld from its members.
    withheld = [p for p in effective if p.is_withheld and not is_tentative(p)]
    blocked = [Rejected(p, "blocked", "") for p in effective if not can_be(p.value) and not p.is_withheld]
    firm = [p for p in feasible if not p.is_withheld and not is_tentative(p)]
    top = unbeaten(firm)
    if not top:
        value, how = _unadvised(knowledge, problem, name, values, choices, can_be)
        winners = tuple(p for p in tentative if p.value == value and not p.is_withheld)
        return Choice(
            name,
            variable.bit(value),
            how,
            winners,
            (*retracted, *_withheld(withheld), *_untested(tentative, value), *blocked),
        )
    value = top[0].value
    if any(p.value != value for p in top):
        raise SetpointError(_tie(name, top, at))
    how = "rule" if several(values) or not several(problem.domains[name]) else "only"
    heard = [p for p in effective if p.value != value and (can_be(p.value) or p.is_withheld)]
    first = tuple(one_of_each_condition(top).values())
    by = [(p, next((q for q in first if q.beats(p)), None)) for p in heard]
    left = [p for p, winner in by if winner is None]
    losers = (
        *retracted,
        *(Rejected(p, criterion(winner, p), winner.rule.name) for p, winner in by if winner is not None),
        *_withheld([p for p in left if p.is_withheld and not is_tentative(p)]),
        *_untested([p for p in left if is_tentative(p)], value),
        *blocked,
    )
    return Choice(name, variable.bit(value), how, _winners(top, feasible), losers)


def unbeaten(feasible: list[Proposal]) -> list[Proposal]:
    """The proposals that no other one beats: of the highest grade, those with the narrowest conditions."""
    highest = max((p.grade for p in feasible), default=None)
    return narrowest([p for p in feasible if p.grade == highest])


def _unadvised(
    knowledge: Knowledge,
    problem: Problem,
    name: str,
    values: int,
    choices: dict[str, Choice],
    can_be: Callable[[str], bool],
) -> tuple[str, str]:
    """The value of a setting without a recommendation, and how it was decided."""
    variable, default = knowledge.variables[name], problem.usual(name)
    if not several(values):
        return variable.name_of(values), "only"
    members = members_of(problem.presets, name) if name not in problem.standing else ()
    if members:
        decided = {
            member: _member(knowledge, problem, choices[member]) for member in members if member in choices
        }
        possible = [value for value in variable.names(values) if can_be(value)]
        if profile := derived(problem.presets, name, possible, default, decided):
            return profile, "default" if profile == default else "derived"
    if default and can_be(default):
        return default, "default"
    first = next(value for value in variable.names(values) if can_be(value))
    return first, "fallback" if default else "first"


def _member(knowledge: Knowledge, problem: Problem, choice: Choice) -> Member:
    default = problem.defaults.get(choice.setting, "")
    departs = bool(default) and choice.bit != knowledge.variables[choice.setting].bit(default)
    is_one_of_several = choice.how == "only" and several(problem.domains[choice.setting])
    return Member(
        departs,
        choice.setting in problem.requested
        or is_one_of_several
        or choice.how in ("rule", "fallback", "derived"),
    )


def _withheld(proposals: list[Proposal]) -> list[Rejected]:
    """What would decide if the policy did not require stronger evidence, the strongest first."""
    return [Rejected(p, "withheld", "") for p in _with_first(unbeaten(proposals), proposals)]


def _untested(tentative: list[Proposal], value: str) -> list[Rejected]:
    """Advice too weak to replace a vendor default: for other hardware or another use, without a vendor's word there."""
    return [Rejected(p, "untested-here", "") for p in tentative if p.value != value]


def _winners(top: list[Proposal], feasible: list[Proposal]) -> tuple[Proposal, ...]:
    """The unbeaten proposals, which agree on the value, then the others with the same value."""
    return tuple(_with_first(top, [p for p in feasible if p.value == top[0].value]))


def _with_first(first: list[Proposal], proposals: list[Proposal]) -> Iterator[Proposal]:
    """The first ones of these proposals, then the others."""
    yield from first
    known = set(map(id, first))
    yield from (p for p in proposals if id(p) not in known)


def criterion(winner: Proposal, loser: Proposal) -> str:
    """The first criterion that favours the winner, from a fixed vocabulary."""
    for reason, ours, theirs in zip(
        ("out-of-scope", "site", "weaker-evidence", "farther-from-scope", "brought-by-profile"),
        winner.grade,
        loser.grade,
        strict=True,
    ):
        if ours != theirs:
            return reason
    return "broader"


def _tie(name: str, top: list[Proposal], at: Span) -> Diagnostic:
    first = top[0]
    second = next(p for p in top if p.value != first.value)
    return Diagnostic(
        "E0303",
        f"conflicting recommendations for `{name}`: neither takes precedence",
        at,
        "both apply here",
        (
            Label(first.rule.span, f"`{first.rule.name}` recommends {first.value}"),
            Label(second.rule.span, f"`{second.rule.name}` recommends {second.value}"),
        ),
        help=(
            f'decide here: `set {name} {first.value} because "…"`',
            f"or in the knowledge base: `exception to {second.rule.name};` in `{first.rule.name}`",
        ),
    )
