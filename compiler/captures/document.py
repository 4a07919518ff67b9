"""Read and write captures as JSON, in the form `setpoint.capture/1`.

Foreign input is checked against the models, and the JSON Schema is generated from them. Unknown fields are ignored, since a later
version may add some.
"""

import os
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from setpoint.compiler.captures.model import (
    REASONS,
    Capture,
    Controller,
    Reading,
    Readings,
    is_numbered,
    numbers,
)
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.files.reading import parse_json
from setpoint.compiler.language.program import read

SCHEMA = "setpoint.capture/1"

MOST_PLACES = 100_000
"""The maximum number of places in a capture: far more than a server with thousands of devices has."""

LONGEST_PLACE = 1_000
"""The maximum length of a place."""

Place = Annotated[str, Field(min_length=1, max_length=LONGEST_PLACE, pattern=r"^[^\x00-\x1f\x7f]*$")]
Reason = Annotated[str, Field(pattern=f"^({'|'.join(REASONS)})$")]


class CaptureForm(BaseModel):
    """A part of the document."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class HostForm(CaptureForm):
    """What was read on the host."""

    read: dict[Place, str | dict[str, str]] = Field(
        max_length=MOST_PLACES,
        description="By place: the text; in a place with `*` and for `msr`, each text with the CPUs, nodes or devices that have it",
    )
    unread: dict[Place, Reason] = Field({}, max_length=MOST_PLACES, description="Why a place was not read")

    @model_validator(mode="after")
    def _says_where(self) -> "HostForm":
        for place, found in self.read.items():
            if isinstance(found, str) == (is_numbered(place) or "*" in place):
                kind = "has texts of several CPUs or devices" if isinstance(found, str) else "is read once"
                raise ValueError(f"`{place[:100]}` {kind}")
            if is_numbered(place) and not isinstance(found, str):
                _check_each_once(place, found)
        return self


class ControllerForm(CaptureForm):
    """What the server's controller answered."""

    read: dict[Place, Any] = Field(max_length=MOST_PLACES, description="The resources by path")
    unread: dict[Place, Reason] = Field({}, max_length=MOST_PLACES, description="Why a resource was not read")


class CaptureDocument(CaptureForm):
    """What a server shows of itself, as it was read."""

    form: Literal["setpoint.capture/1"] = Field(alias="schema")
    host: HostForm | None = Field(None, description="Absent if only a controller was read")
    controller: ControllerForm | None = Field(None, description="Absent if only a host was read")


def _check_each_once(place: str, found: dict[str, str]) -> None:
    """Raises ValueError if a CPU or node has two texts, or if a list of them is not one."""
    seen: set[int] = set()
    for where in found.values():
        for each in numbers(where):
            if each in seen:
                raise ValueError(f"`{place[:100]}` has two texts for number {each}")
            seen.add(each)


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


def schema() -> dict[str, Any]:
    """The JSON Schema of the form."""
    title = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A capture of a server, version 1",
    }
    made = CaptureDocument.model_json_schema(by_alias=True)
    return {**title, **{key: value for key, value in made.items() if key != "title"}}


def _not_a_capture(path: str, why: str, at: str = "") -> Diagnostic:
    place = f" at {at}" if at else ""
    return Diagnostic(
        "E0619",
        f"`{path}` is not a capture{place}: {why[:200]}",
        NOWHERE,
        help=("docs/formats.md has the form of a capture",),
        subject=path,
    )
