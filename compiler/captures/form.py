"""The form of captures: the check of what is read, and the JSON Schema, from the same limits.

The check is written by hand, since a fleet has thousands of captures with hundreds of places each, and a schema library
takes most of the time that a capture has. Places are the same from server to server, so what each of them takes is
found once. The tests compare both on damaged captures. Unknown fields are ignored, since a later version may add some.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any

from setpoint.compiler.captures.model import MOST_REMEMBERED, REASONS, is_numbered, ranges

SCHEMA = "setpoint.capture/1"

MOST_PLACES = 100_000
"""The maximum number of places in a capture: far more than a server with thousands of devices has."""

LONGEST_PLACE = 1_000
"""The maximum length of a place."""

PLACE = re.compile(r"[^\x00-\x1f\x7f]+")

LONGEST_REMEMBERED = 200
"""The maximum length of a list of CPUs that is remembered."""

NOT_A_DICTIONARY = "Input should be a valid dictionary"


class FormError(ValueError):
    """Data does not have the form: the keys that lead to where, and what is wrong there."""

    def __init__(self, at: tuple[str, ...], why: str) -> None:
        super().__init__(why)
        self.at = at


def check(data: Any) -> None:
    """Raises FormError for JSON data that is not a capture."""
    capture = _dictionary(data, ())
    if capture.get("schema") != SCHEMA:
        raise FormError(("schema",), f"Input should be '{SCHEMA}'")
    for side, check_read in (("host", _check_host), ("controller", None)):
        if capture.get(side) is None:
            continue
        inner = _dictionary(capture[side], (side,))
        if "read" not in inner:
            raise FormError((side, "read"), "Field required")
        read = _places(inner["read"], (side, "read"))
        for place, reason in _places(inner.get("unread", {}), (side, "unread")).items():
            if not isinstance(reason, str) or reason not in REASONS:
                raise FormError((side, "unread", place), f"should be one of: {', '.join(REASONS)}")
        if check_read:
            check_read(read)


def _dictionary(data: Any, at: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise FormError(at, NOT_A_DICTIONARY)
    return data


def _places(data: Any, at: tuple[str, ...]) -> dict[str, Any]:
    """What is by place, after a check of its places."""
    places = _dictionary(data, at)
    if len(places) > MOST_PLACES:
        raise FormError(at, f"Dictionary should have at most {MOST_PLACES} items, not {len(places)}")
    for place in places:
        if len(place) > LONGEST_PLACE:
            raise FormError((*at, place), f"Place should have at most {LONGEST_PLACE} characters")
        if not _kind(place):
            raise FormError((*at, place), "Place should have characters, and none of control")
    return places


ONCE, NUMBERED, NAMED = 1, 2, 3
"""Kinds of places: read once, for CPUs or nodes, which have numbers, and for devices, which have names."""


@lru_cache(MOST_REMEMBERED)
def _kind(place: str) -> int:
    """The kind of a place of at most LONGEST_PLACE characters; 0 for what is none."""
    if not PLACE.fullmatch(place):
        return 0
    return NUMBERED if is_numbered(place) else NAMED if "*" in place else ONCE


def _check_host(read: dict[str, Any]) -> None:
    """Raises FormError for readings that their places do not have."""
    for place, texts in read.items():
        kind = _kind(place)
        if isinstance(texts, str):
            if kind != ONCE:
                raise _of_place(place, "has texts of several CPUs or devices")
            continue
        if not isinstance(texts, dict):
            raise FormError(("host", "read", place), "Input should be a valid string or dictionary")
        if kind == ONCE:
            raise _of_place(place, "is read once")
        for text, where in texts.items():
            if not isinstance(where, str):
                raise FormError(("host", "read", place, text), "Input should be a valid string")
        if kind == NUMBERED:
            try:
                _check_each_once(texts.values())
            except ValueError as error:
                raise _of_place(place, str(error)) from None


def _of_place(place: str, why: str) -> FormError:
    return FormError(("host",), f"`{place[:100]}` {why}")


def _check_each_once(lists: Iterable[str]) -> None:
    """Raises ValueError if a CPU or node has two texts, or if a list of them is not one."""
    runs = [run for where in lists for run in _ranges(where)]
    if len(runs) > 1:
        runs.sort()
        for (_, last), (first, _) in pairwise(runs):
            if first <= last:
                raise ValueError(f"has two texts for number {first}")


def _ranges(where: str) -> tuple[tuple[int, int], ...]:
    return _known_ranges(where) if len(where) <= LONGEST_REMEMBERED else tuple(ranges(where))


@lru_cache(MOST_REMEMBERED)
def _known_ranges(where: str) -> tuple[tuple[int, int], ...]:
    return tuple(ranges(where))


def schema() -> dict[str, Any]:
    """The JSON Schema of the form."""
    place = {"minLength": 1, "maxLength": LONGEST_PLACE, "pattern": r"^[^\x00-\x1f\x7f]*$"}
    by_place = {"type": "object", "propertyNames": place, "maxProperties": MOST_PLACES}
    unread = {**by_place, "default": {}, "additionalProperties": {"enum": list(REASONS)}}
    texts = {"type": "object", "additionalProperties": {"type": "string"}}
    readings = {
        **by_place,
        "description": "By place: the text; in a place with `*` and for `msr`, each text with the CPUs, nodes or devices that have it",
        "additionalProperties": {"anyOf": [{"type": "string"}, texts]},
    }
    host = _side(readings, {**unread, "description": "Why a place was not read"})
    resources = {**by_place, "description": "The resources by path"}
    controller = _side(resources, {**unread, "description": "Why a resource was not read"})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A capture of a server, version 1",
        "description": "What a server shows of itself, as it was read.",
        "type": "object",
        "properties": {
            "schema": {"const": SCHEMA},
            "host": {"description": "What was read on the host. Absent if only a controller was read", "anyOf": [host, {"type": "null"}]},
            "controller": {"description": "What the server's controller answered. Absent if only a host was read", "anyOf": [controller, {"type": "null"}]},
        },
        "required": ["schema"],
    }  # fmt: skip


def _side(read: dict[str, Any], unread: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"read": read, "unread": unread}, "required": ["read"]}
