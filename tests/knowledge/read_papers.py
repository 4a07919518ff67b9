"""Note what the papers contain: the numbers printed in each, how many tables and figures, and which headings stand in
it.

    PYTHONPATH=.dev:tests python -m knowledge.read_papers FOLDER

`FOLDER` has the papers as plain text files of any name. Their texts are their authors' and no part of this project;
that a number or a heading stands in a paper is a fact, and is kept in `papers.json`. So the tests hold the standard
library against the papers on any machine. A heading that is new in the library has to be noted by this script, which
looks for it.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from knowledge.papers import PAPERS
from setpoint.compiler.knowledge.load import standard

NOTED = Path(__file__).resolve().parent / "papers.json"

SCARS = {"dell-12g-tuning": {"and CL1E options": "and C1E options", "Memory Settings screen Em": "Figure 3."}}
"""Text that the scan of a paper lost, and the original."""


class Noted(NamedTuple):
    """What a paper contains: the number of its tables and figures, headings, and the numbers printed in it."""

    tables: int
    figures: int
    headings: tuple[str, ...]
    numbers: frozenset[Decimal]


@cache
def noted(source: str) -> Noted:
    """What is noted of a paper."""
    entry = json.loads(NOTED.read_text(encoding="utf-8"))[source]
    numbers = frozenset(Decimal(number) for number in entry["numbers"])
    return Noted(entry["tables"], entry["figures"], tuple(entry["headings"]), numbers)


def headings(contents: Iterable[str]) -> set[str]:
    """The headings in a source's contents: of `Section 4.4` the number, of `Node Interleaving (Results)` the title."""
    pictured = re.compile(r"(Table|Figure) \d+")
    return {re.sub(r"^Section | \(.*\)$", "", place) for place in contents if not pictured.fullmatch(place)}


def numbers(words: str) -> set[Decimal]:
    """The numbers in a text, `112.590` and `112.59` being the same."""
    return {Decimal(number).normalize() for number in re.findall(r"\d+(?:\.\d+)?", plain(words))}


def plain(words: str) -> str:
    """A text with one space between words, and with letters and digits of plain width."""
    return " ".join(unicodedata.normalize("NFKC", words).split())


def read(source: str, text: str) -> dict[str, Any]:
    """What the text of a paper contains, in the form of `papers.json`.

    Raises:
        ValueError: A heading that the library or `papers.py` names does not stand in it.
    """
    words = plain(text)
    for scan, printed in SCARS.get(source, {}).items():
        if scan not in words:
            raise ValueError(f"{source} does not have the scar `{scan}`")
        words = words.replace(scan, printed)
    wanted: Iterable[str] = PAPERS[source].headings
    if PAPERS[source].headings:
        wanted = {*wanted, *headings(standard().sources[source].contents)}
    if absent := sorted(one for one in wanted if one.lower() not in words.lower()):
        raise ValueError(f"not in {source}: {', '.join(absent)}")
    return {
        "tables": _count("Table|表", words),
        "figures": _count("Figure|図", words),
        "headings": sorted(wanted),
        "numbers": [format(number, "f") for number in sorted(numbers(text))],
    }


def _count(kind: str, words: str) -> int:
    """The number of tables or figures, counted from one without a gap."""
    count = 0
    while re.search(rf"({kind}) ?{count + 1}(?!\d)", words):
        count += 1
    return count


def main() -> None:
    """Note what all papers contain."""
    parser = argparse.ArgumentParser(
        prog="python -m knowledge.read_papers", description=str(__doc__).partition("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="the folder with the papers' texts")
    texts = [path.read_text(encoding="utf-8") for path in sorted(parser.parse_args().folder.glob("*.txt"))]
    lines = []
    for source, paper in PAPERS.items():
        (text,) = [each for each in texts if paper.says in each]
        members = (f"  {json.dumps(key)}: {_json(value)}" for key, value in read(source, text).items())
        lines.append(f"{json.dumps(source)}: {{\n" + ",\n".join(members) + "\n}")
    NOTED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main()
