"""Presets: what each value of a governing setting does to its members, cell by cell as the source has it."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.boxes import meet
from setpoint.compiler.knowledge.locks import FREE, INITIALLY, KEPT, Preset
from setpoint.compiler.knowledge.model import Setting
from setpoint.compiler.knowledge.vocabulary import EMPTY_CELL, Vocabulary
from setpoint.compiler.language.syntax import Table, TableRow
from setpoint.compiler.record import NamedTuple


class _Cell(NamedTuple):
    """A cell: the value of the governing setting, the member, and what is written there."""

    column: str
    member: str
    effect: str
    values: tuple[str, ...]


def presets(vocabulary: Vocabulary) -> tuple[Preset, ...]:
    """All presets, in an order that does not depend on the files."""
    entries = []
    for table in vocabulary.of(Table):
        if table.kind != "preset" or not table.rows:
            continue
        head, *rows = table.rows
        names = [cell[0] for cell in head.cells]
        vocabulary.report_duplicates(f"column of `{head.name.text}`", [(n.text, n.span) for n in names])
        vocabulary.report_duplicates(
            f"member of `{head.name.text}`", [(r.name.text, r.name.span) for r in rows]
        )
        cells = [cell for row in rows for cell in _cells(vocabulary, head, row)]
        known = [vocabulary.has_setting_value(head.name, name) for name in names]
        if all(known):
            entries.append(_preset(vocabulary, table, cells))
    entries.sort(key=_sort_key)
    vocabulary.findings.extend(_disagreements(entries))
    return tuple(entries)


def standing_profiles(settings: Mapping[str, Setting], tables: Iterable[Preset]) -> frozenset[str]:
    """The governing settings of the operating system of which no table fixes a member.

    Software applies such a profile anew each time, so that nobody finds one whose members differ from it.
    """
    governing, fixing = set(), set()
    for table in tables:
        governing.add(table.governor)
        if any(cell != FREE for column in table.columns.values() for cell in column.values()):
            fixing.add(table.governor)
    return frozenset(name for name in governing - fixing if settings[name].layer == "os")


def _preset(vocabulary: Vocabulary, table: Table, cells: list[_Cell]) -> Preset:
    head, *rows = table.rows
    columns: dict[str, dict[str, str]] = {names[0].text: {} for names in head.cells}
    for cell in cells:
        columns[cell.column][cell.member] = FREE if cell.effect == INITIALLY else cell.values[0]
    return Preset(
        governor=head.name.text,
        when=vocabulary.words.box(table.when),
        columns=columns,
        members=tuple(sorted(row.name.text for row in rows)),
        citation=vocabulary.citation(table.source, table.at),
        span=table.at.span,
        kept=frozenset((cell.column, cell.member) for cell in cells if cell.effect == KEPT),
        undecided=frozenset((cell.column, cell.member) for cell in cells if len(cell.values) > 1),
        initial={(c.column, c.member): c.values[0] for c in cells if c.effect == INITIALLY},
    )


def _sort_key(preset: Preset) -> tuple[object, ...]:
    """The content of a preset, for an order that does not depend on the text."""
    cells = sorted(
        (value, member, cell) for value, column in preset.columns.items() for member, cell in column.items()
    )
    effects = sorted(preset.kept), sorted(preset.undecided), sorted(preset.initial.items())
    return preset.governor, preset.when, preset.citation, cells, effects, preset.span


def _cells(vocabulary: Vocabulary, head: TableRow, row: TableRow) -> Iterator[_Cell]:
    """The cells of a row that say something; what cannot be understood is reported."""
    if not vocabulary.has_setting(row.name) or not vocabulary.has_all_cells(head, row):
        return
    for column, effect, values in zip(head.cells, row.effects, row.cells, strict=True):
        is_plain = not effect and len(values) == 1
        if is_plain and values[0].text in (EMPTY_CELL, FREE):
            if values[0].text == FREE:
                yield _Cell(column[0].text, row.name.text, "", (FREE,))
        elif effect and len(values) > 1:
            vocabulary.wrong(f"a cell with `{effect}` has one value", values[1].span, "one too many")
        else:
            known = [value.text for value in values if vocabulary.has_value(row.name.text, value)]
            if len(known) == len(values):
                yield _Cell(column[0].text, row.name.text, effect, tuple(known))


def _disagreements(presets: list[Preset]) -> Iterator[Diagnostic]:
    """Tables that can apply together and disagree on what a value does to a member (K07).

    A table with another condition may fix what this one leaves free.
    """
    for a, b in combinations(presets, 2):
        if a.governor != b.governor or meet(a.when, b.when) is None:
            continue
        for value, members in a.columns.items():
            for member, cell in members.items():
                other = b.columns.get(value, {}).get(member, cell)
                if a.when == b.when or FREE not in (cell, other):
                    yield from _disagreement(a, b, value, member, cell, other)
        for (value, member), start in a.initial.items():
            yield from _disagreement(a, b, value, member, start, b.initial.get((value, member), start))


def _disagreement(
    a: Preset, b: Preset, value: str, member: str, cell: str, other: str
) -> Iterator[Diagnostic]:
    if cell != other:
        yield Diagnostic(
            "K07",
            f"two tables disagree on what `{a.governor} {value}` does to `{member}`",
            b.span,
            f"says {other}",
            (Label(a.span, f"says {cell}"),),
            help=("correct one of them, or give them conditions that exclude each other",),
        )
