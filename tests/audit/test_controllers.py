"""Names of controllers that none has, and commands that they or their tools refuse."""

import pytest

from audit import audited, messages
from setpoint.compiler.audit.controllers import wrong_objects
from setpoint.compiler.diagnostics.source import SourceText

LINES = """
racadm set iDRAC.NTPConfigGroup.NTPEnable 1                   |
racadm -r $H set idrac.users.2.password x                     |
racadm set iDRAC.SNMP.Alert.1.DestAddr 192.0.2.1              |
racadm set iDRAC.Tuning.DefaultCredentialWarning 0            |
racadm set iDRAC.USB.HostPassThrough 0                        | W0913 leave it out
racadm set iDRAC.Security.AccountLockoutThreshold 5           | W0913 leave it out
racadm set iDRAC.NTPConfig.NTPEnable 1                        | W0913 did you mean `NTPConfigGroup.NTPEnable`?
# racadm set iDRAC.USB.HostPassThrough 0                      |
racadm set NIC.NICConfig.1.LegacyBootProto PXE                |
racadm set NIC.Integrated.1-1-1.LegacyBootProto PXE           | E0907 write the group
racadm jobqueue create NIC.Integrated.1-1-1                   |
racadm set BIOS.Setup.1-1.SysProfile Custom                   | E0907 write the group
racadm set BIOS.SecureBoot Enabled                            | E0907 `BIOS.SysSecurity.SecureBoot`
racadm set BIOS.SysSecurity.SecureBoot Enabled                |
racadm -r $H set -f x.xml -t xml -c BIOS.Setup.1-1            |
idrac_attributes: {"SNMP.1.AgentCommunity": "x"}              |
idrac_attributes: {"SNMP.1.AlertPorty": 161}                  | W0913 did you mean `SNMP.AlertPort`?
<Attribute Name="Users.2#Password">x</Attribute> on an iDRAC  |
<Attribute Name="Users.2#Passwort">x</Attribute> on an iDRAC  | W0913 did you mean `Users.Password`?
<Attribute Name="ChassisPwrState.1#ChassisLEDState">Off</Attribute> iDRAC |
racadm set iDRAC.IPMILan.Enable Yes                           | E0907 `Enabled`
racadm set iDRAC.IPMILan.Enable 1                             |
racadm set iDRAC.IPMILan.Enable $STATE                        |
racadm set iDRAC.ServerBoot.FirstBootDevice VCD-DVD           |
racadm set iDRAC.ServerBoot.FirstBootDevice USB               | E0907 `VCD-DVD`
racadm set iDRAC.IPMISOL.MinPrivilege Admin                   | E0907 `Administrator`
racadm set iDRAC.IPMISOL.MinPrivilege 4                       |
racadm get iDRAC.IPMISOL.MinPrivilege Admin                   |
racadm serveraction powercycle                                |
racadm serveraction reboot                                    | E0907 `powercycle`
racadm jobqueue create BIOS.Setup.1-1 -r pwrcycle -s TIME_NOW |
racadm -r $H jobqueue create BIOS.Setup.1-1 -r reboot         | E0907 `-r pwrcycle`
racadm -r host jobqueue create BIOS.Setup.1-1 -s now          | E0907 `-s TIME_NOW`
    NTPConfigGroup.1.NTPEnable: yes # for an iDRAC            | E0907 `Enabled`
    NTPConfigGroup.1.NTPEnable: "{{ ntp }}" # for an iDRAC    |
    NTPConfigGroup.1.NTPServer: x # for an iDRAC              | W0913 did you mean `NTPConfigGroup.NTP
<Attribute Name="SSH.1#Enable">On</Attribute> on an iDRAC     | E0907 `Enabled`
{"IPMILan.1#Enable": "Enabled"} # https://$H/redfish/v1/Managers/iDRAC.Embedded.1/Attributes | E0907 in place of `#`
set_idrac_settings({"IPMILan.1#Enable": "Enabled"}) # dracclient |
idrac_attributes: {"x": 1}, "SSH.1.Enable": "true"            | E0907 `Enabled`
ilorest set ProcTurbo=Disabled --selector Bios.               |
ilorest set Oem/Hpe/VirtualNICEnabled=True --selector Manager. |
ilorest set Bios.ProcTurbo=Disabled                           | E0907 --selector
ilorest set ProcTurbo=Enabled --selector HpBios. # Gen10      | E0907 `--selector Bios.`
ilorest set ProcTurbo=Enabled --selector HpBios. # Gen9       |
curl $B/redfish/v1/Systems/1 -d '{“AssetTag”: "x"}'           | E0907 in place of each
curl $B/redfish/v1/Systems/1 -d '{"AssetTag": "“x”"}'         |
onecli config set IMM.TimeZone UTC                            |
onecli config set NTP.NTPEnable Enabled                       | E0907 `IMM.TimeZone`
X=/redfish/v1/Systems/1/Bios/Settings # Supermicro            | E0907 Bios/SD
X=/redfish/v1/Systems/1/Bios/Settings # ThinkSystem           | E0907 Bios/Pending
X=/redfish/v1/Systems/1/Bios/Settings # iLO                   |
X=/redfish/v1/Systems/1/Bios/Settings # Supermicro or Dell    |
"""


@pytest.mark.parametrize("case", [line for line in LINES.split("\n") if line])
def test_what_no_controller_takes(case: str) -> None:
    line, _, said = (part.strip() for part in case.partition("|"))
    code, _, words = said.partition(" ")
    found = list(wrong_objects(SourceText("a", line)))
    assert [each.code for each in found] == ([code] if code else [])
    assert all(words in each.help[0] for each in found)


