"""What the proof finds in a file of knowledge when it is saved: ties, gaps, rules that never apply, dead cells of
tables.

A proof takes up to some seconds, so `setpoint kb check` runs beside the server, which goes on answering. What it finds
is shown as long as the text is the one that was saved.
"""

import asyncio
import json

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.files.reading import read_text
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.lsp.processes import PYTHON, ending, kill
from setpoint.compiler.plan.as_json import findings_from_json

COMMAND = (*PYTHON, "setpoint.compiler", "kb", "check", "--format", "json")


class Proofs:
    """The proofs of the files that an editor has open."""

    def __init__(self) -> None:
        self._running: dict[str, asyncio.subprocess.Process] = {}
        self._found: dict[str, tuple[str, tuple[Diagnostic, ...]]] = {}

    def findings(self, document: Document) -> tuple[Diagnostic, ...]:
        """What the last proof has found, if the text is still the same."""
        text, findings = self._found.get(document.path, ("", ()))
        return findings if text == document.text else ()

    def is_proven(self, document: Document) -> bool:
        """Whether the last proof was of this text."""
        return self._found.get(document.path, ("",))[0] == document.text

    async def prove(self, document: Document) -> bool:
        """Prove the knowledge base with a file, as it is saved; whether that came to an end before the next proof of
        it."""
        self.forget(document.path)
        if not (declares_knowledge(document) and _is_saved(document)):
            return False
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            document.path,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        self._running[document.path] = process
        async with ending(process):
            out, _ = await process.communicate()
        if self._running.get(document.path) is not process:
            return False
        del self._running[document.path]
        self._found[document.path] = document.text, _findings(out)
        return True

    def forget(self, path: str) -> None:
        """End a proof that is running, and drop what was found."""
        self._found.pop(path, None)
        if running := self._running.pop(path, None):
            kill(running)


def declares_knowledge(document: Document) -> bool:
    """Whether a file states knowledge, and not only policies."""
    return document.program is not None and any(file.name == document.path for file in document.program.site)


def _is_saved(document: Document) -> bool:
    try:
        return read_text(document.path) == document.text
    except (SetpointError, OSError):
        return False


def _findings(out: bytes) -> tuple[Diagnostic, ...]:
    """The findings that `kb check` has printed as JSON; none if it printed none."""
    try:
        return findings_from_json(json.loads(out)["diagnostics"])
    except ValueError:
        return ()
