"""Read and write captures as JSON, in the form `setpoint.capture/1`.

Foreign input is checked against the models of `form`, which are only loaded to read one.
"""

import os
from typing import Any

from setpoint.compiler.captures.model import Capture, Controller, Reading, Readings
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.files.reading import parse_json
from setpoint.compiler.language.program import read

SCHEMA = "setpoint.capture/1"


def read_capture(path: str, within: str = "") -> Capture:
    """The capture in a file; links in `within` must not lead out of it.

    Raises SetpointError: E0619 if it is not a capture, and as `read` does for a file that cannot be read.
    """
    text = read(path, within=within)
    try:
        data = parse_json(text)
    except ValueError as error:
        raise SetpointError(_not_a_capture(path, str(error))) from None
    return capture_of(data, path)


def is_capture(data: Any) -> bool:
    """Whether JSON data says that it is a capture, of whatever version."""
    form = data.get("schema") if isinstance(data, dict) else None
    return isinstance(form, str) and form.startswith(SCHEMA.partition("/")[0] + "/")


def capture_of(data: Any, path: str) -> Capture:
    """The capture in JSON data of the file `path`, after which it is called. Raises SetpointError (E0619)."""
    from pydantic import ValidationError

    from setpoint.compiler.captures.form import CaptureDocument

    try:
        document = CaptureDocument.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        at = "".join(f" › {str(part)[:100]}" for part in first["loc"]).removeprefix(" › ")
        raise SetpointError(_not_a_capture(path, first["msg"].removeprefix("Value error, "), at)) from None
    host, controller = document.host, document.controller
    return Capture(
        os.path.basename(path).removesuffix(".json"),
        Readings({place: _readings(found) for place, found in host.read.items()}, dict(host.unread))
        if host
        else None,
        Controller(dict(controller.read), dict(controller.unread)) if controller else None,
    )


def _readings(found: str | dict[str, str]) -> tuple[Reading, ...]:
    if isinstance(found, str):
        return (Reading(found),)
    return tuple(Reading(text, where) for text, where in found.items())


def to_json(capture: Capture) -> dict[str, Any]:
    """A capture as JSON data, with places in their order."""
    data: dict[str, Any] = {"schema": SCHEMA}
    if capture.host:
        readings = {
            place: found[0].text
            if not found[0].where
            else {each.text: each.where for each in sorted(found, key=_by_text)}
            for place, found in sorted(capture.host.read.items())
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