CARDS = [
    (
        "racadm set BIOS.BiosBootSettings.BootMode Uefi\nracadm set NIC.NICConfig.1.LegacyBootProto PXE\n",
        ["W0908"],
    ),
    ("racadm set BIOS.BiosBootSettings.BootMode Bios\nracadm set NIC.NICConfig.1.LegacyBootProto PXE\n", []),
    ("racadm set BIOS.BiosBootSettings.BootMode Uefi\nracadm set NIC.NICConfig.1.LegacyBootProto NONE\n", []),
    (
        "#!/bin/sh\nracadm set NIC.NICConfig.1.LegacyBootProto PXE\nracadm serveraction powercycle\n",
        ["W0908"],
    ),
    (
        "#!/bin/sh\nracadm set NIC.NICConfig.1.LegacyBootProto PXE\nracadm jobqueue create NIC.Slot.1-1-1\n",
        [],
    ),
    ("#!/bin/sh\nracadm set NIC.NICConfig.1.LegacyBootProto PXE\nracadm jobqueue create $CARD\n", []),
]


@pytest.mark.parametrize(("text", "expected"), CARDS)
def test_cards_of_a_network_have_their_jobs_and_boot_mode(text: str, expected: list[str]) -> None:
    assert [each.code for each in wrong_objects(SourceText("a", text))] == expected


def test_a_script_with_nothing_wrong_for_a_controller_is_read() -> None:
    assert list(audited("#!/bin/bash\nracadm set iDRAC.SSH.Enable 1\n").findings) == []


def test_a_script_for_the_controller_alone_is_judged() -> None:
    text = "#!/bin/bash\nracadm set iDRAC.IPMI.LanEnable 1\n"
    assert messages(audited(text, server="os modern-linux"), "W0913") == [
        "`IPMI.LanEnable` is no attribute here: no known iDRAC has the group `IPMI`"
    ]


def test_settings_of_the_controller_are_none_of_the_firmware() -> None:
    text = 'onecli config set Processors.HyperThreading Disable\nonecli config set IMM.TimeZone "UTC"\n'
    (file,) = audited(text, server="platform sr650").files
    assert [entry.name for entry in file.entries] == ["Processors_HyperThreading"]
    assert len(file.unread) == 1


PROPERTIES = """
ilorest set SecurityState=HighSecurity --selector SecurityService.
ilorest set SecurityState=High --selector SecurityService.             # E0907 `HighSecurity`
ilorest set AuthFailuresBeforeDelay=2 --selector AccountService.       # E0907 `1`
ilorest set Oem/Hpe/EnforcePasswordComplexity=Enabled                  # E0907 `true`
ilorest set IPMI/ProtocolEnabled=False --selector ManagerNetworkProtocol.
ilorest set IPMIEnabled=False --selector ManagerNetworkProtocol.       # W0913 ManagerNetworkProtocol
ilorest set WorkloadProfile=Custom --selector Bios.
- uri: https://{{ ilo }}/redfish/v1/Managers/1/DateTime
  body: '{"StaticNTPServer": ["192.0.2.1"]}'                           # W0913 did you mean `StaticNTPServers`?
- uri: https://{{ ilo }}/redfish/v1/Managers/1/
  method: PATCH
  body: {"Oem": {"Hpe": {"iLOFederationManagement": false}}}           # E0907 `Disabled`
- uri: https://{{ ilo }}/redfish/v1/Managers/1/NetworkProtocol
  body:
    SNMP:
      ProtocolEnabled: "Disabled"                                      # E0907 `false`
    SSH: {ProtocolEnabled: "{{ ssh }}"}
body = {"SecureBootEnable": wanted, "ResetType": "On"}
curl https://ilo/redfish/v1/managers/1/networkprotocol -X PATCH -d '{"NTP": {"Port": 1}}' # W0913 ManagerNetworkProtocol
curl https://ilo/redfish/v1/managers/1/networkprotocol | tee answer
{"@odata.id": "/redfish/v1/Managers/1/NetworkProtocol", "Id": "NetworkProtocol"}
"""


def test_properties_of_a_controllers_resources() -> None:
    """Each is judged by the resource that its line, or one before it, selects or has the address of."""
    found = {each.at.line: each for each in wrong_objects(SourceText("a", PROPERTIES))}
    for number, line in enumerate(PROPERTIES.split("\n"), 1):
        code, _, words = line.partition(" # ")[2].partition(" ")
        assert (found[number].code if number in found else "") == code, line
        assert words in (found[number].help[0] if number in found else "")


@pytest.mark.parametrize("other", ["iLO 4", "iDRAC9", "XCC of Lenovo"])
def test_properties_of_other_controllers_are_not_judged(other: str) -> None:
    text = f"# iLO 5 and {other}\nilorest set SecurityState=High --selector SecurityService.\n"
    assert list(wrong_objects(SourceText("a", text))) == []


@pytest.mark.parametrize(
    ("more", "code"), [("", "W0908"), ("ilorest commit\n", ""), ("ilorest set X=1 --reboot On\n", "")]
)
def test_a_script_has_to_commit(more: str, code: str) -> None:
    text = f"#!/bin/sh\nilorest set ProcTurbo=Enabled --selector Bios.\n{more}"
    assert [each.code for each in wrong_objects(SourceText("a", text))] == ([code] if code else [])
