"""Mutants of the standard library: each is the library with one small slip of the hand in it.

A mutant changes one word, number, condition, row or statement in the trees of the knowledge files. The operators are
data driven: `blocks.py` says what can go wrong in each field of a block, `tables.py` does so for what stands in
columns, and both are put together from the edits of `edits.py`.

A mutant's name is made of the names in the statement and of the change. It does not depend on other statements, so
editing one part of the library does not rename the mutants of another. The sample depends on names alone too.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple
from zlib import crc32

from proof.mutants.blocks import assumption_edits, block_edits
from proof.mutants.edits import Edit
from proof.mutants.tables import figures_edits, options_edits, table_edits
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import (
    Assume,
    Block,
    File,
    MeasurementTable,
    OptionsTable,
    Statement,
    Table,
)

Trees = tuple[File, ...]


class Mutant(NamedTuple):
    """One change: its kind, its name, and the trees that it makes."""

    kind: str
    name: str
    trees: Callable[[], Trees]

    def knowledge(self) -> Knowledge:
        """Build the changed knowledge base. Raises SetpointError where it no longer is one."""
        return build([LayeredFile(tree, "stdlib") for tree in self.trees()])


def mutants(trees: Trees, knowledge: Knowledge) -> Iterator[Mutant]:
    """Every mutant. Names are unique: a second of the same name has `(2)` behind it."""
    seen: dict[str, int] = {}
    for f, file in enumerate(trees):
        for s, statement in enumerate(file.body):
            for kind, what, changed in statement_edits(statement, knowledge):
                number = seen[what] = seen.get(what, 0) + 1
                name = what if number == 1 else f"{what} ({number})"
                yield Mutant(kind, name, _replaced(trees, f, s, changed))


def sample(found: list[Mutant], each: int) -> list[Mutant]:
    """So many mutants of each kind, chosen by their names."""
    by_kind: dict[str, list[Mutant]] = {}
    for mutant in sorted(found, key=lambda m: (crc32(m.name.encode()), m.name)):
        by_kind.setdefault(mutant.kind, []).append(mutant)
    return [mutant for kind in sorted(by_kind) for mutant in by_kind[kind][:each]]


def statement_edits(statement: Statement, knowledge: Knowledge) -> Iterator[Edit]:
    """The edits of one statement of a knowledge file."""
    if isinstance(statement, Block):
        yield from block_edits(statement, knowledge)
    elif isinstance(statement, Table):
        yield from table_edits(statement, knowledge)
    elif isinstance(statement, OptionsTable):
        yield from options_edits(statement, knowledge)
    elif isinstance(statement, MeasurementTable):
        yield from figures_edits(statement, knowledge)
    elif isinstance(statement, Assume):
        yield from assumption_edits(statement, knowledge)


def _replaced(trees: Trees, f: int, s: int, changed: Statement | None) -> Callable[[], Trees]:
    def with_it() -> Trees:
        body = trees[f].body
        instead = (changed,) if changed is not None else ()
        return (*trees[:f], trees[f]._replace(body=(*body[:s], *instead, *body[s + 1 :])), *trees[f + 1 :])

    return with_it
