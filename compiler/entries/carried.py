"""What carries settings, by a table of the library (`stdlib/texts.toml`): the keys, commands and resources of other
programs that have them, the readers of words of a boot line, and the plugins of profiles with their options.

A reader asks here what belongs to the settings; what a word takes as text is judged by the audit.
"""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from setpoint.compiler.knowledge.library import library_table, stdlib_folder
from setpoint.compiler.knowledge.lookup import squashed
from setpoint.compiler.record import NamedTuple

TABLE = "texts.toml"
"""The file of the library with what carries settings, and with what words take."""

Row = Mapping[str, Any]
"""A row of a table of the library."""


class Plugins(NamedTuple):
    """The options of the sections of a profile: of each plugin all of them. Those that are `open` take any; `option`
    and `plugin` say what becomes of another option, and of the section of another plugin."""

    options: Mapping[str, frozenset[str]] = MappingProxyType({})
    open: frozenset[str] = frozenset()
    option: str = ""
    plugin: str = ""
    at: str = ""


class Resource(NamedTuple):
    """The boot words of a resource's values, by path, and of the items of a list, by a key that says otherwise."""

    words: Mapping[str, tuple[str, ...]]
    items: Mapping[str, tuple[tuple[str, ...], str]]


class Dialect(NamedTuple):
    """A form of profiles that is not tuned's: its sections, and the interface of those that are read."""

    marks: frozenset[str]
    sections: Mapping[str, str]


class Carried(NamedTuple):
    """What files of other programs have for a server: keys with words of a boot line, the first parts of sysctls,
    commands with their options, what stands beside attributes and is none (`frame`), texts that leave one as it is
    (`unset`), resources with a word of a boot line, mappings of such words, keys of `modules` with the word that does
    the same, what commands for the firmware leave `pending`, `tasks` of Ansible, and `loaders`: forms of lines.
    `readers` are those of other words of a boot line, `plugins` what profiles have, of which some options are
    `refused`, `values` the words of resources by kind, and `dialects` the profiles of other tools. `buses` are the
    subsystems whose devices are in the folder of a bus, and not of a class.

    Below the keys of `renamed_below` sysctls have the names of `renamed`, in small letters without `_`. A boot line has
    sysctls behind `prefix`; `because` says what becomes of one without it, `prefix_at` is the place in the source.
    """

    words: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    commands: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    frame: frozenset[str] = frozenset()
    unset: frozenset[str] = frozenset()
    resources: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()
    modules: Mapping[str, str] = MappingProxyType({})
    pending: Mapping[str, Any] = MappingProxyType({})
    prefix: str = ""
    because: str = ""
    prefix_at: str = ""
    renamed_below: tuple[str, ...] = ()
    renamed: Mapping[str, str] = MappingProxyType({})
    tasks: tuple[Mapping[str, Any], ...] = ()
    readers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    plugins: Plugins = Plugins()
    refused: frozenset[str] = frozenset()
    values: Mapping[str, Resource] = MappingProxyType({})
    dialects: tuple[Dialect, ...] = ()
    buses: frozenset[str] = frozenset()
    loaders: Mapping[str, Any] = MappingProxyType({})

    def __hash__(self) -> int:
        return hash((self.words, self.roots))

    def is_sysctl(self, name: str) -> bool:
        """Whether a name begins as those of sysctls do, and is no word of a boot line."""
        root, *parts = re.split("[./]", name)
        return bool(parts) and root in self.roots and not self.reader(name)

    def reader(self, name: str) -> str:
        """Who reads a word of a boot line that is not the kernel's; "" if nobody is known."""
        for title, words in self.readers:
            if any(name.startswith(word[:-1]) if word.endswith("*") else name == word for word in words):
                return title
        return ""


def carried() -> Carried:
    """The table of the library in use; an empty one if that has none."""
    return _read(stdlib_folder())


@cache
def _read(folder: str) -> Carried:
    whole = library_table(folder, TABLE)
    table = whole.get("carried", {})
    lists = ("words", "roots", "resources", "maps", "tasks")
    bare, renamed = table.get("bare", {}), table.get("renamed", {})
    return Carried(
        **dict[str, Any]((key, tuple(table.get(key, ()))) for key in lists),
        **dict[str, Any]((key, table.get(key, {})) for key in ("modules", "pending", "loaders")),
        commands={name: tuple(options) for name, options in table.get("commands", {}).items()},
        buses=frozenset(table.get("buses", ())),
        frame=frozenset(key.replace("_", "") for key in table.get("frame", ())),
        unset=frozenset(map(squashed, table.get("unset", ()))),
        prefix=bare.get("prefix", ""),
        because=bare.get("because", ""),
        prefix_at=bare.get("at", ""),
        renamed_below=tuple(renamed.get("below", ())),
        renamed=renamed.get("names", {}),
        readers=tuple((row["title"], tuple(row["words"])) for row in whole.get("readers", ())),
        plugins=_plugins(whole.get("plugins", {})),
        refused=frozenset(whole.get("gone", {}).get("tuned", ())),
        values={row["kind"]: _resource(row) for row in whole.get("resources", ())},
        dialects=tuple(
            Dialect(frozenset(row["marks"]), row["sections"]) for row in whole.get("dialects", ())
        ),
    )


def _resource(table: Mapping[str, Any]) -> Resource:
    items = {
        path: (tuple(fields["words"]), fields["unless"]) for path, fields in table.get("items", {}).items()
    }
    return Resource({path: tuple(words) for path, words in table.get("words", {}).items()}, items)


def _plugins(table: Mapping[str, Any]) -> Plugins:
    options = {name: frozenset(names) for name, names in table.get("options", {}).items()}
    said = [table.get(key, "") for key in ("option", "plugin", "at")]
    return Plugins(options, frozenset(table.get("open", ())), *said)
