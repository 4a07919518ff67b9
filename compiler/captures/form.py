"""The form of captures as models: what is read is checked against them, and the JSON Schema is generated from them.

Unknown fields are ignored, since a later version may add some.
"""

from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from setpoint.compiler.captures.model import REASONS, is_numbered, ranges

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
    for (_, last), (first, _) in pairwise(sorted(each for where in found.values() for each in ranges(where))):
        if first <= last:
            raise ValueError(f"`{place[:100]}` has two texts for number {first}")


def schema() -> dict[str, Any]:
    """The JSON Schema of the form."""
    title = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A capture of a server, version 1",
    }
    made = CaptureDocument.model_json_schema(by_alias=True)
    return {**title, **{key: value for key, value in made.items() if key != "title"}}
