"""The emulated controller as others see it: clients whose makers have not seen this project, on every generation.

What they expect of a service is evidence against the emulator. Each walks its own way to the BIOS of a captured server.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from consumers.ansible_run import module, programs
from consumers.redfish_clients import Account, sushy, tool, validator
from consumers.redfish_service import certificate
from idrac import (
    BIOS,
    DELL_JOBS,
    MANAGER,
    PASSWORD,
    REGISTRY,
    SETTINGS,
    SYSTEM,
    USER,
    Behaviour,
    Controller,
    Rules,
    controllers,
)
from idrac.redfish_config import redfish_config
from registries import document, read
from setpoint.compiler.twin.resources import TASKS
from support.machines import MACHINES, R750, Machine

TURBO = "ProcTurboMode"
MAKES_JOBS = ("dell-13g-R630", "dell-15g-R750")
"""The captured services that list `OnReset`: they make the job for what is staged with it."""


def behaviour(server: Machine) -> Behaviour:
    """The behaviour of a captured server, with its rules; its read-only flags are those of a server that is not locked
    down."""
    rules = Rules.of(server.registry(), lockdown=True)
    current = {**server.registry().current, "SysProfile": "Custom", TURBO: "Enabled"}
    return Behaviour.captured(server.capture, current=current, rules=rules, announces="task")


@pytest.fixture(params=MACHINES, ids=str)
def server(request: pytest.FixtureRequest) -> Machine:
    """A captured server of each generation."""
    machine: Machine = request.param
    return machine


@pytest.fixture
def bmc(server: Machine, tmp_path: Path) -> Iterator[Controller]:
    """Its controller."""
    with controllers({"bmc": behaviour(server)}, *certificate(tmp_path)) as bmcs:
        yield bmcs["bmc"]


def account(bmc: Controller) -> Account:
    """The controller as the clients are told of it."""
    return Account(bmc.address, bmc.ca, USER, PASSWORD)


def gentlest(bmc: Controller) -> str:
    """The gentlest restart that the controller offers."""
    return next(kind for kind in ("GracefulRestart", "ForceRestart") if kind in bmc.machine.dialect.resets)


def restart(bmc: Controller) -> None:
    """Start the server and let its job end."""
    bmc.machine.reset(gentlest(bmc))
    while bmc.machine.open_jobs:
        bmc.machine.tick()


@pytest.mark.parametrize(
    "server",
    [pytest.param(each, marks=[] if each == R750 else pytest.mark.repeated) for each in MACHINES],
    ids=str,
    indirect=True,
)
def test_dmtfs_validator_finds_no_fault_but_those_of_the_captures(
    server: Machine, bmc: Controller, tmp_path: Path
) -> None:
    """What Dell's services deviate in, the emulated ones do, too: see `deviations`. DMTF has no schema for Dell's jobs.

    The code of the emulator is one for all generations; by default only the documents of the newest capture are
    validated.
    """
    bmc.machine.stage({TURBO: "Disabled"})
    job = bmc.machine.commit()
    found = validator(account(bmc), tmp_path)
    assert {uri: count.failed for uri, count in found.items() if count.failed} == deviations(server.capture)
    assert {uri for uri, count in found.items() if not count.passed} == {
        job["@odata.id"].rpartition("/")[0],
        job["@odata.id"],
    }
    assert found.keys() >= {BIOS, SETTINGS, SYSTEM, REGISTRY, MANAGER, TASKS}
    assert sum(count.passed for count in found.values()) > 1000


def deviations(capture: str) -> dict[str, int]:
    """How often the captured documents are not as their schemas have it, by resource.

    Registries have the `MapToProperty` `Value` with a list as its `MapToValue`, and those of the first schema a
    property of later ones, `FirmwareVersion`. The settings have an action with an old name,
    `DellManager.v1_0_0#DellManager.ClearPending`.
    """
    suppressed = sum(prop == "Value" for _, prop, *_ in read(capture)["dependencies"])
    oldest = document(capture, "BiosRegistry")["@odata.type"] == "#AttributeRegistry.v1_0_0.AttributeRegistry"
    return {REGISTRY: 2 * suppressed + oldest, SETTINGS: 1}


def test_dmtfs_tools_read_and_stage_and_restart(bmc: Controller, tmp_path: Path) -> None:
    said = tool(account(bmc), tmp_path, "rf_bios_settings")
    assert TURBO in said
    tool(account(bmc), tmp_path, "rf_bios_settings", "--attribute", TURBO, "Disabled")
    assert bmc.machine.staged == {TURBO: "Disabled"}
    kind = gentlest(bmc)
    tool(account(bmc), tmp_path, "rf_power_reset", "--type", kind)
    assert (bmc.resets, bmc.machine.boots) == ([kind], 1)
    assert bmc.machine.current[TURBO] == "Enabled", "what is staged without a job stays staged"


def test_sushy_sets_an_attribute_and_sees_its_job_and_task(
    server: Machine, bmc: Controller, tmp_path: Path
) -> None:
    makes = server.capture in MAKES_JOBS
    kind = gentlest(bmc)
    order = {"attributes": {TURBO: "Disabled"}, "jobs": bmc.machine.dialect.jobs, "reset": kind}
    seen = sushy(account(bmc), tmp_path, order)
    assert (seen["before"], seen["pending"]) == ({TURBO: "Enabled"}, {TURBO: "Disabled"})
    assert ("OnReset" in seen["apply_times"]) == makes
    assert seen["unfinished"] == ["JID_000000000001"]
    assert seen["tasks"] == {"JID_000000000001": "Completed"}
    assert seen["after"] == {TURBO: "Disabled"}
    assert seen["registry"] == len(read(server.capture)["attributes"])
    assert bmc.writes == [
        "POST Sessions",
        "PATCH Settings",
        *([] if makes else ["POST Jobs"]),
        "POST ComputerSystem.Reset",
        "DELETE 1",
    ]


def test_redfish_config_stages_where_the_service_takes_an_apply_time(
    server: Machine, bmc: Controller, tmp_path: Path
) -> None:
    """It sends Dell's servers the apply time `OnReset`, whatever the service lists."""
    answer = redfish_config(bmc, tmp_path, {TURBO: "Disabled"})
    if server.capture in MAKES_JOBS:
        assert (answer.get("failed", False), answer["changed"]) == (False, True), answer
        restart(bmc)
        assert bmc.machine.current[TURBO] == "Disabled"
        assert redfish_config(bmc, tmp_path, {TURBO: "Disabled"})["msg"] == "BIOS attributes already set"
    else:
        assert answer["failed"], answer
        assert "SettingsApplyTime" in answer["msg"]
        assert (bmc.machine.staged, bmc.machine.jobs) == ({}, [])


