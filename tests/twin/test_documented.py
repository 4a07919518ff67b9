"""What services do beside the plainest one, each from a document or a report, and none from the client: who wrote this
had not read it."""

from __future__ import annotations

import http.client
import json
from typing import Any

import pytest

from setpoint.compiler.twin.dialects import dialects
from setpoint.compiler.twin.faults import Fault, Kind
from setpoint.compiler.twin.machine import Setup
from setpoint.compiler.twin.resources import SESSIONS, TASKS
from support.limits import PATIENCE
from twin import CURRENT, PASSWORD, USER, Client, client

ROWS = dialects()
DELL, HPE, XCC = ROWS["dell-idrac9"], ROWS["hpe-ilo5"], ROWS["lenovo-xcc"]
OFF = {"Turbo": "Disabled"}


def keys(document: Any) -> list[str]:
    """The keys of the messages of an answer."""
    said = document.get("error", document)["@Message.ExtendedInfo"]
    return [each["MessageId"].rpartition(".")[2] for each in said]


def restart(it: Client, kind: str = "ForceRestart", **headers: Any) -> Any:
    """Ask for a restart."""
    return it.ask("POST", it.twin.machine.dialect.reset_target, {"ResetType": kind}, **headers)


# ------------------------------------------------------------------------------------------------------ readings


def test_before_ilo5_1_40_an_address_without_a_slash_is_moved_and_all_links_have_one() -> None:
    """HPEDevCom/redfishdocs, ilo5_changelog.md, "Trailing slashes on URIs"."""
    with client(Setup(HPE, CURRENT, slashes=True)) as it:
        moved = it.ask("GET", "/redfish/v1/Systems?$top=1")
        assert (moved.status, moved.headers["Location"]) == (308, "/redfish/v1/Systems/?$top=1")
        assert restart(it).status == 308
        assert it.twin.machine.boots == 0
        assert it.get("/redfish/v1/Systems/")["Members"] == [{"@odata.id": "/redfish/v1/Systems/1/"}]


@pytest.mark.parametrize("slash", ["", "/"])
def test_since_1_40_links_are_as_the_address_was_asked_for(slash: str) -> None:
    with client(Setup(HPE, CURRENT)) as it:
        system = it.get(f"/redfish/v1/Systems/1{slash}")
        assert system["Bios"]["@odata.id"] == f"/redfish/v1/systems/1/bios{slash}"
        bios = it.get(f"/redfish/v1/systems/1/bios{slash}")
        link = bios["@Redfish.Settings"]["SettingsObject"]["@odata.id"]
        assert link == f"/redfish/v1/systems/1/bios/settings{slash}"


def test_a_registry_is_compressed_whatever_the_client_takes() -> None:
    """HPEDevCom/redfishdocs, concepts/biosdatamodel.md."""
    documents = {HPE.registry: {"Id": "BiosAttributeRegistryA56.v1_1_10"}}
    with client(Setup(HPE, CURRENT, documents=documents)) as it:
        answer = it.ask("GET", HPE.registry)
        assert answer.headers["Content-Encoding"] == "gzip"
        assert answer.document["Id"] == "BiosAttributeRegistryA56.v1_1_10"


def test_what_is_shown_can_be_of_before_the_start() -> None:
    """ResourceUnstable of Lenovo's ExtendedError registry: the data "may be changed", and the message says so until it
    has been."""
    with client(Setup(XCC, CURRENT)) as it:
        it.stage(OFF)
        it.restart()
        it.twin.fault = Fault(len(it.twin.requests), "unsettled", times=2)
        for _ in range(2):
            shown = it.get(XCC.bios)
            assert (keys(shown), shown["Attributes"]) == (["ResourceUnstable"], CURRENT)
        assert it.get(XCC.bios)["Attributes"] == {**CURRENT, **OFF}


def test_settings_that_are_not_there_before_something_is_staged_and_linked_by_nothing() -> None:
    """DMTF/Redfish-Tacklebox, issue 55; ansible-collections/community.general, issue 6434."""
    row = ROWS["ami-gigabyte"]
    with client(Setup(row, CURRENT)) as it:
        assert "@Redfish.Settings" not in it.get(row.bios)
        assert it.ask("GET", row.settings).status == 404
        assert it.stage(OFF).status == 204
        assert it.get(row.settings)["Attributes"] == OFF


