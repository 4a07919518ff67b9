"""Numbers and lists of CPUs as values of settings, in a domain that stays finite.

Only what the knowledge base mentions can distinguish two numbers: a value, a bound, a default, a condition. So a
setting with numbers has one value for each mentioned number, and one *cell* for each gap between them that contains a
number. The name of a cell is the range of its numbers (`11 to 59`), which no word of the language can be. Lists of CPUs
are alike: one value for each mentioned list, and one cell for all others.

A policy may set a number that nothing mentions. It is in a cell, and decides as every other number of the cell does.
"""

import re
from collections.abc import Iterable
from itertools import pairwise

from setpoint.compiler.record import NamedTuple

NUMBER = re.compile(r"([0-9]{1,15}) ?([A-Za-z]*)")
"""A whole number and its unit, if it has one."""

LOOKS_LIKE_A_NUMBER = re.compile(r"[0-9]")

MOST_CPU = 8191
"""The highest number of a CPU. Linux supports at most 8192 of them on x86."""

CPU_LIST = "cpu-list"
"""Among the values of a setting: any list of CPUs."""

OTHER_CPU_LIST = f"other {CPU_LIST}"
"""The cell of the lists that nothing mentions."""


class WrongQuantityError(ValueError):
    """A text is not a value of a scale; the message says why."""


class Alternative(NamedTuple):
    """Numbers that a condition or an offer names: its canonical text, their bounds and step, the mentioned numbers."""

    text: str
    low: int
    high: int
    step: int
    mentioned: tuple[int, ...]


class Numbers(NamedTuple):
    """The whole numbers from `low` to `high`, in steps of `step` from `low`, with their unit."""

    low: int
    high: int
    step: int
    unit: str

    def text(self, number: int) -> str:
        """A number as its value: `50us`."""
        return f"{number}{self.unit}"

    @property
    def takes(self) -> str:
        """The numbers in words: `2 to 38 step 2`."""
        step = f" step {self.step}" if self.step > 1 else ""
        return f"{self.range_text(self.low, self.high)}{step}"

    def range_text(self, low: int, high: int) -> str:
        """A range in words; of one number, that number."""
        return self.text(low) if low == high else f"{self.text(low)} to {self.text(high)}"

    def number(self, text: str, unit_needed: bool = True) -> int:
        """The number that a text names, in its unit. Raises WrongQuantityError for another unit or no number."""
        match = NUMBER.fullmatch(text)
        if match is None:
            raise WrongQuantityError(f"`{text}` is not a whole number" + self._of_unit)
        digits, unit = match.groups()
        if unit != self.unit and (unit or unit_needed):
            if not unit:
                raise WrongQuantityError(f"`{text}` has no unit: it is in {self.unit}")
            raise WrongQuantityError(
                f"`{text}` has the wrong unit: it is {f'in {self.unit}' if self.unit else 'a plain number'}"
            )
        return int(digits)

    @property
    def _of_unit(self) -> str:
        return f" of {self.unit}" if self.unit else ""

    def has(self, number: int) -> bool:
        """Whether a number is within the bounds, and on the step."""
        return self.low <= number <= self.high and not (number - self.low) % self.step

    def canonical(self, text: str) -> str:
        """The value that a text names. Raises WrongQuantityError."""
        return self.text(self._on_step(text))

    def _on_step(self, text: str, unit_needed: bool = True) -> int:
        number = self.number(text, unit_needed)
        if not self.low <= number <= self.high:
            where = "below" if number < self.low else "above"
            bound = self.low if number < self.low else self.high
            raise WrongQuantityError(f"`{self.text(number)}` is {where} {self.text(bound)}")
        if not self.has(number):
            raise WrongQuantityError(
                f"`{self.text(number)}` is not on a step of {self.step} from {self.text(self.low)}"
            )
        return number

    def alternative(self, text: str) -> "Alternative":
        """What a condition or an offer names: a number, `0 to 10`, `0 to 10 step 2`, `above 10`, `below 60`.

        The lower number of a range may omit the unit. Raises WrongQuantityError.
        """
        numbers, _, step = text.partition(" step ")
        words = numbers.split(" ")
        if len(words) == 3 and words[1] == "to":
            low, high = (self._on_step(word, word is words[2]) for word in (words[0], words[2]))
            by = self._step(low, high, step)
            if low >= high:
                raise WrongQuantityError(f"`{text}` is not a range: the lower number is first")
            return Alternative(
                self.range_text(low, high) + (f" step {by}" if step else ""), low, high, by, (low, high)
            )
        if len(words) == 2 and words[0] in ("above", "below"):
            bound = self._on_step(words[1])
            low, high = (bound + 1, self.high) if words[0] == "above" else (self.low, bound - 1)
            if low > high:
                raise WrongQuantityError(f"no number is {words[0]} {self.text(bound)}")
            return Alternative(f"{words[0]} {self.text(bound)}", low, high, self.step, (bound,))
        number = self._on_step(text)
        return Alternative(self.text(number), number, number, self.step, (number,))

    def _step(self, low: int, high: int, text: str) -> int:
        """The step of an offer; each of its numbers must be on that of the setting."""
        by = self.number(text, unit_needed=False) if text else self.step
        if by <= 0 or by % self.step or (high - low) % by:
            raise WrongQuantityError(f"{self.range_text(low, high)} has no steps of {by}")
        return by

    def first_in(self, low: int, high: int) -> int | None:
        """The lowest number on the step that is within these bounds as well; None if there is none."""
        return lowest_in(self.low, self.high, self.step, low, high)

    def last_in(self, low: int, high: int) -> int | None:
        """The highest number on the step that is within these bounds as well; None if there is none."""
        if self.first_in(low, high) is None:
            return None
        high = min(high, self.high)
        return high - (high - self.low) % self.step

    def domain(self, mentioned: Iterable[int]) -> tuple[str, ...]:
        """The mentioned numbers and the cells between them, in order."""
        points = sorted({self.low, self.high - (self.high - self.low) % self.step, *mentioned})
        texts = [self.text(points[0])]
        for before, point in pairwise(points):
            first, last = self.first_in(before + 1, point - 1), self.last_in(before + 1, point - 1)
            if first is not None and last is not None:
                texts.append(self.range_text(first, last))
            texts.append(self.text(point))
        return tuple(texts)


