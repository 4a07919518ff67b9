"""The cascade: decide the settings one by one, in the published order.

Each takes the value of the strongest recommendation that applies and is still possible; then the
others are narrowed. Which recommendation is stronger is a matter of a few criteria in a fixed order:
site before standard, then strength, then nearness to the source's scope, then what is said of the
setting itself before what a profile brings along, and last the strictly narrower condition. What an
exception or a later edition takes back does not apply at all, nor does what it would bring along.
Equals that disagree are an error.
"""

from collections.abc import Callable
from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic, Label, SetpointError
from setpoint.compiler.knowledge.model import UNSTATED, Knowledge, Variable, several
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
    variable, values = knowledge.variables[name], domains[name]
    standing, withdrawn = applicable(problem.proposals.get(name, ()), domains)

    def can_be(value: str) -> bool:
        bit = variable.bit(value)
        return bool(values & bit) and (not look_ahead or watch.possible({**domains, name: bit}, (name,)))

    able = [p for p in standing if can_be(p.value)]
    blocked = [Lost(p, "blocked", "") for p in standing if p not in able]
    top = unbeaten(able)
    if not top:
        bit, how = _unadvised(variable, values, problem.defaults.get(name, ""), can_be)
        return Choice(name, bit, how, (), (*withdrawn, *blocked))
    value = top[0].value
    if any(p.value != value for p in top):
        raise SetpointError(_tie(name, top, at))
    how = "rule" if several(values) else "only"
    beaten = [_beaten_by(top, p) for p in able if p.value != value]
    return Choice(name, variable.bit(value), how, _won(top, able), (*withdrawn, *beaten, *blocked))


def unbeaten(able: list[Proposal]) -> list[Proposal]:
    """Those that are beaten by none of the others."""
    return [p for p in able if not any(q.beats(p) for q in able)]


def _unadvised(
    variable: Variable, values: int, default: str, can_be: Callable[[str], bool]
) -> tuple[int, str]:
    """What a setting becomes that no recommendation decides, and how: the default, else the first value that can be."""
    if not several(values):
        return values, "only"
    if default and can_be(default):
        return variable.bit(default), "default"
    first = next(value for value in variable.names(values) if can_be(value))
    return variable.bit(first), "fallback" if default else "default"


def _won(top: list[Proposal], able: list[Proposal]) -> tuple[Proposal, ...]:
    """Those that nothing beats, which are of one value, then the others that say the same."""
    return (*top, *(p for p in able if p.value == top[0].value and p not in top))


def _beaten_by(top: list[Proposal], loser: Proposal) -> Lost:
    """How a recommendation lost: what is beaten at all is beaten by one that nothing beats."""
    winner = next(p for p in top if p.beats(loser))
    return Lost(loser, _reason(winner, loser), winner.rule.name)


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
