"""The names of an inventory's hosts, by kind: a text for each kind, and no object for each name.

A million names as objects, in a dictionary, take more memory than everything else that a fleet needs. So the names of a
kind are joined as they are read. Which names were read before is known by their hashes; a name whose hash was there is
looked for in the texts. Names of hosts have no line breaks.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import overload

from setpoint.compiler.binding.names import ORDINARY, spelled_twice, why_no_host
from setpoint.compiler.inventory.model import Profile, Rows
from setpoint.compiler.record import NamedTuple

TWICE = "it is in the inventory twice, with other facts"

IN_ANY_CASE = "it is in the inventory twice, in another case of letters with other facts"

TOGETHER = 1 << 14
"""How many names are read before they are joined."""

MOST_AGAIN = 1 << 16
"""How many names that may have been read before are looked for together."""


class LeftOut(NamedTuple):
    """A row that is no host: what it calls itself, its line, and why."""

    name: str
    line: int
    why: str


class HostNames(Sequence[str]):
    """Names of hosts, as one text: so many, with a line for each."""

    __slots__ = ("_number", "_text")

    def __init__(self, number: int, text: str) -> None:
        self._number, self._text = number, text

    @classmethod
    def of(cls, names: Iterable[str]) -> "HostNames":
        """These names, in their order."""
        several = [*names]
        return cls(len(several), "\n".join(several))

    @property
    def has_capitals(self) -> bool:
        """Whether any of them has a capital letter."""
        return self._text != self._text.lower()

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[str]:
        return iter(self._text.split("\n") if self._number else ())

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        return [*self][index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr((*self,))


class HostsByKind(Mapping[str, int]):
    """The number of each host's kind. `of_kinds` are the names of each."""

    def __init__(self, of_kinds: Sequence[HostNames]) -> None:
        self.of_kinds = of_kinds

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, names in enumerate(self.of_kinds) for name in names}

    def __getitem__(self, name: str) -> int:
        return self._numbers[name]

    def __iter__(self) -> Iterator[str]:
        for names in self.of_kinds:
            yield from names

    def __len__(self) -> int:
        return sum(map(len, self.of_kinds))

    def among(self, some: Set[str]) -> dict[str, int]:
        """Those of some names that are hosts, each with the number of its kind."""
        every = enumerate(self.of_kinds if some else ())
        return {name: number for number, names in every for name in some & {*names}}

    def only(self, host: str) -> "HostsByKind":
        """One of the hosts alone."""
        kind = self[host]
        return HostsByKind([HostNames.of([host] * (n == kind)) for n in range(len(self.of_kinds))])

    def without(self, some: Set[str]) -> "HostsByKind":
        """All hosts but some."""
        return HostsByKind(
            [
                HostNames.of(name for name in names if name not in some)
                if not some.isdisjoint(names)
                else names
                for names in self.of_kinds
            ]
        )


class _NamesReader:
    """Reads rows: the names of each kind, in texts that are joined at the end, and what may be there again."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.numbers: dict[Profile, int] = {}
        self.left_out: list[LeftOut] = []
        self._unjoined: list[list[str]] = []
        self._texts: list[list[str]] = []
        self._counts: list[int] = []
        self._again: list[tuple[str, int | Profile, int]] = []

    def read(self) -> None:
        """Read all rows, as fast as Python can: there may be a million."""
        is_ordinary, numbers, unjoined = re.compile(ORDINARY).fullmatch, self.numbers, self._unjoined
        seen: set[int] = set()
        for count, (name, profile) in enumerate(self.rows.rows):
            code = hash(name)
            if code in seen or not is_ordinary(name):
                name = name.strip()
                code = hash(name)
                if code in seen:
                    self._later(name, numbers.get(profile, profile))
                    continue
                if why := why_no_host(name):
                    self.left_out.append(LeftOut(name, self.rows.line(), why))
                    continue
            seen.add(code)
            number = numbers.get(profile)
            if number is None:
                number = self._new(profile)
            unjoined[number].append(name)
            if not count % TOGETHER:
                self._join()
        self._find_again()

    def hosts(self) -> HostsByKind:
        """The names that were read."""
        for texts in self._texts:
            texts[:] = ["\n".join(texts)]
        return HostsByKind(
            [HostNames(n, texts[0]) for n, texts in zip(self._counts, self._texts, strict=True)]
        )

    def _new(self, profile: Profile) -> int:
        self.numbers[profile] = number = len(self.numbers)
        self._unjoined.append([])
        self._texts.append([])
        self._counts.append(0)
        return number

    def _join(self) -> None:
        for number, names in enumerate(self._unjoined):
            if names:
                self._texts[number].append("\n".join(names))
                self._counts[number] += len(names)
                names.clear()

    def _later(self, name: str, profile: int | Profile) -> None:
        """Look for a name later, together with others. For a known profile its number takes less room."""
        self._again.append((name, profile, self.rows.line()))
        if len(self._again) >= MOST_AGAIN:
            self._find_again()

    def _find_again(self) -> None:
        self._join()
        known = self.hosts().among({name for name, _, _ in self._again}) if self._again else {}
        for name, profile, line in self._again:
            kind = profile if isinstance(profile, int) else self.numbers.get(profile)
            if name in known:
                if known[name] != kind:
                    self.left_out.append(LeftOut(name, line, TWICE))
            elif why := why_no_host(name):
                self.left_out.append(LeftOut(name, line, why))
            else:  # another name has the same hash
                known[name] = self._new(profile) if kind is None else kind  # type: ignore[arg-type]
                self._unjoined[known[name]].append(name)
        self._again.clear()
        self._join()


class NamesRead(NamedTuple):
    """The hosts of rows, the profile of each kind, and the rows that are none."""

    hosts: HostsByKind
    profiles: tuple[Profile, ...]
    left_out: list[LeftOut]


def names_read(rows: Rows) -> NamesRead:
    """Read all rows. A host may be there several times with the same facts."""
    reader = _NamesReader(rows)
    reader.read()
    hosts, left_out = reader.hosts(), reader.left_out
    if twice := {entry.name for entry in left_out if entry.why == TWICE}:
        hosts = hosts.without(twice)  # nobody knows which of the rows is right
    spelled = [*spelled_twice(hosts)] if any(names.has_capitals for names in hosts.of_kinds) else []
    if spelled:
        kind_of = hosts.among({name for names in spelled for name in names})
        same = [len({kind_of[name] for name in names}) == 1 for names in spelled]
        both = [*zip(spelled, same, strict=True)]
        left_out += [LeftOut(n, 0, IN_ANY_CASE) for names, is_same in both if not is_same for n in names]
        hosts = hosts.without({n for names, is_same in both for n in (names[1:] if is_same else names)})
    return NamesRead(hosts, tuple(reader.numbers), left_out)
