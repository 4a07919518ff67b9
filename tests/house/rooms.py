"""The rooms of the compiler and the folders beside it: their order, and what each imports, read from the code.

`test_architecture` holds the code to the order, and `architecture` draws it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from support.command import ROOT

ROOMS = """
    __main__
    cli playground
    rollout
    fleet lsp
    adoption comparison proof
    policies audit
    pipeline
    fitting
    lowering
    render
    verification
    resolution inventory entries
    captures
    binding
    plan registries twin
    knowledge
    language
    budget
    diagnostics files
    record
    hints
    targets grammar stdlib
"""
"""The rooms from the top down: each imports only from lines below its own, except as `EXPLAINED`."""

FLOOR = {room: number for number, line in enumerate(ROOMS.split("\n")) for room in line.split()}
"""How far down a room is."""


class Import(NamedTuple):
    """One room imports something from another."""

    room: str
    imported: str

    @property
    def upward(self) -> bool:
        """Whether it goes against the order."""
        return FLOOR[self.imported] <= FLOOR[self.room]


EXPLAINED = {"targets": "0007-targets-found.md"}
"""The rooms whose imports go up, each with the decision that explains it: targets import what finds them."""


@cache
def imports() -> frozenset[Import]:
    """Which room imports from which, imports within functions included."""
    found = set()
    for top in ("compiler", "targets"):
        for path in sorted((ROOT / top).rglob("*.py")):
            inner = path.relative_to(ROOT / "compiler").with_suffix("").parts[0] if top == "compiler" else top
            found |= {Import(inner, room) for room in rooms_imported(path)} if inner != "__init__" else set()
    return frozenset(one for one in found if one.room != one.imported)


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax of a module, which many tests of the house look at."""
    return ast.parse(path.read_text(encoding="utf-8"))


def rooms_imported(path: Path) -> Iterator[str]:
    """The rooms of `setpoint.compiler`, and the folders beside it, that a module imports anything from."""
    for name in names_imported(path):
        top, _, inner = name.partition(".")
        folder, _, rest = inner.partition(".")
        if top == "setpoint" and folder and (folder != "compiler" or rest):
            yield rest.partition(".")[0] if folder == "compiler" else folder


def names_imported(path: Path) -> Iterator[str]:
    """What a module imports, by whole names: modules, and what is taken from them."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules() -> dict[str, set[str]]:
    """The modules of the code by name, and which of them each imports, within functions and for types included. The
    face of a package is none, since it stands for its modules."""
    paths = {
        ".".join(("setpoint", *path.relative_to(ROOT).with_suffix("").parts)): path
        for top in ("compiler", "targets")
        for path in (ROOT / top).rglob("*.py")
        if path.name != "__init__.py"
    }
    return {
        module: {name for full in names_imported(path) for name in (full, full.rpartition(".")[0])}
        & paths.keys()
        for module, path in sorted(paths.items())
    }
