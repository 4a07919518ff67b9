"""Mutations of columns: tables of advice, presets, options, tables of figures."""

from collections.abc import Iterator

from proof.mutants.blocks import field_edits, strength_edits
from proof.mutants.edits import (
    Edit,
    Edits,
    conditions,
    figure,
    following,
    item,
    items,
    locator,
    misspelt,
    numbers,
    part,
    replaced,
    values_of,
)
from setpoint.compiler.knowledge.locks import FREE, INITIALLY, KEPT
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import (
    Field,
    Footnote,
    MeasurementTable,
    Name,
    OfferStatement,
    OptionsTable,
    Table,
    TableRow,
)

EMPTY = "_"


def table_edits(table: Table, knowledge: Knowledge) -> Iterator[Edit]:
    """The edits of a table of advice, or of a preset."""
    name = f"{table.source.text} {table.at.text}"
    served = " ".join(value.text for asked in table.when for value in asked.values)
    kind = table.kind
    yield from part(table, "at", locator(f"{kind} {name}", table.at))
    yield from part(table, "source", replaced("source", f"{kind} {name} of", table.source, knowledge.sources))
    yield from part(table, "when", conditions(f"{kind} {name} on {served}", table.when, knowledge, kind))
    yield from part(table, "footnotes", items(table.footnotes, lambda f: _footnote(name, f, table)))
    head, *rows = table.rows
    columns = [" or ".join(value.text for value in cell) for cell in head.cells]
    for r, row in enumerate(rows, 1):
        edits = _row(name, kind, columns, row, knowledge)
        yield from part(table, "rows", item(table.rows, r, edits))
    yield from part(table, "rows", item(table.rows, 0, _head(name, head, knowledge)))


def _footnote(name: str, note: Footnote, table: Table) -> Edits:
    what = f"{name} footnote of {note.row.text} {note.column.text}"
    yield Edit("footnote", f"{what} dropped", None)
    columns = [value.text for cell in table.rows[0].cells for value in cell]
    yield from part(note, "column", replaced("footnote", f"{what} column", note.column, columns))
    yield from part(
        note, "row", replaced("footnote", f"{what} row", note.row, [r.name.text for r in table.rows[1:]])
    )
    yield from part(note, "text", numbers("number-in-footnote", what, note.text))


def _head(name: str, head: TableRow, knowledge: Knowledge) -> Edits:
    for c, cell in enumerate(head.cells):
        for edit in replaced(
            "column", f"{name} column {cell[0].text}", cell[0], values_of(head.name.text, knowledge)
        ):
            yield from part(
                head, "cells", item(head.cells, c, iter([edit._replace(changed=(edit.changed, *cell[1:]))]))
            )
        if len(cell) > 1:
            less = Edit("column", f"{name} column {cell[0].text} without {cell[-1].text}", cell[:-1])
            yield from part(head, "cells", item(head.cells, c, iter([less])))


def _row(name: str, kind: str, columns: list[str], row: TableRow, knowledge: Knowledge) -> Edits:
    setting = row.name.text
    what = f"{name} {setting}"
    yield Edit("delete-row", f"{what} deleted", None)
    for c, cell in enumerate(row.cells):
        yield from part(
            row, "cells", item(row.cells, c, _cell(what, kind, columns[c], setting, cell, knowledge))
        )
    for c, (effect, (value, *_)) in enumerate(zip(row.effects, row.cells, strict=True)):
        if kind == "preset" and value.text not in (EMPTY, FREE):
            for other in sorted({"", KEPT, INITIALLY} - {effect}):
                edit = Edit("preset-effect", f"{what} {columns[c]} {other or 'set'}", other)
                yield from part(row, "effects", item(row.effects, c, iter([edit])))
    yield from part(row, "at", locator(what, row.at))
    if kind == "table":
        yield from part(row, "strength", _strength(what, row, knowledge))
    yield from part(row, "when", conditions(f"{what} if", row.when, knowledge, "row", least=0))
    yield from part(row, "because", numbers("number-in-because", what, row.because))


def _strength(what: str, row: TableRow, knowledge: Knowledge) -> Edits:
    stated = row.strength or Field("strength", (Name("vendor", span=row.span),), (), span=row.span)
    yield from strength_edits(what, stated, knowledge)


def _cell(
    what: str, kind: str, column: str, setting: str, cell: tuple[Name, ...], knowledge: Knowledge
) -> Edits:
    value, *others = cell
    prefix = "preset-" if kind == "preset" else ""
    values = values_of(setting, knowledge)
    if value.text == EMPTY:
        yield Edit(f"{prefix}fill-cell", f"{what} {column} is {values[0]}", (value._replace(text=values[0]),))
        return
    other = following(value.text, values)
    yield Edit(
        f"{prefix}swap-cell", f"{what} {column} is {other}", (value._replace(text=str(other)), *others)
    )
    yield Edit(f"{prefix}empty-cell", f"{what} {column} is empty", (value._replace(text=EMPTY),))
    if kind == "preset" and value.text != FREE:
        yield Edit("preset-free-cell", f"{what} {column} is free", (value._replace(text=FREE),))


# ---------------------------------------------------------------------------------------------------------- options


