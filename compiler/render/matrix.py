"""A matrix as text, Markdown and JSON: a row for each setting, a column for each value of the fact.

A value that no artifact sets, as the vendor's default, is in brackets. Columns that do not fit beside each other are in
tables one below another. Text has the values alone; Markdown and JSON have who recommends each.
"""

from collections.abc import Callable, Iterator

from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.matrix import Matrix, MatrixRow, matrix_rows
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.escape import code, escape, head, prose, row
from setpoint.compiler.render.table import GAP, INDENT, paragraph
from setpoint.compiler.render.visible import json_object, json_text, visible_lines
from setpoint.compiler.render.words import LAYER_TITLES, count, source_of, voice_of

SCHEMA = "setpoint.matrix/1"

ABSENT = "-"
"""In place of a setting that a column does not have, and of a hazard that does not arise."""


class MatrixShown(NamedTuple):
    """A matrix to show: titled rows of a name and a text for each column, and how many settings are left out."""

    parts: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
    same: int


def matrix_text(matrix: Matrix, knowledge: Knowledge, whole: bool, width: int) -> str:
    """The matrix for a terminal: the settings that differ, or all of them, as of a single column."""
    shown = _shown(matrix, knowledge, whole, _value)
    every = [cells for _, rows in shown.parts for cells in rows]
    widths = [max(map(len, column)) for column in zip(*every, (matrix.fact, *matrix.columns), strict=True)]
    text = ""
    for columns in _beside(widths, width):
        text += _line(("", *matrix.columns), widths, columns)
        for title, rows in shown.parts:
            text += f"{title}\n" + "".join(_line(cells, widths, columns) for cells in rows)
        text += "\n"
    return visible_lines(
        text + "".join(paragraph(sentence, width, 0) for sentence in _sentences(matrix, shown))
    )


def matrix_markdown(matrix: Matrix, knowledge: Knowledge, whole: bool) -> str:
    """The matrix as a table for each layer, with the source of each value."""
    shown = _shown(matrix, knowledge, whole, _with_source)
    text = f"# Settings by {escape(matrix.fact)}\n"
    for title, rows in shown.parts:
        text += f"\n## {title}\n\n" + head("", *map(escape, matrix.columns))
        text += "".join(row(code(name), *map(escape, cells)) for name, *cells in rows)
    return text + "".join(f"\n{prose(sentence)}\n" for sentence in _sentences(matrix, shown))


def matrix_json(matrix: Matrix, knowledge: Knowledge) -> str:
    """The whole matrix for programs."""
    settings = [
        {
            **json_object(matrix_row, "setting=setting.name title=setting.title layer=setting.layer differs"),
            "cells": [
                None
                if decision is None
                else {
                    "value": decision.value,
                    "source": source_of(decision.cause),
                    "written": decision.written,
                }
                for decision in matrix_row.decisions
            ],
        }
        for matrix_row in _rows(matrix, knowledge)
    ]
    hazards = [{"hazard": name, "states": list(states)} for name, *states in _hazards(matrix)]
    failed = [{"value": value, "message": errors[0].message} for value, errors in matrix.failed.items()]
    data = {"schema": SCHEMA, "fact": matrix.fact, "values": list(matrix.columns)}
    return json_text({**data, "settings": settings, "hazards": hazards, "failed": failed})


def _rows(matrix: Matrix, knowledge: Knowledge) -> tuple[MatrixRow, ...]:
    return matrix_rows(knowledge, {value: judged.plan for value, judged in matrix.columns.items()})


def _shown(
    matrix: Matrix, knowledge: Knowledge, whole: bool, text: Callable[[Decision | None], str]
) -> MatrixShown:
    rows = _rows(matrix, knowledge)
    chosen = [matrix_row for matrix_row in rows if whole or matrix_row.differs or len(matrix.columns) == 1]
    parts = [
        (
            title,
            tuple((r.setting.name, *map(text, r.decisions)) for r in chosen if r.setting.layer == layer),
        )
        for layer, title in LAYER_TITLES.items()
    ]
    parts.append(("Hazards", tuple(_hazards(matrix))))
    return MatrixShown(tuple(part for part in parts if part[1]), len(rows) - len(chosen))


def _hazards(matrix: Matrix) -> Iterator[tuple[str, ...]]:
    """The hazards that arise in a column, with their state in each."""
    names = dict.fromkeys(name for judged in matrix.columns.values() for name in judged.hazards)
    for name in names:
        states = (judged.hazards.get(name) for judged in matrix.columns.values())
        yield (name, *(state.state if state else ABSENT for state in states))


def _value(decision: Decision | None) -> str:
    if decision is None:
        return ABSENT
    return decision.value if decision.written else f"({decision.value})"


def _with_source(decision: Decision | None) -> str:
    return ABSENT if decision is None else f"{_value(decision)}: {voice_of(decision.cause)}"


def _sentences(matrix: Matrix, shown: MatrixShown) -> Iterator[str]:
    """What is not in the rows: what brackets mean, how many settings do not differ, and the values without a plan."""
    yield "In brackets: no artifact sets it; it is the default, or what a profile sets."
    if shown.same:
        yield f"{count(shown.same, 'setting has', 'settings have')} the same value in every column: `--all` lists them."
    for value, errors in matrix.failed.items():
        yield f"No plan for {matrix.fact} {value}: {errors[0].message}."


# ------------------------------------------------------------------------------------------- the text


def _beside(widths: list[int], width: int) -> Iterator[tuple[int, ...]]:
    """The columns of each table: as many as fit beside the names, one at least."""
    before = INDENT + widths[0]
    taken: list[int] = []
    for number in range(1, len(widths)):
        if taken and before + sum(GAP + widths[column] for column in (*taken, number)) > width:
            yield tuple(taken)
            taken = []
        taken.append(number)
    yield tuple(taken)


def _line(cells: tuple[str, ...], widths: list[int], columns: tuple[int, ...]) -> str:
    text = "".join(cells[column].ljust(widths[column] + GAP) for column in (0, *columns))
    return f"{' ' * INDENT}{text}".rstrip() + "\n"
