"""The emulated controller's Redfish service: HTTPS with basic authentication, and a note of each request."""

from __future__ import annotations

import base64
import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import parse_qs, urlsplit

from idrac.faults import PREVENTING, Fault, Kind
from idrac.machine import Behaviour, Machine, RefusedError
from idrac.resources import CLEAR, MONITORS, RESET, ROOT, SESSIONS, SETTINGS, TASKS, resource

USER, PASSWORD = "operator", "pass:word"
TOKEN = "token-of-session-"
METADATA = f"{ROOT}/$metadata"
METADATA_TEXT = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"/>'
)
BUSY = "The service is temporarily unavailable.  Retry in 30 seconds."
OPEN = ("", "/redfish", ROOT, METADATA)
"""What needs no account, and neither does a new session (DSP0266, 13.3.1)."""


@dataclass(frozen=True)
class Request:
    """A request that was received."""

    method: str
    path: str
    body: Any = None


@dataclass
class Controller:
    """A running controller: where it is, whom to trust, and what it has received. A test can set and take back its fault."""

    machine: Machine
    ca: Path
    port: int = 0
    fault: Fault | None = None
    sessions: list[str] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    @property
    def writes(self) -> list[str]:
        """The requests that were no reading: method and last part of the path."""
        return [f"{r.method} {r.path.rpartition('/')[2]}" for r in self.requests if r.method != "GET"]

    @property
    def patches(self) -> list[Any]:
        """The bodies of the PATCH requests."""
        return [r.body for r in self.requests if r.method == "PATCH"]

    @property
    def resets(self) -> list[str]:
        """The reset types that were received."""
        return [r.body["ResetType"] for r in self.requests if r.method == "POST" and r.path == RESET]


@contextmanager
def controllers(
    behaviours: Mapping[str, Behaviour], certificate: Path, key: Path
) -> Iterator[dict[str, Controller]]:
    """Run a controller for each behaviour, by its name."""
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(running(Controller(Machine(one), certificate), key, Handler))
            for name, one in behaviours.items()
        }


class Runnable(Protocol):
    """A controller of any kind, as far as running it goes."""

    ca: Path
    port: int


AnyController = TypeVar("AnyController", bound=Runnable)


