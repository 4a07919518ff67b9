"""The names that an operator of thousands of servers writes: SAP's files for its servers of Dell, HPE and Lenovo.

`sap-metal-settings.tsv` has each attribute of each server with the values that were seen. A name is one of three: a
setting of the library on that server, a name that is known to tune nothing (`NOT_TUNING`, with the reason), or one that
is not covered there (`NOT_COVERED`, with the reason). All three are compared in full, so that neither a spelling nor a
reason can vanish unseen. That a name reads like the label of a menu, by which an audit would know it as well, is not
enough.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from conformance.printed import rows

from audit import audited
from setpoint.compiler.audit.check import Audit
from setpoint.compiler.audit.model import Interpretation
from setpoint.compiler.audit.recognise import Lexicon, lexicon
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.entries.read import audited as divided
from setpoint.compiler.knowledge.load import standard

TABLE = Path(__file__).with_name("sap-metal-settings.tsv")

NOT_TUNING = """
AcPwrRcvry, AcPwrRcvryDelay, PowerOnDelay                          | it says when the server turns on
PwrButton                                                          | it says who may turn the server on or off
BootMode, BootSeqRetry, BootModes_SystemBootMode                   | it says how the server boots
PxeDev1EnDis, PxeDev1Interface, PxeDev1Protocol, PxeDev1VlanEnDis  | it says where the server boots from
PxeDev2EnDis, PxeDev3EnDis, PxeDev4EnDis, IscsiDev1EnDis           | it says where the server boots from
HttpSupport, IpxeBootOrder, UrlBootFile, OcpBNicBoot1              | it says where the server boots from
PreBootNetwork, PrebootNetworkEnvPolicy                            | it says where the server boots from
Slot2NicBoot1, Slot2NicBoot2, Slot5NicBoot1, Slot5NicBoot2         | it says where the server boots from
Slot14NicBoot1, Slot14NicBoot2, Slot15NicBoot1, Slot15NicBoot2     | it says where the server boots from
NetworkStackSettings_NetworkStack, POSTAttempts_POSTAttemptsLimit  | it says how the server boots
IntegratedNetwork1, EmbNic1Nic2                                    | it is about one device of the server
CECriticalSEL                                                      | it says how errors of memory are reported
PPROnUCE                                                           | it says what becomes of memory that has failed
MemFastTraining                                                    | it says how long the server takes to start
FanFailPolicy                                                      | it says what the server does when a fan fails
TpmSecurity                                                        | it protects the server
SecureBootConfiguration_SecureBootMode                             | it protects the server
SecureBootConfiguration_SecureBootSetting                          | it protects the server
DevicesandIOPorts_EnableDisableIntelVMD                            | it says which driver gets the drives
Broadcom57508100GbEQSFP562_PortOCPEthernetAdapter__Slot1PhysicalPort1LogicalPort1_MaximumNumberofPFMSI_XVectors | it is one card's
Broadcom57508100GbEQSFP562_PortOCPEthernetAdapter__Slot1PhysicalPort2LogicalPort1_MaximumNumberofPFMSI_XVectors | it is one card's
Broadcom57508100GbEQSFP562_PortOCPEthernetAdapter__Slot2PhysicalPort1LogicalPort1_MaximumNumberofPFMSI_XVectors | it is one card's
Broadcom57508100GbEQSFP562_PortOCPEthernetAdapter__Slot2PhysicalPort2LogicalPort1_MaximumNumberofPFMSI_XVectors | it is one card's
"""
"""Names that are known on each server that has them, and why no plan has them."""

ANY = "*"
"""All names of a server that are for tuning."""

NOT_COVERED = """
PowerEdge R640, PowerEdge R740, PowerEdge R740xd, PowerEdge R840 | AdddcSetting  | the registry of the 14th generation is from an early BIOS without it
PowerEdge R770                                                   | AdddcSetting  | SAP had it in a draft alone, and no R770 or R670 shows it
PowerEdge R7615                                                  | AdddcSetting  | SAP had it in a draft alone, and no such server shows it
PowerEdge R7615                                                  | MemOpMode     | the firmware has no such attribute, and SAP took it out again
PowerEdge R860                                                   | ProcCores     | its numbers depend on the processor
PowerEdge R6715, PowerEdge R7715                                 | *             | no source shows what the firmware offers; of the family, the maker and the processor are known
ProLiant DL360 Gen10                                             | EnhancedProcPerf | HPE's reference has it, and the server that was shown has not
ProLiant DL560 Gen10                                             | *             | of the family, the maker and the processors are known; the DL360 Gen10 is described
ProLiant DL320 Gen11, ProLiant DL380 Gen11, ProLiant DL560 Gen11 | EnhancedProcPerf | SAP took it out again, and the DL380a Gen11 has no such attribute
ProLiant DL320 Gen11, ProLiant DL380 Gen11, ProLiant DL560 Gen11 | ThermalConfig | it is about cooling, which is no setting here
ProLiant DL560 Gen11 | IntelUpiPowerManagement, OptimizedPowerMode | SAP has them on this model alone
ProLiant DL345 Gen11, ProLiant DL380 Gen12                       | *             | of the family, the makers of server and processor are known
ThinkSystem SR675 V3                                             | *             | of the family, the maker is known
"""
"""Names that are for tuning, and that the library does not have on these servers; a file with them has a warning
(W0902)."""

NO_TEXTS = """
ProLiant DL320 Gen11, ProLiant DL380 Gen11, ProLiant DL560 Gen11 | MinProcIdlePkgState=NoPackageState | the same mistake; of the DL320, SAP had no other
ProLiant DL560 Gen11 | CollabPowerControl=Enabled | SAP had it once, on this model alone
ProLiant DL360 Gen10 | MinProcIdlePkgState=NoPackageState | a mistake: the firmware's word is NoState, as SAP has it since
"""
"""Values that a known attribute does not have."""


@cache
def table() -> dict[str, dict[str, list[str]]]:
    """The attributes of each server, with their values."""
    found: dict[str, dict[str, list[str]]] = {}
    with TABLE.open(encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            found.setdefault(row["server"], {})[row["attribute"]] = (row["values"] or "").split(" ")
    return found


def text_of(server: str) -> str:
    """The list of settings that a server has, each with all its values."""
    return "\n".join(f"{name}: {one}" for name, several in table()[server].items() for one in several)


@cache
def audit_of(server: str) -> Audit:
    """The audit of a server's list."""
    return audited(text_of(server), server=f'platform "{server}"', form="bios")


