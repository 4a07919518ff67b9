"""A client of the twin that does one request on one connection, over plain HTTP."""

from __future__ import annotations

import base64
import gzip
import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from setpoint.compiler.twin.controller import Twin
from setpoint.compiler.twin.machine import Machine, Setup
from setpoint.compiler.twin.service import running
from support.limits import PATIENCE

USER, PASSWORD = "operator", "pass:word"
CURRENT = {"Turbo": "Enabled", "Smt": "Enabled"}


class Answer(NamedTuple):
    """What came of a request."""

    status: int
    document: Any
    headers: dict[str, str]


class Client(NamedTuple):
    """A client that does one request on one connection, over plain HTTP."""

    twin: Twin

    def ask(
        self, method: str, path: str, body: object = None, account: bool = True, **headers: str
    ) -> Answer:
        """Send a request."""
        token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if account:
            sent["Authorization"] = f"Basic {token}"
        connection = http.client.HTTPConnection(self.twin.address, timeout=PATIENCE)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), sent)
            answer = connection.getresponse()
            text = answer.read()
            text = gzip.decompress(text) if answer.headers["Content-Encoding"] == "gzip" else text
            return Answer(answer.status, json.loads(text) if text else None, dict(answer.getheaders()))
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """Read a resource."""
        answer = self.ask("GET", path)
        assert answer.status == 200, answer
        return answer.document

    def stage(self, attributes: dict[str, Any]) -> Answer:
        """Stage attributes in the way of the service."""
        dialect = self.twin.machine.dialect
        body: dict[str, Any] = {dialect.takes: attributes} if dialect.takes else attributes
        if "OnReset" in dialect.apply_times:
            body = {**body, "@Redfish.SettingsApplyTime": {"ApplyTime": "OnReset"}}
        return self.ask("PATCH", dialect.target, body, If_Match="*")

    def restart(self) -> Answer:
        """Restart the server, and wait until it has started."""
        dialect = self.twin.machine.dialect
        answer = self.ask("POST", dialect.reset_target, {"ResetType": "ForceRestart"})
        while self.twin.machine.is_starting:
            self.twin.machine.tick()
        return answer


@contextmanager
def client(setup: Setup) -> Iterator[Client]:
    """A client of a twin."""
    with running(Twin(Machine(setup), USER, PASSWORD)) as twin:
        yield Client(twin)
