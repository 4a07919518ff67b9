"""The closure of conditions: the condition itself with everything that follows from the facts that it names.

A Westmere implies a platform of the 11th generation. So a rule `when cpu westmere` is narrower than one `when platform
poweredge-11g`, although neither names the fact of the other. The *closed* form of a condition contains everything that
follows from it, and of two conditions the one whose closed form lies inside the other is narrower.

A condition that also holds if its fact is not stated implies nothing.
"""

from functools import cache

from setpoint.compiler.knowledge.model import UNSTATED, Box, FactValues, Variable


class Implications:
    """What follows from values of facts. Each answer is computed once: many statements name the same values."""

    def __init__(self, variables: dict[str, Variable], values: FactValues) -> None:
        self._variables = variables
        self._values = values
        self._implied = cache(self._find_implied)
        self._implied_by = cache(self._find_implied_by)

    def closed(self, box: Box) -> Box:
        """The condition with everything that follows from it, sorted by variable."""
        masks = dict(box)
        waiting = [name for name, mask in box if name in self._values and not mask & UNSTATED]
        while waiting:
            name = waiting.pop()
            for other, mask in self._implied(name, masks[name]).items():
                before = masks.get(other, self._variables[other].everything)
                after = before & mask
                if after and after != before:  # nothing is left where the condition can never hold
                    masks[other] = after
                    waiting.append(other)
        return tuple(sorted(masks.items()))

    def _find_implied(self, name: str, mask: int) -> dict[str, int]:
        """For each fact that every value in the set implies, its possible values."""
        implications = [self._implied_by(name, value) for value in self._variables[name].names(mask)]
        common = (
            set.intersection(*(set(implication) for implication in implications)) if implications else set()
        )
        implied = dict.fromkeys(common, 0)
        for implication in implications:
            for other in common:
                implied[other] |= implication[other]
        return implied

    def _find_implied_by(self, name: str, value: str) -> dict[str, int]:
        """For each fact that a value, or a value above it, implies: its possible values."""
        masks: dict[str, int] = {}
        values, at = self._values[name], value
        while at in values:
            for other, word in values[at].implies:
                variable = self._variables[other]
                masks[other] = masks.get(other, variable.everything) & variable.below(word)
            at = values[at].within
        return masks
