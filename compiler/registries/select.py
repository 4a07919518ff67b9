"""Which attributes of a registry are settings, and which are left out, with the reason.

Texts and passwords have no finite set of values; read-only attributes show what is installed; lists of devices and
orders of booting belong to one server. What dependencies lock is not read-only: another value makes it writable. A
server in lockdown shows almost everything as read-only, which says nothing about a single attribute.

Some captures have only part of their attributes. An attribute that dependencies force, and that is not listed, is taken
with the values that are mentioned; so is one on whose value it depends whether a listed or forced attribute takes a
value, if the server shows another value than those: both are known then.
"""

from collections.abc import Mapping, Set

from setpoint.compiler.knowledge.quantity import NUMBER
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.registries.effects import Effects
from setpoint.compiler.registries.model import (
    CURRENT,
    ENUMERATION,
    HIDDEN,
    IMMUTABLE,
    INTEGER,
    PASSWORD,
    READ_ONLY,
    STRING,
    VALUES,
    Attribute,
    PossibleValue,
    Registry,
    Scalar,
)
from setpoint.compiler.registries.words import RegistryWords, is_left_out

LOCKDOWN = 0.5
"""The share of read-only enumerations, locked by nothing, from which a server is in lockdown."""

FEWEST_VALUES = 2
"""With fewer values there is nothing to set."""

TEXT, SHOWN, HIDES, DEVICE, ONE_VALUE, NO_BOUNDS, HUGE = (
    "texts and passwords",
    "read-only",
    "hidden",
    "boot order, devices and identity",
    "a single value",
    "numbers without bounds",
    "keys and other numbers too large for a setting",
)
"""The reasons."""


class SelectedAttributes(NamedTuple):
    """The attributes to import, those left out by reason, and those that only dependencies name."""

    chosen: tuple[Attribute, ...]
    left_out: dict[str, tuple[str, ...]]
    unlisted: frozenset[str]
    is_locked_down: bool


def select(registry: Registry, whole: Registry, effects: Effects, words: RegistryWords) -> SelectedAttributes:
    """The attributes of a registry that are settings; `whole` has those that dependencies name as well."""
    unlisted = frozenset(whole.attributes.keys() - registry.attributes.keys())
    changed = {
        flag: {dependency.attribute for dependency in registry.dependencies if dependency.changes == flag}
        for flag in (READ_ONLY, HIDDEN)
    }
    lockdown = is_locked_down(registry)
    chosen: list[Attribute] = []
    left: dict[str, list[str]] = {}
    for attribute in map(effects.limited, whole.attributes.values()):
        reason = _reason(attribute, words)
        if reason == ONE_VALUE and attribute.name in unlisted:
            reason = ""
        flags = attribute.flags - {flag for flag, names in changed.items() if attribute.name in names}
        if not reason and (IMMUTABLE in flags or (READ_ONLY in flags and not lockdown)):
            reason = SHOWN
        if not reason and HIDDEN in flags:
            reason = HIDES
        if reason:
            left.setdefault(reason, []).append(attribute.name)
        else:
            chosen.append(attribute)
    return SelectedAttributes(tuple(chosen), {k: tuple(left[k]) for k in sorted(left)}, unlisted, lockdown)


def is_locked_down(registry: Registry) -> bool:
    """Whether the server was in lockdown: most enumerations are read-only, and no dependency makes them so."""
    locked = {dependency.attribute for dependency in registry.dependencies if dependency.changes == READ_ONLY}
    lists = [a for a in registry.attributes.values() if a.type == ENUMERATION and a.name not in locked]
    return bool(lists) and sum(READ_ONLY in a.flags for a in lists) / len(lists) > LOCKDOWN


def _reason(attribute: Attribute, words: RegistryWords) -> str:
    if attribute.type in (STRING, PASSWORD):
        return TEXT
    if is_left_out(attribute.label, words) or is_left_out(attribute.name, words):
        return DEVICE
    if attribute.type == ENUMERATION and len(attribute.choices) < FEWEST_VALUES:
        return ONE_VALUE
    if attribute.type == INTEGER:
        lower, upper, _ = attribute.bounds
        if lower is None or upper is None or lower < 0:
            return NO_BOUNDS
        if not NUMBER.fullmatch(str(upper)):
            return HUGE
        if lower >= upper:
            return ONE_VALUE
    return ""


def completed(registry: Registry, current: Mapping[str, Scalar]) -> Registry:
    """The registry with the attributes that only its dependencies name, of which values are known."""
    mentioned: dict[str, dict[str, None]] = {}
    for dependency in registry.dependencies:
        if dependency.changes == CURRENT and isinstance(dependency.to, str) and dependency.to:
            mentioned.setdefault(dependency.attribute, {})[dependency.to] = None
    conditions = _conditions(registry, mentioned.keys() | registry.attributes.keys())
    for name in conditions:
        if isinstance(current.get(name), str) and current[name]:
            mentioned.setdefault(name, {})
    for dependency in registry.dependencies:
        if (
            dependency.changes == VALUES
            and isinstance(dependency.to, tuple)
            and dependency.attribute in mentioned
        ):
            mentioned[dependency.attribute].update(dict.fromkeys(dependency.to))
        for condition in dependency.conditions:
            if condition.attribute in mentioned and isinstance(condition.value, str):
                mentioned[condition.attribute][condition.value] = None
    more = {}
    for name, texts in mentioned.items():
        if name in registry.attributes:
            continue
        now = current.get(name)
        if isinstance(now, str) and now:
            texts[now] = None
        choices = tuple(PossibleValue(text, "") for text in sorted(texts))
        more[name] = Attribute(name, ENUMERATION, name, choices=choices)
    return registry._replace(attributes={**registry.attributes, **more})


def _conditions(registry: Registry, known: Set[str]) -> dict[str, None]:
    """The attributes whose values lock or force one that is known, in the order of the dependencies."""
    locking = [dependency for dependency in registry.dependencies if dependency.attribute in known]
    return {
        condition.attribute: None
        for dependency in locking
        for condition in dependency.conditions
        if condition.property == CURRENT
    }
