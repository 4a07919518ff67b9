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
