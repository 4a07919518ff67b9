"""The spellings of a system as data: TOML beside the code that reads it.

Tables are by platform or by OS. A plan names these as precisely as it knows them, so a table applies to all values
within its own, and the nearest table is used: `nearest(table, ("slc-5", "rhel-5", "linux"))`.
"""

import os
from collections.abc import Iterable, Mapping
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

import setpoint.targets
from setpoint.compiler.files.cache import cached

Value = TypeVar("Value")


def folder(package: ModuleType) -> str:
    """The folder of a package's files."""
    return next(iter(package.__path__))


def data(package: ModuleType, name: str = "spelling.toml") -> dict[str, Any]:
    """A TOML file of a package. It is read once; do not modify it."""
    path = os.path.join(folder(package), name)
    ours = _tables()
    return ours[path] if path in ours else _read(path)


@cache
def _tables() -> dict[str, dict[str, Any]]:
    """The tables of all targets by their paths, from the cache: the reader of TOML takes longer than what most targets
    make."""
    below = folder(setpoint.targets)
    packages = (os.path.join(below, name) for name in sorted(os.listdir(below)) if "." not in name)
    files = [
        os.path.join(place, n) for place in packages for n in sorted(os.listdir(place)) if n.endswith(".toml")
    ]
    tables: dict[str, dict[str, Any]] = cached(
        "tables", files, lambda: [{path: _read(path) for path in files}]
    )[0]
    return tables


@cache
def _read(path: str) -> dict[str, Any]:
    import tomllib  # only needed where the cache does not have it

    with open(path, "rb") as file:
        return tomllib.load(file)


def nearest(table: Mapping[str, Value], lineage: Iterable[str]) -> Value | None:
    """The entry for the first of the names that has one."""
    return next((table[name] for name in lineage if name in table), None)
