"""Which kernels have a word, by a table of the library (`stdlib/ranges.toml`): since which version, until which, and in
which releases in spite of their version. Of parameters of modules the versions are in another one (`parameters`).

The version of a kernel says what mainline had then. A distribution that backports has more, so of such a one the
version says only what is gone, and the table names what it has or lacks. Of a system that nobody has stated, and of one
that can have any later kernel, it is said from which version on a word is gone. Where nothing is certain nothing is
said.
"""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache

from setpoint.compiler.audit.parameters import Version, modules, text_of, version_of
from setpoint.compiler.audit.texts import of_interfaces
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.entries.carried import Row
from setpoint.compiler.entries.model import Entry
from setpoint.compiler.knowledge.library import library_table, stdlib_folder
from setpoint.compiler.knowledge.model import Knowledge, lineage
from setpoint.compiler.knowledge.sysctls import changed
from setpoint.compiler.plan.model import FactEntry
from setpoint.compiler.record import NamedTuple

TABLE = "ranges.toml"
"""The file of the library with the versions."""

BETWEEN = " to "

NEVER: Version = (0,)
"""The first version that lacks a word which only kernels for other architectures have."""


class Range(NamedTuple):
    """Words of an interface, and the kernels that have them; a version is () if it is not known."""

    interface: str
    words: tuple[str, ...]
    at: str
    without: Version = ()
    since: Version = ()
    until: Version = ()
    gone: Version = ()
    has: frozenset[str] = frozenset()
    lacks: frozenset[str] = frozenset()
    maybe: frozenset[str] = frozenset()
    because: str = ""
    instead: str = ""


class Kernel(NamedTuple):
    """The kernels that a system can have: the names of its release and of all that it is within, the first and the last
    version, () for any, whether its vendor backports, and whether the system is only assumed."""

    names: tuple[str, ...] = ()
    first: Version = ()
    last: Version = ()
    is_backporting: bool = False
    is_assumed: bool = False

    def may_lack(self, word: Range) -> bool:
        """Whether kernels of a system that can have any later one lack a word that others have had."""
        is_undecided = self.has(word) is None and word.maybe.isdisjoint(self.names[:1])
        return bool(word.gone) and is_undecided and not self.last

    def has(self, word: Range) -> bool | None:
        """Whether it has a word; None if that is not known."""
        if not word.has.isdisjoint(self.names):
            return True
        if not word.lacks.isdisjoint(self.names):
            return False
        if not word.maybe.isdisjoint(self.names[:1]):
            return None
        if word.gone and self.first >= word.gone:
            return False
        if word.gone and not (self.last and self.last < word.gone):
            return None
        if word.until:
            return True if self.last and self.last <= word.until else None
        if self.first and self.first >= word.since:
            return True
        is_earlier = bool(self.last) and self.last <= word.without and not self.is_backporting
        return False if is_earlier else None


class Ranges(NamedTuple):
    """The table: words by interface and plain name, those of several names, and kernels of releases."""

    fact: str
    named: Mapping[tuple[str, str], Sequence[Range]]
    begun: Sequence[Range]
    kernels: Mapping[str, tuple[Version, Version]]
    backporting: frozenset[str]

    def names(self) -> dict[str, set[str]]:
        """The names of each interface that some kernel has."""
        names: dict[str, set[str]] = {}
        for (interface, name), rows in self.named.items():
            if any(row.gone != NEVER for row in rows):
                names.setdefault(interface, set()).add(name)
        return names

    def kernel(self, knowledge: Knowledge, system: FactEntry | None) -> Kernel:
        """The kernels of a system, by its fact; None if that is not known."""
        names = tuple(value.name for value in lineage(knowledge, self.fact, system.value)) if system else ()
        first, last = next((self.kernels[name] for name in names if name in self.kernels), ((), ()))
        is_assumed = system is not None and system.origin == "assumed"
        return Kernel(names, first, last, not self.backporting.isdisjoint(names), is_assumed)

    def about(self, entry: Entry) -> Iterator[Range]:
        """The rows that have an entry among their words, those with its text first."""
        rows = [*self.named.get(entry.key, ()), *self.begun]
        rows = [row for row in rows if row.interface == entry.interface]
        yield from (row for row in rows if any(_is_word(word, entry, needs_text=True) for word in row.words))
        yield from (row for row in rows if any(_is_word(word, entry, needs_text=False) for word in row.words))


def ranges() -> Ranges:
    """The table of the library in use; an empty one if that has none."""
    return _read(stdlib_folder())


def is_there(kernel: Kernel, entry: Entry) -> bool | None:
    """Whether a system has a word; None if no version is known for it."""
    answers = [kernel.has(row) for row in ranges().about(entry)] if kernel.names else []
    return next((has for has in answers if has is not None), None)


