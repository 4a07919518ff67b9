"""What the compiler's stages say, in the forms of the protocol."""

import os
from collections.abc import Iterable, Mapping

from lsprotocol import types

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.fixes import Edit, replacement
from setpoint.compiler.diagnostics.source import NOWHERE, Span, lines_of
from setpoint.compiler.files.reading import read_text
from setpoint.compiler.language.program import BYTE_ORDER_MARK
from setpoint.compiler.language.tokens import Token
from setpoint.compiler.lsp.actions import Action
from setpoint.compiler.lsp.addresses import address_of_path
from setpoint.compiler.lsp.colours import KINDS
from setpoint.compiler.lsp.committed import ComparedBlock
from setpoint.compiler.lsp.completion import Suggestion
from setpoint.compiler.lsp.definition import path_of
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.lsp.hints import Hint
from setpoint.compiler.lsp.positions import at_offset, to_range
from setpoint.compiler.lsp.symbols import Symbol

SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}

SUGGESTED = {
    "keyword": types.CompletionItemKind.Keyword,
    "fact": types.CompletionItemKind.Property,
    "setting": types.CompletionItemKind.Variable,
    "value": types.CompletionItemKind.EnumMember,
    "name": types.CompletionItemKind.Reference,
}

DECLARED = {
    "policy": types.SymbolKind.Module,
    "group": types.SymbolKind.Namespace,
    "host": types.SymbolKind.Object,
    "setting": types.SymbolKind.Variable,
    "rule": types.SymbolKind.Function,
    "hazard": types.SymbolKind.Event,
    "source": types.SymbolKind.File,
    "fact": types.SymbolKind.Property,
}
"""What is declared, by its keyword; everything else is a class, for want of a better kind."""


def diagnostic(finding: Diagnostic, document: Document) -> types.Diagnostic:
    """A finding, with what its reader is told on a terminal."""
    at = finding.at if finding.at != NOWHERE else Span(document.path, 1, 1, 1, 1)
    return types.Diagnostic(
        to_range(at, document.lines),
        "\n".join((finding.message, *finding.notes, *(f"help: {text}" for text in finding.help))),
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        source="setpoint",
        related_information=[
            types.DiagnosticRelatedInformation(location(label.span, document), label.text)
            for label in finding.others
        ],
    )


def location(span: Span, document: Document) -> types.Location:
    """A place in a file, which is the document's own, another or one of the library."""
    path = path_of(span)
    return types.Location(address_of_path(path), to_range(span, lines_of(text_of(path, document))))


def text_of(path: str, document: Document) -> str:
    """The text of a file as the editor has it, else as it is saved."""
    opened = document.opened.get(os.path.realpath(path))
    return read_text(path).removeprefix(BYTE_ORDER_MARK) if opened is None else opened


def workspace_edit(edits: Iterable[Edit], document: Document) -> types.WorkspaceEdit:
    """Edits of files."""
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        path = path_of(edit.span)
        text = text_of(path, document)
        start, end, new = replacement(text, edit)
        changed = types.Range(at_offset(start, text), at_offset(end, text))
        changes.setdefault(address_of_path(path), []).append(types.TextEdit(changed, new))
    return types.WorkspaceEdit(changes)


def code_action(action: Action, document: Document) -> types.CodeAction:
    """What can be done about a finding."""
    return types.CodeAction(
        action.title,
        types.CodeActionKind.QuickFix,
        [diagnostic(action.finding, document)],
        is_preferred=action.is_safe,
        edit=workspace_edit(action.edits, document),
    )


def completion_item(suggestion: Suggestion) -> types.CompletionItem:
    """A word that can stand somewhere."""
    place = f"{suggestion.rank:03} {suggestion.word}"
    return types.CompletionItem(
        suggestion.word, kind=SUGGESTED[suggestion.kind], detail=suggestion.about, sort_text=place
    )


def document_symbol(symbol: Symbol, document: Document) -> types.DocumentSymbol:
    """What a document declares, for an outline."""
    return types.DocumentSymbol(
        symbol.name.text,
        DECLARED.get(symbol.kind, types.SymbolKind.Class),
        to_range(symbol.span, document.lines),
        to_range(symbol.name.span, document.lines),
        detail=symbol.kind,
        children=[document_symbol(child, document) for child in symbol.within],
    )


def workspace_symbol(symbol: Symbol, texts: Mapping[str, str]) -> types.WorkspaceSymbol:
    """What some file declares; `texts` has the text of the file by its name in spans."""
    lines = lines_of(texts[symbol.name.span.file])
    at = types.Location(address_of_path(path_of(symbol.name.span)), to_range(symbol.name.span, lines))
    kind = DECLARED.get(symbol.kind, types.SymbolKind.Class)
    return types.WorkspaceSymbol(at, symbol.name.text, kind, container_name=symbol.kind)


def inlay_hint(hint: Hint, document: Document) -> types.InlayHint:
    """A remark behind a statement."""
    return types.InlayHint(to_range(hint.span, document.lines).end, hint.text, padding_left=True)


def code_lens(block: ComparedBlock, document: Document) -> types.CodeLens:
    """The place above a block where its changes are shown; what they are is found when the editor shows it."""
    return types.CodeLens(_start(block.span, document), data=[address_of_path(document.path), block.name])


def lens_with_title(span: Span, title: str, document: Document) -> types.CodeLens:
    """A text above a place, which does nothing."""
    return types.CodeLens(_start(span, document), types.Command(title, ""))


def _start(span: Span, document: Document) -> types.Range:
    return to_range(Span(span.file, span.line, span.column, span.line, span.column), document.lines)


def semantic_tokens(coloured: Iterable[tuple[Token, str]], document: Document) -> types.SemanticTokens:
    """The words that have a meaning: each as its distance from the one before, its length and its kind."""
    data: list[int] = []
    line = column = 0
    for token, kind in coloured:
        at = to_range(token.span(document.path), document.lines)
        start, length = at.start, at.end.character - at.start.character
        data += [start.line - line, start.character - (column if start.line == line else 0), length]
        data += [KINDS.index(kind), 0]
        line, column = start.line, start.character
    return types.SemanticTokens(data)
