"""A Redfish service that answers what a test wants, also badly, over TLS on 127.0.0.1.

    with stand_in(folder, {"/redfish/v1/": {…}}) as bmc:
        bmc.faults["/redfish/v1/Systems"] = [Fault(status=503)]     # once, then as usual
        …                                                           # speak to https://bmc.address, trusting bmc.ca
        assert bmc.sessions == []

Written from DMTF's DSP0266 1.20: the service root needs no account (7.4); everything else needs a session's token
(13.3.4: `POST` to the sessions, answered by 201, `X-Auth-Token` and `Location`; ended by `DELETE`) or HTTP basic
authentication (13.3.3), else 401 with an error body (8.6). A path with a slash at its end is the same resource (6.3).
"""

from __future__ import annotations

import base64
import json
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from consumers.redfish_service import PASSWORD, USER, certificate

ROOT = "/redfish/v1"
SESSIONS = f"{ROOT}/SessionService/Sessions"
TOKEN = "a-token-of-no-value"


@dataclass
class Fault:
    """How one request is answered instead: status, headers and body; `cut` leaves out half of the body, `slow` waits
    before each piece of it, `hang_up` closes the connection without an answer.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b"{}"
    cut: bool = False
    slow: float = 0.0
    hang_up: bool = False


@dataclass
class StandIn:
    """A running service: what it has, which faults are ordered by path, what was asked, and the sessions that are
    open."""

    documents: dict[str, Any]
    port: int = 0
    ca: Path = Path()
    has_sessions: bool = True
    faults: dict[str, list[Fault]] = field(default_factory=dict)
    requests: list[tuple[str, str, str]] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"


@contextmanager
def stand_in(folder: Path, documents: Mapping[str, Any], has_sessions: bool = True) -> Iterator[StandIn]:
    """Run a service with the documents by path."""
    own, key = certificate(folder)
    bmc = StandIn(
        {path.rstrip("/"): data for path, data in documents.items()}, ca=own, has_sessions=has_sessions
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(bmc))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.daemon_threads = True
    bmc.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield bmc
    finally:
        server.shutdown()
        server.server_close()


def _handler(bmc: StandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # an answer in one piece: in two, each would wait for an acknowledgement

        def log_message(self, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            path = self.path.rstrip("/")
            if self._faulty():
                return
            if path != ROOT and not self._is_known():
                self._answer(401, _error("Base.1.18.NoValidSession"))
            elif path in bmc.documents:
                self._answer(200, bmc.documents[path])
            else:
                self._answer(404, _error("Base.1.18.ResourceMissingAtURI"))

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            given = json.loads(self.rfile.read(length) or b"{}")
            if self._faulty():
                return
            if self.path.rstrip("/") != SESSIONS or not bmc.has_sessions:
                self._answer(404, _error("Base.1.18.ResourceMissingAtURI"))
            elif (given.get("UserName"), given.get("Password")) != (USER, PASSWORD):
                self._answer(401, _error("Base.1.18.ResourceAtUriUnauthorized"))
            else:
                path = f"{SESSIONS}/{len(bmc.requests)}"
                bmc.sessions.append(path)
                self._answer(201, {"@odata.id": path}, {"X-Auth-Token": TOKEN, "Location": path})

        def do_DELETE(self) -> None:
            if self._faulty():
                return
            if self._is_known() and self.path in bmc.sessions:
                bmc.sessions.remove(self.path)
                self._answer(204, None)
            else:
                self._answer(404, _error("Base.1.18.ResourceMissingAtURI"))

        def _is_known(self) -> bool:
            if bmc.has_sessions and self.headers.get("X-Auth-Token") == TOKEN and bmc.sessions:
                return True
            basic = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
            return self.headers.get("Authorization") == f"Basic {basic}"

        def _faulty(self) -> bool:
            """Note the request, and answer it badly if that was ordered."""
            secret = self.headers.get("X-Auth-Token", "") or self.headers.get("Authorization", "")
            bmc.requests.append((self.command, self.path, secret))
            waiting = bmc.faults.get(self.path.rstrip("/"), [])
            if not waiting:
                return False
            fault = waiting.pop(0)
            self.close_connection = fault.hang_up or fault.cut
            if fault.hang_up:
                return True
            self.send_response(fault.status)
            for name, value in fault.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(fault.body)))
            self.end_headers()
            half = len(fault.body) // 2 if fault.cut else len(fault.body)
            pieces = [fault.body[at : at + 1] for at in range(half)] if fault.slow else [fault.body[:half]]
            for piece in pieces:
                time.sleep(fault.slow)
                self.wfile.write(piece)
                self.wfile.flush()
            return True

        def _answer(self, status: int, data: Any, headers: Mapping[str, str] | None = None) -> None:
            body = b"" if data is None else json.dumps(data).encode()
            self.send_response(status)
            for name, value in {
                "OData-Version": "4.0",
                "Content-Type": "application/json",
                **(headers or {}),
            }.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler


def _error(message: str) -> dict[str, Any]:
    return {"error": {"code": message, "message": message, "@Message.ExtendedInfo": [{"MessageId": message}]}}
