"""What single attributes do to others: the columns of presets, and the reasons of constraints.

Each dependency is evaluated with one attribute known at a time. So an effect is one that a value has by itself,
whatever the rest of the server is set to. What needs several attributes together is counted, and not guessed.

An attribute *governs* if several of its values force several others. That is what vendors call a profile, and it shows
in the data: no name is needed to find it.

What an effect is in the cell of a preset, or as a constraint, is decided here alone: for an import, which writes it,
and for a plan for one server, in which it holds.
"""

from collections.abc import Callable, Mapping
from functools import partial

from setpoint.compiler.knowledge import locks
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.registries.expression import evaluate
from setpoint.compiler.registries.model import (
    BOOLEAN,
    CURRENT,
    ENUMERATION,
    GRAY_OUT,
    HIDDEN,
    VALUES,
    Attribute,
    Dependency,
    Registry,
    Scalar,
)
from setpoint.compiler.registries.state import holds

SEVERAL = 2
"""How many values of a governing attribute force others, and how many others each of them forces."""

Values = dict[Scalar, dict[str, "AttributeEffect"]]
"""The effects of each value of an attribute, by the attribute that they are on."""


class AttributeEffect(NamedTuple):
    """What a value of one attribute does to another: `forced` has the value that it gets, () if none.

    `possible` are the values that remain, None for all.
    """

    forced: tuple[Scalar, ...] = ()
    is_locked: bool = False
    is_hidden: bool = False
    possible: tuple[str, ...] | None = None

    def cell(self, called: Callable[[Scalar], str]) -> tuple[str, str] | None:
        """The effect as a cell: `locked` or `initially` with the value that the setting gets, `kept`, or `free`.

        None if the value has no name, as which `called` has "".
        """
        if not self.forced:
            return (locks.KEPT if self.is_locked else locks.FREE), ""
        value = called(self.forced[0])
        return ((locks.LOCKED if self.is_locked else locks.INITIALLY), value) if value else None

    def requirement(self, called: Callable[[Scalar], str]) -> tuple[str, tuple[str, ...]] | None:
        """The effect as a constraint: its flag, "" for none, and the values that it requires, () for any.

        None if it is none: if it only sets the setting once, or leaves no value that has a name. A setting that is
        locked at a value without a name counts as `kept`, since firmware takes no value for it.
        """
        fixed = called(self.forced[0]) if self.forced else ""
        if fixed and (self.is_locked or self.is_hidden):
            return locks.LOCKED, (fixed,)
        if self.is_hidden:
            return locks.HIDDEN, ()
        if self.is_locked:
            return locks.KEPT, ()
        left = tuple(filter(None, map(called, self.possible or ())))
        return ("", left) if left else None


class Effects(NamedTuple):
    """The effects of single attributes, by attribute and value, and the dependencies that need several attributes.

    `foreign` are the dependencies on attributes that the registry does not list. `reachable` has the values of
    enumerations of which some can never be, since every value of another attribute excludes them.
    """

    of: dict[str, Values]
    joint: tuple[Dependency, ...]
    foreign: tuple[Dependency, ...]
    reachable: dict[str, frozenset[Scalar]]

    def limited(self, attribute: Attribute) -> Attribute:
        """An attribute without the values that can never be."""
        left = self.reachable.get(attribute.name)
        if left is None:
            return attribute
        return attribute._replace(
            choices=tuple(choice for choice in attribute.choices if choice.text in left)
        )


NOTHING = AttributeEffect()


def values_of(attribute: Attribute) -> tuple[Scalar, ...]:
    """The values of an attribute that conditions can tell apart one by one."""
    if attribute.type == BOOLEAN:
        return (True, False)
    return tuple(choice.text for choice in attribute.choices) if attribute.type == ENUMERATION else ()


def effects_of(registry: Registry) -> Effects:
    """The effects of every attribute that dependencies read."""
    reading: dict[str, list[Dependency]] = {}
    for dependency in registry.dependencies:
        if dependency.attribute in registry.attributes:
            for name in dict.fromkeys(condition.attribute for condition in dependency.conditions):
                reading.setdefault(name, []).append(dependency)
    by_cause: dict[str, Values] = {}
    alone: set[int] = set()
    for name, attribute in registry.attributes.items():
        for value in values_of(attribute):
            for dependency in reading.get(name, ()):
                if dependency.attribute != name and evaluate(
                    dependency.expression, partial(holds, values={name: value})
                ):
                    alone.add(id(dependency))
                    on = by_cause.setdefault(name, {}).setdefault(value, {})
                    on[dependency.attribute] = _with(
                        on.get(dependency.attribute, NOTHING), dependency, registry
                    )
    rest = [
        dependency
        for dependency in registry.dependencies
        if id(dependency) not in alone and _is_understood(dependency)
    ]
    foreign = tuple(dependency for dependency in rest if _is_foreign(dependency, registry))
    joint = tuple(dependency for dependency in rest if not _is_foreign(dependency, registry))
    return Effects(by_cause, joint, foreign, _reachable(registry, by_cause))


def _is_foreign(dependency: Dependency, registry: Registry) -> bool:
    names = {dependency.attribute, *(condition.attribute for condition in dependency.conditions)}
    return not names <= registry.attributes.keys()


def _reachable(registry: Registry, by_cause: Mapping[str, Values]) -> dict[str, frozenset[Scalar]]:
    reachable: dict[str, frozenset[Scalar]] = {}
    for cause, values in by_cause.items():
        every = values_of(registry.attributes[cause])
        for name in dict.fromkeys(name for on in values.values() for name in on):
            declared = frozenset(values_of(registry.attributes[name]))
            left = frozenset[Scalar]().union(
                *(_left(values.get(value, {}).get(name, NOTHING), declared) for value in every)
            )
            if left and left < declared:
                reachable[name] = reachable.get(name, declared) & left or left
    return reachable


def _left(effect: AttributeEffect, declared: frozenset[Scalar]) -> frozenset[Scalar]:
    """The values that an attribute can get; what is locked keeps one that it got otherwise."""
    if effect.is_locked:
        return frozenset(effect.forced)
    if effect.possible:
        return frozenset(effect.possible)
    return declared


def governors(effects: Effects) -> tuple[str, ...]:
    """The attributes that govern others, in the order of the registry."""
    return tuple(
        name
        for name, values in effects.of.items()
        if sum(sum(bool(e.forced) for e in on.values()) >= SEVERAL for on in values.values()) >= SEVERAL
    )


def members(values: Values) -> tuple[str, ...]:
    """The attributes that values of a governing attribute force or lock."""
    return tuple(
        dict.fromkeys(name for on in values.values() for name, e in on.items() if e.forced or e.is_locked)
    )


def _is_understood(dependency: Dependency) -> bool:
    return dependency.changes in (CURRENT, VALUES, HIDDEN, GRAY_OUT) or dependency.to is True


def _with(effect: AttributeEffect, dependency: Dependency, registry: Registry) -> AttributeEffect:
    """An effect together with that of one more dependency."""
    if dependency.changes == VALUES and isinstance(dependency.to, tuple):
        declared = tuple(c.text for c in registry.attributes[dependency.attribute].choices)
        left = effect.possible if effect.possible is not None else declared
        return effect._replace(possible=tuple(value for value in left if value in dependency.to))
    if isinstance(dependency.to, tuple):
        return effect
    if dependency.changes == CURRENT:
        return effect._replace(forced=(dependency.to,))
    if dependency.changes == registry.locks:
        return effect._replace(is_locked=dependency.to is True)
    if dependency.changes == HIDDEN:
        return effect._replace(is_hidden=dependency.to is True)
    return effect
