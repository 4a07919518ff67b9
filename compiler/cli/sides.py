"""A side from the word that names it on a command line: a file, a folder, a bundle, or REV:PATH.

Errors refer to its files by the names that the reader knows, even if those of a revision are in a temporary folder.
"""

import os
from typing import TYPE_CHECKING

from setpoint.compiler.cli.common import together
from setpoint.compiler.comparison.revisions import Repository, at
from setpoint.compiler.comparison.sides import Side, side
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE, SUFFIX, Span

if TYPE_CHECKING:
    from setpoint.compiler.fitting.server import Server

UNREADABLE, NO_TEXT = ("E0601", "E0608"), "E0604"
"""The codes of files that the system refuses, that are too large, or that are not text."""


def side_named(name: str, root: str, today: str, server: "Server | None" = None) -> Side:
    """The side with a name, planned for a server if one is given; `root` is the folder that includes must stay inside, or "".

    Raises SetpointError (E06xx) if it does not exist, or if one of its files cannot be read.
    """
    if ":" not in name and not os.path.lexists(name) and not name.endswith((SUFFIX, ".json")):
        _refuse(name)
    with at(name, root) as there:
        found = side(there.path, there.root, today, server)
        found = found._replace(unread=tuple(_renamed(e, there.path, there.called) for e in found.unread))
        codes = UNREADABLE if os.path.isdir(there.path) else (*UNREADABLE, NO_TEXT)
        unreadable = [
            e for e in found.unread if any(d.code in codes and d.at == NOWHERE for d in e.diagnostics)
        ]
        if unreadable:
            raise together(unreadable)
        return as_called(found, there.path, there.called)


def _renamed(error: SetpointError, path: str, called: str) -> SetpointError:
    """An error in a file of a side, with the reader's name for the file."""
    if path == called:
        return error

    def name(text: str) -> str:
        return text.replace(path, called)

    def span(at: Span) -> Span:
        return at._replace(file=name(at.file))

    renamed = SetpointError(
        *(
            d._replace(
                message=name(d.message),
                at=span(d.at),
                others=tuple(o._replace(span=span(o.span)) for o in d.others),
            )
            for d in error.diagnostics
        )
    )
    renamed.sources = {name(file): text for file, text in error.sources.items()}
    return renamed


def _refuse(name: str) -> None:
    """Raises SetpointError (E0607) for a name that is neither a file nor a revision."""
    try:
        Repository(".").commit(name)
    except SetpointError as error:
        neither = f"nor is there a file or folder `{name}`"
        raise SetpointError(*(d._replace(notes=(*d.notes, neither)) for d in error.diagnostics)) from None


def as_called(found: Side, place: str, called: str) -> Side:
    """A side with the reader's names for its files."""
    return found._replace(folder=called if os.path.isdir(place) else os.path.dirname(called))
