"""What the attributes of a BIOS obey, by its attribute registry: a registry, executed.

A registry's `Dependencies` say how the value of one attribute locks, hides or sets another. Most services judge a
request by them only at the next start, if at all; this is what the firmware does then. Each behaviour has its source:

* `MapToProperty` is `CurrentValue` (forces), `ReadOnly`, `Hidden`, `GrayOut`, or `Value`: a list of the values that
  remain, of which all that fire are intersected. An empty intersection says nothing: the pre-release R740 contradicts
  itself there.
* `ReadOnly` on the attribute itself is a snapshot. It is set while a dependency locks the attribute, and then a change
  may lift it; set without one, it is as good as `Immutable`, which marks facts, what the hardware at hand does not
  offer, and nearly everything of a server that was captured in lockdown.
* A lock: "a read-only attribute cannot be modified" (AttributeRegistry.v1_4_0.json, Attributes). A request that would
  is refused. What counts is where the whole request leads: `SysProfile: Custom` together with its members is accepted
  (dell/dellemc-openmanage-ansible-modules, issue 495), and "iDRAC evaluates attributes in a single BIOS transaction",
  so that what another attribute of the request locks is not set (issue 1072).
* `CurrentValue`: `MapToValue` is "the value that the property in MapToProperty changes to if the dependency expression
  evaluates to true" (AttributeRegistry.v1_4_0.json, Dependency). A governor sets what depends on it at the restart.
* `Value`, which Dell uses and DMTF's `MapToProperty` does not have, says which values can be chosen. Nothing says that
  an attribute with another value changes, so it keeps it.
* Where two dependencies force different values at once, no document says which of them it is (R630: Dense Configuration
  forces CPU power management to two). `several` is what this BIOS makes of it: `keep` leaves one of them that is there
  alone, and takes the last of them otherwise; `last` takes the last always.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, Self

from setpoint.compiler.record import NamedTuple
from setpoint.compiler.twin.entries import (
    TwinAttribute,
    TwinDependency,
    Value,
    calls_values_by_labels,
    read_attribute,
    read_dependency,
    unlisted,
    unseen,
    with_numbers,
)

APPLY_TIME = "@Redfish.SettingsApplyTime"
LOCKS = {"ReadOnly": "read-only", "Hidden": "hidden", "GrayOut": "inactive", "Immutable": "immutable"}
"""The properties that take an attribute out of use while they are set, and how to say so."""


class TwinRegistry(NamedTuple):
    """A server's attributes and dependencies, its captured values, and the times at which its service takes them."""

    attributes: Mapping[str, TwinAttribute]
    dependencies: tuple[TwinDependency, ...]
    current: Mapping[str, Value]
    apply_times: tuple[str, ...] = ()
    unseen: Mapping[str, Value] = MappingProxyType({})

    @classmethod
    def of(cls, registry: Mapping[str, Any], bios: Mapping[str, Any]) -> Self:
        """The registry and the values in two documents. Raises ValueError for what cannot be executed."""
        entries = registry["RegistryEntries"]
        current: dict[str, Value] = bios["Attributes"]
        by_label = calls_values_by_labels(entries["Attributes"], current)
        listed = {
            entry["AttributeName"]: read_attribute(entry, by_label=by_label)
            for entry in entries["Attributes"]
        }
        dependencies = tuple(
            read_dependency(entry["Dependency"]) for entry in entries.get("Dependencies") or ()
        )
        attributes = {**listed, **unlisted(listed, dependencies, current)}
        return cls(
            attributes=attributes,
            dependencies=tuple(with_numbers(dependency, attributes) for dependency in dependencies),
            current=current,
            apply_times=tuple(bios.get("@Redfish.Settings", {}).get("SupportedApplyTimes", ())),
            unseen=unseen(entries["Attributes"], current) if by_label else {},
        )

    def whole(self) -> Self:
        """With the attributes that the service leaves out while they are locked, at their defaults."""
        whole: Self = self._replace(current={**self.unseen, **self.current})
        return whole

    def firing(self, prop: str, state: Mapping[str, Value]) -> Iterator[TwinDependency]:
        """The dependencies for the property `prop` that fire in `state`, in the registry's order."""
        return (
            dependency
            for dependency in self.dependencies
            if dependency.prop == prop and dependency.fires(state)
        )

    def forced(self, state: Mapping[str, Value]) -> dict[str, tuple[Value, ...]]:
        """For each attribute that `state` forces, the values it is forced to: one, save for a slip of the registry."""
        forced: dict[str, tuple[Value, ...]] = {}
        for dependency in self.firing("CurrentValue", state):
            if dependency.to not in (known := forced.get(dependency.attribute, ())):
                forced[dependency.attribute] = (*known, dependency.to)
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
        lists = [dependency.to for dependency in self.firing("Value", state) if dependency.attribute == name]
        return tuple(value for value in values if all(value in left for left in lists)) or values

    def lock(self, name: str, state: Mapping[str, Value]) -> TwinDependency | None:
        """The dependency that takes the attribute `name` out of use in `state`, if any."""
        locks = (dependency for prop in LOCKS for dependency in self.firing(prop, state))
        return next(
            (dependency for dependency in locks if dependency.attribute == name and dependency.to is True),
            None,
        )

    def writable(self, name: str, *, ignore_lockdown: bool = False) -> bool:
        """Whether the captured flags let `name` be written, or a dependency explains why they do not just now."""
        attribute = self.attributes[name]
        if ignore_lockdown and attribute.is_choice:
            return True
        explained = any(dependency.attribute == name for dependency in self.firing("ReadOnly", self.current))
        return not attribute.immutable and (explained or not attribute.read_only)


