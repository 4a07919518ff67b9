"""What the server answers: requests and notifications of an editor, each from the document that it is about.

Documents are analysed anew after each change, and only as far as somebody asks; what was found about policies and
groups that have not changed is kept. No text, however broken, may end the server: the compiler reports errors as data.
"""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.load import stdlib_text, trees
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.lsp import answers
from setpoint.compiler.lsp.actions import actions
from setpoint.compiler.lsp.addresses import is_address
from setpoint.compiler.lsp.colours import KINDS, coloured
from setpoint.compiler.lsp.committed import Changes, blocks, has_commits, title
from setpoint.compiler.lsp.completion import suggestions
from setpoint.compiler.lsp.dead_cells import table_shares
from setpoint.compiler.lsp.definition import definitions
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.lsp.hints import hints
from setpoint.compiler.lsp.hover import hover
from setpoint.compiler.lsp.positions import at_offset, place
from setpoint.compiler.lsp.references import CannotRenameError, references, renamed, tune_files
from setpoint.compiler.lsp.session import PAUSE, SetpointServer
from setpoint.compiler.lsp.symbols import matching, symbols, symbols_of, texts_of

SHOW_CHANGES = "setpoint.showChanges"
"""The command of an editor that shows all changes of a block: its arguments are the file's address and the block's
name."""


def server() -> SetpointServer:
    """A server that answers everything that the language has an answer for."""
    session = SetpointServer()
    _follow(session)
    _explain(session)
    _change(session)
    _outline(session)
    _compare(session)
    return session


def _follow(session: SetpointServer) -> None:
    """Notifications: what the editor opens, changes and closes."""

    @session.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        await asyncio.gather(
            session.follow(params.text_document.uri), session.prove(params.text_document.uri)
        )

    @session.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        await session.prove(params.text_document.uri)

    @session.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        await session.follow(params.text_document.uri, PAUSE)

    @session.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        session.close(params.text_document.uri)

    @session.feature(types.SHUTDOWN)
    def ended(_: None) -> None:
        session.work.end()


Answer = TypeVar("Answer")


def _answers(
    session: SetpointServer, method: str, options: object = None, is_whole: bool = False
) -> Callable[[Callable[[Document, Any], Answer]], None]:
    """Answer the requests of a method, each about a document, by a function of that document and what is asked."""

    def register(function: Callable[[Document, Any], Answer]) -> None:
        @session.feature(method, options)
        async def answered(params: Any) -> Answer:
            return await session.answer(
                params.text_document, lambda document: function(document, params), is_whole
            )

    return register


def _explain(session: SetpointServer) -> None:
    """Requests about a place: what stands there, what could, and where it is declared and used."""

    @_answers(session, types.TEXT_DOCUMENT_HOVER)
    def hovered(document: Document, params: types.HoverParams) -> types.Hover | None:
        text = hover(document, *place(params.position, document.lines))
        content = types.MarkupContent(types.MarkupKind.Markdown, f"```text\n{text}```")
        return types.Hover(content) if text else None

    @_answers(session, types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" "]))
    def completed(document: Document, params: types.CompletionParams) -> list[types.CompletionItem]:
        words = suggestions(document, *place(params.position, document.lines))
        return [answers.completion_item(suggestion) for suggestion in words]

    @_answers(session, types.TEXT_DOCUMENT_DEFINITION)
    def defined(document: Document, params: types.DefinitionParams) -> list[types.Location]:
        spans = definitions(document, *place(params.position, document.lines))
        return [answers.location(span, document) for span in spans]

    @_answers(session, types.TEXT_DOCUMENT_REFERENCES)
    def referred(document: Document, params: types.ReferenceParams) -> list[types.Location]:
        spans = references(document, session.folders, *place(params.position, document.lines))
        return [answers.location(span, document) for span in spans]


