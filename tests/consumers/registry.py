"""BIOS attribute registries of real servers, and what their firmware would say to a change.

A Redfish service publishes the attributes of its BIOS as a registry (DMTF DSP8010, AttributeRegistry): names, types,
allowed values, and `Dependencies`, which say how the value of one attribute forces, hides or locks another. No Redfish
service that can be installed judges a PATCH by it, so this module does, from registries captured from real servers.

How Dell fills the form, as seen in the captures (R720, R630, R740, R750):

* `MapTerms` is left out; the entries of one `MapFrom` list are alternatives (`registry_model` reads others, too);
* `MapToProperty` is `CurrentValue` (forces), `ReadOnly`, `Hidden`, or `Value`: a list of the values that remain, of
  which all that fire are intersected. An empty intersection says nothing: the pre-release R740 contradicts itself there;
* `ReadOnly` on the attribute itself is a snapshot. It is set while a dependency locks the attribute, and then a change
  may lift it; set without one, it is as good as `Immutable`;
* `Immutable` marks facts, what the hardware at hand does not offer (`NodeInterleave` with one processor), and nearly
  everything of a server that was captured in lockdown.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from consumers.registry_gaps import calls_values_by_labels, unlisted, unseen
from consumers.registry_model import Attribute, Dependency, Value, read_attribute, read_dependency
from registries import document

APPLY_TIME = "@Redfish.SettingsApplyTime"
LOCKS = {"ReadOnly": "read-only", "Hidden": "hidden", "GrayOut": "inactive", "Immutable": "immutable"}
"""The properties that take an attribute out of use while they are set, and how to say so."""


@dataclass(frozen=True)
class Registry:
    """A server's attributes and dependencies, with the values that it was captured with."""

    attributes: Mapping[str, Attribute]
    dependencies: tuple[Dependency, ...]
    current: Mapping[str, Value]
    apply_times: tuple[str, ...] = ()
    unseen: Mapping[str, Value] = field(default_factory=dict)

    @classmethod
    def load(cls, name: str) -> Registry:
        """Read the registry of a captured server, by its name in `registries`."""
        entries = document(name, "BiosRegistry")["RegistryEntries"]
        bios = document(name, "Bios")
        current: dict[str, Value] = bios["Attributes"]
        by_label = calls_values_by_labels(entries["Attributes"], current)
        listed = {
            one["AttributeName"]: read_attribute(one, by_label=by_label) for one in entries["Attributes"]
        }
        dependencies = tuple(read_dependency(entry["Dependency"]) for entry in entries["Dependencies"])
        return cls(
            attributes={**listed, **unlisted(listed, dependencies, current)},
            dependencies=dependencies,
            current=current,
            apply_times=tuple(bios.get("@Redfish.Settings", {}).get("SupportedApplyTimes", ())),
            unseen=unseen(entries["Attributes"], current) if by_label else {},
        )

    def with_values_of(self, name: str) -> Registry:
        """Of a captured server of which there are values alone: its attributes, as this registry of its generation has them."""
        current: dict[str, Value] = document(name, "Bios")["Attributes"]
        attributes = {
            each: one.having(current[each]) for each, one in self.attributes.items() if each in current
        }
        dependencies = tuple(one for one in self.dependencies if one.attribute in attributes)
        return replace(self, attributes=attributes, dependencies=dependencies, current=current)

    def whole(self) -> Registry:
        """With the attributes that the service leaves out while they are locked, at their defaults."""
        return replace(self, current={**self.unseen, **self.current})

    def firing(self, prop: str, state: Mapping[str, Value]) -> Iterator[Dependency]:
        """The dependencies for the property `prop` that fire in `state`, in the registry's order."""
        return (one for one in self.dependencies if one.prop == prop and one.fires(state))

    def forced(self, state: Mapping[str, Value]) -> dict[str, tuple[Value, ...]]:
        """For each attribute that `state` forces, the values it is forced to: one, save for a slip of the registry."""
        forced: dict[str, tuple[Value, ...]] = {}
        for one in self.firing("CurrentValue", state):
            if one.to not in (known := forced.get(one.attribute, ())):
                forced[one.attribute] = (*known, one.to)
        return forced

    def settle(self, state: Mapping[str, Value]) -> dict[str, Value]:
        """What becomes of `state` when all that is forced is applied, again and again until nothing moves."""
        settled = dict(state)
        for _ in range(len(self.dependencies) + 1):
            forced = self.forced(settled).items()
            moves = {name: values[0] for name, values in forced if settled.get(name) not in values}
            if not moves:
                return settled
            settled.update(moves)
        raise ValueError("the registry's dependencies never come to rest on these values")

    def remaining(self, name: str, state: Mapping[str, Value]) -> tuple[str, ...]:
        """The values of the enumeration `name` that nothing suppresses in `state`; all, where none would be left."""
        values = self.attributes[name].values
        lists = [one.to for one in self.firing("Value", state) if one.attribute == name]
        return tuple(value for value in values if all(value in left for left in lists)) or values

    def lock(self, name: str, state: Mapping[str, Value]) -> Dependency | None:
        """The dependency that takes the attribute `name` out of use in `state`, if any."""
        locks = (one for prop in LOCKS for one in self.firing(prop, state))
        return next((one for one in locks if one.attribute == name and one.to is True), None)

    def writable(self, name: str, *, ignore_lockdown: bool = False) -> bool:
        """Whether the captured flags let `name` be written, or a dependency explains why they do not just now."""
        attribute = self.attributes[name]
        if ignore_lockdown and attribute.is_choice:
            return True
        explained = any(one.attribute == name for one in self.firing("ReadOnly", self.current))
        return not attribute.immutable and (explained or not attribute.read_only)


