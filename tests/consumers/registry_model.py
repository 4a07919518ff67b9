"""The two kinds of entry in a BIOS attribute registry, read from its document: attributes and dependencies.

The form is the DMTF's AttributeRegistry (DSP8010); how Dell fills it is told in `consumers.registry`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

Value = str | int | None


@dataclass(frozen=True)
class Condition:
    """One condition of a dependency: an attribute's value equals (or not) a given one."""

    attribute: str
    equal: bool
    value: Value

    def holds(self, state: Mapping[str, Value]) -> bool:
        """Whether it holds in `state`; what is not known there settles nothing."""
        known = state.get(self.attribute)
        return known is not None and (known == self.value) is self.equal

    def __str__(self) -> str:
        return f"{self.attribute} is {'' if self.equal else 'not '}{self.value}"


@dataclass(frozen=True)
class Dependency:
    """While one of `alternatives` holds, all conditions of it together, `prop` of `attribute` is `to`."""

    attribute: str
    prop: str
    to: Any
    alternatives: tuple[tuple[Condition, ...], ...]

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions, of whichever alternative."""
        return tuple(dict.fromkeys(each for together in self.alternatives for each in together))

    def fires(self, state: Mapping[str, Value]) -> bool:
        """Whether any of its alternatives holds in `state`."""
        return any(all(each.holds(state) for each in together) for together in self.alternatives)

    def __str__(self) -> str:
        return " or ".join(" and ".join(map(str, together)) for together in self.alternatives)


@dataclass(frozen=True)
class Attribute:
    """One attribute, as the registry describes it."""

    name: str
    kind: str
    values: tuple[str, ...]
    lower: int | None
    upper: int | None
    step: int
    min_length: int | None
    max_length: int | None
    read_only: bool
    immutable: bool
    hidden: bool

    def objection(self, value: object) -> str | None:
        """Why `value` is no value of this attribute at all, or None."""
        if self.kind == "Enumeration":
            return None if value in self.values else f"{value!r} is not one of {', '.join(self.values)}"
        if self.kind == "Integer":
            return self._number_objection(value)
        if self.kind == "Boolean":
            return None if isinstance(value, bool) else f"{value!r} is not a Boolean"
        if not isinstance(value, str):
            return f"{value!r} is not a string"
        short = self.min_length is not None and len(value) < self.min_length
        long = self.max_length is not None and len(value) > self.max_length
        return (
            f"{len(value)} characters, not {self.min_length} to {self.max_length}" if short or long else None
        )

    def _number_objection(self, value: object) -> str | None:
        if not isinstance(value, int) or isinstance(value, bool):
            return f"{value!r} is not an integer"
        low = self.lower is not None and value < self.lower
        high = self.upper is not None and value > self.upper
        if low or high:
            return f"{value} is not within {self.lower} to {self.upper}"
        off = self.step > 0 and (value - (self.lower or 0)) % self.step != 0
        return f"{value} is not a step of {self.step} from {self.lower or 0}" if off else None

    def having(self, value: Value) -> Attribute:
        """With this value among those of an enumeration."""
        is_new = bool(self.values) and isinstance(value, str) and value not in self.values
        return replace(self, values=(*self.values, str(value))) if is_new else self

    @property
    def is_choice(self) -> bool:
        """Whether there is anything to choose, so that a write could mean something."""
        is_range = self.kind == "Integer" and self.lower != self.upper
        return len(self.values) > 1 or is_range or self.kind == "Boolean"


def read_attribute(entry: Mapping[str, Any], *, by_label: bool = False) -> Attribute:
    """One entry of `RegistryEntries.Attributes`; `by_label` if the service calls values by their labels."""
    called = "ValueDisplayName" if by_label else "ValueName"
    return Attribute(
        name=entry["AttributeName"],
        kind=entry["Type"],
        values=tuple(dict.fromkeys(value[called] for value in entry.get("Value") or ())),
        lower=entry.get("LowerBound"),
        upper=entry.get("UpperBound"),
        step=entry.get("ScalarIncrement") or 0,
        min_length=entry.get("MinLength"),
        max_length=entry.get("MaxLength"),
        read_only=bool(entry.get("ReadOnly")),
        immutable=bool(entry.get("Immutable")),
        hidden=bool(entry.get("Hidden")),
    )


def read_dependency(entry: Mapping[str, Any]) -> Dependency:
    """The `Dependency` of one entry of `RegistryEntries.Dependencies`."""
    to = entry["MapToValue"]
    if isinstance(to, list):
        to = tuple(value["ValueName"] for value in to)
    return Dependency(entry["MapToAttribute"], entry["MapToProperty"], to, _alternatives(entry["MapFrom"]))


def _alternatives(entries: Sequence[Mapping[str, Any]]) -> tuple[tuple[Condition, ...], ...]:
    """Conditions that hold together, as alternatives.

    The terms are evaluated "left-to-right", so that AND takes no precedence (AttributeRegistry.v1_4_0.json, MapTerms). A
    service writes a term on the first of the two that it joins (Lenovo's), or on the second (Supermicro's), which can then
    have several for what is still open before it; what no term joins are alternatives (Dell's).
    """
    terms = [entry.get("MapTerms", "").split(",") for entry in entries]
    if terms[0] != [""]:
        terms = [[""], *terms[:-1]]
    open_before: list[tuple[tuple[Condition, ...], ...]] = []
    for entry, joined in zip(entries, terms, strict=True):
        open_before.append(((_condition(entry),),))
        for term in joined:
            if term and len(open_before) > 1:
                right, left = open_before.pop(), open_before.pop()
                both = tuple((*a, *b) for a in left for b in right)
                open_before.append(both if term == "AND" else (*left, *right))
    return tuple(together for each in open_before for together in each)


def _condition(entry: Mapping[str, Any]) -> Condition:
    operator = entry["MapFromCondition"]
    if entry["MapFromProperty"] != "CurrentValue" or operator not in {"EQU", "NEQ"}:
        raise ValueError(f"a dependency on {entry['MapFromAttribute']} that no capture had so far: {entry}")
    return Condition(entry["MapFromAttribute"], operator == "EQU", entry["MapFromValue"])
