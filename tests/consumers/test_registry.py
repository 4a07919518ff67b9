"""The judgement of `consumers.registry`, on the servers it was written from."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from consumers.registry import Registry, parse_body, profile_expansion
from setpoint.compiler.twin.rules import Refusal, RequestVerdict, check

CAPTURES = ("dell-12g-R720", "dell-13g-R630", "dell-14g-R740", "dell-15g-R750")

R720_MEMBERS = {
    # Columns: DAPC, OS, Performance, Dense Configuration.
    "CollaborativeCpuPerfCtrl": ("Disabled", "Disabled", "Disabled", "Disabled"),
    "MemFrequency": ("MaxPerf", "MaxPerf", "MaxPerf", "MaxPerf"),
    "MemPatrolScrub": ("Standard", "Standard", "Standard", "Extended"),
    "MemRefreshRate": ("1x", "1x", "1x", "2x"),
    "MemVolt": ("AutoVolt", "AutoVolt", "AutoVolt", "Volt15V"),
    "MonitorMwait": ("Enabled", "Enabled", "Enabled", "Enabled"),
    "ProcC1E": ("Enabled", "Enabled", "Disabled", "Enabled"),
    "ProcCStates": ("Enabled", "Enabled", "Disabled", "Enabled"),
    "ProcPwrPerf": ("SysDbpm", "OsDbpm", "MaxPerf", "SysDbpm"),
    "ProcTurboMode": ("Enabled", "Enabled", "Enabled", "Disabled"),
}
R720_PROFILES = ("PerfPerWattOptimizedDapc", "PerfPerWattOptimizedOs", "PerfOptimized", "DenseCfgOptimized")


@cache
def load(name: str) -> Registry:
    """A captured server, read once."""
    return Registry.load(name)


def ask(name: str, *, ignore_lockdown: bool = False, **attributes: Any) -> RequestVerdict:
    """Judge a PATCH of `attributes` on the server `name`."""
    return check(load(name), {"Attributes": attributes}, ignore_lockdown=ignore_lockdown)


def refused(verdict: RequestVerdict) -> list[str]:
    """The names of what was refused."""
    return [refusal.attribute for refusal in verdict.refused]


def test_the_profiles_of_the_r720_expand_to_dells_table() -> None:
    table = {
        profile: {name: row[column] for name, row in R720_MEMBERS.items()}
        for column, profile in enumerate(R720_PROFILES)
    }
    assert profile_expansion(load("dell-12g-R720")) == {**table, "Custom": {}}


def test_profiles_differ_between_generations() -> None:
    r630 = profile_expansion(load("dell-13g-R630"))
    assert r630["DenseCfgOptimized"]["ProcPwrPerf"] == "SysDbpm/OsDbpm"
    assert r630["PerfOptimized"]["UncoreFrequency"] == "MaxUFS"
    r740 = profile_expansion(load("dell-14g-R740"))
    assert r740["PerfWorkStationOptimized"]["ProcCStates"] == "Enabled"
    r750 = profile_expansion(load("dell-15g-R750"))
    assert r750["PerfPerWattOptimizedDapc"]["ControlledTurbo"] == "Disabled"
    assert "ControlledTurbo" not in r750["PerfOptimized"]


@pytest.mark.parametrize("name", CAPTURES)
def test_a_server_at_rest_stays_as_it_is(name: str) -> None:
    registry = load(name)
    settled = registry.settle(registry.current)
    assert {known: settled[known] for known in registry.current} == registry.current


@pytest.mark.parametrize("name", CAPTURES)
def test_a_named_profile_locks_its_members(name: str) -> None:
    verdict = ask(name, ignore_lockdown=True, SysProfile="PerfOptimized", ProcTurboMode="Disabled")
    assert refused(verdict) == ["ProcTurboMode"]
    assert "forced to Enabled while SysProfile is" in verdict.refused[0].reason
    assert verdict.state["ProcTurboMode"] == "Enabled"


@pytest.mark.parametrize("name", CAPTURES)
def test_a_member_is_locked_even_at_the_value_it_has(name: str) -> None:
    verdict = ask(name, ignore_lockdown=True, SysProfile="PerfOptimized", ProcTurboMode="Enabled")
    assert verdict.refused == (Refusal("ProcTurboMode", "read-only while SysProfile is not Custom"),)


@pytest.mark.parametrize("name", CAPTURES)
def test_custom_in_the_same_request_lifts_the_lock(name: str) -> None:
    verdict = ask(name, ignore_lockdown=True, SysProfile="Custom", ProcTurboMode="Disabled")
    assert verdict.accepted
    assert (verdict.state["SysProfile"], verdict.state["ProcTurboMode"]) == ("Custom", "Disabled")


@pytest.mark.parametrize("name", CAPTURES)
def test_what_the_registry_does_not_know_is_refused(name: str) -> None:
    verdict = ask(
        name, ignore_lockdown=True, SysProfile="Turbo9000", NoSuchAttr="Enabled", LogicalProc="enabled"
    )
    assert refused(verdict) == ["LogicalProc", "NoSuchAttr", "SysProfile"]
    assert verdict.refused[1].reason == "no such attribute"


def test_a_value_that_a_dependency_suppresses_is_refused() -> None:
    verdict = ask("dell-14g-R740", ProcVirtualization="Disabled", ProcX2Apic="Enabled")
    assert refused(verdict) == ["ProcX2Apic"]


def test_no_attribute_lifts_its_own_lock() -> None:
    r750 = load("dell-15g-R750")
    clustered = Registry(
        r750.attributes, r750.dependencies, {**r750.current, "SubNumaCluster": "2-Way"}, r750.apply_times
    )
    alone = check(clustered, {"Attributes": {"NodeInterleave": "Enabled"}}, ignore_lockdown=True)
    assert refused(alone) == ["NodeInterleave"]
    both = {"NodeInterleave": "Enabled", "SubNumaCluster": "Disabled"}
    assert refused(check(clustered, {"Attributes": both}, ignore_lockdown=True)) == ["SubNumaCluster"]


def test_one_processor_makes_node_interleaving_immutable() -> None:
    verdict = ask("dell-12g-R720", NodeInterleave="Disabled")
    assert not verdict.refused
    assert verdict.immutable == (Refusal("NodeInterleave", "read-only, and no dependency lifts it"),)
    assert ask("dell-13g-R630", NodeInterleave="Disabled").accepted
    assert refused(ask("dell-12g-R720", QpiSpeed="MaxDataRate")) == ["QpiSpeed"]


def test_lockdown_is_the_state_of_one_machine() -> None:
    assert [one.attribute for one in ask("dell-15g-R750", LogicalProc="Disabled").immutable] == [
        "LogicalProc"
    ]
    assert ask("dell-15g-R750", ignore_lockdown=True, LogicalProc="Disabled").accepted
    fact = ask("dell-15g-R750", ignore_lockdown=True, Proc1Brand="486DX")
    assert [one.attribute for one in fact.immutable] == ["Proc1Brand"]
    assert refused(ask("dell-15g-R750", ignore_lockdown=True, EnergyEfficientTurbo="Disabled")) == [
        "EnergyEfficientTurbo"
    ]


def test_numbers_and_strings_have_bounds() -> None:
    for value, taken in ((60, True), (9999, False), ("60", False), (True, False)):
        verdict = ask("dell-13g-R630", AcPwrRcvryDelay="User", AcPwrRcvryUserDelay=value)
        assert refused(verdict) == ([] if taken else ["AcPwrRcvryUserDelay"])
    assert refused(ask("dell-13g-R630", AssetTag="x" * 64)) == ["AssetTag"]


def test_an_apply_time_must_be_one_that_the_service_states() -> None:
    body = {"Attributes": {}, "@Redfish.SettingsApplyTime": {"ApplyTime": "OnReset"}}
    assert check(load("dell-13g-R630"), body).accepted
    assert refused(check(load("dell-12g-R720"), body)) == ["@Redfish.SettingsApplyTime"]
    assert refused(check(load("dell-13g-R630"), {"Attributes": {}, "Oem": {}})) == ["Oem"]


def test_a_name_that_is_there_twice_is_seen() -> None:
    with pytest.raises(ValueError, match="twice in one object: A"):
        parse_body('{"Attributes": {"A": "1", "A": "2"}}')