def options_edits(options: OptionsTable, knowledge: Knowledge) -> Edits:
    """The edits of the offers of a platform or an operating system."""
    served = " ".join(value.text for asked in options.when for value in asked.values)
    name = f"options of {options.source.text} on {served}".rstrip()
    yield from part(options, "source", replaced("source", f"{name} of", options.source, knowledge.sources))
    yield from part(options, "when", conditions(name, options.when, knowledge, "options"))
    yield from part(options, "offers", items(options.offers, lambda o: _offer(served, o, knowledge)))


def _offer(served: str, offer: OfferStatement, knowledge: Knowledge) -> Edits:
    what = f"offer of {offer.setting.text} on {served}"
    yield Edit("delete-offer", f"{what} deleted", None)
    yield from part(offer, "at", locator(what, offer.at))
    yield from part(offer, "when", conditions(f"{what} if", offer.when, knowledge, "offer", least=0))
    if not offer.offered:
        return  # absent: there are no values, and so nothing else to mistake
    yield from _default(what, offer, knowledge)
    yield from part(offer, "offered", items(offer.offered, lambda o: _bounds(what, o)))
    for i, (value, label) in enumerate(offer.offered):
        for kind, name, changed in misspelt("label", f"{what} label of {value.text}", label):
            offered = (*offer.offered[:i], (value, changed), *offer.offered[i + 1 :])
            yield Edit(kind, name, offer._replace(offered=offered))
        if label is not None:
            following_value, following_label = offer.offered[(i + 1) % len(offer.offered)]
            if len(offer.offered) > 1 and following_label is not None and i + 1 < len(offer.offered):
                crossed = list(offer.offered)
                crossed[i], crossed[i + 1] = (value, following_label), (following_value, label)
                yield Edit(
                    "label",
                    f"{what} labels of {value.text} and {following_value.text} crossed",
                    offer._replace(offered=tuple(crossed)),
                )
        if len(offer.offered) > 1:
            less = (*offer.offered[:i], *offer.offered[i + 1 :])
            yield Edit("offered", f"{what} without {value.text}", offer._replace(offered=less))
    offered_now = {value.text for value, _ in offer.offered}
    variable = knowledge.variables[offer.setting.text]
    missing = [v for v in variable.named if not variable.listed(offered_now, v)]
    if missing:
        more = (*offer.offered, (Name(missing[0], span=offer.span), Name("Another", span=offer.span)))
        yield Edit("offered", f"{what} with {missing[0]}", offer._replace(offered=more))
    yield from part(offer, "menu", misspelt("menu", f"{what} menu", offer.menu))


def _bounds(what: str, offered: tuple[Name, Name | None]) -> Edits:
    """A range that ends at another number, or has a step."""
    value, label = offered
    low, to, rest = value.text.partition(" to ")
    high, step, by = rest.partition(" step ")
    digits = high.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    if to:
        less = f"{int(digits) - int(by or 1)}{high.removeprefix(digits)}"
        shorter = value._replace(text=f"{low} to {less}{step}{by}")
        yield Edit("bound", f"{what} range {value.text} ends at {less}", (shorter, label))


def _default(what: str, offer: OfferStatement, knowledge: Knowledge) -> Edits:
    variable = knowledge.variables[offer.setting.text]
    offered = [value.text for value, _ in offer.offered]
    values = [v for v in (*offered, *variable.named) if " " not in v and variable.listed(offered, v)]
    if offer.default is None or offer.default.text == "unknown":
        stated = Name(values[0], span=offer.span)
        yield Edit("default", f"{what} default is {values[0]}", offer._replace(default=stated))
    else:
        yield from part(offer, "default", replaced("default", f"{what} default", offer.default, values))
        unknown = offer.default._replace(text="unknown")
        yield Edit("default", f"{what} default is unknown", offer._replace(default=unknown))


# ---------------------------------------------------------------------------------------------------------- figures


def figures_edits(figures: MeasurementTable, knowledge: Knowledge) -> Edits:
    """The edits of a table of figures."""
    columns = [column.text for column in figures.columns]
    name = f"figures of {figures.source.text} {figures.at.text} {' '.join(columns)}"
    yield Edit("delete-figures", f"{name} deleted", None)
    yield from part(figures, "at", locator(name, figures.at))
    yield from part(figures, "source", replaced("source", f"{name} of", figures.source, knowledge.sources))
    yield from part(figures, "when", conditions(name, figures.when, knowledge, "figures", least=0))
    yield from part(
        figures, "fields", items(figures.fields, lambda field: field_edits(name, field, knowledge))
    )
    metrics = {field.names[0].text for field in figures.fields if field.key == "metric"}
    for r, row in enumerate(figures.rows):
        said = " ".join(cell.text for column, cell in zip(columns, row, strict=True) if column not in metrics)
        what = f"{name} row {said or r + 1}"
        yield Edit(
            "delete-row",
            f"{what} deleted",
            figures._replace(rows=(*figures.rows[:r], *figures.rows[r + 1 :])),
        )
        for c, (column, cell) in enumerate(zip(columns, row, strict=True)):
            edits = _figure_cell(f"{what} {column}", column in metrics, column, cell, knowledge)
            yield from part(figures, "rows", item(figures.rows, r, item(row, c, edits)))


def _figure_cell(what: str, measured: bool, column: str, cell: Name, knowledge: Knowledge) -> Edits:
    if cell.text == EMPTY:
        return
    if measured:
        yield from figure("figure", what, cell)
    elif values := values_of(column, knowledge):
        yield from replaced("figure-cell", what, cell, values)
    else:
        yield from misspelt("figure-label", what, cell)
