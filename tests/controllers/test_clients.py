"""The emulated controllers without jobs as a client sees them whose makers have not seen this project; and what they
refuse."""

from __future__ import annotations

import base64
import http.client
import json
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from consumers.redfish_service import certificate
from controllers import AMI, HPE, LENOVO, SUPERMICRO, Dialect, bare_controllers, server
from idrac import PASSWORD, USER, Controller
from idrac.redfish_config import redfish_config

DIALECTS = {"hpe": HPE, "lenovo": LENOVO, "supermicro": SUPERMICRO, "ami": AMI}
CURRENT = {"Turbo": "Enabled", "Smt": "Enabled"}


@pytest.fixture(params=DIALECTS)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    """The service of each vendor."""
    return DIALECTS[request.param]


@pytest.fixture
def bmc(dialect: Dialect, tmp_path: Path) -> Iterator[Controller]:
    """Its controller."""
    with bare_controllers({"bmc": server(dialect, CURRENT, starting=0)}, *certificate(tmp_path)) as bmcs:
        yield bmcs["bmc"]


def test_redfish_config_stages_and_finds_it_in_effect(bmc: Controller, tmp_path: Path) -> None:
    answer = redfish_config(bmc, tmp_path, {"Turbo": "Disabled"})
    assert (answer.get("failed", False), answer["changed"]) == (False, True), answer
    assert bmc.machine.staged == {"Turbo": "Disabled"}
    bmc.machine.reset("ForceRestart")
    assert bmc.machine.current == {"Turbo": "Disabled", "Smt": "Enabled"}
    assert redfish_config(bmc, tmp_path, {"Turbo": "Disabled"})["msg"] == "BIOS attributes already set"


def patch(bmc: Controller, body: Any, **headers: str) -> tuple[int, str]:
    """The status and the message of the answer to a PATCH of the settings."""
    context = ssl.create_default_context(cafile=str(bmc.ca))
    connection = http.client.HTTPSConnection(bmc.address, context=context)
    token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    sent = {"Authorization": f"Basic {token}", **{k.replace("_", "-"): v for k, v in headers.items()}}
    connection.request("PATCH", bmc.machine.dialect.settings, json.dumps(body), sent)
    answer = connection.getresponse()
    text = answer.read() or b"{}"
    connection.close()
    info = json.loads(text).get("error", json.loads(text)).get("@Message.ExtendedInfo", [])
    return answer.status, " ".join(one["MessageId"] for one in info)


SET = {"Attributes": {"Turbo": "Disabled"}}


def test_a_change_needs_the_version_where_the_service_wants_it(dialect: Dialect, bmc: Controller) -> None:
    version = bmc.machine.version
    status, message = patch(bmc, SET)
    if dialect.needs_version:
        assert (status, bmc.machine.staged) == (428, {})
        assert message.rpartition(".")[2] == dialect.messages["needed"].id.rpartition(".")[2]
    else:
        assert (status, bmc.machine.staged) == (dialect.accepted, SET["Attributes"])
        assert message == (dialect.messages["accepted"].id if "accepted" in dialect.messages else "")
    bmc.machine.stage({"Smt": "Disabled"})
    assert patch(bmc, SET, If_Match=version)[0] == 412, "another change has been made since"
    assert patch(bmc, SET, If_Match=bmc.machine.version)[0] == dialect.accepted
    assert bmc.machine.staged == {"Turbo": "Disabled", "Smt": "Disabled"}


def test_an_apply_time_that_is_not_announced_is_refused(bmc: Controller) -> None:
    body = {**SET, "@Redfish.SettingsApplyTime": {"ApplyTime": "OnReset"}}
    announced = "OnReset" in bmc.machine.dialect.apply_times
    assert (patch(bmc, body, If_Match=bmc.machine.version)[0] == 400) == (not announced)
    assert bmc.machine.staged == (SET["Attributes"] if announced else {})


def test_what_it_does_not_know_is_not_applied(dialect: Dialect, bmc: Controller) -> None:
    body = {"Attributes": {"Turbo": "Disabled", "Nothing": 1}}
    status, _ = patch(bmc, body, If_Match=bmc.machine.version)
    assert status == (dialect.accepted if dialect.judges == "start" else 400)
    bmc.machine.reset("On" if bmc.machine.power == "Off" else "ForceRestart")
    taken = SET["Attributes"] if dialect.judges == "start" else {}
    assert bmc.machine.current == {**CURRENT, **taken}, "what it knows is applied where it judges late"


def test_a_value_in_effect_is_staged_or_takes_back_what_is(dialect: Dialect, bmc: Controller) -> None:
    bmc.machine.stage({"Turbo": "Disabled"})
    bmc.machine.stage({"Turbo": "Enabled"})
    assert bmc.machine.staged == ({} if dialect.equal == "clears" else {"Turbo": "Enabled"})
