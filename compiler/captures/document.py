"""Read and write captures as JSON, in the form `setpoint.capture/1`."""

import os
from typing import Any

from setpoint.compiler.captures.form import SCHEMA, FormError, check
from setpoint.compiler.captures.model import Capture, Controller, Reading, Readings
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE


def is_capture(data: Any) -> bool:
    """Whether JSON data says that it is a capture, of whatever version."""
    form = data.get("schema") if isinstance(data, dict) else None
    return isinstance(form, str) and form.startswith(SCHEMA.partition("/")[0] + "/")


def capture_of(data: Any, path: str) -> Capture:
    """The capture in JSON data of the file `path`, after which it is called. Raises SetpointError (E0619)."""
    try:
        check(data)
    except FormError as error:
        at = " › ".join(part[:100] for part in error.at)
        raise SetpointError(_not_a_capture(path, str(error), at)) from None
    host, controller = data.get("host"), data.get("controller")
    return Capture(
        os.path.basename(path).removesuffix(".json"),
        Readings({place: _readings(texts) for place, texts in host["read"].items()}, host.get("unread", {}))
        if host
        else None,
        Controller(controller["read"], controller.get("unread", {})) if controller else None,
    )


def _readings(texts: str | dict[str, str]) -> tuple[Reading, ...]:
    if isinstance(texts, str):
        return (Reading(texts),)
    return tuple(Reading(text, where) for text, where in texts.items())


def to_json(capture: Capture) -> dict[str, Any]:
    """A capture as JSON data, with places in their order."""
    data: dict[str, Any] = {"schema": SCHEMA}
    if capture.host:
        readings = {
            place: entries[0].text
            if not entries[0].where
            else {reading.text: reading.where for reading in sorted(entries, key=_by_text)}
            for place, entries in sorted(capture.host.read.items())
        }
        data["host"] = {"read": readings, "unread": dict(sorted(capture.host.unread.items()))}
    if capture.controller:
        controller = capture.controller
        data["controller"] = {
            "read": dict(sorted(controller.read.items())),
            "unread": dict(sorted(controller.unread.items())),
        }
    return data


def _by_text(reading: Reading) -> str:
    return reading.text


def _not_a_capture(path: str, why: str, at: str = "") -> Diagnostic:
    place = f" at {at}" if at else ""
    return Diagnostic(
        "E0619",
        f"`{path}` is not a capture{place}: {why[:200]}",
        NOWHERE,
        help=("docs/formats.md has the form of a capture",),
        subject=path,
    )
