"""How targets are found: by their folders, and by what outside packages have registered."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from setpoint.compiler.lowering.target import targets
from setpoint.targets.report import TARGET


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """How often our entry points are asked for; an outside package has one target. Others' are as they are."""
    asked: list[str] = []
    every = importlib.metadata.entry_points

    def entry_points(**told: Any) -> Any:
        if told != {"group": "setpoint.targets"}:
            return every(**told)
        asked.append(told["group"])
        return [SimpleNamespace(load=lambda: SimpleNamespace(name="outside", title="", layers=()))]

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    targets.cache_clear()
    yield asked
    targets.cache_clear()


def test_targets_are_those_of_the_folders_and_of_outside_packages(looked: list[str]) -> None:
    found = targets()
    assert found["report"] is TARGET
    assert found["outside"].name == "outside"
    assert list(found) == sorted(found)
    assert not any(name.startswith("_") for name in found)


def test_they_are_looked_for_once(looked: list[str]) -> None:
    """A bundle asks for them a dozen times, and to look means to read the metadata of every installed package."""
    assert targets() is targets()
    assert looked == ["setpoint.targets"]
