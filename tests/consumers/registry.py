"""Captured registries, to be executed by the twin (`setpoint.compiler.twin.rules`), and what tests ask about requests
and profiles."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Self

from registries import document
from setpoint.compiler.twin.entries import Value, unlisted
from setpoint.compiler.twin.rules import TwinRegistry


class Registry(TwinRegistry):
    """A captured server's attributes and dependencies, with the values that it was captured with."""

    __slots__ = ()

    @classmethod
    def load(cls, name: str) -> Self:
        """Read the registry of a captured server, by its name in `registries`."""
        return cls.of(document(name, "BiosRegistry"), document(name, "Bios"))

    def with_values_of(self, name: str) -> Self:
        """Of a captured server of which there are values alone: its attributes, as this registry of its generation has
        them."""
        current: dict[str, Value] = document(name, "Bios")["Attributes"]
        attributes = {
            each: one.having(current[each]) for each, one in self.attributes.items() if each in current
        }
        dependencies = tuple(one for one in self.dependencies if one.attribute in attributes)
        changed: Self = self._replace(attributes=attributes, dependencies=dependencies, current=current)
        return changed

    def offering(self, more: Mapping[str, Value]) -> Self:
        """The registry of a server whose hardware offers `more` attributes than the captured one's, each with the value
        it has there."""
        current = {**self.current, **more}
        attributes = {**self.attributes, **unlisted(self.attributes, self.dependencies, current)}
        changed: Self = self._replace(attributes=attributes, current=current)
        return changed


def profile_expansion(registry: TwinRegistry, attribute: str = "SysProfile") -> dict[str, dict[str, str]]:
    """What each system profile itself forces, by the registry's dependencies.

    Where the registry forces an attribute to two values at once (13G: Dense Configuration), they are joined by a `/`.
    """
    return {
        profile: {
            name: "/".join(str(value) for value in values)
            for name, values in sorted(registry.forced({attribute: profile}).items())
        }
        for profile in registry.attributes[attribute].values
    }


def parse_body(text: str) -> dict[str, Any]:
    """Read JSON, refusing what a parser would quietly drop: a name that is there twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"twice in one object: {', '.join(twice)}")
        return dict(pairs)

    document = json.loads(text, object_pairs_hook=unique)
    if not isinstance(document, dict):
        raise ValueError("the body is not an object")
    return document
