"""An editor that speaks to `setpoint lsp` over the protocol, as pygls's own client does it."""

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from support.command import ROOT
from support.limits import PATIENCE

CURSOR = "|"
"""Marks the place of the cursor in a text of a test."""

Answer = TypeVar("Answer")


class Editor:
    """A running server, and the client that has files of a folder open there. Every text is a file of its own, unless
    it has a name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.published: list[types.PublishDiagnosticsParams] = []
        self.refreshes = 0
        self._loop = asyncio.new_event_loop()
        self._client = LanguageClient("editor", "1")
        self._versions: dict[str, int] = {}

        def keep(params: types.PublishDiagnosticsParams) -> None:
            self.published.append(params)

        def refresh(_: None) -> None:
            self.refreshes += 1

        self._client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(keep)
        self._client.feature(types.WORKSPACE_CODE_LENS_REFRESH)(refresh)
        self._loop.run_until_complete(self._start())

    @property
    def requests(self) -> LanguageClient:
        """The requests of the protocol, to be passed to `answer`."""
        return self._client

    def answer(self, asked: Awaitable[Answer]) -> Answer:
        """Wait for the answer to a request."""
        return self._loop.run_until_complete(asyncio.wait_for(asked, PATIENCE))

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def writes(self, text: str, name: str = "") -> list[types.Diagnostic]:
        """Open a file, or change the whole of it; what the server finds in it."""
        name = name or f"site-{len(self._versions)}.tune"
        return self.findings(name, self.tells(text, name))

    def tells(self, text: str, name: str) -> int:
        """Open a file, or change the whole of it, and wait for nothing; the version of its text."""
        uri, version = self.uri(name), self._versions.get(name, 0) + 1
        self._versions[name] = version
        if version == 1:
            item = types.TextDocumentItem(uri, "tune", version, text)
            self._client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        else:
            document = types.VersionedTextDocumentIdentifier(version, uri)
            change = types.TextDocumentContentChangeWholeDocument(text)
            self._client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        return version

    def asks(self, method: str, params: object, identifier: str) -> Awaitable[Any]:
        """Send a request that can be cancelled; its answer, to be waited for by `answer`."""
        asked = self._client.protocol.send_request(method, params, msg_id=identifier)

        async def answered() -> Any:
            return await asyncio.wrap_future(asked)

        return answered()

    def cancels(self, identifier: str) -> None:
        """Cancel a request."""
        self._client.cancel_request(types.CancelParams(identifier))

    def saves(self, text: str, name: str) -> None:
        """Write a file, and save it."""
        (self.folder / name).write_text(text, encoding="utf-8")
        self.writes(text, name)
        document = types.TextDocumentIdentifier(self.uri(name))
        self._client.text_document_did_save(types.DidSaveTextDocumentParams(document))

    def shows(self, name: str, code: str) -> types.Diagnostic:
        """Wait until the server shows a finding with this code in a file; that one."""
        return self.answer(self._shown(self.uri(name), code))

    def lacks(self, name: str, code: str) -> None:
        """Wait until the server shows the last version of a file without such a finding."""
        uri, version = self.uri(name), self._versions[name]

        def is_gone() -> bool:
            last = next(params for params in reversed(self.published) if params.uri == uri)
            return last.version == version and code not in {finding.code for finding in last.diagnostics}

        self.until(is_gone)

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so."""
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < end
            self.answer(asyncio.sleep(0.02))

    def findings(self, name: str, version: int) -> list[types.Diagnostic]:
        """Wait for what the server finds in a version of a file."""
        return self.answer(self._findings(self.uri(name), version))

    def at_cursor(
        self, text: str, name: str = ""
    ) -> tuple[types.TextDocumentIdentifier, types.Position, list[types.Diagnostic]]:
        """Write a text without the mark of the cursor; the document, the place of the mark, and what was found."""
        name = name or f"site-{len(self._versions)}.tune"
        before, _, after = text.partition(CURSOR)
        findings = self.writes(before + after, name)
        lines = before.split("\n")
        column = len(lines[-1].encode("utf-16-le")) // 2
        return types.TextDocumentIdentifier(self.uri(name)), types.Position(len(lines) - 1, column), findings

    def close(self) -> None:
        """End the server as the protocol has it."""
        self.answer(self._client.shutdown_async(None))
        self._client.exit(None)
        self.answer(self._client.stop())  # type: ignore[no-untyped-call]
        self._loop.close()

    async def _start(self) -> None:
        os.environ["PYTHONPATH"] = str(ROOT / ".dev")
        await self._client.start_io(sys.executable, "-m", "setpoint.compiler", "lsp", "--stdio")
        folder = types.WorkspaceFolder(self.folder.as_uri(), "site")
        lenses = types.CodeLensWorkspaceClientCapabilities(refresh_support=True)
        able = types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(code_lens=lenses))
        await self._client.initialize_async(types.InitializeParams(able, workspace_folders=[folder]))
        self._client.initialized(types.InitializedParams())

    async def _shown(self, uri: str, code: str) -> types.Diagnostic:
        while True:
            last = next((params for params in reversed(self.published) if params.uri == uri), None)
            for finding in last.diagnostics if last else ():
                if finding.code == code:
                    return finding
            await asyncio.sleep(0.02)

    async def _findings(self, uri: str, version: int) -> list[types.Diagnostic]:
        while True:
            for params in self.published:
                if (params.uri, params.version) == (uri, version):
                    return list(params.diagnostics)
            await asyncio.sleep(0.005)
