"""The service in front of a machine: accounts, sessions, what comes of a request, and a note of each.

It speaks HTTP 1.1 as DSP0266 has it, from the standard library's server. It is for rehearsals and tests, on loopback:
the size of a request and the time that a connection may wait are bounded, and that is all of its defence.

Beside Redfish there is `/twin`, with the same account, which a rehearsal drives the server by (`admin`).
"""

import base64
import binascii
import hmac
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from setpoint.compiler.twin.admin import ADMIN, administered
from setpoint.compiler.twin.answers import (
    TwinAnswer,
    content,
    disturbed,
    error,
    extended,
    prevented,
    refused,
)
from setpoint.compiler.twin.controller import NO_FILE, Twin, TwinRequest
from setpoint.compiler.twin.faults import PREVENTING, Kind
from setpoint.compiler.twin.machine import RefusedError
from setpoint.compiler.twin.resources import MONITORS, ROOT, SESSIONS, TASKS, message

MOST_BYTES = 1 << 20
"""The maximum size of a request's body: twice the largest set of all attributes that was captured."""

IDLE_SECONDS = 30
"""How long a connection may wait for its next request."""

METADATA = f"{ROOT}/$metadata"
METADATA_TEXT = (
    b'<?xml version="1.0" encoding="UTF-8"?>'
    b'<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"/>'
)
OPEN = ("", "/redfish", ROOT, f"{ROOT}/odata", METADATA)
"""What needs no account, and neither does a new session (DSP0266, 13.3.1)."""

APPLY_TIME = "@Redfish.SettingsApplyTime"
SUCCESS = {"Success": {"Message": "Successfully Completed Request.", "code": "Base.v1_0_0.Success"}}
"""The answer to a PATCH of a Supermicro X11, in place of a task (DMTF/Redfishtool, issue 41)."""


