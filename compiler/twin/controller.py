"""A twin as whoever rehearses with it has it: where it is, who may use it, and what it has received.

The service answers for it (`service`), and a rehearsal may order what else happens (`admin`).
"""

import threading
from pathlib import Path
from typing import Any

from setpoint.compiler.record import NamedTuple
from setpoint.compiler.twin.faults import Fault
from setpoint.compiler.twin.machine import Machine
from setpoint.compiler.twin.resources import ResourceTree

NO_FILE = Path()


class TwinRequest(NamedTuple):
    """A request that was received."""

    method: str
    path: str
    body: Any = None


class Twin:
    """A running controller: its address, its certificate, its account, and the requests that it received."""

    def __init__(self, machine: Machine, user: str, password: str, certificate: Path = NO_FILE) -> None:
        self.machine = machine
        self.tree = ResourceTree(self.machine)
        self.user, self.password = user, password
        self.ca = certificate
        self.host, self.port = "127.0.0.1", 0
        self.fault: Fault | None = None
        self.requests: list[TwinRequest] = []
        self.waiting: dict[str, int] = {}
        self.lost: set[str] = set()
        self.lock = threading.RLock()

    @property
    def address(self) -> str:
        """Host and port."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def writes(self) -> list[str]:
        """The requests that were no reading: method and last part of the path."""
        return [
            f"{request.method} {request.path.rstrip('/').rpartition('/')[2]}"
            for request in self.requests
            if request.method != "GET"
        ]

    @property
    def patches(self) -> list[Any]:
        """The bodies of the PATCH requests."""
        return [request.body for request in self.requests if request.method == "PATCH"]

    @property
    def resets(self) -> list[str]:
        """The reset types that were received."""
        target = self.machine.dialect.reset_target
        return [
            request.body.get("ResetType", "")
            for request in self.requests
            if request.method == "POST" and request.path == target
        ]
