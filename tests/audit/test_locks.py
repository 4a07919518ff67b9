"""Firmware settings that a profile of the maker locks, in the same file or as the server has it."""

from __future__ import annotations

import json

import pytest

from audit import audited, codes, messages
from setpoint.compiler.audit.check import Audit

R750 = "platform r750; os rhel 9"
HPE = "platform dl380a-gen11; os rhel 9"

MEMBERS = {
    # typed from the registry of the R750, SysProfile dependencies: read-only under each profile but Custom
    "ProcPwrPerf": "MaxPerf",
    "MemFrequency": "MaxPerf",
    "ProcTurboMode": "Enabled",
    "ProcC1E": "Disabled",
    "ProcCStates": "Disabled",
    "MemPatrolScrub": "Standard",
    "MemRefreshRate": "1x",
    "UncoreFrequency": "MaxUFS",
    "EnergyPerformanceBias": "MaxPower",
    "MonitorMwait": "Enabled",
    "CpuInterconnectBusLinkPower": "Disabled",
    "PcieAspmL1": "Disabled",
}


def of(attributes: dict[str, str], server: str = R750) -> Audit:
    return audited(json.dumps({"Attributes": attributes}), server=server)


def test_members_beside_a_named_profile_are_locked() -> None:
    """As SAP's file for KVM on the R860 has them."""
    found = of({"SysProfile": "PerfOptimized", "LogicalProc": "Enabled", **MEMBERS})
    (finding,) = (f for f in found.findings if f.code == "W0908")
    assert finding.message.endswith("are without effect: `SysProfile = PerfOptimized` locks them")
    assert finding.notes[0].startswith("locked: ")
    assert {name.strip("`") for name in finding.notes[0].removeprefix("locked: ").split(", ")} == set(MEMBERS)


def test_members_beside_the_custom_profile_are_not() -> None:
    assert "W0908" not in codes(of({"SysProfile": "Custom", **MEMBERS}))


def test_a_member_alone_is_void_unless_the_profile_is_custom() -> None:
    found = of({"ProcCStates": "Disabled"})
    (finding,) = (f for f in found.findings if f.code == "W0908")
    assert (
        finding.message
        == "`ProcCStates = Disabled` is without effect: the default of `system-profile` locks it"
    )
    assert finding.help == ("add `SysProfile = Custom`, or leave it out",)


@pytest.mark.parametrize(
    ("profile", "is_locked"),
    [("Virtualization-MaxPerformance", True), ("LowLatency", True), ("Custom", False)],
)
def test_members_beside_a_profile_of_hpe(profile: str, is_locked: bool) -> None:
    found = of(
        {"WorkloadProfile": profile, "EnergyPerfBias": "MaxPerf", "MinProcIdlePower": "NoCStates"}, HPE
    )
    assert bool(messages(found, "W0908")) == is_locked


WHICHEVER = {
    # what is set beside the profile, and what is locked by it on all servers of the maker that have both
    "PerfOptimized": ["MemPatrolScrub", "ProcTurboMode"],
    "Custom": [],
}


@pytest.mark.parametrize("profile", WHICHEVER)
def test_a_lock_of_all_servers_of_a_maker_needs_no_model(profile: str) -> None:
    attributes = {"SysProfile": profile, "ProcTurboMode": "Enabled", "MemPatrolScrub": "Standard"}
    notes = [
        note
        for each in of({**attributes, "LogicalProc": "Enabled"}, "vendor dell").findings
        for note in each.notes
    ]
    assert [each.count("`") // 2 for each in notes if each.startswith("locked: ")] == (
        [len(WHICHEVER[profile])] if WHICHEVER[profile] else []
    )
    assert all(name in notes[0] for name in WHICHEVER[profile])


def test_a_default_locks_nothing_if_the_model_is_open() -> None:
    assert codes(of({"ProcCStates": "Disabled", "LogicalProc": "Enabled"}, "vendor dell")) == []


def test_another_fact_can_exclude_models() -> None:
    """Only one of the maker's generations with these attributes has processors of AMD."""
    found = of({"SysProfile": "PerfOptimized", "ProcTurboMode": "Enabled"}, "vendor dell; cpu-vendor amd")
    assert len(messages(found, "W0908")) == 1
