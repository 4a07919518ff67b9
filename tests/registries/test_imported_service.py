"""An import has the addresses that the resources of a server announce, if the library does not know its controller."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from registries import document
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.registries.imported import ImportedService
from setpoint.compiler.registries.importing import NO_SERVICE, OWN_SERVICE, imported
from setpoint.compiler.registries.model import Registry, System
from setpoint.compiler.registries.read import read_bios, read_system, registry_of
from setpoint.compiler.registries.service import NOT_SAID
from support.command import setpoint

ARM = "nvidia-GB200-arm"
SYSTEM = "/redfish/v1/Systems/System_0"
ADDRESSES = (("system", SYSTEM), ("bios", f"{SYSTEM}/Bios"), ("settings", f"{SYSTEM}/Bios/Settings"))


def resources(folder: Path, **changed: Any) -> tuple[Path, Path]:
    """The files of a captured server whose controller the library does not know; the capture lacks the address of its
    system."""
    bios = document(ARM, "Bios") | {key: value for key, value in changed.items() if key.startswith("@")}
    if "settings" in changed:
        bios["@Redfish.Settings"] |= changed["settings"]
    system = document(ARM, "System") | {"@odata.id": SYSTEM} | changed.get("system", {})
    for name, data in (("System", system), ("Bios", bios), ("registry", document(ARM, "BiosRegistry"))):
        (folder / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    return folder / "System.json", folder / "Bios.json"


def of_a_maker(owner: str, product: str) -> Registry:
    """A registry with one attribute."""
    entry = {"AttributeName": "Boost", "Type": "Boolean"}
    systems = [{"ProductName": product}]
    data = {"OwningEntity": owner, "SupportedSystems": systems, "RegistryEntries": {"Attributes": [entry]}}
    return registry_of(data, "registry.json")


ARM_REGISTRY = of_a_maker("NVIDIA", "")
"""A registry of a maker whose controllers the library does not know."""


@pytest.mark.parametrize(
    ("times", "way", "review"),
    [
        ({}, "restart", NOT_SAID),
        ({"SupportedApplyTimes": ["OnReset", "AtMaintenanceWindowStart"]}, "on-reset", ""),
        ({"SupportedApplyTimes": ["Immediate"]}, "restart", ""),
    ],
)
def test_the_apply_times_say_how_settings_take_effect(
    tmp_path: Path, times: dict[str, Any], way: str, review: str
) -> None:
    system, bios = resources(tmp_path, settings=times)
    service = imported(standard(), ARM_REGISTRY, read_bios(str(bios)), read_system(str(system))).service
    unless = "vendor not hpe or lenovo or supermicro"
    assert service == ImportedService(ADDRESSES, way, unless, review)


@pytest.mark.parametrize(
    "lacking",
    [
        {"system": {"@odata.id": None}},
        {"@odata.id": ""},
        {"@Redfish.Settings": None},
        {"settings": {"SettingsObject": None}},
        {"settings": {"SettingsObject": {"@odata.id": "https://elsewhere.example/redfish/v1"}}},
        {"@odata.id": '/redfish/v1/Bios"; applies job; #'},
    ],
)
def test_what_is_no_address_makes_no_service(tmp_path: Path, lacking: dict[str, Any]) -> None:
    system, bios = resources(tmp_path, **lacking)
    found = imported(standard(), ARM_REGISTRY, read_bios(str(bios)), read_system(str(system)))
    assert (found.service, NO_SERVICE in found.notes) == (None, True)


@pytest.mark.parametrize(
    ("owner", "product", "is_known"),
    [
        ("Dell", "PowerEdge R750", True),
        ("Dell", "PowerEdge T550", True),  # of a generation
        ("HPE", "ProLiant DL999 Gen13", True),  # of the maker
        ("Dell", "PowerEdge M999", False),  # of which generation it is, nothing says
        ("Cisco Systems Inc", "UCSC-C240-M6SX", False),  # described, without its controller
        ("Example", "Example R1 Gen2", False),
    ],
)
def test_a_service_is_imported_if_the_library_has_none(
    tmp_path: Path, owner: str, product: str, is_known: bool
) -> None:
    system, bios = (path for path in resources(tmp_path))
    said = System(product, "", "", address=read_system(str(system)).address)
    found = imported(standard(), of_a_maker(owner, product), read_bios(str(bios)), said)
    assert (found.service is None, OWN_SERVICE in found.notes) == (is_known, not is_known)
    alone = imported(standard(), of_a_maker(owner, product), read_bios(str(bios)))
    assert (NO_SERVICE in alone.notes) == (not is_known)


def test_the_service_of_a_known_maker_excludes_no_other(tmp_path: Path) -> None:
    system, bios = resources(tmp_path)
    found = imported(
        standard(), of_a_maker("Dell", "PowerEdge M999"), read_bios(str(bios)), read_system(str(system))
    )
    assert found.service is not None
    assert found.service.unless == ""


def test_a_server_is_planned_from_its_three_files(tmp_path: Path) -> None:
    resources(tmp_path)
    words = ("registry.json", "--system", "System.json", "--current", "Bios.json", "-o", "site.tune")
    ran = setpoint("kb", "import", *words, cwd=tmp_path)
    assert ran.status == 0
    text = (tmp_path / "site.tune").read_text(encoding="utf-8")
    assert f"# review: {NOT_SAID}\nservice nvidia-server-controller of nvidia-server-registry" in text
    policy = 'goal latency; platform nvidia-server; set bit-fade off because "a test";'
    (tmp_path / "web.tune").write_text(f'include "site.tune";\n{policy}\n', encoding="utf-8")
    ran = setpoint("compile", "web.tune", "--target", "redfish", "-o", "out", cwd=tmp_path)
    assert ran.status == 0, ran.err
    (way,) = json.loads((tmp_path / "out/redfish/apply.json").read_text(encoding="utf-8"))["ways"]
    assert way["requests"][0]["uri"] == f"{SYSTEM}/Bios/Settings"
