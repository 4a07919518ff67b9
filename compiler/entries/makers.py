"""The attributes that a maker's servers have, by a table of the library (`stdlib/attributes.toml`): most tune nothing,
and are in no other file of the library.

By it an audit tells a name or a text that no server has from one that is only not for tuning. Whether what is missing
in the table is missing on servers, the table says: it is complete for some of them.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from setpoint.compiler.knowledge.library import library_table, stdlib_folder
from setpoint.compiler.knowledge.lookup import squashed
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.record import NamedTuple

TABLE = "attributes.toml"
"""The file of the library with the attributes of makers."""

ANY = "*"
BETWEEN = ".."  # the least and the greatest number that an attribute takes
NUMBER, DIGITS = "#", re.compile(r"[0-9]+")  # what stands for the first number of a name
LEAST_SHOWN, MOST_FOREIGN = 2, 4
"""How many attributes show their maker, and of how many names one must be such; all but one beside another's mark."""


class ShownMaker(NamedTuple):
    """What shows whose servers a file, or a part of it, is for: the names of its attributes, and the maker whose tools
    or products it names, by its title; "" if they are of several, or none; `kinds` are the marks of what it narrows."""

    names: frozenset[str] = frozenset()
    mark: str = ""
    kinds: frozenset[str] = frozenset()


class Maker(NamedTuple):
    """The attributes of the servers that have one of the values of each fact of `when`: names with the texts that they
    take, an empty set for any.

    Where the same is true of `complete`, servers have no others. `is_model_open` says that only the maker of the server
    is known; then it is complete beside one of the attributes of `shown_by`, which only such servers have. `models` are
    the facts of its servers that lock attributes. `title` and `at` are the source. `groups` are all those in
    which commands have attributes, with what is in one on all of these servers.
    `locks` has, by an attribute and its text, those that it makes read-only, by `locks_at`; `defaults` are texts that
    lock so as servers ship, and `shows` has those that nobody can write. `profiles` set what they lock, so that a
    text which turns that off is lost as well. Of those that are `settled` no server of the maker takes other texts.
    All names end in `ending`, a pattern, as `ends` says, and programs may complete those of a list (`is_completed`).
    `marks` is one of the names of the maker's tools and products, `undescribed` of those whose defaults are others.
    `exact` is who says that texts in other capitals are refused, "" if nobody does: in requests, or of `exact_names`, a
    pattern, wherever they stand. `narrower` has what some servers have, by facts, marks of a text or names: `takes`,
    `lacks`, `defaults`, `models` and `settled` of their own and more `locks`; `narrowed` are names with fewer texts.
    """

    when: tuple[str, ...]
    complete: tuple[str, ...]
    title: str
    at: str
    takes: dict[str, frozenset[str]]
    groups: Mapping[str, frozenset[str]] = MappingProxyType({})
    shown_by: frozenset[str] = frozenset()
    models: tuple[str, ...] = ()
    is_model_open: bool = False
    locks: Mapping[tuple[str, str], frozenset[str]] = MappingProxyType({})
    defaults: Mapping[str, str] = MappingProxyType({})
    shows: frozenset[str] = frozenset()
    profiles: frozenset[str] = frozenset()
    locks_at: str = ""
    settled: frozenset[str] = frozenset()
    ending: str = ""
    ends: str = ""
    is_completed: bool = False
    marks: str = ""
    undescribed: str = ""
    exact: str = ""
    exact_names: str = ""
    narrower: tuple[Mapping[str, Any], ...] = ()
    lacks: frozenset[str] = frozenset()
    narrowed: frozenset[str] = frozenset()

    @property
    def source(self) -> str:
        """Where it is written, as messages have it."""
        return f"source: {self.title}: {self.at}"


