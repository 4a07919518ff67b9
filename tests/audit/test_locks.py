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
    assert [label.text for label in finding.others] == ["locked by this"] + ["locked"] * (len(MEMBERS) - 1)


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
    locks = list(of({**attributes, "LogicalProc": "Enabled"}, "vendor dell").findings)
    expected = WHICHEVER[profile]
    assert [len(finding.others) for finding in locks] == ([len(expected)] if expected else [])


def test_a_default_locks_if_it_does_on_all_models() -> None:
    assert codes(of({"ProcCStates": "Disabled", "LogicalProc": "Enabled"}, "vendor dell")) == ["W0908"]


def test_another_fact_can_exclude_models() -> None:
    """Only one of the maker's generations with these attributes has processors of AMD."""
    found = of({"SysProfile": "PerfOptimized", "ProcTurboMode": "Enabled"}, "vendor dell; cpu-vendor amd")
    assert len(messages(found, "W0908")) == 1


LATER = """
platform r750        | racadm set BIOS.SysProfileSettings.SysProfile Custom        |
platform r750        | racadm set BIOS.SysProfileSettings.ProcC1E Disabled         | W0908
platform r750        | racadm set BIOS.SysProfileSettings.SysProfile PerfOptimized | E0906
"""


def test_the_last_of_two_profiles_locks() -> None:
    """Both wait for the same restart, and the later one replaces the earlier one before that."""
    rows = [[part.strip() for part in line.split("|")] for line in LATER.strip().split("\n")]
    found = audited("\n".join(text for _, text, _ in rows), server=rows[0][0])
    said = {finding.at.line: finding.code for finding in found.findings}
    assert [said.get(number, "") for number in range(1, len(rows) + 1)] == [code for _, _, code in rows]


OF_HPE = """
vendor hpe                      | GeneralPowerEfficientCompute  | PowerRegulator    | DynamicPowerSavings | W0908
vendor hpe                      | Custom                        | PowerRegulator    | DynamicPowerSavings |
vendor hpe                      | Virtualization-MaxPerformance | SubNumaClustering | Disabled            | W0908
vendor hpe                      | Virtualization-MaxPerformance | SubNumaClustering | Enabled             | W0908
platform "ProLiant DL380 Gen12" | Virtualization-MaxPerformance | SubNumaClustering | Disabled            | W0908
platform "ProLiant DL380 Gen12" | Virtualization-MaxPerformance | HttpSupport       | Disabled            |
"""
"""What all described servers of the maker with both attributes lock is said of those that are not described as well."""


@pytest.mark.parametrize("case", OF_HPE.strip().split("\n"))
def test_locks_of_another_maker(case: str) -> None:
    server, profile, name, text, code = (part.strip() for part in case.split("|"))
    assert codes(of({"WorkloadProfile": profile, name: text}, server)) == ([code] if code else [])