def words_of(server: str) -> Lexicon:
    """The attributes that are known on a server."""
    return lexicon(standard(), audit_of(server).context)


def readings(server: str) -> list[Interpretation]:
    """What each entry of a server's list means there."""
    words = words_of(server)
    entries = divided(SourceText("a", text_of(server)), "bios", words.knows, words.heard).entries
    return [words.read(entry) for entry in entries]


def listed(of: str, server: str) -> set[str]:
    """The words that a table lists for a server."""
    return {
        word for servers, words, _ in rows(of) if server in servers.split(", ") for word in words.split(", ")
    }


NOT_TUNED = {name for names, _ in rows(NOT_TUNING) for name in names.split(", ")}


@pytest.mark.alike
@pytest.mark.parametrize("server", table())
def test_each_name_is_a_setting_or_known_to_be_none_or_listed(server: str) -> None:
    found, words = readings(server), words_of(server)
    listed_by_maker = {one.entry.name for one in found if one.is_known} & NOT_TUNED
    unknown = {
        one.entry.name for one in found if not words.knows("attribute", one.entry.name)
    } - listed_by_maker
    expected = listed(NOT_COVERED, server)
    if ANY in expected:  # what the maker's servers have is known, and not what it tunes
        assert unknown == {one.entry.name for one in found} - NOT_TUNED
        return
    assert unknown == expected
    tuning_nothing = {one.entry.name for one in found if one.is_known and not one.settings}
    assert tuning_nothing == {one.entry.name for one in found} & NOT_TUNED


