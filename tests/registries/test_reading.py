"""Registries are read as the standard says, in every dialect that was captured, and bad ones are refused with their
place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from registries import NAMES, document, read
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.registries.expression import evaluate, postfix
from setpoint.compiler.registries.model import AttributeComparison, Registry
from setpoint.compiler.registries.read import read_current, read_registry, registry_of

WHOLE = tuple(name for name in NAMES if "BiosRegistry" in read(name)["resources"])
"""The captured servers that have a registry."""


def registry(name: str) -> Registry:
    """The registry of a captured server."""
    return registry_of(document(name, "BiosRegistry"), name)


def _condition(name: str) -> AttributeComparison:
    return AttributeComparison(name, "CurrentValue", "EQU", 1)


def _meaning(*terms: str) -> str:
    """The truth table of three or four conditions, each with these terms, as a string of bits."""
    given = [(_condition(str(n)), tuple(filter(None, term.split(",")))) for n, term in enumerate(terms)]
    made = postfix(given)
    bits = []
    for case in range(2 ** len(terms)):
        true = {str(n) for n in range(len(terms)) if case >> n & 1}
        bits.append(str(int(bool(evaluate(made, lambda c, true=true: c.attribute in true)))))  # type: ignore[misc]
    return "".join(bits)


def _table(text: str, count: int) -> str:
    return "".join(
        str(int(eval(text, {}, {n: bool(case >> i & 1) for i, n in enumerate("abcd"[:count])})))
        for case in range(2**count)
    )


@pytest.mark.parametrize(
    ("terms", "meaning"),
    [
        (("", "OR", "AND"), "(a or b) and c"),
        (("", "AND", "OR"), "(a and b) or c"),
        (("OR", "AND", ""), "(a or b) and c"),
        (("OR", "OR", ""), "a or b or c"),
        (("", "", "OR,AND"), "a and (b or c)"),
        (("", "", "", "OR,AND,OR"), "a or (b and (c or d))"),
        (("", "OR", "", "AND,AND"), "(a or b) and (c and d)"),
        (("", "", ""), "a or b or c"),
        (("", "AND,OR,AND"), "a and b"),
    ],
)
def test_terms_are_evaluated_in_array_order_in_every_dialect(terms: tuple[str, ...], meaning: str) -> None:
    """AND takes no precedence; conditions that no term joins are alternatives; a surplus term joins nothing."""
    assert _meaning(*terms) == _table(meaning, len(terms))


def test_an_unknown_condition_decides_nothing() -> None:
    made = postfix([(_condition("a"), ()), (_condition("b"), ("AND",))])
    assert evaluate(made, lambda c: None if c.attribute == "a" else True) is None
    assert evaluate(made, lambda c: None if c.attribute == "a" else False) is False


@pytest.mark.parametrize("name", WHOLE)
def test_every_attribute_and_dependency_is_read(name: str) -> None:
    facts, made = read(name), registry(name)
    assert list(made.attributes) == list(facts["attributes"])
    assert len(made.dependencies) == len(facts["dependencies"])
    conditions = [len(each.conditions) for each in made.dependencies]
    assert conditions == [len(each) - 3 for each in facts["dependencies"]]


def test_the_dialects_are_recognised_by_the_data() -> None:
    """A service that speaks labels; one that never makes anything read-only; menus by their labels."""
    labels = registry("supermicro-SYS-821GE-TNHR").attributes["IntelVirtualizationTechnology_3C6F"]
    assert [c.text for c in labels.choices] == ["Disable", "Enable"]
    names = registry("dell-12g-R720").attributes["ProcPwrPerf"]
    assert [c.text for c in names.choices] == ["SysDbpm", "MaxPerf", "OsDbpm"]
    assert {n: registry(n).locks for n in WHOLE if registry(n).locks == "GrayOut"}.keys() == {
        "lenovo-SR670V2",
        "nvidia-GB200-arm",
        "supermicro-SYS-821GE-TNHR",
    }
    assert names.menu == ("System Profile Settings",)


def _written(folder: Path, data: Any) -> str:
    path = folder / "registry.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return str(path)


def _small(**changes: Any) -> dict[str, Any]:
    """A registry with one attribute and one dependency, of which fields are changed."""
    condition = {"MapFromAttribute": "A", "MapFromCondition": "EQU", "MapFromValue": "On"}
    dependency = {
        "MapFrom": [condition],
        "MapToAttribute": "A",
        "MapToProperty": "ReadOnly",
        "MapToValue": True,
    }
    attribute = {
        "AttributeName": "A",
        "Type": "Enumeration",
        "Value": [{"ValueName": "On"}, {"ValueName": "Off"}],
        "NobodyKnowsThis": 1,
    }
    for part in (condition, dependency, attribute):
        part.update(
            {k: v for k, v in changes.items() if k in part or (k == "MapTerms" and part is condition)}
        )
    return {
        "Extra": {},
        "RegistryEntries": {
            "Attributes": [attribute],
            "Dependencies": [{"Type": "Map", "Dependency": dependency}],
        },
    }


def test_unknown_fields_are_ignored(tmp_path: Path) -> None:
    assert list(read_registry(_written(tmp_path, _small())).attributes) == ["A"]


def _twice(**changes: Any) -> dict[str, Any]:
    """A registry with an attribute that is listed again, where fields are changed."""
    data = _small()
    attributes = data["RegistryEntries"]["Attributes"]
    attributes.append({**attributes[0], **changes})
    return data


def test_an_attribute_may_be_in_several_menus(tmp_path: Path) -> None:
    """As a Lenovo SR670 V2 lists the addresses of a network card."""
    registry = read_registry(_written(tmp_path, _twice(DisplayName="another", CurrentValue="Off")))
    assert registry.attributes["A"] == read_registry(_written(tmp_path, _small())).attributes["A"]


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ("{", "Expecting property name"),
        ("[]", "valid dictionary"),
        ({}, "at RegistryEntries: Field required"),
        (_small(Type="Colour"), "at RegistryEntries.Attributes.0.Type:"),
        (_small(MapToProperty="Colour"), "at RegistryEntries.Dependencies.0.Dependency.MapToProperty:"),
        (_small(MapFromCondition="LIKE"), "Dependency.MapFrom.0.MapFromCondition:"),
        (_small(MapTerms="XOR"), "Dependency.MapFrom.0.MapTerms:"),
        (_small(MapFrom=[]), "Dependency.MapFrom:"),
        (
            _twice(Type="String"),
            "at RegistryEntries.Attributes.1.AttributeName: `A` is declared twice, in different",
        ),
    ],
)
def test_what_is_not_a_registry_is_refused_with_its_place(tmp_path: Path, data: Any, place: str) -> None:
    with pytest.raises(SetpointError) as raised:
        read_registry(_written(tmp_path, data))
    found = raised.value.diagnostics[0]
    assert found.code == "E0609"
    assert place in found.message


def test_current_values_are_read_or_refused(tmp_path: Path) -> None:
    assert read_current(_written(tmp_path, {"Attributes": {"A": "On", "B": 2, "C": True, "D": None}})) == {
        "A": "On",
        "B": 2,
        "C": True,
        "D": None,
    }
    with pytest.raises(SetpointError) as raised:
        read_current(_written(tmp_path, {"Attributes": {"A": ["On"]}}))
    assert {each.code for each in raised.value.diagnostics} == {"E0609"}
    with pytest.raises(SetpointError) as raised:
        read_current(str(tmp_path / "missing.json"))
    assert [each.code for each in raised.value.diagnostics] == ["E0601"]
