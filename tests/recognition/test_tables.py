"""The tables of names as machines print them are well formed: columns, uniqueness, and values of the library.

The tables are data for tests of recognition. Nothing here recognises anything: a table with a misspelt generation or a
row that occurs twice would make those tests prove less than they seem to.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from setpoint.compiler.knowledge.model import Knowledge

HERE = Path(__file__).parent
PRINTERS = {
    "ansible",
    "cloud",
    "dmidecode",
    "facter",
    "inspection",
    "inventory",
    "lscpu",
    "proc",
    "redfish",
}
COLUMNS = {
    "products.tsv": ("printer", "manufacturer", "text", "seen_in", "maker", "family", "generation", "cpu"),
    "processors.tsv": ("printer", "text", "signature", "seen_in", "cpu", "model"),
}
KEYS = {
    "products.tsv": ("printer", "manufacturer", "text"),
    "processors.tsv": ("printer", "text", "signature"),
}


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a table by column; the header has the columns that README.md describes."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        table = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        assert tuple(table.fieldnames or ()) == COLUMNS[name]
        return list(table)


@pytest.mark.parametrize("name", COLUMNS)
def test_rows_are_unique_and_complete(name: str) -> None:
    """No text occurs twice for one printer, and every row says what was printed, by what, and where it was seen."""
    table = rows(name)
    count = Counter(tuple(row[key] for key in KEYS[name]) for row in table)
    assert [key for key, times in count.items() if times > 1] == []
    for row in table:
        assert None not in row and None not in row.values(), row
        assert row["printer"] in PRINTERS, row
        assert row["text"].strip() and row["seen_in"], row


def test_makers_are_lower_case() -> None:
    """Makers are spelt as the values of the fact vendor are, and a generation belongs to a family."""
    for row in rows("products.tsv"):
        assert row["maker"] == row["maker"].lower(), row
        assert row["family"] or not row["generation"], row


@pytest.mark.parametrize("name", COLUMNS)
def test_processors_are_of_the_library(name: str, knowledge: Knowledge) -> None:
    """A processor is a value of the fact cpu, or has a leading "-" because the library lacks it."""
    for row in rows(name):
        processors = row["cpu"].split("|") if row["cpu"] else []
        assert len(processors) == len(set(processors)), row
        for processor in processors:
            assert processor in knowledge.values["cpu"] or (processor[:1] == "-" and processor[1:]), row


def test_models_are_within_their_generation(knowledge: Knowledge) -> None:
    """A model is a value of the fact cpu within the row's generation."""
    values = knowledge.values["cpu"]
    for row in rows("processors.tsv"):
        value = row["model"]
        while value and value != row["cpu"]:
            value = values[value].within
        assert value or not row["model"], row


def test_signatures_are_three_numbers() -> None:
    """A signature is family, model and stepping in decimal; it is empty where the source does not print it."""
    for row in rows("processors.tsv"):
        numbers = row["signature"].split("/") if row["signature"] else []
        assert len(numbers) in (0, 3) and all(number.isdecimal() for number in numbers), row