def lowest_in(low: int, high: int, step: int, first: int, last: int) -> int | None:
    """The lowest of the numbers from `low` to `high` in steps that is in the other range as well; None if none is."""
    least = max(low, first)
    number = least + (low - least) % step
    return number if number <= min(high, last) else None


class CpuLists(NamedTuple):
    """Lists of CPUs: `2-31,34-63`."""

    @property
    def takes(self) -> str:
        """The lists in words."""
        return CPU_LIST

    def canonical(self, text: str) -> str:
        """A list, sorted and merged. Raises WrongQuantityError."""
        cpus: list[tuple[int, int]] = []
        for part in text.split(","):
            ends = part.split("-")
            if not 1 <= len(ends) <= 2 or not all(re.fullmatch("[0-9]{1,9}", end) for end in ends):
                raise WrongQuantityError(f"`{text}` is not a list of CPUs such as `2-31,34-63`")
            low, high = int(ends[0]), int(ends[-1])
            if low > high:
                raise WrongQuantityError(f"`{part}` runs backwards: the lower CPU is first, `{high}-{low}`")
            if high > MOST_CPU:
                raise WrongQuantityError(f"no server has a CPU {high}: the highest number is {MOST_CPU}")
            cpus.append((low, high))
        return ",".join(f"{low}-{high}" if low < high else f"{low}" for low, high in _merged(cpus))

    def domain(self, mentioned: Iterable[str]) -> tuple[str, ...]:
        """The mentioned lists, and the cell of all others."""
        return (
            *sorted(mentioned, key=lambda text: [int(n) for n in re.findall("[0-9]+", text)]),
            OTHER_CPU_LIST,
        )


def _merged(cpus: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in order; those that overlap or adjoin as one."""
    ranges: list[tuple[int, int]] = []
    for low, high in sorted(cpus):
        if ranges and low <= ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], max(high, ranges[-1][1]))
        else:
            ranges.append((low, high))
    return ranges


Scale = Numbers | CpuLists
"""What a setting takes beside its named values."""


def is_cell(value: str) -> bool:
    """Whether a value of a domain is a cell, which stands for several numbers or lists."""
    return " " in value
