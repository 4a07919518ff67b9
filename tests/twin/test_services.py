"""What each kind of controller does with a request, as the table says, and what is made of captures and registries."""

from __future__ import annotations

import base64
import http.client
import re
from pathlib import Path

import pytest

from registries import document
from setpoint.compiler.twin.dialects import ControllerDialect, dialect_of, dialects
from setpoint.compiler.twin.machine import Setup
from setpoint.compiler.twin.resources import SESSIONS
from setpoint.compiler.twin.source import SourceError, setup_of_documents, setup_of_registry
from support.command import ROOT
from support.limits import PATIENCE
from twin import CURRENT, PASSWORD, USER, client

ROWS = tuple(dialects().values())
DELL, HPE = "dell-15g-R750", "hpe-gen10plusv2-DL385-A42-2.60-amd"


rows = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)


@rows
def test_staged_values_wait_for_a_restart_and_are_then_in_effect(row: ControllerDialect) -> None:
    with client(Setup(row, CURRENT)) as it:
        answer = it.stage({"Turbo": "Disabled"})
        assert answer.status == (202 if row.jobs or row.tasks else row.accepted)
        assert it.get(row.bios)["Attributes"] == CURRENT
        assert it.restart().status == (202 if row.reset_tasks else row.reset_status)
        assert it.get(row.bios)["Attributes"] == {**CURRENT, "Turbo": "Disabled"}


@rows
def test_links_lead_from_the_root_to_the_bios_and_what_is_staged(row: ControllerDialect) -> None:
    with client(Setup(row, CURRENT)) as it:
        it.stage({"Smt": "Disabled"})
        root = it.get("/redfish/v1/")
        (member,) = it.get(root["Systems"]["@odata.id"])["Members"]
        bios = it.get(it.get(member["@odata.id"])["Bios"]["@odata.id"])
        if not row.settings or not row.links_settings:
            assert "@Redfish.Settings" not in bios
            return
        settings = it.get(bios["@Redfish.Settings"]["SettingsObject"]["@odata.id"])
        assert settings["Attributes"] == (
            {**CURRENT, "Smt": "Disabled"} if row.shows == "all" else {"Smt": "Disabled"}
        )


@rows
def test_what_the_bios_does_not_know_is_refused_at_once_or_when_it_starts(row: ControllerDialect) -> None:
    with client(Setup(row, CURRENT)) as it:
        status = it.stage({"Turbo": "Disabled", "Nothing": 1}).status
        it.restart()
        late = row.judges == "start"
        assert (status == 400) == (not late)
        assert it.twin.machine.current == {**CURRENT, **({"Turbo": "Disabled"} if late else {})}
        if row.outcome == "messages" and late:
            said = it.get(row.bios)["@Redfish.Settings"]["Messages"]
            assert [each["MessageId"].rpartition(".")[2] for each in said] == ["Success", "PropertyUnknown"]
            assert said[1]["MessageArgs"] == ["Nothing"]


def test_messages_without_words() -> None:
    """Identity and arguments are all that some services say."""
    with client(Setup(dialects()["hpe-ilo6"], CURRENT)) as it:
        (said,) = it.stage({"Turbo": "Disabled"}).document["error"]["@Message.ExtendedInfo"]
        assert said == {"MessageId": "iLO.2.14.SystemResetRequired", "MessageArgs": []}


def test_a_server_that_starts_takes_no_change() -> None:
    with client(Setup(dialects()["hpe-ilo5"], CURRENT)) as it:
        it.ask("POST", it.twin.machine.dialect.reset_target, {"ResetType": "ForceRestart"})
        assert it.get("/redfish/v1/Systems/1")["Oem"]["Hpe"]["PostState"] == "InPost"
        answer = it.stage({"Turbo": "Disabled"})
        assert answer.document["error"]["@Message.ExtendedInfo"][0]["MessageId"].endswith("DuringSystemPOST")
        it.get("/redfish/v1/systems/1/bios/")
        it.get("/redfish/v1/systems/1/bios/")
        assert it.get("/redfish/v1/Systems/1")["Oem"]["Hpe"]["PostState"] == "FinishedPost"
        assert it.stage({"Turbo": "Disabled"}).status == 200


def test_a_task_is_watched_by_its_monitor() -> None:
    """202 while it is not over, then what the request would have been answered with (DSP0266, 12.2)."""
    with client(Setup(dialects()["any"], CURRENT)) as it:
        monitor = it.stage({"Turbo": "Disabled"}).headers["Location"]
        assert it.ask("GET", monitor).status == 202
        it.restart()
        assert it.ask("GET", monitor).status == 204


def test_accounts_and_sessions() -> None:
    with client(Setup(dialects()["any"], CURRENT)) as it:
        system = it.twin.machine.dialect.system
        assert it.ask("GET", "/redfish/v1/", account=False).status == 200
        refused = it.ask("GET", system, account=False)
        assert (refused.status, "WWW-Authenticate" in refused.headers) == (401, True)
        wrong = it.ask("POST", SESSIONS, {"UserName": USER, "Password": "x"}, account=False)
        opened = it.ask("POST", SESSIONS, {"UserName": USER, "Password": PASSWORD}, account=False)
        assert (wrong.status, opened.status) == (401, 201)
        token = opened.headers["X-Auth-Token"]
        assert it.ask("GET", system, account=False, X_Auth_Token=token).status == 200
        assert it.ask("DELETE", opened.headers["Location"], account=False, X_Auth_Token=token).status == 204
        assert it.ask("GET", system, account=False, X_Auth_Token=token).status == 401


