"""A program that stays, since it takes long to start, and answers questions: each is a line of JSON, and so is the
answer."""

from __future__ import annotations

import json
import select
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from support.limits import PATIENCE


class Answering:
    """A program that answers questions until `close`. An answer has ten minutes."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self._name = command[1]
        self._process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.ready())
        return answer

    def ready(self) -> str:
        """The next line that it prints."""
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], PATIENCE)[0]:
            raise TimeoutError(f"{self._name} does not answer")
        return self._process.stdout.readline()

    def close(self) -> None:
        """End the process."""
        self._process.communicate(timeout=PATIENCE)
