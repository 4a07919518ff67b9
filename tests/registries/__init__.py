"""Captured servers: what each one's BIOS offers, and the values that it was captured with.

One file a server, made by `registries.convert` from an original capture, with facts only: names, types, values and
their labels, bounds, defaults, flags, menus, dependencies. The vendors' help and warning texts are not in it.
`origins.toml` says where each capture comes from, and under which licence it was published.

    read("dell-12g-R720")["attributes"]["NodeInterleave"]           the facts
    document("dell-12g-R720", "BiosRegistry")                       what a Redfish service would answer with

In a file,

* an attribute has `type`, `label` and `menu`, and where they apply `values`, `bounds` (lower, upper, step), `length`
  (least, greatest), `default`, and the `flags` that were set. A value is `[NAME, LABEL]`, or the name alone where it is
  its own label, or has none;
* a dependency is `[ATTRIBUTE, PROPERTY, TO, CONDITION…]`: while the conditions hold, the property of the attribute is
  `TO`. A condition is `[ATTRIBUTE, OPERATOR, VALUE]`, with the operator that joins it to the one before (`MapTerms`) as
  a fourth item if it was given. Where `PROPERTY` is `Value`, `TO` has the names of the values that remain;
* `resources` has of each Redfish resource what a client of BIOS settings reads.

Attributes, values and dependencies are in the order of the original.
"""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
FLAGS = ("ReadOnly", "Immutable", "Hidden", "GrayOut", "WriteOnly")
BOUNDS = ("LowerBound", "UpperBound", "ScalarIncrement")
LENGTH = ("MinLength", "MaxLength")
CONDITION = ("MapFromAttribute", "MapFromCondition", "MapFromValue", "MapTerms")

NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))
"""The captured servers."""


@cache
def read(name: str) -> dict[str, Any]:
    """The facts of a captured server, as they are in its file."""
    facts: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return facts


def document(name: str, resource: str) -> dict[str, Any]:
    """A Redfish resource of a captured server: `BiosRegistry`, `Bios`, `Settings` or `System`; the caller may change
    it."""
    facts = read(name)
    head: dict[str, Any] = deepcopy(facts["resources"][resource])
    if resource == "Bios":
        return {**head, "Attributes": dict(facts["current"])}
    if resource == "BiosRegistry":
        return {**head, "RegistryEntries": _entries(facts)}
    return head


def _entries(facts: dict[str, Any]) -> dict[str, Any]:
    attributes = facts["attributes"]
    return {
        "Attributes": [_attribute(name, entry) for name, entry in attributes.items()],
        "Dependencies": [_dependency(entry, attributes) for entry in facts["dependencies"]],
        "Menus": [
            {"MenuPath": "./" if above == "." else above or path, "MenuName": name, "DisplayName": label}
            for path, label in facts["menus"].items()
            for above, _, name in [path.rpartition("/")]
        ],
    }


def _attribute(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "AttributeName": name,
        "Type": entry["type"],
        "DisplayName": entry.get("label"),
        "MenuPath": entry.get("menu"),
        "DefaultValue": entry.get("default"),
        **{flag: flag in entry.get("flags", ()) for flag in FLAGS},
        **dict(zip(BOUNDS, entry.get("bounds", ()), strict=False)),
        **dict(zip(LENGTH, entry.get("length", ()), strict=False)),
    }
    if "values" in entry:
        made["Value"] = [_value(value) for value in entry["values"]]
    return made


def _value(value: str | list[str]) -> dict[str, str]:
    name, label = (value, value) if isinstance(value, str) else value
    return {"ValueName": name, "ValueDisplayName": label}


def _dependency(entry: list[Any], attributes: dict[str, Any]) -> dict[str, Any]:
    name, prop, to, *conditions = entry
    if prop == "Value":
        labels = {one["ValueName"]: one for one in map(_value, attributes[name].get("values", ()))}
        to = [labels.get(value, _value(value)) for value in to]
    return {
        "Type": "Map",
        "DependencyFor": name,
        "Dependency": {
            "MapFrom": [
                {"MapFromProperty": "CurrentValue", **dict(zip(CONDITION, condition, strict=False))}
                for condition in conditions
            ],
            "MapToAttribute": name,
            "MapToProperty": prop,
            "MapToValue": to,
        },
    }
