"""A file against the registry and the current values of one server: a small registry in the form of Dell's and
DMTF's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.command import setpoint

NAMED = {
    "MapFromAttribute": "SysProfile",
    "MapFromProperty": "CurrentValue",
    "MapFromCondition": "EQU",
    "MapFromValue": "PerfOptimized",
}


def attribute(name: str, *values: str) -> dict[str, Any]:
    choices = [{"ValueName": value, "ValueDisplayName": f"{value} here"} for value in values]
    return {
        "AttributeName": name,
        "DisplayName": name,
        "Type": "Enumeration",
        "ReadOnly": False,
        "Value": choices,
    }


def dependency(name: str, what: str, to: Any) -> dict[str, Any]:
    map_ = {"MapFrom": [NAMED], "MapToAttribute": name, "MapToProperty": what, "MapToValue": to}
    return {"Type": "Map", "DependencyFor": "SysProfile", "Dependency": map_}


REGISTRY = {
    "Id": "BiosAttributeRegistry.v1_0_0",
    "@odata.type": "#AttributeRegistry.v1_3_0.AttributeRegistry",
    "OwningEntity": "Dell",
    "RegistryVersion": "v1_0_0",
    "SupportedSystems": [{"ProductName": "PowerEdge R750", "FirmwareVersion": "1.0"}],
    "RegistryEntries": {
        "Attributes": [
            attribute("SysProfile", "PerfOptimized", "Custom"),
            attribute("ProcCStates", "Enabled", "Disabled"),
            attribute("LogicalProc", "Enabled", "Disabled"),
        ],
        "Dependencies": [
            dependency("ProcCStates", "ReadOnly", True),
            dependency("ProcCStates", "CurrentValue", "Disabled"),
        ],
    },
}
CURRENT = {
    "AttributeRegistry": "BiosAttributeRegistry.v1_0_0",
    "Attributes": {"SysProfile": "PerfOptimized", "ProcCStates": "Disabled", "LogicalProc": "Enabled"},
}

CASES = [
    # the file, and the codes with words of the messages
    (
        {"SysProfile": "PerfOptimized", "ProcCStates": "Disabled"},
        {"W0908": "read-only with `SysProfile = PerfOptimized`"},
    ),
    ({"SysProfile": "Custom", "ProcCStates": "Disabled"}, {}),
    ({"ProcCStates": "Enabled"}, {"W0908": "read-only with the server's other values"}),
    ({"LogicalProc": "Off"}, {"E0907": "`LogicalProc` does not take `Off` on this server"}),
    ({"LogicalProc": "Disabled here"}, {"E0907": "does not take"}),
    (
        {"LogicalProc": "Enabled", "TurboMode": "Enabled"},
        {"E0907": "`TurboMode` does not exist on this server"},
    ),
    (
        {"LogicalProc": "Enabled", "ProcCstates": "Disabled"},
        {"E0907": "`ProcCstates` does not exist on this server"},
    ),
]


@pytest.mark.parametrize(("attributes", "expected"), CASES, ids=str)
def test_attributes_are_judged_for_that_server(
    attributes: dict[str, str], expected: dict[str, str], tmp_path: Path
) -> None:
    for name, content in (
        ("reg.json", REGISTRY),
        ("Bios.json", CURRENT),
        ("want.json", {"Attributes": attributes}),
    ):
        (tmp_path / name).write_text(json.dumps(content))
    ran = setpoint(
        "audit", "want.json", "-e", "platform r750; os rhel 9", "--registry", "reg.json", "--current", "Bios.json",
        "--format", "json", cwd=tmp_path,
    )  # fmt: skip
    found = [
        d for d in json.loads(ran.out)["diagnostics"] if d["code"] in ("E0907", "W0902", "W0903", "W0908")
    ]
    assert sorted(d["code"] for d in found) == sorted(expected), found
    for each in found:
        assert expected[each["code"]] in each["message"]


def test_a_label_is_answered_with_the_value(tmp_path: Path) -> None:
    for name, content in (
        ("reg.json", REGISTRY),
        ("want.json", {"LogicalProc": "Disabled here", "ProcCstates": "Disabled"}),
    ):
        (tmp_path / name).write_text(json.dumps(content))
    ran = setpoint(
        "audit", "want.json", "-e", "platform r750; os rhel 9", "--registry", "reg.json", cwd=tmp_path
    )
    assert "did you mean `Disabled`?" in ran.out
    assert "did you mean `ProcCStates`?" in ran.out


def test_the_registry_of_another_model_is_refused(tmp_path: Path) -> None:
    for name, content in (("reg.json", REGISTRY), ("want.json", {"LogicalProc": "Enabled"})):
        (tmp_path / name).write_text(json.dumps(content))
    ran = setpoint(
        "audit", "want.json", "-e", "platform r740; os rhel 9", "--registry", "reg.json", cwd=tmp_path
    )
    assert ran.status == 1
    assert "E0506" in ran.err + ran.out
