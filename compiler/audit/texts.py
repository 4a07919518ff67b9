"""What words take as text, and what becomes of other texts, by a table of the library (`stdlib/texts.toml`).

A spelling says what each value of a setting is called. A reader takes more than that: `1GB` for `1G`, `0x10` for 16.
And what it does with a text that it does not take is seldom an error: it keeps its default, or takes the text for
another one. The table states both.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import Any

from setpoint.compiler.audit.parameters import modules
from setpoint.compiler.entries.carried import TABLE, Row
from setpoint.compiler.knowledge.library import library_table, stdlib_folder
from setpoint.compiler.knowledge.sysctls import Limit, limits, sysctls
from setpoint.compiler.record import NamedTuple

FLAG, BOOL, NUMBER, SIZE, CPUS, LIST = "flag", "bool", "number", "size", "cpus", "list"
ANY_WORD, ANY_TEXT = "word", "any"

FORM = re.compile(r"<(\w+)(?: (-?\d+)-(\d+))?>")
"""A form that is no text, perhaps with bounds."""
EXPRESSION = "~"
"""What begins a form that is a regular expression."""

NUMBER_TEXT = re.compile(r"-?(?:0[xX][0-9a-fA-F]{1,16}|\d{1,20})")
SIZE_TEXT = re.compile(r"(0[xX][0-9a-fA-F]{1,16}|\d{1,20})([KMGTPEkmgtpe]?)[A-Za-z]*")
CPUS_TEXT = re.compile(r"(?:(?:(?:\d+|N)(?:-(?:\d+|N)(?::\d+/\d+)?)?|all)?(?:,|$))+")


LETTERS = "KMGTPE"
KIBI = 1024


class Grammar(NamedTuple):
    """What a word takes.

    `takes` are forms, `wrong` says what becomes of another text, `meant` what is meant by some, `notes` what some do.
    `numbers` is how many of them it takes, 0 for a text, all of which are to be stated if it `is_whole`. A number above
    `most` is most likely in another unit than `unit`, of which each is `size` bytes. `falling` says what becomes of
    numbers of which a later one is less, "" for nothing. `at` is the place in the source, and `when` a fact with the
    value for which all of this is true, "" for any server.
    """

    takes: tuple[str, ...]
    at: str
    wrong: str = "the kernel refuses it, and the old value stays"
    meant: Mapping[str, str] = MappingProxyType({})
    notes: Mapping[str, str] = MappingProxyType({})
    help: str = ""
    numbers: int = 0
    unit: str = ""
    size: int = 1
    most: int = 0
    when: str = ""
    falling: str = ""
    is_whole: bool = False

    def accepts(self, text: str | None) -> bool:
        """Whether the word takes a text, None for a word without one."""
        if text is None:
            return any(form == f"<{FLAG}>" for form in self.takes) or f"<{ANY_TEXT}>" in self.takes
        if self.numbers:
            parts = text.split()
            return len(parts) > 0 and all(self._takes(part) for part in parts[: self.numbers])
        if f"<{LIST}>" in self.takes:
            return all(self._takes(part) for part in text.split(","))
        return self._takes(text)

    def _takes(self, text: str) -> bool:
        return any(_fits(form, text) for form in self.takes)

    def canonical(self, text: str | None) -> str | None:
        """A text as spellings have it: numbers in decimal, sizes with one letter."""
        if not text or text in self.takes:
            return text
        if self.numbers:
            parts = text.split()
            return " ".join(map(_decimal, parts[: self.numbers])) if self.accepts(text) else text
        if f"<{SIZE}>" in self.takes:
            return _short_size(text)
        if any(form.startswith(f"<{NUMBER}") for form in self.takes) and NUMBER_TEXT.fullmatch(text):
            return _decimal(text)
        return text

    def note(self, text: str | None) -> str:
        """What a text does that is taken, though few mean that; "" for nothing of note."""
        said = next((note for form, note in self.notes.items() if re.fullmatch(form, text or "")), "")
        parts = (text or "").split()
        numbers = [int(part) for part in parts if part.isdecimal()] if self.falling else []
        is_falling = len(numbers) == len(parts) and numbers != sorted(numbers)
        return said or self._miscounted(len(parts)) or (self.falling if is_falling else "")

    def _miscounted(self, stated: int) -> str:
        """What becomes of too many numbers, or of too few; "" for neither."""
        if self.numbers and stated > self.numbers:
            return (
                f"what follows {'the number' if self.numbers == 1 else f'{self.numbers} numbers'} is ignored"
            )
        is_few = self.is_whole and 0 < stated < self.numbers
        return f"it has {self.numbers} numbers, of which the later ones stay as they are" if is_few else ""

    @property
    def is_complete(self) -> bool:
        """Whether all texts that the word takes are stated."""
        return not {f"<{ANY_WORD}>", f"<{ANY_TEXT}>"} & set(self.takes)

    def too_much(self, text: str | None) -> str:
        """How much a number is that is most likely in another unit, in words; "" for no such number."""
        if not self.most or not text:
            return ""
        numbers = [
            int(part, 0)
            for part in text.split()
            if re.fullmatch(r"0|[1-9]\d{0,19}|0[xX][0-9a-fA-F]{1,16}", part)
        ]
        if not numbers or max(numbers) <= self.most:
            return ""
        return f"{_amount(max(numbers) * self.size)}, for the unit is {self.unit}"

    def known(self) -> str:
        """The texts that the word takes, for messages."""
        names = {
            FLAG: "no text", BOOL: "0 or 1", NUMBER: "a number", SIZE: "a size such as 2M", CPUS: "a list of CPUs"
        }  # fmt: skip
        phrases = []
        for form in (form for form in self.takes if not form.startswith(EXPRESSION)):
            kind = FORM.fullmatch(form)
            if kind is None:
                phrases.append(f"`{form}`")
            elif kind[2]:
                phrases.append(f"{kind[2]} to {kind[3]}")
            elif kind[1] in names:
                phrases.append(names[kind[1]])
        return ", ".join(phrases)


def _fits(form: str, text: str) -> bool:
    """Whether a text has a form."""
    kind = FORM.fullmatch(form)
    if form.startswith(EXPRESSION):
        return bool(re.fullmatch(form.removeprefix(EXPRESSION), text))
    if kind is None:
        return text == form
    if kind[1] == BOOL:
        return bool(text) and (text[0] in "yYtT1nNfF0" or text[:2].lower() in ("on", "of"))
    if kind[1] == NUMBER:
        if not NUMBER_TEXT.fullmatch(text):
            return False
        number = int(_decimal(text))
        return not kind[2] or int(kind[2]) <= number <= int(kind[3])
    if kind[1] == SIZE:
        return bool(SIZE_TEXT.fullmatch(text))
    if kind[1] == CPUS:
        return bool(CPUS_TEXT.fullmatch(text))
    if kind[1] == ANY_WORD:
        return bool(text) and not re.search(r"\s", text)
    return kind[1] == ANY_TEXT


def _decimal(text: str) -> str:
    """A number in decimal: a 0 before it makes it octal."""
    if re.fullmatch(r"-?0[0-7]+", text):
        return str(int(text, 8))
    try:
        return str(int(text, 0))
    except ValueError:
        return text


def _short_size(text: str) -> str:
    """A size with the greatest letter that leaves a whole number."""
    match = SIZE_TEXT.fullmatch(text)
    if match is None:
        return text
    number = int(_decimal(match[1]))
    power = LETTERS.index(match[2].upper()) + 1 if match[2] else 0
    while number and number % KIBI == 0 and power < len(LETTERS):
        number, power = number // KIBI, power + 1
    return f"{number}{LETTERS[power - 1] if power else ''}"


def _amount(size: int) -> str:
    """Bytes in words."""
    power = min((size.bit_length() - 1) // 10, len(LETTERS))
    return f"{size / KIBI**power:.1f} {LETTERS[power - 1]}iB" if power else f"{size} bytes"


# ------------------------------------------------------------------------------------------- the table


class Counterpart(NamedTuple):
    """Words that are void beside `others`, later ones if `is_later`, or without any of them (`is_need`), in which `*`
    stands for any part; `of` is the interface of these. Nor are they where a file has one of the `loaded` forms, which
    load a module or show who needs none. If it `is_alike`, another one counts only if the last parts of both names are
    the same."""

    interface: str
    words: tuple[str, ...]
    others: tuple[str, ...]
    because: str
    help: str
    at: str
    is_need: bool
    is_later: bool = False
    loaded: tuple[str, ...] = ()
    is_alike: bool = False
    of: str = ""

    def fits(self, other: str, name: str) -> bool:
        """Whether a name counts beside another one."""
        return not self.is_alike or other.rpartition(".")[2] == name.rpartition(".")[2]


class Order(NamedTuple):
    """Words with numbers, each of which is at most that of the next one, or less (`is_less`); 0 is no limit. Those with
    `cpus` are lists, which are `apart`, or each `within` the next one."""

    interface: str
    words: tuple[str, ...]
    is_less: bool
    because: str
    at: str
    cpus: str = ""


class Folder(NamedTuple):
    """A folder of sysctls with one folder in it for each network interface, the names that all of these have, and what
    stands for every interface."""

    path: str
    names: frozenset[str]
    every: str

    def parts(self, name: str) -> tuple[str, str] | None:
        """The interface and the last part of a sysctl in it; None for any other sysctl."""
        inner, dot, last = name.removeprefix(f"{self.path}.").rpartition(".")
        return (inner, last) if name.startswith(f"{self.path}.") and dot else None


class Texts(NamedTuple):
    """The table: grammars by interface and name, counterparts, words that are gone, the hazards that words answer,
    which numbers are in order, of which names there is no complete list, of which there is one, with its source, which
    forms no name has, the limits that are not to be lowered, and the folders of network interfaces."""

    source: str
    grammars: Mapping[tuple[str, str], Grammar]
    counterparts: tuple[Counterpart, ...]
    gone: Mapping[tuple[str, str], Mapping[str, str]]
    hazardous: Mapping[str, frozenset[str]]
    answers: tuple[tuple[str, str, tuple[str, ...]], ...]
    orders: tuple[Order, ...]
    undocumented: Mapping[str, tuple[str, ...]]
    complete: Mapping[str, tuple[str, ...]]
    complete_at: Mapping[str, str]
    nowhere: tuple[str, ...]
    limits: Mapping[str, tuple[Limit, ...]]
    folders: tuple[Folder, ...]

    def grammar(self, interface: str, name: str) -> Grammar | None:
        """What a name takes, as one of a network interface if its folder says so; None if that is not known."""
        inside = (f"{folder.path}.*.{parts[1]}" for folder in self.folders if (parts := folder.parts(name)))
        files = (known for of, known in self.grammars if of == interface == "sysfs" and "*" in known)
        names = chain((name,), inside, (known for known in files if fnmatchcase(name, known)))
        return next(filter(None, (self.grammars.get((interface, known)) for known in names)), None)

    def is_undocumented(self, interface: str, name: str) -> bool:
        """Whether a name begins as those do of which nobody has a complete list."""
        return any(fnmatchcase(name, form) for form in self.undocumented.get(interface, ()))

    def is_complete(self, interface: str, name: str) -> bool:
        """Whether a name has a form of which the library has all names."""
        return any(re.fullmatch(form, name) for form in self.complete.get(interface, ()))

    def is_nowhere(self, interface: str, name: str) -> bool:
        """Whether a name has a form that no name has, or its folder has no such name."""
        if interface != "sysctl":
            return False
        inside = ((folder, folder.parts(name)) for folder in self.folders)
        is_alien = any(parts and parts[1] not in folder.names for folder, parts in inside)
        return is_alien or any(re.fullmatch(form, name) for form in self.nowhere)


def texts() -> Texts:
    """The table of the library in use; an empty one if that has none."""
    return _read(stdlib_folder())


@cache
def _read(folder: str) -> Texts:
    table = library_table(folder, TABLE)
    hazardous = {interface: frozenset(names) for interface, names in table.get("hazardous", {}).items()}
    gone = {
        (interface, name): fields
        for interface, names in table.get("gone", {}).items()
        for name, fields in names.items()
    }
    source = table.get("source", "")
    void = _counterparts(table.get("void", ()), source, is_need=False)
    needs = _counterparts(table.get("needs", ()), source, is_need=True)
    complete = dict(table.get("complete", {}))
    nowhere = tuple(complete.pop("nowhere", ()))
    return Texts(
        source,
        _grammars(table),
        (*void, *needs),
        gone,
        hazardous,
        tuple((row["hazard"], of, words) for row, of, words in of_interfaces(table.get("answers", ()))),
        tuple(
            Order(of, words, bool(row.get("less")), row["because"], _at(row, source), row.get("cpus", ""))
            for row, of, words in of_interfaces(table.get("orders", ()))
        ),
        _forms(table.get("undocumented", {})),
        {interface: tuple(row["names"]) for interface, row in complete.items()},
        {interface: row["at"] for interface, row in complete.items()},
        nowhere,
        limits(table.get("limits", ()), source),
        tuple(
            Folder(row["path"], frozenset(row["names"].split()), row["every"])
            for row in table.get("folders", ())
        ),
    )


def _at(row: Row, source: str) -> str:
    """The place in the source of a row, which is the table's unless it has one of its own."""
    return f"{row.get('source', source)}, {row['at']}"


