"""The server with what an editor has open: it answers from documents, and sends what is found in them while they
change.

All analysis is work of another thread (`work`). Here, in the event loop, messages are read, requests are cancelled, and
what is overtaken by newer texts is ended.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from typing import Any, BinaryIO, TypeVar, cast
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcParseError
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.lsp import answers
from setpoint.compiler.lsp.addresses import path_of_address
from setpoint.compiler.lsp.committed import Commits
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.lsp.documents import Documents
from setpoint.compiler.lsp.frames import Frames
from setpoint.compiler.lsp.proofs import Proofs, declares_knowledge
from setpoint.compiler.lsp.protocol import Protocol, strict_converter
from setpoint.compiler.lsp.while_typing import RulesAnswer, WhileTyping
from setpoint.compiler.lsp.work import OvertakenError, Work

PAUSE = 0.03
"""How long the editor must have sent no further change before its text is analysed, in seconds."""

LONGEST_HOLD = 0.4
"""How long the findings of a knowledge file wait for the ties in it, in seconds, so that these do not go and come
again."""

SWITCH = 0.001
"""How long the analysis goes on before the event loop reads a message, in seconds."""

Found = TypeVar("Found")


class SetpointServer(LanguageServer):
    """A server with the documents of one editor."""

    def __init__(self) -> None:
        super().__init__(
            "setpoint",
            version("setpoint"),
            # Whole texts: Neovim ends no line at a CR alone, so that ranges would mean other places to it.
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
            converter_factory=strict_converter,
        )
        self.work = Work()
        self.commits = Commits()
        self.proofs = Proofs()
        self.typing = WhileTyping()
        self._documents = Documents(self.work)
        self._followed: dict[str, asyncio.Task[None]] = {}

    def document(self, identifier: types.TextDocumentIdentifier) -> Document:
        """An open document as the editor has it now. What is found in it is found by `work`."""
        return self._documents.document(identifier.uri, self.texts)

    async def answer(
        self,
        identifier: types.TextDocumentIdentifier,
        function: Callable[[Document], Found],
        is_whole: bool = False,
    ) -> Found:
        """What is found in a document as it is now, or in the whole of it. Raises JsonRpcContentModified if it changes
        and this takes long."""
        document = self.document(identifier)
        try:
            return await self.work.do(lambda: function(document), document, is_whole)
        except OvertakenError as error:
            raise JsonRpcContentModified(f"{document.path} has changed") from error

    async def follow(self, uri: str, pause: float = 0) -> None:
        """Send the editor what is found in a document, after a pause in which it does not change. What was begun before
        ends."""
        if earlier := self._followed.get(uri):
            earlier.cancel()
        following = self._followed[uri] = asyncio.ensure_future(self._follow(uri, pause))
        await asyncio.wait((following,))
        if not following.cancelled():
            following.result()

    async def prove(self, uri: str) -> None:
        """Send the editor what the proof finds in a document as it is saved."""
        document = self.document(types.TextDocumentIdentifier(uri))
        await self.work.do(lambda: declares_knowledge(document))  # so that it is known
        if await self.proofs.prove(document) and self.opened(uri) is not None:
            await self._send_findings(uri)
            self._refresh_lenses()

    def known(self, document: Document) -> RulesAnswer | None:
        """What is known of the rules of a document so far; None for nothing."""
        if self.proofs.is_proven(document):
            return RulesAnswer(document.text, self.proofs.findings(document), is_complete=True)
        return self.typing.answer(document)

    def decided(self, document: Document) -> tuple[Diagnostic, ...] | None:
        """What is known of the rules of a document, if each of them is decided; else None."""
        answer = self.known(document)
        return answer.findings if answer is not None and answer.is_complete else None

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that the editor works in."""
        return tuple(path_of_address(folder.uri) for folder in [*self.workspace.folders.values()])

    @property
    def texts(self) -> dict[str, str]:
        """The texts that the editor has open, by the names of their documents."""
        return {path_of_address(uri): text.source for uri, text in [*self.workspace.text_documents.items()]}

    def opened(self, uri: str) -> TextDocument | None:
        """The text of a document, if it is open."""
        return cast(TextDocument | None, self.workspace.text_documents.get(unquote(uri)))

    def close(self, uri: str) -> None:
        """Forget a document that the editor has closed, and what it shows of it."""
        if followed := self._followed.pop(uri, None):
            followed.cancel()
        self._documents.close(uri)
        self.proofs.forget(path_of_address(uri))
        self.typing.forget(path_of_address(uri))
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serve one editor until it ends."""
        logging.getLogger("pygls.server").setLevel(
            logging.CRITICAL
        )  # it prints what is no JSON, as a traceback
        sys.setswitchinterval(SWITCH)
        super().start_io(cast(BinaryIO, Frames(stdin or sys.stdin.buffer)), stdout)

    def shutdown(self) -> None:
        """Called when the editor has ended, as the protocol has it or not."""
        self.work.end()
        super().shutdown()  # type: ignore[no-untyped-call]

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Answer what is no JSON; tell the user of a defect."""
        if source is JsonRpcException:
            cast(Protocol, self.protocol).refuse(None, JsonRpcParseError(str(error)))
        else:
            super().report_server_error(error, source)

    async def _follow(self, uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        if self.opened(uri) is None:
            return
        document = self.document(types.TextDocumentIdentifier(uri))
        if not await self.work.do(lambda: declares_knowledge(document)):
            await self._publish(uri)
            return
        answers_ = self.typing.answers(document)
        first = asyncio.ensure_future(anext(answers_, None))  # the other process works while this one does
        with suppress(OvertakenError):
            await self.work.do(lambda: document.findings, document, is_whole=True)
        await asyncio.wait((first,), timeout=LONGEST_HOLD)
        await self._publish(uri)
        answer = await asyncio.shield(first)
        while answer is not None:
            await self._send_findings(uri)
            if answer.is_complete:
                self._refresh_lenses()
            answer = await anext(answers_, None)

    async def _publish(self, uri: str) -> None:
        """Send the editor the findings of a document, and of the open ones that include it."""
        await self._send_findings(uri)
        path = os.path.realpath(path_of_address(uri))
        others = {
            text.uri: self.document(types.TextDocumentIdentifier(text.uri))
            for text in [*self.workspace.text_documents.values()]
            if text.uri != uri
        }
        for other in await self.work.do(
            lambda: [name for name, document in others.items() if document.reads(path)]
        ):
            await self._send_findings(other)

    async def _send_findings(self, uri: str) -> None:
        """Send the editor the findings of a document, unless it changes meanwhile."""
        if self.opened(uri) is None:
            return
        document = self.document(types.TextDocumentIdentifier(uri))
        answer = self.known(document)
        rules = answer.findings if answer is not None else ()
        try:
            diagnostics = await self.work.do(lambda: _shown(document, rules), document, is_whole=True)
        except OvertakenError:
            return  # what has changed is followed as well
        text = self.opened(uri)
        if text is not None and text.source == document.text:
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, diagnostics, text.version)
            )

    def _refresh_lenses(self) -> None:
        """Tell the editor to ask anew for what it shows above blocks, if it does that."""
        workspace = self.client_capabilities.workspace
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)


def _shown(document: Document, rules: tuple[Diagnostic, ...]) -> list[types.Diagnostic]:
    """The findings of a document with those about its rules, as the editor shows them."""
    findings = Diagnostics.of((*document.findings, *rules))
    return [answers.diagnostic(finding, document) for finding in document.at_their_places(findings)]
