"""A side from the word that names it on a command line: a file, a folder, a bundle, or REV:PATH.

Errors refer to its files by the names that the reader knows, even if those of a revision are in a temporary folder.
"""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from setpoint.compiler.cli.common import together
from setpoint.compiler.comparison.revisions import PathAtCommit, Repository, at, between, missing_path
from setpoint.compiler.comparison.sides import Side, side
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE, SUFFIX, Span

if TYPE_CHECKING:
    from setpoint.compiler.fitting.server import Server

UNREADABLE, NO_TEXT = ("E0601", "E0603", "E0608", "E0615"), "E0604"
"""The codes of files that the system refuses, that are too large, that are behind a refused link, or that are not
text."""


def side_named(name: str, root: str, today: str, server: "Server | None" = None, library: str = "") -> Side:
    """The side with a name, planned for `server`, or for every one, with a library, "" for the installed one.

    Includes must stay inside `root`, "" for the side's own folder. Raises SetpointError (E06xx) if the side does not
    exist, or if one of its files cannot be read.
    """
    if ":" not in name and not os.path.lexists(name) and not name.endswith((SUFFIX, ".json")):
        _refuse(name)
    with at(name, root) as there:
        opened = side(there.path, there.root, today, server, library)
        opened = opened._replace(unread=tuple(renamed(e, there.path, there.called) for e in opened.unread))
        codes = UNREADABLE if os.path.isdir(there.path) else (*UNREADABLE, NO_TEXT)
        unreadable = [
            e for e in opened.unread if any(d.code in codes and d.at == NOWHERE for d in e.diagnostics)
        ]
        if unreadable:
            raise together(unreadable)
        return as_called(opened, there.path, there.called)


def renamed(error: SetpointError, path: str, called: str) -> SetpointError:
    """An error in a file of a side, with the reader's name for the file."""
    if path == called:
        return error
    misnamed = SetpointError(*renamed_findings(error.diagnostics, path, called))
    misnamed.sources = {_renamed(file, path, called): text for file, text in error.sources.items()}
    return misnamed


def renamed_findings(findings: Iterable[Diagnostic], path: str, called: str) -> tuple[Diagnostic, ...]:
    """Findings about the files of a side, with the reader's names for the files."""

    def name(text: str) -> str:
        return _renamed(text, path, called)

    def span(at: Span) -> Span:
        return at._replace(file=name(at.file))

    return tuple(
        d._replace(
            message=name(d.message),
            at=span(d.at),
            others=tuple(o._replace(span=span(o.span)) for o in d.others),
        )
        for d in findings
    )


def _renamed(text: str, path: str, called: str) -> str:
    inside = "" if called == os.curdir else os.path.join(called, "")
    return text.replace(os.path.join(path, ""), inside).replace(path, called)


def revisions_named(old: str, new: str | None) -> tuple[PathAtCommit, PathAtCommit] | None:
    """Both sides if the words name git revisions: `A..B [PATH]`, `A [PATH]` or `A B`; None if they name something else.

    A word that exists as a file is that file. Raises SetpointError (E0607), as git's errors are.
    """
    if ".." in old.partition(":")[0] and not os.path.lexists(old):
        return between(old, new or ".")
    if _is_revision(old):
        if new is None or os.path.lexists(new):
            return between(f"{old}..", new or ".")
        if _is_revision(new):
            return between(f"{old}..{new}", ".")
    return None


def _is_revision(word: str) -> bool:
    """Whether a word is not a file here, and names a commit."""
    if os.path.lexists(word) or ":" in word:
        return False
    try:
        Repository(".").commit(word)
    except SetpointError:
        return False
    return True


def missing_on_both(old: PathAtCommit, new: PathAtCommit) -> SetpointError:
    """The error (E0607) for a path that neither side has."""
    there = f"at `{new.word}`" if new.commit else "in the folder"
    return missing_path(old.path, f"at `{old.word}` nor {there}")


def _refuse(name: str) -> None:
    """Raises SetpointError (E0607) for a name that is neither a file nor a revision."""
    try:
        Repository(".").commit(name)
    except SetpointError as error:
        neither = f"nor is there a file or folder `{name}`"
        raise SetpointError(*(d._replace(notes=(*d.notes, neither)) for d in error.diagnostics)) from None


def as_called(whole: Side, place: str, called: str) -> Side:
    """A side with the reader's names for its files."""
    return whole._replace(folder=called if os.path.isdir(place) else os.path.dirname(called))
