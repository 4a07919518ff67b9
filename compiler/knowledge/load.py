"""The standard library, from its files or from a cache, and other knowledge that files have.

Reading the knowledge files takes a good part of a second, which a plan should not. The cache has the knowledge base in
parts, of which a command reads those that it needs: the frame, with all facts, settings and sources; the sections
(`sections`), of which a plan needs those for its server; and the measurements. The trees, from which the knowledge base
is built together with a site's own files, are the larger half of it all, and most commands never need them: they have a
cache file of their own, which the first command that needs them writes. A process that needs a part again, as for the
next of many policies, has it in memory as long as the files are unchanged.
"""

import gc
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property

import setpoint.compiler
import setpoint.grammar
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import SUFFIX
from setpoint.compiler.files.cache import StoredParts, cached, inputs_state, keep, ship, stored_parts
from setpoint.compiler.hints import TYPE_CHECKING, Any
from setpoint.compiler.knowledge.library import (
    KnowledgeDigests,
    files_below,
    library_digest,
    library_files,
    stdlib_folder,
)
from setpoint.compiler.knowledge.model import ASIDE, Knowledge, Measurement, emptied
from setpoint.compiler.knowledge.stored import OnDemand, StoredKnowledge
from setpoint.compiler.language.syntax import Block, File
from setpoint.compiler.language.tables import lark_version, ship_tables
from setpoint.compiler.record import NamedTuple

if TYPE_CHECKING:
    from setpoint.compiler.knowledge.build import Foundation, LayeredFile

FRAME, ASIDE_PART, MEASUREMENTS, SECTIONS = range(4)
"""The parts of the knowledge base in the cache; from SECTIONS on, each part is a section, then a source or a value."""


def standard() -> Knowledge:
    """The standard library, without its measurements."""
    return _library().knowledge


def measurements() -> tuple[Measurement, ...]:
    """The measurements of the standard library."""
    figures: tuple[Measurement, ...] = _library().part(MEASUREMENTS)
    return figures


def with_site(site: Iterable[File]) -> Knowledge:
    """The standard library together with a site's own files. Raises SetpointError for errors in these."""
    with _without_collector():
        return _library().with_site(tuple(site))


def trees() -> tuple[File, ...]:
    """The trees of the standard library's files, sorted by name."""
    return _library().trees


def stdlib_text(name: str) -> str:
    """The text of a knowledge file, by its name in spans (`stdlib/…`)."""
    with open(os.path.join(stdlib_folder(), *name.split("/")[1:]), encoding="utf-8") as file:
        return file.read()


def ship_made(folder: str) -> None:
    """Write what the wheel brings along into a folder: the standard library, its trees, and the grammar's tables."""
    ship_tables(folder)
    with _without_collector():
        ship("knowledge", _input_files(), _build(stdlib_folder()), folder)
        ship("trees", _input_files(), [_parsed(stdlib_folder())], folder)


def _input_files() -> list[str]:
    """The files that the cache depends on: the library, the grammar, and the modules that read them."""
    modules = (
        file
        for room in ("language", "knowledge")
        for file in files_below(os.path.join(setpoint.compiler.__path__[0], room), ".py")
    )
    return [
        *library_files(stdlib_folder()),
        *files_below(next(iter(setpoint.grammar.__path__)), ".lark"),
        *modules,
    ]


class _Library:
    """The standard library in one state of its files; its parts are read once, or made again if the cache lacks one."""

    def __init__(self, folder: str, files: list[str], versions: list[str], state: bytes) -> None:
        self._folder, self._files, self._versions = folder, files, versions
        self._stored: StoredParts | list[Any] | None = stored_parts("knowledge", files, state)
        self.part = cache(self._part)
        self._foundation: tuple[tuple[LayeredFile, ...], Foundation] | None = None

    @cached_property
    def knowledge(self) -> Knowledge:
        """The knowledge base without its measurements; those who build another one need the trees alone."""
        frame, sources, values, places, count = self.part(FRAME)
        names = dict(zip(sources, range(len(sources)), strict=True))
        frame = frame._replace(
            sources=OnDemand(names, SECTIONS + count, self._part),
            values={
                fact: OnDemand(frame.variables[fact].places, first, self._part)
                for fact, first in values.items()
            },
        )
        return StoredKnowledge(
            frame, places, count, lambda number: self._part(SECTIONS + number), lambda: self._part(ASIDE_PART)
        )

    @cached_property
    def trees(self) -> tuple[File, ...]:
        """The trees of the knowledge files, sorted by name."""
        with _without_collector():
            files: tuple[File, ...] = cached(
                "trees", self._files, lambda: [_parsed(self._folder)], 1, self._versions
            )[0]
        return files

    @cached_property
    def _digests(self) -> KnowledgeDigests:
        return KnowledgeDigests(library_digest(self._folder))

    def with_site(self, site: tuple[File, ...]) -> Knowledge:
        """The library with a site's files. What it was last built with stays, as long as no declaration changes."""
        from setpoint.compiler.knowledge.build import Foundation, LayeredFile, may_come_later
        from setpoint.compiler.language.meaning import is_unmoved

        declared, later = (
            tuple(
                LayeredFile(
                    tree._replace(body=tuple(s for s in tree.body if may_come_later(s) == is_later)), "site"
                )
                for tree in site
            )
            for is_later in (False, True)
        )
        if self._foundation is not None and is_unmoved(self._foundation[0], declared):
            knowledge = self._foundation[1].knowledge(later)
            if knowledge is not None:
                return knowledge._replace(digests=self._digests)
        files = (*(LayeredFile(tree, "stdlib") for tree in self.trees), *declared)
        last = self._foundation[1] if self._foundation else None
        self._foundation = declared, Foundation(files, later, last)
        knowledge = self._foundation[1].knowledge(later)
        assert knowledge is not None  # its own first version
        return knowledge._replace(digests=self._digests)

    def _part(self, number: int) -> Any:
        with _without_collector():
            if self._stored is not None:
                try:
                    return self._stored[number]
                except Exception:
                    pass
            self._stored = _build(self._folder)
            keep("knowledge", self._files, self._stored, self._versions)
            return self._stored[number]