@contextmanager
def running(controller: AnyController, key: Path, kind: type[Handler]) -> Iterator[AnyController]:
    """Run a controller, whose requests are answered by a kind of handler."""
    handler = type("Handler", (kind,), {"controller": controller, "busy": {}, "lost": set()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(controller.ca, key)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    controller.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield controller
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=10)


class Handler(BaseHTTPRequestHandler):
    """One request. `busy` and `lost` remember what has been answered so already."""

    protocol_version = "HTTP/1.1"
    controller: Any
    busy: dict[str, int]
    lost: set[str]
    number = 0

    def do_GET(self) -> None:
        """Answer a reading."""
        url = urlsplit(self.path)
        self._note(None)
        if not self._authenticated() or self._prevented():
            return
        if self.busy.setdefault(url.path, self._behaviour.busy):
            self.busy[url.path] -= 1
            self._error(503, BUSY, "ServiceTemporarilyUnavailable")
            return
        if url.path == METADATA:
            self._send(200, METADATA_TEXT.encode(), "application/xml")
            return
        path = url.path.rstrip("/")
        if self._behaviour.announces == "monitor" and path.startswith(f"{MONITORS}/"):
            self._monitor(path.rpartition("/")[2])
            return
        document = resource(self._machine, path, parse_qs(url.query), self.controller.sessions)
        if document is None:
            self._error(404, f"The resource at the URI {url.path} was not found.", "ResourceMissingAtURI")
        elif path == "/redfish":
            self._answer(200, document)
        else:
            self._answer(200, {"@odata.id": path, **document})

    def _monitor(self, name: str) -> None:
        """Answer without content: 202 while the job is not over, then 204 (DSP0266, 12.2 "Asynchronous operations")."""
        found = [job for job in self._machine.jobs if job["Id"] == name]
        if not found:
            self._error(404, f"The resource at the URI {self.path} was not found.", "ResourceMissingAtURI")
            return
        self._machine.tick()
        self._answer(202 if found[0] in self._machine.open_jobs else 204, None)

    def do_PATCH(self) -> None:
        """Stage attributes, with a job if an apply time asks for it."""
        body = self._body()
        if self._authenticated() and not self._prevented():
            self._write("PATCH", lambda: self._stage(body))

    def do_POST(self) -> None:
        """Make a job, or reset the server."""
        body = self._body()
        if not self._authenticated() or self._prevented():
            return
        if self.path == RESET:
            self._write("reset", lambda: self._reset(body["ResetType"]))
        elif self.path == CLEAR and self._behaviour.clear:
            self._write("clear", self._clear)
        elif self.path == SESSIONS:
            self._open_session()
        elif self.path == self._behaviour.jobs and body == {"TargetSettingsURI": SETTINGS}:
            self._write("job", lambda: (200, self._machine.commit()))
        else:
            self._error(404, f"The resource at the URI {self.path} was not found.")

    def do_DELETE(self) -> None:
        """End a session, or take back a job."""
        self._note(None)
        if not self._authenticated() or self._prevented():
            return
        place, _, name = self.path.rpartition("/")
        if place == SESSIONS and name in self.controller.sessions:
            self.controller.sessions.remove(name)
            self._answer(204, None)
        elif self.path in (job["@odata.id"] for job in self._machine.jobs):
            self._write("delete", lambda: self._withdraw(name))
        else:
            self._error(404, f"The resource at the URI {self.path} was not found.", "ResourceMissingAtURI")

    def _reset(self, kind: str) -> tuple[int, None]:
        self._machine.reset(kind)
        return 204, None

    def _clear(self) -> tuple[int, None]:
        self._machine.clear()
        return 204, None

    def _withdraw(self, job: str) -> tuple[int, None]:
        self._machine.withdraw(job)
        return 200, None

    def _open_session(self) -> None:
        name = str(len(self.controller.sessions) + 1)
        self.controller.sessions.append(name)
        document = resource(self._machine, f"{SESSIONS}/{name}", {}, self.controller.sessions)
        uri = f"{SESSIONS}/{name}"
        self._answer(201, {"@odata.id": uri, **(document or {})}, uri, {"X-Auth-Token": TOKEN + name})

    @property
    def _machine(self) -> Machine:
        machine: Machine = self.controller.machine
        return machine

    @property
    def _behaviour(self) -> Behaviour:
        return self._machine.behaviour

    def _stage(self, body: Any) -> tuple[int, str | None]:
        time = body.get("@Redfish.SettingsApplyTime", {}).get("ApplyTime")
        if time is not None and time not in self._behaviour.apply_times:
            raise RefusedError(
                "The property @Redfish.SettingsApplyTime is not in the list of valid properties for the resource."
            )
        self._machine.stage(body["Attributes"])
        return (202, self._announced(self._machine.commit())) if time else (200, None)

    def _announced(self, job: str) -> str:
        places = {"task": TASKS, "monitor": MONITORS}
        place = places.get(self._behaviour.announces, self._behaviour.jobs)
        return f"{place}/{job.rpartition('/')[2]}"

    def _write(self, name: str, act: Any) -> None:
        try:
            status, location = act()
        except RefusedError as refusal:
            self._error(400, str(refusal))
            return
        if name in self._behaviour.lost and name not in self.lost:
            self.lost.add(name)
            self._hang_up()
            return
        self._answer(status, None if status == 204 else {}, location)

    def _authenticated(self) -> bool:
        """Whether the request needs no account, or comes with it or with the token of a session (DSP0266, 13.3)."""
        path = urlsplit(self.path).path.rstrip("/")
        if path in OPEN or (path == SESSIONS and self.command == "POST"):
            return True
        token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        given = self.headers.get("X-Auth-Token", "")
        if self.headers.get("Authorization") == f"Basic {token}" or given in map(
            TOKEN.__add__, self.controller.sessions
        ):
            return True
        self._error(
            401, "While attempting to establish a connection, the service denied access.", "AccessDenied"
        )
        return False

    def _prevented(self) -> bool:
        """Have the request meet the fault that prevents it, if one does."""
        kind = self._met()
        if kind in ("busy", "away"):
            self._error(503, BUSY, "ServiceTemporarilyUnavailable")
        elif kind == "error":
            self._error(
                500, "The request failed due to an internal service error.  The service is still operational."
            )
        elif kind == "dropped":
            self._hang_up()
        return kind in PREVENTING

    def _met(self) -> Kind | None:
        fault = self.controller.fault
        return fault.kind if fault and fault.meets(self.number) else None

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _body(self) -> Any:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        self._note(body)
        return body

    def _note(self, body: Any) -> None:
        self.number = len(self.controller.requests)
        self.controller.requests.append(Request(self.command, urlsplit(self.path).path, body))

    def _error(self, status: int, message: str, identity: str = "GeneralError") -> None:
        """An error as DSP0266 has it (8.6), with the words in its extended information."""
        info = [{"MessageId": f"Base.1.12.{identity}", "Message": message}]
        text = "A general error has occurred. See ExtendedInfo for more information."
        error = {"code": "Base.1.12.GeneralError", "message": text, "@Message.ExtendedInfo": info}
        more = {"WWW-Authenticate": 'Basic realm="RedfishService"'} if status == 401 else {}
        self._answer(status, {"error": error}, headers=more)

    def _answer(
        self,
        status: int,
        document: Any,
        location: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        kind = self._met()
        if kind == "lost":
            self._hang_up()
            return
        if kind == "slow" and self.controller.fault:
            time.sleep(self.controller.fault.seconds)
        content = b"" if document is None else json.dumps(document).encode()
        more = {**(headers or {}), **({"Location": location} if location else {})}
        self._send(status, content, "application/json;charset=utf-8", more)

    def _send(self, status: int, content: bytes, kind: str, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        if content:
            self.send_header("Content-Type", kind)
        for name, value in {"OData-Version": "4.0", "Cache-Control": "no-cache", **(headers or {})}.items():
            self.send_header(name, value)
        with suppress(OSError):  # a client that has stopped waiting
            self.end_headers()
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep quiet: `requests` has what was received."""
