"""The language server at the other end of a pipe, in this process: bytes go in as an editor sends them, messages come
out.

So a test can send what no client would, and look at the texts that the server has.
"""

import json
import os
import time
from collections import Counter
from threading import Condition, Thread
from typing import Any

from setpoint.compiler.lsp.server import server
from support.limits import PATIENCE

Message = dict[str, Any]


class SilentError(AssertionError):
    """The server does not answer any more."""


class _Received:
    """The server's output: a stream, of which each message is written at once."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.answers: Counter[str] = Counter()
        self.changed = Condition()

    def write(self, data: bytes) -> int:
        head, _, body = data.partition(b"\r\n\r\n")
        assert head.split(b"\r\n")[0] == b"Content-Length: %d" % len(body), data
        message = json.loads(body)
        with self.changed:
            self.messages.append(message)
            if "method" not in message:
                self.answers[json.dumps(message["id"])] += 1
            self.changed.notify_all()
        return len(data)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass


class Wire:
    """A running server."""

    def __init__(self) -> None:
        read, write = os.pipe()
        self.server = server()
        self._received = _Received()
        self._to = os.fdopen(write, "wb")
        self._thread = Thread(target=self._serve, args=(os.fdopen(read, "rb"),), daemon=True)
        self._thread.start()

    @property
    def received(self) -> list[Message]:
        """All messages of the server so far."""
        return self._received.messages

    @property
    def answers(self) -> Counter[str]:
        """How often each identifier was answered, as JSON has it."""
        return self._received.answers

    def send(self, data: bytes) -> None:
        """Write bytes, whatever they are."""
        self._to.write(data)
        self._to.flush()

    def tell(self, message: Message) -> None:
        """Write a message, as it is to be."""
        self.send(framed(json.dumps({"jsonrpc": "2.0", **message}).encode()))

    def ask(self, message: Message) -> Message:
        """Write a request, and wait for its answer."""
        self.tell(message)
        self.until_answered(Counter([json.dumps(message["id"])]))
        return next(answer for answer in reversed(self.received) if answer.get("id") == message["id"])

    def until_answered(self, expected: Counter[str]) -> None:
        """Wait until so many requests of each identifier are answered. Raises SilentError."""
        end = time.monotonic() + PATIENCE
        with self._received.changed:
            seen = len(self.received)
            while any(self.answers[identifier] < times for identifier, times in expected.items()):
                self._received.changed.wait(1)
                if len(self.received) > seen:
                    seen, end = len(self.received), time.monotonic() + PATIENCE
                if not self._thread.is_alive() or time.monotonic() > end:
                    raise SilentError(f"no answer to {expected - self.answers}")

    def text(self, uri: str) -> str | None:
        """The text of a document as the server has it; None if it is not open."""
        opened = self.server.opened(uri)
        return None if opened is None else opened.source

    def close(self) -> None:
        """End the server, in whatever state it is, and wait until it has ended."""
        self._to.close()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the server does not end"

    def _serve(self, stdin: Any) -> None:
        with stdin:
            self.server.start_io(stdin, self._received)  # type: ignore[arg-type]


def framed(body: bytes) -> bytes:
    """A message with its header."""
    return b"Content-Length: %d\r\n\r\n" % len(body) + body