def test_attributes_that_are_not_shown_before_the_next_start() -> None:
    """dsx-ai-factory/infra-controller, issues 557 and 3667."""
    with client(Setup(ROWS["openbmc"], CURRENT, unseen=("Smt",))) as it:
        assert it.get(ROWS["openbmc"].bios)["Attributes"] == {"Turbo": "Enabled"}
        it.restart()
        assert it.get(ROWS["openbmc"].bios)["Attributes"] == CURRENT


def test_without_an_inventory_no_bios_is_shown_or_changed() -> None:
    """SYS435 and RAC0772 of Dell's EEMI registry."""
    with client(Setup(DELL, CURRENT, blind=True)) as it:
        assert keys(it.ask("GET", DELL.bios).document) == ["SYS435"]
        assert keys(it.stage(OFF).document) == ["RAC0772"]


def test_a_last_reset_that_is_no_date() -> None:
    """NVIDIA/libredfish, tests/mockups/dell_multi_dpu."""
    with client(Setup(DELL, CURRENT, timeless=True)) as it:
        assert it.get(DELL.system)["LastResetTime"] == "0000-00-00T00:00:00+00:00"


@pytest.mark.parametrize(
    ("row", "off", "starting", "up"),
    [
        # "None when off, and OSRunning in any other state" (bb-Ricardo/check_redfish, issue 170)
        ("hpe-ilo6", "None", "OSRunning", "OSRunning"),
        # while an operating system ran (NVIDIA/libredfish, tests/mockups/supermicro)
        ("supermicro-x13", *3 * ["SystemHardwareInitializationComplete"]),
    ],
)
def test_a_boot_progress_that_shows_no_restart(row: str, off: str, starting: str, up: str) -> None:
    with client(Setup(ROWS[row], CURRENT)) as it:
        found = [it.get(ROWS[row].system)["BootProgress"]["LastState"]]
        restart(it)
        found.append(it.get(ROWS[row].system)["BootProgress"]["LastState"])
        it.twin.machine.power = "Off"
        found.append(it.get(ROWS[row].system)["BootProgress"]["LastState"])
        assert found == [up, starting, off]


@pytest.mark.parametrize(
    ("row", "kind", "status", "key"),
    [
        ("dell-idrac9", "unready", 400, "SWC0700"),  # quadsproject/badfish, issue 129
        ("hpe-ilo5", "unready", 400, "ResourceNotReadyRetry"),  # HPE, ilo6_170/ilo6_msgregs170.md
        ("ami-megarac", "unready", 503, "ServiceTemporarilyUnavailableDueToHostBooting"),  # Ami.1.0.0
        ("dell-idrac9", "crowded", 503, "RAC0218"),  # stmcginnis/gofish, issue 75
    ],
)
def test_not_now(row: str, kind: Kind, status: int, key: str) -> None:
    with client(Setup(ROWS[row], CURRENT)) as it:
        it.twin.fault = Fault(0, kind)
        answer = it.stage(OFF)
        assert (answer.status, keys(answer.document), it.twin.machine.staged) == (status, [key], {})


def test_an_error_without_extended_information() -> None:
    """iDRACs before 2.50.50.50 (dell/iDRAC-Redfish-Scripting, issue 7)."""
    with client(Setup(DELL, CURRENT)) as it:
        it.twin.fault = Fault(0, "odd")
        assert it.ask("GET", DELL.bios).document["error"]["message"]["lang"] == "en-us"


def test_attributes_that_are_null() -> None:
    """ibm-openbmc/bmcweb, issue 1007."""
    with client(Setup(ROWS["openbmc"], CURRENT)) as it:
        it.twin.fault = Fault(0, "null")
        assert it.get(ROWS["openbmc"].bios)["Attributes"] is None