@dataclass(frozen=True, order=True)
class Refusal:
    """One attribute of a request that the firmware would not take, and why."""

    attribute: str
    reason: str


@dataclass(frozen=True)
class Verdict:
    """What comes of a request: what is refused, what can never be written on that server, and the values after reset."""

    refused: tuple[Refusal, ...]
    immutable: tuple[Refusal, ...]
    state: Mapping[str, Value]

    @property
    def accepted(self) -> bool:
        """Whether all of it is taken."""
        return not self.refused and not self.immutable


def check(registry: Registry, body: Mapping[str, Any] | str, *, ignore_lockdown: bool = False) -> Verdict:
    """Judge the body of a `PATCH …/Bios/Settings`, as a document or as its text.

    Args:
        registry: The server, in the state it was captured in.
        body: `{"Attributes": {…}}`, with an apply time where the service states which it supports.
        ignore_lockdown: Take every visible attribute with a choice for writable. For a capture made in lockdown (R750),
            and for what a fuller machine offers (`NodeInterleave` of the one-processor R720 and R740).
    """
    document = parse_body(body) if isinstance(body, str) else body
    requested: Mapping[str, Any] = document["Attributes"]
    refused = [*_foreign_members(registry, document)]
    immutable: list[Refusal] = []
    wanted: dict[str, Value] = {}
    for name, value in requested.items():
        attribute = registry.attributes.get(name)
        objection = attribute.objection(value) if attribute else "no such attribute"
        if objection or attribute is None:
            refused.append(Refusal(name, str(objection)))
        elif attribute.hidden:
            refused.append(Refusal(name, "hidden: this server does not offer it"))
        elif not registry.writable(name, ignore_lockdown=ignore_lockdown):
            immutable.append(Refusal(name, "read-only, and no dependency lifts it"))
        else:
            wanted[name] = value
    state = registry.settle({**registry.current, **wanted})
    for name in wanted:
        if reason := _refusal(registry, name, wanted, state):
            refused.append(Refusal(name, reason))
    return Verdict(tuple(sorted(refused)), tuple(sorted(immutable)), state)


def profile_expansion(registry: Registry, attribute: str = "SysProfile") -> dict[str, dict[str, str]]:
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


def _foreign_members(registry: Registry, document: Mapping[str, Any]) -> Iterator[Refusal]:
    """What stands beside `Attributes` and is not an apply time that the service states."""
    for name, value in document.items():
        if name == APPLY_TIME:
            if value.get("ApplyTime") not in registry.apply_times:
                stated = ", ".join(registry.apply_times) or "none"
                yield Refusal(
                    name, f"{value.get('ApplyTime')!r}: the apply times that this service states: {stated}"
                )
        elif name != "Attributes":
            yield Refusal(name, "not a member that Bios/Settings takes")


def _refusal(
    registry: Registry, name: str, wanted: Mapping[str, Value], state: Mapping[str, Value]
) -> str | None:
    """Why the firmware would not take `wanted[name]`, given where the whole request leads."""
    value = wanted[name]
    if value not in (forced := registry.forced(state).get(name, (value,))):
        causes = [str(one) for one in registry.firing("CurrentValue", state) if one.attribute == name]
        return f"forced to {'/'.join(map(str, forced))} while {'; '.join(causes)}"
    if isinstance(value, str) and registry.attributes[name].values:
        left = registry.remaining(name, state)
        if value not in left:
            return f"{value!r} is suppressed; left: {', '.join(left)}"
    # An attribute cannot lift its own lock: only the rest of the request can.
    others = {other: wanted[other] for other in wanted if other != name}
    unaided = registry.settle({**registry.current, **others})
    lock = registry.lock(name, state) or registry.lock(name, unaided)
    return f"{LOCKS[lock.prop]} while {lock}" if lock else None
