"""The cascade on sets of situations: decide every setting in every situation.

The order of the settings, the weighing (`Proposal.beats`) and the withdrawals are those of `resolution.cascade`.
Situations in which two recommendations tie are recorded and stay undecided from there on.
"""

from collections.abc import Callable

from setpoint.compiler.knowledge.model import FREE, UNSTATED
from setpoint.compiler.proof.sets.ground import (
    ScopedProposal,
    SituationDomains,
    SituationProblems,
    withdrawn,
)
from setpoint.compiler.proof.sets.masks import any_left, several_left, union
from setpoint.compiler.proof.sets.narrow import SituationClauses, allowing, overlapping_pairs, restricted
from setpoint.compiler.proof.sets.profiles import ProfileEffects
from setpoint.compiler.record import NamedTuple


class SituationChoices(NamedTuple):
    """The decisions on a setting: the situations of each value, and how the values were decided.

    `how` has the situations by kind of decision: `rule`, `only`, `default`, `derived` (from the members of a profile),
    `fallback` (the default itself is impossible) and `first` (no source states a default). `deliberate` are those in
    which the value is more than a default. `effective` and `top` belong to the recommendations: where each one is in
    effect, and where no other possible one beats it.
    """

    values: dict[int, int]
    how: dict[str, int]
    deliberate: int
    proposals: tuple[ScopedProposal, ...]
    effective: tuple[int, ...]
    top: tuple[int, ...]
    tied: int


class SituationOutcomes(NamedTuple):
    """The decisions on every setting, in the situations that have one.

    `tied` are the situations that end in a tie, `impossible` those in which no choice of values satisfies every clause,
    and `searched` those that narrowing alone could not decide.
    """

    choices: dict[str, SituationChoices]
    tied: int
    impossible: int
    searched: int


def cascade(
    problem: SituationProblems, index: SituationClauses, start: SituationDomains, where: int
) -> SituationOutcomes:
    """Decide all settings in these situations, starting from narrowed domains."""
    choices, tied, dead = _walk(problem, index, restricted(start, where), where, look_ahead=False)
    open_ = tied | dead
    if not open_:
        return SituationOutcomes(choices, 0, 0, 0)
    possible = index.possible(start, open_)
    second, tied_still, _ = _walk(problem, index, restricted(start, possible), possible, look_ahead=True)
    joined = {name: _joined(choices[name], second[name], open_) for name in choices}
    return SituationOutcomes(joined, tied_still, open_ & ~possible, dead | tied & ~tied_still)


def _walk(
    problem: SituationProblems,
    index: SituationClauses,
    domains: SituationDomains,
    where: int,
    look_ahead: bool,
) -> tuple[dict[str, SituationChoices], int, int]:
    choices: dict[str, SituationChoices] = {}
    tied = dead = 0
    for name in problem.settings:
        here = where & problem.present[name] & ~tied & ~dead
        choice = _choose(problem, index, domains, choices, name, here, look_ahead)
        choices[name] = choice
        tied |= choice.tied
        taken = union(mask & ~choice.values[bit] for bit, mask in domains[name].items())
        domains[name] = dict(choice.values)
        dead |= index.narrow(domains, taken & here & ~tied, (name,))
    return choices, tied, dead


def applies(weighed: ScopedProposal, domains: SituationDomains, problem: SituationProblems) -> int:
    """The situations in which a recommendation's conditions on other settings hold as well."""
    where = weighed.where
    for name, mask in weighed.proposal.reads:
        present = problem.present.get(name, 0)
        applying = allowing(domains[name], mask) if name in domains else 0
        where &= applying | ~present if mask & UNSTATED else applying
    return where


def effective(proposals: tuple[ScopedProposal, ...], applying: list[int]) -> list[int]:
    """The situations in which each recommendation is in effect: it applies, and no other that applies withdraws it."""
    withdrawing = [
        (w, where) for w, where in zip(proposals, applying, strict=True) if w.proposal.rule.withdraws
    ]
    if not withdrawing:
        return applying
    by, present = zip(*withdrawing, strict=True)
    return [where & ~withdrawn(by, present, w.proposal) for w, where in zip(proposals, applying, strict=True)]


def unbeaten(proposals: tuple[ScopedProposal, ...], feasible: list[int]) -> list[int]:
    """The situations in which none of the others beats each recommendation."""
    top = list(feasible)
    for a, b in overlapping_pairs(feasible):
        both = feasible[a] & feasible[b]
        if both:
            for beaten, other in ((a, b), (b, a)):
                if proposals[other].proposal.beats(proposals[beaten].proposal):
                    top[beaten] &= ~both
    return top


