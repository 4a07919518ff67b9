"""Make the facts in this folder from original captures.

    PYTHONPATH=tests python -m registries.convert ORIGINALS [FOLDER]

`ORIGINALS` has a folder for each server of `origins.toml`: `BiosRegistry.json`, `Bios.json`, `Settings.json` and
`System.json` as a Redfish service answers with them, as far as they were captured; or the list of attributes of an
iDRAC6 (`*.attrs`), of which those of the BIOS are taken. What is taken is named here, so that nothing else gets in: no
help text, no warning, no address, no serial number. `registries` describes the form. The same originals give the same
bytes.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from registries import BOUNDS, CONDITION, FLAGS, FOLDER, LENGTH

TAKEN: Mapping[str, Mapping[str, Any]] = {
    "BiosRegistry": {
        "Id": all, "OwningEntity": all, "RegistryVersion": all, "Language": all,
        "SupportedSystems": {"ProductName": all, "FirmwareVersion": all},
    },
    "Bios": {"Id": all, "Name": all, "AttributeRegistry": all, "@Redfish.Settings": all},
    "Settings": {"Id": all, "Name": all, "AttributeRegistry": all, "Oem": all, "Actions": all},
    "System": {
        "Id": all, "Name": all, "Manufacturer": all, "Model": all, "BiosVersion": all, "PowerState": all,
        "LastResetTime": all, "Bios": all, "Reset": all, "Links": {"ManagedBy": all},
        "ProcessorSummary": {"Count": all, "CoreCount": all, "Model": all},
        "Actions": {"#ComputerSystem.Reset": all},
    },
}  # fmt: skip
"""The members of each resource that a client of BIOS settings reads; `@odata.id` and `@odata.type` are always taken."""

LISTED = re.compile(
    r'BIOS\.\S+?:(?P<name>\S+) DCIM_BIOS(?P<type>\w+) (?P<locked>\w+) "(?P<current>.*)" ?(?P<rest>.*)'
)
"""A line of an iDRAC6's list."""


def convert(name: str, origin: Mapping[str, str], folder: Path) -> str:
    """The text of a server's file.

    Args:
        name: The server, as `origins.toml` names it.
        origin: Its entry there.
        folder: The folder of its original capture.
    """
    read = _redfish if origin["kind"] == "redfish" else _wsman
    head = {key: value for key, value in origin.items() if key != "kind"}
    return layout({"name": name, **head, **read(folder)})


def layout(facts: Mapping[str, Any]) -> str:
    """JSON with one attribute, dependency, menu or resource on a line, so that a difference can be read."""
    members = []
    for name, value in facts.items():
        if value and isinstance(value, dict) and name != "current":
            text = _lines("{", (f"{_json(key)}: {_json(one)}" for key, one in value.items()), "}")
        elif value and isinstance(value, list):
            text = _lines("[", map(_json, value), "]")
        else:
            text = _json(value)
        members.append(f"{_json(name)}: {text}")
    return "{\n" + ",\n".join(members) + "\n}\n"


def main() -> None:
    """Convert all captures of `origins.toml` that there are originals of."""
    parser = argparse.ArgumentParser(
        prog="python -m registries.convert", description=str(__doc__).partition("\n")[0]
    )
    parser.add_argument("originals", type=Path, help="the folder with a folder for each server")
    parser.add_argument(
        "folder", type=Path, nargs="?", default=FOLDER, help="where the files are written (default: here)"
    )
    asked = parser.parse_args()
    for name, origin in origins().items():
        text = convert(name, origin, asked.originals / name)
        (asked.folder / f"{name}.json").write_text(text, encoding="utf-8", newline="\n")


def origins() -> dict[str, dict[str, str]]:
    """Where each capture comes from, and its licence."""
    return tomllib.loads((FOLDER / "origins.toml").read_text(encoding="utf-8"))


# -------------------------------------------------------------------------------------------------------- Redfish


def _redfish(folder: Path) -> dict[str, Any]:
    documents = {name: _document(folder / f"{name}.json") for name in TAKEN}
    registry = documents["BiosRegistry"].get("RegistryEntries", {})
    return {
        "resources": {name: _some(document, TAKEN[name]) for name, document in documents.items() if document},
        "menus": dict(_menus(registry)),
        "attributes": dict(_attributes(registry)),
        "dependencies": [_dependency(entry["Dependency"]) for entry in registry.get("Dependencies", ())],
        "current": documents["Bios"]["Attributes"],
    }


