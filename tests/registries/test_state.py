"""What registries say of their servers is what the servers were captured with."""

from __future__ import annotations

import pytest

from registries import document
from registries.test_reading import WHOLE, registry
from setpoint.compiler.registries.model import CURRENT, GRAY_OUT, HIDDEN, IMMUTABLE, READ_ONLY, Scalar
from setpoint.compiler.registries.state import EffectiveAttribute, holds, state
from setpoint.compiler.twin.rules import TwinRegistry

FORCED = {
    "dell-12g-R720": 19,
    "dell-13g-R630": 28,
    "dell-14g-R740": 27,
    "dell-15g-R750": 25,
    "hpe-gen10plus-DL360-U46-1.56": 24,
    "hpe-gen10plusv2-DL385-A42-2.60-amd": 10,
    "hpe-gen11-DL380a-U58-2.44": 17,
    "lenovo-SR670V2": 0,
    "nvidia-GB200-arm": 0,
    "supermicro-SYS-821GE-TNHR": 0,
}
"""How many captured values the registry of each server forces; three registries force none by their dependencies."""

CONTRADICTIONS = {
    "dell-13g-R630": {"ProcPwrPerf"},
    "hpe-gen10plus-DL360-U46-1.56": {"EnergyEfficientTurbo", "IntelProcVtd"},
    "hpe-gen10plusv2-DL385-A42-2.60-amd": {
        "AmdL1Prefetcher",
        "AmdL2Prefetcher",
        "ApplicationPowerBoost",
        "DataFabricCStateEnable",
        "InfinityFabricPstate",
    },
}
"""Attributes that a registry forces to several values at once, with some value of an attribute that they depend on."""

UNDECLARED = {"nvidia-GB200-arm": {"Socket0UPHY2config", "Socket1UPHY2config"}}
"""Attributes with a captured value that their registry does not list."""


def is_read_only(effective: EffectiveAttribute) -> bool:
    """Whether an attribute takes no value, now or ever."""
    return bool(effective.flags & {READ_ONLY, IMMUTABLE})


def current(name: str) -> dict[str, Scalar]:
    """The captured values of a server."""
    return dict(document(name, "Bios")["Attributes"])


@pytest.mark.parametrize("name", WHOLE)
def test_no_forced_value_differs_from_the_captured_one(name: str) -> None:
    values = current(name)
    forced = {e.name: e.forced[0] for e in state(registry(name), values).values() if e.forced}
    assert {n: (v, values[n]) for n, v in forced.items() if n in values and values[n] != v} == {}
    assert len(forced.keys() & values.keys()) == FORCED[name]


@pytest.mark.parametrize("name", WHOLE)
def test_every_captured_value_is_possible_unless_it_is_locked(name: str) -> None:
    """Of a locked attribute, the registry of an R740 suppresses every value, its own as well."""
    made, values = registry(name), current(name)
    effective = state(made, values)
    impossible = {
        n
        for n, value in values.items()
        if n in made.attributes and made.attributes[n].choices and value not in effective[n].possible
        if not is_read_only(effective[n])
    }
    assert impossible == UNDECLARED.get(name, set())


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("hpe-gen10plus-DL360-U46-1.56", 17),
        ("hpe-gen10plusv2-DL385-A42-2.60-amd", 10),
        ("hpe-gen11-DL380a-U58-2.44", 13),
    ],
)
def test_the_active_profile_has_set_its_members(name: str, count: int) -> None:
    made, values = registry(name), current(name)
    forced = {
        each.attribute: each.to
        for each in made.dependencies
        if each.changes == CURRENT and each.conditions[0].attribute == "WorkloadProfile"
        if holds(each.conditions[0], values)
    }
    assert len(forced.keys() & values.keys()) == count
    assert {n: v for n, v in forced.items() if values.get(n, v) != v} == {}


def test_a_profile_locks_its_members_and_custom_does_not() -> None:
    made, values = registry("dell-12g-R720"), current("dell-12g-R720")
    custom = state(made, values | {"SysProfile": "Custom"})["ProcPwrPerf"]
    assert (custom.forced, is_read_only(custom)) == ((), False)
    dapc = state(made, values | {"SysProfile": "PerfPerWattOptimizedDapc"})["ProcPwrPerf"]
    assert (dapc.forced, is_read_only(dapc)) == (("SysDbpm",), True)


def test_suppressed_values_are_those_that_all_dependencies_leave() -> None:
    made, values = registry("dell-12g-R720"), current("dell-12g-R720")
    for mode in ("AhciMode", "RaidMode"):
        assert state(made, values | {"EmbSata": mode})["SataPortA"].possible == ("Auto",)


def test_grey_and_hidden_are_told_apart_from_read_only() -> None:
    made, values = registry("lenovo-SR670V2"), current("lenovo-SR670V2")
    asked = values | {"Processors_TurboMode": "Disabled"}
    found = state(made, asked)["Processors_EnergyEfficientTurbo"]
    assert GRAY_OUT in found.flags and not is_read_only(found)
    asked = values | {"SecureBootConfiguration_SecureBootStatus": "Enabled"}
    assert HIDDEN in state(made, asked)["LegacyBIOS_NonOnboardPXE"].flags


def test_bounds_change_and_read_only_can_be_a_condition() -> None:
    """No captured registry does either, and the schema allows both."""
    from setpoint.compiler.registries.read import registry_of

    def dependency(read: str, value: object, name: str, changes: str, to: object) -> dict[str, object]:
        condition = {
            "MapFromAttribute": "A",
            "MapFromProperty": read,
            "MapFromCondition": "EQU" if isinstance(value, bool) else "GTR",
            "MapFromValue": value,
        }
        return {
            "Dependency": {
                "MapFrom": [condition],
                "MapToAttribute": name,
                "MapToProperty": changes,
                "MapToValue": to,
            }
        }

    made = registry_of(
        {
            "RegistryEntries": {
                "Attributes": [{"AttributeName": n, "Type": "Integer", "UpperBound": 9} for n in "AB"],
                "Dependencies": [
                    dependency("ReadOnly", True, "B", "Hidden", True),
                    dependency("CurrentValue", 5, "A", "ReadOnly", True),
                    dependency("CurrentValue", 5, "B", "UpperBound", 4),
                ],
            }
        },
        "registry.json",
    )
    high, low = state(made, {"A": 6}), state(made, {"A": 5})
    assert (HIDDEN in high["B"].flags, dict(high["B"].properties)["UpperBound"]) == (True, 4)
    assert (HIDDEN in low["B"].flags, dict(low["B"].properties)["UpperBound"]) == (False, 9)


@pytest.mark.parametrize("name", WHOLE)
def test_a_twin_that_shares_no_code_forces_the_same_values(name: str) -> None:
    """Each attribute that others depend on is given each of its values in turn. Where a registry contradicts itself,
    the last entry decides."""
    made, twin = registry(name), TwinRegistry.of(document(name, "BiosRegistry"), document(name, "Bios"))
    values = dict(twin.current)
    governors = {one.attribute for each in twin.dependencies for one in each.conditions}
    contradictions = set()
    for governor in sorted(governors & values.keys() & twin.attributes.keys()):
        for value in twin.attributes[governor].values or (values[governor],):
            given = {**values, governor: value}
            planned = {e.name: e.forced[0] for e in state(made, given).values() if e.forced}
            rehearsed = twin.forced(given)
            assert planned == {attribute: to[-1] for attribute, to in rehearsed.items()}, (governor, value)
            contradictions |= {attribute for attribute, to in rehearsed.items() if len(to) > 1}
    assert contradictions == CONTRADICTIONS.get(name, set())
