"""The captured servers hold facts only, each says where it comes from, and converting gives the same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from registries import FLAGS, FOLDER, NAMES, document, read
from registries.convert import convert, layout, main, origins

MEMBERS = {"type", "label", "menu", "values", "bounds", "length", "default", "flags"}
LICENCES = {"Apache-2.0", "BSD-3-Clause", "MIT"}
UNLICENSED = {"michzimm/redfish_simgen"}
"""A repository that states no licence. What is kept of it is facts: names, values, bounds and dependencies of a
BIOS."""

HELP = "This field enables the prefetcher."
WARNING = "The server restarts."
REGISTRY: dict[str, Any] = {
    "Id": "Registry",
    "Description": "A description.",
    "SupportedSystems": [{"ProductName": "Server", "SystemId": "ABC1234"}],
    "RegistryEntries": {
        "Attributes": [
            {
                "AttributeName": "Prefetcher",
                "Type": "Enumeration",
                "DisplayName": "Hardware Prefetcher",
                "HelpText": HELP,
                "WarningText": WARNING,
                "MenuPath": "./Cpu",
                "DefaultValue": "On",
                "ReadOnly": True,
                "Hidden": False,
                "Value": [
                    {"ValueName": "On", "ValueDisplayName": "Enabled", "HelpText": HELP},
                    {"ValueName": "Off", "ValueDisplayName": "Off"},
                ],
            },
            {
                "AttributeName": "Cores",
                "Type": "Integer",
                "DisplayName": "Cores",
                "HelpText": HELP,
                "MenuPath": "./Cpu/More",
                "LowerBound": 1,
                "UpperBound": 8,
                "ScalarIncrement": 1,
            },
        ],
        "Dependencies": [
            {
                "Type": "Map",
                "DependencyFor": "Prefetcher",
                "Dependency": {
                    "MapFrom": [
                        {
                            "MapFromAttribute": "Cores",
                            "MapFromProperty": "CurrentValue",
                            "MapFromCondition": "EQU",
                            "MapFromValue": 1,
                        },
                        {
                            "MapFromAttribute": "Cores",
                            "MapFromProperty": "CurrentValue",
                            "MapFromCondition": "NEQ",
                            "MapFromValue": 8,
                            "MapTerms": "OR",
                        },
                    ],
                    "MapToAttribute": "Prefetcher",
                    "MapToProperty": "Value",
                    "MapToValue": [{"ValueName": "On", "ValueDisplayName": "Enabled"}],
                },
            }
        ],
        "Menus": [
            {"MenuPath": "./", "MenuName": "Cpu", "DisplayName": "Processor", "HelpText": HELP},
            {"MenuPath": "./Cpu/More", "MenuName": "More", "DisplayName": "More"},
            {"MenuPath": "./", "MenuName": "Adapter-001122334455", "DisplayName": "Adapter"},
        ],
    },
}
BIOS = {"Id": "Bios", "Attributes": {"Prefetcher": "On", "Cores": 8}, "Description": "A description."}
ORIGIN = {"server": "Server", "kind": "redfish", "repository": "a/b", "commit": "c", "licence": "MIT"}


@pytest.fixture
def originals(tmp_path: Path) -> Path:
    """The folder of a small capture."""
    write(tmp_path / "one", REGISTRY)
    return tmp_path


def write(folder: Path, registry: dict[str, Any]) -> None:
    folder.mkdir()
    (folder / "BiosRegistry.json").write_text(json.dumps(registry), encoding="utf-8")
    (folder / "Bios.json").write_text(json.dumps(BIOS), encoding="utf-8")


def reversed_members(value: Any) -> Any:
    """The same document with the members of every object in another order."""
    if isinstance(value, dict):
        return {name: reversed_members(value[name]) for name in reversed(value)}
    return [reversed_members(one) for one in value] if isinstance(value, list) else value


def test_converting_takes_facts_only(originals: Path) -> None:
    text = convert("one", ORIGIN, originals / "one")
    facts = json.loads(text)
    assert facts["attributes"] == {
        "Prefetcher": {
            "type": "Enumeration",
            "label": "Hardware Prefetcher",
            "menu": "./Cpu",
            "values": [["On", "Enabled"], "Off"],
            "default": "On",
            "flags": ["ReadOnly"],
        },
        "Cores": {"type": "Integer", "label": "Cores", "menu": "./Cpu/More", "bounds": [1, 8, 1]},
    }
    assert facts["dependencies"] == [
        ["Prefetcher", "Value", ["On"], ["Cores", "EQU", 1], ["Cores", "NEQ", 8, "OR"]]
    ]
    assert facts["menus"] == {"./Cpu": "Processor", "./Cpu/More": "More"}
    assert (facts["repository"], facts["licence"], facts["current"]) == ("a/b", "MIT", BIOS["Attributes"])
    assert not [words for words in (HELP, WARNING, "ABC1234", "001122334455", "description") if words in text]


def test_the_order_of_members_in_the_original_changes_nothing(originals: Path) -> None:
    write(originals / "two", reversed_members(REGISTRY))
    assert convert("one", ORIGIN, originals / "one") == convert("one", ORIGIN, originals / "two")


def test_an_attribute_that_is_there_twice_is_refused(originals: Path) -> None:
    entries = REGISTRY["RegistryEntries"]
    twice = {**entries, "Attributes": [*entries["Attributes"], entries["Attributes"][0]]}
    write(originals / "two", {**REGISTRY, "RegistryEntries": twice})
    with pytest.raises(ValueError, match="Prefetcher"):
        convert("one", ORIGIN, originals / "two")


def test_a_list_of_an_idrac6_is_read_as_far_as_it_is_of_the_bios(tmp_path: Path) -> None:
    (tmp_path / "server.attrs").write_text(
        'BIOS.Setup.1-1:MemTest DCIM_BIOSEnumeration false "Enabled" Enabled,Disabled \n'
        'BIOS.Setup.1-1:AssetTag DCIM_BIOSString false "" 0 10\n'
        'BIOS.Setup.1-1:Delay DCIM_BIOSinteger true "30" \n'
        'NIC.Embedded.1-1:MacAddr DCIM_NICString true "00:11:22:33:44:55" 0 0\n',
        encoding="utf-8",
    )
    facts = json.loads(convert("old", {**ORIGIN, "kind": "wsman"}, tmp_path))
    assert facts["attributes"] == {
        "MemTest": {"type": "Enumeration", "values": ["Enabled", "Disabled"]},
        "AssetTag": {"type": "String", "length": [0, 10]},
        "Delay": {"type": "Integer", "flags": ["ReadOnly"]},
    }
    assert facts["current"] == {"MemTest": "Enabled", "AssetTag": "", "Delay": "30"}


def test_all_captures_are_converted_in_one_run(
    originals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registries.convert.origins", lambda: {"one": ORIGIN})
    monkeypatch.setattr("sys.argv", ["convert", str(originals), str(tmp_path)])
    main()
    assert (tmp_path / "one.json").read_text(encoding="utf-8") == convert("one", ORIGIN, originals / "one")


def test_every_capture_has_its_origin_and_a_licence_that_permits_it_or_is_known_to_have_none() -> None:
    assert sorted(origins()) == list(NAMES)
    for name, origin in origins().items():
        facts = read(name)
        assert {key: facts[key] for key in origin if key != "kind"} == {
            key: value for key, value in origin.items() if key != "kind"
        }
        permitted = {"none stated"} if origin["repository"] in UNLICENSED else LICENCES
        assert origin["licence"] in permitted
        assert origin["repository"].count("/") == 1
        assert origin["commit"]


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_as_the_converter_lays_it_out(name: str) -> None:
    """A file that was edited by hand, or converted by another version, differs."""
    assert (FOLDER / f"{name}.json").read_text(encoding="utf-8") == layout(read(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_has_no_help_texts(name: str) -> None:
    facts = read(name)
    assert facts["attributes"].keys() | facts["current"].keys()
    for attribute, entry in facts["attributes"].items():
        assert entry.keys() <= MEMBERS, attribute
        assert set(entry.get("flags", ())) <= set(FLAGS)
        labels = [value[1] for value in entry.get("values", ()) if isinstance(value, list)]
        # A label is a name on a menu; what ends in a full stop, or goes on, explains.
        for label in [entry.get("label") or "", *labels]:
            assert len(label) <= 80, label
            assert not label.endswith(". "), label
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert not [word for word in ("HelpText", "WarningText", "Copyright") if word in text]


def test_a_resource_is_as_a_service_would_answer() -> None:
    registry = document("dell-12g-R720", "BiosRegistry")
    entries = {entry["AttributeName"]: entry for entry in registry["RegistryEntries"]["Attributes"]}
    assert entries["NodeInterleave"]["MenuPath"] == "./MemSettingsRef"
    assert entries["MemOpMode"]["Value"][0] == {
        "ValueName": "OptimizerMode",
        "ValueDisplayName": "Optimizer Mode",
    }
    menus = {menu["MenuName"]: menu["DisplayName"] for menu in registry["RegistryEntries"]["Menus"]}
    assert menus["MemSettingsRef"] == "Memory Settings"
    assert document("dell-12g-R720", "Bios")["Attributes"]["NodeInterleave"] == "Disabled"
    assert document("dell-12g-R720", "System")["ProcessorSummary"]["Count"] == 1


def test_a_resource_that_was_changed_is_unchanged_for_the_next() -> None:
    reset = "#ComputerSystem.Reset"
    changed = document("dell-15g-R750", "System")
    del changed["Actions"][reset]
    assert reset in document("dell-15g-R750", "System")["Actions"]
