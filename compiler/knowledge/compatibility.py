"""Which values of facts are compatible with each other.

A server that takes none of the processors in the scope of a source is out of scope, whether or not its processor is
stated. So for each value in a scope this module finds the compatible values of the other facts: from what the value and
those above it imply and allow, and from what the other values do.
"""

from functools import cache

from setpoint.compiler.knowledge.model import UNSTATED, Box, FactValues, Variable


class CompatibleFacts:
    """The compatible values of the facts of a vocabulary. Each answer is computed once."""

    def __init__(self, variables: dict[str, Variable], values: FactValues) -> None:
        self._variables = variables
        self._values = values
        self._compatible: dict[tuple[str, str], dict[str, int]] = {}
        self._restrictions = cache(self._find_restrictions)
        self.compatible_contexts = cache(self._find_contexts)

    def _find_contexts(self, name: str, mask: int) -> tuple[Box, ...]:
        """Boxes of other facts in which some value of `mask` is possible. An empty box means always, no box never."""
        values = [value for value in self._variables[name].names(mask) if self._is_possible(name, value)]
        contexts = {self._context_of(name, value) for value in values}
        return tuple(sorted(box for box in contexts if not any(_wider(other, box) for other in contexts)))

    def left_open(self, name: str, mask: int) -> dict[Box, int]:
        """The values of a fact that leave open whether it is in `mask`, and that it is not stated, by context."""
        variable = self._variables[name]
        by_context = dict.fromkeys(self.compatible_contexts(name, mask), UNSTATED)
        for value in variable.names(variable.perhaps(mask)):
            for context in self.compatible_contexts(name, mask & variable.below(value)):
                by_context[context] = by_context.get(context, 0) | variable.bit(value)
        return by_context

    def _is_possible(self, name: str, value: str) -> bool:
        """Whether a value leaves every fact at least one possible value."""
        return all(mask & ~UNSTATED for mask in self._compatible_values(name, value).values())

    def _context_of(self, name: str, value: str) -> Box:
        own = self._compatible_values(name, value)
        context = []
        for other in sorted(self._values):
            if other == name:
                continue
            fitting = own.get(other, self._variables[other].everything) & ~UNSTATED
            for fact, restrictions in self._restrictions(other).items():
                if fact in own:
                    possible = own[fact] & ~UNSTATED
                    for mask, restricted in restrictions:
                        if not mask & possible:
                            fitting &= ~restricted
            if fitting | UNSTATED != self._variables[other].everything:
                context.append((other, fitting | UNSTATED))
        return tuple(context)

    def _find_restrictions(self, name: str) -> dict[str, list[tuple[int, int]]]:
        """The other facts that values of a fact restrict: the sets left of each, with the values that leave them."""
        restrictions: dict[str, dict[int, int]] = {}
        for value in self._variables[name].values:
            for fact, mask in self._compatible_values(name, value).items():
                if fact != name:
                    by_mask = restrictions.setdefault(fact, {})
                    by_mask[mask] = by_mask.get(mask, 0) | self._variables[name].bit(value)
        return {fact: list(by_mask.items()) for fact, by_mask in restrictions.items()}

    def _compatible_values(self, name: str, value: str) -> dict[str, int]:
        """For each fact, the values that are compatible with this value and with what follows from it."""
        key = name, value
        if key not in self._compatible:
            compatible: dict[str, int] = {}
            self._compatible[key] = compatible  # first, since values may imply each other
            at = value
            while at in self._values.get(name, {}):
                fact_value = self._values[name][at]
                for other, word in fact_value.implies:
                    self._restrict(compatible, other, self._variables[other].related(word))
                    for third, mask in list(self._compatible_values(other, word).items()):
                        if third != other:
                            self._restrict(compatible, third, mask)
                for other, mask in fact_value.allows:
                    self._restrict(compatible, other, mask)
                at = fact_value.within
            compatible[name] = self._variables[name].bit(value)
        return self._compatible[key]

    def _restrict(self, compatible: dict[str, int], name: str, mask: int) -> None:
        compatible[name] = compatible.get(name, self._variables[name].everything) & mask


def _wider(box: Box, other: Box) -> bool:
    """Whether `box` strictly contains `other`."""
    masks = dict(other)
    return box != other and all(name in masks and masks[name] & mask == masks[name] for name, mask in box)
