"""The open documents, analysed as far as somebody has asked. A change makes those anew that have read the changed
file."""

import os

from setpoint.compiler.language.program import Opened
from setpoint.compiler.lsp.addresses import path_of_address
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.lsp.work import Work
from setpoint.compiler.policies.known import Known


class Documents:
    """The documents of one editor; work about those that are no more is told so."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._opened: Opened = {}
        self._documents: dict[str, Document] = {}
        self._known: dict[str, Known] = {}

    def document(self, uri: str, texts: Opened) -> Document:
        """A document by its address; `texts` are those of all open documents, by their names."""
        opened = {os.path.realpath(path): text for path, text in texts.items()}
        if opened != self._opened:
            self._change(opened)
        if uri not in self._documents:
            known = self._known.setdefault(uri, Known())
            self._documents[uri] = Document(path_of_address(uri), opened, known)
        return self._documents[uri]

    def close(self, uri: str) -> None:
        """Forget what was found in a document."""
        self._known.pop(uri, None)

    def _change(self, opened: Opened) -> None:
        names = opened.keys() | self._opened.keys()
        changed = {name for name in names if opened.get(name) != self._opened.get(name)}
        self._opened = opened
        for uri, document in [*self._documents.items()]:
            if document.depends_on(changed):
                del self._documents[uri]
                self._work.overtake(document)
            else:
                document.opened = opened
