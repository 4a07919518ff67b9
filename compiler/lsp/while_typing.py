"""What is known of the rules of a knowledge file while it is being changed: the server's side of `prover`.

The process is started when it is first needed, and again if it has ended.
"""

import asyncio
import json
from collections.abc import AsyncIterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.lsp.processes import PYTHON, ending
from setpoint.compiler.plan.as_json import findings_from_json
from setpoint.compiler.record import NamedTuple

COMMAND = (*PYTHON, "setpoint.compiler.lsp.prover")

LONGEST_LINE = 1 << 26
"""The longest answer that is read, in bytes."""


class RulesAnswer(NamedTuple):
    """What was found in a text so far; `is_complete` if every rule in it is decided."""

    text: str
    findings: tuple[Diagnostic, ...]
    is_complete: bool


class WhileTyping:
    """The last answer about each file that was asked about."""

    def __init__(self) -> None:
        self._process: asyncio.Future[asyncio.subprocess.Process]
        self._listener: asyncio.Task[None] | None = None
        self._number = 0
        self._parts: asyncio.Queue[RulesAnswer | None] = asyncio.Queue()
        self._document: Document | None = None
        self._answers: dict[str, RulesAnswer] = {}

    def answer(self, document: Document) -> RulesAnswer | None:
        """What is known of a document as it is now."""
        answer = self._answers.get(document.path)
        return answer if answer is not None and answer.text == document.text else None

    async def answers(self, document: Document) -> AsyncIterator[RulesAnswer]:
        """Ask about a document, in place of what was asked before; the parts of the answer, until there is a newer
        question."""
        process = await self._running()
        self._parts.put_nowait(None)
        parts = self._parts = asyncio.Queue()
        self._number += 1
        self._document = document
        request = {"number": self._number, "path": document.path, "opened": dict(document.opened)}
        assert process.stdin is not None
        process.stdin.write(json.dumps(request).encode() + b"\n")
        while (part := await parts.get()) is not None:
            yield part

    def forget(self, path: str) -> None:
        """Drop what was found in a file."""
        self._answers.pop(path, None)

    async def _running(self) -> asyncio.subprocess.Process:
        if self._listener is None or self._listener.done():
            self._process = asyncio.get_running_loop().create_future()
            self._listener = asyncio.create_task(self._listen(self._process))
        await asyncio.wait((self._process, self._listener), return_when=asyncio.FIRST_COMPLETED)
        if not self._process.done():
            self._listener.result()  # raises what kept the process from starting
        return self._process.result()

    async def _listen(self, started: "asyncio.Future[asyncio.subprocess.Process]") -> None:
        """Start the process, and pass on what it says about the last question."""
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LONGEST_LINE,
        )
        async with ending(process):
            started.set_result(process)
            assert process.stdout is not None
            while line := await process.stdout.readline():
                said = json.loads(line)
                if said["number"] == self._number and self._document is not None:
                    self._keep(self._document, said["diagnostics"], said["last"])
        self._parts.put_nowait(None)

    def _keep(self, document: Document, diagnostics: object, is_last: bool) -> None:
        if diagnostics is not None:
            answer = RulesAnswer(document.text, findings_from_json(diagnostics), is_last)
            self._answers[document.path] = answer
            self._parts.put_nowait(answer)
        if is_last:
            self._parts.put_nowait(None)
