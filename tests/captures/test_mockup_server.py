"""Captures from DMTF's own server of answers: what is read over Redfish is what lies in its tree, and what OpenStack's
client reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from consumers.redfish_clients import Account, sushy_reads
from consumers.redfish_mockup_server import mockup_server, tree
from setpoint.compiler.captures import redfish
from setpoint.compiler.captures.carriers import capture_from
from setpoint.compiler.captures.redfish import read_controller
from setpoint.compiler.captures.resources import managed_servers

USER, PASSWORD = "reader", "not asked for"


@pytest.fixture(autouse=True)
def account(monkeypatch: pytest.MonkeyPatch) -> None:
    """The account is in the environment."""
    monkeypatch.setenv(redfish.USER, USER)
    monkeypatch.setenv(redfish.PASSWORD, PASSWORD)


def answer(path: str) -> dict[str, Any]:
    """A file of the tree."""
    data: dict[str, Any] = json.loads((tree() / path / "index.json").read_text(encoding="utf-8"))
    return data


def plain(data: Any) -> Any:
    """An answer without the copyright of its author, which the server leaves out."""
    return {name: value for name, value in data.items() if name != "@Redfish.Copyright"}


def test_what_is_read_of_dmtfs_server_is_its_tree_and_what_sushy_reads(tmp_path: Path) -> None:
    with mockup_server(tmp_path, tree(), is_short=True) as bmc:
        found = read_controller(f"https://{bmc.address}", str(bmc.ca))
        seen = sushy_reads(Account(bmc.address, bmc.ca, USER, PASSWORD), tmp_path)
    (server,) = managed_servers(found)
    system = "Systems/437XR1138R2"
    assert server.path == f"/redfish/v1/{system}"
    assert server.bios["Attributes"] == answer(f"{system}/Bios")["Attributes"] == seen["current"]
    assert server.settings["Attributes"] == answer(f"{system}/Bios/Settings")["Attributes"] == seen["pending"]
    assert server.system["UUID"] == answer(system)["UUID"]


def test_reading_the_server_and_reading_its_tree_are_the_same(tmp_path: Path) -> None:
    with mockup_server(tmp_path, tree(), is_short=True) as bmc:
        over_redfish = read_controller(f"https://{bmc.address}", str(bmc.ca))
    of_files = capture_from(str(tree())).controller
    assert of_files is not None
    assert over_redfish.read == {path: plain(data) for path, data in of_files.read.items()}
