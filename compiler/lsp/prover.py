"""The process that answers about the rules of a knowledge file while somebody types in it (`proof.site_rules`).

It runs beside the server, which goes on answering meanwhile, and stays: what it knows of one version of a file makes
the next cheap. Requests and answers are lines of JSON. An answer comes in parts, the ties first; a newer request ends
the one that is being answered.
"""

import gc
import json
import sys
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.pipeline import knowledge_for, read
from setpoint.compiler.plan.as_json import diagnostics_json
from setpoint.compiler.proof.memory import KeptMemory, Memory
from setpoint.compiler.proof.site_rules import SiteRules

Request = dict[str, Any]
"""`number` of the request, `path` of the file, and `opened`: the text of each file that the editor has open, by
path."""


class SupersededError(Exception):
    """There is a newer request."""


class Prover:
    """The answers to one request after another. Those about another file begin anew."""

    def __init__(self, memory: Memory) -> None:
        self.requests: SimpleQueue[Request | None] = SimpleQueue()
        self._memory = memory
        self._path = ""
        self._rules = SiteRules(memory)

    def run(self) -> None:
        """Answer until there are no more requests; of those that wait, only the last."""
        request = self.requests.get()
        while request is not None:
            while not self.requests.empty() and request is not None:
                request = self.requests.get()
            if request is None:
                break
            with suppress(SupersededError):
                self._answer(request)
            gc.collect()
            gc.freeze()  # the library: the next collections look at what is new only
            request = self.requests.get()

    def _answer(self, request: Request) -> None:
        if request["path"] != self._path:
            self._path, self._rules = request["path"], SiteRules(self._memory)
        try:
            knowledge = knowledge_for(read(request["path"], "", request["opened"]))
        except SetpointError:
            _say(request, None, is_last=True)  # the server shows these errors
            return
        findings = None
        for findings in self._rules.findings(knowledge, self._rest):
            _say(request, findings)
        _say(request, findings, is_last=True)

    def _rest(self) -> None:
        if not self.requests.empty():
            raise SupersededError


def _say(request: Request, findings: tuple[Diagnostic, ...] | None, is_last: bool = False) -> None:
    """A part of an answer; without findings, if nothing can be said."""
    diagnostics = None if findings is None else diagnostics_json(findings)
    answer = {"number": request["number"], "last": is_last, "diagnostics": diagnostics}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Answer what is asked on the standard input. Garbage is collected between answers."""
    gc.disable()
    prover = Prover(KeptMemory())

    def listen() -> None:
        for line in sys.stdin:
            prover.requests.put(json.loads(line))
        prover.requests.put(None)

    Thread(target=listen, daemon=True).start()
    prover.run()


if __name__ == "__main__":
    main()
