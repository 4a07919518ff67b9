"""The spellings of a system as data: TOML beside the code that reads it.

Tables are by platform or by OS. A plan names these as precisely as it knows them, so a table applies to all values
within its own, and the nearest table is used: `nearest(table, ("slc-5", "rhel-5", "linux"))`.
"""

import os
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

Value = TypeVar("Value")


def folder(package: ModuleType) -> str:
    """The folder of a package's files."""
    return next(iter(package.__path__))


@cache
def data(package: ModuleType, name: str = "spelling.toml") -> dict[str, Any]:
    """A TOML file of a package. It is read once; do not modify it."""
    with open(os.path.join(folder(package), name), "rb") as file:
        return tomllib.load(file)


def nearest(table: Mapping[str, Value], lineage: Iterable[str]) -> Value | None:
    """The entry for the first of the names that has one."""
    return next((table[name] for name in lineage if name in table), None)
