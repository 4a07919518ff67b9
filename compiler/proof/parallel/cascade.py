"""Decide every situation, setting by setting: `resolution.cascade`, lifted.

The order of settings, the weighing (`Proposal.beats`) and what withdraws what are those of the single
form. Situations in which two recommendations tie are noted and left undecided from there on.
"""

from typing import NamedTuple

from setpoint.compiler.knowledge.model import UNSTATED
from setpoint.compiler.proof.parallel.ground import Domains, Problem, Weighed
from setpoint.compiler.proof.parallel.narrow import Watch, anything, copied, several, within


class Choice(NamedTuple):
    """What was decided on a setting: for each value the situations, and how it came about.

    `how` has the situations by word: `rule`, `only`, `default`, `fallback` (the default itself could not be) and
    `unknown` (no source states a default). `standing`, `top`: per recommendation, where it counts and where nothing
    that is possible beats it.
    """

    values: dict[int, int]
    how: dict[str, int]
    proposals: tuple[Weighed, ...]
    standing: tuple[int, ...]
    top: tuple[int, ...]
    tied: int


class Outcome(NamedTuple):
    """Every setting's choice, in the situations that have one.

    `tied` are those that a tie stopped, `impossible` those in which no choice of values satisfies every clause.
    `searched` are those in which narrowing alone did not see its way and a search had to.
    """

    choices: dict[str, Choice]
    tied: int
    impossible: int
    searched: int


def cascade(problem: Problem, watch: Watch, start: Domains, where: int) -> Outcome:
    """Decide all settings in these situations, from domains that are narrowed."""
    choices, tied, dead = _walk(problem, watch, copied(start, where), where, look_ahead=False)
    open_ = tied | dead
    if not open_:
        return Outcome(choices, 0, 0, 0)
    possible = watch.possible(start, open_)
    again, tied_still, _ = _walk(problem, watch, copied(start, possible), possible, look_ahead=True)
    joined = {name: _joined(choices[name], again[name], open_) for name in choices}
    return Outcome(joined, tied_still, open_ & ~possible, dead | tied & ~tied_still)


def _walk(
    problem: Problem, watch: Watch, domains: Domains, where: int, look_ahead: bool
) -> tuple[dict[str, Choice], int, int]:
    choices: dict[str, Choice] = {}
    tied = dead = 0
    for name in problem.settings:
        choice = _choose(
            problem, watch, domains, name, where & problem.present[name] & ~tied & ~dead, look_ahead
        )
        choices[name] = choice
        tied |= choice.tied
        domains[name] = dict(choice.values)
        dead |= watch.narrow(domains, where & ~tied & ~dead, (name,))
    return choices, tied, dead


def applies(weighed: Weighed, domains: Domains, problem: Problem) -> int:
    """Where a recommendation's conditions on other settings hold as well."""
    where = weighed.where
    for name, mask in weighed.proposal.reads:
        present = problem.present.get(name, 0)
        true = within(domains[name], mask) if name in domains else 0
        where &= true | ~present if mask & UNSTATED else true
    return where


def standing(proposals: tuple[Weighed, ...], true: list[int]) -> list[int]:
    """Where each recommendation counts: where it applies, and no other that applies takes it back."""
    taken: dict[str, int] = {}
    for weighed, where in zip(proposals, true, strict=True):
        for name in weighed.proposal.rule.withdraws:
            taken[name] = taken.get(name, 0) | where
    return [where & ~taken.get(w.proposal.rule.name, 0) for w, where in zip(proposals, true, strict=True)]


def unbeaten(proposals: tuple[Weighed, ...], able: list[int]) -> list[int]:
    """Where each of these recommendations is beaten by none of the others."""
    top = list(able)
    for i, weighed in enumerate(proposals):
        for other, there in zip(proposals, able, strict=True):
            if top[i] & there and other.proposal.beats(weighed.proposal):
                top[i] &= ~there
    return top


def _choose(
    problem: Problem, watch: Watch, domains: Domains, name: str, where: int, look_ahead: bool
) -> Choice:
    variable = problem.knowledge.variables[name]
    masks = {bit: mask & where for bit, mask in domains[name].items()}
    can_be = masks
    if look_ahead:
        can_be = {
            bit: watch.possible({**domains, name: {bit: mask}}, mask, (name,)) for bit, mask in masks.items()
        }
    proposals = problem.proposals[name]
    counts = standing(proposals, [applies(w, domains, problem) & where for w in proposals])
    able = [
        mask & can_be.get(variable.bit(w.proposal.value), 0)
        for w, mask in zip(proposals, counts, strict=True)
    ]
    top = unbeaten(proposals, able)
    chosen: dict[int, int] = {}
    for weighed, mask in zip(proposals, top, strict=True):
        bit = variable.bit(weighed.proposal.value)
        chosen[bit] = chosen.get(bit, 0) | mask
    tied = several(chosen)
    advised = anything(chosen)
    single = where & ~several(masks)
    left = where & ~advised
    values = {bit: chosen.get(bit, 0) & ~tied | mask & left & single for bit, mask in masks.items()}
    left &= ~single
    defaults = problem.defaults[name]
    by_default = 0
    for bit in masks:
        here = defaults.get(bit, 0) & can_be[bit] & left
        values[bit] |= here
        by_default |= here
    left &= ~by_default
    stated = anything(defaults)
    fallen, unknown = left & stated, left & ~stated
    for value in variable.values:
        bit = variable.bit(value)
        if bit in masks:
            values[bit] |= can_be[bit] & left
            left &= ~can_be[bit]
    how = {
        "rule": advised & ~tied & ~single,
        "only": single,
        "default": by_default,
        "fallback": fallen,
        "unknown": unknown,
    }
    return Choice(values, how, proposals, tuple(counts), tuple(top), tied)


def _joined(a: Choice, b: Choice, where: int) -> Choice:
    """The choice of `b` in the situations `where`, that of `a` elsewhere."""

    def join(x: int, y: int) -> int:
        return x & ~where | y & where

    return Choice(
        {bit: join(a.values[bit], b.values[bit]) for bit in a.values},
        {word: join(a.how[word], b.how[word]) for word in a.how},
        a.proposals,
        tuple(map(join, a.standing, b.standing)),
        tuple(map(join, a.top, b.top)),
        join(a.tied, b.tied),
    )
