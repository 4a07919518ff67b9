"""A source as text, for `kb show`: its tables and figures as it prints them, then its other statements.

The tables come from the trees of the knowledge files, which have rows and columns where the knowledge base has a rule
or a figure for each cell. So a reader can compare them with the page of the paper.
"""

from collections.abc import Iterable

from setpoint.compiler.knowledge.derivation import computed_columns
from setpoint.compiler.knowledge.model import Knowledge, Related, Source
from setpoint.compiler.knowledge.vocabulary import EMPTY_CELL
from setpoint.compiler.language.syntax import (
    Condition,
    Field,
    File,
    Footnote,
    MeasurementTable,
    Name,
    Table,
    TableRow,
)
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.words import conditions_held, measured_of, varied_of


def source_text(knowledge: Knowledge, trees: tuple[File, ...], name: str, width: int) -> str:
    """The whole page of a source, ended by a line break; "" if there is no such source."""
    source = knowledge.sources.get(name)
    if source is None:
        return ""
    body = [statement for tree in trees for statement in tree.body]
    tables = [s for s in body if isinstance(s, Table) and s.source.text == name]
    figures = [s for s in body if isinstance(s, MeasurementTable) and s.source.text == name]
    parts = [
        _head(knowledge, source, width),
        *(_table(source_table, width) for source_table in tables),
        _rules(knowledge, name, width),
        *(_figures(knowledge, figure_table, width) for figure_table in figures),
        _measurements(knowledge, name, width),
    ]
    return "\n".join(part for part in parts if part)


def _head(knowledge: Knowledge, source: Source, width: int) -> str:
    rows = [
        ("title", source.title),
        ("author", source.author),
        ("publisher", source.publisher),
        ("date", source.date),
        ("url", source.url),
        *(("pin", pin.text) for pin in source.pins),
        ("supersedes", source.supersedes),
        ("scope", knowledge.box_text(source.scope)),
        ("related", _related(knowledge, source.related) if source.related else ""),
        ("about", source.about),
    ]
    return f"source {source.name}\n" + table([row for row in rows if row[1]], width)


def _related(knowledge: Knowledge, related: Related) -> str:
    return f"{knowledge.box_text(related.when)}, with strength {related.strength}: {related.because}"


def _table(source_table: Table, width: int) -> str:
    """A table of recommendations, or of the values that profiles fix: settings down, columns across."""
    top, *rows = source_table.rows
    text = _title(source_table.at.text, source_table.when, width)
    text += table(
        [(top.name.text, *map(_cell, top.effects, top.cells), ""), *(_row(row) for row in rows)],
        width,
        least_last=40,
    )
    return text + "".join(paragraph(_footnote(note), width) for note in source_table.footnotes)


def _title(at: str, when: Iterable[Condition], width: int) -> str:
    conditions = _conditions_text(when)
    return paragraph(f"{at}{f', where {conditions}' if conditions else ''}", width, 0)


def _row(row: TableRow) -> tuple[str, ...]:
    value_notes = (
        f"if {_conditions_text(row.when)}" if row.when else "",
        _strength(row.strength) if row.strength else "",
        f"at {row.at.text}" if row.at else "",
        row.because.text if row.because else "",
    )
    return (row.name.text, *map(_cell, row.effects, row.cells), "; ".join(filter(None, value_notes)))


def _strength(field: Field) -> str:
    when = f" when {_conditions_text(field.conditions)}" if field.conditions else ""
    return field.names[0].text + when


def _cell(effect: str, names: tuple[Name, ...]) -> str:
    values = " or ".join("" if name.text == EMPTY_CELL else name.text for name in names)
    return f"{effect} {values}".lstrip()


def _footnote(note: Footnote) -> str:
    return f"{note.row.text}, {note.column.text}: {note.text.text}"


def _conditions_text(conditions: Iterable[Condition]) -> str:
    return ", ".join(
        f"{c.name.text} {'not ' if c.negated else ''}{' or '.join(v.text for v in c.values)}"
        for c in conditions
    )


def _rules(knowledge: Knowledge, name: str, width: int) -> str:
    """The advice in words, outside of tables."""
    rows = [
        (rule.name, f"{rule.setting} {rule.value} where {knowledge.box_text(rule.when)}")
        for rule in knowledge.rules
        if rule.citation.source == name and not rule.table
    ]
    return f"rules ({len(rows)})\n" + table(rows, width) if rows else ""


def _figures(knowledge: Knowledge, figure_table: MeasurementTable, width: int) -> str:
    """A table of figures, each metric with its unit, and what is computed from it."""
    units = {field.names[0].text: field.names[1].text for field in _of(figure_table, "metric")}
    heads = [_heading(column.text, units.get(column.text, "1")) for column in figure_table.columns]
    computed = computed_columns(figure_table, knowledge.measurements)
    heads += [_heading(derived.metric.text, derived.unit.text) for derived, _ in computed]
    rows = [
        (
            *("" if cell.text == EMPTY_CELL else cell.text for cell in row),
            *(texts[i] for _, texts in computed),
        )
        for i, row in enumerate(figure_table.rows)
    ]
    text = _title(figure_table.at.text, figure_table.when, width) + table([tuple(heads), *rows], width)
    held = _conditions_text(
        condition for field in _of(figure_table, "hold") for condition in field.conditions
    )
    notes = " ".join(field.names[0].text for field in _of(figure_table, "note"))
    formulas = ((f"{derived.metric.text} computed from", derived.text) for derived, _ in computed)
    below = ("held", held), *formulas, ("note", notes)
    return text + "".join(paragraph(f"{what}: {said}", width) for what, said in below if said)


def _heading(column: str, unit: str) -> str:
    return column if unit == "1" else f"{column} ({unit})"


def _of(figure_table: MeasurementTable, key: str) -> list[Field]:
    return [field for field in figure_table.fields if field.key == key]


def _measurements(knowledge: Knowledge, name: str, width: int) -> str:
    """The figures that the source gives in words, outside of tables, each with the name that shows it in full."""
    rows = []
    for m in sorted(knowledge.measurements, key=lambda m: m.span):
        if m.citation.source == name and not m.name.startswith(f"{name}."):
            context = ", ".join(f"{fact} {value}" for fact, value in (*m.labels, *m.when))
            varied = f"{m.varied[0]} {varied_of(m)}" if m.varied else ""
            held = f"held: {conditions_held(m)}" if m.held else ""
            parts = (varied, context, held, m.note.rstrip("."), m.name)
            details = "; ".join(part for part in parts if part)
            rows.append((m.citation.at, f"{m.metric} {measured_of(m)}", details))
    return f"measurements ({len(rows)})\n" + table(rows, width) if rows else ""
