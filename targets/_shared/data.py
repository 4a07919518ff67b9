"""How a system spells what a plan says: data, as TOML beside the code that reads it.

Tables are by platform or by OS. A plan names these as far as it knows them, so a table holds for all that lies within,
and the nearest one counts: `nearest(table, ("slc-5", "rhel-5", "linux"))`.
"""

import os
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

Value = TypeVar("Value")


def folder(package: ModuleType) -> str:
    """Where a package's files are."""
    return next(iter(package.__path__))


@cache
def data(package: ModuleType, name: str = "spelling.toml") -> dict[str, Any]:
    """A TOML file of a package. It is read once, and not to be changed."""
    with open(os.path.join(folder(package), name), "rb") as file:
        return tomllib.load(file)


def nearest(table: Mapping[str, Value], lineage: Iterable[str]) -> Value | None:
    """The entry for the first of the names that has one."""
    return next((table[name] for name in lineage if name in table), None)