def _choose(
    problem: SituationProblems,
    index: SituationClauses,
    domains: SituationDomains,
    choices: dict[str, SituationChoices],
    name: str,
    where: int,
    look_ahead: bool,
) -> SituationChoices:
    variable = problem.knowledge.variables[name]
    masks = {bit: mask & where for bit, mask in domains[name].items()}
    possible = masks
    if look_ahead:
        possible = {
            bit: index.possible({**domains, name: {bit: mask}}, mask, (name,)) for bit, mask in masks.items()
        }
    proposals = problem.proposals[name]
    effective_in = effective(proposals, [applies(w, domains, problem) & where for w in proposals])
    feasible = [
        mask & possible.get(variable.bit(w.proposal.value), 0)
        for w, mask in zip(proposals, effective_in, strict=True)
    ]
    usual = problem.usual(name)
    defaults = {bit: mask & possible[bit] for bit, mask in usual.items() if bit in masks}
    tentative = [
        mask & any_left(defaults) if w.proposal.is_tentative else 0
        for w, mask in zip(proposals, feasible, strict=True)
    ]
    top = unbeaten(proposals, [a & ~t for a, t in zip(feasible, tentative, strict=True)])
    chosen: dict[int, int] = {}
    for weighed, mask in zip(proposals, top, strict=True):
        bit = variable.bit(weighed.proposal.value)
        chosen[bit] = chosen.get(bit, 0) | mask
    tied = several_left(chosen)
    advised = any_left(chosen)
    single = where & ~several_left(masks)
    left = where & ~advised
    values = {bit: chosen.get(bit, 0) & ~tied | mask & left & single for bit, mask in masks.items()}
    left &= ~single
    by_default = derived = 0
    for bit, mask in _derived(problem, name, choices, possible, defaults, left).items():
        values[bit] |= mask
        by_default |= mask & defaults.get(bit, 0)
        derived |= mask & ~defaults.get(bit, 0)
    left &= ~(by_default | derived)
    for bit, mask in defaults.items():
        values[bit] |= mask & left
        by_default |= mask & left
    left &= ~by_default
    stated = any_left(usual)
    fallen, first = left & stated, left & ~stated
    for value in variable.values:
        bit = variable.bit(value)
        if bit in masks:
            values[bit] |= possible[bit] & left
            left &= ~possible[bit]
    forced = single & several_left(problem.domains[name])
    by_rule = advised & ~tied & ~forced
    how = {
        "rule": by_rule,
        "only": single & ~by_rule,
        "default": by_default,
        "derived": derived,
        "fallback": fallen,
        "first": first,
    }
    deliberate = by_rule | fallen | derived | forced | where & problem.requested.get(name, 0)
    return SituationChoices(values, how, deliberate, proposals, tuple(effective_in), tuple(top), tied)


def _derived(
    problem: SituationProblems,
    name: str,
    choices: dict[str, SituationChoices],
    possible: dict[int, int],
    defaults: dict[int, int],
    where: int,
) -> dict[int, int]:
    """The values of a governing setting without a recommendation, as `resolution.profiles.derived` has them."""
    if name not in problem.profiles or problem.knowledge.settings[name].stands:
        return {}
    profiles, variable = problem.profiles[name], problem.knowledge.variables[name]
    present = {member: mask for member, mask in profiles.members.items() if member in choices}
    deliberate = {member: mask & choices[member].deliberate for member, mask in present.items()}
    left = where & profiles.where
    departs = union(mask & _departs(problem, choices[member], member) for member, mask in present.items())
    ways = _fits(profiles, present, deliberate)
    values = {bit: mask & left & ~departs & ways[-1](variable.name_of(bit)) for bit, mask in defaults.items()}
    left &= ~any_left(values)
    for fits in ways:
        for candidates in ({bit: mask & possible[bit] for bit, mask in defaults.items()}, possible):
            for value in variable.values:
                bit = variable.bit(value)
                if bit in candidates:
                    here = left & candidates[bit] & fits(value)
                    values[bit] = values.get(bit, 0) | here
                    left &= ~here
    return values


def _departs(problem: SituationProblems, choice: SituationChoices, name: str) -> int:
    """The situations in which a setting has a value other than the vendor's default, if that is known."""
    defaults = problem.defaults[name]
    return any_left(defaults) & ~union(choice.values.get(bit, 0) & mask for bit, mask in defaults.items())


def _fits(
    profiles: ProfileEffects, present: dict[str, int], deliberate: dict[str, int]
) -> tuple[Callable[[str], int], ...]:
    """The situations in which a profile fits its members, best first: it fixes all, is known for all, is known for the
    deliberate ones."""

    def everywhere(value: str, members: dict[str, int], cells: Callable[[str], bool]) -> int:
        return ~union(mask & ~profiles.does(value, member, cells) for member, mask in members.items())

    return (
        lambda value: everywhere(value, present, lambda cell: cell != FREE),
        lambda value: everywhere(value, present, bool),
        lambda value: everywhere(value, deliberate, bool),
    )


def _joined(a: SituationChoices, b: SituationChoices, where: int) -> SituationChoices:
    """The choice of `b` in the situations `where`, and that of `a` in all others."""

    def join(x: int, y: int) -> int:
        return x & ~where | y & where

    return SituationChoices(
        {bit: join(a.values[bit], b.values[bit]) for bit in a.values},
        {word: join(a.how[word], b.how[word]) for word in a.how},
        join(a.deliberate, b.deliberate),
        a.proposals,
        tuple(map(join, a.effective, b.effective)),
        tuple(map(join, a.top, b.top)),
        join(a.tied, b.tied),
    )