class Refusal(NamedTuple):
    """One attribute of a request that the firmware would not take, and why."""

    attribute: str
    reason: str


class RequestVerdict(NamedTuple):
    """The result of a request: what is refused, what can never be written there, and the values after reset."""

    refused: tuple[Refusal, ...]
    immutable: tuple[Refusal, ...]
    state: Mapping[str, Value]

    @property
    def accepted(self) -> bool:
        """Whether all of it is taken."""
        return not self.refused and not self.immutable


def check(
    registry: TwinRegistry, document: Mapping[str, Any], *, ignore_lockdown: bool = False
) -> RequestVerdict:
    """Judge the body of a `PATCH …/Bios/Settings`.

    Args:
        registry: The server, in the state it was captured in.
        document: `{"Attributes": {…}}`, with an apply time where the service states which it supports.
        ignore_lockdown: Take every visible attribute with a choice for writable. For a capture made in lockdown (R750),
            and for what a fuller machine offers (`NodeInterleave` of the one-processor R720 and R740).
    """
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
    return RequestVerdict(tuple(sorted(refused)), tuple(sorted(immutable)), state)


def _foreign_members(registry: TwinRegistry, document: Mapping[str, Any]) -> Iterator[Refusal]:
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
    registry: TwinRegistry, name: str, wanted: Mapping[str, Value], state: Mapping[str, Value]
) -> str | None:
    """Why the firmware would not take `wanted[name]`, given where the whole request leads."""
    value = wanted[name]
    if value not in (forced := registry.forced(state).get(name, (value,))):
        causes = [
            str(dependency)
            for dependency in registry.firing("CurrentValue", state)
            if dependency.attribute == name
        ]
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


class FirmwareRules(NamedTuple):
    """The registry of a server, and what its BIOS makes of a contradiction in it."""

    registry: TwinRegistry
    several: Literal["keep", "last"] = "keep"
    lockdown: bool = False

    @classmethod
    def of(
        cls, registry: TwinRegistry, *, lockdown: bool = False, several: Literal["keep", "last"] = "keep"
    ) -> Self:
        """The rules of a captured server. What its dependencies lock, they lock: the flags are of another state."""
        explained = {
            dependency.attribute for dependency in registry.dependencies if dependency.prop == "ReadOnly"
        }
        attributes = {
            name: attribute._replace(read_only=attribute.read_only and name not in explained)
            for name, attribute in registry.attributes.items()
        }
        return cls(registry._replace(attributes=attributes), several, lockdown)

    def refusals(self, current: Mapping[str, Value], pending: Mapping[str, Value]) -> tuple[Refusal, ...]:
        """What of the pending values the BIOS would not take, and why."""
        wanted = {name: value for name, value in pending.items() if current.get(name) != value}
        registry = self.registry._replace(current=dict(current))
        verdict = check(registry, {"Attributes": wanted}, ignore_lockdown=self.lockdown)
        return (*verdict.refused, *verdict.immutable)

    def refused(self, current: Mapping[str, Value], pending: Mapping[str, Value]) -> str:
        """The same in words; "" if it takes all of them."""
        return "; ".join(
            f"{refusal.attribute}: {refusal.reason}" for refusal in self.refusals(current, pending)
        )

    def after_restart(self, current: Mapping[str, Value], pending: Mapping[str, Value]) -> dict[str, Value]:
        """What the attributes are when the job has carried out what is pending."""
        state = {**current, **pending}
        for _ in range(len(self.registry.dependencies) + 1):
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
