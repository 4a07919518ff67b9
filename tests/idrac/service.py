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
from typing import Any
from urllib.parse import parse_qs, urlsplit

from idrac.faults import PREVENTING, Fault, Kind
from idrac.machine import Behaviour, Machine, RefusedError

USER, PASSWORD = "operator", "pass:word"
SYSTEM = "/redfish/v1/Systems/System.Embedded.1"
RESET = f"{SYSTEM}/Actions/ComputerSystem.Reset"
SETTINGS = f"{SYSTEM}/Bios/Settings"
EXPAND = "$expand"


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
            name: stack.enter_context(_running(Controller(Machine(one), certificate), key))
            for name, one in behaviours.items()
        }


@contextmanager
def _running(controller: Controller, key: Path) -> Iterator[Controller]:
    handler = type("Handler", (_Handler,), {"controller": controller, "busy": {}, "lost": set()})
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


class _Handler(BaseHTTPRequestHandler):
    """One request. `busy` and `lost` remember what has been answered so already."""

    protocol_version = "HTTP/1.1"
    controller: Controller
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
            self._error(503, "The service is temporarily unavailable.  Retry in 30 seconds.")
            return
        document = self._document(url.path, parse_qs(url.query))
        if document is None:
            self._error(404, f"The resource at the URI {url.path} was not found.")
        else:
            self._answer(200, {"@odata.id": url.path, **document})

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
        elif self.path == self._behaviour.jobs and body == {"TargetSettingsURI": SETTINGS}:
            self._write("job", lambda: (200, self._machine.commit()))
        else:
            self._error(404, f"The resource at the URI {self.path} was not found.")

    def _reset(self, kind: str) -> tuple[int, None]:
        self._machine.reset(kind)
        return 204, None

    @property
    def _machine(self) -> Machine:
        return self.controller.machine

    @property
    def _behaviour(self) -> Behaviour:
        return self.controller.machine.behaviour

    def _document(self, path: str, query: Mapping[str, list[str]]) -> dict[str, Any] | None:
        """The resource at a path; None where there is none."""
        machine, behaviour = self._machine, self._behaviour
        if path == SYSTEM:
            times = {"LastResetTime": machine.reset_time} if behaviour.reset_time else {}
            allowed = {"ResetType@Redfish.AllowableValues": list(behaviour.reset_types), "target": RESET}
            actions = {"#ComputerSystem.Reset": allowed}
            identity = {"Model": behaviour.model, "ProcessorSummary": {"Count": behaviour.processors}}
            return {**identity, "PowerState": machine.power, "Actions": actions, **times}
        if path == f"{SYSTEM}/Bios":
            settings: dict[str, Any] = {"SettingsObject": {"@odata.id": SETTINGS}}
            if behaviour.apply_times:
                settings["SupportedApplyTimes"] = list(behaviour.apply_times)
            return {"Attributes": machine.shown, "@Redfish.Settings": settings}
        if path == SETTINGS:
            oem = {"Dell": {"Jobs": {"@odata.id": behaviour.jobs}}}
            return {"Attributes": dict(machine.staged), "Oem": oem}
        if path == behaviour.jobs:
            return self._queue(query)
        job = next((job for job in machine.jobs if job["@odata.id"] == path), None)
        if job is not None:
            machine.tick()
        return job

    def _queue(self, query: Mapping[str, list[str]]) -> dict[str, Any]:
        jobs, page = self._machine.jobs, self._behaviour.page
        start = int(query.get("$skip", ["0"])[0])
        end = start + page if page else len(jobs)
        members = jobs[start:end]
        document: dict[str, Any] = {"Members@odata.count": len(jobs), "Members": members}
        if EXPAND not in query:
            document["Members"] = [{"@odata.id": job["@odata.id"]} for job in members]
        if end < len(jobs):
            expand = f"{EXPAND}=*($levels=1)&" if EXPAND in query else ""
            document["Members@odata.nextLink"] = f"{self._behaviour.jobs}?{expand}$skip={end}"
        return document

    def _stage(self, body: Any) -> tuple[int, str | None]:
        time = body.get("@Redfish.SettingsApplyTime", {}).get("ApplyTime")
        if time is not None and time not in self._behaviour.apply_times:
            raise RefusedError(
                "The property @Redfish.SettingsApplyTime is not in the list of valid properties for the resource."
            )
        self._machine.stage(body["Attributes"])
        return (202, self._machine.commit()) if time else (200, None)

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
        token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        if self.headers.get("Authorization") == f"Basic {token}":
            return True
        self._error(401, "The authentication credentials included with this request are missing or invalid.")
        return False

    def _prevented(self) -> bool:
        """Have the request meet the fault that prevents it, if one does."""
        kind = self._met()
        if kind in ("busy", "away"):
            self._error(503, "The service is temporarily unavailable.  Retry in 30 seconds.")
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

    def _error(self, status: int, message: str) -> None:
        """An error as DSP0266 has it (8.6), with the words in its extended information."""
        info = [{"MessageId": "Base.1.12.GeneralError", "Message": message}]
        text = "A general error has occurred. See ExtendedInfo for more information."
        self._answer(status, {"error": {"code": "Base.1.12.GeneralError", "message": text,
                                        "@Message.ExtendedInfo": info}})  # fmt: skip

    def _answer(self, status: int, document: Any, location: str | None = None) -> None:
        kind = self._met()
        if kind == "lost":
            self._hang_up()
            return
        if kind == "slow" and self.controller.fault:
            time.sleep(self.controller.fault.seconds)
        content = b"" if document is None else json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        if content:
            self.send_header("Content-Type", "application/json")
        if location:
            self.send_header("Location", location)
        with suppress(OSError):  # a client that has stopped waiting
            self.end_headers()
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep quiet: `requests` has what was received."""