def test_what_a_rehearsal_does_beside_redfish() -> None:
    with client(Setup(dialects()["any"], CURRENT)) as it:
        bios = it.twin.machine.dialect.bios
        assert it.ask("PATCH", "/twin/values", {"Smt": "Disabled"}).document["current"]["Smt"] == "Disabled"
        assert it.ask("PATCH", "/twin/values", {"Nothing": 1}).status == 400
        it.ask("PUT", "/twin/fault", {"kind": "busy", "times": 2, "every": 2})
        assert [it.ask("GET", bios).status for _ in range(5)] == [503, 200, 503, 200, 200]
        assert it.ask("PUT", "/twin/fault", {"kind": "flood"}).status == 400
        it.ask("PATCH", "/twin/server", {"rejects": ["Smt"], "UUID": "another"})
        it.stage({"Smt": "Enabled", "Turbo": "Disabled"})
        it.restart()
        assert it.get(bios)["Attributes"] == {"Smt": "Disabled", "Turbo": "Disabled"}
        assert it.get(it.twin.machine.dialect.system)["UUID"] == "another"
        updated = it.ask("POST", "/twin/update", {"version": "2.0"}).document
        assert updated["current"] == CURRENT
        assert it.get(it.twin.machine.dialect.system)["BiosVersion"] == "2.0"
        assert it.ask("GET", "/twin", account=False).status == 401


@pytest.mark.parametrize(
    "body", ["{", "[1]", "[" * 100_000, '{"Attributes": 1}', '{"Attributes": {"Turbo": {"a": []}}}']
)
def test_a_body_that_is_none_is_refused(body: str) -> None:
    with client(Setup(dialects()["any"], CURRENT)) as it:
        token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        connection = http.client.HTTPConnection(it.twin.address, timeout=PATIENCE)
        connection.request(
            "PATCH", it.twin.machine.dialect.settings, body, {"Authorization": f"Basic {token}"}
        )
        status = connection.getresponse().status
        connection.close()
        assert status == (400 if "Turbo" not in body else 202)


# --------------------------------------------------------------------------------------------- captures and registries


def test_the_rules_of_a_registry_hold() -> None:
    """A profile sets its members, and a member is locked outside of `Custom`."""
    setup = setup_of_registry(document(DELL, "BiosRegistry"), document(DELL, "Bios")["Attributes"])
    with client(setup) as it:
        it.twin.machine.current["SysProfile"] = "PerfOptimized"
        answer = it.stage({"ProcTurboMode": "Disabled"})
        assert answer.status == 400
        assert "ProcTurboMode" in answer.document["error"]["@Message.ExtendedInfo"][0]["Message"]
        job = it.stage({"SysProfile": "Custom", "ProcTurboMode": "Disabled"}).headers["Location"]
        assert it.get(job)["TaskState"] == "New"
        it.restart()
        assert it.get(job)["TaskState"] == "Completed"
        assert it.get(setup.dialect.bios)["Attributes"]["ProcTurboMode"] == "Disabled"


def test_a_registry_without_values_has_its_defaults_and_what_they_force() -> None:
    setup = setup_of_registry(document(HPE, "BiosRegistry"), {})
    assert (setup.dialect.name, setup.current["WorkloadProfile"]) == (
        "hpe-ilo5",
        "GeneralPowerEfficientCompute",
    )
    assert setup.rules is not None and setup.rules.after_restart(setup.current, {}) == setup.current


def test_a_capture_counts_before_the_table() -> None:
    row = dialects()["dell-idrac9"]
    settings = {
        **document(DELL, "Settings"),
        "Attributes": {"ProcTurboMode": "Disabled", "LogicalProc": "Enabled"},
    }
    system = document(DELL, "System")
    system["Actions"]["#ComputerSystem.Reset"]["ResetType@Redfish.AllowableValues"] = ["On", "ForceRestart"]
    documents = {
        row.system: system,
        row.bios: document(DELL, "Bios"),
        row.settings: settings,
        row.registry: document(DELL, "BiosRegistry"),
    }
    setup = setup_of_documents(documents)
    assert (setup.dialect.name, setup.dialect.resets) == ("dell-idrac9", ("On", "ForceRestart"))
    assert setup.dialect.jobs == "/redfish/v1/Managers/iDRAC.Embedded.1/Oem/Dell/Jobs"
    now = document(DELL, "Bios")["Attributes"]
    assert setup.staged == {
        name: value for name, value in settings["Attributes"].items() if now[name] != value
    }


def test_what_shows_no_bios_is_no_twin() -> None:
    with pytest.raises(SourceError, match="no system"):
        setup_of_documents({"/redfish/v1/Systems/1": {"Id": "1"}})


def test_makers_are_found_and_others_are_any() -> None:
    assert [dialect_of([name]).name for name in ("Dell Inc.", "hpe", "Lenovo", "Example")] == [
        "dell-idrac9", "hpe-ilo5", "lenovo-xcc", "any",
    ]  # fmt: skip


def test_each_row_of_the_table_has_its_sources() -> None:
    """Each maker's table names where its rows are from: a letter of the list at its head, or a thread."""
    text = (ROOT / "compiler/twin/controllers.toml").read_text(encoding="utf-8")
    for row in text.split("[[controller]]")[1:]:
        if 'name = "any"' not in row:
            assert re.search(r"#.*\b(M|L|H|DM|DS|LN|t:|guide)\b", row), row.split("\n")[1]


def test_the_twin_imports_records_alone() -> None:
    """Nothing that plans, captures, applies or verifies: a rehearsal could not contradict what it shares."""
    for path in sorted((ROOT / "compiler/twin").glob("*.py")):
        for module in re.findall(r"setpoint\.compiler\.(\w+)", Path(path).read_text(encoding="utf-8")):
            assert module in ("twin", "record"), path.name