OF_REGISTRIES = """
vendor dell   | BootMode=Bios SecureBoot=Enabled                    | W0908 locked by this
vendor dell   | BootMode=Bios SecureBoot=Disabled                   |
vendor dell   | BootMode=Uefi SecureBoot=Enabled                    |
platform r750 | TpmSecurity=Off Tpm2Algorithm=SHA256                | W0908 locked by this
vendor dell   | TpmSecurity=Off Tpm2Hierarchy=Disabled              | W0908 locked by this
vendor dell   | ProcVirtualization=Disabled ProcX2Apic=Disabled     | W0908 locked by this
vendor dell   | ProcVirtualization=Enabled ProcX2Apic=Disabled      |
vendor dell   | EmbSata=RaidMode SataPortA=Off                      | W0908 locked by this
platform r740 | SysProfile=PerfOptimized EnergyEfficientTurbo=Enabled | W0908 locked by this
platform r740 | SysProfile=Custom EnergyEfficientTurbo=Enabled      |
platform r750 | PxeDev1EnDis=Disabled PxeDev1Interface=NIC.Slot.5-1 | W0908 locked by this
platform r750 | PxeDev1EnDis=Disabled PxeDev2Interface=NIC.Slot.5-1 |
vendor dell   | HttpDev2Protocol=IPv4 HttpDev2v6Gateway=fe80::1     | W0908 locked by this
vendor dell   | HttpDev2Protocol=IPv4 HttpDev1v6Gateway=fe80::1     |
vendor dell   | ProcCores=10 Proc2Cores=4                           | W0908 locked by this
vendor dell   | EmbSata=AhciMode SataPortB=Off                      | W0908 locked by this
vendor dell   | TpmSecurity=Off TpmActivation=Activate              | W0908 locked by this
platform r740 | SysProfile=PerfOptimized EnergyEfficientTurbo=Enabled | W0908 locked by this
platform sr670-v2 | OperatingModes_ChooseOperatingMode=CustomMode Processors_TurboMode=Disabled Processors_CPUFrequencyLimits=RestrictMaximumFrequency | W0908 locked by this
vendor dell   | AcPwrRcvryDelay=Random AcPwrRcvryUserDelay=120      | W0908 locked by this
vendor dell   | AcPwrRcvryDelay=User AcPwrRcvryUserDelay=120        |
vendor dell   | AcPwrRcvryUserDelay=120                             | W0908
platform r740 | AcPwrRcvryUserDelay=120                             | W0908
vendor dell   | AesNi=Enabled LogicalProc=Enabled                   | W0908
vendor hpe    | EmbeddedIpxe=Disabled IpxeBootOrder=Enabled         | W0908 locked by this
vendor hpe    | DeterminismControl=DeterminismCtrlAuto PerformanceDeterminism=PowerDeterministic   | W0908 locked by this
vendor hpe    | DeterminismControl=DeterminismCtrlManual PerformanceDeterminism=PowerDeterministic |
vendor hpe    | MemPatrolScrubbing=Disabled PatrolScrubDuration=12  | W0908 locked by this
vendor hpe    | WorkloadProfile=LowLatency ProcX2Apic=ForceEnabled  | W0908 locked by this
vendor hpe    | WorkloadProfile=Custom ProcX2Apic=ForceEnabled      |
vendor hpe    | WorkloadProfile=Custom AMDPerformanceWorkloadProfile=HPCOptimized PerformanceDeterminism=PowerDeterministic | W0908 locked by this
vendor hpe    | PowerProfile=MaxPerf MinProcIdlePower=NoCStates     | W0908 locked by this
vendor hpe    | PowerProfile=Custom MinProcIdlePower=NoCStates      |
vendor hpe    | BootMode=LegacyBios UefiOptimizedBoot=Enabled       | W0908 locked by this
vendor hpe    | BootMode=Uefi UefiOptimizedBoot=Enabled             |
vendor hpe    | BootMode=Uefi SecureBootStatus=Enabled              | W0908
vendor hpe    | BootMode=Uefi RemovableFlashBootSeq=InternalKeysFirst | W0908 locked by this
vendor hpe    | Dhcpv4=Enabled Ipv4Address=10.0.0.1                 | W0908 locked by this
vendor hpe    | Dhcpv4=Disabled Ipv4Address=10.0.0.1                |
vendor hpe    | EmbeddedUefiShell=Disabled UefiShellBootOrder=Enabled | W0908 locked by this
vendor hpe    | AdvancedMemProtection=AdvancedEcc MemMirrorMode=Full  | W0908 locked by this
vendor hpe    | AdvancedMemProtection=MirroredAdvancedEcc MemMirrorMode=Full |
vendor hpe    | WorkloadProfile=Custom PowerRegulator=StaticHighPerf CollabPowerControl=Enabled | W0908 because of this
vendor hpe    | WorkloadProfile=Custom PowerRegulator=DynamicPowerSavings CollabPowerControl=Enabled |
vendor hpe    | ProcessorJitterControl=Manual-tuned ProcessorJitterControlOptimization=ZeroLatency | W0908 because of this
vendor hpe    | ProcessorJitterControl=Disabled ProcessorJitterControlFrequency=0 | W0908 because of this
vendor hpe    | AsrStatus=Disabled AsrTimeoutMinutes=Timeout10      | W0908 because of this
vendor hpe    | WorkloadProfile=Custom SubNumaClustering=Enabled XptPrefetcher=Disabled | W0908 because of this
vendor hpe    | WorkloadProfile=Custom SubNumaClustering=Enabled XptPrefetcher=Auto |
vendor hpe    | ProcCoreDisable=0 PowerRegulator=OsControl          | W0908
vendor hpe    | ProcCoreDisable=0 IntelQpiPowerManagement=Disabled  | W0908
platform dl380-gen9 | PowerRegulator=OsControl                      | W0908
vendor lenovo | SecureBootConfiguration_SecureBootMode=UserMode     | W0908
vendor lenovo | Processors_CStates=Disable                          | W0908
vendor lenovo | Processors_HyperThreading=Disable                   |
platform sr650 | OperatingModes_ChooseOperatingMode=CustomMode Processors_CStates=Disable |
vendor lenovo | Memory_FullMirror=Enabled                           |
vendor lenovo | OperatingModes_ChooseOperatingMode=MaximumPerformance Processors_CStates=Disable | W0908 locked by this
vendor lenovo | OperatingModes_ChooseOperatingMode=CustomMode Processors_CStates=Disable |
vendor lenovo | OperatingModes_ChooseOperatingMode=MinimalPower Processors_SNC=Disabled |
"""
"""Typed from the dependencies of the registries of R740, R750, DL385 Gen10 Plus v2, DL380a Gen11 and SR670 V2, or
from what is read-only."""