def is_ranged(entry: Entry) -> bool:
    """Whether some kernel has a word."""
    is_word = entry.interface == "argument" and any(entry.key[1] in w for w in modules().words.values())
    return is_word or any(True for _ in ranges().about(entry))


def outside(kernel: Kernel, entry: Entry) -> Diagnostic | None:
    """The finding about a word that a kernel does not have (W0904), or not if it is a later one (W0920)."""
    rows = list(ranges().about(entry)) if kernel.names else []
    decided = next((row for row in rows if kernel.has(row) is not None), None)
    if decided is None:
        later = next((row for row in rows if kernel.may_lack(row)), None)
        return _later(later, entry) if later else None
    if kernel.has(decided):
        return None
    if kernel.is_assumed and decided.gone:
        return _later(decided, entry)
    because = decided.because or _versions(decided, kernel)
    message = f"`{entry.written}` has no effect here: {because}"
    return Diagnostic(
        "W0904", message, entry.span, "not in this kernel", (), (_source(decided),), _help(decided)
    )


def _later(row: Range, entry: Entry) -> Diagnostic:
    """The finding about a word that later kernels lack, of a server whose kernel is not known (W0920)."""
    where = f"but on {', '.join(sorted(row.has))}" if row.has else f"from Linux {text_of(row.gone)} on"
    where = f"on {modules().architecture}" if row.gone == NEVER else where
    because = f": {row.because}" if row.because else ""
    message = f"`{entry.written}` has no effect {where}{because}"
    help_ = (*_help(row), "or state by `-e` which system the server has")
    return Diagnostic("W0920", message, entry.span, "not in every kernel", (), (_source(row),), help_)


def _source(row: Range) -> str:
    return f"source: {row.at}"


def _help(row: Range) -> tuple[str, ...]:
    return (f"write {row.instead} in place of it" if row.instead else "leave it out",)


def _versions(row: Range, kernel: Kernel) -> str:
    here = f"the kernel of {kernel.names[0]} is {text_of(kernel.first)}"
    if row.gone:
        return f"Linux {text_of(row.gone)} does not have it any more, and {here}"
    return f"it came after Linux {text_of(row.without)}, and {here}"


def _is_word(word: str, entry: Entry, *, needs_text: bool) -> bool:
    name, equals, text = word.partition("=")
    is_named = entry.key[1] == name or fnmatchcase(entry.key[1], name)  # `[disk] elevator` is no form
    if bool(equals) != needs_text or not is_named:
        return False
    return not equals or fnmatchcase(entry.text or "", text)


@cache
def _read(folder: str) -> Ranges:
    table = library_table(folder, TABLE)
    rows = [
        _row(fields, interface, words, table["source"])
        for fields, interface, words in of_interfaces(table.get("words", ()))
    ]
    rows += _rows_of_tables()
    named: dict[tuple[str, str], list[Range]] = {}
    begun: list[Range] = []
    for row in rows:
        names = {word.partition("=")[0] for word in row.words}
        for name in names:
            if "*" not in name:
                named.setdefault((row.interface, name), []).append(row)
        if any("*" in name for name in names):
            begun.append(row)
    kernels = {}
    for release, text in table.get("kernels", {}).items():
        first, _, last = text.partition(BETWEEN)
        kernels[release] = (version_of(first), version_of(last))
    backporting = frozenset(table.get("backporting", ()))
    return Ranges(table.get("fact", ""), named, begun, kernels, backporting)


def _row(fields: Row, interface: str, words: tuple[str, ...], source: str) -> Range:
    without, since, until, gone = (
        version_of(fields.get(key, "")) for key in ("without", "since", "until", "gone")
    )
    has, lacks, maybe = (frozenset(fields.get(key, ())) for key in ("has", "lacks", "maybe"))
    because, instead = (fields.get(key, "") for key in ("because", "instead"))
    at = f"{source}, {fields['at']}"
    return Range(interface, words, at, without, since, until, gone, has, lacks, maybe, because, instead)


def _rows_of_tables() -> Iterator[Range]:
    """The parameters that some of the versions have, of modules that all have, and what the kernel itself reads: some
    versions of it, or those for another architecture; and such sysctls."""
    table = modules()
    for name, without, since, until, gone in table.changed:
        at = table.at if "." in name else table.words_at
        yield Range("argument", (name,), at, without, since, until, gone)
    for architectures, words in table.words.items():
        because = f"only kernels for {architectures.replace(' ', ' or ')} have it"
        for name in sorted(words) if architectures != table.architecture else ():
            yield Range("argument", (name,), table.words_at, gone=NEVER, because=because)
    for name, *versions, at in changed():
        without, since, until, gone = map(version_of, versions)
        yield Range("sysctl", (name,), at, without, since, until, gone)
