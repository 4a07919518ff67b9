"""What the emulated controller does that plain services do not, seen by a plain client. `Behaviour` has the source of
each."""

from __future__ import annotations

import base64
import http.client
import json
import os
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from consumers.redfish_service import certificate
from idrac import (
    BIOS,
    CLEAR,
    DELL_JOBS,
    KINDS,
    LEGACY_JOBS,
    MANAGER,
    PASSWORD,
    RESET,
    SETTINGS,
    SYSTEM,
    USER,
    Behaviour,
    Controller,
    Fault,
    Kind,
    controllers,
)
from support.limits import PATIENCE
from support.machines import MACHINES, Machine

TURBO = {"ProcTurboMode": "Disabled"}
STAGE = {"Attributes": TURBO}
ON_RESET = {**STAGE, "@Redfish.SettingsApplyTime": {"ApplyTime": "OnReset"}}


class Answer(NamedTuple):
    """What came of a request: the status, the document, and where the answer points."""

    status: int
    document: Any
    location: str


class Client(NamedTuple):
    """A client of a controller that does one request on one connection."""

    bmc: Controller

    def ask(self, method: str, uri: str, body: object = None) -> Answer:
        """Send a request."""
        token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        trust = ssl.create_default_context(cafile=str(self.bmc.ca))
        connection = http.client.HTTPSConnection("127.0.0.1", self.bmc.port, timeout=PATIENCE, context=trust)
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(method, uri, sent, {"Authorization": f"Basic {token}"})
            answer = connection.getresponse()
            text = answer.read()
            return Answer(answer.status, json.loads(text) if text else None, answer.getheader("Location", ""))
        finally:
            connection.close()

    def get(self, uri: str) -> Any:
        """Read a resource."""
        answer = self.ask("GET", uri)
        assert answer.status == 200, answer
        return answer.document


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate and its key."""
    return certificate(tmp_path_factory.mktemp("keys"))


@contextmanager
def client(keys: tuple[Path, Path], behaviour: Behaviour) -> Iterator[Client]:
    """A client of a controller that behaves so."""
    with controllers({"bmc": behaviour}, *keys) as bmcs:
        yield Client(bmcs["bmc"])


def plain(**more: Any) -> Behaviour:
    """A controller of the newest generation, with two attributes."""
    return Behaviour({"ProcTurboMode": "Enabled", "BootMode": "Bios"}, **more)


@pytest.mark.parametrize("server", MACHINES, ids=str)
def test_each_generation_offers_what_its_capture_does(server: Machine, keys: tuple[Path, Path]) -> None:
    with client(keys, Behaviour.captured(server.capture)) as it:
        assert it.get(SYSTEM)["Model"].endswith(server.capture.rpartition("-")[2])
        jobs = DELL_JOBS if server.generation == "poweredge-15g" else LEGACY_JOBS
        (other,) = {DELL_JOBS, LEGACY_JOBS} - {jobs}
        assert it.get(jobs)["Members"] == []
        assert it.ask("GET", other).status == 404
        makes = "OnReset" in it.get(BIOS)["@Redfish.Settings"].get("SupportedApplyTimes", ())
        assert makes == (server.generation in ("poweredge-13g", "poweredge-15g"))
        assert it.ask("PATCH", SETTINGS, ON_RESET).status == (202 if makes else 400)
        assert len(it.bmc.machine.open_jobs) == makes


def test_a_job_is_announced_by_itself_or_by_its_task(keys: tuple[Path, Path]) -> None:
    for announces, place in {"job": DELL_JOBS, "task": "/redfish/v1/TaskService/Tasks"}.items():
        with client(keys, plain(announces=announces)) as it:
            location = it.ask("PATCH", SETTINGS, ON_RESET).location
            assert location == f"{place}/JID_000000000001"
            assert it.get(location)["Id"] == "JID_000000000001"


def test_an_idrac10_announces_a_monitor_that_has_no_content(keys: tuple[Path, Path]) -> None:
    with client(keys, Behaviour.idrac10(plain().current)) as it:
        assert it.get(MANAGER)["Model"] == "17G Monolithic"
        assert it.get(BIOS)["@Redfish.Settings"]["SupportedApplyTimes"] == ["OnReset"]
        monitor = it.ask("PATCH", SETTINGS, ON_RESET).location
        assert monitor == "/redfish/v1/TaskService/TaskMonitors/JID_000000000001"
        assert it.ask("GET", monitor).status == 202
        assert it.get(f"{DELL_JOBS}/JID_000000000001")["JobState"] == "Scheduled"
        it.ask("POST", RESET, {"ResetType": "GracefulRestart"})
        answers = [it.ask("GET", monitor).status for _ in range(3)]
        assert answers[-1] == 204
        assert it.get(f"{DELL_JOBS}/JID_000000000001")["JobState"] == "Completed"


def test_staged_values_are_shown_early_or_not(keys: tuple[Path, Path]) -> None:
    for early in (False, True):
        with client(keys, plain(shows_pending=early, staged={"BootMode": "Uefi"})) as it:
            assert it.get(BIOS)["Attributes"]["BootMode"] == ("Uefi" if early else "Bios")
            assert it.get(SETTINGS)["Attributes"] == {"BootMode": "Uefi"}
            assert it.bmc.machine.current["BootMode"] == "Bios"


def test_nothing_more_is_staged_while_a_job_waits(keys: tuple[Path, Path]) -> None:
    with client(keys, plain(staged={"BootMode": "Uefi"}, committed=True)) as it:
        refused = it.ask("PATCH", SETTINGS, STAGE)
        assert refused.status == 400
        assert "BIOS006" in refused.document["error"]["@Message.ExtendedInfo"][0]["Message"]


def test_a_reset_is_carried_out_ignored_or_refused(keys: tuple[Path, Path]) -> None:
    offered = ("On", "ForceOff", "GracefulRestart", "ForceRestart")
    with client(keys, plain(reset_types=offered, ignored=("GracefulRestart",))) as it:
        allowed = it.get(SYSTEM)["Actions"]["#ComputerSystem.Reset"]["ResetType@Redfish.AllowableValues"]
        assert tuple(allowed) == offered
        assert it.ask("POST", RESET, {"ResetType": "PowerCycle"}).status == 400
        assert it.ask("POST", RESET, {"ResetType": "GracefulRestart"}).status == 204
        assert it.get(SYSTEM)["LastResetTime"] == "2026-01-05T08:00:00+00:00"
        assert it.ask("POST", RESET, {"ResetType": "ForceRestart"}).status == 204
        assert it.get(SYSTEM)["LastResetTime"] > "2026-01-05T08:00:00"


def test_a_server_that_is_off_starts_with_on_alone(keys: tuple[Path, Path]) -> None:
    with client(keys, plain(power="Off")) as it:
        it.ask("POST", RESET, {"ResetType": "ForceRestart"})
        assert it.get(SYSTEM)["PowerState"] == "Off"
        it.ask("POST", RESET, {"ResetType": "On"})
        assert (it.get(SYSTEM)["PowerState"], it.bmc.machine.boots) == ("On", 1)


def test_a_long_queue_comes_in_pages(keys: tuple[Path, Path]) -> None:
    with client(keys, plain(history=5, page=2)) as it:
        uri, seen = f"{DELL_JOBS}?$expand=*($levels=1)", []
        while uri:
            page = it.get(uri)
            assert page["Members@odata.count"] == 5
            seen += [job["JobState"] for job in page["Members"]]
            uri = page.get("Members@odata.nextLink", "")
        assert seen == ["Completed"] * 5


def test_a_job_can_leave_an_attribute_as_it_was(keys: tuple[Path, Path]) -> None:
    with client(keys, plain(rejects=("ProcTurboMode",), message="It is locked.", running=0)) as it:
        job = it.ask("PATCH", SETTINGS, {**ON_RESET, "Attributes": {**TURBO, "BootMode": "Uefi"}}).location
        it.ask("POST", RESET, {"ResetType": "GracefulRestart"})
        ended = it.get(job)
        assert (ended["JobState"], ended["Message"]) == ("CompletedWithErrors", "It is locked.")
        assert it.get(BIOS)["Attributes"] == {"ProcTurboMode": "Enabled", "BootMode": "Uefi"}


def test_what_is_staged_is_cleared_unless_a_job_waits_for_it(keys: tuple[Path, Path]) -> None:
    with client(keys, plain(staged={"BootMode": "Uefi"})) as it:
        (action,) = it.get(SETTINGS)["Actions"]["Oem"].values()
        assert it.ask("POST", action["target"], {}).status == 204
        assert it.get(SETTINGS)["Attributes"] == {}
        refused = it.ask("POST", action["target"], {})
        assert (refused.status, "RAC1035" in str(refused.document)) == (400, True)
        it.ask("PATCH", SETTINGS, ON_RESET)
        refused = it.ask("POST", action["target"], {})
        assert (refused.status, "SYS011" in str(refused.document)) == (400, True)
        assert it.get(SETTINGS)["Attributes"] == TURBO


def test_clearing_is_not_offered_or_does_nothing(keys: tuple[Path, Path]) -> None:
    staged = {"BootMode": "Uefi"}
    with client(keys, plain(staged=staged, clear="")) as it:
        assert "Actions" not in it.get(SETTINGS)
        assert it.ask("POST", CLEAR, {}).status == 404
    with client(keys, plain(staged=staged, clears="nothing")) as it:
        assert it.ask("POST", CLEAR, {}).status == 204
        assert it.get(SETTINGS)["Attributes"] == staged


def test_a_value_in_effect_replaces_another_that_is_staged_or_not(keys: tuple[Path, Path]) -> None:
    for keeps in (False, True):
        with client(keys, plain(staged={"BootMode": "Uefi"}, keeps_staged=keeps)) as it:
            assert it.ask("PATCH", SETTINGS, {"Attributes": {"BootMode": "Bios"}}).status == 200
            assert it.get(SETTINGS)["Attributes"] == {"BootMode": "Uefi" if keeps else "Bios"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_meets_one_request(kind: Kind, keys: tuple[Path, Path]) -> None:
    with client(keys, plain()) as it:
        it.bmc.fault = Fault(1, kind, 0.1)
        it.get(BIOS)
        met: int | None = None
        try:
            met = it.ask("PATCH", SETTINGS, STAGE).status
        except (OSError, http.client.HTTPException, ValueError):
            assert kind in ("dropped", "lost", "truncated", "html")
        assert met == {
            "busy": 503,
            "away": 503,
            "error": 500,
            "expired": 401,
            "throttled": 429,
            "slow": 200,
            "unsettled": 200,
            "unready": 400,
            "crowded": 503,
            "stale": 200,  # each request has a connection of its own here
            "odd": 400,
            "lone": 400,
            "null": 200,
        }.get(kind)
        done = ("lost", "slow", "truncated", "unsettled", "stale", "null")
        assert bool(it.bmc.machine.staged) == (kind in done)
        assert it.ask("GET", SETTINGS).status == (503 if kind == "away" else 200)


def test_the_package_imports_nothing_that_plans_or_applies() -> None:
    """Of the product it has the twin alone, which is written from documents, too."""
    code = "import sys, idrac; print(*sys.modules)"
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": f"{root / '.dev'}:{root / 'tests'}"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    rooms = {name.split(".")[2] for name in done.stdout.split() if name.startswith("setpoint.compiler.")}
    assert rooms == {"hints", "record", "twin"}