def test_a_connection_that_is_used_again_is_ended() -> None:
    """NVIDIA/libredfish, src/network.rs."""
    with client(Setup(HPE, CURRENT)) as it:
        it.twin.fault = Fault(0, "stale", times=0)
        connection = http.client.HTTPConnection(it.twin.address, timeout=PATIENCE)
        connection.request("GET", "/redfish/v1/")
        assert json.loads(connection.getresponse().read())["Vendor"] == "HPE"
        connection.request("GET", "/redfish/v1/")
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            connection.getresponse()
        connection.close()


def test_a_service_has_so_many_sessions() -> None:
    """bluewhale36/ServerProvision, T3-checklist.md: at most ten."""
    with client(Setup(ROWS["ami-gigabyte"], CURRENT)) as it:
        account = {"UserName": USER, "Password": PASSWORD}
        found = [it.ask("POST", SESSIONS, account, account=False).status for _ in range(11)]
        assert found == [*10 * [201], 503]


# ------------------------------------------------------------------------------------------------------- staging


def test_a_supermicro_x11_answers_with_success_and_makes_nothing() -> None:
    """DMTF/Redfishtool, issue 41: 202, no `Location`, and the values are in effect after a restart."""
    row = ROWS["supermicro-x11"]
    with client(Setup(row, CURRENT)) as it:
        answer = it.stage(OFF)
        assert (answer.status, "Location" in answer.headers) == (202, False)
        assert answer.document["Success"]["code"] == "Base.v1_0_0.Success"
        it.restart()
        assert it.get(row.bios)["Attributes"] == {**CURRENT, **OFF}


@pytest.mark.parametrize("committed", [False, True])
def test_what_is_staged_already_makes_no_job(committed: bool) -> None:
    """NVIDIA/libredfish, issue 97: 200 and no job "when the settings are already appended to the pending settings"."""
    with client(Setup(DELL, CURRENT, staged=OFF, jobless=True, committed=committed)) as it:
        answer = it.stage(OFF)
        assert (answer.status, "Location" in answer.headers) == (200, False)
        assert len(it.twin.machine.jobs) == committed


def test_a_queue_that_is_full_stages_nothing() -> None:
    """RAC0524 of Dell's EEMI registry; a request that fails changes nothing (DSP0266, 7.5.3)."""
    with client(Setup(DELL, CURRENT, exhausted=True)) as it:
        assert (keys(it.stage(OFF).document), it.twin.machine.staged) == (["RAC0524"], {})


def test_an_answer_names_what_was_not_taken() -> None:
    """PropertyNotPatched of Lenovo's ExtendedError registry."""
    with client(Setup(XCC, CURRENT, drops=("Smt",), tells=True)) as it:
        answer = it.stage({**OFF, "Smt": "Disabled"})
        assert (answer.status, keys(answer.document)) == (200, ["RebootRequired", "PropertyNotPatched"])
        assert it.twin.machine.staged == OFF


def test_an_unknown_attribute_is_a_value_of_attributes() -> None:
    """400 without an `error` object (dsx-ai-factory/infra-controller, issue 2626)."""
    with client(Setup(ROWS["openbmc"], CURRENT)) as it:
        answer = it.stage({"Nothing": 1})
        (said,) = answer.document["Attributes@Message.ExtendedInfo"]
        assert (answer.status, said["MessageArgs"]) == (400, ["Nothing", "Attributes"])


def test_a_version_is_refused_that_the_service_gave() -> None:
    """ansible-collections/community.general, issue 11261: `*` alone is taken."""
    with client(Setup(XCC, CURRENT, distrusts=True)) as it:
        version = it.get(XCC.settings)["@odata.etag"]
        body = {"Attributes": OFF}
        assert it.ask("PATCH", XCC.settings, body, If_Match=version).status == 412
        assert it.ask("PATCH", XCC.settings, body, If_Match="*").status == 200


def test_a_task_is_gone_when_it_is_over_and_its_job_is_not() -> None:
    """dell/iDRAC-Redfish-Scripting, issue 275."""
    with client(Setup(DELL, CURRENT, forgets=True)) as it:
        task = it.stage(OFF).headers["Location"]
        name = task.rpartition("/")[2]
        assert (task, it.ask("GET", task).status) == (f"{TASKS}/{name}", 200)
        it.restart()
        assert it.ask("GET", task).status == 404
        assert it.get(f"{DELL.jobs}/{name}")["JobState"] == "Completed"