def _change(session: SetpointServer) -> None:
    """Requests for changes of the text."""

    @_answers(session, types.TEXT_DOCUMENT_FORMATTING)
    def formatted(document: Document, _: types.DocumentFormattingParams) -> list[types.TextEdit]:
        try:
            text = format_source(SourceText(document.path, document.text))
        except SetpointError:
            return []  # the errors are shown where they are
        whole = types.Range(types.Position(0, 0), at_offset(len(document.text), document.text))
        return [types.TextEdit(whole, text)] if text != document.text else []

    fixes = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])

    @_answers(session, types.TEXT_DOCUMENT_CODE_ACTION, fixes, is_whole=True)
    def offered(document: Document, params: types.CodeActionParams) -> list[types.CodeAction]:
        return [answers.code_action(action, document) for action in actions(document, *_lines(params.range))]

    @_answers(session, types.TEXT_DOCUMENT_RENAME)
    def rename(document: Document, params: types.RenameParams) -> types.WorkspaceEdit:
        at = place(params.position, document.lines)
        try:
            edits = renamed(document, session.folders, *at, params.new_name)
        except CannotRenameError as error:
            raise JsonRpcInvalidParams(str(error)) from error
        return answers.workspace_edit(edits, document)


def _lines(asked: types.Range) -> tuple[int, int]:
    """The first and the last line of a range, which count from 1."""
    return asked.start.line + 1, asked.end.line + 1


def _outline(session: SetpointServer) -> None:
    """Requests about whole files: what they declare, and what is shown beside and in their text."""

    @_answers(session, types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def declared(document: Document, _: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        source = SourceText(document.path, document.text)
        return [answers.document_symbol(symbol, document) for symbol in symbols(source)]

    @session.feature(types.WORKSPACE_SYMBOL)
    async def searched(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        folders, opened = session.folders, session.texts

        def matches() -> list[types.WorkspaceSymbol]:
            texts = dict(texts_of(tune_files(folders), opened))
            named = [symbol for name, text in texts.items() for symbol in symbols(SourceText(name, text))]
            for tree in trees():
                named += symbols_of(tree)
                texts[tree.name] = stdlib_text(tree.name)
            return [answers.workspace_symbol(symbol, texts) for symbol in matching(named, params.query)]

        return await session.work.do(matches)

    @_answers(session, types.TEXT_DOCUMENT_INLAY_HINT)
    def hinted(document: Document, params: types.InlayHintParams) -> list[types.InlayHint]:
        return [answers.inlay_hint(hint, document) for hint in hints(document, *_lines(params.range))]

    @_answers(session, types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensLegend(list(KINDS), []))
    def colours(document: Document, _: types.SemanticTokensParams) -> types.SemanticTokens:
        return answers.semantic_tokens(coloured(document), document)


def _compare(session: SetpointServer) -> None:
    """Requests about what a file changes. An editor asks for the titles of those blocks only that it shows."""

    @_answers(session, types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=True))
    def lenses(document: Document, _: types.CodeLensParams) -> list[types.CodeLens]:
        is_file = not is_address(document.path)  # but a text that was never saved
        compared = blocks(document) if is_file and has_commits(document.path) else ()
        known = session.decided(document)
        shares = () if known is None else table_shares(document, known)
        return [
            *(answers.code_lens(block, document) for block in compared),
            *(answers.lens_with_title(share.span, share.title, document) for share in shares),
        ]

    @session.feature(types.CODE_LENS_RESOLVE)
    async def titled(lens: types.CodeLens) -> types.CodeLens:
        match lens.data:
            case [str(uri), str(block)]:
                text = title(await changes(uri, block))
                lens.command = types.Command(text, SHOW_CHANGES, arguments=[uri, block])
        return lens

    @session.command(SHOW_CHANGES)
    async def show(uri: str, block: str) -> None:
        differences = await changes(uri, block)
        text = "\n".join((*differences.values, *differences.hazards) or [title(differences)])
        session.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))

    async def changes(uri: str, block: str) -> Changes:
        if session.opened(uri) is None:
            raise JsonRpcInvalidParams(f"{uri} is not open")
        identifier = types.TextDocumentIdentifier(uri)
        return await session.answer(identifier, lambda document: session.commits.changes(document, block))
