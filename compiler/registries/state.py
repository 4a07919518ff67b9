"""What a registry's dependencies make of given values: the effective properties of each attribute.

"If the condition evaluates to true, the attribute or state changes to the mapped value" (DMTF DSP8010,
AttributeRegistry.v1_4_0). Dependencies are evaluated in their order, so the last one that changes a property decides.
The exception is `Value`: each such dependency takes one possible value away, so those that remain are the ones left by
all.

A flag of an attribute is its state when the registry was read. Where a dependency sets the flag, that decides, and the
attribute does not have it otherwise: registries show `ReadOnly` on everything that the profile of the moment locks.

Conditions usually read current values. One that reads a property, such as `ReadOnly`, reads the effective one; so the
dependencies are evaluated again until nothing changes. Forced values are results, and never become conditions: a caller
who wants to know what follows from them asks again with the new values.
"""

from collections.abc import Mapping

from setpoint.compiler.record import NamedTuple
from setpoint.compiler.registries.expression import Truth, compare, evaluate
from setpoint.compiler.registries.model import (
    CURRENT,
    FLAGS,
    VALUES,
    Attribute,
    AttributeComparison,
    Dependency,
    Registry,
    Scalar,
)

MOST_ROUNDS = 10
"""The maximum number of evaluations; conditions that are not settled by then are circular."""


class EffectiveAttribute(NamedTuple):
    """The effective properties of an attribute under given values.

    `forced` has the value that dependencies give it, and is () if none does. `possible` are the values of an
    enumeration that remain, in the registry's order. `flags` are those of `FLAGS` that are set.
    """

    name: str
    forced: tuple[Scalar, ...]
    possible: tuple[str, ...]
    flags: frozenset[str]
    properties: tuple[tuple[str, Scalar], ...]


def state(registry: Registry, values: Mapping[str, Scalar]) -> dict[str, EffectiveAttribute]:
    """The effective properties of every attribute of the registry, and of those that only its dependencies name."""
    names = dict.fromkeys(
        [*registry.attributes, *(dependency.attribute for dependency in registry.dependencies)]
    )
    declared = {name: _declared(name, registry.attributes.get(name)) for name in names}
    attributes = declared
    by_attribute: dict[str, list[Dependency]] = {}
    for dependency in registry.dependencies:
        by_attribute.setdefault(dependency.attribute, []).append(dependency)
    for _ in range(MOST_ROUNDS):
        before = attributes
        attributes = {
            name: _changed(
                _initial(declared[name], by_attribute.get(name, [])),
                by_attribute.get(name, []),
                values,
                before,
            )
            for name in names
        }
        if attributes == before:
            break
    return attributes


def holds(condition: AttributeComparison, values: Mapping[str, Scalar]) -> Truth:
    """Whether a condition on a current value is true; None if the value is unknown."""
    if condition.property != CURRENT or condition.attribute not in values:
        return None
    return compare(condition.operator, values[condition.attribute], condition.value)


def _declared(name: str, attribute: Attribute | None) -> EffectiveAttribute:
    if attribute is None:
        return EffectiveAttribute(name, (), (), frozenset(), ())
    lower, upper, step = attribute.bounds
    least, greatest = attribute.lengths
    properties = {
        "DefaultValue": attribute.default, "LowerBound": lower, "UpperBound": upper, "ScalarIncrement": step,
        "MinLength": least, "MaxLength": greatest,
    }  # fmt: skip
    return EffectiveAttribute(
        name,
        (),
        tuple(choice.text for choice in attribute.choices),
        attribute.flags,
        tuple((name, value) for name, value in properties.items() if value is not None),
    )


def _initial(declared: EffectiveAttribute, dependencies: list[Dependency]) -> EffectiveAttribute:
    """The declared properties without the flags that dependencies set."""
    return declared._replace(
        flags=declared.flags - {dependency.changes for dependency in dependencies if dependency.to is True}
    )


def _changed(
    declared: EffectiveAttribute,
    dependencies: list[Dependency],
    values: Mapping[str, Scalar],
    before: Mapping[str, EffectiveAttribute],
) -> EffectiveAttribute:
    """The declared properties with the changes of the dependencies whose conditions are true."""

    def truth(condition: AttributeComparison) -> Truth:
        if condition.property == CURRENT:
            return holds(condition, values)
        if condition.attribute not in before:
            return None
        other = before[condition.attribute]
        if condition.property in FLAGS:
            return compare(condition.operator, condition.property in other.flags, condition.value)
        known = dict(other.properties)
        return (
            compare(condition.operator, known[condition.property], condition.value)
            if condition.property in known
            else None
        )

    forced, possible, flags = declared.forced, declared.possible, set(declared.flags)
    properties = dict(declared.properties)
    for dependency in dependencies:
        if not evaluate(dependency.expression, truth):
            continue
        if dependency.changes == VALUES and isinstance(dependency.to, tuple):
            possible = tuple(value for value in possible if value in dependency.to)
        elif isinstance(dependency.to, tuple):
            continue
        elif dependency.changes == CURRENT:
            forced = (dependency.to,)
        elif dependency.changes in FLAGS:
            (flags.add if dependency.to is True else flags.discard)(dependency.changes)
        else:
            properties[dependency.changes] = dependency.to
    return EffectiveAttribute(declared.name, forced, possible, frozenset(flags), tuple(properties.items()))