@pytest.mark.alike
@pytest.mark.parametrize("server", table())
def test_each_value_is_known_and_offered(server: str) -> None:
    found = readings(server)
    assert {
        f"{one.entry.name}={one.entry.text}" for one in found if one.is_known and not one.has_text
    } == listed(NO_TEXTS, server)
    offered = words_of(server).offers
    for one in found:
        for setting, value, _ in one.values:
            assert value in offered[setting].values, one.entry


def test_each_reason_is_of_a_name_that_is_there() -> None:
    assert {name for names in table().values() for name in names} >= NOT_TUNED
    for of in (NOT_COVERED, NO_TEXTS):
        for servers, words, reason in rows(of):
            assert reason
            for server in servers.split(", "):
                assert {word.partition("=")[0] for word in words.split(", ")} <= {*table()[server], ANY}


def test_attributes_that_tune_nothing_are_no_warning() -> None:
    found = audited(
        "PxeDev1EnDis: Enabled\nPwrButton: Disabled\nAdddcSetting: Disabled", server="platform r860"
    )
    assert [finding.code for finding in found.findings] == []
    assert [one.setting for one in found.stated] == ["adddc-sparing"]


LOCKED = """
PowerEdge R640, PowerEdge R740, PowerEdge R740xd, PowerEdge R840 | SysProfile=PerfOptimized | MemFrequency
PowerEdge R660, PowerEdge R760, PowerEdge R7615                  | SysProfile=PerfOptimized | MemFrequency
PowerEdge R860                                                   | SysProfile=PerfOptimized | CpuInterconnectBusLinkPower, EnergyEfficientTurbo, EnergyPerformanceBias, MemFrequency, MemPatrolScrub, MemRefreshRate, MonitorMwait, PcieAspmL1, ProcC1E, ProcCStates, ProcPwrPerf, ProcTurboMode, UncoreFrequency
PowerEdge R770, PowerEdge R6715, PowerEdge R7715, PowerEdge XE9680 | SysProfile=PerfOptimized |
ProLiant DL380 Gen12                                             | WorkloadProfile=Virtualization-MaxPerformance | SubNumaClustering
ThinkSystem SR655 V3, ThinkSystem SR675 V3                       | OperatingModes_ChooseOperatingMode=MaximumPerformance | SecureBootConfiguration_SecureBootMode
"""
"""What each of the files with a profile has to no effect: typed from the dependencies of the registries of R740, R750,
DL380a Gen11 and SR670 V2, or read-only there. All others choose the profile that locks nothing."""

FREE = {"Custom", "CustomMode"}
PROFILES = {"SysProfile", "WorkloadProfile", "OperatingModes_ChooseOperatingMode"}


def with_profiles() -> Iterator[tuple[str, str]]:
    """The servers with each profile that locks something."""
    for server, attributes in table().items():
        for name in PROFILES & attributes.keys():
            yield from ((server, f"{name}={text}") for text in attributes[name] if text not in FREE)


EXPECTED = {
    (server, profile): set(filter(None, locked.split(", ")))
    for servers, profile, locked in rows(LOCKED)
    for server in servers.split(", ")
}


def test_each_server_with_a_profile_is_listed() -> None:
    assert set(with_profiles()) == EXPECTED.keys()


@pytest.mark.alike
@pytest.mark.parametrize(("server", "profile"), EXPECTED)
def test_each_locked_attribute_is_named(server: str, profile: str) -> None:
    chosen, _, text = profile.partition("=")
    attributes = {name: texts[0] for name, texts in table()[server].items() if texts} | {chosen: text}
    lines = [f'"{name}": "{value}"' for name, value in attributes.items()]
    found = audited('{"Attributes": {\n' + ",\n".join(lines) + "\n}}", server=f'platform "{server}"')
    locking = [each for each in found.findings if each.code in ("W0908", "E0301")]
    spans = [span for each in locking for span in (each.at, *(label.span for label in each.others))]
    assert {lines[span.line - 2].split('"')[1] for span in spans} - {chosen} == EXPECTED[server, profile]
