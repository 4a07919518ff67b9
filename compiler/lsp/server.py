"""The protocol: requests and notifications of an editor, each answered from the document that it is about.

Documents are analysed anew after each change, and only as far as somebody asks; what was found about policies and groups that have
not changed is kept. No text, however broken, may end the server: the compiler reports errors as data.
"""

import asyncio
import logging
import os
import sys
from importlib.metadata import version
from typing import Any, BinaryIO, cast
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcParseError
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.load import stdlib_text, trees
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.lsp import answers
from setpoint.compiler.lsp.actions import actions
from setpoint.compiler.lsp.addresses import is_address, path_of_address
from setpoint.compiler.lsp.colours import KINDS, coloured
from setpoint.compiler.lsp.committed import Changes, Commits, blocks, has_commits, title
from setpoint.compiler.lsp.completion import proposals
from setpoint.compiler.lsp.dead_cells import table_shares
from setpoint.compiler.lsp.definition import definitions
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.lsp.frames import Frames
from setpoint.compiler.lsp.hints import hints
from setpoint.compiler.lsp.hover import hover
from setpoint.compiler.lsp.positions import at_offset, place
from setpoint.compiler.lsp.proofs import Proofs, declares_knowledge
from setpoint.compiler.lsp.protocol import Protocol, strict_converter
from setpoint.compiler.lsp.references import CannotRenameError, references, renamed, tune_files
from setpoint.compiler.lsp.symbols import matching, symbols, symbols_of, texts_of
from setpoint.compiler.lsp.while_typing import WhileTyping
from setpoint.compiler.policies.known import Known

PAUSE = 0.03
"""How long the editor must have sent no further change before its text is analysed, in seconds."""

LONGEST_HOLD = 0.4
"""How long the findings of a knowledge file wait for the ties in it, in seconds, so that these do not go and come again."""

SHOW_CHANGES = "setpoint.showChanges"
"""The command of an editor that shows all changes of a block: its arguments are the file's address and the block's name."""


