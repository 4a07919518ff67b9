"""The table of places: where an inventory has the name, the groups and the facts of a host.

What tools call a fact is knowledge, so the table is a file of the standard library (`inventory.toml`), and a site
extends it with a file of the same form. Places of a site come before those of the library; a host that has several of
them for one fact must have the same value in all.
"""

import tomllib
from collections.abc import Mapping
from typing import Any

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.library import PLACES_TABLE, library_table, stdlib_folder, texts_digest
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.words import suggestion
from setpoint.compiler.language.program import read
from setpoint.compiler.record import NamedTuple

HOSTS, FACTS, WORDS, VALUES = "hosts", "facts", "words", "values"
"""The sections of a table: hosts and groups, the places of facts, other words for the beginning of a text, other texts
of a value."""

HIDES = "hides"
"""The section of the library's table that says which facts are not read where another one has a value."""

NAMES, GROUPS, TITLE, MISSING, BIOS = "names", "groups", "title", "missing", "bios"
"""The lists of the section about hosts."""

BIOS_VERSION = "bios version"
"""Stands in the place of a fact for the version of a host's BIOS. It is none: a policy cannot state it, and so it has a
name that none has."""

AND = " + "
"""Joins the parts of a place whose texts are put together."""

OWN = "setpoint_"
"""The beginning of the variable that has a fact under its own name."""

Place = tuple[str, ...]
"""The paths of a place; more than one if their texts are put together."""


class InventoryTable(NamedTuple):
    """Where inventories have what.

    `words` has other beginnings for a text of a fact, by the beginning in lower case; `values` the value for a text in
    lower case, "" if the text does not matter. `hides` has the facts of which a host's texts say nothing, by the fact
    and the value that the host then has. `digest` is that of the site's file, "" without one.
    """

    names: tuple[str, ...]
    groups: tuple[str, ...]
    title: tuple[str, ...]
    missing: frozenset[str]
    facts: Mapping[str, tuple[Place, ...]]
    words: Mapping[str, Mapping[str, tuple[str, ...]]]
    values: Mapping[str, Mapping[str, str]]
    hides: Mapping[tuple[str, str], frozenset[str]]
    digest: str = ""


def table(knowledge: Knowledge, site: str = "", with_bios: bool = False) -> InventoryTable:
    """The library's table, extended by a site's file unless that is "".

    Raises SetpointError (E0601, E0604, E0608, E0612). The table of an earlier library can lack sections that this one
    has. It has the places of BIOS versions only if these matter: hosts that differ in nothing else are then of several
    kinds.
    """
    library = library_table(stdlib_folder(), PLACES_TABLE)
    text = read(site) if site else ""
    own = _checked(site, text, knowledge) if site else {}
    hosts = {
        key: [*own.get(HOSTS, {}).get(key, ()), *library[HOSTS].get(key, ())]
        for key in (NAMES, GROUPS, TITLE, MISSING, BIOS)
    }
    places = {
        fact: _places(fact, [*own.get(FACTS, {}).get(fact, ()), *library[FACTS].get(fact, ())])
        for fact in knowledge.kinds
    }
    if with_bios:
        places[BIOS_VERSION] = tuple(map(_place, hosts[BIOS]))
    return InventoryTable(
        tuple(hosts[NAMES]),
        tuple(hosts[GROUPS]),
        tuple(hosts[TITLE]),
        frozenset(text.casefold() for text in hosts[MISSING]),
        places,
        {fact: _words(library, fact) | _words(own, fact) for fact in knowledge.kinds},
        {fact: _values(library, fact) | _values(own, fact) for fact in knowledge.kinds},
        {
            (fact, value): frozenset(hidden)
            for fact, values in library.get(HIDES, {}).items()
            for value, hidden in values.items()
        },
        texts_digest((text,)) if site else "",
    )


def _places(fact: str, texts: list[str]) -> tuple[Place, ...]:
    """Where an inventory can have a fact: under its own name, and where the tables say."""
    return (fact,), (f"{OWN}{fact}",), *(_place(text) for text in texts if text != fact)


def _place(text: str) -> Place:
    return tuple(part.strip() for part in text.split(AND))


def _words(read_table: Mapping[str, Any], fact: str) -> dict[str, tuple[str, ...]]:
    words = read_table.get(WORDS, {}).get(fact, {})
    return {word.casefold(): tuple(others) for word, others in words.items()}


def _values(read_table: Mapping[str, Any], fact: str) -> dict[str, str]:
    values = read_table.get(VALUES, {}).get(fact, {})
    return {text.casefold(): value for text, value in values.items()}


def _checked(path: str, text: str, knowledge: Knowledge) -> dict[str, Any]:
    """A site's table. Raises SetpointError, as `table` does."""
    try:
        sections = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _wrong(path, str(error)) from None
    except RecursionError:
        raise _wrong(path, "nested too deeply") from None
    except ValueError:  # for a number of more than 4,300 digits
        raise _wrong(path, "a number is too long") from None
    if unknown := sections.keys() - {HOSTS, FACTS, WORDS, VALUES}:
        raise _wrong(
            path,
            f"unknown section `{min(unknown)}`",
            f"a table has [{HOSTS}], [{FACTS}], [{WORDS}.FACT] and [{VALUES}.FACT]",
        )
    for name, section in sections.items():
        if not isinstance(section, dict):
            raise _wrong(path, f"`{name}` is not a section")
        allowed = {NAMES, GROUPS, TITLE, MISSING, BIOS} if name == HOSTS else knowledge.kinds.keys()
        for key, entry in section.items():
            if key not in allowed:
                near = suggestion(key, allowed)
                raise _wrong(
                    path, f"unknown name `{key}` in [{name}]", f"did you mean `{near}`?" if near else ""
                )
            if name in (HOSTS, FACTS):
                _require(_is_texts(entry), path, f"`{key}` in [{name}] is not a list of texts")
            else:
                _require(isinstance(entry, dict), path, f"[{name}.{key}] is not a section")
                for text, other in entry.items():
                    _check_entry(
                        path, knowledge, f"[{name}.{key}]", text, other, key if name == VALUES else ""
                    )
    for fact in sections.get(HOSTS, {}).get(TITLE, ()):
        _require(fact in knowledge.kinds, path, f"unknown fact `{fact}` in `{TITLE}`")
    return sections


def _check_entry(path: str, knowledge: Knowledge, section: str, text: str, other: Any, fact: str) -> None:
    """Check a line of [words.FACT], or of [values.FACT] if there is a fact."""
    if not fact:
        _require(_is_texts(other), path, f"`{text}` in {section} is not a list of texts")
        return
    _require(isinstance(other, str), path, f"`{text}` in {section} is not a text")
    values = knowledge.variables[fact].values
    if other and other not in values:
        near = suggestion(other, values)
        raise _wrong(
            path,
            f"unknown value `{other}` in {section}",
            f"did you mean `{near}`?" if near else f"`setpoint kb list {fact}` lists the values",
        )


def _is_texts(entry: Any) -> bool:
    return isinstance(entry, list) and all(isinstance(text, str) for text in entry)


def _require(is_right: bool, path: str, why: str) -> None:
    if not is_right:
        raise _wrong(path, why)


def _wrong(path: str, why: str, help_: str = "") -> SetpointError:
    advice = help_ or "the guide `Plan a fleet` shows the form"
    return SetpointError.of("E0612", f"`{path}` is not a table of facts: {why}", help=(advice,))