@pytest.mark.parametrize("case", OF_REGISTRIES.strip().split("\n"))
def test_what_is_no_setting_is_locked_too(case: str) -> None:
    server, attributes, said = (part.strip() for part in case.split("|"))
    pairs = dict(pair.split("=") for pair in attributes.split())
    findings = of(pairs, server).findings
    locked = [finding for finding in findings if finding.code == "W0908"]
    found = [" ".join([finding.code, *(label.text for label in finding.others)]) for finding in locked]
    assert found == ([said] if said else [])
    unchecked = {finding.at for finding in findings if finding.code in ("W0902", "W0903")}
    assert unchecked.isdisjoint(finding.at for finding in locked)


def test_what_a_server_answers_is_no_list_of_wishes() -> None:
    shown = dict.fromkeys(["AesNi", "Proc64bit", "ProcBusSpeed", "ProcCoreSpeed"], "Yes")
    assert codes(of(shown, "vendor dell")) == []
    answered = {"SecureBootStatus": "Enabled", "TpmType": "Tpm20", "TpmState": "PresentEnabled"}
    assert codes(of({**answered, "Dhcpv4": "Enabled", "Ipv4Address": "10.0.0.1"}, "vendor hpe")) == []


SEVERAL = """
PROFILES = {
    Profile.COMPUTE: {
        "WorkloadProfile": "HighPerformanceCompute(HPC)",
        "EnergyPerfBias": "MaxPerf",                        # locked
        "ProcHyperthreading": "Enabled",
    },
    Profile.OWN: {
        "WorkloadProfile": "Custom",
        "EnergyPerfBias": "MaxPerf",
        "ProcHyperthreading": "Disabled",
    },
    Profile.LATENCY: {
        "WorkloadProfile": "LowLatency",
        "MinProcIdlePower": "NoCStates",                    # locked: a server that has the next one has an Intel processor
        "ProcHyperthreading": "Enabled",
    },
    Profile.PART: {
        "EnergyPerfBias": "MaxPerf",
    },
}
"""
GROUPS = """
SETTINGS = {
    "power": {
        "WorkloadProfile": "LowLatency",
    },
    "processor": {
        "EnergyPerfBias": "MaxPerf",                        # locked
    },
}
"""
ITEMS = """
$settings = @(
    @{id = 'WorkloadProfile'; value = 'Virtualization-MaxPerformance'},
    @{id = 'EnergyPerfBias'; value = 'MaxPerf'},            # locked
    @{id = 'ProcHyperthreading'; value = 'Disabled'}
)
New-OVServerProfile -Bios -BiosSettings $settings
"""
DEFAULT = """
local() {
  ilorest select Bios.
  ilorest set PowerRegulator=DynamicPowerSavings            # locked by the default of most servers
}
remote() {
  ilorest select Bios. --url=$1
  ilorest set PowerRegulator=DynamicPowerSavings            # locked
}
"""


KEYS = """
HPE:
  AMD:
    ProLiant DL325 Gen10 Plus:
      WorkloadProfile: GeneralThroughputCompute
      PowerRegulator: StaticHighPerf                        # locked
      Sriov: Enabled
      DeterminismControl: DeterminismCtrlAuto
      PerformanceDeterminism: PowerDeterministic            # locked
    ProLiant DL345 Gen10 Plus:
      DeterminismControl: DeterminismCtrlManual
      PerformanceDeterminism: PowerDeterministic
  Intel:
    "*":
      WorkloadProfile: Custom
      PowerRegulator: StaticHighPerf
Lenovo:
  AMD:
    "*":
      OperatingModes_ChooseOperatingMode: CustomMode
      Processors_DFC_States: Disabled
"""


