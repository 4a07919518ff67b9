"""The two kinds of entry in a BIOS attribute registry, as the firmware that published it acts on them: attributes and
dependencies.

The form is DMTF's AttributeRegistry (DSP8010). `compiler/registries` reads the same form, to plan; this reading is on
purpose another one, written from the schema and from captured registries, since a plan that is rehearsed by its own
reading proves nothing.

What three services leave out of their registry, or of the values that they show, as captures have it:

* a registry numbers the values (`ValueName`), while the values that the service shows, the defaults and the conditions
  of dependencies have their labels. A request has what the service shows;
* a service does not show the attributes that are greyed out or hidden, of which each has a default;
* a registry was captured with all its dependencies and few of its attributes. Those that the dependencies name have the
  values that are mentioned anywhere.

A registry also writes some numbers in conditions as texts (`"0"` beside 0 for one attribute); they are read as numbers.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from setpoint.compiler.record import NamedTuple

Value = str | int | float | None

Entries = Sequence[Mapping[str, Any]]
"""`RegistryEntries.Attributes`."""

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "EQU": operator.eq,
    "NEQ": operator.ne,
    "GTR": operator.gt,
    "GEQ": operator.ge,
    "LSS": operator.lt,
    "LEQ": operator.le,
}
"""`MapFromCondition` (AttributeRegistry.v1_4_0.json)."""

NUMBER = re.compile(r"-?[0-9]{1,18}")

MOST_ALTERNATIVES = 4096
"""The maximum number of alternatives of a dependency: a hundred times the most that a captured registry has."""


class TwinCondition(NamedTuple):
    """One condition of a dependency: how an attribute's value compares with a given one, by one of COMPARISONS."""

    attribute: str
    comparison: str
    value: Value

    @property
    def equal(self) -> bool:
        """Whether the two are to be equal."""
        return self.comparison == "EQU"

    def holds(self, state: Mapping[str, Value]) -> bool:
        """Whether it holds in `state`; what is not known there settles nothing."""
        known = state.get(self.attribute)
        if known is None:
            return False
        try:
            return COMPARISONS[self.comparison](known, self.value)
        except TypeError:  # a number with a text
            return False

    def __str__(self) -> str:
        words = {"EQU": "is", "NEQ": "is not"}
        return f"{self.attribute} {words.get(self.comparison, self.comparison)} {self.value}"


class TwinDependency(NamedTuple):
    """While one of `alternatives` holds, all conditions of it together, `prop` of `attribute` is `to`."""

    attribute: str
    prop: str
    to: Any
    alternatives: tuple[tuple[TwinCondition, ...], ...]

    @property
    def conditions(self) -> tuple[TwinCondition, ...]:
        """All conditions, of whichever alternative."""
        return tuple(dict.fromkeys(condition for together in self.alternatives for condition in together))

    def fires(self, state: Mapping[str, Value]) -> bool:
        """Whether any of its alternatives holds in `state`."""
        return any(all(condition.holds(state) for condition in together) for together in self.alternatives)

    def __str__(self) -> str:
        return " or ".join(" and ".join(map(str, together)) for together in self.alternatives)


class TwinAttribute(NamedTuple):
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

    def having(self, value: Value) -> Self:
        """With this value among those of an enumeration."""
        is_new = bool(self.values) and isinstance(value, str) and value not in self.values
        changed: Self = self._replace(values=(*self.values, str(value))) if is_new else self
        return changed

    @property
    def is_choice(self) -> bool:
        """Whether there is anything to choose, so that a write could mean something."""
        is_range = self.kind == "Integer" and self.lower != self.upper
        return len(self.values) > 1 or is_range or self.kind == "Boolean"


def read_attribute(entry: Mapping[str, Any], *, by_label: bool = False) -> TwinAttribute:
    """One entry of `RegistryEntries.Attributes`; `by_label` if the service calls values by their labels."""
    called = "ValueDisplayName" if by_label else "ValueName"
    return TwinAttribute(
        name=entry["AttributeName"],
        kind=entry["Type"],
        values=tuple(
            dict.fromkeys(value.get(called) or value["ValueName"] for value in entry.get("Value") or ())
        ),
        lower=entry.get("LowerBound"),
        upper=entry.get("UpperBound"),
        step=entry.get("ScalarIncrement") or 0,
        min_length=entry.get("MinLength"),
        max_length=entry.get("MaxLength"),
        read_only=bool(entry.get("ReadOnly")),
        immutable=bool(entry.get("Immutable")),
        hidden=bool(entry.get("Hidden")),
    )


def read_dependency(entry: Mapping[str, Any]) -> TwinDependency:
    """The `Dependency` of one entry of `RegistryEntries.Dependencies`."""
    to = entry["MapToValue"]
    if isinstance(to, list):
        to = tuple(value["ValueName"] for value in to)
    return TwinDependency(
        entry["MapToAttribute"], entry["MapToProperty"], to, _alternatives(entry["MapFrom"])
    )


