"""From the registry of a Cisco UCS to its BIOS, and back: import, compile, stage, restart, verify, undo.

CIMC has no settings resource, no time of its last restart, and an address with the serial number of each server. The
names, and the values in effect, are those that a C240 M5 shows of itself; what else it takes is made up, since no
registry of one is published.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from controllers import bare_controllers, server

from consumers.redfish_service import certificate
from idrac import PASSWORD, USER, Controller
from setpoint.compiler.registries.service import IN_PLACE
from setpoint.compiler.twin.dialects import dialects
from support.command import setpoint

ATTRIBUTES = {
    "IntelHyperThread": ("Intel HyperThreading Tech", "Enabled"),
    "IntelTurboBoostTech": ("Intel Turbo Boost Tech", "Enabled"),
    "IntelVT": ("Intel(R) VT", "Enabled"),
    "IntelVTD": ("Intel VT for Directed IO", "Enabled"),
    "ProcessorC1E": ("Processor C1E", "Disabled"),
    "ProcessorC6Report": ("Processor C6 Report", "Disabled"),
}
CURRENT = {name: value for name, (_, value) in ATTRIBUTES.items()}
WANTED = {"IntelHyperThread": "Disabled", "IntelVT": "Disabled", "IntelVTD": "Disabled"}
"""What differs of a plan for latency."""

ANOTHER = "/redfish/v1/Systems/WZP0000000B"
"""The server that was read is not the one that is set."""

CIMC = dialects()["cisco-cimc"]


def resources(folder: Path) -> None:
    """What was read of a server: its registry, its Bios, and the server itself."""
    entries = [
        {
            "AttributeName": name,
            "DisplayName": label,
            "Type": "Enumeration",
            "DefaultValue": value,
            "Value": [{"ValueName": each, "ValueDisplayName": each} for each in ("Enabled", "Disabled")],
        }
        for name, (label, value) in ATTRIBUTES.items()
    ]
    files = {
        "registry": {
            "Id": "BiosAttributeRegistry.1.0",
            "OwningEntity": "Cisco Systems Inc",
            "SupportedSystems": [{"ProductName": "UCSC-C240-M5SX"}],
            "RegistryEntries": {"Attributes": entries},
        },
        "Bios": {"@odata.id": f"{ANOTHER}/Bios", "Id": "BiosToken", "Attributes": CURRENT},
        "System": {"@odata.id": ANOTHER, "Manufacturer": "Cisco Systems Inc", "Model": "UCSC-C240-M5SX"},
    }
    for name, document in files.items():
        (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """The bundle of a policy for what was read."""
    resources(tmp_path)
    words = ("registry.json", "--system", "System.json", "--current", "Bios.json", "-o", "server.tune")
    assert setpoint("kb", "import", *words, cwd=tmp_path).status == 0
    policy = 'include "server.tune";\npolicy ucs { goal latency; platform ucs-m5; sockets 2; }\n'
    (tmp_path / "ucs.tune").write_text(policy, encoding="utf-8")
    ran = setpoint("compile", "ucs.tune", "--target", "redfish", "-o", "out", cwd=tmp_path)
    assert ran.status == 0, ran.err
    return tmp_path / "out"


def test_a_body_is_as_the_bios_takes_it(bundle: Path) -> None:
    """Its own address takes it, without `Attributes` around the values."""
    text = (bundle.parent / "server.tune").read_text(encoding="utf-8")
    assert f"# review: {IN_PLACE}\nservice ucs-m5-controller" in text
    assert 'smt on "Enabled", off "Disabled" in "IntelHyperThread" at' in text
    assert "options of" not in text, "the library has what the menu offers"
    (way,) = json.loads((bundle / "redfish/apply.json").read_text(encoding="utf-8"))["ways"]
    assert way["requests"] == [{"method": "PATCH", "uri": f"{ANOTHER}/Bios", "file": "settings.json"}]
    body = json.loads((bundle / "redfish/settings.json").read_text(encoding="utf-8"))
    assert body.items() >= WANTED.items()


def by_program(bundle: Path, bmc: Controller, *words: str) -> tuple[int, str]:
    """Run the bundle's own program against a controller; its status, and what it said."""
    account = {"SETPOINT_REDFISH_USER": USER, "SETPOINT_REDFISH_PASSWORD": PASSWORD}
    verb, *more = words
    program = [sys.executable, "redfish/setpoint_bmc.py", verb, bmc.address, "--ca", str(bmc.ca)]
    done = subprocess.run(
        [*program, "--poll", "0", "--state", str(bundle.parent / "kept"), *more],
        env={**os.environ, **account},
        cwd=bundle,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_another_server_of_the_kind_is_set_and_put_back(bundle: Path, tmp_path: Path) -> None:
    setup = server(CIMC, CURRENT, "UCSC-C240-M5SX")
    with bare_controllers({"one": setup}, *certificate(tmp_path)) as bmcs:
        bmc = bmcs["one"]
        assert by_program(bundle, bmc, "try")[0] == 3
        assert bmc.writes == []
        status, said = by_program(bundle, bmc, "apply")
        assert (status, "shows nowhere what it has staged" in said) == (0, True), said
        assert bmc.patches == [WANTED]
        assert by_program(bundle, bmc, "verify")[0] == 3
        bmc.machine.reset("GracefulRestart")
        for _ in range(3):
            bmc.machine.tick()
        status, said = by_program(bundle, bmc, "verify")
        assert (status, said.startswith("as planned: ")) == (0, True), said
        bmc.machine.current["IntelVT"] = "Enabled"
        assert (
            "differs: virtualization: found Enabled, wanted Disabled (IntelVT)"
            in by_program(bundle, bmc, "verify")[1]
        )
        status, said = by_program(bundle, bmc, "undo", "--restart", "now")
        assert (status, "as before: " in said) == (0, True), said
        assert bmc.machine.current == CURRENT


def test_of_a_server_that_does_not_take_an_account_that_is_said(bundle: Path, tmp_path: Path) -> None:
    setup = server(CIMC, CURRENT, "UCSC-C240-M5SX")
    with bare_controllers({"one": setup}, *certificate(tmp_path)) as bmcs:
        bmcs["one"].password = "another"
        status, said = by_program(bundle, bmcs["one"], "verify")
        assert (status, said.count("it refuses the user or the password")) == (4, 1), said
