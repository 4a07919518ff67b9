"""The parameters of modules, by a table of the library (`stdlib/modules.toml`).

A boot line has them behind the module's name, a file for modprobe behind `options` and the module. A kernel that loads
a module reports one that it does not have, and goes on: nobody sees that. Which parameters there are is read of a few
versions; of earlier kernels nothing is said, since modules lose parameters as well.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.slips import nearest
from setpoint.compiler.entries.model import Entry
from setpoint.compiler.entries.templates import has_variable
from setpoint.compiler.knowledge.library import library_table, stdlib_folder
from setpoint.compiler.record import NamedTuple

TABLE = "modules.toml"
"""The file of the library with the parameters."""

MOST_NAMED = 12
"""How many parameters of a module a message names."""

ALIKE = 0.85
"""Which part of the letters of two names is the same if one is proposed for the other."""

FEW = 2
"""Of how many modules a parameter can be whose name says of which it is."""

MAKERS = "leave it out, or see whether the server has a driver of the maker, which may have it"

COMMENT = "#"

SEVERAL = "*"
"""What ends the type of a parameter that takes a list."""

Version = tuple[int, ...]


class Modules(NamedTuple):
    """The parameters of each module, those of every module, and what is no module in any kernel, with the place in the
    source. `read` are the versions that were read, `at` is their source, and `comments_at` that of what is a comment in
    a file for modprobe. Of modules that Linux does not have `outside` says what they belong to, and the source.

    `lists` are the words with lists of modules, and `others` modules of which only the name is known.

    `changed` has the parameters that not all of them have: the name, the last version before it and the first with it,
    or the last with it and the first without it, () for none. `words` are those that the kernel itself reads, by the
    architectures that have them, of which one is that of servers; `words_at` is their source. `within` are
    those of code that is built in, of which there may be more. `types` has the type of each, and `forms` what a type
    takes, and what becomes of another text.
    """

    parameters: Mapping[str, frozenset[str]]
    every: frozenset[str]
    built_in: Mapping[str, str]
    read: tuple[Version, ...]
    outside: Mapping[str, tuple[str, str]]
    changed: tuple[tuple[str, Version, Version, Version, Version], ...]
    words: Mapping[str, frozenset[str]]
    within: Mapping[str, frozenset[str]]
    architecture: str
    at: str
    words_at: str
    comments_at: str
    types: Mapping[str, str]
    forms: Mapping[str, Mapping[str, Any]]
    lists: frozenset[str]
    others: frozenset[str]


def modules() -> Modules:
    """The table of the library in use; an empty one if that has none."""
    return _read(stdlib_folder())


def no_parameter(entry: Entry, last: Version) -> Diagnostic | None:
    """The finding about a parameter that a module lacks (W0921), for kernels up to the `last` one, () for any."""
    module, _, parameter = entry.name.replace("-", "_").partition(".")
    table = modules()
    is_one = entry.interface == "argument" and bool(parameter) and not has_variable(entry.name)
    if not is_one or not (module in table.outside or reaches(last)):
        return None
    known = table.parameters.get(module)
    if known is None:
        return _no_module(table, entry, module, parameter)
    if parameter in known | table.every:
        return None
    versions, at = table.outside.get(module, (versions_read(), table.at))
    message = f"the module `{module}` has no parameter `{parameter}` in {versions}"
    names = [f"`{name}`" for name in sorted(known)]
    said = ", ".join(names[:MOST_NAMED]) + ", …" * (len(names) > MOST_NAMED)
    notes = (f"it has: {said or 'none'}", f"source: {at}")
    near = nearest(parameter, sorted(known), ALIKE)
    help_ = (f"did you mean `{near}`?" if near else MAKERS,)
    return Diagnostic("W0921", message, entry.span, "no parameter", (), notes, help_)


def _no_module(table: Modules, entry: Entry, module: str, parameter: str) -> Diagnostic | None:
    """The finding about a parameter of another module, whose name is longer or shorter (W0921)."""
    everywhere = {**table.parameters, **table.within}
    having = [name for name, known in everywhere.items() if parameter in known]
    alike = [name for name in having if re.sub(r"\D", "", name) == re.sub(r"\D", "", module)]
    near = nearest(module, alike, ALIKE)
    longer = [name for name in having if name.startswith(f"{module}_")]
    within = [name for name in having if name in table.within and module.startswith(f"{name}_")]
    related = [near] if near else longer or within
    if module in everywhere or (len(having) > FEW and not near) or len(related) != 1:
        return None
    message = f"no module is called `{module}` in {versions_read()}"
    help_ = (f"did you mean `{related[0]}.{parameter}`?",)
    return Diagnostic("W0921", message, entry.span, "no module", (), (f"source: {table.at}",), help_)


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
    parameters = {module: frozenset[str]() for module in table.get("without", "").split()}
    words, within = dict[str, frozenset[str]](), dict[str, frozenset[str]]()
    changed: list[tuple[str, Version, Version, Version, Version]] = []
    types: dict[str, str] = {}
    outside = table.get("outside", ())
    tables = [(key, table) for key in ("parameters", "within", "words")]
    tables += [("outside", row) for row in outside]
    for key, of in tables:
        known = {"within": within, "words": words}.get(key, parameters)
        for group, text in of.get("parameters" if key == "outside" else key, {}).items():
            parts = [word.partition(":") for word in text.split()]
            known[group] = frozenset(word.partition("=")[0] for word, _, _ in parts)
            for word, _, versions in parts:
                name, _, kind = word.partition("=")
                full = name if key == "words" else f"{group}.{name}"
                changed += [(full, *_changes(versions, read))] if versions else []
                types |= {full: f"{key} {kind}"} if kind else {}
    named = {
        key: table.get(key.replace("_", "-"), "") for key in ("architecture", "at", "words_at", "comments_at")
    }
    return Modules(
        parameters=parameters,
        every=frozenset(table.get("any", ())),
        built_in=table.get("built-in", {}),
        read=read,
        outside={module: (row["title"], row["at"]) for row in outside for module in row["parameters"]},
        changed=tuple(changed),
        words=words,
        within=within,
        **named,
        types=types,
        forms={kind: _form(table, *kind.split()) for kind in set(types.values())},
        lists=frozenset(table.get("lists", ())),
        others=frozenset(table.get("others", "").split()),
    )


def _form(table: Mapping[str, Any], of: str, kind: str) -> dict[str, Any]:
    """The fields of the grammar of a type: of parameters of a module, of those within the kernel, or of words."""
    forms = [*(["<list>"] if kind.endswith(SEVERAL) else []), *table["types"][kind.removesuffix(SEVERAL)]]
    source, _, at = table["types-at"][of].partition(", ")
    wrong, notes = table["wrong"].get(kind, table["wrong"][of]), table.get("notes", {}).get(kind, {})
    return {"takes": forms, "wrong": wrong, "notes": notes, "source": source, "at": at}


def _changes(versions: str, read: Sequence[Version]) -> tuple[Version, Version, Version, Version]:
    """The last version before a name and the first with it, the last with it and the first without it."""
    first, last = (version_of(version) for version in versions.split("-"))
    return (
        read[read.index(first) - 1] if first else (),
        first,
        last,
        read[read.index(last) + 1] if last else (),
    )