def makers_of(
    knowledge: Knowledge,
    bits: Mapping[str, int],
    stated: Container[str],
    is_described: bool,
    shown: ShownMaker,
) -> tuple[Maker, ...]:
    """The makers of a server with these facts, of which some are `stated`; each is complete only if that holds for this
    server, or for all that have the attributes of a file. If nothing states the maker, what is `shown` does, its names
    before its mark, unless something else is known of the server (`is_described`)."""
    makers = []
    is_model_open = not any(fact in stated for fact in library_table(stdlib_folder(), TABLE).get("model", ()))
    can_be_shown = is_model_open and not is_described
    by_names = next((maker.title for maker in _read(stdlib_folder()) if _is_shown(maker, shown)), "")
    for maker in _read(stdlib_folder()):
        is_stated = any(fact.partition(" ")[0] in stated for fact in maker.when)
        is_shown = can_be_shown and maker.title == (by_names or shown.mark)
        if _holds(knowledge, bits, maker.when) if is_stated else is_shown:
            here = _narrowed(knowledge, bits, maker, shown if is_model_open else ShownMaker())
            is_complete = _holds(knowledge, bits, maker.complete)
            is_complete |= is_model_open and (ANY in here.shown_by or bool(shown.names & maker.shown_by))
            complete = maker.complete if is_complete else ()
            makers.append(here._replace(complete=complete, is_model_open=is_model_open))
    return tuple(makers)


def _narrowed(knowledge: Knowledge, bits: Mapping[str, int], maker: Maker, shown: ShownMaker) -> Maker:
    """The maker as a server has its attributes that has these facts, or else is of the one kind that files show."""
    row = next((row for row in maker.narrower if _holds(knowledge, bits, tuple(row["when"]))), None)
    row = row or _of_kind(maker, shown)
    if row is None:
        return maker
    fewer, lacks = row.get("takes", {}), row["lacks"]
    takes = {name: texts for name, texts in (maker.takes | fewer).items() if name not in lacks}
    own = {field: row[field] for field in ("at", "defaults", "models", "settled", "lacks") if field in row}
    if row.get("whole"):
        own["shown_by"] = frozenset({ANY})
    own["locks"] = {**maker.locks}
    for cause, names in row.get("locks", {}).items():
        own["locks"][cause] = names | maker.locks.get(cause, frozenset())
    return maker._replace(takes=takes, narrowed=frozenset(fewer), **own)


def _of_kind(maker: Maker, shown: ShownMaker) -> Mapping[str, Any] | None:
    """The row of the kind of servers that files show: by one mark, of a row without facts if of no other, or by
    names."""
    marked = [row for row in maker.narrower if row.get("marks") in shown.kinds]
    of_facts = [row for row in marked if row["when"]]
    if len(of_facts) > 1:
        return None  # which of them an attribute is for, nobody says
    by_names = (row for row in maker.narrower if shown.names & row.get("shown_by", frozenset()))
    return next(iter((*of_facts, *marked, *by_names)), None)


def is_among(text: str | None, texts: Iterable[str]) -> bool:
    """Whether a text is one of several, but for capitals and punctuation, or a number within one such as `1..8`; what
    is no number stands for one there, as in an example."""
    said = squashed(text or "")
    ranges = [known.split(BETWEEN) for known in texts if BETWEEN in known]
    whole = re.fullmatch(r"\s*([+-]?[0-9]{1,1000})\s*", text or "")
    is_within = any(not whole or int(least) <= int(whole[1]) <= int(most) for least, most in ranges)
    return bool(said) and (is_within or said in map(squashed, texts))


def _is_shown(maker: Maker, shown: ShownMaker) -> bool:
    """Whether the names of attributes are of this maker: several, or most beside another's mark; fewer of any other."""
    small = {name.lower() for name in shown.names}
    numbers = {title: len(small & names) for title, names in _in_small_letters(stdlib_folder()).items()}
    mine = numbers.pop(maker.title)
    share = (1 if shown.mark in ("", maker.title) else MOST_FOREIGN - 1) / MOST_FOREIGN
    return mine >= max(LEAST_SHOWN, share * len(small)) and all(number < mine for number in numbers.values())


@cache
def _in_small_letters(folder: str) -> Mapping[str, frozenset[str]]:
    """The names of each maker's attributes: a file with one in other capitals is for its servers as well."""
    return {maker.title: frozenset(map(str.lower, maker.takes)) for maker in _read(folder)}


def marks_in(text: str) -> tuple[Sequence[str], frozenset[str]]:
    """The makers whose tools or products a text names, by their titles, and the marks of their servers that it has."""
    makers = _read(stdlib_folder())
    forms = {row["marks"] for maker in makers for row in maker.narrower if "marks" in row}
    named = [maker.title for maker in makers if maker.marks and re.search(maker.marks, text)]
    return named, frozenset(form for form in forms if re.search(form, text))


