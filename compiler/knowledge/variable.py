"""Variables: names with a finite domain, possibly a tree, and sets of their values as integers.

The proof asks for the values below and above a value millions of times, so these sets are computed once for all values.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from setpoint.compiler.record import distinct


@distinct
class _VariableFields(NamedTuple):
    name: str
    values: tuple[str, ...]
    parents: tuple[str, ...] = ()


class Variable(_VariableFields):
    """A name and its finite domain; `values[i]` has the bit `2 << i`.

    The sets are computed when the first is requested, and are not pickled.
    """

    def __getstate__(self) -> None:
        return None

    def bit(self, value: str) -> int:
        """The set of this value alone. Raises ValueError for an unknown value."""
        if value not in self._bits:
            raise ValueError(f"{value!r} is not a value of {self.name}")
        return self._bits[value]

    def below(self, value: str) -> int:
        """The set of this value and all values within it. Raises ValueError for an unknown value."""
        below, _ = self._tree
        return below[value] if value in below else self.bit(value)

    def within(self, values: Iterable[str]) -> int:
        """The set of these values and all values within them."""
        mask = 0
        for value in values:
            mask |= self.below(value)
        return mask

    def related(self, value: str) -> int:
        """The set of this value, all values within it, and all values that it is within."""
        below, above = self._tree
        return below[value] | above[value] if value in below else self.bit(value)

    @cached_property
    def _bits(self) -> dict[str, int]:
        return {value: 2 << i for i, value in enumerate(self.values)}

    @cached_property
    def _tree(self) -> tuple[dict[str, int], dict[str, int]]:
        """For each value, the set of it and all values within it, and the set of the values that it is within."""
        bits = self._bits
        parents = dict(zip(self.values, self.parents, strict=False))
        below, above = dict(bits), dict.fromkeys(bits, 0)
        for value, at in parents.items():
            while at in bits and not above[value] & bits[at]:
                above[value] |= bits[at]
                below[at] |= bits[value]
                at = parents[at]
        return below, above

    @property
    def everything(self) -> int:
        """The set of all values, including bit 0."""
        return (2 << len(self.values)) - 1

    def names(self, mask: int) -> tuple[str, ...]:
        """The values in a set, in the domain's order."""
        return tuple(v for i, v in enumerate(self.values) if mask >> (i + 1) & 1)

    def name_of(self, bit: int) -> str:
        """The value of a set with one element."""
        return self.values[bit.bit_length() - 2]
