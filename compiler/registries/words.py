"""Names in the language for what registries call attributes and values, and the words that do not matter in them.

Which words mean *on*, which do not matter in a label, and which labels are not about tuning, is knowledge: it is read
from the standard library (`registries.toml`). A name has lower-case letters, digits, `.`, `+` and `-`, and is no
reserved word.
"""

import os
import re
import tomllib
import unicodedata
from collections.abc import Container, Iterable, Mapping
from typing import Any

from setpoint.compiler.knowledge.boxes import ANY
from setpoint.compiler.knowledge.library import stdlib_folder
from setpoint.compiler.knowledge.locks import FREE
from setpoint.compiler.language.tables import reserved_words
from setpoint.compiler.record import NamedTuple

FILE = "registries.toml"
"""The file of the standard library that has the words."""

MOST_LETTERS = 48
"""The maximum length of a name; longer labels are cut at a word."""


class Exclusion(NamedTuple):
    """Attributes that are no settings, by a phrase in a menu or the label or by name, with the reason."""

    why: str
    phrases: tuple[str, ...]
    attributes: frozenset[str]

    def applies(self, name: str, texts: Iterable[str]) -> bool:
        """Whether an attribute with this name, and these menus and this label, is one of them."""
        return name in self.attributes or _has(texts, self.phrases)


class RegistryWords(NamedTuple):
    """The library's words: `values` has the names of values by what they are called, in lower case.

    `owners` and `processors` have the fact and the value that follow from what an owner or a processor is called.
    `not_tuning` are the exceptions from `tuning`; attributes of `no_setting` are for tuning, and no settings all the
    same.
    """

    values: Mapping[str, str]
    owners: Mapping[str, tuple[str, str]]
    processors: Mapping[str, tuple[str, str]]
    ignored: frozenset[str]
    left_out: tuple[str, ...]
    tuning: tuple[str, ...]
    not_tuning: tuple[Exclusion, ...]
    no_setting: tuple[Exclusion, ...]


def library_words() -> RegistryWords:
    """The words of the standard library."""
    with open(os.path.join(stdlib_folder(), FILE), "rb") as file:
        read = tomllib.load(file)
    return RegistryWords(
        values={text.lower(): name for name, texts in read["values"].items() for text in texts},
        owners=_facts(read["owners"]),
        processors=_facts(read["processors"]),
        ignored=frozenset(text.lower() for text in read["labels"]["ignore"]),
        left_out=_phrases(read["labels"]["leave_out"]),
        tuning=_phrases(read["tuning"]["words"]),
        not_tuning=_exclusions(read["not_tuning"]),
        no_setting=_exclusions(read["no_setting"]),
    )


def _exclusions(read: Iterable[Mapping[str, Any]]) -> tuple[Exclusion, ...]:
    return tuple(
        Exclusion(entry["why"], _phrases(entry.get("words", ())), frozenset(entry.get("attributes", ())))
        for entry in read
    )


def _facts(read: Mapping[str, Mapping[str, list[str]]]) -> dict[str, tuple[str, str]]:
    return {
        text.lower(): (fact, value)
        for fact, values in read.items()
        for value, texts in values.items()
        for text in texts
    }


def plain(text: str) -> str:
    """A text on one line, without control characters and marks that cannot be seen."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())


def kebab(text: str) -> str:
    """A text as a name: `Node Interleaving` and `NodeInterleaving` are `node-interleaving`. It may be empty."""
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    text = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})", "-", text).lower()
    parts = [part.strip(".+-") for part in re.split(r"[^a-z0-9.+]+", text)]
    name = "-".join(filter(None, parts))
    while len(name) > MOST_LETTERS and "-" in name:
        name = name.rpartition("-")[0]
    return name


def is_usable(name: str) -> bool:
    """Whether a text can be a name: of a setting, or of a value."""
    return bool(re.fullmatch(r"[a-z0-9][a-z0-9.+-]*", name)) and name not in {*reserved_words(), ANY, FREE}


def free_name(wanted: list[str], taken: Container[str]) -> str:
    """The first usable name that is not taken; the last one gets a number if all are."""
    usable = [name for name in wanted if is_usable(name)] or [f"{wanted[-1] or 'x'}-value"]
    for name in usable:
        if name not in taken:
            return name
    number = 2
    while f"{usable[-1]}-{number}" in taken:
        number += 1
    return f"{usable[-1]}-{number}"


def essence(text: str, words: RegistryWords) -> str:
    """What matters in a label, squashed: `Intel(R) Hyper-Threading Technology` is `hyperthreading`."""
    return "".join(part for part in _parts(text) if part not in words.ignored)


def is_left_out(text: str, words: RegistryWords) -> bool:
    """Whether a label is not about tuning."""
    return _has((text,), words.left_out)


def is_about_tuning(texts: Iterable[str], words: RegistryWords) -> bool:
    """Whether the menus or the label of an attribute have a word of tuning; exceptions from that are not considered."""
    return _has(texts, words.tuning)


def _phrases(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(" ".join(_parts(text)) for text in texts)


def _has(texts: Iterable[str], phrases: Iterable[str]) -> bool:
    padded = [f" {' '.join(_parts(text))} " for text in texts]
    return any(f" {phrase} " in text for phrase in phrases for text in padded)


def _parts(text: str) -> list[str]:
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return [part for part in re.split(r"[^a-z0-9]+", apart.lower()) if part]
