"""What each sysctl takes, what it is by default, and which kernels have it, by a table of the library
(`stdlib/sysctls.toml`).

The table has a row for each sysctl, of what kernels showed that were started for it: the numbers that each took and
refused, and what it was before. Rows become what the audit asks for, the fields of a grammar and of a limit, as other
tables of the library have them by hand; what these say counts more.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from setpoint.compiler.knowledge.library import library_table, stdlib_folder
from setpoint.compiler.record import NamedTuple

TABLE = "sysctls.toml"
"""The file of the library with the rows."""

TYPES = {"int": 2**31 - 1, "uint": 2**32 - 1, "long": 2**63 - 1, "ulong": 2**64 - 1}
"""The highest numbers of the kernel's types; the lowest of one with `-` is one below its negative."""

SINCE = (5, 10)
"""The first version whose defaults are those of the table."""

BETWEEN, LATER = "..", "/"
"""What is between bounds, and between the defaults of versions."""

READ_ONLY, LOWEST, TIMES, USUAL = "read-only", "limit", "x", "?"
"""The words behind a row; how many numbers it has, of which the first alone are usual too."""


class Sysctl(NamedTuple):
    """A row. `takes` is a form of a grammar, "" for any text; `numbers` is how many there are, all of which are to be
    stated if it `is_whole`. `defaults` has the numbers of each version where they differ, in their order,
    none if they depend on the server. `versions` has the first one and the last one that has it, "" for any.
    """

    name: str
    takes: str
    numbers: int
    is_whole: bool
    defaults: tuple[str, ...]
    is_limit: bool
    is_read_only: bool
    versions: tuple[str, str]
    source: str

    @property
    def at(self) -> str:
        """Where a running kernel has it."""
        return f"/proc/sys/{self.name.replace('.', '/')}"

    @property
    def grammar(self) -> dict[str, Any]:
        """The fields of its grammar."""
        fields: dict[str, Any] = {"source": self.source, "at": self.at, "takes": [self.takes]}
        if self.is_read_only:
            return fields | {"takes": [], "wrong": "it can only be read", "help": "leave it out"}
        fields |= {"numbers": self.numbers, "is_whole": self.is_whole}
        is_known = len(self.defaults) == 1
        return fields | ({"help": f"leave it out: it is {self.defaults[0]} by default"} if is_known else {})


class Limit(NamedTuple):
    """A sysctl with a number of at least `least`, since a version; `part` is its place, 0 for the only number."""

    least: int
    part: int
    since: tuple[int, ...]
    because: str
    at: str


def sysctls() -> tuple[Mapping[str, Any], tuple[Sysctl, ...]]:
    """The table of the library in use, and its rows; both are empty if it has none."""
    return _read(stdlib_folder())


def limits(table: Sequence[Mapping[str, Any]], source: str) -> dict[str, tuple[Limit, ...]]:
    """The limits of each sysctl, of later versions before those of earlier ones: those of a table, and of the rows."""
    rows: dict[str, tuple[Limit, ...]] = {}
    for row in table:
        since = tuple(map(int, row["since"].split("."))) if "since" in row else ()
        at = f"{row.get('source', source)}, {row['at']}"
        limit = Limit(row["least"], row.get("part", 0), since, row["because"], at)
        rows |= {name: (*rows.get(name, ()), limit) for name in row["sysctl"]}
    for sysctl in (sysctl for sysctl in sysctls()[1] if sysctl.is_limit):
        least = min(map(int, sysctl.defaults))
        at = f"{sysctl.source}, {sysctl.at}"
        rows[sysctl.name] = (Limit(least, 0, SINCE, f"the default is {least}", at),)
    return rows


def changed() -> Iterator[tuple[str, str, str, str, str, str]]:
    """The sysctls that not all versions have: the last without it and the first with it, or the last with it and the
    first without it, "" for none, and the source."""
    table, rows = sysctls()
    read = ["", *table.get("read", ()), ""]
    for row in rows:
        first, last = row.versions
        before = read[read.index(first) - 1] if first else ""
        after = read[read.index(last, 1) + 1] if last else ""
        if before or after:
            yield row.name, before, first if before else "", last if after else "", after, table["source"]


@cache
def _read(folder: str) -> tuple[Mapping[str, Any], tuple[Sysctl, ...]]:
    table = library_table(folder, TABLE)
    rows = [
        _row(f"{group['folder']}.{name}", words, table["source"])
        for group in table.get("sysctls", ())
        for name, *words in map(str.split, group["rows"].strip().splitlines())
    ]
    return table, tuple(rows)


def _row(name: str, words: list[str], source: str) -> Sysctl:
    takes, default, *more = words
    low, between, high = takes.partition(BETWEEN)
    if takes in TYPES:
        low, between, high = f"-{takes}", BETWEEN, takes
    form = f"<number {_bound(low)}-{_bound(high)}>" if between else ""
    times = next((word[1:] for word in more if word.startswith(TIMES)), "1")
    first, _, last = next((word.partition("-") for word in more if word[0] in "-0123456789"), ("", "", ""))
    return Sysctl(
        name,
        form,
        int(times.rstrip(USUAL)),
        times.isdigit() and times != "1",
        tuple(value.replace(",", " ") for value in default.split(LATER)) if default[-1].isdigit() else (),
        LOWEST in more,
        READ_ONLY in more,
        (first, last),
        source,
    )


def _bound(word: str) -> int:
    """A bound: a number, or the end of a type."""
    highest = TYPES.get(word.removeprefix("-"))
    return int(word) if highest is None else -highest - 1 if word.startswith("-") else highest
