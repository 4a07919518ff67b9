"""The typed form of a registry.

INVARIANT: attribute names are unique; a condition compares with a value of the attribute's own kind; the terms of an
expression are postfix (`expression`); a value's `text` is what the service itself writes for it.
"""

from collections.abc import Mapping
from types import MappingProxyType

from setpoint.compiler.record import NamedTuple

Scalar = str | int | float | bool | None

ENUMERATION, INTEGER, BOOLEAN, STRING, PASSWORD = "Enumeration", "Integer", "Boolean", "String", "Password"

CURRENT, VALUES = "CurrentValue", "Value"
"""The properties that dependencies change: the value itself, and the values that remain possible."""

READ_ONLY, GRAY_OUT, HIDDEN, IMMUTABLE, WRITE_ONLY = "ReadOnly", "GrayOut", "Hidden", "Immutable", "WriteOnly"
FLAGS = (READ_ONLY, GRAY_OUT, HIDDEN, IMMUTABLE, WRITE_ONLY)


class PossibleValue(NamedTuple):
    """A possible value: what the service calls it, and the menu's label."""

    text: str
    label: str


class Attribute(NamedTuple):
    """An attribute. `flags` are those of `FLAGS` that are set; `menu` is the path of labels, outermost first.

    `bounds` are the lower and the upper bound and the step, None where the registry states none; `lengths` are the
    minimum and the maximum of a text.
    """

    name: str
    type: str
    label: str
    menu: tuple[str, ...] = ()
    choices: tuple[PossibleValue, ...] = ()
    default: Scalar = None
    current: Scalar = None
    flags: frozenset[str] = frozenset()
    bounds: tuple[int | None, int | None, int | None] = (None, None, None)
    lengths: tuple[int | None, int | None] = (None, None)
    pattern: str = ""


class AttributeComparison(NamedTuple):
    """A comparison: the property of an attribute with a value."""

    attribute: str
    property: str
    operator: str
    value: Scalar


class Dependency(NamedTuple):
    """While `expression` is true, the property `changes` of the attribute is `to`.

    The expression is postfix: conditions, and the operators `AND` and `OR` after their operands. For the property
    `Value`, `to` has the texts of the values that remain possible.
    """

    attribute: str
    changes: str
    to: Scalar | tuple[str, ...]
    expression: tuple[AttributeComparison | str, ...]

    @property
    def conditions(self) -> tuple[AttributeComparison, ...]:
        """The conditions of the expression."""
        return tuple(part for part in self.expression if isinstance(part, AttributeComparison))


class System(NamedTuple):
    """A server that a registry is for: product name, identifier, BIOS version, processor, and its address on the
    Redfish service; "" where none is stated.
    """

    product: str
    identifier: str
    firmware: str
    processor: str = ""
    address: str = ""


class BiosResource(NamedTuple):
    """The BIOS resource of a server: its values, its address on the Redfish service, the address that takes settings,
    which is its own if it says nothing of settings and "" if it states none, and the times at which settings can be
    applied.
    """

    values: Mapping[str, Scalar] = MappingProxyType({})
    address: str = ""
    settings: str = ""
    apply_times: tuple[str, ...] = ()


class Registry(NamedTuple):
    """A registry.

    `locks` is the property that says that an attribute takes no value: `ReadOnly`, or `GrayOut` in a registry whose
    dependencies never change `ReadOnly`.
    """

    name: str
    owner: str
    version: str
    systems: tuple[System, ...]
    attributes: dict[str, Attribute]
    dependencies: tuple[Dependency, ...]
    locks: str
