"""The cascade: decide the settings one by one, in the published order.

Each takes the value of the strongest recommendation that applies and is still possible; then the
others are narrowed. Which recommendation is stronger is a matter of a few criteria in a fixed order:
site before standard, then strength, then nearness to the source's scope, then what is said of the
setting itself before what a profile brings along, and last the strictly narrower condition. What an
exception or a later edition takes back does not apply at all, nor does what it would bring along.
Equals that disagree are an error.
"""

from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic, Label, SetpointError
from setpoint.compiler.knowledge.model import UNSTATED, Knowledge
from setpoint.compiler.language.source import Span
from setpoint.compiler.resolution.ground import Problem, Proposal
from setpoint.compiler.resolution.narrow import DeadEndError, Domains, Step, Watch


class Lost(NamedTuple):
    """A proposal that did not win, why, and the name of what it lost to."""

    proposal: Proposal
    reason: str
    by: str


class Choice(NamedTuple):
    """What the cascade decided on a setting: the value's bit, who proposed it, who lost, how it came about.

    `how` is `rule` where proposals won, `only` where narrowing had left one value, `default`, or
    `fallback` where the default itself was impossible.
    """

    setting: str
    bit: int
    how: str
    winners: tuple[Proposal, ...]
    losers: tuple[Lost, ...]


def cascade(
    knowledge: Knowledge, problem: Problem, watch: Watch, start: Domains, at: Span, steps: list[Step]
) -> dict[str, Choice]:
    """Decide every setting. Raises SetpointError (E0303) on a tie.

    `start` must be possible; `steps` receives the removals, for explanation.
    """
    fast_steps: list[Step] = []
    try:
        choices = _walk(knowledge, problem, watch, dict(start), at, fast_steps, look_ahead=False)
        steps.extend(fast_steps)
        return choices
    except (DeadEndError, SetpointError):
        # Narrowing alone ran into a wall, or into a tie between values of which perhaps not all can be: walk again,
        # asking before each choice whether it can be completed.
        return _walk(knowledge, problem, watch, dict(start), at, steps, look_ahead=True)


def _walk(
    knowledge: Knowledge,
    problem: Problem,
    watch: Watch,
    domains: Domains,
    at: Span,
    steps: list[Step],
    look_ahead: bool,
) -> dict[str, Choice]:
    choices: dict[str, Choice] = {}
    for name in sorted(domains, key=lambda n: knowledge.settings[n].position):
        choice = _choose(knowledge, problem, watch, domains, name, at, look_ahead)
        choices[name] = choice
        if domains[name] != choice.bit:
            domains[name] = choice.bit
            watch.narrow(domains, (name,), steps)
    return choices


def applicable(proposals: tuple[Proposal, ...], domains: Domains) -> tuple[list[Proposal], list[Lost]]:
    """Those whose conditions on settings hold, and those of them that another takes back."""
    true = [p for p in proposals if all(domains.get(n, UNSTATED) & mask for n, mask in p.reads)]
    taken = {name: p.rule.name for p in true for name in p.rule.withdraws}
    taken |= {p.rule.name: p.withdrawn for p in true if p.withdrawn}
    standing = [p for p in true if p.rule.name not in taken]
    withdrawn = [Lost(p, "withdrawn", taken[p.rule.name]) for p in true if p.rule.name in taken]
    return standing, withdrawn


def _choose(
    knowledge: Knowledge,
    problem: Problem,
    watch: Watch,
    domains: Domains,
    name: str,
    at: Span,
    look_ahead: bool,
) -> Choice:
    variable = knowledge.variables[name]
    standing, losers = applicable(problem.proposals.get(name, ()), domains)

    def can_be(value: str) -> bool:
        bit = variable.bit(value)
        if not domains[name] & bit:
            return False
        return not look_ahead or watch.possible({**domains, name: bit}, (name,))

    able = [p for p in standing if can_be(p.value)]
    blocked = [p for p in standing if p not in able]
    top = [p for p in able if not any(q.beats(p) for q in able)]
    if top:
        value = top[0].value
        if any(p.value != value for p in top) and domains[name] & (domains[name] - 1):
            raise SetpointError(_tie(name, top, at))
        winners = tuple(p for p in top if p.value == value)
        losers += [
            Lost(p, _reason(winner, p), winner.rule.name)
            for p in able
            if p.value != value
            for winner in [next((w for w in winners if w.beats(p)), winners[0])]
        ]
        losers += [Lost(p, "blocked", "") for p in blocked]
        also = tuple(p for p in able if p.value == value and p not in winners)
        only = domains[name] & (domains[name] - 1) == 0
        return Choice(name, variable.bit(value), "only" if only else "rule", (*winners, *also), tuple(losers))
    losers += [Lost(p, "blocked", "") for p in blocked]
    if domains[name] & (domains[name] - 1) == 0:
        return Choice(name, domains[name], "only", (), tuple(losers))
    default = problem.defaults.get(name, "")
    if default and can_be(default):
        return Choice(name, variable.bit(default), "default", (), tuple(losers))
    value = next(v for v in variable.names(domains[name]) if can_be(v))
    return Choice(name, variable.bit(value), "fallback" if default else "default", (), tuple(losers))


def _reason(winner: Proposal, loser: Proposal) -> str:
    """The first criterion in which the winner is ahead, in a fixed vocabulary."""
    for reason, ours, theirs in zip(
        ("site", "weaker-evidence", "farther-from-scope", "brought-by-profile"),
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
        f"two recommendations for `{name}` disagree and neither is stronger",
        at,
        "here both apply",
        (
            Label(first.rule.span, f"`{first.rule.name}` says {first.value}"),
            Label(second.rule.span, f"`{second.rule.name}` says {second.value}"),
        ),
        help=(
            f'decide here: `set {name} {first.value} because "…"`',
            f"or in the knowledge base: `exception to {second.rule.name};` in `{first.rule.name}`",
        ),
    )
