"""The Redfish services of the standard library, typed from the resources of captured servers."""

import pytest

from setpoint.compiler.knowledge.model import Citation, Knowledge

DELL = "/redfish/v1/Systems/System.Embedded.1"
CLEAR = f"{DELL}/Bios/Settings/Actions/Oem/DellManager.ClearPending"
OLD_JOBS = "/redfish/v1/Managers/iDRAC.Embedded.1/Jobs"
NEW_JOBS = "/redfish/v1/Managers/iDRAC.Embedded.1/Oem/Dell/Jobs"

SERVICES = [
    # service, controller, where, system, BIOS, settings, jobs, action that clears, ways
    ("idrac7", "iDRAC7 from 2.50.50.50 on", "platform poweredge-12g", "R720", (DELL, f"{DELL}/Bios", f"{DELL}/Bios/Settings", OLD_JOBS, CLEAR), (("job", ""),)),
    ("idrac8", "iDRAC8 from 2.50.50.50 on", "platform poweredge-13g", "R630", (DELL, f"{DELL}/Bios", f"{DELL}/Bios/Settings", OLD_JOBS, CLEAR), (("on-reset", "2.81.81.81"), ("job", ""))),
    ("idrac9-14g", "iDRAC9 from 3.00.00.00 on", "platform poweredge-14g", "R740", (DELL, f"{DELL}/Bios", f"{DELL}/Bios/Settings", OLD_JOBS, CLEAR), (("job", ""),)),
    ("idrac9-15g", "iDRAC9", "platform poweredge-15g or poweredge-15g-amd", "R750", (DELL, f"{DELL}/Bios", f"{DELL}/Bios/Settings", NEW_JOBS, CLEAR), (("on-reset", "7.10.30.00"), ("job", ""))),
    ("idrac9-16g-amd", "iDRAC9", "platform poweredge-16g-amd", "R7615", (DELL, f"{DELL}/Bios", f"{DELL}/Bios/Settings"), (("on-reset", ""),)),
    ("idrac9-16g-intel", "iDRAC9", "platform poweredge-16g-intel", "iDRAC9", (DELL, f"{DELL}/Bios", f"{DELL}/Bios/Settings", NEW_JOBS, CLEAR), (("on-reset", "7.10.50.00"), ("job", ""))),
    ("idrac10", "iDRAC10", "platform poweredge-17g-intel", "iDRAC10", (DELL, f"{DELL}/Bios", f"{DELL}/Bios/Settings", NEW_JOBS, CLEAR), (("on-reset", "1.10.17.00"), ("job", ""))),
    ("hpe-ilo", "iLO 5 or 6", "vendor hpe", "hpe", ("/redfish/v1/Systems/1", "/redfish/v1/systems/1/bios/", "/redfish/v1/systems/1/bios/settings/"), (("restart", ""),)),
    ("lenovo-xcc", "XClarity Controller", "vendor lenovo", "lenovo", ("/redfish/v1/Systems/1", "/redfish/v1/Systems/1/Bios", "/redfish/v1/Systems/1/Bios/Pending"), (("restart", ""),)),
    ("supermicro-bmc", "BMC of Supermicro", "vendor supermicro", "supermicro", ("/redfish/v1/Systems/1", "/redfish/v1/Systems/1/Bios", "/redfish/v1/Systems/1/Bios/SD"), (("restart", ""),)),
]  # fmt: skip

REPORTED = {
    "hpe-ilo": ("hpe-ilo-messages", "iLO.2.34", ["busy InvalidOperationForSystemState OperationAvailableAfterSystemPOST"
                " ResourceNotReadyRetry UnableToModifyDuringSystemPOST"]),
    "lenovo-xcc": ("libredfish-mockups", "lenovo", ["busy ResourceLocked ResourceUnstable ServiceUnavailable"]),
    "supermicro-bmc": ("libredfish-mockups", "supermicro", ["busy OemBiosUpdateIsInProgress OemFirmwareUpdateIsInProgress"]),
}  # fmt: skip
"""With which messages a service says "not now": the sections of their names, and Registries/ExtendedError.1.2.2 and
SMC.1.0.0 of the mockups."""

IDRACS = """
busy RAC0218 RAC0508 SWC0700 SYS518
kind JobType
job BIOSConfiguration
partly CompletedWithErrors
failed Failed
target TargetSettingsURI
clear ClearPending
"""
"""What all iDRACs say: Registries/EEMIRegistry 2.7.0 of the mockup, and Schemas/DellJob.v1_2_0.json, JobType, JobState,
requiredOnCreate."""

NAMES = ("system", "bios", "settings", "jobs", "clear")


@pytest.mark.parametrize(
    ("name", "title", "where", "place", "addresses", "ways"), SERVICES, ids=lambda s: str(s)[:14]
)
def test_a_service_is_as_its_capture_shows_it(
    knowledge: Knowledge,
    name: str,
    title: str,
    where: str,
    place: str,
    addresses: tuple[str, ...],
    ways: tuple[tuple[str, str], ...],
) -> None:
    (service,) = [one for one in knowledge.services if one.name == name]
    assert service.title == title
    assert knowledge.box_text(service.when) == where
    assert service.addresses == tuple(zip(NAMES, addresses, strict=False))
    assert service.ways == ways
    sources = {"R": "redfish-captures", "i": "poweredge-xeon-captures"}
    source = sources.get(place[0], "libredfish-mockups")
    assert service.citation == Citation(source, place)
    source, place, said = REPORTED.get(name, ("", "", []))
    assert [" ".join((one.kind, *one.names)) for one in service.reported] == said
    assert {one.citation for one in service.reported} <= {Citation(source, place)}


def test_what_all_idracs_say_is_stated_once(knowledge: Knowledge) -> None:
    (words,) = [one for one in knowledge.services if not one.is_offered]
    assert (words.name, words.title, knowledge.box_text(words.when)) == ("idrac", "iDRAC", "vendor dell")
    assert [" ".join((one.kind, *one.names)) for one in words.reported] == IDRACS.split("\n")[1:-1]
    assert words.citation == Citation("libredfish-mockups", "dell")


def test_all_services_are_compared(knowledge: Knowledge) -> None:
    (missing,) = [one for one in knowledge.services if one.because]
    assert (missing.name, knowledge.box_text(missing.when)) == ("idrac6", "platform poweredge-11g")
    assert missing.citation == Citation("dell-redfish-scripting", "README.md")
    assert (missing.title, missing.because) == (
        "iDRAC6",
        "an 11th-generation server's iDRAC6 has no Redfish service",
    )
    assert {one.name for one in knowledge.services} == {name for name, *_ in SERVICES} | {"idrac6", "idrac"}