def shown_by(marks: Iterable[tuple[Sequence[str], frozenset[str]]], attributes: Iterable[str]) -> ShownMaker:
    """What the marks of a text, and of the keys that attributes are below, show of the maker of these."""
    mark, kinds = "", frozenset[str]()
    for makers, of_servers in marks:
        mark = makers[0] if len(makers) == 1 else mark
        if len(makers) < 2:  # what is about several makers does not say of which servers a part is
            kinds = of_servers or kinds
    return ShownMaker(frozenset(attributes), mark, kinds)


def all_attributes() -> frozenset[str]:
    """The attributes of all makers."""
    return frozenset(name for maker in _read(stdlib_folder()) for name in maker.takes)


def others_with(name: str, maker: Maker) -> tuple[Maker, ...]:
    """The makers whose servers have an attribute, if those of this one are not known to have it."""
    makers = [other for other in _read(stdlib_folder()) if name in other.takes]
    return () if any(other.title == maker.title for other in makers) else tuple(makers)


def texts_of_nothing() -> frozenset[str]:
    """The texts by which attributes turn something off."""
    return frozenset(library_table(stdlib_folder(), TABLE).get("nothing", ()))


def fact_of_attributes() -> str:
    """The fact by whose value servers of a maker have other attributes."""
    return str(library_table(stdlib_folder(), TABLE).get("apart", ""))


def _holds(knowledge: Knowledge, bits: Mapping[str, int], facts: tuple[str, ...]) -> bool:
    """Whether the server surely has one of these values of each fact that is named; not so if none is."""
    meant: dict[str, int] = {}
    for fact in facts:
        name, _, value = fact.partition(" ")
        variable = knowledge.variables.get(name)
        meant[name] = meant.get(name, 0) | (variable.meant(value) if variable is not None else 0)
    return bool(facts) and all(bits.get(name, 0) and not bits[name] & ~mask for name, mask in meant.items())


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _by_name(rows: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The texts of each name, of a table that has the names of all with the same texts."""
    return {name: _words(texts) for texts, names in rows.items() for name in names.split()}


def _locks(rows: Mapping[str, str], takes: Iterable[str]) -> Iterator[tuple[tuple[str, str], frozenset[str]]]:
    """What locks what: an attribute and one of its texts, and the names that it locks. `NUMBER` in a name is that of a
    device, a slot or a processor: in what is locked the same, if what locks it has one, or else any."""
    names: dict[str, dict[str, str]] = {}
    for name in " ".join(takes).split():
        digits = DIGITS.search(name)
        names.setdefault(DIGITS.sub(NUMBER, name, 1), {})[digits[0] if digits else ""] = name
    for key, words in rows.items():
        form, _, texts = key.partition("=")
        members = words.split()
        numbered = [name for word in members if NUMBER in word for name in names.get(word, {}).values()]
        for number, name in names.get(form, {}).items() if NUMBER in form else (("", form),):
            mine = [word.replace(NUMBER, number) for word in members] if number else members + numbered
            yield from (((name, squashed(text)), frozenset(mine)) for text in texts.split())


READERS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("when", "complete", "models"), tuple),
    **dict.fromkeys(("shown_by", "shows", "profiles", "settled", "lacks"), _words),
    "takes": _by_name,
    "groups": lambda rows: {group: _words(names) for group, names in rows.items()},
}
"""How fields of the table are read that are no texts, and do not ask which names there are."""


def _fields(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The fields of a row, of a maker with these names or of what is narrower, in the types of `Maker`."""
    read = {field: READERS[field](value) if field in READERS else value for field, value in row.items()}
    if "locks" in row:
        read["locks"] = dict(_locks(row["locks"], names))
    if "narrower" in row:
        read["narrower"] = tuple(_fields(part, names) for part in row["narrower"])
    return read


@cache
def _read(folder: str) -> tuple[Maker, ...]:
    rows = library_table(folder, TABLE).get("makers", ())
    return tuple(Maker(**_fields(row, row["takes"].values())) for row in rows)