def idrac_bios(bmc: Controller, folder: Path, **order: object) -> dict[str, Any]:
    """What dellemc.openmanage.idrac_bios answers."""
    programs()
    given: dict[str, object] = {"idrac_ip": "127.0.0.1", "idrac_port": bmc.port, "idrac_user": USER}
    given |= {"idrac_password": PASSWORD, "ca_path": str(bmc.ca), "job_wait": False, "apply_time": "OnReset"}
    return module("dellemc.openmanage.idrac_bios", folder, **given, **order)


def test_idrac_bios_commits_and_clears_where_the_queue_is_dells(
    server: Machine, bmc: Controller, tmp_path: Path
) -> None:
    """It knows the job queue of newer services alone: elsewhere that is not found."""
    answer = idrac_bios(bmc, tmp_path, attributes={TURBO: "Disabled"})
    if bmc.machine.dialect.jobs != DELL_JOBS:
        assert "404" in answer["msg"], answer
        assert (bmc.machine.staged, bmc.machine.jobs) == ({}, [])
        return
    assert answer["changed"], answer
    assert answer["job_id"] == "JID_000000000001"
    other = idrac_bios(bmc, tmp_path, attributes={"ProcCStates": "Disabled"})
    assert (other["changed"], other["job_id"]) == (True, "JID_000000000002"), other
    assert [job["Id"] for job in bmc.machine.jobs] == ["JID_000000000002"], "it has deleted the first"
    assert bmc.machine.staged == {TURBO: "Disabled", "ProcCStates": "Disabled"}
    assert idrac_bios(bmc, tmp_path, clear_pending=True)["changed"]
    assert (bmc.machine.staged, bmc.machine.jobs) == ({}, [])
    bmc.machine.stage({TURBO: "Disabled"})
    assert idrac_bios(bmc, tmp_path, clear_pending=True)["changed"]
    assert bmc.machine.staged == {}
    idrac_bios(bmc, tmp_path, attributes={TURBO: "Disabled"})
    restart(bmc)
    assert bmc.machine.current[TURBO] == "Disabled"
    assert (
        idrac_bios(bmc, tmp_path, attributes={TURBO: "Disabled"})["status_msg"]
        == "No changes found to be applied."
    )


def test_idrac_bios_commits_and_clears_on_an_idrac10(tmp_path: Path) -> None:
    """Its release 9.12.3 is "enhanced to support iDRAC10" (CHANGELOG.rst), by the same addresses."""
    current = {**R750.registry().current, "SysProfile": "Custom", TURBO: "Enabled"}
    ten = Behaviour.idrac10(current, rules=Rules.of(R750.registry(), lockdown=True))
    with controllers({"bmc": ten}, *certificate(tmp_path)) as bmcs:
        bmc = bmcs["bmc"]
        answer = idrac_bios(bmc, tmp_path, attributes={TURBO: "Disabled"})
        assert (answer["changed"], answer["job_id"]) == (True, "JID_000000000001"), answer
        restart(bmc)
        assert bmc.machine.current[TURBO] == "Disabled"
        bmc.machine.stage({TURBO: "Enabled"})
        assert idrac_bios(bmc, tmp_path, clear_pending=True)["changed"]
        assert bmc.machine.staged == {}