def _document(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return document


def _some(value: Any, taken: Any) -> Any:
    """The members of an object, or of each object of a list, that are taken; in a fixed order."""
    if taken is all:
        return value
    if isinstance(value, list):
        return [_some(one, taken) for one in value]
    members = {"@odata.id": all, "@odata.type": all, **taken}
    return {name: _some(value[name], within) for name, within in members.items() if name in value}


def _menus(registry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The menus that attributes are in, and those above them. Others belong to adapters, and may have addresses in
    them."""
    used = {f"{entry['MenuPath'].rstrip('/')}/" for entry in registry.get("Attributes", ())}
    for menu in registry.get("Menus", ()):
        path = _menu_path(menu)
        if any(one.startswith(f"{path}/") for one in used):
            yield path, menu["DisplayName"]


def _menu_path(menu: Mapping[str, Any]) -> str:
    """The path that the attributes of a menu have: some registries give it whole, some that of the menu above."""
    path, name = str(menu["MenuPath"]).rstrip("/"), menu["MenuName"]
    return path if path.rpartition("/")[2] == name else f"{path}/{name}"


def _attributes(registry: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    seen = set()
    for entry in registry.get("Attributes", ()):
        if (name := entry["AttributeName"]) in seen:
            raise ValueError(f"an attribute that is there twice: {name}")
        seen.add(name)
        yield name, _attribute(entry)


def _attribute(entry: Mapping[str, Any]) -> dict[str, Any]:
    taken: dict[str, Any] = {"type": entry["Type"], "label": entry["DisplayName"], "menu": entry["MenuPath"]}
    if entry.get("Value"):
        taken["values"] = [
            _labelled(value["ValueName"], value.get("ValueDisplayName")) for value in entry["Value"]
        ]
    if any(name in entry for name in BOUNDS):
        taken["bounds"] = [entry.get(name) for name in BOUNDS]
    if any(name in entry for name in LENGTH):
        taken["length"] = [entry.get(name) for name in LENGTH]
    if entry.get("DefaultValue") is not None:
        taken["default"] = entry["DefaultValue"]
    if flags := [flag for flag in FLAGS if entry.get(flag)]:
        taken["flags"] = flags
    return taken


def _labelled(name: str, label: str | None) -> str | list[str]:
    return name if label in (None, name) else [name, str(label)]


def _dependency(entry: Mapping[str, Any]) -> list[Any]:
    to = entry["MapToValue"]
    if isinstance(to, list):
        to = [value["ValueName"] for value in to]
    conditions = []
    for condition in entry["MapFrom"]:
        if condition["MapFromProperty"] != "CurrentValue":
            raise ValueError(f"a dependency on another property than the value: {condition}")
        conditions.append([condition[name] for name in CONDITION if name in condition])
    return [entry["MapToAttribute"], entry["MapToProperty"], to, *conditions]


# -------------------------------------------------------------------------------------------------- an iDRAC6's list


def _wsman(folder: Path) -> dict[str, Any]:
    (path,) = folder.glob("*.attrs")
    lines = path.read_text(encoding="utf-8").splitlines()
    listed = [found for line in lines if (found := LISTED.fullmatch(line.strip()))]
    if len(listed) != sum(line.startswith("BIOS.") for line in lines):
        raise ValueError(f"{path} has lines of another form")
    attributes = {}
    for found in listed:
        kind, rest = found["type"].capitalize(), found["rest"].split()
        taken: dict[str, Any] = {"type": kind}
        if kind == "Enumeration":
            taken["values"] = found["rest"].strip().split(",")
        elif rest:
            taken["bounds" if kind == "Integer" else "length"] = [int(number) for number in rest]
        if found["locked"] == "true":
            taken["flags"] = ["ReadOnly"]
        attributes[found["name"]] = taken
    current = {found["name"]: found["current"] for found in listed}
    return {"resources": {}, "menus": {}, "attributes": attributes, "dependencies": [], "current": current}


# --------------------------------------------------------------------------------------------------------- layout


def _lines(start: str, items: Iterable[str], end: str) -> str:
    return start + "\n" + ",\n".join(f" {item}" for item in items) + "\n" + end


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
