"""The parameters of modules, by a table of the library (`stdlib/modules.toml`).

A boot line has them behind the module's name, a file for modprobe behind `options` and the module. A kernel that loads
a module reports one that it does not have, and goes on: nobody sees that. Which parameters there are is read of a few
versions; of earlier kernels nothing is said, since modules lose parameters as well.
"""

import re
from collections.abc import Mapping
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
    or the last with it and the first without it, () for none.
    """

    parameters: Mapping[str, frozenset[str]]
    every: frozenset[str]
    built_in: Mapping[str, str]
    read: tuple[Version, ...]
    changed: tuple[tuple[str, Version, Version, Version, Version], ...]
    at: str
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
    if last and last < table.read[0]:
        return None
    where = f"Linux {text_of(table.read[0])} to {text_of(table.read[-1])}"
    message = f"the module `{module}` has no parameter `{parameter}` in {where}"
    names = [f"`{name}`" for name in sorted(known)]
    said = ", ".join(names[:MOST_NAMED]) + ", …" * (len(names) > MOST_NAMED)
    notes = (f"it has: {said or 'none'}", f"source: {table.at}")
    help_ = ("leave it out, or see whether the server has a driver of the maker, which may have it",)
    return Diagnostic("W0921", message, entry.span, "no parameter", (), notes, help_)


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
        help_ = (f"write `{module}.{entry.written}` on the boot line",)
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
    changed: list[tuple[str, Version, Version, Version, Version]] = []
    for module, text in table.get("parameters", {}).items():
        words = [word.partition(":") for word in text.split()]
        parameters[module] = frozenset(name for name, _, _ in words)
        for name, _, versions in words:
            if versions:
                first, last = (version_of(version) for version in versions.split("-"))
                without = read[read.index(first) - 1] if first else ()
                gone = read[read.index(last) + 1] if last else ()
                changed.append((f"{module}.{name}", without, first, last, gone))
    return Modules(
        parameters=parameters,
        every=frozenset(table.get("any", ())),
        built_in=table.get("built-in", {}),
        read=read,
        changed=tuple(changed),
        at=table.get("at", ""),
        comments_at=table.get("comments-at", ""),
    )
