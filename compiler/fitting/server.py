"""One server, as its registry and its current values show it.

Both are optional. Without a registry, the current values still say which attributes there are; which other values these
take is not known then.
"""

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from setpoint.compiler.captures.model import Capture
from setpoint.compiler.captures.resources import managed_servers
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.registries.effects import Effects, effects_of
from setpoint.compiler.registries.model import (
    BOOLEAN,
    ENUMERATION,
    INTEGER,
    Attribute,
    Registry,
    Scalar,
)
from setpoint.compiler.registries.read import read_current, read_registry, registry_of
from setpoint.compiler.registries.select import is_locked_down
from setpoint.compiler.registries.words import plain

MOST_SHOWN = 12
"""The maximum number of an attribute's values that a message lists."""


class Server(NamedTuple):
    """A server: its registry, the name of the file that it is from, and the current values that are known.

    `staged` has the values that wait for the next restart and are other than the current ones. `is_seen_only` says that
    there is no registry: the attributes are those with a current value, without their other values. `is_locked_down`
    says that no attribute can be written at all, whatever a single one would take.
    """

    file: str
    registry: Registry
    effects: Effects
    current: Mapping[str, Scalar]
    is_seen_only: bool
    is_locked_down: bool
    staged: Mapping[str, Scalar] = MappingProxyType({})

    def offered(self, attribute: Attribute, left: tuple[str, ...]) -> str:
        """What an attribute takes, in words; `left` are the values of an enumeration that remain."""
        if attribute.type == INTEGER:
            low, high, step = attribute.bounds
            bounds = f"{'any number' if low is None else low} to {'any number' if high is None else high}"
            return bounds + (f" in steps of {step}" if step and step > 1 else "")
        if attribute.type == BOOLEAN:
            return "true and false"
        texts = [plain(text) for text in left]
        more = f" and {len(texts) - MOST_SHOWN} more" if len(texts) > MOST_SHOWN else ""
        return (", ".join(texts[:MOST_SHOWN]) or "no value") + more


def read_server(registry: str, current: str) -> Server:
    """The server in these files, each "" if it is not given. Raises SetpointError, as `registries.read` does."""
    values = read_current(current) if current else {}
    return server_of(read_registry(registry) if registry else None, values, registry or current)


def captured_server(capture: Capture) -> Server | None:
    """The server of a capture, as its controller shows it: the registry, the current values and what is staged.

    None if the capture has no current values. Raises SetpointError (E0609) if what the controller has as a registry is
    none.
    """
    servers = managed_servers(capture.controller) if capture.controller else ()
    shown = next((server for server in servers if server.bios), None)
    current = scalars(shown.bios.get("Attributes")) if shown else {}
    if shown is None or not current:
        return None
    registry = registry_of(shown.registry, capture.name) if shown.registry else None
    staged = scalars(shown.settings.get("Attributes"))
    waiting = {
        name: value
        for name, value in staged.items()
        if type(value) is not type(current.get(name)) or value != current[name]
    }
    return server_of(registry, current, capture.name)._replace(staged=waiting)


def scalars(values: Any) -> dict[str, Scalar]:
    """The values of attributes, without those that are no texts, numbers or truth values."""
    if not isinstance(values, Mapping):
        return {}
    return {name: value for name, value in values.items() if isinstance(value, str | int | float)}


def server_of(registry: Registry | None, current: Mapping[str, Scalar], path: str) -> Server:
    """The server with a registry and current values. Only the last part of the path is used: outputs name no folder."""
    known = registry or seen(current)
    stated = {
        name: attribute.current
        for name, attribute in known.attributes.items()
        if attribute.current is not None
    }
    return Server(
        file=plain(os.path.basename(path)) or "registry",
        registry=known,
        effects=effects_of(known),
        current={**stated, **current},
        is_seen_only=registry is None,
        is_locked_down=registry is not None and is_locked_down(registry),
    )


def seen(current: Mapping[str, Scalar]) -> Registry:
    """The registry that current values amount to: attributes of these types, of which nothing else is known."""
    attributes = {
        name: Attribute(name, _type_of(value), name, current=value) for name, value in current.items()
    }
    return Registry("", "", "", (), attributes, (), "")


def _type_of(value: Scalar) -> str:
    if isinstance(value, bool):
        return BOOLEAN
    return INTEGER if isinstance(value, int) else ENUMERATION
