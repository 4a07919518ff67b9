"""Which values follow others and inherit advice on what a source studied: a generation of processors the one before.

An open value inherits what each of its values has or inherits, from as far as the farthest of them.
"""

from functools import cache

from setpoint.compiler.knowledge.model import UNSTATED, Box, FactValue, FactValues, Variable


class Followers:
    """The followers of the values of a vocabulary. Each answer is computed once."""

    def __init__(self, variables: dict[str, Variable], values: FactValues) -> None:
        self._variables = variables
        self._values = values
        self._chains_of = cache(self._find_chains)
        self.of = cache(self._find)

    def _find(self, name: str, mask: int, followed: int) -> list[tuple[int, int]]:
        """The sets of values of a fact outside `mask` that follow those in `followed`, by number of steps."""
        variable = self._variables[name]
        steps = {bit: n for bit, chain in self._chains_of(name) if (n := _steps(bit, chain, mask, followed))}
        for value, members in variable.open_inside_out:
            steps.pop(variable.bit(value), None)
            inherited = [steps.get(variable.bit(member), 0) for member in members]
            if all(n or variable.bit(member) & mask for n, member in zip(inherited, members, strict=True)):
                steps[variable.bit(value)] = max(inherited)
        by_steps: dict[int, int] = {}
        for bit, n in steps.items():
            if not bit & mask:
                by_steps[n] = by_steps.get(n, 0) | bit
        return sorted(by_steps.items())

    def _find_chains(self, name: str) -> list[tuple[int, list[int]]]:
        """The values of a fact that follow others, each with those that it follows, nearest first."""
        variable, values = self._variables[name], self._values.get(name, {})
        chains = ((variable.bit(value), _chain(value, variable, values)) for value in variable.values)
        return [(bit, chain) for bit, chain in chains if chain]


def _steps(bit: int, chain: list[int], mask: int, followed: int) -> int:
    """How many steps a value outside `mask` is from those in `followed`; 0 if it follows none, or lies in `mask`."""
    return 0 if bit & mask else next((n for n, other in enumerate(chain, 1) if other & followed), 0)


def _chain(value: str, variable: Variable, values: dict[str, FactValue]) -> list[int]:
    """The values that a value follows, as bits, nearest first. A cycle is left: the reader of the values reports it."""
    chain: list[int] = []
    at = follows(value, values)
    while at and len(chain) <= len(values):
        chain.append(variable.bit(at))
        at = follows(at, values)
    return chain


def follows(value: str, values: dict[str, FactValue]) -> str:
    """The value that this one, or the nearest one above it that follows any, follows; "" if there is none."""
    at = nearest_follower(value, values)
    return values[at].follows if at in values else ""


def nearest_follower(value: str, values: dict[str, FactValue]) -> str:
    """This value, or the nearest one above it, that follows another; none of the values if there is none."""
    at = value
    while at in values and not values[at].follows:
        at = values[at].within
    return at


def studied_values(name: str, mask: int, scope: Box) -> int:
    """The values in `mask`, of a condition on the fact `name`, that others may follow: those in scope, or all.

    A rule may also name values that its source did not study. Nobody inherits advice from these.
    """
    in_scope = dict(scope).get(name, mask)
    return mask & in_scope or mask


def studied_conditions(when: Box, scope: Box) -> Box:
    """Conditions without the values that a scope excludes, as far as any are left; a `not` stays as it is."""
    return tuple(
        (name, mask if mask & UNSTATED else studied_values(name, mask, scope)) for name, mask in when
    )


def inherited_from(
    mask: int, scope: Box, variable: Variable, value: str, values: dict[str, FactValue]
) -> str:
    """The nearest studied value in `mask` whose advice `value` inherits; "" for none, and for a value in `mask`."""
    if variable.bit(value) & mask:
        return ""
    if value in values and values[value].one_of:
        candidates = (
            inherited_from(mask, scope, variable, member, values) for member in values[value].one_of
        )
        return next(filter(None, candidates), "")
    followed = studied_values(variable.name, mask, scope)
    visited: set[str] = set()
    at = follows(value, values)
    while at and at not in visited and not variable.bit(at) & followed:
        visited.add(at)
        at = follows(at, values)
    return at if at not in visited else ""
