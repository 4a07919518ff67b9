"""Narrow: which values are still possible.

What constraints and presets exclude is a list of *forbidden combinations*: of each setting some values. A choice of
values is possible if it completes to one that has no forbidden combination, and that is tried, value by value.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

Combination = dict[str, frozenset[str]]


class Part:
    """Settings that forbidden combinations tie together, with their values. What was tried is kept."""

    def __init__(self, domains: dict[str, tuple[str, ...]], forbidden: Iterable[Combination]) -> None:
        self.domains = domains
        self._forbidden = {name: [c for c in forbidden if name in c] for name in domains}
        self._order = sorted(domains, key=lambda name: (-len(self._forbidden[name]), name))
        self._tried: dict[frozenset[tuple[str, str]], bool] = {}

    def completes(self, chosen: Mapping[str, str]) -> bool:
        """Whether the other settings have values that violate nothing."""
        mine = {name: chosen[name] for name in self.domains if name in chosen}
        key = frozenset(mine.items())
        if key not in self._tried:
            self._tried[key] = self._allowed(mine, mine) and self._search(mine, 0)
        return self._tried[key]

    def _search(self, chosen: Mapping[str, str], place: int) -> bool:
        while place < len(self._order) and self._order[place] in chosen:
            place += 1
        if place == len(self._order):
            return True
        name = self._order[place]
        for value in self.domains[name]:
            further = {**chosen, name: value}
            if self._allowed((name,), further) and self._search(further, place + 1):
                return True
        return False

    def _allowed(self, names: Iterable[str], chosen: Mapping[str, str]) -> bool:
        """Whether no forbidden combination that names one of these settings has come about."""
        for name in names:
            for combination in self._forbidden[name]:
                for each, values in combination.items():
                    if chosen.get(each) not in values:
                        break
                else:
                    return False
        return True


class Possible(NamedTuple):
    """The values that can be, of all settings together. `nothing` is whether the facts alone are forbidden."""

    domains: dict[str, tuple[str, ...]]
    parts: dict[str, Part]
    nothing: bool

    def can_be(self, chosen: Mapping[str, str]) -> bool:
        """Whether these values can be together."""
        parts = {id(part): part for part in self.parts.values()}
        return not self.nothing and all(part.completes(chosen) for part in parts.values())

    def values(self, name: str, chosen: Mapping[str, str]) -> tuple[str, ...]:
        """*Narrow*: the values of a setting that are compatible with the chosen ones, in their order."""
        if name not in self.parts:
            return self.domains[name]
        part = self.parts[name]
        return tuple(value for value in part.domains[name] if part.completes({**chosen, name: value}))


class Parts:
    """Makes parts, each once."""

    def __init__(self) -> None:
        self._known: dict[object, Part] = {}

    def possible(self, domains: dict[str, tuple[str, ...]], combinations: list[Combination]) -> Possible:
        """What can be under these combinations. A setting that none of them names can have any of its values."""
        found = {}
        for names in tied(combinations):
            mine = {name: domains[name] for name in sorted(names)}
            own = [c for c in combinations if c.keys() & names]
            key = tuple(mine.items()), frozenset(frozenset(c.items()) for c in own)
            if key not in self._known:
                self._known[key] = Part(mine, own)
            part = self._known[key]
            found.update(dict.fromkeys(names, part))
        return Possible(domains, found, any(not c for c in combinations))


def tied(combinations: Iterable[Combination]) -> list[frozenset[str]]:
    """The settings that combinations name, those that one of them names together in one group."""
    groups: list[frozenset[str]] = []
    for combination in combinations:
        touched = [group for group in groups if group & combination.keys()]
        groups = [group for group in groups if group not in touched]
        groups.append(frozenset(combination).union(*touched))
    return [group for group in groups if group]
