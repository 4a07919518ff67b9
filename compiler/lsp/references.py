"""Where else a name is used, and how to give it another one.

A policy includes files and is included by others, so a name is looked for in everything that is read together with its
file.
"""

import os
from collections.abc import Iterable, Iterator

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.fixes import Edit
from setpoint.compiler.diagnostics.source import SUFFIX, SourceText, Span
from setpoint.compiler.files.links import file_read
from setpoint.compiler.knowledge.load import trees
from setpoint.compiler.language.program import Program
from setpoint.compiler.language.tokens import END, tokens
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.lsp.names import DECLARED, Occurrence, occurrence_at, occurrences
from setpoint.compiler.pipeline import read


class CannotRenameError(Exception):
    """A name cannot be given another one; the text says why, to the user."""


def references(document: Document, folders: Iterable[str], line: int, column: int) -> tuple[Span, ...]:
    """All places of the name at a place: in the files below these folders that belong together, and in the library."""
    uses = _found(document, folders, line, column)
    if uses and uses[0].what == DECLARED:
        library = occurrences((), trees())
        uses = (*uses, *(occurrence for occurrence in library if occurrence.text == uses[0].text))
    return tuple(dict.fromkeys(occurrence.span for occurrence in uses))


def renamed(
    document: Document, folders: Iterable[str], line: int, column: int, name: str
) -> tuple[Edit, ...]:
    """The edits that give the name at a place another one. Raises CannotRenameError."""
    uses = _found(document, folders, line, column)
    if not any(occurrence.declares for occurrence in uses):
        raise CannotRenameError("only what the policy or the site's own knowledge names has a name to change")
    if not _is_word(name):
        raise CannotRenameError(f"`{name}` is not a name: letters, digits and `-_.+`, and no keyword")
    same = (occurrence for occurrence in _everywhere(document, folders) if occurrence.text == name)
    if any(occurrence.what == uses[0].what for occurrence in same) or name in document.knowledge.settings:
        raise CannotRenameError(f"`{name}` is the name of something else")
    return tuple(Edit(span, name) for span in dict.fromkeys(occurrence.span for occurrence in uses))


def _found(document: Document, folders: Iterable[str], line: int, column: int) -> tuple[Occurrence, ...]:
    """The occurrences of the name at a place; none if it names nothing."""
    token = document.token_at(line, column)
    if token is None:
        return ()
    every = tuple(_everywhere(document, folders))
    this = occurrence_at(every, document.path, token)
    return tuple(
        occurrence
        for occurrence in every
        if this and (occurrence.what, occurrence.text) == (this.what, this.text)
    )


def _everywhere(document: Document, folders: Iterable[str]) -> Iterator[Occurrence]:
    for program in _programs(document, folders):
        yield from occurrences(program.body, program.site)


def _programs(document: Document, folders: Iterable[str]) -> Iterator[Program]:
    """The programs that a file is part of: itself, and each that includes it. One that cannot be read is left out."""
    if document.program:
        yield document.program
    own = os.path.realpath(document.path)
    for path in tune_files(folders):
        program = _read(path, document) if os.path.realpath(path) != own else None
        if program and own in map(os.path.realpath, program.sources):
            yield program


def tune_files(folders: Iterable[str]) -> Iterator[str]:
    """The files of the language below some folders, by name, without those that a link leads to from elsewhere."""
    for folder in folders:
        for place, below, files in os.walk(folder):
            below[:] = sorted(name for name in below if not name.startswith("."))
            paths = (os.path.join(place, name) for name in sorted(files) if name.endswith(SUFFIX))
            yield from (path for path in paths if _stays(path, folder))


def _stays(path: str, folder: str) -> bool:
    try:
        return bool(file_read(path, folder))
    except OSError:
        return False


def _read(path: str, document: Document) -> Program | None:
    try:
        return read(path, "", document.opened)
    except (SetpointError, OSError):
        return None


def _is_word(name: str) -> bool:
    first, *rest = tokens(SourceText("", name))
    return (first.kind, first.text, [token.kind for token in rest]) == ("WORD", name, [END])