def _grammars(table: Mapping[str, Any]) -> dict[tuple[str, str], Grammar]:
    """The grammars by interface and name: of sysctls, files and parameters, and what is said here, which counts."""
    source = table.get("source", "")
    rows = {("sysctl", row.name): row.grammar for row in sysctls()[1] if row.takes or row.is_read_only}
    for row in table.get("files", ()):
        rows |= {
            ("sysfs", row["below"] + name): {**row, "takes": [row["takes"]]} for name in row["sysfs"].split()
        }
    types, forms = modules().types, modules().forms
    for interface in ("argument", "sysctl", "sysfs", "attribute", "tuned"):
        for name, fields in table.get(interface, {}).items():
            key = (interface, name)
            rows[key] = {**rows.get(key, forms.get(types.get(name, ""), {})), "source": source, **fields}
    of_types = {kind: _grammar(fields, source) for kind, fields in forms.items()}
    typed = {("argument", name): of_types[kind] for name, kind in types.items()}
    return {**typed, **{key: _grammar(fields, source) for key, fields in rows.items()}}


def _forms(table: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The forms of names of each interface."""
    return {interface: tuple(forms) for interface, forms in table.items() if interface != "at"}


def of_interfaces(rows: Iterable[Row]) -> Iterator[tuple[Row, str, tuple[str, ...]]]:
    """The rows with each interface of which they have words, and these."""
    return (
        (row, key, tuple(row[key]))
        for row in rows
        for key in ("argument", "sysctl", "sysfs", "attribute", "tuned", "module")
        if key in row
    )


def _grammar(fields: Mapping[str, Any], source: str) -> Grammar:
    known = {key: value for key, value in fields.items() if key in Grammar._fields}
    return Grammar(**{**known, "takes": tuple(fields["takes"]), "at": _at(fields, source)})


def _counterparts(rows: Iterable[Row], source: str, *, is_need: bool) -> Iterator[Counterpart]:
    for row, interface, words in of_interfaces(rows):
        others, loaded = (tuple(row.get(key, ())) for key in ("others" if is_need else "beside", "loaded"))
        how = (row["because"], row.get("help", ""), _at(row, source), is_need)
        flags = bool(row.get("later")), loaded, bool(row.get("alike"))
        yield Counterpart(interface, words, others, *how, *flags, row.get("of", interface))
