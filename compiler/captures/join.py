"""Join the captures of hosts with those of their controllers: both show the UUID of the server.

SMBIOS stores a UUID as bytes. From version 2.6 on, Linux and dmidecode print the first three fields in little-endian
order, before it as they are stored (drivers/firmware/dmi_scan.c, dmi_save_uuid), and controllers print either. So a
UUID and what it is with these fields swapped count as one. Zeros, and what makers forgot to replace, are no UUID: many
servers share them.

A capture of one side waits until all are read. What waits is packed, since a fleet has thousands of them.
"""

import pickle
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping

from setpoint.compiler.captures.carriers import OnError
from setpoint.compiler.captures.model import Capture, Controller, Readings
from setpoint.compiler.captures.resources import ROOT, ManagedServer, managed_servers, path_of
from setpoint.compiler.captures.texts import DMIDECODE_PLACE
from setpoint.compiler.diagnostics import SetpointError

PRODUCT_UUID = "/sys/class/dmi/id/product_uuid"
"""The file in which a host has its UUID, which only root can read."""

UUID = re.compile(r"([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4}-[0-9a-f]{12})")
DMIDECODE_UUID = re.compile(r"^[ \t]*UUID: ([0-9A-Fa-f-]{36})[ \t]*$", re.MULTILINE)
"""A UUID, and the line with it that dmidecode prints."""

PLACEHOLDER = "03000200-0400-0500-0006-000700080009"
"""The bytes 0 to 9 in pairs: a default that boards of many makers are delivered with."""

Packed = bytes
"""A capture that waits."""


def joined(captures: Iterable[Capture], on_error: OnError | None = None) -> Iterator[Capture]:
    """The captures, those of the two sides of one server as one, called as that of the host.

    Captures that have both sides are passed on at once; others follow when all are read.

    Raises SetpointError (E0626) if two hosts, or two controllers, have one UUID and a counterpart; or passes it to
    `on_error`.
    """
    hosts: list[tuple[str, str, Packed]] = []
    controllers: list[tuple[str, tuple[str, ...], Packed]] = []
    for capture in captures:
        if capture.host and capture.controller:
            yield capture
        elif capture.host:
            hosts.append((capture.name, _key(host_uuid(capture.host)), _packed(capture)))
        elif capture.controller:
            keys = tuple(
                _key(str(server.system.get("UUID"))) for server in managed_servers(capture.controller)
            )
            controllers.append((capture.name, keys, _packed(capture)))
    used: set[int] = set()
    for name, key, packed in hosts:
        matching = [number for number, (_, keys, _) in enumerate(controllers) if key and key in keys]
        same = [host_name for host_name, other, _ in hosts if other == key] if matching else []
        used.update(matching)
        if len(same) > 1 or len(matching) > 1:
            error = _ambiguous(name, key, same, [controllers[number][0] for number in matching])
            if on_error is None:
                raise error
            on_error(name, error)
            continue
        host = _unpacked(packed)
        controller = _unpacked(controllers[matching[0]][2]).controller if matching else None
        yield host._replace(controller=controller and _of_server(controller, key))
    for number, (_, _, packed) in enumerate(controllers):
        if number not in used:
            yield _unpacked(packed)


def host_uuid(host: Readings) -> str:
    """The UUID that a host shows, "" if it was not read."""
    if text := host.text(PRODUCT_UUID):
        return text.strip()
    match = DMIDECODE_UUID.search(host.text(DMIDECODE_PLACE) or "")
    return match[1] if match else ""


def _key(uuid: str) -> str:
    """What is the same for a UUID in both orders of bytes; "" for what is none."""
    plain = uuid.strip().lower()
    parts = UUID.fullmatch(plain)
    if not parts or plain == PLACEHOLDER or len({*plain} - {"-"}) == 1:
        return ""
    swapped = "-".join([*(bytes.fromhex(part)[::-1].hex() for part in parts.groups()[:3]), parts[4]])
    return min(plain, swapped)


def _of_server(controller: Controller, key: str) -> Controller:
    """A controller that shows one of its servers only, where it has several."""
    servers = managed_servers(controller)
    mine = next((server for server in servers if _key(str(server.system.get("UUID"))) == key), None)
    if mine is None or sum(bool(server.bios) for server in servers) <= 1:
        return controller
    return controller._replace(read=_with_one_member(controller.read, mine))


def _with_one_member(read: Mapping[str, object], server: ManagedServer) -> dict[str, object]:
    root = read.get(ROOT)
    systems = path_of(root.get("Systems")) if isinstance(root, Mapping) else ""
    collection = read.get(systems)
    if not isinstance(collection, Mapping):
        return dict(read)
    return {**read, systems: {**collection, "Members": [{"@odata.id": server.path}]}}


def _packed(capture: Capture) -> Packed:
    return zlib.compress(pickle.dumps(capture), 1)


def _unpacked(packed: Packed) -> Capture:
    capture: Capture = pickle.loads(zlib.decompress(packed))
    return capture


def _ambiguous(name: str, key: str, hosts: list[str], controllers: list[str]) -> SetpointError:
    """The error about captures that cannot be joined (E0626)."""
    what, names = ("hosts", hosts) if len(hosts) > 1 else ("controllers", controllers)
    return SetpointError.of(
        "E0626",
        f"cannot join `{name}` with its controller: {len(names)} {what} have the UUID {key}",
        notes=(f"{what}: {', '.join(f'`{capture}`' for capture in names[:10])}",),
        help=(
            "leave out old captures, or put host and controller of a server into one folder that is called as the server",
        ),
        subject=name,
    )
