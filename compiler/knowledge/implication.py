"""The closure of conditions: the condition itself with everything that follows from the facts that it names.

A Westmere implies a platform of the 11th generation. So a rule `when cpu westmere` is narrower than one `when platform
poweredge-11g`, although neither names the fact of the other. The *closed* form of a condition contains everything that
follows from it, and of two conditions the one whose closed form lies inside the other is narrower.

A condition that also holds if its fact is not stated implies nothing.
"""

from setpoint.compiler.knowledge.model import UNSTATED, Box, FactValue, Variable

FactValues = dict[str, dict[str, FactValue]]
"""The values of each fact, by name."""


def closed(box: Box, variables: dict[str, Variable], values: FactValues) -> Box:
    """The condition with everything that follows from it, sorted by variable."""
    masks = dict(box)
    waiting = [name for name, mask in box if name in values and not mask & UNSTATED]
    while waiting:
        name = waiting.pop()
        for other, mask in _implied(masks[name], variables[name], variables, values[name]).items():
            before = masks.get(other, variables[other].everything)
            after = before & mask
            if after and after != before:  # nothing is left where the condition can never hold
                masks[other] = after
                waiting.append(other)
    return tuple(sorted(masks.items()))


def _implied(
    mask: int, variable: Variable, variables: dict[str, Variable], values: dict[str, FactValue]
) -> dict[str, int]:
    """For each fact that every value in the set implies, its possible values."""
    each = [implied_by(name, variables, values) for name in variable.names(mask)]
    common = set.intersection(*(set(one) for one in each)) if each else set()
    implied = dict.fromkeys(common, 0)
    for one in each:
        for other in common:
            implied[other] |= one[other]
    return implied


def implied_by(name: str, variables: dict[str, Variable], values: dict[str, FactValue]) -> dict[str, int]:
    """For each fact that a value, or a value above it, implies: its possible values."""
    found: dict[str, int] = {}
    at = name
    while at in values:
        for other, word in values[at].implies:
            found[other] = found.get(other, variables[other].everything) & variables[other].below(word)
        at = values[at].within
    return found
