"""What the attributes of a BIOS obey, by its attribute registry.

A registry's `Dependencies` say how the value of one attribute locks, hides or sets another. `consumers.registry` reads it,
and tells how Dell fills DMTF's form (AttributeRegistry.v1_4_0.json). Each behaviour here has its source:

* `ReadOnly`: "a read-only attribute cannot be modified" (AttributeRegistry.v1_4_0.json, Attributes). A request that would is
  refused. What counts is where the whole request leads: `SysProfile: Custom` together with its members is accepted
  (dell/dellemc-openmanage-ansible-modules, issue 495), and "iDRAC evaluates attributes in a single BIOS transaction", so
  that what another attribute of the request locks is not set (issue 1072).
* `CurrentValue`: `MapToValue` is "the value that the property in MapToProperty changes to if the dependency expression
  evaluates to true" (AttributeRegistry.v1_4_0.json, Dependency). A governor sets what depends on it at the restart.
* `Value`, which Dell uses and DMTF's `MapToProperty` does not have, says which values can be chosen. Nothing says that an
  attribute with another value changes, so it keeps it.
* Where two dependencies force different values at once, no document says which of them it is (R630: Dense Configuration
  forces CPU power management to two). `several` is what this BIOS makes of it: `keep` leaves one of them that is there
  alone, and takes the last of them otherwise; `last` takes the last always.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from consumers.registry import Registry, check
from consumers.registry_model import Value


@dataclass(frozen=True)
class Rules:
    """The registry of a server, and what its BIOS makes of a contradiction in it."""

    registry: Registry
    several: Literal["keep", "last"] = "keep"
    lockdown: bool = False

    @classmethod
    def of(
        cls, registry: Registry, *, lockdown: bool = False, several: Literal["keep", "last"] = "keep"
    ) -> Rules:
        """The rules of a captured server. What its dependencies lock, they lock: the flags are of another state."""
        explained = {one.attribute for one in registry.dependencies if one.prop == "ReadOnly"}
        attributes = {
            name: replace(one, read_only=one.read_only and name not in explained)
            for name, one in registry.attributes.items()
        }
        return cls(replace(registry, attributes=attributes), several, lockdown)

    def refused(self, current: Mapping[str, Value], pending: Mapping[str, Value]) -> str:
        """Why the BIOS would not take what is pending; "" if it does."""
        wanted = {name: value for name, value in pending.items() if current.get(name) != value}
        registry = replace(self.registry, current=dict(current))
        verdict = check(registry, {"Attributes": wanted}, ignore_lockdown=self.lockdown)
        return "; ".join(f"{one.attribute}: {one.reason}" for one in (*verdict.refused, *verdict.immutable))

    def after_restart(self, current: Mapping[str, Value], pending: Mapping[str, Value]) -> dict[str, Value]:
        """What the attributes are when the job has carried out what is pending."""
        state = {**current, **pending}
        for _ in self.registry.dependencies:
            moves = {
                name: values[-1]
                for name, values in self.registry.forced(state).items()
                if name in state
                and (state[name] not in values or (self.several == "last" and state[name] != values[-1]))
            }
            if not moves:
                return state
            state.update(moves)
        raise ValueError("the registry's dependencies never come to rest on these values")
