"""The standard library with one thing changed: what a slip of the hand would do to it.

A mutant is a small change to the trees of the knowledge files: an edge between rules dropped, a value swapped, a
condition widened or narrowed, a constraint or a hazard deleted. Which of all mutants are tried by default is a matter
of their names alone, so that a change elsewhere in the library does not exchange them for others.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from zlib import crc32

from setpoint.compiler.knowledge.build import Layered, build
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Block, Condition, Field, File, Name, Row, Table

Trees = tuple[File, ...]
Statement = Any


class Mutant(NamedTuple):
    """One change: its kind, its name, and the trees that it makes."""

    kind: str
    name: str
    change: Callable[[], Trees]

    def knowledge(self) -> Knowledge:
        """The changed knowledge base. Raises SetpointError where it no longer is one."""
        return build([Layered(tree, "stdlib") for tree in self.change()])


def mutants(trees: Trees, knowledge: Knowledge) -> Iterator[Mutant]:
    """Every mutant."""
    for f, file in enumerate(trees):
        for s, statement in enumerate(file.body):
            for kind, name, changed in _of(statement, knowledge):
                yield Mutant(kind, name, _put(trees, f, s, changed))


def sample(found: list[Mutant], each: int) -> list[Mutant]:
    """So many of each kind, chosen by their names."""
    by_kind: dict[str, list[Mutant]] = {}
    for mutant in sorted(found, key=lambda m: (crc32(m.name.encode()), m.name)):
        by_kind.setdefault(mutant.kind, []).append(mutant)
    return [mutant for kind in sorted(by_kind) for mutant in by_kind[kind][:each]]


def _put(trees: Trees, f: int, s: int, changed: Statement | None) -> Callable[[], Trees]:
    def trees_with_it() -> Trees:
        body = trees[f].body
        instead = (changed,) if changed is not None else ()
        return (*trees[:f], trees[f]._replace(body=(*body[:s], *instead, *body[s + 1 :])), *trees[f + 1 :])

    return trees_with_it


Change = tuple[str, str, Statement | None]
"""The kind of a change, its name, and the statement as it then is; None where it is gone."""


def _of(statement: Statement, knowledge: Knowledge) -> Iterator[Change]:
    if isinstance(statement, Block) and statement.kind in ("rule", "constraint", "hazard"):
        yield from _of_block(statement, knowledge)
    elif isinstance(statement, Block) and statement.kind == "source":
        yield from (
            ("drop-edge", f"{statement.name.text} supersedes nothing", _without(statement, i))
            for i, field in enumerate(statement.fields)
            if field.key == "supersedes"
        )
    elif isinstance(statement, Table) and statement.kind == "table":
        yield from _of_table(statement, knowledge)


def _of_block(block: Block, knowledge: Knowledge) -> Iterator[Change]:
    name = block.name.text
    if block.kind in ("constraint", "hazard"):
        yield f"delete-{block.kind}", f"{name} deleted", None
    for i, field in enumerate(block.fields):
        if field.key == "exception":
            yield "drop-edge", f"{name} no exception to {field.names[0].text}", _without(block, i)
        elif field.key == "use":
            setting, value = field.names
            other = _other(knowledge, setting.text, value.text)
            changed = field._replace(names=(setting, value._replace(text=other)))
            yield "swap-value", f"{name} uses {other}", _with(block, i, changed)
        elif field.key == "when":
            for c, condition in enumerate(field.conditions):
                rest = (*field.conditions[:c], *field.conditions[c + 1 :])
                if rest:
                    yield (
                        "widen",
                        f"{name} without {condition.name.text}",
                        _with(block, i, field._replace(conditions=rest)),
                    )
                if (less := _narrowed(condition)) is not None:
                    narrow = (*field.conditions[:c], less, *field.conditions[c + 1 :])
                    what = f"{name} with less of {condition.name.text}"
                    yield "narrow", what, _with(block, i, field._replace(conditions=narrow))


def _of_table(table: Table, knowledge: Knowledge) -> Iterator[Change]:
    for r, row in enumerate(table.rows[1:], 1):
        for c, cell in enumerate(row.cells):
            (name,) = cell
            if name.text == "_":
                continue
            other = _other(knowledge, row.name.text, name.text)
            cells = (*row.cells[:c], (name._replace(text=other),), *row.cells[c + 1 :])
            rows: tuple[Row, ...] = (*table.rows[:r], row._replace(cells=cells), *table.rows[r + 1 :])
            column = table.rows[0].cells[c][0].text
            what = f"{table.source.text} {table.at.text} {row.name.text} {column} is {other}"
            yield "swap-cell", what, table._replace(rows=rows)


def _other(knowledge: Knowledge, setting: str, value: str) -> str:
    """Another value of a setting: the next in its list."""
    values = knowledge.settings[setting].values
    return values[(values.index(value) + 1) % len(values)]


def _narrowed(condition: Condition) -> Condition | None:
    """A condition without the last of its values; None if it has one only."""
    values: tuple[Name, ...] = condition.values
    return condition._replace(values=values[:-1]) if len(values) > 1 else None


def _with(block: Block, i: int, field: Field) -> Block:
    return block._replace(fields=(*block.fields[:i], field, *block.fields[i + 1 :]))


def _without(block: Block, i: int) -> Block:
    return block._replace(fields=(*block.fields[:i], *block.fields[i + 1 :]))