class SetpointServer(LanguageServer):
    """A server with the documents of one editor."""

    def __init__(self) -> None:
        super().__init__(
            "setpoint", version("setpoint"), protocol_cls=Protocol, converter_factory=strict_converter
        )
        self._documents: dict[str, Document] = {}
        self._texts: dict[str, str] = {}
        self._known: dict[str, Known] = {}
        self.commits = Commits()
        self.proofs = Proofs()
        self.typing = WhileTyping()

    def document(self, identifier: types.TextDocumentIdentifier) -> Document:
        """An open document as the editor has it now; what is known of earlier texts is forgotten."""
        texts = {os.path.realpath(path): text for path, text in self.texts.items()}
        if texts != self._texts:
            self._documents = {}  # a change of one file can concern every other that includes it
            self._texts = texts
        uri = identifier.uri
        if uri not in self._documents:
            known = self._known.setdefault(uri, Known())
            self._documents[uri] = Document(path_of_address(uri), texts, known)
        return self._documents[uri]

    def publish(self, uri: str) -> None:
        """Send the editor the findings of a document, and of the open ones that include it."""
        path = os.path.realpath(path_of_address(uri))
        for each in [opened.uri for opened in [*self.workspace.text_documents.values()]]:
            program = self.document(types.TextDocumentIdentifier(each)).program
            if each == uri or (program and path in map(os.path.realpath, program.sources)):
                self._send_findings(each)

    def _send_findings(self, uri: str) -> None:
        document = self.document(types.TextDocumentIdentifier(uri))
        found = Diagnostics.of((*document.findings, *self._of_rules(document)))
        diagnostics = [answers.diagnostic(each, document) for each in document.at_their_places(found)]
        version_ = self.workspace.get_text_document(uri).version
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version_))

    async def prove(self, uri: str) -> None:
        """Send the editor what the proof finds in a document as it is saved."""
        document = self.document(types.TextDocumentIdentifier(uri))
        if await self.proofs.prove(document) and self.opened(uri) is not None:
            self._send_findings(uri)
            self._refresh_lenses()

    async def follow(self, uri: str) -> None:
        """Send the editor the findings of a document that is being changed, with what is found about the rules in it."""
        document = self.document(types.TextDocumentIdentifier(uri))
        if not declares_knowledge(document):
            self.publish(uri)
            return
        answers_ = self.typing.answers(document)
        first = asyncio.ensure_future(anext(answers_, None))
        await asyncio.sleep(0)  # let it ask: the other process works while this one finds the rest
        document.findings  # noqa: B018 - found once, and kept
        await asyncio.wait((first,), timeout=LONGEST_HOLD)
        if self._is_current(uri, document):
            self.publish(uri)
        answer = await first
        while answer is not None:
            if self._is_current(uri, document):
                self._send_findings(uri)
                if answer.is_complete:
                    self._refresh_lenses()
            answer = await anext(answers_, None)

    def decided(self, document: Document) -> tuple[Diagnostic, ...] | None:
        """What is known of the rules of a document, if each of them is decided; else None."""
        if self.proofs.is_proven(document):
            return self.proofs.findings(document)
        answer = self.typing.answer(document)
        return answer.findings if answer is not None and answer.is_complete else None

    def _of_rules(self, document: Document) -> tuple[Diagnostic, ...]:
        """What is known of the rules of a document so far."""
        if self.proofs.is_proven(document):
            return self.proofs.findings(document)
        answer = self.typing.answer(document)
        return answer.findings if answer is not None else ()

    def _is_current(self, uri: str, document: Document) -> bool:
        return self.texts.get(path_of_address(uri)) == document.text

    def _refresh_lenses(self) -> None:
        if self._refreshes_lenses:
            self.workspace_code_lens_refresh(None)

    @property
    def _refreshes_lenses(self) -> bool:
        """Whether the editor asks anew for what it shows above blocks when it is told to."""
        workspace = self.client_capabilities.workspace
        return bool(workspace and workspace.code_lens and workspace.code_lens.refresh_support)

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that the editor works in."""
        return tuple(path_of_address(each.uri) for each in self.workspace.folders.values())

    @property
    def texts(self) -> dict[str, str]:
        """The texts that the editor has open, by the names of their documents."""
        return {path_of_address(uri): each.source for uri, each in [*self.workspace.text_documents.items()]}

    def opened(self, uri: str) -> TextDocument | None:
        """The text of a document, if it is open."""
        return cast(TextDocument | None, self.workspace.text_documents.get(unquote(uri)))

    def close(self, uri: str) -> None:
        """Forget a document that the editor has closed, and what it shows of it."""
        self._known.pop(uri, None)
        self.proofs.forget(path_of_address(uri))
        self.typing.forget(path_of_address(uri))
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serve one editor until it ends."""
        logging.getLogger("pygls.server").setLevel(
            logging.CRITICAL
        )  # it prints what is no JSON, as a traceback
        super().start_io(cast(BinaryIO, Frames(stdin or sys.stdin.buffer)), stdout)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Answer what is no JSON; tell the user of a defect."""
        if source is JsonRpcException:
            cast(Protocol, self.protocol).refuse(None, JsonRpcParseError(str(error)))
        else:
            super().report_server_error(error, source)


def server() -> SetpointServer:
    """A server that answers everything that the language has an answer for."""
    made = SetpointServer()
    _follow(made)
    _explain(made)
    _change(made)
    _outline(made)
    _compare(made)
    return made


def _follow(made: SetpointServer) -> None:
    """Notifications: what the editor opens, changes and closes."""

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        await asyncio.gather(made.follow(params.text_document.uri), made.prove(params.text_document.uri))

    @made.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        await made.prove(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        await asyncio.sleep(PAUSE)
        document = made.opened(uri)
        if document is not None and document.version == params.text_document.version:
            await made.follow(uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        made.close(params.text_document.uri)

    @made.feature(types.SHUTDOWN)
    def ended(_: None) -> None:
        made.proofs.end()
        made.typing.end()


def _explain(made: SetpointServer) -> None:
    """Requests about a place: what stands there, what could, and where it is declared and used."""

    @made.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(params: types.HoverParams) -> types.Hover | None:
        document = made.document(params.text_document)
        text = hover(document, *place(params.position, document.lines))
        content = types.MarkupContent(types.MarkupKind.Markdown, f"```text\n{text}```")
        return types.Hover(content) if text else None

    @made.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" "]))
    def completed(params: types.CompletionParams) -> list[types.CompletionItem]:
        document = made.document(params.text_document)
        found = proposals(document, *place(params.position, document.lines))
        return [answers.completion_item(each) for each in found]

    @made.feature(types.TEXT_DOCUMENT_DEFINITION)
    def defined(params: types.DefinitionParams) -> list[types.Location]:
        document = made.document(params.text_document)
        spans = definitions(document, *place(params.position, document.lines))
        return [answers.location(span, document) for span in spans]

    @made.feature(types.TEXT_DOCUMENT_REFERENCES)
    def referred(params: types.ReferenceParams) -> list[types.Location]:
        document = made.document(params.text_document)
        spans = references(document, made.folders, *place(params.position, document.lines))
        return [answers.location(span, document) for span in spans]


def _change(made: SetpointServer) -> None:
    """Requests for changes of the text."""

    @made.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatted(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        document = made.document(params.text_document)
        try:
            text = format_source(SourceText(document.path, document.text))
        except SetpointError:
            return []  # the errors are shown where they are
        whole = types.Range(types.Position(0, 0), at_offset(len(document.text), document.text))
        return [types.TextEdit(whole, text)] if text != document.text else []

    @made.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def offered(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = made.document(params.text_document)
        first, last = params.range.start.line + 1, params.range.end.line + 1
        return [answers.code_action(each, document) for each in actions(document, first, last)]

    @made.feature(types.TEXT_DOCUMENT_RENAME)
    def rename(params: types.RenameParams) -> types.WorkspaceEdit:
        document = made.document(params.text_document)
        at = place(params.position, document.lines)
        try:
            edits = renamed(document, made.folders, *at, params.new_name)
        except CannotRenameError as error:
            raise JsonRpcInvalidParams(str(error)) from error
        return answers.workspace_edit(edits, document)


def _outline(made: SetpointServer) -> None:
    """Requests about whole files: what they declare, and what is shown beside and in their text."""

    @made.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def declared(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        document = made.document(params.text_document)
        found = symbols(SourceText(document.path, document.text))
        return [answers.document_symbol(each, document) for each in found]

    @made.feature(types.WORKSPACE_SYMBOL)
    def searched(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        texts = dict(texts_of(tune_files(made.folders), made.texts))
        found = [each for name, text in texts.items() for each in symbols(SourceText(name, text))]
        for tree in trees():
            found += symbols_of(tree)
            texts[tree.name] = stdlib_text(tree.name)
        return [answers.workspace_symbol(each, texts) for each in matching(found, params.query)]

    @made.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def hinted(params: types.InlayHintParams) -> list[types.InlayHint]:
        document = made.document(params.text_document)
        first, last = params.range.start.line + 1, params.range.end.line + 1
        return [answers.inlay_hint(each, document) for each in hints(document, first, last)]

    @made.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensLegend(list(KINDS), []))
    def colours(params: types.SemanticTokensParams) -> types.SemanticTokens:
        document = made.document(params.text_document)
        return answers.semantic_tokens(coloured(document), document)


def _compare(made: SetpointServer) -> None:
    """Requests about what a file changes. An editor asks for the titles of those blocks only that it shows."""

    @made.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=True))
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        document = made.document(params.text_document)
        is_file = not is_address(document.path)  # but a text that was never saved
        found = blocks(document) if is_file and has_commits(document.path) else ()
        known = made.decided(document)
        shares = () if known is None else table_shares(document, known)
        return [
            *(answers.code_lens(block, document) for block in found),
            *(answers.lens_with_title(share.span, share.title, document) for share in shares),
        ]

    @made.feature(types.CODE_LENS_RESOLVE)
    def titled(lens: types.CodeLens) -> types.CodeLens:
        match lens.data:
            case [str(uri), str(block)]:
                text = title(changes(uri, block))
                lens.command = types.Command(text, SHOW_CHANGES, arguments=[uri, block])
        return lens

    @made.command(SHOW_CHANGES)
    def show(uri: str, block: str) -> None:
        found = changes(uri, block)
        text = "\n".join((*found.values, *found.hazards) or [title(found)])
        made.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))

    def changes(uri: str, block: str) -> Changes:
        if made.opened(uri) is None:
            raise JsonRpcInvalidParams(f"{uri} is not open")
        return made.commits.changes(made.document(types.TextDocumentIdentifier(uri)), block)
