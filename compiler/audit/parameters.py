"""The parameters of modules, by a table of the library (`stdlib/modules.toml`).

A boot line has them behind the module's name, a file for modprobe behind `options` and the module. A kernel that loads
a module reports one that it does not have, and goes on: nobody sees that. Which parameters there are is read of a few
versions; of earlier kernels nothing is said, since modules lose parameters as well.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from setpoint.compiler.audit.model import Entry
from setpoint.compiler.audit.templates import has_variable
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.library import library_table, stdlib_folder
from setpoint.compiler.record import NamedTuple

TABLE = "modules.toml"
"""The file of the library with the parameters."""

MOST_NAMED = 12
"""How many parameters of a module a message names."""

COMMENT = "#"

Version = tuple[int, ...]


class Modules(NamedTuple):
    """The parameters of each module, those of every module, and what is no module in any kernel, with the place in the
    source. `read` are the versions that were read, `at` is their source, and `comments_at` that of what is a comment in
    a file for modprobe.

    `changed` has the parameters that not all of them have: the name, the last version before it and the first with it,
    or the last with it and the first without it, () for none. `words` are those that the kernel itself reads, by the
    architectures that have them, of which one is that of servers; `words_at` is their source.
    """

    parameters: Mapping[str, frozenset[str]]
    every: frozenset[str]
    built_in: Mapping[str, str]
    read: tuple[Version, ...]
    changed: tuple[tuple[str, Version, Version, Version, Version], ...]
    words: Mapping[str, frozenset[str]]
    architecture: str
    at: str
    words_at: str
    comments_at: str


def modules() -> Modules:
    """The table of the library in use; an empty one if that has none."""
    return _read(stdlib_folder())


def no_parameter(entry: Entry, last: Version) -> Diagnostic | None:
    """The finding about a parameter that a module lacks (W0921), for kernels up to the `last` one, () for any."""
    module, _, parameter = entry.name.replace("-", "_").partition(".")
    table = modules()
    known = table.parameters.get(module) if entry.interface == "argument" else None
    if known is None or parameter in known | table.every or has_variable(entry.name):
        return None
    if not reaches(last):
        return None
    message = f"the module `{module}` has no parameter `{parameter}` in {versions_read()}"
    names = [f"`{name}`" for name in sorted(known)]
    said = ", ".join(names[:MOST_NAMED]) + ", …" * (len(names) > MOST_NAMED)
    notes = (f"it has: {said or 'none'}", f"source: {table.at}")
    help_ = ("leave it out, or see whether the server has a driver of the maker, which may have it",)
    return Diagnostic("W0921", message, entry.span, "no parameter", (), notes, help_)


def reaches(last: Version) -> bool:
    """Whether kernels up to the `last` one, () for any, are among those that were read."""
    read = modules().read
    return bool(read) and (not last or last >= read[0])


def versions_read() -> str:
    """The kernels that were read, in words."""
    read = modules().read
    return f"Linux {text_of(read[0])} to {text_of(read[-1])}"


def never_read(entry: Entry) -> Diagnostic | None:
    """The finding about an option for modprobe that no module takes (W0922): of built-in code, or a comment."""
    module, _, parameter = entry.name.replace("-", "_").partition(".")
    table = modules()
    if not entry.is_option:
        return None
    if parameter.startswith(COMMENT) and table.comments_at:
        message = (
            f"`{entry.short}` is taken for parameters of `{module}`: only a line of its own is a comment"
        )
        help_ = ("write it on a line of its own",)
        source = table.comments_at
    elif module in table.built_in:
        message = f"`{entry.written}` is never read: `{module}` is built into every kernel, so modprobe does not load it"
        has_it = parameter in table.parameters.get(module, (parameter,))
        help_ = (f"write `{module}.{entry.written}` on the boot line" if has_it else "leave it out",)
        source = table.built_in[module]
    else:
        return None
    return Diagnostic("W0922", message, entry.span, "no option", (), (f"source: {source}",), help_)


def version_of(text: str) -> Version:
    """A version by its numbers."""
    return tuple(map(int, re.findall(r"\d+", text)))


def text_of(version: Version) -> str:
    """A version as people write it."""
    return ".".join(map(str, version))


@cache
def _read(folder: str) -> Modules:
    table = library_table(folder, TABLE)
    read = tuple(map(version_of, table.get("read", ())))
    parameters: dict[str, frozenset[str]] = {}
    words: dict[str, frozenset[str]] = {}
    changed: list[tuple[str, Version, Version, Version, Version]] = []
    lists = [("parameters", parameters, "{}."), ("words", words, "")]
    for key, known, prefix in lists:
        for group, text in table.get(key, {}).items():
            parts = [word.partition(":") for word in text.split()]
            known[group] = frozenset(name for name, _, _ in parts)
            changed += [
                (f"{prefix.format(group)}{name}", *_changes(versions, read))
                for name, _, versions in parts
                if versions
            ]
    return Modules(
        parameters=parameters,
        every=frozenset(table.get("any", ())),
        built_in=table.get("built-in", {}),
        read=read,
        changed=tuple(changed),
        words=words,
        architecture=table.get("architecture", ""),
        at=table.get("at", ""),
        words_at=table.get("words-at", ""),
        comments_at=table.get("comments-at", ""),
    )


def _changes(versions: str, read: Sequence[Version]) -> tuple[Version, Version, Version, Version]:
    """The last version before a name and the first with it, the last with it and the first without it."""
    first, last = (version_of(version) for version in versions.split("-"))
    return (
        read[read.index(first) - 1] if first else (),
        first,
        last,
        read[read.index(last) + 1] if last else (),
    )