_in_memory: dict[bytes, _Library] = {}
"""The libraries that this process has read, by the state of their files; the last two, which a comparison needs."""


def _library() -> _Library:
    files, versions = _input_files(), [lark_version()]
    state = inputs_state(files, versions)
    if state not in _in_memory:
        library = _Library(stdlib_folder(), files, versions, state)
        while len(_in_memory) > 1:
            del _in_memory[next(iter(_in_memory))]
        _in_memory[state] = library
    return _in_memory[state]


@contextmanager
def _without_collector() -> Iterator[None]:
    """Pause the collector while knowledge is read: its search finds nothing, and takes a quarter of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _parsed(folder: str, about: str = "") -> tuple[File, ...]:
    """The trees of a library's files, or of those whose text has a match of a pattern."""
    from setpoint.compiler.diagnostics.source import SourceText
    from setpoint.compiler.language.parse import parse

    files = []
    for path in files_below(folder, SUFFIX):
        name = "stdlib/" + os.path.relpath(path, folder).replace(os.sep, "/")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if re.search(about, text):
            files.append(parse(SourceText(name, text)))
    return tuple(files)


def _build(folder: str) -> list[Any]:
    from setpoint.compiler.knowledge.build import LayeredFile, build
    from setpoint.compiler.knowledge.sections import divided

    knowledge = build([LayeredFile(tree, "stdlib") for tree in _parsed(folder)])
    digests = KnowledgeDigests(library_digest(folder))
    bare = knowledge._replace(measurements=(), sources={}, values={}, digests=digests, **emptied(ASIDE))
    frame, places, sections = divided(bare)
    aside = {field: getattr(knowledge, field) for field in ASIDE}
    parts: list[Any] = [None, aside, knowledge.measurements, *sections, *knowledge.sources.values()]
    values = {}
    for fact, by_name in knowledge.values.items():
        values[fact] = len(parts)
        parts += map(by_name.__getitem__, knowledge.variables[fact].values)
    parts[FRAME] = frame, tuple(knowledge.sources), values, places, len(sections)
    return parts


class LoadedKnowledge(NamedTuple):
    """A knowledge base, the texts that it was read from (none for the standard library), and its files."""

    knowledge: Knowledge
    sources: dict[str, str]
    files: tuple[str, ...]


@_without_collector()
def knowledge_of(files: Mapping[str, str]) -> LoadedKnowledge:
    """The knowledge base of these files, each with the folder that its includes must stay in ("" for its own).

    Without files it is the standard library. Files that declare facts of the standard library are a complete knowledge
    base: another version of it, or an unrelated one. All others extend the standard library. Raises SetpointError with
    all errors.
    """
    from setpoint.compiler.knowledge.build import LayeredFile, build
    from setpoint.compiler.language.program import program_of_file

    if not files:
        return LoadedKnowledge(standard()._replace(measurements=measurements()), {}, ())
    declared: dict[str, File] = {}
    sources: dict[str, str] = {}
    findings: list[Diagnostic] = []
    for path, root in files.items():
        try:
            program = program_of_file(path, root)
        except SetpointError as error:
            findings.extend(error.diagnostics)
            sources.update(error.sources)
            continue
        sources.update(program.sources)
        declared.update((file.name, file) for file in program.site)
    try:
        if findings:
            raise SetpointError(*findings)
        trees = tuple(declared.values())
        whole = _is_complete(trees)
        knowledge = build(LayeredFile(tree, "stdlib") for tree in trees) if whole else with_site(trees)
    except SetpointError as error:
        error.sources = sources
        raise
    return LoadedKnowledge(knowledge, sources, tuple(files))


def _is_complete(trees: tuple[File, ...]) -> bool:
    """Whether these declare a fact of the standard library. Of that, only the files that may declare one are parsed."""
    facts = _declared_facts(trees)
    named = "|".join(map(re.escape, sorted(facts)))
    return bool(facts) and not facts.isdisjoint(
        _declared_facts(_parsed(stdlib_folder(), rf"\bfact\s+({named})\b"))
    )


def _declared_facts(trees: tuple[File, ...]) -> set[str]:
    return {s.name.text for tree in trees for s in tree.body if isinstance(s, Block) and s.kind == "fact"}