def _alternatives(entries: Sequence[Mapping[str, Any]]) -> tuple[tuple[TwinCondition, ...], ...]:
    """Conditions that hold together, as alternatives.

    The terms are evaluated "left-to-right", so that AND takes no precedence (AttributeRegistry.v1_4_0.json, MapTerms).
    A service writes a term on the first of the two that it joins (Lenovo's), or on the second (Supermicro's), which can
    then have several for what is still open before it; what no term joins are alternatives (Dell's).
    """
    terms = [entry.get("MapTerms", "").split(",") for entry in entries]
    if terms[0] != [""]:
        terms = [[""], *terms[:-1]]
    open_before: list[tuple[tuple[TwinCondition, ...], ...]] = []
    for entry, joined in zip(entries, terms, strict=True):
        open_before.append(((_condition(entry),),))
        for term in joined:
            if term and len(open_before) > 1:
                right, left = open_before.pop(), open_before.pop()
                if len(left) * len(right) > MOST_ALTERNATIVES:
                    raise ValueError("a dependency has too many alternatives")
                both = tuple((*a, *b) for a in left for b in right)
                open_before.append(both if term == "AND" else (*left, *right))
    return tuple(together for alternatives in open_before for together in alternatives)


def _condition(entry: Mapping[str, Any]) -> TwinCondition:
    if entry["MapFromProperty"] != "CurrentValue" or entry["MapFromCondition"] not in COMPARISONS:
        raise ValueError(
            f"a dependency reads `{entry['MapFromProperty']}` of `{entry['MapFromAttribute']}` by `{entry['MapFromCondition']}`"
        )
    return TwinCondition(entry["MapFromAttribute"], entry["MapFromCondition"], entry["MapFromValue"])


def with_numbers(dependency: TwinDependency, attributes: Mapping[str, TwinAttribute]) -> TwinDependency:
    """A dependency whose conditions on numbers compare with numbers."""

    def number(condition: TwinCondition) -> TwinCondition:
        attribute = attributes.get(condition.attribute)
        is_text = attribute is not None and attribute.kind == "Integer" and isinstance(condition.value, str)
        return (
            condition._replace(value=int(str(condition.value)))
            if is_text and NUMBER.fullmatch(str(condition.value))
            else condition
        )

    alternatives = tuple(tuple(map(number, together)) for together in dependency.alternatives)
    return dependency._replace(alternatives=alternatives)


# ------------------------------------------------------------------------------------- what services leave out


def calls_values_by_labels(entries: Entries, current: Mapping[str, Value]) -> bool:
    """Whether the values that the service shows are the labels of the registry's, and not their names."""
    shown = [
        (entry, current[entry["AttributeName"]]) for entry in entries if entry["AttributeName"] in current
    ]
    lists = [(entry["Value"], value) for entry, value in shown if entry.get("Value")]
    labels = sum(value in {choice.get("ValueDisplayName") for choice in values} for values, value in lists)
    names = sum(value in {choice["ValueName"] for choice in values} for values, value in lists)
    return labels > names


def unseen(entries: Entries, current: Mapping[str, Value]) -> dict[str, Value]:
    """The attributes that are locked and not shown, with their defaults."""
    return {
        entry["AttributeName"]: entry.get("DefaultValue")
        for entry in entries
        if entry["AttributeName"] not in current and (entry.get("GrayOut") or entry.get("Hidden"))
    }


def unlisted(
    listed: Mapping[str, TwinAttribute], dependencies: Iterable[TwinDependency], current: Mapping[str, Value]
) -> dict[str, TwinAttribute]:
    """The attributes with a captured value that dependencies name and the registry does not list."""
    mentioned: dict[str, dict[Value, None]] = {}
    for dependency in dependencies:
        named = [(dependency.attribute, dependency.to if dependency.prop == "CurrentValue" else None)]
        for name, value in (
            *named,
            *((condition.attribute, condition.value) for condition in dependency.conditions),
        ):
            if name in current and name not in listed:
                mentioned.setdefault(name, {current[name]: None})[value] = None
    return {name: _unlisted(name, tuple(values), current[name]) for name, values in mentioned.items()}


def _unlisted(name: str, mentioned: tuple[Value, ...], now: Value) -> TwinAttribute:
    is_text = isinstance(now, str)
    values = tuple(value for value in mentioned if isinstance(value, str) and value) if is_text else ()
    return TwinAttribute(
        name=name, kind="Enumeration" if is_text else "Integer", values=values,
        lower=None, upper=None, step=0, min_length=None, max_length=None,
        read_only=False, immutable=False, hidden=False,
    )  # fmt: skip
