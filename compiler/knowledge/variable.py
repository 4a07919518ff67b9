"""Variables: names with a finite domain, possibly a tree, and sets of their values as integers.

The proof asks for the values below a value millions of times, so each set is computed once. A plan asks about a few
values of thousands, so it is computed when somebody asks.
"""

from collections.abc import Callable, Iterable
from functools import cached_property, reduce
from itertools import compress
from operator import or_

from setpoint.compiler.hints import Any
from setpoint.compiler.knowledge.boxes import several
from setpoint.compiler.knowledge.quantity import (
    CPU_LIST,
    CpuLists,
    Numbers,
    Scale,
    WrongQuantityError,
    is_cell,
    lowest_in,
)
from setpoint.compiler.record import NamedTuple


class _Sets(dict[str, int]):
    """A set for each value, computed when somebody first asks for it."""

    def __init__(self, compute: Callable[[str], int]) -> None:
        self._compute = compute

    def __missing__(self, value: str) -> int:
        mask = self[value] = self._compute(value)
        return mask


class _VariableFields(NamedTuple):
    name: str
    values: tuple[str, ...]
    parents: tuple[str, ...] = ()
    scale: Scale | None = None
    open_values: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Variable(_VariableFields):
    """A name and its finite domain; `values[i]` has the bit `2 << i`.

    With a `scale` it takes numbers or lists of CPUs as well. Those that the knowledge base does not mention have the
    bit of their cell (`quantity`). Each of its `open_values` leaves open which of others it is, and has these beside
    it.

    The bounds of its numbers and the tree of its values are pickled along: every plan needs them.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        computed = {"_numbers": self._numbers, "_children": self._children}
        return (*super().__reduce__(), {name: result for name, result in computed.items() if result} or None)

    def bit(self, value: str) -> int:
        """The set of this value alone, or of the cell that has it. Raises ValueError for an unknown value."""
        return self._bits[value] if value in self.places else self._cell(value)

    def _cell(self, value: str) -> int:
        if isinstance(self.scale, Numbers):
            return self.between(*[self.scale.number(self.scale.canonical(value))] * 2)
        if isinstance(self.scale, CpuLists):
            listed = self.scale.canonical(value)
            return self._bits[listed if listed in self.places else self.values[-1]]
        raise ValueError(f"{value!r} is not a value of {self.name}")

    def between(self, low: int, high: int, step: int = 1) -> int:
        """The set of the numbers within these bounds, and of the cells with such a number; in steps from the lower."""
        mask = 0
        for first, last, bit in self._numbers:
            if lowest_in(low, high, step, first, last) is not None:
                mask |= bit
        return mask

    # --------------------------------------------------------------------------------- what an offer has

    def offered(self, values: Iterable[str]) -> int:
        """The set of the values that an offer lists, among them ranges of numbers."""
        mask = 0
        for value in values:
            if value in self.places:
                mask |= self._bits[value]
            elif isinstance(self.scale, Numbers):
                numbers = self.scale.alternative(value)
                mask |= self.between(numbers.low, numbers.high, numbers.step)
            else:
                mask |= self.meant(value)
        return mask

    def listed(self, values: Iterable[str], value: str) -> str:
        """The value of an offer that another value is, or that has it in its range; "" if none is."""
        values = tuple(values)
        if value in values or not self.is_quantity(value):
            return value if value in values else ""
        if not isinstance(self.scale, Numbers):
            return CPU_LIST if CPU_LIST in values else ""
        number = self.scale.number(value)
        for option in values:
            if " " in option:
                numbers = self.scale.alternative(option)
                if numbers.low <= number <= numbers.high and not (number - numbers.low) % numbers.step:
                    return option
        return ""

    def lowest(self, values: Iterable[str], cell: str) -> str:
        """The lowest number of a cell that an offer has; "" if there is none."""
        if not isinstance(self.scale, Numbers):
            return ""
        ends = [self.scale.number(end) for end in cell.split(" to ")]
        ranges = [self.scale.alternative(option) for option in values if not self._is_word(option)]
        numbers = [
            n for r in ranges if (n := lowest_in(r.low, r.high, r.step, ends[0], ends[-1])) is not None
        ]
        return self.scale.text(min(numbers)) if numbers else ""

    def _is_word(self, value: str) -> bool:
        return value in self.places and not self.is_quantity(value)

    # --------------------------------------------------------------------------------------- its values

    def bare(self, value: str) -> str:
        """A number without its unit; any other value as it is."""
        return value.removesuffix(self.scale.unit) if isinstance(self.scale, Numbers) else value

    def example(self, value: str) -> str:
        """A value that a policy can set, for one of the domain: of a cell its lowest number."""
        if not is_cell(value):
            return value
        return value.split(" ")[0] if isinstance(self.scale, Numbers) else self._unmentioned

    @property
    def _unmentioned(self) -> str:
        """A list of CPUs that nothing mentions."""
        return next(text for text in map(str, range(len(self.values))) if text not in self.places)

    @property
    def named(self) -> tuple[str, ...]:
        """The values that a text can name, without the cells."""
        return (
            tuple(value for value in self.values if not is_cell(value))
            if self.scale is not None
            else self.values
        )

    def distance(self, a: str, b: str) -> int:
        """How far apart two numbers are; 0 unless both are numbers."""
        if not isinstance(self.scale, Numbers) or not (self.is_quantity(a) and self.is_quantity(b)):
            return 0
        return abs(self.scale.number(a) - self.scale.number(b))

    @property
    def words(self) -> tuple[str, ...]:
        """The values that are neither numbers nor lists of CPUs."""
        return (
            tuple(v for v in self.named if not self.is_quantity(v)) if self.scale is not None else self.values
        )

    @property
    def takes(self) -> tuple[str, ...]:
        """The values as a setting declares them: the named ones, then the numbers or lists that it takes."""
        return (*self.words, *((self.scale.takes,) if self.scale is not None else ()))

    def is_quantity(self, value: str) -> bool:
        """Whether a value is a number or a list of CPUs."""
        try:
            return self.scale is not None and bool(self.scale.canonical(value))
        except WrongQuantityError:
            return False

    def canonical(self, text: str) -> str:
        """The value that a text names, which may be one that nothing mentions. Raises ValueError."""
        if text in self.places and not is_cell(text):
            return text
        if self.scale is None:
            raise ValueError(f"{text!r} is not a value of {self.name}")
        return self.scale.canonical(text)

    def meant(self, text: str) -> int:
        """The set of values that an alternative of a condition means; 0 if it means none.

        That is a value with all values within it, a range of numbers (`0 to 10`), or all lists of CPUs.
        """
        if text in self.places and not is_cell(text):
            return self.below(text)
        if isinstance(self.scale, CpuLists) and text == CPU_LIST:
            return self.within(value for value in self.values if value not in self.words)
        try:
            if isinstance(self.scale, Numbers):
                meant = self.scale.alternative(text)
                return self.between(meant.low, meant.high)
            return self.bit(self.canonical(text))
        except ValueError:
            return 0

    @cached_property
    def _numbers(self) -> tuple[tuple[int, int, int], ...]:
        """For each number and cell, the lowest and the highest number, and the bit."""
        scale, cells = self.scale, []
        if isinstance(scale, Numbers):
            for value in self.values:
                ends = value.split(" to ")
                if all(self.is_quantity(end) for end in ends):
                    cells.append((scale.number(ends[0]), scale.number(ends[-1]), self._bits[value]))
        return tuple(cells)

    def below(self, value: str) -> int:
        """The set of this value and all values within it. Raises ValueError for an unknown value."""
        return self._below[value] if value in self.places else self.bit(value)

    def as_offered(self, value: str, offered: int) -> str:
        """A value as an offer has it: if not itself, the only one within it that is offered; else the value itself."""
        nested = 0 if offered & self.bit(value) else offered & self.below(value)
        return self.name_of(nested) if nested and not several(nested) else value

    def within(self, values: Iterable[str]) -> int:
        """The set of these values and all values within them."""
        mask = 0
        for value in values:
            mask |= self.below(value)
        return mask

    def covered(self, mask: int) -> int:
        """A set with the open values that surely lie in it: those of which all values do."""
        for value, members in self.open_inside_out:
            if all(self.bit(member) & mask for member in members):
                mask |= self.bit(value)
        return mask

    def perhaps(self, mask: int) -> int:
        """The open values of which some values lie in a set."""
        return reduce(or_, (self.bit(value) for value, _ in self.open_values if self.below(value) & mask), 0)

    @cached_property
    def outermost(self) -> tuple[str, ...]:
        """The values that lie within no other; of an open one its values."""
        parents, open_values = dict(zip(self.values, self.parents, strict=False)), dict(self.open_values)

        def is_outermost(value: str) -> bool:
            parent = parents.get(value, "")
            return not parent or (parent in open_values and is_outermost(parent))

        return tuple(value for value in self.values if value not in open_values and is_outermost(value))

    @cached_property
    def open_inside_out(self) -> list[tuple[str, tuple[str, ...]]]:
        """The open values, each after those that are among its own."""
        return sorted(self.open_values, key=lambda pair: self.below(pair[0]).bit_count())

    def related(self, value: str) -> int:
        """The set of this value, all values within it, and all values that it is within."""
        mask, at = self.below(value), self._parent(value)
        while at in self.places and not mask & self.bit(at):
            mask |= self.bit(at)
            at = self._parent(at)
        return mask

    def _parent(self, value: str) -> str:
        """The value that it lies within; "" for none."""
        return self.parents[self.places[value]] if self.parents and value in self.places else ""

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each value in the domain."""
        return dict(zip(self.values, range(len(self.values)), strict=True))

    @cached_property
    def _bits(self) -> _Sets:
        return _Sets(lambda value: 2 << self.places[value])

    @cached_property
    def _below(self) -> _Sets:
        return _Sets(self._with_all_within)

    def _with_all_within(self, value: str) -> int:
        mask, values = 0, [value]
        for at in values:
            if not mask & self.bit(at):
                mask |= self.bit(at)
                values += self._children.get(at, ())
        return mask

    @cached_property
    def _children(self) -> dict[str, list[str]]:
        """The values that lie directly within each value that has any."""
        children: dict[str, list[str]] = {}
        for value, parent in zip(self.values, self.parents, strict=False):
            if parent:
                children.setdefault(parent, []).append(value)
        return children

    @property
    def everything(self) -> int:
        """The set of all values, including bit 0."""
        return (2 << len(self.values)) - 1

    def phrases(self, mask: int) -> tuple[str, ...]:
        """The values in a set as conditions name them: adjacent numbers as one range."""
        if self.scale is None:
            return self.names(mask)
        phrases = [value for value in self.words if mask & self._bits[value]]
        if not isinstance(self.scale, Numbers):
            lists = self.meant(CPU_LIST)
            return (*phrases, *([CPU_LIST] if mask & lists == lists else self.names(mask & lists)))
        run: tuple[int, int] | None = None
        for first, last, bit in self._numbers:
            if mask & bit:
                run = (run[0] if run else first, last)
            elif run:
                phrases.append(self.scale.range_text(*run))
                run = None
        return (*phrases, *([self.scale.range_text(*run)] if run else []))

    def widest(self, mask: int) -> tuple[str, ...]:
        """The values in a set that are not within another of it; kept, since each condition's text has them."""
        if mask not in self._widest:
            if self.scale is not None:
                self._widest[mask] = self.phrases(mask)
            else:
                self._widest[mask] = tuple(
                    value
                    for value in self.names(mask)
                    if not ((parent := self._parent(value)) and mask & self.bit(parent))
                )
        return self._widest[mask]

    @cached_property
    def _widest(self) -> dict[int, tuple[str, ...]]:
        return {}

    def names(self, mask: int) -> tuple[str, ...]:
        """The values in a set, in the domain's order."""
        return tuple(compress(self.values, f"{mask >> 1:b}"[::-1].encode().replace(b"0", b"\0")))

    def name_of(self, bit: int) -> str:
        """The value of a set with one element."""
        return self.values[bit.bit_length() - 2]
