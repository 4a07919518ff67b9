"""Tables as in a knowledge file, which is as the source prints them."""

from collections.abc import Iterable

from setpoint.compiler.knowledge.derivation import computed_columns
from setpoint.compiler.knowledge.model import Measurement
from setpoint.compiler.knowledge.vocabulary import EMPTY_CELL
from setpoint.compiler.language.syntax import Field, MeasurementTable, Name, OptionsTable, Table, TableRow
from setpoint.docs.hooks.reference.pieces import Links, code, conditions_text, grid, plain, sentence


def advice_table(table: Table, links: Links) -> str:
    """A table of recommendations, or of the values that profiles fix: settings down, columns across."""
    top, *rows = table.rows
    heads = [code(top.name.text), *map(_cell, top.effects, top.cells), "if", "strength", "place", "why"]
    text = f"### {plain(table.at.text)}\n\n{_when(conditions_text(table.when))}"
    text += grid(heads, (_row(row, links) for row in rows))
    if table.footnotes:
        text += "\n" + "".join(
            f"- {code(note.row.text)}, {note.column.text}: {plain(note.text.text)}\n"
            for note in table.footnotes
        )
    return text


def _row(row: TableRow, links: Links) -> list[str]:
    return [
        links.setting(row.name.text),
        *map(_cell, row.effects, row.cells),
        code(conditions_text(row.when)) if row.when else "",
        _strength(row.strength) if row.strength else "",
        plain(row.at.text) if row.at else "",
        plain(row.because.text) if row.because else "",
    ]


def _strength(field: Field) -> str:
    when = f" where {code(conditions_text(field.conditions))}" if field.conditions else ""
    return field.names[0].text + when


def _cell(effect: str, names: tuple[Name, ...]) -> str:
    values = " or ".join(name.text if name.text != EMPTY_CELL else "–" for name in names)
    return f"{effect} {values}".lstrip()


def _when(conditions: str) -> str:
    return f"Where {code(conditions)}.\n\n" if conditions else ""


def offer_table(table: OptionsTable, links: Links) -> str:
    """The settings that a platform offers, with the labels of its menus."""
    rows = (
        (
            links.setting(offer.setting.text),
            ", ".join(
                f"{code(v.text)} {plain(label.text) if label else ''}".strip() for v, label in offer.offered
            )
            or "absent",
            code(offer.default.text) if offer.default else "",
            plain(offer.menu.text) if offer.menu else "",
            code(conditions_text(offer.when)) if offer.when else "",
            plain(offer.at.text) if offer.at else "",
        )
        for offer in table.offers
    )
    heads = ("setting", "values, and the menu's words for them", "default", "menu", "if", "place")
    return f"{_when(conditions_text(table.when))}{grid(heads, rows)}"


def figure_table(table: MeasurementTable, figures: Iterable[Measurement]) -> str:
    """A table of figures: what was measured, in which unit, on what; and what is computed from it, among all of these
    figures."""
    units = {field.names[0].text: field.names[1].text for field in _of(table, "metric")}
    heads = [f"{c.text} ({plain(units[c.text])})" if c.text in units else c.text for c in table.columns]
    held = conditions_text(condition for field in _of(table, "hold") for condition in field.conditions)
    text = f"### {plain(table.at.text)}\n\n{_when(conditions_text(table.when))}"
    text += f"Held: {code(held)}.\n\n" if held else ""
    computed = computed_columns(table, figures)
    heads += [f"{derived.metric.text} ({plain(derived.unit.text)}), computed" for derived, _ in computed]
    rows = [[plain(cell.text) if cell.text != EMPTY_CELL else "" for cell in row] for row in table.rows]
    text += grid(heads, ([*row, *(texts[i] for _, texts in computed)] for i, row in enumerate(rows)))
    formulas = (f"`{derived.metric.text}` is computed from {plain(derived.text)}." for derived, _ in computed)
    text += "".join(f"\n{formula}\n" for formula in formulas)
    notes = " ".join(field.names[0].text for field in _of(table, "note"))
    return text + (f"\n{sentence(notes)}\n" if notes else "")


def _of(table: MeasurementTable, key: str) -> list[Field]:
    return [field for field in table.fields if field.key == key]
