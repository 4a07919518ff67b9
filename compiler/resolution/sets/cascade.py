"""The cascade on sets of situations: decide every setting in every situation.

The order of the settings, the weighing (`Proposal.beats`) and the withdrawals are those of `resolution.cascade`.
Situations in which two recommendations tie are recorded and stay undecided from there on.
"""

from collections.abc import Callable
from typing import NamedTuple

from setpoint.compiler.knowledge.model import FREE, UNSTATED
from setpoint.compiler.record import distinct
from setpoint.compiler.resolution.sets.ground import Domains, Problem, Profiles, Weighed, union, withdrawn
from setpoint.compiler.resolution.sets.narrow import Watch, anything, copied, meeting, several, within


@distinct
class Choice(NamedTuple):
    """What was decided on a setting: for each value the situations, and how it came about.

    `how` has the situations by word: `rule`, `only`, `default`, `derived` (from the members of a profile), `fallback` (the
    default itself could not be) and `first` (no source states a default). `asked` are those in which the value is more than a
    default. `standing`, `top`: per recommendation, where it counts and where nothing that is possible beats it.
    """

    values: dict[int, int]
    how: dict[str, int]
    asked: int
    proposals: tuple[Weighed, ...]
    standing: tuple[int, ...]
    top: tuple[int, ...]
    tied: int


@distinct
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
        here = where & problem.present[name] & ~tied & ~dead
        choice = _choose(problem, watch, domains, choices, name, here, look_ahead)
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
    """Where each recommendation counts: where it applies, and no other that applies withdraws it."""
    withdrawing = [(w, where) for w, where in zip(proposals, true, strict=True) if w.proposal.rule.withdraws]
    if not withdrawing:
        return true
    by, there = zip(*withdrawing, strict=True)
    return [where & ~withdrawn(by, there, w.proposal) for w, where in zip(proposals, true, strict=True)]


def unbeaten(proposals: tuple[Weighed, ...], able: list[int]) -> list[int]:
    """Where each of these recommendations is beaten by none of the others."""
    top = list(able)
    for a, b in meeting(able):
        both = able[a] & able[b]
        if both:
            for beaten, other in ((a, b), (b, a)):
                if proposals[other].proposal.beats(proposals[beaten].proposal):
                    top[beaten] &= ~both
    return top


def _choose(
    problem: Problem,
    watch: Watch,
    domains: Domains,
    choices: dict[str, Choice],
    name: str,
    where: int,
    look_ahead: bool,
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
    defaults = {bit: mask & can_be[bit] for bit, mask in problem.defaults[name].items() if bit in masks}
    tentative = [
        mask & anything(defaults) if w.proposal.is_tentative else 0
        for w, mask in zip(proposals, able, strict=True)
    ]
    top = unbeaten(proposals, [a & ~t for a, t in zip(able, tentative, strict=True)])
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
    by_default = derived = 0
    for bit, mask in _derived(problem, name, choices, can_be, defaults, left).items():
        values[bit] |= mask
        by_default |= mask & defaults.get(bit, 0)
        derived |= mask & ~defaults.get(bit, 0)
    left &= ~(by_default | derived)
    for bit, mask in defaults.items():
        values[bit] |= mask & left
        by_default |= mask & left
    left &= ~by_default
    stated = anything(problem.defaults[name])
    fallen, first = left & stated, left & ~stated
    for value in variable.values:
        bit = variable.bit(value)
        if bit in masks:
            values[bit] |= can_be[bit] & left
            left &= ~can_be[bit]
    how = {
        "rule": advised & ~tied & ~single,
        "only": single,
        "default": by_default,
        "derived": derived,
        "fallback": fallen,
        "first": first,
    }
    asked = how["rule"] | fallen | derived | single & several(problem.domains[name])
    return Choice(values, how, asked, proposals, tuple(counts), tuple(top), tied)


def _derived(
    problem: Problem,
    name: str,
    choices: dict[str, Choice],
    can_be: dict[int, int],
    defaults: dict[int, int],
    where: int,
) -> dict[int, int]:
    """The values of a governing setting that nothing recommends: `resolution.profiles.derived`, lifted."""
    if name not in problem.profiles:
        return {}
    profiles, variable = problem.profiles[name], problem.knowledge.variables[name]
    there = {member: mask for member, mask in profiles.members.items() if member in choices}
    asked = {member: mask & choices[member].asked for member, mask in there.items()}
    left = where & profiles.where
    departs = union(mask & _departs(problem, choices[member], member) for member, mask in there.items())
    ways = _fits(profiles, there, asked)
    found = {bit: mask & left & ~departs & ways[-1](variable.name_of(bit)) for bit, mask in defaults.items()}
    left &= ~anything(found)
    for fits in ways:
        for possible in ({bit: mask & can_be[bit] for bit, mask in defaults.items()}, can_be):
            for value in variable.values:
                bit = variable.bit(value)
                if bit in possible:
                    here = left & possible[bit] & fits(value)
                    found[bit] = found.get(bit, 0) | here
                    left &= ~here
    return found


def _departs(problem: Problem, choice: Choice, name: str) -> int:
    """Where a setting has another value than the vendor's default, which is known."""
    defaults = problem.defaults[name]
    return anything(defaults) & ~union(choice.values.get(bit, 0) & mask for bit, mask in defaults.items())


def _fits(
    profiles: Profiles, there: dict[str, int], asked: dict[str, int]
) -> tuple[Callable[[str], int], ...]:
    """Where a profile fits its members, best first: it fixes all, is known for all, is known for those asked for."""

    def everywhere(value: str, members: dict[str, int], cells: Callable[[str], bool]) -> int:
        return ~union(mask & ~profiles.does(value, member, cells) for member, mask in members.items())

    return (
        lambda value: everywhere(value, there, lambda cell: cell != FREE),
        lambda value: everywhere(value, there, bool),
        lambda value: everywhere(value, asked, bool),
    )


def _joined(a: Choice, b: Choice, where: int) -> Choice:
    """The choice of `b` in the situations `where`, that of `a` elsewhere."""

    def join(x: int, y: int) -> int:
        return x & ~where | y & where

    return Choice(
        {bit: join(a.values[bit], b.values[bit]) for bit in a.values},
        {word: join(a.how[word], b.how[word]) for word in a.how},
        join(a.asked, b.asked),
        a.proposals,
        tuple(map(join, a.standing, b.standing)),
        tuple(map(join, a.top, b.top)),
        join(a.tied, b.tied),
    )
