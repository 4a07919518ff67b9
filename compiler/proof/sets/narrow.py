"""Narrowing on sets of situations.

The clause rule of `resolution.narrow`: where all literals of a clause but one are impossible, the last one must hold,
and the values outside it are removed. Situations in which a setting has no value left are *dead*.
"""

from collections.abc import Iterable, Iterator, Sequence

from setpoint.compiler.proof.sets.ground import ScopedClause, SituationDomains
from setpoint.compiler.proof.sets.masks import several_left
from setpoint.compiler.resolution import narrow as single
from setpoint.compiler.resolution.ground import Clause
from setpoint.compiler.resolution.search import is_possible


def restricted(domains: SituationDomains, where: int) -> SituationDomains:
    """The domains in some of the situations only."""
    return {name: {bit: mask & where for bit, mask in masks.items()} for name, masks in domains.items()}


def allowing(masks: dict[int, int], values: int) -> int:
    """The situations in which a setting may have one of these values."""
    situations = 0
    for bit, mask in masks.items():
        if bit & values:
            situations |= mask
    return situations


def concatenated(masks: Sequence[int], size: int) -> int:
    """Sets of situations concatenated, each in `size` bits; by halves, since each step copies its operands."""
    left = list(masks)
    while len(left) > 1:
        pairs = zip(left[::2], [*left[1::2], 0], strict=False)
        left = [low | high << size for low, high in pairs]
        size *= 2
    return left[0] if left else 0


def split_apart(mask: int, size: int, times: int) -> list[int]:
    """The sets of situations that were concatenated."""
    if times == 1:
        return [mask]
    half = times // 2
    low = mask & (1 << size * half) - 1
    return [*split_apart(low, size, half), *split_apart(mask >> size * half, size, times - half)]


def overlapping_pairs(masks: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The pairs of sets, by number, whose ranges from first to last situation overlap: no others can intersect.

    Neighbouring situations have much in common, so that sets about different hardware rarely overlap.
    """
    extents = sorted(
        ((mask & -mask).bit_length(), mask.bit_length(), i) for i, mask in enumerate(masks) if mask
    )
    open_: list[tuple[int, int]] = []
    for first, last, number in extents:
        open_ = [(end, other) for end, other in open_ if end >= first]
        yield from ((min(number, other), max(number, other)) for _, other in open_)
        open_.append((last, number))


class SituationClauses:
    """The clauses of a problem, indexed by their settings."""

    def __init__(self, clauses: Iterable[ScopedClause]) -> None:
        self.clauses = tuple(live for live in clauses if live.where)
        self.effort = single.Effort()
        self.of: dict[str, list[ScopedClause]] = {}
        for live in self.clauses:
            for name, _ in live.clause.literals:
                self.of.setdefault(name, []).append(live)
        self._at: dict[str, list[int]] = {}
        self._literals: list[tuple[tuple[tuple[str, int], ...], int]] = []
        together: dict[tuple[tuple[str, int], ...], int] = {}
        for live in self.clauses:
            together[live.clause.literals] = together.get(live.clause.literals, 0) | live.where
        for i, (literals, where) in enumerate(together.items()):
            self._literals.append((literals, where))
            for name, _ in literals:
                self._at.setdefault(name, []).append(i)

    def narrow(self, domains: SituationDomains, where: int, changed: Iterable[str] | None = None) -> int:
        """Narrow `domains` in place to the fixpoint; returns the situations in which nothing is left."""
        dead = 0
        first = (
            range(len(self._literals))
            if changed is None
            else (i for n in changed for i in self._at.get(n, ()))
        )
        waiting = dict.fromkeys(first)
        while waiting:
            number = next(iter(waiting))
            del waiting[number]
            literals, live = self._literals[number]
            here = live & where & ~dead
            if not here:
                continue
            may = [allowing(domains[name], mask) if name in domains else 0 for name, mask in literals]
            none, last = here, 0  # where no literal so far can hold, and where one alone can
            for mask in may:
                new, another = none & mask, last & mask
                none, last = none ^ new, last ^ another | new
            dead |= none
            if not last:
                continue
            for (name, values), mask in zip(literals, may, strict=True):
                forced = last & mask
                if forced and _keep_only(domains[name], values, forced):
                    waiting.update(dict.fromkeys(self._at[name]))
        if dead:
            for masks in domains.values():
                for bit in masks:
                    masks[bit] &= ~dead
        return dead

    def possible(self, domains: SituationDomains, where: int, changed: Iterable[str] | None = None) -> int:
        """The situations in which some choice of values satisfies every clause.

        First each setting gets the first value that is left, in all situations at once. Where that fails, the search of
        the single form decides, once for each class of equivalent situations. Raises TooHardError if it gives up.
        """
        if not where:
            return 0
        trial = restricted(domains, where)
        where &= ~self.narrow(trial, where, changed)
        situations = self._by_first_values(restricted(trial, where), where)
        for same in self._equivalence_classes(trial, where & ~situations):
            if self._single_is_possible(trial, same & -same):
                situations |= same
        return situations

    def _by_first_values(self, domains: SituationDomains, where: int) -> int:
        """The situations that are satisfied if each setting gets the first value left after those before it."""
        for name in sorted(self.of):
            if name in domains and several_left(domains[name]) & where:
                taken = 0
                for bit, mask in domains[name].items():
                    domains[name][bit] = mask & ~taken
                    taken |= mask
                where &= ~self.narrow(domains, where, (name,))
        return where

    def _equivalence_classes(self, domains: SituationDomains, where: int) -> list[int]:
        """These situations in classes with the same values left and the same clauses."""
        classes = [where] if where else []
        masks = (mask for name in self.of for mask in domains.get(name, {}).values())
        for mask in dict.fromkeys(
            situations & where for situations in (*masks, *(live for _, live in self._literals))
        ):
            if mask and mask != where:
                classes = [part for whole in classes for part in (whole & mask, whole & ~mask) if part]
        return classes

    def _single_is_possible(self, domains: SituationDomains, situation: int) -> bool:
        """Whether there is a choice of values in this situation."""
        left = {
            n: sum(bit for bit, mask in masks.items() if mask & situation) for n, masks in domains.items()
        }
        clauses = [
            Clause(tuple((n, m) for n, m in literals if left.get(n)))
            for literals, live in self._literals
            if live & situation
        ]
        index = single.ClauseIndex(clauses, self.effort)
        return is_possible(index, {n: mask for n, mask in left.items() if mask})


def _keep_only(masks: dict[int, int], values: int, where: int) -> int:
    """Remove all other values of a setting in some situations; returns those in which one was removed."""
    removed = 0
    for bit, mask in masks.items():
        if not bit & values and mask & where:
            masks[bit] = mask & ~where
            removed |= mask & where
    return removed
