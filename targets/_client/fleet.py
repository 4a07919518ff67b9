"""Which servers the hosts of a play are, before the first of them is changed.

A host has its address, its controller has another, and an inventory can have any of them wrong. A server is known by its UUID, which its
controller shows and its operating system does. Where one of these does not answer, nothing follows here: the host's own run tells of it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from setpoint.targets._client.identity import require_same, uuids
from setpoint.targets._client.server import Server
from setpoint.targets._client.wire import Account, Document, Service, StopError, plain

AT_ONCE = 32
"""Controllers that are asked at a time."""

UNCHANGED = "Nothing was changed"


@dataclass
class Seen:
    """A host, with the UUID that it shows itself and the one that its controller shows; "" for one that is not known."""

    name: str
    own: str
    shown: str


def look(given: Document, account: Account) -> list[Seen]:
    """Ask the controllers of all hosts, many at a time, each as this account is used where the host says nothing else."""
    hosts = [host for host in given["hosts"] if isinstance(host, dict)]

    def ask(host: dict[str, Any]) -> Seen:
        reached = replace(
            account, host=host["host"], user=host["user"], password=host["password"], ca=host["ca"], retries=1
        )
        service = Service(reached)
        server = Server(service, {})
        try:
            server.find(UNCHANGED)
        except StopError:
            pass
        finally:
            service.close()
        return Seen(host["name"], host["uuid"], plain(server.system.get("UUID") or ""))

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(ask, hosts))


def confused(seen: list[Seen]) -> dict[str, str]:
    """The hosts that are not a server of their own, each with the reason."""
    told: dict[str, str] = {}
    for host in seen:
        try:
            require_same(host.shown, host.own, UNCHANGED)
        except StopError as stop:
            told[host.name] = str(stop)
    for what, of in (("the BMC", "shown"), ("the server", "own")):
        by_server: dict[str, list[str]] = {}
        for host in seen:
            if either := uuids(getattr(host, of)):
                by_server.setdefault(min(either), []).append(host.name)
        for names in by_server.values():
            for name in names if len(names) > 1 else ():
                others = ", ".join(map(plain, (namesake for namesake in names if namesake != name)))
                told.setdefault(
                    name,
                    f"{UNCHANGED}: {what} of this host is that of {others}, too, by its UUID. Correct the inventory, or set"
                    " setpoint_check_server to false",
                )
    return told