# ----------------------------------------------------------------------------------------------------- restarts


def test_an_action_with_if_match_is_refused() -> None:
    """ironcore-dev/metal-operator, issue 1015."""
    with client(Setup(DELL, CURRENT)) as it:
        assert [restart(it, If_Match="*").status, restart(it).status] == [412, 204]


def test_a_reset_is_refused_soon_after_another_one() -> None:
    """openstack/sushy, retry-ilo-not-ready-error."""
    with client(Setup(HPE, CURRENT, hesitates=1)) as it:
        refused = restart(it)
        assert (refused.status, keys(refused.document)) == (400, ["InvalidOperationForSystemState"])
        assert (restart(it).status, it.twin.machine.boots) == (200 if HPE.reset_status == 200 else 204, 1)


def test_a_reset_of_which_the_task_fails() -> None:
    """NVIDIA/libredfish, tests/mockups/nvidia_viking, TaskService/Tasks/3: an exception, of which the status is OK."""
    row = ROWS["ami-megarac"]
    with client(Setup(row, CURRENT, stubborn=("ForceRestart",))) as it:
        it.stage(OFF)
        task = it.get(restart(it).headers["Location"])
        assert (task["TaskState"], task["TaskStatus"], it.twin.machine.boots) == ("Exception", "OK", 0)
        assert "'ForceRestart' is unsuccessful" in task["Messages"][0]["Message"]


def test_a_job_sets_values_in_the_first_start_and_is_over_after_the_second() -> None:
    """ironcore-dev/metal-operator, issue 81; "before the job completes": NVIDIA/libredfish, issue 25."""
    with client(Setup(DELL, CURRENT, boots=2, starting=1)) as it:
        it.stage(OFF)
        restart(it)
        machine = it.twin.machine
        found = []
        for _ in range(2):
            machine.tick()
            found.append((machine.boots, machine.shown["Turbo"], machine.jobs[0]["JobState"]))
        assert found == [(2, "Disabled", "Running"), (2, "Disabled", "Completed")]


@pytest.mark.parametrize(("rejects", "boots", "turbo"), [((), 1, "Disabled"), (("Turbo",), 2, "Enabled")])
def test_a_server_starts_twice_over_a_value_that_it_refuses(
    rejects: tuple[str, ...], boots: int, turbo: str
) -> None:
    """lenovo/python-redfish-lenovo, issue 174: pending, two starts, and silently not set."""
    with client(Setup(XCC, CURRENT, boots=2, starting=1, rejects=rejects)) as it:
        it.stage(OFF)
        it.restart()
        assert (it.twin.machine.boots, it.twin.machine.current["Turbo"]) == (boots, turbo)
        assert it.twin.machine.staged == {}


def test_a_job_that_is_done_and_has_not_set_its_value() -> None:
    """UEFI0096 and others of Dell's EEMI registry: a mode that the memory does not allow; the log alone has it."""
    with client(Setup(DELL, CURRENT, rejects=("Turbo",), silent=True)) as it:
        it.stage(OFF)
        it.restart()
        assert (it.twin.machine.jobs[0]["JobState"], it.twin.machine.current) == ("Completed", CURRENT)


# ------------------------------------------------------------------------------------------------- back, and updates


def test_a_job_that_runs_is_not_deleted() -> None:
    """JCP015 of Dell's EEMI registry."""
    with client(Setup(DELL, CURRENT)) as it:
        job = it.stage(OFF).headers["Location"]
        restart(it)
        assert keys(it.ask("DELETE", job).document) == ["JCP015"]


def test_an_update_can_call_attributes_otherwise() -> None:
    """Supermicro's suffixes differ between versions of one board's BIOS (weka/bios_tool, bios_tool.py)."""
    with client(Setup(ROWS["supermicro-x13"], CURRENT)) as it:
        it.ask("POST", "/twin/update", {"version": "2.0", "names": {"Smt": "Smt_00A4"}})
        assert it.get(ROWS["supermicro-x13"].bios)["Attributes"] == {
            "Turbo": "Enabled",
            "Smt_00A4": "Enabled",
        }