@contextmanager
def running(twin: Twin, key: Path = NO_FILE, host: str = "127.0.0.1", port: int = 0) -> Iterator[Twin]:
    """Run a twin, with TLS if it has a certificate. Raises OSError if it cannot listen or read that."""
    handler = type("TwinHandler", (_Handler,), {"twin": twin})
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    server = type("TwinServer", (ThreadingHTTPServer,), {"address_family": family})((host, port), handler)
    try:
        if twin.ca.name:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(twin.ca, key if key.name else None)
            server.socket = context.wrap_socket(
                server.socket, server_side=True, do_handshake_on_connect=False
            )
        twin.host, twin.port = server.server_address[:2]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield twin
        finally:
            server.shutdown()
            thread.join(timeout=10)
    finally:
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """One connection. Requests of all connections are carried out one after the other."""

    protocol_version = "HTTP/1.1"
    timeout = IDLE_SECONDS
    wbufsize = -1  # an answer in one piece: in two, each would wait for an acknowledgement
    twin: Twin
    number = 0
    served = 0
    met: Kind | None = None

    def do_GET(self) -> None:
        """Answer a reading."""
        self._carry_out(self._read)

    def do_HEAD(self) -> None:
        """Answer a reading without its content."""
        self._carry_out(self._read)

    def do_PATCH(self) -> None:
        """Stage attributes."""
        self._carry_out(self._patch)

    def do_POST(self) -> None:
        """Carry out an action, or make a job or session."""
        self._carry_out(self._post)

    def do_PUT(self) -> None:
        """Order a fault, beside Redfish; within it nothing is put."""
        self._carry_out(self._put)

    def do_DELETE(self) -> None:
        """End a session, or take back a job."""
        self._carry_out(self._delete)

    # ------------------------------------------------------------------------------------------ each request

    def _carry_out(self, act: Callable[[str, Any], TwinAnswer]) -> None:
        path = urlsplit(self.path).path
        try:
            body = self._body()
        except ValueError:
            self.close_connection = True
            self._send(self._error(400, "malformed"))
            return
        with self.twin.lock:
            self._note(path, body)
            met = self.met = self._met() if not path.startswith(ADMIN) else None
            answer = self._refusal(path) or prevented(self.twin.machine, met) or self._moved(path)
            if answer is None and met not in PREVENTING:
                try:
                    answer = act(path, body)
                except RefusedError as refusal:
                    answer = refused(self.twin.machine, refusal)
        self.served += 1
        if met in ("dropped", "stale", "lost"):
            self._hang_up()
        elif answer is not None:
            if met == "slow" and self.twin.fault:
                time.sleep(self.twin.fault.seconds)
            self._send(answer, met)

    def _body(self) -> Any:
        """The body of a request. Raises ValueError for what is not a JSON object, or too large."""
        length = int(self.headers.get("Content-Length") or 0)
        if self.headers.get("Transfer-Encoding") or not 0 <= length <= MOST_BYTES:
            raise ValueError("too large")
        try:
            body = json.loads(self.rfile.read(length) or b"{}")
        except RecursionError:
            raise ValueError("too deep") from None
        if not isinstance(body, dict):
            raise ValueError("not an object")
        return body

    def _note(self, path: str, body: Any) -> None:
        if path.startswith(ADMIN):
            return
        self.number = len(self.twin.requests)
        self.twin.requests.append(
            TwinRequest(self.command, path, body if self.command not in ("GET", "HEAD") else None)
        )

    def _met(self) -> Kind | None:
        fault = self.twin.fault
        if not fault or not fault.meets(self.number) or (fault.kind == "stale" and not self.served):
            return None
        return fault.kind

    def _moved(self, path: str) -> TwinAnswer | None:
        """Where an address without a slash has moved to, for requests of any method (RFC 9110, 15.4.9)."""
        if not self.twin.machine.setup.slashes or path.endswith("/") or path.startswith(ADMIN):
            return None
        query = urlsplit(self.path).query
        return TwinAnswer(308, None, {"Location": f"{path}/{'?' if query else ''}{query}"})

    def _refusal(self, path: str) -> TwinAnswer | None:
        """None if the request needs no account, or comes with it or with the token of a session (DSP0266, 13.3)."""
        path = path.rstrip("/")
        if (path in OPEN and self.command in ("GET", "HEAD")) or (
            path == SESSIONS and self.command == "POST"
        ):
            return None
        token = self.headers.get("X-Auth-Token", "")
        if any(hmac.compare_digest(token, self._token(session)) for session in self.twin.tree.sessions):
            return None
        scheme, _, given = self.headers.get("Authorization", "").partition(" ")
        with suppress(binascii.Error, ValueError):
            user, _, password = base64.b64decode(given, validate=True).decode().partition(":")
            if scheme.casefold() == "basic" and self._is_known(user, password):
                return None
        return self._error(401, "denied", WWW_Authenticate='Basic realm="Redfish"')

    def _is_known(self, user: object, password: object) -> bool:
        twin = self.twin
        same = [
            hmac.compare_digest(str(given).encode(), known.encode())
            for given, known in ((user, twin.user), (password, twin.password))
        ]
        return all(same)

    def _token(self, session: str) -> str:
        return hmac.new(self.twin.password.encode(), session.encode(), "sha256").hexdigest()

    # ----------------------------------------------------------------------------------------------- readings

    def _read(self, path: str, _: Any) -> TwinAnswer:
        twin = self.twin
        plain = path.rstrip("/")
        if plain.startswith(ADMIN):
            return self._admin(plain, None)
        if self.command == "GET" and twin.waiting.setdefault(plain, twin.machine.setup.busy):
            twin.waiting[plain] -= 1
            return self._error(503, "busy", Retry_After="1")
        if plain == METADATA:
            return TwinAnswer(200, METADATA_TEXT, {"Content-Type": "application/xml"})
        if plain.startswith(f"{MONITORS}/") and self._announces == "monitor":
            return self._monitor(plain.rpartition("/")[2])
        if twin.machine.setup.blind and plain in (twin.machine.dialect.bios.rstrip("/"), twin.tree.settings):
            return self._error(400, "unread")
        document = twin.tree.at(plain, parse_qs(urlsplit(self.path).query))
        if document is None:
            return self._error(404, "missing", path)
        document = disturbed(twin.machine, self.met, plain, document)
        version = document.get("@odata.etag")
        return TwinAnswer(200, document, {"ETag": version} if version else {})

    def _monitor(self, name: str) -> TwinAnswer:
        """202 while the task is not over, and then what the request would have been answered with (DSP0266, 12.2)."""
        twin = self.twin
        tasks = [task for task in (*twin.machine.jobs, *twin.machine.tasks) if task["Id"] == name]
        if not tasks:
            return self._error(404, "missing", self.path)
        twin.machine.tick()
        return TwinAnswer(204) if tasks[0]["PercentComplete"] else TwinAnswer(202)

    # ------------------------------------------------------------------------------------------------- writes

    def _patch(self, path: str, sent: Any) -> TwinAnswer:
        body = dict(sent)
        machine, dialect, plain = self.twin.machine, self.twin.machine.dialect, path.rstrip("/")
        if plain.startswith(ADMIN):
            return self._admin(plain, body)
        if plain != dialect.target.rstrip("/"):
            return self._not_allowed(plain)
        given = self.headers.get("If-Match")
        if given is None and dialect.needs_version:
            return self._error(428, "needed")
        if given not in (None, "*") and (given != machine.version or machine.setup.distrusts):
            return self._error(412, "changed")
        times = body.pop(APPLY_TIME, None)
        when = times.get("ApplyTime") if isinstance(times, dict) else times
        if times is not None and when not in dialect.apply_times:
            raise RefusedError("unknown", APPLY_TIME, about=APPLY_TIME)
        attributes = body.pop(dialect.takes, None) if dialect.takes else body
        if dialect.takes and body:
            raise RefusedError("unknown", sorted(body)[0], about=sorted(body)[0])
        if not isinstance(attributes, dict):
            raise RefusedError("unknown", dialect.takes, about=dialect.takes)
        is_there = all(
            name in machine.staged and machine.staged[name] == value for name, value in attributes.items()
        )
        if is_there and machine.setup.jobless:
            return self._after("PATCH", TwinAnswer(200, {}))
        if dialect.jobs and when and machine.setup.exhausted:
            raise RefusedError("exhausted")
        machine.stage(attributes)
        left = [name for name in attributes if machine.setup.tells and name in machine.setup.drops]
        return self._after("PATCH", self._staged(when, [message(machine, "partly", name) for name in left]))

    def _staged(self, when: object, left: list[Any]) -> TwinAnswer:
        """The answer to a PATCH that was taken, about the rest too, and with a job or task if the service makes one."""
        machine, dialect = self.twin.machine, self.twin.machine.dialect
        if dialect.jobs and when:
            return TwinAnswer(202, {}, {"Location": self._announced(machine.commit()["Id"])})
        if dialect.tasks and machine.staged:
            task = machine.task()
            shown = self.twin.tree.at(f"{TASKS}/{task['Id']}", {})
            return TwinAnswer(202, shown, {"Location": self._announced(task["Id"])})
        if dialect.accepted == 204 and not left:
            return TwinAnswer(204)
        said = [*([message(machine, "accepted")] if "accepted" in dialect.messages else []), *left]
        if dialect.answer == "error":
            return TwinAnswer(dialect.accepted, {"error": extended(machine, said)})
        if dialect.answer == "success":
            return TwinAnswer(dialect.accepted, SUCCESS)
        shown = self.twin.tree.at(dialect.target, {}) if dialect.answer == "resource" else {}
        return TwinAnswer(
            dialect.accepted, {**(shown or {}), **({"@Message.ExtendedInfo": said} if said else {})}
        )

    @property
    def _announces(self) -> str:
        return self.twin.machine.dialect.announces

    def _announced(self, name: str) -> str:
        places = {"task": TASKS, "monitor": MONITORS}
        return f"{places.get(self._announces, self.twin.machine.dialect.jobs)}/{name}"

    def _post(self, path: str, body: Any) -> TwinAnswer:
        machine, dialect, plain = self.twin.machine, self.twin.machine.dialect, path.rstrip("/")
        if plain.startswith(ADMIN):
            return self._admin(plain, body)
        if "If-Match" in self.headers and not dialect.versioned_actions:
            return self._error(412, "changed")
        if plain == dialect.reset_target:
            kind = body.get("ResetType", "")
            machine.reset(kind)
            if dialect.reset_tasks:
                failed = f"The action '{kind}' is unsuccessful." if kind in machine.setup.stubborn else ""
                location = f"{TASKS}/{machine.task(failed)['Id']}"
                return self._after(
                    "reset", TwinAnswer(202, self.twin.tree.at(location, {}), {"Location": location})
                )
            said = {"@Message.ExtendedInfo": [message(machine, "taken")]}
            return self._after(
                "reset", TwinAnswer(dialect.reset_status, said if dialect.reset_status != 204 else None)
            )
        if dialect.clear and plain == dialect.clear_target:
            machine.clear()
            return self._after("clear", TwinAnswer(204))
        if plain == SESSIONS:
            return self._open_session(body)
        if dialect.jobs and plain == dialect.jobs:
            if body != {"TargetSettingsURI": dialect.settings}:
                raise RefusedError("unknown", "TargetSettingsURI", about="TargetSettingsURI")
            return self._after("job", TwinAnswer(200, {}, {"Location": machine.commit()["@odata.id"]}))
        return self._not_allowed(plain)

    def _put(self, path: str, body: Any) -> TwinAnswer:
        plain = path.rstrip("/")
        return self._admin(plain, body) if plain.startswith(ADMIN) else self._not_allowed(plain)

    def _delete(self, path: str, _: Any) -> TwinAnswer:
        place, _, name = path.rstrip("/").rpartition("/")
        twin = self.twin
        if place == SESSIONS and name in twin.tree.sessions:
            twin.tree.sessions.remove(name)
            return TwinAnswer(204)
        if name in (job["Id"] for job in twin.machine.jobs) and place in (twin.machine.dialect.jobs, TASKS):
            twin.machine.withdraw(name)
            return self._after("delete", TwinAnswer(200, {}))
        return self._not_allowed(path.rstrip("/"))

    def _open_session(self, body: Any) -> TwinAnswer:
        if not self._is_known(body.get("UserName"), body.get("Password")):
            return self._error(401, "credentials", SESSIONS)
        sessions = self.twin.tree.sessions
        most = self.twin.machine.dialect.sessions
        if most and len(sessions) >= most:
            return self._error(503, "crowded")
        name = str(max(map(int, sessions), default=0) + 1)
        sessions.append(name)
        path = f"{SESSIONS}/{name}"
        return TwinAnswer(
            201, self.twin.tree.at(path, {}), {"Location": path, "X-Auth-Token": self._token(name)}
        )

    def _admin(self, path: str, body: Any) -> TwinAnswer:
        answer = administered(self.twin, self.command, path, body)
        return self._error(404, "missing", path) if answer is None else TwinAnswer(200, answer)

    def _not_allowed(self, path: str) -> TwinAnswer:
        if self.twin.tree.at(path, {}) is None:
            return self._error(404, "missing", path)
        return self._error(405, "method", Allow="GET, HEAD")

    def _after(self, name: str, answer: TwinAnswer) -> TwinAnswer:
        """The answer to a write, which is lost once if the setup says so."""
        if name in self.twin.machine.setup.lost and name not in self.twin.lost:
            self.twin.lost.add(name)
            self._hang_up()
            return TwinAnswer(0)
        return answer

    # ------------------------------------------------------------------------------------------------ answers

    def _error(self, status: int, kind: str, *given: str, **headers: str) -> TwinAnswer:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return error(self.twin.machine, status, kind, *given, headers=sent)

    def _hang_up(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def _send(self, answer: TwinAnswer, met: Kind | None = None) -> None:
        if not answer.status:
            return
        sent, kind = content(self.twin.machine, answer, urlsplit(self.path).path, met)
        headers = {"OData-Version": "4.0", "Cache-Control": "no-cache", **kind}
        with suppress(OSError):  # a client that has stopped waiting
            self.send_response(answer.status)
            for name, value in {**headers, **answer.headers}.items():
                self.send_header(name, value)
            if answer.status != 204:
                self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(sent[: len(sent) // 2] if met == "truncated" else sent)
            self.wfile.flush()
        if met == "truncated":
            self._hang_up()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep quiet: `requests` has what was received."""
