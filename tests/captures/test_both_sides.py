"""A host and its controller, captured in one run: two files, which whoever reads the folder joins by UUID, redacted as
they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from captures.test_carriers import TREE
from consumers.redfish_service import PASSWORD, USER
from consumers.redfish_stand_in import stand_in
from setpoint.compiler.captures import redfish
from support.command import setpoint

UUID = "38947555-7742-3448-3784-823347823834"
"""That of the controller's server; the host shows it with the first bytes in the other order."""

SWAPPED = "55759438-4277-4834-3784-823347823834"
POLICY = "goal latency; cpu ice-lake; os rhel 9.4; set swappiness 10 because 'a test';".replace("'", '"')


def test_verify_joins_the_host_and_the_controller_of_one_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(redfish.USER, USER)
    monkeypatch.setenv(redfish.PASSWORD, PASSWORD)
    read = {"/sys/class/dmi/id/product_uuid": SWAPPED, "/proc/cmdline": "ro", "/proc/sys/vm/swappiness": "10"}
    (tmp_path / "web01.json").write_text(json.dumps({"schema": "setpoint.capture/1", "host": {"read": read}}))
    folder = tmp_path / "captures"
    with stand_in(tmp_path, {f"/redfish/v1{path}": data for path, data in TREE.items()}) as bmc:
        url = f"https://{bmc.address}"
        ran = setpoint(
            "capture", "--from", str(tmp_path / "web01.json"), "--redfish", url, "--ca-file", str(bmc.ca), "-o", str(folder)
        )  # fmt: skip
    assert ran.status == 0, ran.err
    host, controller = (json.loads(Path(each).read_text(encoding="utf-8")) for each in ran.out.split())
    assert ("controller" in host, "host" in controller) == (False, False)
    assert UUID not in json.dumps([host, controller]) and SWAPPED not in json.dumps([host, controller])
    ran = setpoint("verify", "-e", POLICY, "--against", str(folder), "--format", "json")
    verified = json.loads(ran.out)
    assert [each["host"] for each in verified["hosts"]] == ["web01"], ran.err
    assert verified["refused"] == []  # the controller is no server of its own
