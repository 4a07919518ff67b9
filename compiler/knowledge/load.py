"""The standard library, from its files or from a cache.

Reading the knowledge files takes a good part of a second, which a plan should not. The cache has three parts, of which
most commands read only the first: the knowledge base without its measurements, the measurements, and the trees, from
which the knowledge base is built together with a site's own files. A process that needs a part again, as for the next of
many policies, has it in memory as long as the files are unchanged.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Any

import setpoint.compiler
import setpoint.grammar
import setpoint.stdlib
from setpoint.compiler.diagnostics.source import SUFFIX
from setpoint.compiler.files.cache import cached, inputs_state
from setpoint.compiler.knowledge.model import Knowledge, Measurement
from setpoint.compiler.language.syntax import File
from setpoint.compiler.language.tables import lark_version


def standard() -> Knowledge:
    """The standard library, without its measurements."""
    knowledge: Knowledge = _parts(1)[0]
    return knowledge


def measurements() -> tuple[Measurement, ...]:
    """The measurements of the standard library."""
    found: tuple[Measurement, ...] = _parts(2)[1]
    return found


def with_site(site: Iterable[File]) -> Knowledge:
    """The standard library together with a site's own files. Raises SetpointError for errors in these."""
    from setpoint.compiler.knowledge.build import LayeredFile, build

    return build(
        [*(LayeredFile(tree, "stdlib") for tree in trees()), *(LayeredFile(file, "site") for file in site)]
    )


def trees() -> tuple[File, ...]:
    """The trees of the standard library's files, sorted by name."""
    found: tuple[File, ...] = _parts(3)[2]
    return found


def stdlib_folder() -> str:
    """The folder of the standard library."""
    return next(iter(setpoint.stdlib.__path__))


def stdlib_text(name: str) -> str:
    """The text of a knowledge file, by its name in spans (`stdlib/…`)."""
    with open(os.path.join(stdlib_folder(), *name.split("/")[1:]), encoding="utf-8") as file:
        return file.read()


def _files(folder: str, suffix: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(place, name) for name in sorted(names) if name.endswith(suffix))


def _input_files() -> list[str]:
    """The files that the cache depends on: the knowledge files, the grammar, and the modules that read them."""
    modules = (
        file
        for room in ("language", "knowledge")
        for file in _files(os.path.join(setpoint.compiler.__path__[0], room), ".py")
    )
    return [
        *_files(stdlib_folder(), SUFFIX),
        *_files(next(iter(setpoint.grammar.__path__)), ".lark"),
        *modules,
    ]


_in_memory: dict[bytes, list[Any]] = {}
"""The parts that this process has read, by the state of their files; only the last state."""


def _parts(count: int) -> list[Any]:
    files, versions = _input_files(), [lark_version()]
    state = inputs_state(files, versions)
    found = _in_memory.get(state, [])
    if len(found) < count:
        found += cached("knowledge", files, _build, count, versions)[len(found) :]
        _in_memory.clear()
        _in_memory[state] = found
    return found


def _build() -> list[Any]:
    from setpoint.compiler.diagnostics.source import SourceText
    from setpoint.compiler.knowledge.build import LayeredFile, build
    from setpoint.compiler.language.parse import parse

    folder = stdlib_folder()
    trees = []
    for path in _files(folder, SUFFIX):
        name = "stdlib/" + os.path.relpath(path, folder).replace(os.sep, "/")
        with open(path, encoding="utf-8") as file:
            trees.append(parse(SourceText(name, file.read())))
    knowledge = build([LayeredFile(tree, "stdlib") for tree in trees])
    return [knowledge._replace(measurements=()), knowledge.measurements, tuple(trees)]