COMMENT = """
<#
  What this sets: the members of a profile.
#>
$settings = @(
    @{id = 'WorkloadProfile'; value = 'Virtualization-MaxPerformance' },
    @{id = 'PowerRegulator'; value = 'StaticHighPerf' }     # locked
)
"""


PUPPET = """
oneview_server_profile_template { 'compute':
  data =>
    {
      bios =>
      {
        overriddenSettings =>
        [
          { id    => 'WorkloadProfile',
            value => 'LowLatency'
          },
          { id    => 'PowerRegulator',                      # locked
            value => 'StaticHighPerf'
          },
        ]
      }
    }
}
"""


STEPS = """
baremetal node clean n1 --clean-steps '[{"interface": "bios", "step": "factory_reset"}]'
baremetal node clean n1 --clean-steps '[{"args": {"settings": [{"name": "WorkloadProfile", "value": "LowLatency"}]}}]'
baremetal node clean n1 --clean-steps '[{"args": {"settings": [{"name": "ProcTurbo", "value": "Disabled"}]}}]' # locked
"""


RUBY = """
profile = {
  'overriddenSettings' => [
    { 'id' => 'WorkloadProfile', 'value' => 'LowLatency' },
    { 'id' => 'ProcTurbo', 'value' => 'Enabled' },          # locked
  ]
}
"""


PYTHON = """
bios = dict(overriddenSettings=[
    dict(id="WorkloadProfile", value="LowLatency"),
    dict(id="ProcTurbo", value="Enabled"),                  # locked
])
"""


OBJECT = """{"bios": {"manageBios": true, "overriddenSettings": [
  {"id": "WorkloadProfile", "value": "LowLatency"}, {"id": "EnergyPerfBias", "value": "MaxPerf"}]}}
"""


REQUEST = """#!/bin/bash
curl -X PATCH https://ilo/redfish/v1/Systems/1/Bios/Settings -H "Content-Type: application/json" -d '{
  "Attributes": {
    "WorkloadProfile": "LowLatency",
    "ProcTurbo": "Enabled"                                  # locked
  }
}'
"""


BY_VARIABLE = """
- community.general.redfish_config:
    category: Systems
    command: SetBiosAttributes
    bios_attributes:
      WorkloadProfile: "{{ profile }}"                      # may be Custom
- community.general.redfish_config:
    category: Systems
    command: SetBiosAttributes
    bios_attributes:
      PowerRegulator: StaticHighPerf
"""


EARLIER = """
server_hardware_type = "SY 480 Gen9 1"                      # has another profile
bios_settings = {
    PowerRegulator = "StaticHighPerf"                       # locked
    CollabPowerControl = "Disabled"
}
"""


BLOCKS = """
resource "oneview_server_profile" "a" {
  bios_option {
    overridden_settings {
      id    = "WorkloadProfile"
      value = "LowLatency"
    }
    overridden_settings {
      id    = "MemRefreshRate"                              # locked
      value = "Refreshx1"
    }
  }
}
resource "oneview_server_profile" "b" {
  bios_option {
    overridden_settings {
      id    = "WorkloadProfile"
      value = "Custom"
    }
    overridden_settings {
      id    = "MemRefreshRate"
      value = "Refreshx1"
    }
  }
}
"""


@pytest.mark.parametrize(
    "text", [SEVERAL, GROUPS, ITEMS, DEFAULT, KEYS, COMMENT, PUPPET, STEPS, BY_VARIABLE, EARLIER, BLOCKS]
)
def test_a_list_for_a_server_is_judged_by_itself(text: str) -> None:
    """Maps of a program with the same names are several lists, and others are groups of one."""
    found = [each for each in audited(text, server="vendor hpe").findings if each.code == "W0908"]
    at = {each.at.line for each in found} | {
        label.span.line for each in found for label in each.others if label.text == "locked"
    }
    assert at == {number for number, line in enumerate(text.split("\n"), 1) if "# locked" in line}


def test_settings_of_a_template_in_json() -> None:
    assert messages(audited(OBJECT, server="vendor hpe"), "W0908") == [
        "`EnergyPerfBias = MaxPerf` is without effect: `WorkloadProfile = LowLatency` locks it"
    ]
