"""Inventories as tables: CSV, with commas, semicolons or tabs.

The first line has the names of the columns, in any case and order. Rows are read one by one, so that a table can be
larger than the memory.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING

from setpoint.compiler.inventory.model import Broken, FactPlace, Profile, Row, Rows, not_an_inventory
from setpoint.compiler.inventory.table import InventoryTable

if TYPE_CHECKING:
    from _csv import Reader  # the type of `csv.reader` has no public name

DELIMITERS = ",;\t"

MOST_OF_A_FIELD = 1 << 16
"""The maximum length of a field."""

UNCLOSED = "unexpected end of data"
"""What Python's reader says of a quotation that goes on to the end."""


def columns_of(line: str) -> list[str]:
    """The names of the columns in the first line of a table, as they are written; none if it cannot be one."""
    try:
        return next(csv.reader([line], delimiter=delimiter_of(line)), [])
    except csv.Error:
        return []


def delimiter_of(line: str) -> str:
    """The delimiter that is most frequent in a line."""
    return max(DELIMITERS, key=line.count)


def is_table(line: str, table: InventoryTable) -> bool:
    """Whether a first line names a column with hosts."""
    return _place_of(table.names, _numbers(columns_of(line))) is not None


def read_table(path: str, lines: Iterable[str], table: InventoryTable) -> Rows:
    """The rows of a table. Raises SetpointError (E0610) if it has no column with names of hosts."""
    lines = iter(lines)
    first = next(lines, "").rstrip("\r\n")
    columns = columns_of(first)
    number_of = _numbers(columns)
    host = _place_of(table.names, number_of)
    if host is None:
        headings = ", ".join(f"`{column.strip()}`" for column in columns if column.strip()) or "nothing"
        raise not_an_inventory(
            path,
            "no column has the names of hosts",
            f"its columns: {headings}",
            f"call it one of: {', '.join(table.names)}",
        )
    groups = _place_of(table.groups, number_of)
    found_places = [
        (FactPlace(fact, place), tuple(number_of[part] for part in place))
        for fact, places in table.facts.items()
        for place in dict.fromkeys(tuple(map(_plain, parts)) for parts in places)
        if all(part in number_of for part in place)
    ]
    used = {host, groups, *(number for _, numbers in found_places for number in numbers)}
    broken: list[Broken] = []
    csv.field_size_limit(MOST_OF_A_FIELD)
    reader = csv.reader(lines, delimiter=delimiter_of(first), strict=True)
    rows = _rows(reader, host, groups, [numbers for _, numbers in found_places], broken, len(columns))
    return Rows(
        "CSV",
        tuple(place for place, _ in found_places),
        rows,
        broken,
        lambda: reader.line_num + 1,
        tuple(
            column.strip() for number, column in enumerate(columns) if number not in used and column.strip()
        ),
    )


def _rows(
    reader: "Reader",
    host: int,
    groups: int | None,
    places: list[tuple[int, ...]],
    broken: list[Broken],
    columns: int,
) -> Iterator[Row]:
    """The rows, as fast as Python reads them: a table of a million hosts is read in this loop."""
    is_simple = groups is not None and bool(places) and all(len(numbers) == 1 for numbers in places)
    simple = itemgetter(groups or 0, *(numbers[0] for numbers in places))

    def profile(row: list[str]) -> Profile:
        texts = (" ".join(filter(None, (row[number].strip() for number in numbers))) for numbers in places)
        return ("" if groups is None else row[groups], *texts)

    profile_of: Callable[[list[str]], Profile] = simple if is_simple else profile
    while True:
        try:
            for row in reader:
                try:
                    yield row[host], profile_of(row)
                except IndexError:
                    if row:
                        broken.append(Broken(reader.line_num + 1, f"it has {len(row)} of {columns} columns"))
            return
        except csv.Error as error:
            why = "a quotation is not closed" if str(error) == UNCLOSED else str(error)
            broken.append(Broken(reader.line_num + 1, why))


def _plain(name: str) -> str:
    return name.strip().casefold()


def _numbers(columns: list[str]) -> dict[str, int]:
    """The number of each column by its name, the first of those with one name."""
    return {_plain(name): number for number, name in reversed(list(enumerate(columns)))}


def _place_of(names: Iterable[str], number_of: Mapping[str, int]) -> int | None:
    """The column with the first of these names that there is."""
    return next((number_of[_plain(name)] for name in names if _plain(name) in number_of), None)
