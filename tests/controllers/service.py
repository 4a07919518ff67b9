"""The resources of a service without jobs, and what comes of a request.

The rest of the tree is what a client walks through: the service root and collections (DSP0266, 9.5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from controllers.machine import Server, Setup
from idrac.faults import Fault
from idrac.machine import RefusedError
from idrac.service import BUSY, Handler, Request, running

ROOT = "/redfish/v1"


@dataclass
class BareController:
    """A running controller: where it is, whom to trust, and what it has received. A test can set and take back its fault."""

    machine: Server
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
        return [
            f"{r.method} {r.path.rstrip('/').rpartition('/')[2]}" for r in self.requests if r.method != "GET"
        ]

    @property
    def patches(self) -> list[Any]:
        """The bodies of the PATCH requests."""
        return [r.body for r in self.requests if r.method == "PATCH"]


@contextmanager
def bare_controllers(
    setups: Mapping[str, Setup], certificate: Path, key: Path
) -> Iterator[dict[str, BareController]]:
    """Run a controller for each server, by its name."""
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(running(BareController(Server(one), certificate), key, _Handler))
            for name, one in setups.items()
        }


class _Handler(Handler):
    """One request. What differs from the iDRAC's: the resources, and what a change needs."""

    controller: BareController

    def do_GET(self) -> None:  # noqa: N802  (the name that http.server calls)
        """Answer a reading."""
        path = urlsplit(self.path).path.rstrip("/")
        self._note(None)
        if not self._authenticated() or self._prevented():
            return
        if self.busy.setdefault(path, self._server.behaviour.busy):
            self.busy[path] -= 1
            self._error(503, BUSY, "ServiceTemporarilyUnavailable")
            return
        made = self._resources().get(path)
        if made is None:
            self._error(404, f"The resource at the URI {path} was not found.", "ResourceMissingAtURI")
            return
        document = {"@odata.id": path, **made()}
        version = {"ETag": document["@odata.etag"]} if "@odata.etag" in document else {}
        self._answer(200, document, headers=version)

    def do_PATCH(self) -> None:  # noqa: N802  (the name that http.server calls)
        """Stage attributes, if the request is for the version that there is."""
        body = self._body()
        if not self._authenticated() or self._prevented():
            return
        dialect, given = self._server.behaviour.dialect, self.headers.get("If-Match")
        if urlsplit(self.path).path != dialect.settings:
            self._error(405, "The operation is not allowed on this resource.", "OperationNotAllowed")
        elif given is None and dialect.needs_version:
            words = "The request did not provide the required precondition, such as an If-Match or If-None-Match header."
            self._error(428, words, dialect.refusal.rpartition(".")[2])
        elif given not in (None, "*", self._server.version):
            words = "The ETag supplied did not match the ETag required to change this resource."
            self._error(412, words, "PreconditionFailed")
        else:
            self._write("PATCH", lambda: self._stage_all(body))

    def do_POST(self) -> None:  # noqa: N802  (the name that http.server calls)
        """Reset the server."""
        body = self._body()
        if not self._authenticated() or self._prevented():
            return
        if self.path == self._reset_target:
            self._write("reset", lambda: self._restart(body["ResetType"]))
        else:
            self._error(404, f"The resource at the URI {self.path} was not found.", "ResourceMissingAtURI")

    def do_DELETE(self) -> None:  # noqa: N802  (the name that http.server calls)
        """There is nothing to delete."""
        self._note(None)
        if self._authenticated() and not self._prevented():
            self._error(405, "The operation is not allowed on this resource.", "OperationNotAllowed")

    @property
    def _server(self) -> Server:
        return self.controller.machine

    @property
    def _reset_target(self) -> str:
        return f"{self._server.behaviour.dialect.system}/Actions/ComputerSystem.Reset"

    def _stage_all(self, body: Any) -> tuple[int, None]:
        if unknown := sorted(body.keys() - {"Attributes"}):
            raise RefusedError(
                f"The property {unknown[0]} is not in the list of valid properties for the resource."
            )
        self._server.stage(body["Attributes"])
        return self._server.behaviour.dialect.accepted, None

    def _restart(self, kind: str) -> tuple[int, None]:
        self._server.reset(kind)
        return 200, None

    def _write(self, name: str, act: Callable[[], tuple[int, None]]) -> None:
        try:
            status, _ = act()
        except RefusedError as refusal:
            self._error(400, str(refusal))
            return
        says = self._server.behaviour.dialect.says if name == "PATCH" else ""
        info = [{"MessageId": says}] if says else []
        self._answer(status, None if status == 204 else {"@Message.ExtendedInfo": info})

    # ----------------------------------------------------------------------------------------- resources

    def _resources(self) -> dict[str, Callable[[], dict[str, Any]]]:
        dialect = self._server.behaviour.dialect
        return {
            "/redfish": lambda: {"v1": f"{ROOT}/"},
            ROOT: lambda: {"RedfishVersion": "1.6.0", "Systems": {"@odata.id": f"{ROOT}/Systems"}},
            f"{ROOT}/Systems": lambda: {
                "Members": [{"@odata.id": dialect.system}],
                "Members@odata.count": 1,
            },
            dialect.system: self._system,
            dialect.bios: self._bios,
            dialect.settings.rstrip("/"): self._settings,
            **(
                {f"{dialect.system}/ResetActionInfo": self._action_info} if dialect.lists_resets_apart else {}
            ),
        }

    def _system(self) -> dict[str, Any]:
        setup = self._server.behaviour
        action: dict[str, Any] = {"target": self._reset_target}
        if setup.dialect.lists_resets_apart:
            action["@Redfish.ActionInfo"] = f"{setup.dialect.system}/ResetActionInfo"
        else:
            action["ResetType@Redfish.AllowableValues"] = list(setup.dialect.resets)
        return {
            "Manufacturer": setup.manufacturer,
            "Model": setup.model,
            "PowerState": self._server.power,
            "ProcessorSummary": {"Count": 2},
            "Bios": {"@odata.id": setup.dialect.bios},
            "Actions": {"#ComputerSystem.Reset": action},
        }

    def _bios(self) -> dict[str, Any]:
        server = self._server
        server.tick()
        settings: dict[str, Any] = {"SettingsObject": {"@odata.id": server.behaviour.dialect.settings}}
        if server.behaviour.dialect.tells_time:
            settings["Messages"] = (
                [{"MessageId": server.message}] if server.behaviour.dialect.tells_result else []
            )
            settings["Time"] = f"2026-01-05T09:{server.applied:02d}:00+00:00"
        return {"Id": "bios", "Attributes": dict(server.current), "@Redfish.Settings": settings}

    def _settings(self) -> dict[str, Any]:
        self._server.tick()
        shown = self._server.shown
        attributes = {} if shown is None else {"Attributes": shown}
        return {"Id": "settings", "@odata.etag": self._server.version, **attributes}

    def _action_info(self) -> dict[str, Any]:
        values = list(self._server.behaviour.dialect.resets)
        kind = {"Name": "ResetType", "Required": True, "DataType": "String", "AllowableValues": values}
        return {"Id": "ResetActionInfo", "Parameters": [kind]}
