"""What a fact that is not stated may be beside the others.

A source on certain processors is out of scope on a server that takes none of them, whether the policy names its processor
or not. So of each value in a scope it is worked out which values the other facts can have beside it: what it and all that it
lies within imply and allow, and what the others do.
"""

from setpoint.compiler.knowledge.model import UNSTATED, Box, FactValue, Variable

Values = dict[str, dict[str, FactValue]]


class Rooms:
    """What the facts of a vocabulary leave room for. Each question is worked out once."""

    def __init__(self, variables: dict[str, Variable], values: Values) -> None:
        self._variables = variables
        self._values = values
        self._leaves: dict[tuple[str, str], dict[str, int]] = {}
        self._rooms: dict[tuple[str, int], tuple[Box, ...]] = {}

    def beside(self, name: str, mask: int) -> tuple[Box, ...]:
        """Boxes of other facts; in each of them some value of `mask` can be. An empty box says that it always can, none that it never can."""
        key = name, mask
        if key not in self._rooms:
            values = [value for value in self._variables[name].names(mask) if self._can_be(name, value)]
            found = {self._room(name, value) for value in values}
            self._rooms[key] = tuple(
                sorted(box for box in found if not any(_wider(other, box) for other in found))
            )
        return self._rooms[key]

    def _can_be(self, name: str, value: str) -> bool:
        """Whether what follows from a value leaves it any room at all."""
        return all(mask & ~UNSTATED for mask in self._left(name, value).values())

    def _room(self, name: str, value: str) -> Box:
        mine = self._left(name, value)
        room = []
        for other in sorted(self._values):
            variable = self._variables[other]
            if other == name:
                continue
            fitting = sum(variable.bit(v) for v in variable.values if _together(mine, self._left(other, v)))
            if fitting | UNSTATED != variable.everything:
                room.append((other, fitting | UNSTATED))
        return tuple(room)

    def _left(self, name: str, value: str) -> dict[str, int]:
        """The values of each fact that this value, and what follows from it, can stand with."""
        key = name, value
        if key not in self._leaves:
            left: dict[str, int] = {}
            self._leaves[key] = left  # first, since values may imply each other
            at = value
            while at in self._values.get(name, {}):
                said = self._values[name][at]
                for other, word in said.implies:
                    self._narrow(left, other, self._variables[other].related(word))
                    for third, mask in list(self._left(other, word).items()):
                        if third != other:
                            self._narrow(left, third, mask)
                for other, mask in said.allows:
                    self._narrow(left, other, mask)
                at = said.within
            left[name] = self._variables[name].bit(value)
        return self._leaves[key]

    def _narrow(self, left: dict[str, int], name: str, mask: int) -> None:
        left[name] = left.get(name, self._variables[name].everything) & mask


def _together(one: dict[str, int], other: dict[str, int]) -> bool:
    return all(mask & other[name] & ~UNSTATED for name, mask in one.items() if name in other)


def _wider(one: Box, other: Box) -> bool:
    """Whether whatever is in `other` is in `one`, which is another box."""
    masks = dict(other)
    return one != other and all(name in masks and masks[name] & mask == masks[name] for name, mask in one)
